"""Where a unit could step aside to, and what such a step would change besides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.situation.free_space import FreeSpace

Build = Callable[..., Battle]
Box = tuple[float, float, float, float]
MAN: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (150, 150), "side": "Bob"}
ROCK = {"name": "rock", "kind": "rock", "height": 2, "box": (60, 40, 70, 60)}


def room(build: Build, *terrain: dict[str, Any], man: dict[str, Any] | None = None) -> FreeSpace:
    return FreeSpace(build({**MAN, **(man or {})}, BOB, terrain=terrain, size=(200, 180)), 0)


@pytest.mark.parametrize(
    ("edges", "fits"),
    [
        ((0, 0, 1, 1), True),
        ((-0.1, 0, 0.9, 1), False),
        ((0, -0.1, 1, 0.9), False),
        ((199, 179, 200, 180), True),
        ((199.1, 179, 200.1, 180), False),
        ((199, 179.1, 200, 180.1), False),
        ((179.5, 50, 180.5, 51), True),
    ],
)
def test_a_place_is_on_the_field_up_to_its_edges(
    field_of_battle: Build, edges: Box, fits: bool
) -> None:
    assert room(field_of_battle).holds(box(*edges)) is fits


@pytest.mark.parametrize(
    ("edges", "fits"),
    [
        ((59, 50, 60, 51), True),
        # A sixteenth of a square GSU in common is standing shoulder to shoulder.
        ((59.0625, 50, 60.0625, 51), True),
        ((59.07, 50, 60.07, 51), False),
        ((64, 50, 65, 51), False),
        ((150, 150, 151, 151), False),
    ],
)
def test_a_place_overlaps_no_rock_and_no_other_unit(
    field_of_battle: Build, edges: Box, fits: bool
) -> None:
    assert room(field_of_battle, ROCK).holds(box(*edges)) is fits


@pytest.mark.parametrize(
    ("terrain", "fits"),
    [
        ({"kind": "plough", "height": 1, "body": "sparse"}, True),
        ({"kind": "plough", "height": 1, "body": "solid"}, False),
        ({"kind": "plough", "height": 0, "body": "solid"}, True),
        ({"kind": "hill", "height": 2}, True),
        ({"kind": "forest"}, True),
        ({"kind": "lake"}, False),
    ],
)
def test_solid_bodies_and_ground_that_may_not_be_entered_take_up_room(
    field_of_battle: Build, terrain: dict[str, Any], fits: bool
) -> None:
    there = {"name": "there", "box": (60, 40, 70, 60), **terrain}

    assert room(field_of_battle, there).holds(box(64, 50, 65, 51)) is fits


def test_what_has_gone_takes_up_no_room(field_of_battle: Build) -> None:
    battle = field_of_battle(MAN, BOB, terrain=[ROCK])
    gone = Set(table="feature", row=0, column="present", value=0)
    battle.happen(Event(facts=Unread(event="put"), changes=(gone, Leave(unit=1))))

    assert FreeSpace(battle, 0).holds(box(64, 50, 65, 51))
    assert FreeSpace(battle, 0).holds(box(150, 150, 151, 151))


def test_what_a_unit_is_in_now_hinders_it_no_more_than_its_own_body(
    field_of_battle: Build,
) -> None:
    inside = room(field_of_battle, ROCK, man={"at": (65, 50)})
    beside = room(field_of_battle, ROCK, man={"at": (59.5, 50)})
    # A sixteenth of a square GSU in common is standing shoulder to shoulder.
    touching, overlapping = (
        room(field_of_battle, ROCK, man={"at": (59.5 + deep, 50), "formation": "ranked"})
        for deep in (1 / 16, 1 / 15)
    )

    assert inside.holds(box(66, 50, 67, 51))
    assert inside.holds(box(64.5, 49.5, 65.5, 50.5))
    assert not beside.holds(box(66, 50, 67, 51))
    assert not touching.holds(box(66, 50, 67, 51))
    assert overlapping.holds(box(66, 50, 67, 51))


WALL = {"name": "parapet", "kind": "rampart", "height": 2, "box": (48, 49, 58, 51)}


@pytest.mark.parametrize(
    ("edges", "fits"),
    [
        ((52, 49.5, 53, 50.5), True),
        ((57, 49.5, 58, 50.5), True),
        ((57.0625, 49.5, 58.0625, 50.5), True),
        ((57.07, 49.5, 58.07, 50.5), False),
        ((70, 49.5, 71, 50.5), False),
    ],
)
def test_a_unit_on_a_wall_stays_on_it_with_as_much_of_its_body(
    field_of_battle: Build, edges: Box, fits: bool
) -> None:
    ranked = {"formation": "ranked"}

    assert room(field_of_battle, WALL, man=ranked).holds(box(*edges)) is fits
    assert room(field_of_battle, WALL, man={"at": (50, 60)}).holds(box(*edges))


def test_a_flyer_is_bound_to_no_wall_and_its_height_is_not_told(field_of_battle: Build) -> None:
    flyer = {"movement": "15F", "on_height": 3.0}

    aloft = room(field_of_battle, WALL, man=flyer)
    walker = room(field_of_battle, man={"on_height": 3.0})

    assert aloft.holds(box(70, 49.5, 71, 50.5))
    assert aloft.side_effects(box(70, 49.5, 71, 50.5)) is None
    assert walker.side_effects(box(70, 49.5, 71, 50.5)) == "still 3 height units above the ground"
    assert room(field_of_battle).side_effects(box(70, 49.5, 71, 50.5)) is None


@pytest.mark.parametrize(
    ("at", "edges", "told"),
    [
        ((50, 50), (61, 50, 62, 51), "onto Sugar Loaf"),
        ((65, 50), (61, 50, 62, 51), None),
        ((65, 50), (50, 50, 51, 51), "off Sugar Loaf"),
        ((50, 50), (51, 50, 52, 51), None),
    ],
)
def test_stepping_onto_or_off_a_hill_is_told(
    field_of_battle: Build, at: tuple[float, float], edges: Box, told: str | None
) -> None:
    hill = {"name": "Sugar Loaf", "kind": "hill", "height": 2, "box": (60, 40, 70, 60)}
    flat = {"name": "Plain", "kind": "hill", "height": 0, "box": (60, 40, 70, 60)}

    assert room(field_of_battle, hill, flat, man={"at": at}).side_effects(box(*edges)) == told
    assert room(field_of_battle, flat, man={"at": at}).side_effects(box(*edges)) is None


@pytest.mark.parametrize(
    ("turn", "edges", "told"),
    [
        (0, (59, 50, 60, 51), None),
        (0, (59.5, 50, 60.5, 51), "outside its deployment zone"),
        (1, (59.5, 50, 60.5, 51), None),
    ],
)
def test_leaving_the_deployment_zone_is_told_before_the_first_turn(
    field_of_battle: Build, turn: int, edges: Box, told: str | None
) -> None:
    sides = (
        Side(name="Alice", colour="#000000", deploys=("camp",)),
        Side(name="Bob", colour="#ffffff", lines="north"),
    )
    battle = field_of_battle(MAN, BOB, sides=sides, areas={"camp": (40, 40, 60, 60)}, turn=turn)

    assert FreeSpace(battle, 0).side_effects(box(*edges)) == told
    assert FreeSpace(battle, 1).side_effects(box(*edges)) is None


def test_several_changes_are_told_together(field_of_battle: Build) -> None:
    hills = [
        {"name": name, "kind": "hill", "height": 2, "box": edges}
        for name, edges in (("One", (45, 45, 55, 55)), ("Two", (60, 40, 70, 60)))
    ]
    battle = field_of_battle({**MAN, "on_height": 1.5}, BOB, terrain=hills)

    assert FreeSpace(battle, 0).side_effects(box(64, 50, 65, 51)) == (
        "off One, onto Two, still 1.5 height units above the ground"
    )
