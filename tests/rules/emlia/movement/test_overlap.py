"""Chapter 2 in play: boundaries overlap, footprints do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.force.facing import unit_vector
from emlia3d.rules.emlia.play.movement.manoeuvre import MoveValidator, turn_and_go
from emlia3d.rules.emlia.play.situation.allowance import has_room, obstacles_to, straight
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.footing import bodies_of, meet, men_of
from emlia3d.rules.emlia.play.situation.free_places import has_places, to_free_places
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]

# Four men 1 GSU across, 3 GSU from middle to middle: free of each other by 2.
LOOSE: dict[str, Any] = {"members": 4, "files": 2, "formation": "open", "at": (50, 50)}
BOB: dict[str, Any] = {"at": (150, 190), "side": "Bob", "facing": 180}


def march(battle: Battle, x: float, y: float, unit: int = 0) -> str | None:
    """Why a unit may not march with the middle of its front to a place; None where it may."""
    legs = (Leg(step="march", x=x, y=y, facing=battle.state.units.integer("facing", unit)),)
    refusal = MoveValidator(battle, unit).refusal(Order(verb="move", unit=unit, legs=legs))
    return None if refusal is None else refusal.slug


@pytest.mark.rule("emlia.entity.overlap")
@pytest.mark.parametrize(
    ("west", "east", "refused"),
    [(49.2, 50.8, None), (48.8, 50.8, "emlia.move.blocked-by-object")],
    ids=["between two files", "before a file"],
)
def test_an_open_unit_meets_a_rock_man_by_man(
    west: float, east: float, refused: str | None, field_of_battle: Build
) -> None:
    rock = {"kind": "rock", "box": (west, 55, east, 56)}
    battle = field_of_battle(LOOSE, BOB, terrain=[rock])

    assert march(battle, 50, 64) == refused


@pytest.mark.rule("emlia.entity.overlap")
def test_a_close_unit_meets_it_as_one_body(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (49.9, 55, 50.1, 56)}
    battle = field_of_battle({**LOOSE, "formation": "close"}, BOB, terrain=[rock])

    assert march(battle, 50, 64) == "emlia.move.blocked-by-object"


@pytest.mark.rule("emlia.entity.overlap")
@pytest.mark.parametrize(("x", "fits"), [(50, True), (50.45, True), (50.6, False), (48, False)])
def test_a_boundary_may_hold_a_stranger_who_stands_on_nobodys_feet(
    x: float, fits: bool, field_of_battle: Build
) -> None:
    stranger = {"at": (x, 40), "formation": "close", "movement": "15G"}
    battle = field_of_battle(LOOSE, stranger, BOB)

    may = march(battle, x, 50.5, unit=1) is None

    assert may is fits


@given(
    spots=st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=1, max_size=3),
    sizes=st.tuples(st.sampled_from([1, 2]), st.sampled_from([1, 3])),
    facing=st.sampled_from([0, 30, 45]),
)
@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_men_find_places_among_strangers_where_none_of_their_outlines_meet(
    field_of_battle: Build, spots: list[tuple[int, int]], sizes: tuple[int, int], facing: int
) -> None:
    mine, theirs = ({**LOOSE, "size": size} for size in sizes)
    others = [{**theirs, "at": (60 + x / 8, 60 + y / 8)} for x, y in spots]
    battle = field_of_battle({**mine, "facing": facing}, *others, BOB)
    rows, pose = range(1, 1 + len(others)), pose_of(battle, 0).at(60, 62, 64 * facing)

    found = has_places(battle, pose, rows)

    men = np.concatenate([men_of(battle, row) for row in rows])
    assert found is not meet(bodies_of(pose), men)


@given(
    spots=st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 120)), min_size=1, max_size=4),
    formation=st.sampled_from(["open", "close"]),
    way=st.sampled_from([0, 20, 345]),
    distance=st.sampled_from([0.25, 6.0, 14.875]),
)
@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_unit_goes_as_far_as_the_first_distance_at_which_no_outlines_meet(
    field_of_battle: Build,
    spots: list[tuple[int, int]],
    formation: str,
    way: int,
    distance: float,
) -> None:
    others = [{**LOOSE, "at": (60 + x / 8, 60 + y / 8)} for x, y in spots]
    small = {"formation": formation, "height": 1, "movement": "15G"}
    battle = field_of_battle({**LOOSE, **small, "at": (60, 50)}, *others, BOB)
    situation, pose = situation_of(battle), pose_of(battle, 0)
    rows = [row for row in range(1, 1 + len(others)) if formation == "open"]
    rows = [row for row in rows if not meet(bodies_of(pose), men_of(battle, row))]
    assert situation.height(0) == 1

    found = to_free_places(battle, 0, pose, 64 * way, distance, ())

    men = np.concatenate([np.empty(0, dtype=object), *(men_of(battle, row) for row in rows)])
    steps = [distance - back / 2 for back in range(30) if distance > back / 2]
    free = [step for step in steps if not meet(bodies_of(gone(pose, 64 * way, step)), men)]
    assert found == (free[0] if free else 0.0)


@pytest.mark.parametrize(
    ("towards", "free"),
    [pytest.param(64 * 360 // 32, True, id="a side"), pytest.param(0, False, id="a corner")],
)
def test_men_whose_circles_meet_have_their_places_where_their_discs_of_sixteen_sides_do_not(
    towards: int, free: bool, field_of_battle: Build
) -> None:
    alone = {**LOOSE, "members": 1, "files": 1}
    battle = field_of_battle(alone, {**alone, "at": (60, 50)}, BOB)
    pose, (east, north) = pose_of(battle, 0), unit_vector(towards)

    beside = pose.at(pose.x + 0.985 * east, pose.y + 0.985 * north, 0)

    assert has_places(battle, beside, [0]) is free
    assert meet(bodies_of(beside), men_of(battle, 0)) is not free


@pytest.mark.rule("emlia.entity.overlap")
@pytest.mark.parametrize("base", [(2.0, 4.0), (4.0, 2.0)])
@pytest.mark.parametrize(
    ("east", "north", "free"),
    [(1.5, 0.0, False), (0.0, 1.5, False), (2.1, 0.0, True), (0.0, -2.1, True)],
)
def test_men_on_long_bases_take_up_circles_round_their_length(
    field_of_battle: Build, base: tuple[float, float], east: float, north: float, free: bool
) -> None:
    """The bases are in metres: 2 GSU long."""
    alone = {**LOOSE, "members": 1, "files": 1, "base": base}
    battle = field_of_battle(alone, {**alone, "at": (60, 50)}, BOB)
    pose = pose_of(battle, 0)

    beside = pose.at(pose.x + east, pose.y + north, 0)

    assert has_places(battle, beside, [0]) is free
    assert meet(bodies_of(beside), men_of(battle, 0)) is not free


@pytest.mark.rule("emlia.entity.overlap", "emlia.engage.combat-range")
def test_an_enemy_within_ones_boundary_is_engaged(field_of_battle: Build) -> None:
    battle = field_of_battle(LOOSE, {**BOB, "at": (50, 50), "formation": "close"})

    assert situation_of(battle).outline(0).contains(situation_of(battle).outline(1))
    assert (engaged_by(battle, 0), engaged_by(battle, 1)) == ([1], [0])


@pytest.mark.rule("emlia.entity.overlap")
def test_open_units_go_through_each_other_and_halt_where_each_man_has_room(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(LOOSE, {**LOOSE, "at": (50, 60)}, BOB)

    order = turn_and_go(battle, 0, 0, 15, "move", most=10)

    assert march(battle, 50, 62) == "emlia.move.blocked-by-object"
    assert march(battle, 50, 60.5) is None
    assert march(battle, 50, 66) is None
    assert order is not None
    assert order.legs[-1].y == 61


@pytest.mark.rule("emlia.entity.overlap", "emlia.move.blocked-by-object")
@pytest.mark.parametrize("size", [1, 2**-15, 2**-18])
def test_a_rock_halts_the_members_of_an_open_unit_however_small_they_are(
    field_of_battle: Build, size: float
) -> None:
    rock = {"kind": "rock", "box": (40, 55, 60, 56)}
    battle = field_of_battle({**LOOSE, "size": size}, BOB, terrain=[rock])
    pose = pose_of(battle, 0)

    run = straight(battle, 0, pose, 0, 10)

    assert run.blocked_by == "obstacle"
    assert run.distance == pytest.approx(55 - pose.outline.bounds[3], abs=0.01)


@pytest.mark.rule("emlia.entity.overlap")
def test_those_who_stand_in_one_place_already_may_still_go_apart(field_of_battle: Build) -> None:
    battle = field_of_battle(LOOSE, {**LOOSE, "at": (50.5, 50)}, BOB)

    assert has_room(battle, 0, pose_of(battle, 0))
    assert straight(battle, 0, pose_of(battle, 0), 0, 5).distance == 5


@pytest.mark.rule("emlia.entity.overlap")
def test_the_subunits_of_an_open_unit_are_met_by_their_own_men(field_of_battle: Build) -> None:
    ogre = {"at": (50, 50), "size": 8, "group": "men"}
    battle = field_of_battle({**LOOSE, "name": "men"}, ogre, BOB)

    sizes = sorted(round(float(man.area), 1) for man in men_of(battle, 0))

    assert sizes == [0.8, 0.8, 0.8, 0.8, 3.1]


@given(
    st.integers(0, 2), st.integers(20, 80), st.integers(20, 80), st.integers(1, 30),
    st.integers(1, 30),
)  # fmt: skip
@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_left_out_of_what_is_in_the_way_is_nowhere_near(
    field_of_battle: Build, own: int, x: int, y: int, wide: int, deep: int
) -> None:
    formations = ("open", "close", "ranked")
    others = [
        {**LOOSE, "formation": formations[number % 3], "at": (25 + 12 * number, 30 + 7 * number)}
        for number in range(5)
    ]
    rocks = [{"kind": "rock", "box": (at, at, at + 3, at + 3)} for at in (22, 48, 74)]
    battle = field_of_battle({**LOOSE, "formation": formations[own]}, *others, BOB, terrain=rocks)
    spot = box(x, y, x + wide, y + deep)

    near = obstacles_to(battle, 0, within=spot)

    everyone = obstacles_to(battle, 0)
    men = [man for one in (1, 4) for man in men_of(battle, one)] if own else []
    solid = [
        one
        for one in everyone
        if not any(one.equals(situation_of(battle).outline(o)) for o in (1, 4))
    ]
    touched = [one for one in [*solid, *men] if one.intersects(spot)]
    assert all(any(one.equals(kept) for kept in near) for one in touched)


@pytest.mark.rule("emlia.entity.overlap", "emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(
    ("at", "distance", "goes"),
    [
        # A body 9 x 1 lies across the way of a giant 3 across: from y 70 to 71, x 95 to 104.
        ((100, 60), 0, 0),
        ((100, 60), 6, 6),
        ((100, 60), 10, 8.5),
        ((100, 60), 12.5, 12.5),
        ((93.4, 60), 10.5, 10.5),
        ((93.8, 60), 10.5, 9),
        ((105.6, 60), 10.5, 10.5),
        ((105.2, 60), 10.5, 9),
    ],
)
def test_a_giant_halts_before_or_behind_a_line_of_small_men_and_not_on_it(
    field_of_battle: Build, at: tuple[float, float], distance: float, goes: float
) -> None:
    giant = {"at": at, "size": 8, "height": 8, "base": (6, 6), "movement": "15G"}
    line = {
        "at": (99.5, 70.5), "members": 9, "files": 9, "formation": "ranked",
        "side": "Bob", "facing": 180,
    }  # fmt: skip
    battle = field_of_battle(giant, line)

    found = to_free_places(battle, 0, pose_of(battle, 0), 0, distance, ())

    assert found == goes


@pytest.mark.rule("emlia.entity.boundary", "emlia.entity.overlap")
@pytest.mark.parametrize(
    ("unit", "formation", "bodies"), [(0, "open", 1), (1, "open", 4), (0, "close", 1)]
)
def test_a_body_that_is_drawn_is_in_the_way_as_a_whole(
    field_of_battle: Build, unit: int, formation: str, bodies: int
) -> None:
    drawn = {**LOOSE, "formation": formation, "outline": box(45, 45, 55, 55)}
    battle = field_of_battle(drawn, {**LOOSE, "at": (80, 50)}, BOB)

    found = men_of(battle, unit)

    assert len(found) == bodies
    if not unit:
        assert found[0].equals(box(45, 45, 55, 55))


@pytest.mark.rule("emlia.move.normal")
@pytest.mark.parametrize(
    ("unit", "verb", "slug"),
    [
        (0, "move", None),
        (1, "move", "emlia.move.normal"),
        (0, "fire", "emlia.move.normal"),
        (1, "fire", "emlia.move.normal"),
        (None, "move", "emlia.move.normal"),
    ],
)
def test_a_move_is_the_units_own(
    field_of_battle: Build, unit: int | None, verb: str, slug: str | None
) -> None:
    battle = field_of_battle(LOOSE, {**LOOSE, "at": (80, 50)}, BOB)
    leg = gone(pose_of(battle, 0), 0, 5).leg("march")

    refusal = MoveValidator(battle, 0).refusal(Order(verb=verb, unit=unit, legs=(leg,)))

    assert (None if refusal is None else refusal.slug) == slug
