"""The statistics of a battle on the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from emlia3d.battle.questions.statistics import BattleStatistics, UnitStatistics, statistics
from emlia3d.cli.reporting import story_of
from emlia3d.cli.writing import echo
from emlia3d.errors import Error

HEADS = (
    "unit", "side", "start", "left", "shots", "blows", "hits", "inflicted", "by shots", "by blows",
    "other", "departed", "GSU", "known",
)  # fmt: skip
_NAMES = 2
"""Columns of names, which align on the left."""


def print_statistics(file: str, seed: int | None, *, as_csv: bool, as_json: bool) -> None:
    """Answer ``emlia3d report FILE --stats``."""
    battle, story = story_of(file, seed)
    try:
        found = statistics(battle, story)
    except ValueError as flaw:
        raise Error(f"{file}: {flaw}") from None
    if as_json:
        echo(json.dumps(asdict(found), ensure_ascii=False))
    elif as_csv:
        echo(_csv(found.units))
    else:
        echo("\n".join(_statistics_lines(battle.setup.title, found)))


def _csv(units: Sequence[UnitStatistics]) -> str:
    """Return the units as CSV, with a header."""
    written = io.StringIO()
    rows = [asdict(unit) for unit in units]
    table = csv.DictWriter(written, [*UnitStatistics.__dataclass_fields__], lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue().rstrip("\n")


def _statistics_lines(title: str, found: BattleStatistics) -> Iterator[str]:
    """Yield the tables as plain text, line by line."""
    yield f"{title}: statistics"
    yield ""
    yield from _table([HEADS, *map(_cells, found.units)])
    yield ""
    for luck in found.luck:
        if luck.dice:
            spread = f"standard deviation {luck.deviation:.1f}, p = {luck.p_value:.2f}"
            hits = f"{luck.hits} hits with {luck.dice} dice, {luck.expected:.1f} expected"
            yield f"{luck.side}: {hits} ({spread})"
    for unit in found.units:
        if unit.broke is not None:
            yield f"{unit.name} routs in turn {unit.broke}"
        if unit.out is not None:
            rule = "" if unit.out_because is None else f" ({unit.out_because})"
            yield f"{unit.name}, out in turn {unit.out}: {unit.out_how}{rule}"


def _cells(unit: UnitStatistics) -> tuple[str, ...]:
    """Return the cells of a unit under `HEADS`."""
    whole = (unit.strength, unit.left, unit.shots, unit.blows, unit.hits)
    parts = (unit.inflicted, unit.lost_to_shots, unit.lost_to_blows, unit.lost_otherwise)
    return (
        unit.name,
        unit.side,
        *map(str, whole),
        *(f"{part:.1f}" for part in parts),
        str(unit.departed),
        f"{unit.distance:.1f}",
        str(unit.turns_known),
    )


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            f"{cell:{width}}" if place < _NAMES else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
