"""Single entries of the rule catalogues: title, summary, chapter, and what plays them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Set
from dataclasses import dataclass

from emlia3d.battle.system import System
from emlia3d.rules.catalogue import (
    RuleSummary,
    catalogued,
    chapter_of,
    chapters,
    enter_rules,
    explained,
    summaries,
    untested,
)
from emlia3d.rules.installed import installed, load
from emlia3d.rules.rulebook import ROWS, RULES

NOT_PLAYED = "This program does not play it."
"""The text for an entry without a summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEntry:
    """An entry of a catalogue.

    title : as the catalogue lists it; without one, the words of its slug
    chapter : number and title; "" for a book without chapters
    summary : our own summary; if the catalogue has none, the first paragraph of the docstring of
        the function that plays it; "" if none does
    function : that plays it, with its module; "" if none does
    is_row : it is a row of the table that the function reads
    modifier : of such a row, as printed; None without one
    is_tested : a conformance test proves it
    reason : why no test can prove it; "" if there is none
    """

    slug: str
    system: str
    title: str
    chapter: str
    summary: str
    function: str
    is_row: bool
    modifier: int | None
    is_tested: bool
    reason: str


def rule_entry(slug: str) -> RuleEntry | None:
    """Return an entry by its slug; None if no catalogue has it."""
    system = slug.partition(".")[0]
    if system not in catalogued():
        return None
    return next((entry for entry in rule_entries(system) if entry.slug == slug), None)


def rule_entries(system: str) -> tuple[RuleEntry, ...]:
    """Return all entries of a system's catalogue, in alphabetical order.

    Raises
    ------
    RuleSystemError
        If the system of another package cannot be loaded, or its files cannot be read.
    """
    enter_rules(system)
    shared = _Catalogue(system)
    return tuple(map(shared.entry, summaries(system)))


class _Catalogue:
    """The facts of a system's catalogue that all its entries share."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._book = chapters(system)
        self._untested: Set[str] = frozenset(untested(system))
        self._reasons = explained(system)
        point = installed().get(system)
        loaded = None if point is None else load(point)
        self._modifiers: Mapping[str, int] = loaded.rows if isinstance(loaded, System) else {}

    def entry(self, listed: RuleSummary) -> RuleEntry:
        slug = listed.slug
        player = RULES.get(slug)
        docstring = (inspect.getdoc(player) or "") if player is not None else ""
        chapter = chapter_of(slug, self._book) if self._book else None
        return RuleEntry(
            slug=slug,
            system=self._system,
            title=listed.title or _spelled(slug),
            chapter="" if chapter is None else f"{chapter.number} {chapter.title}",
            summary=listed.text or " ".join(docstring.partition("\n\n")[0].split()),
            function="" if player is None else f"{player.__module__}.{player.__qualname__}",
            is_row=slug in ROWS,
            modifier=self._modifiers.get(slug),
            is_tested=slug not in self._untested,
            reason=self._reasons.get(slug, ""),
        )


SPELLED = {"mod": "modifier", "attr": "attribute", "equip": "equipment", "gloss": "glossary"}
"""Words of slugs that titles spell out."""


def _spelled(slug: str) -> str:
    """Return a title made of the words of a slug, without the system's name."""
    words = slug.split(".")[1:]
    return ": ".join(SPELLED.get(word, word.replace("-", " ")) for word in words).capitalize()
