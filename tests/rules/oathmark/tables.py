"""Tables to play one procedure at: units and terrain from plain data, fixed dice and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.flow import opening_event
from emlia3d.force.formation import GRID
from emlia3d.rules.oathmark.blocks import Block, block_at
from emlia3d.scenario.scenario import from_text

INCH = 25.4
HOME = (600.0, 600.0)
"""The place that tests count from, mm."""

SOLDIER: Mapping[str, Any] = {
    "side": "Red", "activation": 5, "move": 6, "fight": 2, "defence": 9, "members": 10,
}  # fmt: skip
"""A unit of which nothing else is said; by default its officer stands at `HOME`."""


def toml(value: object) -> str:
    """Return a value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f'"{key}" = {toml(cell)}' for key, cell in value.items()) + " }"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml, value))}]"
    return str(value)


def box(west: float, south: float, east: float, north: float) -> list[list[float]]:
    """Return an outline by its edges, from `HOME`."""
    x, y = HOME
    corners = [[west, south], [east, south], [east, north], [west, north]]
    return [[x + a, y + b] for a, b in corners]


def piece(kind: str, *edges: float, **other: object) -> dict[str, Any]:
    """Return a terrain feature in a box, from `HOME`."""
    return {"kind": kind, "outline": box(*edges), **other}


def one_hill(radius: float, height: float) -> str:
    """Return the relief of a field with one round hill, 160 mm north of `HOME`.

    radius, height : mm
    """
    x, y = HOME
    return f"""
        [field.relief]
        cell = 10
        [[field.relief.parts]]
        kind = "hills"
        seed = 1
        hills = [[{x:g}, {y + 160:g}, {radius:g}, {height:g}]]
    """


def text_of(
    units: Sequence[Mapping[str, Any]],
    terrain: Sequence[Mapping[str, Any]] = (),
    size: tuple[float, float] = (1219.2, 1219.2),
    turns: int = 6,
    field: str = "",
) -> str:
    """Return a scenario: Red starts in the south, Blue in the north.

    units : with the place of the officer, from `HOME`, as *officer*
    """
    lines = [
        'format = 1\ntitle = "A table"\nrules = "oathmark"',
        f'turns = {turns}\n[field]\nsize = {toml(size)}\nscale = "millimetres"\n{field}',
    ]
    for name, edge in (("Red", "south"), ("Blue", "north")):
        lines.append(f'[[side]]\nname = "{name}"\nlines = "{edge}"')
    for number, feature in enumerate(terrain):
        lines.append("[[terrain]]")
        named = {"name": f"{feature['kind']} {number}", **feature}
        lines += [f"{key} = {toml(value)}" for key, value in named.items()]
    for number, unit in enumerate(units):
        lines.append("[[unit]]")
        whole = {"name": f"unit {number}", **({} if "type" in unit else SOLDIER), **unit}
        whole["at"] = middle(whole)
        lines += [
            f"{key} = {toml(value)}"
            for key, value in whole.items()
            if key not in {"officer", "width", "depth", "files"}
        ]
    return "\n".join(lines)


def middle(unit: Mapping[str, Any]) -> list[float]:
    """Return the centre of a unit's outline if its officer stands at its place, from `HOME`."""
    width, depth = unit.get("base", (unit.get("width", 25), unit.get("depth", 25)))
    files = unit.get("files", {(25, 25): 5, (25, 50): 5, (50, 50): 3}.get((width, depth), 1))
    block = Block(0, 0, round(unit.get("facing", 0) * 64), unit["members"], files, width, depth)
    (x, y), (u, v), (a, b) = unit.get("officer", (0, 0)), block.officer, block.centre
    return [HOME[0] + x - u + a, HOME[1] + y - v + b]


def table(*units: Mapping[str, Any], **other: Any) -> Battle:
    """Return a battle in which the units stand ready; see `text_of`."""
    battle = from_text(text_of(units, **other), "table").battle(seed=0)
    battle.happen(opening_event(battle))
    return battle


def put(battle: Battle, unit: int, **cells: float) -> None:
    """Set cells of a unit."""
    changes = [Set(table="unit", row=unit, column=name, value=v) for name, v in cells.items()]
    battle.happen(Event(facts=Unread(event="put"), changes=tuple(changes)))


def set_battle(battle: Battle, **cells: float) -> None:
    """Set cells of the battle."""
    changes = [Set(table="battle", row=0, column=name, value=v) for name, v in cells.items()]
    battle.happen(Event(facts=Unread(event="put"), changes=tuple(changes)))


def cell(battle: Battle, unit: int, column: str) -> float:
    """Return a cell of a unit."""
    return battle.state.units.value(column, unit)


def officer(battle: Battle, unit: int) -> tuple[float, float]:
    """Return the place of an officer, from `HOME`, to a tenth of a millimetre."""
    x, y = block_at(battle.state, unit).officer
    return round(x - HOME[0], 1) + 0.0, round(y - HOME[1], 1) + 0.0


def figures(battle: Battle, unit: int) -> list[tuple[float, float]]:
    """Return the places of the figures of a unit as the state has them, from `HOME`."""
    state = battle.state
    rows = state.roster.standing(unit)
    spots = zip(state.figures.floats("x")[rows], state.figures.floats("y")[rows], strict=True)
    return [
        (round((x - HOME[0]) * GRID) / GRID, round((y - HOME[1]) * GRID) / GRID) for x, y in spots
    ]
