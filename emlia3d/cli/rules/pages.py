"""Rules for the window: the entries that ``emlia3d rules SLUG`` prints, as pages."""

from __future__ import annotations

from functools import cache

from emlia3d.rules.catalogue import catalogued
from emlia3d.rules.rule_entries import RuleEntry, rule_entries
from emlia3d.view.rules import RulePage

SPELLED = {"mod": "modifier", "attr": "attribute", "equip": "equipment", "gloss": "glossary"}
"""Words of slugs that titles spell out."""


def rule_page(slug: str) -> RulePage | None:
    """Return the page of a rule; None for a slug without an entry."""
    system = slug.partition(".")[0]
    entry = _entries(system).get(slug) if system in catalogued() else None
    return None if entry is None else _page(entry)


@cache
def _entries(system: str) -> dict[str, RuleEntry]:
    return {entry.slug: entry for entry in rule_entries(system)}


def _page(entry: RuleEntry) -> RulePage:
    words = entry.slug.split(".")[1:]
    title = ": ".join(SPELLED.get(word, word.replace("-", " ")) for word in words).capitalize()
    texts = entry.summary.split("\n\n") or ["This program does not play it."]
    rows = [] if entry.modifier is None else [("modifier", f"{entry.modifier:+d}")]
    rows += [("book", f"chapter {entry.chapter}" if entry.chapter else entry.system)]
    if entry.function:
        name = entry.function.rpartition(".")[2].replace("_", " ")
        rows += [("row of" if entry.is_row else "played by", name)]
    proof = "by a test" if entry.is_tested else entry.reason or "by no test"
    rows += [("proved", proof)]
    return RulePage(
        title=title,
        paragraphs=tuple(" ".join(text.split()) for text in texts if text),
        rows=tuple(rows),
    )
