"""Boards of Emlia by chance: small, crowded, and with something of everything that the rules know.

Each is one of a row without end, by its number, and the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, radians, sin
from random import Random
from typing import Any

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Occurrence, Setup, Side
from emlia3d.rules.emlia.unit_sets.strike import Strike

Unit = dict[str, Any]
Build = Callable[..., Battle]

CELL = 18
"""GSU across one of the squares of the board in which units and terrain start."""

FISTS: tuple[Mapping[str, Any], ...] = ()
ROCKS = {"name": "Rocks", "base_damage": 1, "range": (10, 20, 60), "use": ["aimed fire"]}
SPEAR = {"name": "Spear", "base_damage": 1, "abilities": ["reach 1"]}
SWORD = {"name": "Sword", "base_damage": 2, "abilities": ["parry"]}
PICK = {"name": "Pick", "base_damage": 2, "abilities": ["armour piercing"]}
BOW = {
    "name": "Bow",
    "base_damage": 1,
    "range": (10, 20, 60),
    "abilities": ["falloff"],
    "coverage": {"start": 2, "increment": 2, "limit": 2, "per_weapon": True, "drift": 4},
}
GUN = {
    "name": "Gun",
    "base_damage": 4,
    "range": (20, 40, 80),
    "arc": 90,
    "abilities": ["large falloff 1"],
    "coverage": {"start": 3, "increment": 2, "limit": 8, "drift": 8},
}
WOUNDS = [
    {"faces": [1, 4], "text": "It bleeds.", "damage": 1, "check_modifier": -1},
    {"faces": [5, 8], "text": "It limps.", "speed_share": 0.5},
    {"faces": [9, 10], "text": "It flinches.", "morale": -2},
    {"faces": [11, 12], "text": "It dies.", "destroyed": True},
]

SOFT = ("scrub", "forest", "hill", "field", "plough", "orchard", "marsh", "village", "road")
"""Kinds of terrain in which units may start."""
HARD = (
    "rock", "wall", "building", "hedge", "fence", "earthwork", "rampart", "tower", "gate", "keep",
    "tree", "large-tree", "shrub", "river", "stream", "lake", "ford",
)  # fmt: skip
WET = ("lake", "river")
BREAKABLE = {"gate": 3, "wall": 4, "tower": 6, "tree": 2, "building": 4}
"""Hits of what may be hewn down."""

TRIGGERS = (
    {"within": 15},
    {"within_moves": 1},
    {"attacked": "at all"},
    {"attacked": "from afar", "shelter": "none"},
    {"attacked": "hand to hand"},
    {"in_sight": True, "members": "more"},
    {"in_the_open": True, "size": "same or higher"},
)
WISHES = (
    {"do": "move toward", "fast": True},
    {"do": "move away", "until": 30},
    {"do": "move to concealment or cover"},
    {"do": "take cover"},
    {"do": "attack"},
    {"do": "shoot"},
    {"do": "charge"},
)
GIFTS = (
    {"effect": "modifier", "name": "Fierce", "skill": "close combat", "add": 1},
    {"effect": "movement", "name": "Woodsman", "terrain": ["forest", "scrub"], "penalty": 0.5},
    {"effect": "senses", "name": "Nose"},
    {"effect": "reach", "name": "Long arms", "add": 1},
    {"effect": "hits", "name": "Hide", "add": 1},
    {"effect": "action", "name": "Howl", "kind": "free", "skill": "leadership", "subject": "friend",
     "gives": "morale", "improvised": True},
    {"effect": "action", "name": "Spit", "kind": "primary", "skill": "close combat",
     "subject": "enemy", "gives": "hits", "range": 10},
)  # fmt: skip


def board_of(seed: int, built: Build, cell: int = CELL) -> Setup:
    """The board of this number.

    built : the fixture `field_of_battle`
    cell : GSU across a square; in a narrow one units and terrain stand in each other's way
    """
    chance = Random(f"board {seed}")
    across, along = chance.choice([(3, 3), (3, 3), (4, 3), (2, 2)])
    size = (float(across * cell), float(along * cell))
    cells = [(x, y) for x in range(across) for y in range(along)]
    chance.shuffle(cells)
    sides = _sides(chance)
    count = chance.randint(2, min(6, len(cells) - 1))
    units = [_unit(chance, at, row, sides, cell) for row, at in enumerate(cells[:count])]
    for unit, side in zip(units, sides, strict=False):
        unit["side"] = side.name
    terrain = [
        _feature(chance, at, row, cell)
        for row, at in enumerate(cells[count : count + chance.randint(0, 4)])
    ]
    terrain += [
        {**_feature(chance, at, len(terrain) + row, cell, SOFT)}
        for row, at in enumerate(cells[:count])
        if chance.random() < 0.2
    ]
    if Random(f"wild {seed}").random() < 0.15:
        kind = chance.choice(["scrub", "forest"])
        box = (1.0, 1.0, size[0] - 1, size[1] - 1)
        terrain.append({"name": "the wilds", "kind": kind, "box": box})
    units += _subunits(chance, units)
    units += _afloat(chance, terrain, sides)
    battle = built(
        *units,
        size=size,
        terrain=terrain,
        elevation_m=_relief(chance),
        sides=sides,
        areas={"the middle": tuple(size[axis] * share for share in (0.3, 0.7) for axis in (0, 1))},
        aims=_aims(chance, sides),
        occurrences=_occurrences(chance, terrain, size),
        house={"ceiling": 12.0} if chance.random() < 0.3 else None,
        turns=2 if chance.random() < 0.85 else 3,
        turn=0,
    )
    return battle.setup


def _sides(chance: Random) -> tuple[Side, ...]:
    """Two sides that fight each other, or three, of which two may be allied."""
    sides = [
        Side(name="Alice", colour="#2a5caa", lines="south"),
        Side(name="Bob", colour="#b03030", lines=chance.choice(["north", (27.0, 45.0)])),
    ]
    if chance.random() < 0.25:
        allies = ("Alice",) if chance.random() < 0.5 else ()
        sides.append(Side(name="Carol", colour="#308030", lines="east", allies=allies))
    return tuple(sides)


def _unit(chance: Random, at: tuple[int, int], row: int, sides: Sequence[Side], cell: int) -> Unit:
    """A unit of some kind in its own square of the board."""
    kind = chance.choices(
        [_foot, _riders, _leader, _flyer, _wagon, _gunners, _beast], [10, 3, 2, 2, 1, 1, 1]
    )[0]
    unit = {
        "name": f"unit {row}",
        "at": (at[0] * cell + cell / 2, at[1] * cell + cell / 2),
        "side": chance.choice(sides).name,
        "facing": chance.choice([0, 90, 180, 270, 37, 45, 301]),
        "timing": chance.randint(0, 3),
        "morale": chance.randint(-2, 4),
        "hits": chance.randint(1, 2),
        **kind(chance),
    }
    if chance.random() < 0.15:
        unit["states"] = [chance.choice(["concealed", "prone", "taking cover"])]
    if chance.random() < 0.15:
        when, wish = chance.choice(TRIGGERS), chance.choice(WISHES)
        unit["initiative"] = [{"when": when, **wish}]
    if chance.random() < 0.05:
        unit["morale_conditions"] = [{"morale": [-7, 7], "act_as": "falling back"}]
    if chance.random() < 0.15:
        unit["abilities"] = [chance.choice(GIFTS)]
    if chance.random() < 0.1 and row >= len(sides):
        unit["arrives"] = chance.randint(1, 2)
    return unit


def _skills(chance: Random, **more: str) -> dict[str, str]:
    skills = {"close combat": chance.choice(["5/2", "1*", "4"])}
    for name, share in (("aimed fire", 0.5), ("leadership", 0.4), ("stealth", 0.3)):
        if chance.random() < share:
            skills[name] = chance.choice(["3", "5"])
    if chance.random() < 0.3:
        skills["alertness"] = "4"
    return {**skills, **more}


def _armed(chance: Random) -> Unit:
    """Weapons and what goes with them."""
    weapons = chance.choice([[], [SPEAR], [SWORD], [PICK], [ROCKS, SPEAR], [SPEAR, BOW]])
    more = {"volley fire": "5"} if BOW in weapons else {}
    return {"weapons": weapons, "skills": _skills(chance, **more)}


def _drawn_up(chance: Random, most: int) -> Unit:
    """Members in some formation."""
    members = chance.randint(1, most)
    formations = ["open", "close", "ranked"] if members > 1 else ["open", "close"]
    return {
        "members": members,
        # In fewer files an open unit would be deeper than its square of the board.
        "files": chance.randint(-(-members // 5), min(members, 4)),
        "formation": chance.choice(formations),
    }


def _foot(chance: Random) -> Unit:
    return {
        **_drawn_up(chance, 9),
        **_armed(chance),
        "movement": chance.choice(["15G", "8G", "15G, 10S", "20H", "12G, 20F"]),
        "armour": chance.randint(0, 1),
    }


def _riders(chance: Random) -> Unit:
    return {
        **_drawn_up(chance, 5),
        **_armed(chance),
        "movement": chance.choice(["24G", "30G"]),
        "size": 2,
        "height": 1.5,
        "base": (1.5, 3.0),
    }


def _leader(chance: Random) -> Unit:
    return {
        "skills": _skills(chance, leadership="5"),
        "movement": "15G",
        "formation": chance.choice(["open", "close"]),
        "army_value": 3,
        "timing": chance.randint(1, 4),
    }


def _flyer(chance: Random) -> Unit:
    return {
        **_armed(chance),
        "members": chance.randint(1, 3),
        "movement": chance.choice(["30F", "10G, 30F"]),
        "on_height": chance.choice([0.0, 3.0, 6.5]),
    }


def _wagon(chance: Random) -> Unit:
    return {
        "skills": _skills(chance),
        "movement": chance.choice(["40G 10/20/40A 2/5/20T", "30H 10/20/30A", "20G 4T"]),
        "starting_speed": chance.choice([0.0, 15.0]),
        "size": 4,
        "height": 1.5,
        "hits": 4,
        "damage_limit": 3,
    }


def _gunners(chance: Random) -> Unit:
    return {
        "members": chance.randint(1, 3),
        "formation": "close",
        "movement": chance.choice([None, "4G"]),
        "skills": _skills(chance, **{"volley fire": "6", "aimed fire": "4"}),
        "weapons": [GUN],
    }


def _beast(chance: Random) -> Unit:
    return {
        "skills": _skills(chance, **{"close combat": "10/1"}),
        "movement": chance.choice(["20G", "15G, 40F"]),
        "size": chance.choice([8, 16]),
        "height": 3,
        "hits": 5,
        "arc_hits": (6, 5, 4),
        "threshold": 2,
        "vital_table": WOUNDS,
    }


def _subunits(chance: Random, units: Sequence[Unit]) -> list[Unit]:
    """A part beside some of the units of several members: another kind of men, or an officer."""
    found = []
    for unit in units:
        if unit.get("members", 1) < 2 or "base" in unit or chance.random() > 0.2:
            continue
        officer = chance.random() < 0.5
        form = unit.get("formation", "open")
        members = 1 if officer else 2
        found.append(
            {
                **{
                    key: unit[key]
                    for key in ("side", "facing", "movement", "timing", "on_height", "arrives")
                    if key in unit
                },
                "name": f"part of {unit['name']}",
                "group": unit["name"],
                "front": _beside(unit, members),
                "members": members,
                "formation": "close" if officer and form == "ranked" else form,
                "files": members,
                "morale": chance.randint(-1, 3),
                **_armed(chance),
                **({"skills": _skills(chance, leadership="5")} if officer else {}),
            }
        )  # fmt: skip
    return found


def _beside(unit: Unit, files: int) -> tuple[float, float]:
    """The middle of the front line of some files to the right of a unit of size 1."""
    apart = {"ranked": 1.0, "close": 1.5, "open": 3.0}[unit.get("formation", "open")]
    ranks = -(-unit.get("members", 1) // unit.get("files", unit.get("members", 1)))
    ahead = ((ranks - 1) * apart + 1) / 2
    right = (unit.get("files", unit.get("members", 1)) + files) / 2 * apart
    way = radians(unit["facing"])
    east, north = unit["at"]
    return (
        east + ahead * sin(way) + right * cos(way),
        north + ahead * cos(way) - right * sin(way),
    )


def _afloat(chance: Random, terrain: Sequence[Unit], sides: Sequence[Side]) -> list[Unit]:
    """A boat on some of the waters."""
    return [
        {
            "name": f"boat {row}",
            "at": ((west + east) / 2, (south + north) / 2),
            "side": chance.choice(sides).name,
            "movement": "20B",
            "skills": _skills(chance),
            "weapons": [ROCKS],
        }
        for row, feature in enumerate(terrain)
        if feature["kind"] in WET and chance.random() < 0.5
        for west, south, east, north in [feature["box"]]
        if north - south > 4
    ]


def _feature(
    chance: Random, at: tuple[int, int], row: int, cell: int, kinds: Sequence[str] = (*SOFT, *HARD)
) -> Unit:
    """A piece of terrain in a square of the board."""
    kind = chance.choice(kinds)
    west, south = at[0] * cell, at[1] * cell
    inset, far = chance.randint(1, 5), chance.randint(6, cell - 3)
    box = (west + inset, south + 5, west + cell - 2, south + far)
    if chance.random() < 0.5:
        box = (west + 5, south + inset, west + far, south + cell - 2)
    feature: Unit = {"name": f"{kind} {row}", "kind": kind, "box": box}
    if kind in BREAKABLE and chance.random() < 0.7:
        feature |= {"hits": BREAKABLE[kind], "damage_limit": chance.randint(1, 3)}
    return feature


def _relief(chance: Random) -> Any:
    """Raster ground on some boards: gentle or steep."""
    if chance.random() < 0.75:
        return None
    heights = np.random.default_rng(chance.randrange(2**32)).random((8, 8))
    return heights * chance.choice([4.0, 25.0])


def _aims(chance: Random, sides: Sequence[Side]) -> list[dict[str, Any]]:
    if chance.random() < 0.5:
        return []
    side = chance.choice(sides).name
    aims: list[dict[str, Any]] = [
        {"side": side, "level": "minor victory", "controls": ("the middle",)}
    ]
    if chance.random() < 0.3:
        aims.append({"side": side, "level": "massacre", "lost": "unit 0", "ends": True})
    return aims


def _occurrences(
    chance: Random, terrain: Sequence[Unit], size: tuple[float, float]
) -> list[Occurrence]:
    """A bombardment, an earthquake, or something that is swept away."""
    found = []
    if chance.random() < 0.15:
        strike = Strike.model_validate(
            {"volley_fire": "3", "weapon": GUN, "at": (size[0] / 2, size[1] / 2)}
        )
        found.append(Occurrence(name="the guns", turns=(1, 2), strike=strike))
    if chance.random() < 0.1:
        found.append(Occurrence(name="the earth", turns=(2,), shakes="the middle"))
    if terrain and chance.random() < 0.1:
        name = chance.choice(terrain)["name"]
        found.append(Occurrence(name="the flood", turns=(2,), destroys=(name,)))
    return found
