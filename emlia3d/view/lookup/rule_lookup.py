"""Lookup of a rule in the window: the slug under the cursor, or the clicked one."""

from __future__ import annotations

from dataclasses import replace

from emlia3d.view.lookup.rulecard import BUTTON, RuleCard
from emlia3d.view.rules import Rules


class RuleLookup:
    """The open rule, if any."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._pointed = ""
        self._pinned = ""
        self._read: RuleCard | None = None

    def point(self, button: str | None) -> None:
        """Move the cursor to a button of the panels, or to none."""
        self._pointed = _slug_of(button or "")

    def press(self, button: str) -> bool:
        """Press a button; return whether it is a slug. A second press closes the card."""
        slug = _slug_of(button)
        if slug:
            self._pinned = "" if slug == self._pinned else slug
            self._pointed = ""
        return bool(slug)

    def close(self) -> bool:
        """Close the pressed rule; return whether one was open."""
        was_open, self._pinned = bool(self._pinned), ""
        return was_open

    def card(self) -> RuleCard | None:
        """Return the rule to show; None without one."""
        slug = self._pointed or self._pinned
        if not slug or self._rules.rulebook is None:
            return None
        read = self._read
        if read is None or read.slug != slug:
            # A page takes milliseconds to read, and every frame needs the card.
            read = RuleCard(slug=slug, page=self._rules.rulebook(slug), pinned=False)
        self._read = replace(read, pinned=slug == self._pinned)
        return self._read


def _slug_of(button: str) -> str:
    kind, _, slug = button.partition(":")
    return slug if kind == BUTTON else ""
