"""Tables to play one procedure at: models and terrain from plain data, fixed dice and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.flow import opening_event
from emlia3d.rules.runolfsson.attack import PossibleShot, standing_shots
from emlia3d.rules.runolfsson.base_paths import place
from emlia3d.rules.runolfsson.columns import Phase, Turn
from emlia3d.scenario.scenario import from_text

HUMAN: Mapping[str, Any] = {
    "side": "Red", "move": 6, "attack": 4, "save": 0, "hits": 1, "range": 24,
    "command_radius": 40,
}  # fmt: skip
"""A model of which nothing else is said."""


def toml(value: object) -> str:
    """Return a value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml, value))}]"
    return str(value)


def box(west: float, south: float, east: float, north: float) -> list[list[float]]:
    """Return an outline."""
    return [[west, south], [east, south], [east, north], [west, north]]


def feature(kind: str, **shape: object) -> dict[str, Any]:
    """Return a terrain feature; a sequence as *at* is a box."""
    at = shape.pop("at", None)
    return {"kind": kind, **({"outline": box(*at)} if isinstance(at, Sequence) else {}), **shape}


def text_of(
    models: Sequence[Mapping[str, Any]],
    terrain: Sequence[Mapping[str, Any]] = (),
    size: tuple[float, float] = (48, 48),
    victory: str = "sudden death",
    turns: int = 8,
    game: str = "",
) -> str:
    """Return a scenario: Red starts in the south, Blue in the north."""
    lines = [
        'format = 1\ntitle = "A table"\nrules = "runolfsson"',
        f"turns = {turns}\n[field]\nsize = {toml(size)}",
        f'[game]\nvictory = "{victory}"\n{game}',
    ]
    for name, edge in (("Red", "south"), ("Blue", "north")):
        lines.append(f'[[side]]\nname = "{name}"\nlines = "{edge}"')
    for number, piece in enumerate(terrain):
        lines.append("[[terrain]]")
        named = {"name": f"{piece['kind']} {number}", **piece}
        lines += [f"{key} = {toml(value)}" for key, value in named.items()]
    for number, model in enumerate(models):
        lines.append("[[unit]]")
        whole = {"name": f"model {number}", **HUMAN, **model}
        lines += [f"{key} = {toml(value)}" for key, value in whole.items()]
    return "\n".join(lines)


def table(*models: Mapping[str, Any], **other: Any) -> Battle:
    """Return a battle in which the models stand ready; see `text_of`."""
    battle = from_text(text_of(models, **other), "table").battle(seed=0)
    battle.happen(opening_event(battle))
    return battle


def put(battle: Battle, unit: int, **cells: float) -> None:
    """Set cells of a model."""
    changes = [Set(table="unit", row=unit, column=name, value=v) for name, v in cells.items()]
    battle.happen(Event(facts=Unread(event="put"), changes=tuple(changes)))


def move_to(battle: Battle, unit: int, spot: tuple[float, float]) -> None:
    """Put a model elsewhere."""
    battle.happen(Event(facts=Unread(event="put"), changes=(place(battle, unit, spot),)))


def set_phase(battle: Battle, phase: Phase, kind: Turn = Turn.NORMAL, **cells: int) -> None:
    """Set the phase, the kind of turn, and other cells of the battle; the turn is 1."""
    named = {"turn": 1, "phase": int(phase), "kind": int(kind), **cells}
    changes = [Set(table="battle", row=0, column=name, value=v) for name, v in named.items()]
    battle.happen(Event(facts=Unread(event="put"), changes=tuple(changes)))


def cell(battle: Battle, unit: int, column: str) -> float:
    """Return a cell of a model."""
    return battle.state.units.value(column, unit)


def ready(*models: Any, phase: Phase = Phase.STATIONARY, **other: Any) -> Battle:
    """A table in an attack phase."""
    battle = table(*models, **other)
    set_phase(battle, phase)
    return battle


def mark(battle: Battle, *spots: tuple[float, float]) -> None:
    """Put objective markers at places."""
    for x, y in spots:
        change = Append(table="marker", row={"x": x, "y": y})
        battle.happen(Event(facts=Unread(event="put"), changes=(change,)))


def shot(battle: Battle, attacker: int = 0, target: int = 1) -> PossibleShot:
    """Return the only shot of one model at another in this phase."""
    side = battle.state.units.integer("side", attacker)
    (found,) = [
        each
        for each in standing_shots(battle, side)
        if (each.attacker, each.target) == (attacker, target)
    ]
    return found
