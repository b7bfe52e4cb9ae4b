"""A line near the enemy: units keep their places, step into gaps, and ride round friends."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import box

from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.detachments import detached
from emlia3d.rulekit.commander.front import INTERVAL, front_of, width_of
from emlia3d.rulekit.commander.plan import Mission
from emlia3d.rulekit.commander.slots import slots_of
from tests.rulekit.commander.lines import a_line, body, objective, outlook

FOE = 9


@given(
    st.lists(st.tuples(st.floats(0, 600), st.floats(10, 60)), min_size=1, max_size=7),
    st.floats(0, 200),
)
def test_units_of_a_line_stand_side_by_side_between_its_ends(
    places: list[tuple[float, float]], spare: float
) -> None:
    units = [body(row, x, 100, width=wide) for row, (x, wide) in enumerate(sorted(places))]
    left, right = 100.0, 100.0 + width_of(units) + spare
    rows = tuple(each.unit for each in units)
    mission = Mission(brigade="Foot", units=rows, kind="attack", line=((left, 200), (right, 200)))

    slots = slots_of(mission, {each.unit: each for each in units})

    ends = [(slots[u.unit].x - u.width / 2, slots[u.unit].x + u.width / 2) for u in units]
    assert all(two[0] - one[1] >= INTERVAL - 1e-6 for one, two in pairwise(ends))
    assert ends[0][0] >= left - 1e-6
    assert ends[-1][1] <= right + 1e-6
    assert all(slot.is_first for slot in slots.values())


def test_a_unit_that_has_room_where_it_is_is_not_moved_aside() -> None:
    units = [body(0, 200, 100), body(1, 300, 100), body(2, 420, 100)]
    mission = Mission(brigade="Foot", units=(0, 1, 2), kind="attack", line=((184, 110), (436, 110)))

    slots = slots_of(mission, {each.unit: each for each in units})

    assert [slots[row].x for row in range(3)] == pytest.approx([200, 300, 420])


def test_near_the_enemy_a_line_does_not_close_up() -> None:
    units = [body(0, 200, 100), body(1, 300, 100)]
    far, near = body(FOE, 250, 400), body(FOE, 250, 160)

    marching, fighting = (front_of(outlook(units, [foe]), units, None) for foe in (far, near))

    assert marching.right - marching.left == pytest.approx(width_of(units))
    assert (fighting.left, fighting.right) == pytest.approx((200 - 16, 300 + 16))


def test_a_unit_of_the_second_line_steps_into_a_gap_before_it() -> None:
    line = [body(0, 200, 100), body(1, 300, 100), body(2, 340, 100), body(3, 380, 100)]
    units = [*line, body(4, 250, 50)]

    front = front_of(outlook(units, [body(FOE, 290, 170)]), units, None)

    assert [each.unit for each in front.first] == [0, 4, 1, 2, 3]


def test_guns_before_the_enemy_s_line_do_not_stop_a_line() -> None:
    units = a_line(4)
    foe, guns = body(FOE, 260, 180), body(10, 260, 140, role="guns", holds_formation=False)

    with_guns, without = (
        plan_for(outlook(units, foes)).missions[0].line for foes in ([foe, guns], [foe])
    )

    assert with_guns == without


def test_cavalry_rides_at_no_enemy_behind_its_own_line_or_a_wood() -> None:
    horse = body(11, 244, 60, role="cavalry", speed=80.0, reach=160.0)
    prey = body(10, 244, 170, role="guns", holds_formation=False)
    clear = outlook([body(0, 400, 100), horse], [prey])

    assert clear.is_open(horse, prey.x, prey.y)
    assert not outlook([*a_line(4), horse], [prey]).is_open(horse, prey.x, prey.y)
    wood = outlook([horse], [prey], rough=box(200, 100, 300, 140))
    assert not wood.is_open(horse, prey.x, prey.y)


def test_cavalry_waits_on_open_ground() -> None:
    horse = body(11, 420, 60, role="cavalry", speed=80.0, reach=160.0)
    usual = plan_for(outlook([*a_line(4), horse])).missions[-1]
    wood = box(usual.line[0][0] - 30, usual.line[0][1] - 30, 600, usual.line[0][1] + 30)

    moved = plan_for(outlook([*a_line(4), horse], rough=wood)).missions[-1]

    assert (usual.kind, moved.kind) == ("reserve", "reserve")
    assert all(not wood.intersects(box(x, y, x + 1e-6, y + 1e-6)) for x, y in moved.line)


@pytest.mark.parametrize(("enemies", "goes"), [(1, True), (3, False)])
def test_nobody_is_sent_alone_into_superior_numbers(enemies: int, goes: bool) -> None:
    farm = objective("farm", (190, 190, 230, 230), 1.0)
    foes = [body(FOE + row, 200 + 40 * row, 240) for row in range(enemies)]
    units = a_line(6)

    sent = detached(outlook(units, foes, objectives=(farm,)), None)

    assert bool(sent) is goes


def test_units_that_come_on_place_themselves_opposite_the_enemy() -> None:
    units, foes = a_line(3), [body(FOE + row, 210 + row * 42, 200) for row in range(3)]
    rows, ends = (0, 1, 2), ((184.0, 110.0), (300.0, 110.0))
    mission = Mission(brigade="Foot", units=rows, kind="attack", line=ends)
    by_unit = {each.unit: each for each in units}

    alone = slots_of(mission, by_unit)
    opposite = slots_of(mission, by_unit, foes)

    assert [alone[row].x for row in rows] == pytest.approx([200, 240, 280])
    assert [opposite[row].x for row in rows] == pytest.approx([210, 252, 294])


@pytest.mark.parametrize(
    ("x", "y"), [(270, 200), (214, 300), (214, 90)], ids=("aside", "far", "behind")
)
def test_enemies_that_are_not_close_ahead_move_no_unit_aside(x: float, y: float) -> None:
    unit = body(0, 200, 100)
    mission = Mission(brigade="Foot", units=(0,), kind="attack", line=((184, 110), (216, 110)))

    slots = slots_of(mission, {0: unit}, [body(FOE, x, y)])

    assert slots[0].x == pytest.approx(200)


def test_cavalry_of_one_side_goes_for_different_enemies() -> None:
    horse = [
        body(10 + row, 500 + 60 * row, 80, role="cavalry", speed=80.0, reach=160.0, width=40.0)
        for row in range(2)
    ]
    guns = [body(20, 500, 220, role="guns"), body(21, 520, 260, role="guns")]

    plan = plan_for(outlook([*a_line(4), *horse], [body(FOE, 260, 150), *guns]))

    missions = [plan.mission_of(each.unit) for each in horse]
    assert {mission.target for mission in missions if mission} == {20, 21}
