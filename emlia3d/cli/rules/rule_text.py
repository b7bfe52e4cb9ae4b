"""Single rules on the command line: one by its slug, or all that have a word."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from dataclasses import asdict

from emlia3d.cli.rules.counts import systems_asked
from emlia3d.cli.writing import echo
from emlia3d.errors import Error
from emlia3d.rules.rule_entries import RuleEntry, rule_entries, rule_entry
from emlia3d.scenario.messages import nearest, shown

WIDTH = 92
"""Width of a line, characters."""


def explain_rules(system: str | None, search: str | None, *, as_json: bool) -> int:
    """Answer ``emlia3d rules SLUG``, or with ``--search WORD``; return the exit status."""
    if search is not None:
        return _search(systems_asked(system), search, as_json=as_json)
    _print_rule(system or "", as_json=as_json)
    return 0


def _print_rule(slug: str, *, as_json: bool) -> None:
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


def _search(systems: Sequence[str], word: str, *, as_json: bool) -> int:
    wanted = word.casefold()
    found = [
        entry
        for system in systems
        for entry in rule_entries(system)
        if any(wanted in text.casefold() for text in (entry.slug, entry.title, entry.summary))
    ]
    if as_json:
        echo(json.dumps([asdict(entry) for entry in found], ensure_ascii=False))
    else:
        wide = max((len(entry.slug) for entry in found), default=0)
        for entry in found:
            echo(f"{entry.slug:<{wide}}  {entry.title}")
        if not found:
            echo(f"no rule has {shown(word)} in its name or summary", err=True)
    return 0 if found else 1


def _lines(entry: RuleEntry) -> list[str]:
    """Return an entry as lines of text."""
    modifier = "" if entry.modifier is None else f" ({entry.modifier:+d})"
    lines = [f"{entry.slug}: {entry.title}{modifier}"]
    if entry.chapter:
        lines.append(f"  {entry.system}, chapter {entry.chapter}")
    for paragraph in entry.summary.split("\n\n"):
        lines += ["", *(_filled(line) for line in _joined(paragraph))]
    lines.append("")
    if entry.function:
        role = "a row of the table of" if entry.is_row else "played by"
        lines.append(f"  {role} {entry.function}")
    if entry.is_tested:
        lines.append("  a conformance test proves it")
    else:
        lines.append(f"  not proved by a test{f': {entry.reason}' if entry.reason else ''}")
    return lines


def _joined(paragraph: str) -> list[str]:
    """Return the lines of a paragraph, with wrapped ones joined; parameters stay apart."""
    lines: list[str] = []
    for line in paragraph.splitlines():
        if lines and " : " not in line:
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line.strip())
    return lines


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
