"""Where a unit and its parts stand after a turn, a wheel, a change of formation or a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, hypot, radians, sin
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place, Set, Stand
from emlia3d.force.facing import facing_of_degrees
from emlia3d.force.formation import Formation, FormationLayout
from emlia3d.rules.emlia.play.situation.pose import (
    Pose,
    at_altitude,
    by_slot,
    gone,
    placed,
    pose_of,
    radius_of,
    reformed,
    standing,
    turn_cost,
    turned,
    turned_on_centre,
    wheeled,
)

Build = Callable[..., Battle]
BOB: dict[str, Any] = {"at": (150, 190), "side": "Bob", "facing": 180}
DEGREES = st.integers(0, 359)
NEAR = 3 / 1024
"""GSU by which places may be off, as they are rounded."""


def block(formation: Formation, count: int, files: int) -> FormationLayout:
    return FormationLayout(formation=formation, count=count, files=files, width=1.5, depth=1.0)


def round_a_point(spots: Any, pivot: tuple[float, float], degrees: float) -> Any:
    """Points turned clockwise round a pivot, worked out with complex numbers."""
    flat = [complex(*spot) - complex(*pivot) for spot in np.asarray(spots).tolist()]
    turn = complex(cos(radians(degrees)), -sin(radians(degrees)))
    moved = [spot * turn + complex(*pivot) for spot in flat]
    return np.array([(spot.real, spot.imag) for spot in moved])


def with_part(formation: Formation, facing: int) -> Pose:
    """Two ranks of three with one man to the right of them and one behind."""
    degrees = facing / 64
    ends = round_a_point([(44.0, 39.5), (39.0, 36.0)], (40.0, 40.0), degrees).tolist()
    lone = FormationLayout(formation=Formation.CLOSE, count=1, files=1, width=1.0, depth=1.0)
    parts = tuple((row, Pose(x, y, facing, lone)) for row, (x, y) in enumerate(ends, 5))
    return Pose(40.0, 40.0, facing, block(formation, 6, 3), parts, altitude=2.0)


@pytest.mark.rule("emlia.form.ranked.wheel")
@given(start=DEGREES, turn=st.integers(-179, 180), formation=st.sampled_from(Formation))
def test_in_a_wheel_everyone_turns_round_the_end_of_the_line_on_that_side(
    start: int, turn: int, formation: Formation
) -> None:
    pose = with_part(formation, facing_of_degrees(start))
    half = pose.drill.frontage / 2 * (1 if turn > 0 else -1)
    pivot = (
        40 + half * cos(radians(start)),
        40 - half * sin(radians(start)),
    )

    end = wheeled(pose, facing_of_degrees((start + turn) % 360))

    if turn:
        expected = round_a_point(pose.places, pivot, turn)
        assert end.places == pytest.approx(expected, abs=NEAR)
    assert end.facing == facing_of_degrees((start + turn) % 360)
    assert (end.drill, end.altitude) == (pose.drill, 2.0)


@pytest.mark.rule("emlia.align")
@given(start=DEGREES, turn=DEGREES, formation=st.sampled_from(Formation))
def test_a_body_that_aligns_turns_round_its_middle_with_its_parts(
    start: int, turn: int, formation: Formation
) -> None:
    pose = with_part(formation, facing_of_degrees(start))

    end = turned_on_centre(pose, facing_of_degrees((start + turn) % 360))

    assert end.places == pytest.approx(round_a_point(pose.places, pose.middle, turn), abs=NEAR)
    assert end.middle == pytest.approx(pose.middle, abs=NEAR)


@pytest.mark.rule("emlia.form.ranked.turn")
@pytest.mark.parametrize(
    ("quarters", "files"), [(0, 3), (1, 2), (2, 3), (3, 2), (-1, 2), (4, 3), (5, 2)]
)
def test_by_right_angles_men_in_ranks_turn_where_they_stand(quarters: int, files: int) -> None:
    pose = replace(with_part(Formation.RANKED, 0), parts=())

    end = turned(pose, quarters * 90 * 64)

    assert end.drill.files == files
    assert end.facing == quarters % 4 * 90 * 64
    assert end.middle == pytest.approx(pose.middle)
    before, after = pose.outline.bounds, end.outline.bounds
    # Each man's room is as wide as before seen from the front, so a column is another rectangle.
    wide, deep = (4.5, 2.0) if quarters % 2 == 0 else (3.0, 3.0)
    size = (after[2] - after[0], after[3] - after[1])
    assert size == pytest.approx((wide, deep))
    assert (before[0] + before[2]) / 2 == pytest.approx((after[0] + after[2]) / 2)


@pytest.mark.rule("emlia.form.ranked.turn")
@pytest.mark.parametrize("degrees", [30, 89, 91, 135, 271])
def test_by_another_angle_a_block_turns_on_its_centre(degrees: int) -> None:
    pose = with_part(Formation.RANKED, 0)

    end = turned(pose, facing_of_degrees(degrees))

    assert end.drill == pose.drill
    assert end.places == pytest.approx(round_a_point(pose.places, pose.middle, degrees), abs=NEAR)


@pytest.mark.parametrize(
    ("formation", "degrees", "cost"),
    [
        (Formation.RANKED, 1, 5), (Formation.RANKED, 90, 5), (Formation.RANKED, 135, 10),
        (Formation.RANKED, 270, 5), (Formation.CLOSE, 45, 0.5), (Formation.CLOSE, 270, 1),
        (Formation.CLOSE, 180, 2), (Formation.OPEN, 180, 0),
    ],
)  # fmt: skip
@pytest.mark.rule("emlia.form.ranked.turn")
@pytest.mark.rule("emlia.form.close.turn")
@pytest.mark.rule("emlia.form.open")
def test_a_turn_costs_by_formation_and_by_the_shorter_way_round(
    formation: Formation, degrees: int, cost: float
) -> None:
    pose = with_part(formation, 0)

    assert turn_cost(pose, facing_of_degrees(degrees), speed=20) == cost


@given(start=DEGREES, way=DEGREES, distance=st.integers(0, 30))
def test_a_step_carries_everyone_as_far_the_same_way(start: int, way: int, distance: int) -> None:
    pose = with_part(Formation.CLOSE, facing_of_degrees(start))

    end = gone(pose, facing_of_degrees(way), distance)

    step = distance * sin(radians(way)), distance * cos(radians(way))
    assert end.places == pytest.approx(pose.places + step, abs=NEAR)
    assert end.facing == pose.facing


def test_a_body_rises_with_its_parts() -> None:
    pose = with_part(Formation.CLOSE, 0)

    high = at_altitude(pose, 4.5)

    assert [high.altitude, *(part.altitude for _, part in high.parts)] == [4.5] * 3
    assert [row for row, _ in high.parts] == [5, 6]


def test_only_a_leg_that_forms_names_the_formation_and_its_files() -> None:
    pose = with_part(Formation.CLOSE, 640)

    form, march = pose.leg("form"), pose.leg("march", "F")

    assert (form.formation, form.files, form.mode, form.altitude) == (1, 3, "", 2.0)
    assert (march.formation, march.files, march.mode) == (-1, -1, "F")
    assert (march.x, march.y, march.facing) == (40, 40, 640)


@pytest.mark.parametrize(
    ("count", "files", "radius"),
    [(6, 3, hypot(4.5, 2) / 2), (2, 1, hypot(3, 1) / 2), (1, 1, hypot(1.5, 1) / 2),
     (10, 2, hypot(7.5, 2) / 2)],
)  # fmt: skip
def test_the_corners_of_a_block_reach_as_far_as_its_longer_shape_does(
    count: int, files: int, radius: float
) -> None:
    assert radius_of(block(Formation.RANKED, count, files)) == pytest.approx(radius)


# Each part is seen from the middle of the front line: across to the right, then ahead.
GROWS = [
    pytest.param((5.75, 0.0), Formation.RANKED, 12, [(6.5, 0.0)], id="to its right"),
    pytest.param((-5.75, 0.0), Formation.RANKED, 12, [(-6.5, 0.0)], id="to its left"),
    pytest.param((0.0, -5.5), Formation.RANKED, 2, [(0.0, -6.0)], id="behind it"),
    pytest.param((0.0, 0.5), Formation.RANKED, 12, [(0.0, 1.0)], id="ahead of it"),
    pytest.param((7.0, 0.0), Formation.RANKED, 12, [(7.0, 0.0)], id="far enough to its right"),
    pytest.param((4.5, 0.0), Formation.RANKED, 8, [(4.5, 0.0)], id="edge to edge with it"),
]


@pytest.mark.rule("emlia.form.change")
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
@pytest.mark.parametrize(("at", "formation", "files", "ends"), GROWS)
def test_a_part_that_a_body_grows_over_steps_outwards_just_as_far_as_it_must(
    at: tuple[float, float],
    formation: Formation,
    files: int,
    ends: list[tuple[float, float]],
    degrees: int,
) -> None:
    drill = FormationLayout(formation=Formation.RANKED, count=12, files=6, width=1.0, depth=1.0)
    lone = FormationLayout(formation=Formation.CLOSE, count=1, files=1, width=1.0, depth=1.0)
    facing = facing_of_degrees(degrees)

    def there(spot: tuple[float, float]) -> tuple[float, float]:
        (moved,) = round_a_point([(40 + spot[0], 40 + spot[1])], (40, 40), degrees).tolist()
        return moved[0], moved[1]

    pose = Pose(40, 40, facing, drill, ((7, Pose(*there(at), facing, lone)),))

    formed = reformed(pose, formation, files)

    found = [(part.x, part.y) for _, part in formed.parts]
    assert found == [pytest.approx(there(end), abs=2 * NEAR) for end in ends]
    assert (formed.drill.files, formed.drill.formation) == (files, formation)


@pytest.mark.rule("emlia.form.change")
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_parts_beside_one_another_make_room_in_the_order_of_their_distance(degrees: int) -> None:
    drill = FormationLayout(formation=Formation.RANKED, count=12, files=6, width=1.0, depth=1.0)
    lone = FormationLayout(formation=Formation.CLOSE, count=1, files=1, width=1.0, depth=1.0)
    facing = facing_of_degrees(degrees)
    at = {9: (46.5, 40.0), 7: (45.75, 40.0), 8: (34.25, 40.0), 6: (40.0, 33.5), 5: (40.0, 34.25)}

    def there(x: float, y: float) -> tuple[float, float]:
        ((east, north),) = round_a_point([(x, y)], (40, 40), degrees).tolist()
        return east, north

    parts = tuple((row, Pose(*there(*spot), facing, lone)) for row, spot in at.items())
    pose = Pose(40, 40, facing, drill, parts)

    wide, deep = (reformed(pose, Formation.RANKED, files) for files in (12, 2))

    assert [row for row, _ in wide.parts] == [*at]
    ends = {7: (46.5, 40), 9: (47.5, 40), 8: (33.5, 40), 5: at[5], 6: (40, 33.25)}
    found = {row: (part.x, part.y) for row, part in wide.parts}
    assert found == {row: pytest.approx(there(*end), abs=2 * NEAR) for row, end in ends.items()}
    ends = {7: at[7], 9: (46.75, 40), 8: at[8], 5: (40, 34), 6: (40, 33)}
    found = {row: (part.x, part.y) for row, part in deep.parts}
    assert found == {row: pytest.approx(there(*end), abs=2 * NEAR) for row, end in ends.items()}


ON_TOWER: dict[str, Any] = {"at": (50, 50), "members": 2, "on_height": 3.0, "formation": "close"}


@pytest.mark.parametrize(
    ("movement", "end", "members_go", "height"),
    [
        ("15G", (0.0, 0.0), False, 3.0),
        ("15G", (0.0, 0.0), True, 0.0),
        ("15G", (5.0, 0.0), False, 0.0),
        ("15G", (0.0, -5.0), False, 0.0),
        ("15G", (0.01, 0.0), False, 0.0),
        ("15G, 20F", (5.0, 0.0), False, 3.0),
    ],
)
def test_who_cannot_fly_and_goes_anywhere_comes_down(
    movement: str, end: tuple[float, float], members_go: bool, height: float,
    field_of_battle: Build,
) -> None:  # fmt: skip
    battle = field_of_battle({**ON_TOWER, "movement": movement}, BOB)
    pose = pose_of(battle, 0)
    there = pose.at(pose.x + end[0], pose.y + end[1], 0)

    place, *raised = placed(battle, 0, there, members_go=members_go)

    down = [Set(table="unit", row=0, column="on_height", value=0.0)] if not height else []
    assert raised == down
    assert place == Place(unit=0, x=there.x, y=there.y, facing=0, formation=1, files=2)


def test_who_turns_on_his_middle_or_forms_behind_his_front_stays_on_what_he_stands_on(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ON_TOWER, BOB)
    pose = pose_of(battle, 0)

    for end in (turned(pose, facing_of_degrees(90)), reformed(pose, Formation.OPEN, 1)):
        assert len(placed(battle, 0, end)) == 1


def test_only_those_who_left_their_places_are_named_as_standing_elsewhere(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle({"front": (50, 50), "members": 3, "formation": "close"}, BOB)
    usual = pose_of(battle, 0).own_places
    moved = usual.copy()
    moved[2] += (0.25, -1.5)

    assert np.array_equal(by_slot(battle, 0), usual)
    assert standing(battle, 0, usual, usual) == ()
    (change,) = standing(battle, 0, moved, usual)
    assert change == Stand(
        unit=0, figures=(2,), east=(round(moved[2, 0] * 1024),), north=(round(moved[2, 1] * 1024),)
    )  # fmt: skip
