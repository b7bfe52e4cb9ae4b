"""The planner by itself: fronts, slots, detachments and wings of armies made for the test."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.front import BEHIND, INTERVAL, front_of, fronts_apart
from emlia3d.rulekit.commander.outlook import Brigade
from emlia3d.rulekit.commander.plan import Mission, Plan, from_words, to_words
from emlia3d.rulekit.commander.slots import facing_of, slots_of
from tests.rulekit.commander.lines import NORTH, WIDTH, a_line, body, objective, outlook


def alongs(mission: Mission) -> set[float]:
    """Return how far north the ends of a mission's line are, to a thousandth of a GSU."""
    return {round(y, 3) for _, y in mission.line}


@given(st.integers(0, FULL_CIRCLE - 1), st.floats(-500, 500), st.floats(-500, 500))
def test_a_frame_leads_there_and_back(facing: int, x: float, y: float) -> None:
    frame = Frame(facing)

    assert frame.on_field(*frame.of(x, y)) == pytest.approx((x, y), abs=1e-6)


@given(
    st.integers(0, FULL_CIRCLE - 1),
    st.lists(st.tuples(st.floats(-500, 500), st.floats(-500, 500)), max_size=5),
)
def test_a_frame_has_many_places_as_it_has_each(
    facing: int, places: list[tuple[float, float]]
) -> None:
    frame = Frame(facing)

    found = frame.of_all(np.array(places).reshape(-1, 2))

    assert [*map(tuple, found.tolist())] == [frame.of(x, y) for x, y in places]


def test_a_frame_looks_its_way_and_has_its_right_on_the_right() -> None:
    assert NORTH.of(3, 5) == (3, 5)
    assert Frame(FULL_CIRCLE // 4).of(3, 5) == pytest.approx((-5, 3))


@pytest.mark.parametrize("quarter", range(4))
def test_the_line_of_a_mission_says_which_way_it_faces(quarter: int) -> None:
    frame = Frame(quarter * FULL_CIRCLE // 4)
    line = frame.on_field(-10.0, 7.0), frame.on_field(10.0, 7.0)

    mission = Mission(brigade="Foot", units=(0,), kind="hold", line=line)

    assert facing_of(mission) == frame.facing


def test_the_units_of_a_line_keep_their_order_and_their_intervals() -> None:
    units = a_line(4)
    front = front_of(outlook(units), units, None)

    assert [each.unit for each in front.first] == [0, 1, 2, 3]
    assert front.right - front.left == pytest.approx(4 * WIDTH + 3 * INTERVAL)


def test_a_unit_behind_the_line_stays_behind_it_until_the_lines_meet() -> None:
    units = [*a_line(4), body(4, 260, 60)]
    behind = front_of(outlook(units), units, None)
    foe = body(9, 260, 150)
    met = front_of(outlook(units, [foe]), units, None)

    assert [each.unit for each in behind.second] == [4]
    assert met.second == ()
    assert [each.unit for each in met.first] == [0, 1, 4, 2, 3], (
        "it steps into the line where it is"
    )


def test_a_spent_unit_leaves_its_place_to_the_one_behind_it() -> None:
    spent = [replace(each, is_fit=each.unit != 1) for each in a_line(4)]
    units = [*spent, body(4, 240, 60)]

    front = front_of(outlook(units), units, None)

    assert 1 in {each.unit for each in front.second}
    assert [each.unit for each in front.first] == [0, 4, 2, 3]


def test_fronts_of_brigades_do_not_overlap() -> None:
    units = a_line(6)
    brigades = [units[:3], [replace(each, x=each.x - 60) for each in units[3:]]]
    whole = outlook(units)

    fronts = fronts_apart([front_of(whole, each, None) for each in brigades])

    for left, right in pairwise(sorted(fronts, key=lambda each: each.middle)):
        assert right.left - left.right >= INTERVAL - 1e-9


def test_a_line_that_is_wider_than_the_field_goes_little_beyond_it() -> None:
    army = a_line(60)

    (mission,) = plan_for(outlook(army)).missions
    slots = slots_of(mission, {each.unit: each for each in army})

    assert -375 <= mission.line[0][0] < mission.line[1][0] <= 1125
    assert {slot.is_first for slot in slots.values()} == {True, False}


def test_a_line_goes_no_farther_than_its_slowest_unit() -> None:
    units = a_line(4)
    units[2] = replace(units[2], speed=20.0)
    hill = objective("hill", (150, 400, 400, 500), 3.0)

    plan = plan_for(outlook(units, [body(9, 260, 190)], objectives=(hill,)))

    assert plan.missions[0].kind == "attack"
    assert alongs(plan.missions[0]) == {100.0 + 1.0 + 20.0}


def test_a_line_halts_where_it_fights_and_not_nearer() -> None:
    units, foe = a_line(4), body(9, 260, 130, depth=2.0)

    mission = plan_for(outlook(units, [foe])).missions[0]

    (along,) = alongs(mission)
    assert foe.y - 1 - along == pytest.approx(0.3 * 45)


def test_a_side_that_holds_keeps_its_posts() -> None:
    plan = plan_for(outlook(a_line(4), [body(9, 260, 400)], holds=True))

    assert plan.missions == ()


def test_slots_follow_the_line_and_the_second_line_is_behind() -> None:
    units = [*a_line(4), body(4, 260, 40)]
    mission = plan_for(outlook(units)).missions[0]

    slots = slots_of(mission, {each.unit: each for each in units})

    assert [slots[unit].is_first for unit in range(5)] == [True] * 4 + [False]
    assert [slots[unit].x for unit in range(4)] == pytest.approx([each.x for each in units[:4]])
    assert slots[4].y == pytest.approx(slots[0].y - BEHIND)
    assert {slot.facing for slot in slots.values()} == {0}


def test_the_main_place_is_the_line_s_and_the_nearest_unit_is_sent_to_another() -> None:
    hill = objective("hill", (150, 200, 450, 260), 3.0)
    farm = objective("farm", (420, 150, 460, 180), 1.0)
    units = a_line(6)

    plan = plan_for(outlook(units, objectives=(farm, hill)))

    assert plan.name == "take the hill"
    assert [(each.area, each.units) for each in plan.missions] == [
        ("hill", (0, 1, 2, 3, 4)),
        ("farm", (5,)),
    ]


def test_nobody_is_sent_to_a_place_that_is_too_far_for_the_turns_that_are_left() -> None:
    hill = objective("hill", (150, 200, 450, 260), 3.0)
    farm = objective("farm", (700, 700, 740, 740), 1.0)

    plan = plan_for(outlook(a_line(6), objectives=(farm, hill), turn=11))

    assert [each.area for each in plan.missions] == ["hill"]


def test_light_troops_and_cavalry_go_to_the_wings_outside_the_line() -> None:
    light = body(10, 150, 100, role="skirmish", holds_formation=False, width=90.0)
    horse = body(11, 500, 80, role="cavalry", speed=80.0, reach=160.0, width=60.0)

    plan = plan_for(outlook([*a_line(4), light, horse]))

    line, right, left = plan.missions
    assert (left.units, left.kind) == ((10,), "screen")
    assert (right.units, right.kind) == ((11,), "reserve")
    assert left.line[1][0] <= line.line[0][0] - INTERVAL + 1e-9
    assert right.line[0][0] >= line.line[1][0] + INTERVAL - 1e-9


def test_a_wing_that_has_no_room_on_the_field_stands_behind_the_line() -> None:
    lights = [
        body(10 + row, 100 - row, 100, role="skirmish", holds_formation=False, width=90.0)
        for row in range(4)
    ]

    plan = plan_for(outlook([*a_line(4), *lights]))

    line, *wings = plan.missions
    assert all(x >= -1e-9 for mission in wings for x, _ in mission.line)
    assert [max(alongs(each)) < min(alongs(line)) for each in wings] == [False, True, True, True]


def test_cavalry_goes_for_guns_once_the_lines_have_met() -> None:
    horse = body(11, 500, 80, role="cavalry", speed=80.0, reach=160.0, width=60.0)
    guns = body(20, 480, 300, role="guns")

    plan = plan_for(outlook([*a_line(4), horse], [body(9, 260, 150), guns]))

    mission = plan.mission_of(11)
    assert mission is not None
    assert (mission.kind, mission.target) == ("flank", 20)


def test_a_shaken_enemy_is_agreed_on_before_a_nearer_one() -> None:
    units, steady = a_line(4), body(8, 260, 150)
    shaken = body(9, 340, 160, is_fit=False)

    target = outlook(units, [steady, shaken]).agreed_target(units)
    nobody_near = outlook(units, [body(9, 260, 400)]).agreed_target(units)

    assert target is shaken
    assert nobody_near is None


def test_a_few_units_have_no_line_to_lead() -> None:
    assert plan_for(outlook(a_line(2))).missions == ()


def test_a_plan_is_read_as_it_was_written() -> None:
    plan = plan_for(outlook(a_line(5), [body(9, 260, 150)]))

    assert from_words(to_words(plan)) == plan


@pytest.mark.parametrize(
    "words",
    [
        "", "[]", "{}", '{"name":1,"missions":[]}', '{"name":"x","missions":[{}]}',
        '{"name":"x","missions":[],"more":1}',
        '{"name":"x","missions":[{"brigade":"a","units":[0],"kind":"dance","line":[[0,0],[1,0]]}]}',
        '{"name":"x","missions":[{"brigade":"a","units":[0],"kind":"hold","line":[[0,0]]}]}',
    ],
)  # fmt: skip
def test_what_is_no_plan_is_refused_in_one_line(words: str) -> None:
    with pytest.raises(ValueError, match=r"^no plan: ") as caught:
        from_words(words)

    assert "\n" not in str(caught.value)


def test_a_unit_in_no_mission_has_none() -> None:
    assert Plan(name="", missions=()).mission_of(3) is None


def test_a_main_place_that_the_line_passes_by_gets_a_unit_of_its_own() -> None:
    left = [body(row, 100 + 40 * row, 100) for row in range(3)]
    right = [body(3 + row, 420 + 40 * row, 100) for row in range(3)]
    brigades = (Brigade(name="Left", units=(0, 1, 2)), Brigade(name="Right", units=(3, 4, 5)))
    village = objective("village", (280, 200, 330, 240), 3.0)

    plan = plan_for(outlook([*left, *right], brigades=brigades, objectives=(village,)))

    away = [mission for mission in plan.missions if len(mission.units) == 1]
    assert [(mission.area, mission.units) for mission in away] == [("village", (3,))]
    assert {len(mission.units) for mission in plan.missions} == {1, 2, 3}


def test_late_units_make_way_for_units_in_line() -> None:
    """A late unit takes its place at the end, and no unit in line moves aside for it."""
    steps = [body(0, 200, 100), body(1, 210, 30), body(2, 235, 30)]
    mission = Mission(
        brigade="Foot", units=(0, 1, 2), kind="attack", line=((184.0, 101.0), (296.0, 101.0))
    )

    slots = slots_of(mission, {each.unit: each for each in steps})

    assert [slots[row].x for row in (0, 1, 2)] == pytest.approx([200, 240, 280], abs=1.5)
