"""The bundled scenarios, one line each."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from emlia3d.cli.writing import echo
from emlia3d.scenario import load, shipped


@dataclass(frozen=True, slots=True)
class _Entry:
    """A bundled scenario in the list.

    size_m : of the field, east and north, metres
    """

    name: str
    title: str
    summary: str
    rules: str
    figures: int
    units: int
    turns: int
    size_m: tuple[float, float]


def list_scenarios(*, as_json: bool) -> None:
    """Answer ``emlia3d scenarios``."""
    entries = [_entry(*each) for each in shipped()]
    if as_json:
        echo(json.dumps([asdict(entry) for entry in entries], ensure_ascii=False))
        return
    rows = [
        (*_cells(entry), f"{entry.title}{': ' if entry.summary else ''}{entry.summary}")
        for entry in entries
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for *cells, told in rows:
        padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
        echo("  ".join([*padded, told]))


def _entry(name: str, title: str, summary: str) -> _Entry:
    setup = load(name).setup
    members = [unit.muster.members for unit in setup.units if unit.muster.members]
    east, north = (setup.field.scale.metres_of_gsu(side) for side in setup.field.size)
    return _Entry(
        name, title, summary, setup.rules, sum(members), len(members), setup.turns, (east, north)
    )


def _cells(entry: _Entry) -> tuple[str, ...]:
    """Return the name, the rules, the size of the armies, the turns and the field in words."""
    east, north = entry.size_m
    unit, divisor = ("km", 1000.0) if max(east, north) >= 1000.0 else ("m", 1.0)
    return (
        entry.name,
        entry.rules,
        f"{entry.figures:,} figures in {entry.units} units",
        f"{entry.turns} turns",
        f"{east / divisor:g} x {north / divisor:g} {unit}",
    )
