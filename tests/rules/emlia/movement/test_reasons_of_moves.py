"""The rules that a move names, all of them in their order, for each kind of leg and mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.reasons import move_because
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    at_altitude,
    gone,
    pose_of,
    reformed,
    turned,
)

Build = Callable[..., Battle]
Legs = Callable[[Pose], list[Leg]]

BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
MAN: dict[str, Any] = {"at": (100, 50)}
FOUR: dict[str, Any] = {"at": (100, 50), "members": 4, "files": 2}
EAST = 90 * 64
WHOLE = (60, 20, 160, 120)
ACROSS = (60, 52, 160, 54)
NORMAL = ("move.normal", "action.basic-list.normal-move")
DOUBLE = ("move.double-pace", "action.basic-list.double-pace")
WALK = (*NORMAL, "mode.ground")


def ahead(distance: float, mode: str = "", way: int | None = None, rise: float = 0.0) -> Legs:
    def legs(pose: Pose) -> list[Leg]:
        end = gone(pose, pose.facing if way is None else way, distance)
        return [at_altitude(end, rise).leg("march", mode)]

    return legs


def turn(facing: int) -> Legs:
    return lambda pose: [turned(pose, facing).leg("turn")]


def run_and_turn(pose: Pose) -> list[Leg]:
    after = gone(pose, pose.facing, 8)
    return [after.leg("march"), turned(after, 45 * 64).leg("turn")]


def walk_and_fly(pose: Pose) -> list[Leg]:
    there = gone(pose, pose.facing, 4)
    return [there.leg("march", "G"), at_altitude(gone(there, 0, 4), 2.0).leg("march", "F")]


def named(battle: Battle, legs: Legs, paces: int = 1) -> tuple[str, ...]:
    order = Order(verb="move", unit=0, legs=tuple(legs(pose_of(battle, 0))))
    planned = plan(battle, 0, order, paces)
    assert isinstance(planned, MovePlan), planned
    because = move_because(battle, 0, planned, order.legs, doubled=paces == 2)
    return tuple(slug.removeprefix("emlia.") for slug in because)


@pytest.mark.parametrize(
    ("unit", "legs", "paces", "expected"),
    [
        ({"movement": "30F"}, ahead(4), 1, (*NORMAL, "mode.flying")),
        ({"movement": "30F"}, ahead(4, rise=3), 1,
         (*NORMAL, "mode.flying", "mode.flying.path-length")),
        # Straight up nobody goes anywhere, so his facing slows him no more than his formation.
        ({"movement": "30F", "facing": 90, "formation": "close"}, ahead(0, rise=3), 1,
         (*NORMAL, "mode.flying", "mode.flying.path-length")),
        ({"movement": "15G", "facing": 90, "formation": "close"}, ahead(4), 1, WALK),
        ({"movement": "15G", "facing": 90, "formation": "close"}, ahead(4, way=0), 1,
         (*WALK, "form.close.speed")),
        ({"movement": "15G", "facing": 90, "formation": "ranked"}, ahead(4, way=2 * EAST + EAST),
         1, (*WALK, "form.ranked.translate")),
        ({"movement": "15G", "facing": 90}, ahead(4, way=0), 1, WALK),
        ({"movement": "20H"}, ahead(4), 1, (*NORMAL, "mode.hover")),
        ({"movement": "15G, 30F"}, ahead(4, "G"), 1, (*NORMAL, "attr.movement", "mode.ground")),
        ({"movement": "30F, 15G"}, ahead(4), 1, (*NORMAL, "attr.movement", "mode.flying")),
        ({"movement": "15G, 30F"}, walk_and_fly, 2,
         (*DOUBLE, "attr.movement", "mode.ground", "mode.flying", "mode.flying.path-length")),
        ({"formation": "close"}, turn(EAST), 1, (*WALK, "form.close.turn")),
        ({"formation": "ranked"}, turn(EAST), 1, (*WALK, "form.ranked.turn")),
        ({}, turn(EAST), 1, WALK),
        ({"formation": "close"}, lambda pose: [reformed(pose, Formation.RANKED, 2).leg("form")], 1,
         (*WALK, "form.change", "form.ranked", "form.ranked.facing")),
        ({}, lambda pose: [reformed(pose, Formation.CLOSE, 2).leg("form")], 1,
         (*WALK, "form.change", "form.close")),
    ],
)  # fmt: skip
def test_a_move_names_its_modes_and_what_its_formation_makes_of_each_leg(
    field_of_battle: Build,
    unit: dict[str, Any],
    legs: Legs,
    paces: int,
    expected: tuple[str, ...],
) -> None:
    assert named(field_of_battle({**FOUR, **unit}, BOB), legs, paces) == expected


@pytest.mark.parametrize(
    ("movement", "last", "legs", "paces", "expected"),
    [
        ("20G 10/20A", 0, ahead(8), 1, (*WALK, "mode.accel", "mode.accel.start")),
        ("20G 10/20A", 0, ahead(0.5), 1, (*WALK, "mode.accel", "mode.accel.start")),
        ("20G 10/20A", 0, ahead(-4), 1,
         (*WALK, "mode.accel", "mode.accel.reverse", "mode.accel.start")),
        ("20G 10/20A", 8, ahead(8), 1, (*WALK, "mode.accel")),
        ("20G 10/20A", 8, ahead(8), 2,
         (*DOUBLE, "mode.ground", "mode.accel", "mode.accel.double-pace")),
        ("20G 10/20A", 8, turn(EAST), 1, (*WALK, "mode.accel")),
        ("20G 10/20A 2/5T", 8, ahead(8), 1, (*WALK, "mode.accel")),
        ("20G 10/20A 2/5T", 8, run_and_turn, 1, (*WALK, "mode.accel", "mode.turn-limited")),
        ("20G 10/20A, 20F", 0, walk_and_fly, 2,
         (*DOUBLE, "attr.movement", "mode.ground", "mode.flying", "mode.flying.path-length")),
        ("20G 5T", 0, ahead(8), 1, WALK),
        ("20G 5T", 0, run_and_turn, 1, (*WALK, "mode.turn-limited")),
        ("20G 10/20A", 8, run_and_turn, 1, (*WALK, "mode.accel")),
        ("20G", 0, run_and_turn, 1, WALK),
    ],
)  # fmt: skip
def test_a_drive_names_its_gears_and_its_turns(
    field_of_battle: Build,
    movement: str,
    last: float,
    legs: Legs,
    paces: int,
    expected: tuple[str, ...],
) -> None:
    car = {**MAN, "movement": movement, "put": {"last_speed": last}}

    assert named(field_of_battle(car, BOB), legs, paces) == expected


WOODSMAN = {"effect": "movement", "name": "Woodsman", "terrain": ["forest"], "penalty": 0.5}


@pytest.mark.parametrize(
    ("terrain", "unit", "expected"),
    [
        ([{"kind": "lake", "box": WHOLE}], {"movement": "20S"},
         (*NORMAL, "terrain.very-rough")),
        ([{"kind": "lake", "box": WHOLE}], {"movement": "20B"},
         (*NORMAL, "mode.boat", "terrain.very-rough")),
        ([{"kind": "river", "box": WHOLE}], {"movement": "20B"},
         (*NORMAL, "mode.boat", "terrain.very-rough", "terrain.examples.river")),
        ([{"kind": "river", "box": WHOLE}], {"movement": "20H"}, (*NORMAL, "mode.hover")),
        ([{"kind": "stream", "box": ACROSS}], {}, (*WALK, "terrain.rough")),
        ([{"kind": "forest", "box": ACROSS}], {"movement": "20F"}, (*NORMAL, "mode.flying")),
        ([{"kind": "forest", "box": ACROSS}], {"abilities": [WOODSMAN]},
         (*WALK, "terrain.very-rough", "ability.example-city-fighters",
          "terrain.examples.forest")),
        ([{"kind": "scrub", "box": ACROSS}], {"abilities": [WOODSMAN]},
         (*WALK, "terrain.rough", "terrain.examples.scrub")),
        # Two causes of slowness multiply, and are named so; one twice is named once.
        ([{"kind": "scrub", "box": ACROSS}, {"kind": "scrub", "box": (60, 55, 160, 57)}], {},
         (*WALK, "terrain.rough", "terrain.examples.scrub")),
        ([{"kind": "scrub", "box": ACROSS}, {"kind": "forest", "box": (60, 55, 160, 57)}], {},
         (*WALK, "terrain.rough", "terrain.examples.scrub", "terrain.very-rough",
          "terrain.examples.forest", "move.speed-stack")),
        # What is as high as a quarter of a man is stepped over, what is as high as he is climbed.
        ([{"kind": "fence", "box": ACROSS, "height": 0.25}], {},
         (*WALK, "terrain.impassable-by-height")),
        ([{"kind": "fence", "box": ACROSS, "height": 1}], {}, (*WALK, "terrain.rough")),
        ([{"kind": "rock", "box": ACROSS, "height": 0.25}], {},
         (*WALK, "terrain.impassable-by-height")),
        # Vegetation slows sizes up to four times its own: its height where none is given, or 1.
        ([{"kind": "scrub", "box": ACROSS, "height": 2}], {"size": 8},
         (*WALK, "terrain.rough", "terrain.examples.scrub")),
        ([{"kind": "scrub", "box": ACROSS, "height": 0.5}], {"size": 4},
         (*WALK, "terrain.rough", "terrain.examples.scrub")),
        ([{"kind": "scrub", "box": ACROSS, "height": 2, "size": 1}], {"size": 8},
         (*WALK, "terrain.slow-size-limit", "terrain.examples.scrub")),
        ([{"kind": "scrub", "box": ACROSS, "height": 2, "size": 1}], {"size": 4},
         (*WALK, "terrain.rough", "terrain.examples.scrub")),
        # What it may not enter and only touches says nothing of what comes after it.
        ([{"kind": "gate", "box": (100.5, 51, 104, 53)}, {"kind": "marsh", "box": ACROSS}], {},
         (*WALK, "terrain.rough")),
        # A way over a bridge or past a gate is nothing to name.
        ([{"kind": "road", "box": ACROSS}, {"kind": "gate", "box": (60, 62, 160, 63)}], {}, WALK),
    ],
)  # fmt: skip
def test_a_move_names_the_terrain_on_its_way(
    field_of_battle: Build,
    terrain: list[dict[str, Any]],
    unit: dict[str, Any],
    expected: tuple[str, ...],
) -> None:
    battle = field_of_battle({**MAN, "movement": "20G", **unit}, BOB, terrain=terrain)

    assert named(battle, ahead(4.9)) == expected


def test_what_is_gone_is_not_named(field_of_battle: Build) -> None:
    forest = {"kind": "forest", "box": ACROSS}
    battle = field_of_battle(MAN, BOB, terrain=[forest])
    gate = (Set(table="feature", row=0, column="present", value=0),)

    before = named(battle, ahead(4))
    battle.happen(Event(facts=Unread(event="fell"), changes=gate))

    assert before == (*WALK, "terrain.very-rough", "terrain.examples.forest")
    assert named(battle, ahead(4)) == WALK


def test_a_mixed_unit_names_that_its_slowest_part_counts(field_of_battle: Build) -> None:
    spears = {**FOUR, "name": "spears", "at": (100, 50)}
    lady = {"name": "lady", "group": "spears", "at": (100, 46)}

    assert named(field_of_battle(spears, lady, BOB), ahead(4)) == (*WALK, "mixed.speed")


@pytest.mark.parametrize(
    ("formation", "way", "terrain", "expected"),
    [
        ("ranked", EAST, "scrub", ("form.ranked.translate", "terrain.rough",
                                   "terrain.examples.scrub", "move.speed-stack")),
        ("close", EAST, "forest", ("form.close.speed", "terrain.very-rough",
                                   "terrain.examples.forest", "move.speed-stack")),
        ("ranked", 0, "scrub", ("terrain.rough", "terrain.examples.scrub")),
        ("open", EAST, "scrub", ("terrain.rough", "terrain.examples.scrub")),
        ("close", EAST, "field", ("form.close.speed",)),
    ],
)  # fmt: skip
def test_formation_and_terrain_slow_together(
    field_of_battle: Build, formation: str, way: int, terrain: str, expected: tuple[str, ...]
) -> None:
    ground = [{"kind": terrain, "box": WHOLE}]
    battle = field_of_battle({**FOUR, "formation": formation}, BOB, terrain=ground)

    assert named(battle, ahead(1, way=way)) == (*WALK, *expected)
