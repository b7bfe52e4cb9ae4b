"""A side puts a unit into the place that decides most, and fires at the enemy in it."""

from __future__ import annotations

import pytest

from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.front import front_of
from emlia3d.rulekit.commander.plan import Mission, Plan
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from tests.rulekit.commander.lines import a_line, body, objective, outlook

FOE = 50
HILL = objective("hill", (150, 200, 450, 260), 3.0)
ABOVE = body(FOE, 260, 420)


def sent_into(units: list[UnitProfile], foes: list[UnitProfile], **other: object) -> list[Mission]:
    """Return the missions of single units to the hill."""
    missions = plan_for(outlook(units, foes, objectives=(HILL,), **other)).missions
    return [each for each in missions if each.area == "hill" and len(each.units) == 1]


@pytest.mark.parametrize(("y", "goes"), [(100, False), (120, True)], ids=("far", "near"))
def test_a_unit_goes_ahead_into_the_main_place_from_three_moves_off(y: float, goes: bool) -> None:
    sent = sent_into(a_line(6, y), [ABOVE])

    assert bool(sent) is goes
    if goes:
        ((left, right),) = (each.line for each in sent)
        assert 210 <= left[1] - 1 <= 250, "the unit stands 10 GSU or more inside"
        assert left[1] == right[1]


def test_the_unit_that_is_in_the_main_place_stays_as_long_as_an_enemy_contests_it() -> None:
    units = [*a_line(6, 150), body(6, 300, 230)]
    contested = sent_into(units, [body(FOE, 420, 230)])

    assert [(each.units, each.kind) for each in contested] == [((6,), "attack")]
    assert sent_into(units, [ABOVE]) == [], "the line has it: nobody is sent away"


def test_a_brigade_holds_a_place_that_one_of_its_units_is_in() -> None:
    units = [*a_line(5, 150), body(5, 300, 240)]

    held = plan_for(outlook(units, [ABOVE], objectives=(HILL,))).missions[0]
    contested = plan_for(outlook(units, [body(FOE, 420, 230)], objectives=(HILL,))).missions[0]

    assert held.kind == "hold"
    assert contested.kind == "assault"


def test_nobody_goes_into_superior_numbers_before_the_last_two_turns() -> None:
    units, foes = a_line(4, 175), [body(FOE + row, 170 + 40 * row, 230) for row in range(8)]
    there = {turn: len(sent_into(units, foes, turn=turn)) for turn in (9, 10, 11, 12)}

    assert there == {9: 0, 10: 0, 11: 1, 12: 1}


def test_only_battalions_go_ahead_of_the_line() -> None:
    """Light troops would stand before it."""
    light = body(6, 300, 130, role="skirmish", holds_formation=False)
    near, far = a_line(4, 120), a_line(4, 20)

    assert [each.units for each in sent_into([*near, light], [ABOVE])] == [(0,)]
    assert sent_into([*far, light], [ABOVE]) == []


def test_light_troops_and_cavalry_go_where_no_battalion_is_as_near() -> None:
    light = body(6, 630, 130, role="skirmish", holds_formation=False)
    horse = body(7, 660, 140, role="cavalry", speed=80.0)
    aside = objective("hill", (600, 200, 700, 260), 3.0)

    def sent(*more: UnitProfile) -> list[tuple[int, ...]]:
        plan = plan_for(outlook([*a_line(4, 20), *more], [ABOVE], objectives=(aside,)))
        return [each.units for each in plan.missions if each.area == "hill" and more]

    assert (6,) in sent(light, horse)
    assert (7,) in sent(horse)


def test_a_unit_that_is_on_its_way_goes_on() -> None:
    """Even if another has come a little nearer."""
    units = [body(0, 200, 120), body(1, 260, 130), body(2, 320, 110), body(3, 380, 110)]
    spot = ((184.0, 211.0), (216.0, 211.0))
    way = Mission(brigade="Foot", units=(0,), kind="attack", line=spot, area="hill")

    goes_on = sent_into(units, [ABOVE], stands=Plan(name="", missions=(way,)))

    assert [each.units for each in sent_into(units, [ABOVE])] == [(1,)]
    assert [each.units for each in goes_on] == [(0,)]


@pytest.mark.parametrize(("turn", "target"), [(6, FOE), (7, FOE + 1)], ids=("first", "second half"))
def test_in_the_second_half_all_fire_at_the_enemy_in_the_place_first(
    turn: int, target: int
) -> None:
    units = a_line(4, 150)
    shaken, inside = body(FOE, 260, 190, is_fit=False), body(FOE + 1, 300, 210)

    known = outlook(units, [shaken, inside], objectives=(HILL,), turn=turn)

    assert plan_for(known).missions[0].target == target


def test_the_gap_of_a_unit_that_went_ahead_stays_open() -> None:
    """Its friends behind would stand before nobody but it."""
    units, foe = a_line(6), body(FOE, 260, 170)
    first, behind = [each for each in units if each.unit != 2], body(9, 280, 60)
    known = outlook([*units, behind], [foe])

    open_gap = front_of(known, [*first, behind], None, ahead=[units[2]])
    filled = front_of(known, [*first, behind], None)

    assert [each.unit for each in filled.first] == [0, 1, 9, 3, 4, 5]
    assert [each.unit for each in open_gap.second] == [9]


@pytest.mark.parametrize(
    ("bands", "gap", "kind"),
    [
        ((), 100, "reserve"),
        ((20.0, 40.0, 60.0), 100, "screen"),
        ((20.0, 40.0, 60.0), 200, "reserve"),
    ],
    ids=("without carbines", "with carbines", "before the lines meet"),
)
def test_mounted_units_that_shoot_screen_the_line_once_it_has_met_the_enemy(
    bands: tuple[float, ...], gap: float, kind: str
) -> None:
    horse = body(11, 500, 80, role="cavalry", speed=80.0, reach=160.0, bands=bands)

    mission = plan_for(outlook([*a_line(4), horse], [body(FOE, 260, 100 + gap)])).mission_of(11)

    assert mission is not None
    assert mission.kind == kind


@pytest.mark.parametrize(("turn", "kind"), [(6, "reserve"), (7, "flank")])
def test_in_the_second_half_cavalry_waits_no_longer(turn: int, kind: str) -> None:
    horse = body(11, 500, 80, role="cavalry", speed=80.0, reach=160.0, bands=())

    known = outlook([*a_line(4), horse], [body(FOE, 330, 180)], turn=turn)
    mission = plan_for(known).mission_of(11)

    assert mission is not None
    assert mission.kind == kind


def test_a_brigade_forms_up_round_the_place_that_it_has() -> None:
    """Otherwise it shifts by a few GSU a turn."""
    units = [*(body(row, 100 + 40 * row, 150) for row in range(3)), body(3, 300, 210)]

    def middle(foe: UnitProfile) -> float:
        known = outlook(units, [foe])
        front = front_of(known, units, HILL)
        return front.middle

    assert middle(ABOVE) == pytest.approx(300)
    assert middle(body(FOE, 420, 230, role="guns")) == pytest.approx(210)
