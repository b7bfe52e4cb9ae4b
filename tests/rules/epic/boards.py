"""Battles of Epic on tiles, as the text of a scenario: given ones and small random ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order, Procedure, advance
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.flow import opening_event
from emlia3d.rules.epic.formations import units_of
from emlia3d.scenario.scenario import Scenario, from_text

T = TypeVar("T")

ROW = 3**0.5 / 2

INFANTRY: Mapping[str, Any] = {
    "side": "Blue", "unit_type": "INF", "speed": 4, "save": 1, "cc": 2, "ff": 2,
}  # fmt: skip
"""A unit of which nothing else is said."""


def weapon(**values: Any) -> str:
    """Return a weapon as TOML has it."""
    cells = ", ".join(f"{key} = {toml(value)}" for key, value in {"name": "gun", **values}.items())
    return f"{{ {cells} }}"


def toml(value: object) -> str:
    """Return a value as TOML has it; a text that begins with { stands for itself."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value if value.startswith("{") else f'"{value}"'
    if isinstance(value, Sequence):
        return f"[{', '.join(map(toml, value))}]"
    return str(value)


def text_of(
    units: Sequence[Mapping[str, Any]],
    terrain: Sequence[tuple[str, Sequence[tuple[int, int]]]] = (),
    *,
    size: tuple[int, int] = (24, 20),
    objectives: Sequence[tuple[int, int]] = (),
    turns: int = 4,
    ratings: tuple[tuple[int, int], tuple[int, int]] = ((3, 5), (2, 4)),
    extra: str = "",
) -> str:
    """Return a scenario: Blue is in the south, Red in the north.

    units : a unit without "kind" has the values of `INFANTRY`; "in" names its formation's leader
    size : columns and rows of tiles
    ratings : strategy rating and CR of each side
    """
    wide, deep = size[0] + 0.5, (size[1] - 1) * ROW + 2 / 3**0.5 + 0.01
    lines = [
        'format = 1\ntitle = "A table"\nrules = "epic"',
        f"turns = {turns}\n{extra}\n[field]\nsize = [{wide}, {deep:.4f}]",
        'cells = "hexes"\nmetres_per_gsu = 20',
        f"[game]\nobjectives = {toml(objectives)}",
    ]
    for (name, edge), (rating, cr) in zip(
        (("Blue", "south"), ("Red", "north")), ratings, strict=True
    ):
        lines.append(f'[[side]]\nname = "{name}"\nlines = "{edge}"')
        lines.append(f"game = {{ strategy_rating = {rating}, cr = {cr} }}")
    for number, (kind, tiles) in enumerate(terrain):
        lines.append(f'[[terrain]]\nname = "{kind} {number}"\nkind = "{kind}"')
        lines.append(f"tiles = {toml(tiles)}")
    for number, unit in enumerate(units):
        rest = {key: value for key, value in unit.items() if key not in {"kind", "in"}}
        usual = {"side": "Blue", "type": f"epic/{unit['kind']}"} if "kind" in unit else INFANTRY
        whole = {"name": f"unit {number}", **usual, **rest}
        lines.append("[[unit]]")
        lines += [f"{key} = {toml(value)}" for key, value in whole.items()]
        if "in" in unit:
            lines.append(f'group = "{unit["in"]}"')
    return "\n".join(lines)


def board(*units: Mapping[str, Any], faces: Sequence[int] = (), **other: Any) -> Battle:
    """Return a battle in which the units stand ready, with fixed dice; see `text_of`."""
    battle = from_text(text_of(units, **other), "table").battle(seed=0)
    battle.happen(opening_event(battle))
    battle.dice = FixedDice(faces)
    put(battle, "battle", 0, turn=1)
    return battle


def carry_out(battle: Battle, procedure: Procedure[T], *answers: Order | str) -> T:
    """Carry a procedure out, with an answer for each decision: an order, or its verb.

    The last answer stands for all further ones. All dice must be rolled.
    """
    waiting, answer = list(answers), None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration as stop:
            assert len(waiting) <= 1, f"not asked for: {waiting}"
            assert isinstance(battle.dice, FixedDice)
            battle.dice.assert_spent()
            found: T = stop.value
            return found
        answer = None
        if isinstance(said, Event):
            battle.happen(said)
            continue
        wanted = waiting[0]
        answer = said.of(wanted)[0] if isinstance(wanted, str) else wanted
        said.check(answer)
        if len(waiting) > 1:
            waiting.pop(0)


def go(battle: Battle, unit: int, tile: tuple[int, int], verb: str = "move") -> Order:
    """Return the order that leads a unit to a tile."""
    x, y = units_of(battle).board.grid.centres(tile).tolist()
    return Order(verb=verb, unit=unit, point=(x, y))


def tile_of(battle: Battle, unit: int) -> tuple[int, int]:
    """Return the tile of a unit."""
    q, r = units_of(battle).tile[unit].tolist()
    return q, r


def cell(battle: Battle, unit: int, column: str) -> float:
    """Return a cell of a unit."""
    return battle.state.units.value(column, unit)


def put(battle: Battle, table: str, row: int, **cells: float) -> None:
    """Set cells of the state."""
    changes = tuple(Set(table=table, row=row, column=c, value=v) for c, v in cells.items())
    battle.happen(Event(facts=Unread(event="put"), changes=changes))


KINDS = ("line", "support", "assault", "scout-car", "carrier", "tank", "siege-gun", "engine")
TERRAIN = ("forest", "scrub", "building", "ruin", "marsh", "river", "jungle", "cliff", "earthwork")


def unplaced(text: str) -> str:
    """Return a scenario without the tiles of its units."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("tile ="))


def random_board(seed: int, turns: int = 2, *, deploys: bool = False) -> Scenario:
    """Return a battle of two or three small formations a side, among terrain of all kinds.

    deploys : whether the sides deploy their units in play
    """
    random = Random(seed)
    columns, rows = 16, 14
    terrain: list[tuple[str, list[tuple[int, int]]]] = []
    for kind in random.sample(TERRAIN, 6):
        r = random.randrange(4, 10)
        q = random.randrange(1, 14) - r // 2
        terrain.append((kind, [(q, r), (q + 1, r)]))
    units: list[Mapping[str, Any]] = []
    for side, first in (("Blue", 0), ("Red", rows - 2)):
        for number in range(random.randrange(2, 4)):
            kind = random.choice(KINDS)
            count = 1 if kind == "engine" else random.randrange(2, 4)
            for each in range(count):
                r = first + each % 2
                q = 1 + 5 * number + each - r // 2
                name = f"{side} {number} {each}"
                unit = {"name": name, "side": side, "kind": kind, "tile": [q, r]}
                units.append(unit | ({"in": f"{side} {number} 0"} if each else {}))
        riders = {"side": side, "kind": "assault", "carried_by": f"{side} carrier"}
        r = first if side == "Red" else first + 1
        carrier = {"name": f"{side} carrier", "side": side, "kind": "carrier"}
        units.append({**carrier, "tile": [14 - r // 2, r]})
        units += [{"name": f"{side} rider {n}", "in": f"{side} carrier", **riders} for n in (0, 1)]
    objectives = [(8 - 3, 6), (3 - 3, 7), (12 - 3, 7)]
    text = text_of(units, terrain, size=(columns, rows), objectives=objectives, turns=turns)
    return from_text(unplaced(text) if deploys else text, f"board {seed}")
