"""Counts of implemented and tested entries in catalogues."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from emlia3d import cli
from emlia3d.cli.writing import echo
from emlia3d.errors import Error, RuleSystemError
from emlia3d.rules.catalogue import (
    CatalogueCoverage,
    catalogued,
    coverage,
    credit,
    explained,
    status,
    untested,
)
from emlia3d.rules.installed import described, installed, load
from emlia3d.scenario.messages import nearest, shown


def count_rules(
    system: str | None,
    files: Sequence[Path],
    *,
    by_chapter: bool,
    list_untested: bool,
    played: bool,
    as_json: bool,
) -> None:
    """Answer ``emlia3d rules [SYSTEM] [FILE...]``."""
    asked = systems_asked(system)
    if played != bool(files) or (played and (list_untested or by_chapter)):
        raise click.BadParameter("--played needs a system and battle files, and no other option")
    if played:
        cli.played.print_played(cli.played.played_in(asked[0], files), as_json=as_json)
        return
    if list_untested and by_chapter:
        raise click.BadParameter("--status and --untested exclude each other")
    if list_untested:
        _print_untested(asked, as_json)
    elif by_chapter:
        _print_status(asked, as_json)
    else:
        _print_coverage(asked, as_json, whole=system is None)


def systems_asked(system: str | None) -> tuple[str, ...]:
    """Return the rule systems that a command names: one, or all with a catalogue."""
    known = catalogued()
    if system is None:
        return known
    if system in known:
        return (system,)
    points = installed()
    if system in points:
        load(points[system])
        raise Error(f"{described(points[system])} has no catalogue: expected slugs/{system}.txt")
    raise Error(f"unknown rule system {shown(system)}; {nearest(system, known)}")


def _print_coverage(systems: Iterable[str], as_json: bool, *, whole: bool) -> None:
    """Print a row for each system; for a single system, also its source.

    In the list of all systems, a faulty system is an error line.
    """
    found = dict[str, CatalogueCoverage]()
    for system in systems:
        try:
            found[system] = coverage(system)
        except RuleSystemError as fault:
            if not whole:
                raise
            echo(fault, err=True)
    _print_counts("system", found, as_json)
    if not (whole or as_json):
        for told in filter(None, map(credit, found)):
            echo(f"\n{told}")


def _print_untested(systems: Iterable[str], as_json: bool) -> None:
    slugs = {system: untested(system) for system in systems}
    if as_json:
        echo(json.dumps(slugs))
        return
    for system, listed in slugs.items():
        reasons = explained(system)
        for slug in listed:
            echo(f"{slug}: {reasons[slug]}" if slug in reasons else slug)


def _print_status(systems: Iterable[str], as_json: bool) -> None:
    found = {system: status(system) for system in systems}
    if as_json:
        echo(
            json.dumps(
                {
                    system: [
                        {"chapter": chapter.number, "title": chapter.title, **asdict(counts)}
                        for chapter, counts in book.items()
                    ]
                    for system, book in found.items()
                }
            )
        )
        return
    for system, book in found.items():
        if not book:
            echo(f"{system}: the catalogue has no chapters")
            continue
        rows = {f"{chapter.number:>2}  {chapter.title}": counts for chapter, counts in book.items()}
        _print_counts(system, rows, as_json=False)


def _print_counts(heading: str, rows: dict[str, CatalogueCoverage], as_json: bool) -> None:
    if as_json:
        echo(json.dumps({name: asdict(counts) for name, counts in rows.items()}))
        return
    wide = max(12, *(len(name) + 2 for name in rows))
    echo(f"{heading:<{wide}}{'catalogue':>10}{'implemented':>13}{'tested':>8}")
    for name, counts in rows.items():
        figures = f"{counts.catalogue:>10}{counts.implemented:>13}{counts.tested:>8}"
        echo(f"{name:<{wide}}{figures}")
