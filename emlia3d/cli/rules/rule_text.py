"""Rules on the command line: one by its slug, or a search for words."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from emlia3d.cli.rules.counts import systems_asked
from emlia3d.cli.writing import echo
from emlia3d.errors import Error
from emlia3d.rules.rule_entries import NOT_PLAYED, RuleEntry, rule_entries, rule_entry
from emlia3d.scenario.messages import nearest, shown

WIDTH = 92
"""Width of a line, characters."""


def print_rule(slug: str, *, as_json: bool) -> None:
    """Answer ``emlia3d rules SLUG``."""
    (system,) = systems_asked(slug.partition(".")[0])
    entry = rule_entry(slug)
    if entry is None:
        known = [each.slug for each in rule_entries(system)]
        raise Error(f"unknown rule {shown(slug)}; {nearest(slug, known)}")
    if as_json:
        echo(json.dumps(asdict(entry), ensure_ascii=False))
        return
    for line in _lines(entry):
        echo(line)


def search_rules(system: str | None, words: Sequence[str], *, as_json: bool) -> int:
    """Answer ``emlia3d rules SYSTEM WORD...``; return the exit status.

    It lists rules with every word in slug, title or summary, and ignores case.
    """
    wanted = [word.casefold() for word in words]
    found = [
        entry
        for each in systems_asked(system)
        for entry in rule_entries(each)
        if _has_words(entry, wanted)
    ]
    if as_json:
        echo(json.dumps([asdict(entry) for entry in found], ensure_ascii=False))
    else:
        wide = max((len(entry.slug) for entry in found), default=0)
        for entry in found:
            echo(f"{entry.slug:<{wide}}  {entry.title}")
        if not found:
            missing = " and ".join(map(shown, words))
            echo(f"no rule has {missing} in its name or summary", err=True)
    return 0 if found else 1


def _has_words(entry: RuleEntry, wanted: Sequence[str]) -> bool:
    text = "\n".join((entry.slug, entry.title, " ".join(entry.summary.split()))).casefold()
    return all(word in text for word in wanted)


def _lines(entry: RuleEntry) -> list[str]:
    """Return an entry as lines of text."""
    modifier = "" if entry.modifier is None else f" ({entry.modifier:+d})"
    lines = [f"{entry.slug}: {entry.title}{modifier}"]
    if entry.chapter:
        lines.append(f"  {entry.system}, chapter {entry.chapter}")
    for paragraph in (entry.summary or NOT_PLAYED).split("\n\n"):
        lines += ["", *_filled(paragraph)]
    lines.append("")
    if entry.function:
        role = "a row of the table of" if entry.is_row else "played by"
        lines.append(f"  {role} {entry.function}")
    if entry.is_tested:
        lines.append("  a conformance test proves it")
    else:
        lines.append(f"  not proved by a test{f': {entry.reason}' if entry.reason else ''}")
    return lines


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
