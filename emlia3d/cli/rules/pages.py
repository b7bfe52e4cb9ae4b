"""Rule entries as pages for the window."""

from __future__ import annotations

from functools import cache

from emlia3d.rules.catalogue import catalogued
from emlia3d.rules.rule_entries import NOT_PLAYED, RuleEntry, rule_entries
from emlia3d.view.rules import RulePage


def rule_page(slug: str) -> RulePage | None:
    """Return the page of a rule; None for a slug without an entry."""
    system = slug.partition(".")[0]
    entry = _entries(system).get(slug) if system in catalogued() else None
    return None if entry is None else _page(entry)


@cache
def _entries(system: str) -> dict[str, RuleEntry]:
    return {entry.slug: entry for entry in rule_entries(system)}


def _page(entry: RuleEntry) -> RulePage:
    rows = [] if entry.modifier is None else [("modifier", f"{entry.modifier:+d}")]
    rows += [("book", f"chapter {entry.chapter}" if entry.chapter else entry.system)]
    proof = "by a test" if entry.is_tested else entry.reason or "by no test"
    rows += [("proved", proof)]
    return RulePage(
        title=entry.title,
        paragraphs=tuple(
            " ".join(text.split()) for text in (entry.summary or NOT_PLAYED).split("\n\n")
        ),
        rows=tuple(rows),
    )
