"""The list of the bundled scenarios."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict, dataclass

from emlia3d.cli.writing import echo
from emlia3d.scenario import load, shipped

_WIDTH = 80


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
    indent = max(len(entry.name) for entry in entries) + 2
    for entry in entries:
        echo(f"{entry.name:<{indent}}{entry.title}")
        for text in (", ".join(_sizes(entry)), entry.summary):
            for line in textwrap.wrap(text, _WIDTH - indent):
                echo(" " * indent + line)


def _entry(name: str, title: str, summary: str) -> _Entry:
    setup = load(name).setup
    members = [unit.muster.members for unit in setup.units if unit.muster.members]
    east, north = (setup.field.scale.metres_of_gsu(side) for side in setup.field.size)
    return _Entry(
        name, title, summary, setup.rules, sum(members), len(members), setup.turns, (east, north)
    )


def _sizes(entry: _Entry) -> tuple[str, ...]:
    """Return the rules, the size of the armies, the turns and the field in words."""
    east, north = entry.size_m
    unit, divisor = ("km", 1000.0) if max(east, north) >= 1000.0 else ("m", 1.0)
    return (
        entry.rules,
        f"{entry.figures:,} figures in {entry.units} units",
        f"{entry.turns} turns",
        f"{east / divisor:g} x {north / divisor:g} {unit}",
    )
