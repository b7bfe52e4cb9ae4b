"""An event of a move names its mode, its turns and the terrain that it crossed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.movement import manoeuvre
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of, reformed, turned, wheeled
from tests.rules.emlia.reasons import named
from tests.rules.emlia.troops import ranked

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
PLAIN = ["move.normal", "action.basic-list.normal-move", "mode.ground"]
ACROSS = (90, 52, 110, 54)
EAST = 90 * 64


def ahead(battle: Battle, distance: float, verb: str = "move") -> Order:
    """An order to go straight ahead."""
    end = gone(pose_of(battle, 0), pose_of(battle, 0).facing, distance)
    return Order(verb=verb, unit=0, legs=(end.leg("march"),))


def moved(battle: Battle, play: Play, order: Order) -> Any:
    """The event of a move of unit 0."""
    return play(battle, manoeuvre.move(battle, 0, order))[-1]


@pytest.mark.rule(
    "emlia.terrain.rough", "emlia.terrain.very-rough", "emlia.terrain.examples.forest"
)
@pytest.mark.rule("emlia.terrain.slow-size-limit", "emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(
    ("terrain", "entry", "expected"),
    [
        (None, {}, []),
        ({"kind": "forest", "box": (90, 70, 110, 80), "height": 2}, {}, []),
        ({"kind": "forest", "box": ACROSS, "height": 2}, {},
         ["terrain.very-rough", "terrain.examples.forest"]),
        ({"kind": "scrub", "box": ACROSS, "height": 1}, {},
         ["terrain.rough", "terrain.examples.scrub"]),
        ({"kind": "scrub", "box": ACROSS, "height": 1}, {"size": 8, "height": 1},
         ["terrain.slow-size-limit", "terrain.examples.scrub"]),
        ({"kind": "marsh", "box": ACROSS}, {}, ["terrain.rough"]),
        ({"kind": "shrub", "box": ACROSS, "height": 0.25}, {},
         ["terrain.impassable-by-height", "terrain.examples.shrub"]),
        ({"kind": "field", "box": ACROSS}, {}, []),
    ],
    ids=["open", "beside", "forest", "scrub", "a giant", "marsh", "low", "field"],
)  # fmt: skip
def test_a_move_names_the_terrain_that_it_crossed_and_no_other(
    field_of_battle: Build, play: Play, terrain: Mapping[str, Any] | None,
    entry: Mapping[str, Any], expected: list[str],
) -> None:  # fmt: skip
    battle = field_of_battle(
        {"at": (100, 50), **entry}, BOB, terrain=[] if terrain is None else [terrain]
    )

    event = moved(battle, play, ahead(battle, 8))

    assert named(event, "move", "action", "mode", "terrain") == [*PLAIN, *expected]


@pytest.mark.rule("emlia.form.ranked.turn", "emlia.form.ranked.wheel", "emlia.form.close.turn")
@pytest.mark.rule("emlia.form.ranked.translate", "emlia.form.close.speed", "emlia.form.change")
@pytest.mark.parametrize(
    ("formation", "step", "expected"),
    [
        ("ranked", "march", []),
        ("ranked", "turn", ["form.ranked.turn"]),
        ("ranked", "sideways", ["form.ranked.translate"]),
        ("ranked", "wheel", ["form.ranked.wheel"]),
        ("ranked", "form", ["form.change", "form.open"]),
        ("close", "turn", ["form.close.turn"]),
        ("close", "sideways", ["form.close.speed"]),
        ("open", "turn", []),
        ("open", "sideways", []),
    ],
)
def test_a_move_names_what_its_formation_made_of_it(
    field_of_battle: Build, play: Play, formation: str, step: str, expected: list[str]
) -> None:
    battle = field_of_battle(ranked(3, 2, (100, 50), formation=formation), BOB)
    pose = pose_of(battle, 0)
    legs = {
        "march": [gone(pose, pose.facing, 3).leg("march")],
        "turn": [turned(pose, EAST).leg("turn")],
        "sideways": [gone(pose, EAST, 3).leg("march")],
        "wheel": [
            (swung := wheeled(pose, 45 * 64)).leg("wheel"),
            gone(swung, 45 * 64, 3).leg("march"),
        ],
        "form": [reformed(pose, Formation.OPEN, 3).leg("form")],
    }[step]

    event = moved(battle, play, Order(verb="move", unit=0, legs=tuple(legs)))

    assert named(event, "form") == expected


@pytest.mark.rule("emlia.move.take-cover.speed", "emlia.move.speed-stack")
@pytest.mark.parametrize(
    ("put", "wood", "expected"),
    [
        ({}, False, []),
        ({"taking_cover": 1}, False, ["move.take-cover.speed"]),
        ({"taking_cover": 1}, True, ["move.take-cover.speed", "move.speed-stack"]),
    ],
)
def test_a_move_names_cover_and_several_causes_of_slowness(
    field_of_battle: Build, play: Play, put: dict[str, int], wood: bool, expected: list[str]
) -> None:
    wall = {"kind": "wall", "box": (90, 48, 110, 49), "height": 1}
    scrub = {"kind": "scrub", "box": ACROSS, "height": 1}
    battle = field_of_battle(
        {"at": (100, 50), "put": put}, BOB, terrain=[wall, scrub] if wood else [wall]
    )

    event = moved(battle, play, ahead(battle, 3))

    assert named(event, "move") == ["move.normal", *expected]


@pytest.mark.rule("emlia.move.double-pace", "emlia.attr.movement", "emlia.mode.flying")
def test_a_move_names_double_pace_and_one_of_several_modes(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({"at": (100, 50), "movement": "15G, 30F"}, BOB)

    event = moved(battle, play, ahead(battle, 20, "double-pace"))

    assert named(event, "move", "action", "attr", "mode") == [
        "move.double-pace", "action.basic-list.double-pace", "attr.movement", "mode.flying",
    ]  # fmt: skip


@pytest.mark.rule("emlia.move.drop-down", "emlia.move.take-cover.end")
@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("drop-down", ["move.drop-down", "action.basic-list.drop-down"]),
        ("leave-cover", ["move.take-cover.end"]),
    ],
)
def test_a_posture_names_the_action_that_it_takes(
    field_of_battle: Build, play: Play, verb: str, expected: list[str]
) -> None:
    battle = field_of_battle({"at": (100, 50)}, BOB)

    (event,) = play(battle, manoeuvre.change_posture(battle, 0, verb))

    assert named(event, "move", "action") == expected
