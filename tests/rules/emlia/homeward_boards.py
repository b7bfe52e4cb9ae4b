"""Boards by chance on which a unit in retreat has houses, friends and enemies in its way home.

Each is one of a row without end, by its number, and the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.events.losses import Joined
from emlia3d.rules.emlia.play.retreat import compulsion, fallback_goals, retreat_path
from emlia3d.rules.emlia.play.situation.contact import friends_of
from tests.made_up import made_up
from tests.rules.emlia.answers import Answers

SIZE = (200.0, 160.0)
AWAY = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
"""Which way each edge lies, east and north."""


def homeward_of(number: int, built: Callable[..., Battle]) -> Battle:
    """Return the board of this number; the unit in retreat is the first.

    built : the fixture `field_of_battle`
    """
    chance = Random(f"homeward {number}")
    edge = chance.choice(tuple(AWAY))
    at = _start(chance, edge)
    units = [_unit(chance, at), *_others(chance, at, AWAY[edge])]
    sides = (
        Side(name="Alice", colour="#2a5caa", lines=_lines(chance, edge, at)),
        Side(name="Bob", colour="#b03030", lines="north"),
    )
    battle = built(*units, sides=sides, size=SIZE, terrain=_houses(chance, at, AWAY[edge]))
    foes = [row for row, unit in enumerate(units) if unit.get("side") == "Bob"]
    harm = tuple(Pair(column="harmed", a=foe, b=0, value=chance.randint(1, 3)) for foe in foes)
    battle.happen(Event(facts=made_up(Joined), changes=harm))
    return battle


def homeward(battle: Battle, unit: int, others: Sequence[int]) -> Answers:
    """Where a unit goes in retreat: flight, the way home, round obstacles, to friends, to cover."""
    for paces in (1, 2):
        for routed in (False, True):
            yield retreat_path.flight(battle, unit, paces, routed)
            yield retreat_path.way_home(battle, unit, paces, routed=routed)
            yield retreat_path._way_round(battle, unit, paces, routed, barred=not routed)
    yield [fallback_goals.friend_for(battle, unit, one) for one in friends_of(battle, unit)]
    yield [*fallback_goals.friends_for(battle, unit)], [*fallback_goals.cover_for(battle, unit)]
    yield fallback_goals.worst_shooter(battle, unit), compulsion.is_compelled(battle, unit)


def _start(chance: Random, edge: str) -> tuple[float, float]:
    """Return a place in the middle of the field, or near its own edge or another one."""
    (width, depth), (east, north) = SIZE, AWAY[chance.choice((edge, *AWAY))]
    share = chance.choice((0.0, 0.0, 0.7, 0.96))
    return width / 2 * (1 + share * east), depth / 2 * (1 + share * north)


def _lines(chance: Random, edge: str, at: tuple[float, float]) -> str | tuple[float, float]:
    """Return the own lines: the edge, or a point that way, on the field or beyond it."""
    if chance.random() < 0.6:
        return edge
    far, (east, north) = chance.choice((12.0, 30.0, 45.0, 250.0)), AWAY[edge]
    return at[0] + far * east + chance.randint(-5, 5), at[1] + far * north


def _unit(chance: Random, at: tuple[float, float]) -> dict[str, Any]:
    formation = chance.choice(("ranked", "ranked", "close", "close", "open"))
    members = chance.choice((2, 4, 8, 12, 20) if formation == "ranked" else (1, 4, 8, 12, 20))
    return {
        "at": at,
        "formation": formation,
        "members": members,
        "files": chance.choice([n for n in (1, 2, 4, 10, 20) if n <= members]),
        "facing": chance.choice((0, 90, 180, 270, 45, 200)),
        "movement": chance.choice(("15G", "15G", "10G", "6G", "1.7G")),
        "put": {"morale": chance.choice((-1, -4, -7))},
    }


def _others(chance: Random, at: tuple[float, float], home: tuple[int, int]) -> list[dict[str, Any]]:
    """Return an enemy or two, and up to three friends, mostly between the unit and its lines."""
    found = []
    for number in range(chance.randint(2, 4)):
        east, north = (
            at[axis] + chance.randint(-25, 25) + chance.randint(0, 15) * home[axis]
            for axis in (0, 1)
        )
        members = chance.choice((1, 4, 8))
        formations = ("open", "close", "ranked") if members > 1 else ("open",)
        found.append(
            {
                "at": (east, north),
                "side": "Bob" if not number or chance.random() < 0.25 else "Alice",
                "members": members,
                "files": min(members, 4),
                "formation": chance.choice(formations),
                "facing": chance.choice((0, 90, 135)),
            }
        )
    return found


def _houses(chance: Random, at: tuple[float, float], home: tuple[int, int]) -> list[dict[str, Any]]:
    """Return up to three buildings or walls between the unit and its lines."""
    found = []
    for _ in range(chance.randint(0, 3)):
        wide, deep = chance.choice(((4, 4), (8, 4), (30, 4), (60, 4), (4, 20), (2, 2)))
        east, north = (
            at[axis] + chance.randint(-14, 14) + chance.randint(8, 24) * home[axis]
            for axis in (0, 1)
        )
        if max(abs(east - at[0]) - wide / 2, abs(north - at[1]) - deep / 2) < 1:
            continue
        box = (east - wide / 2, north - deep / 2, east + wide / 2, north + deep / 2)
        found.append({"kind": chance.choice(("building", "wall", "rock")), "box": box})
    return found
