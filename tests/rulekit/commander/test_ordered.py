"""The line that a brigade forms for the mission that its player has given."""

from __future__ import annotations

import pytest
from shapely import box

from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder
from emlia3d.rulekit.commander.ordered import ordered_mission
from emlia3d.rulekit.commander.outlook import Brigade, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind
from emlia3d.rulekit.commander.slots import facing_of
from tests.rulekit.commander.lines import SPEED, WIDTH, body, outlook

FARM = {
    "farm": box(340, 480, 380, 520),
    "mill": box(600, 190, 640, 210),
    "camp": box(340, 20, 380, 40),
}
UNITS = [body(0, 300, 200), body(1, 344, 200), body(2, 388, 200)]
FRONT = 201.0
"""The front of the units, GSU: half their depth before their middles."""

NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270


def known(**other: object) -> Outlook:
    """Return what a side of one brigade knows, with an enemy 150 GSU before it."""
    return outlook(UNITS, [body(9, 344, 350, facing=180 * 64)], places=FARM, **other)


def mission(kind: MissionKind, *, look: Outlook | None = None, **goal: object) -> Mission:
    order = BrigadeOrder(brigade="Foot", kind=kind, **goal)  # type: ignore[arg-type]
    found = ordered_mission(look or known(), order)
    assert found is not None
    return found


def along(given: Mission) -> float:
    """Return how far north the middle of a line is."""
    return (given.line[0][1] + given.line[1][1]) / 2


def middle(given: Mission) -> float:
    """Return how far east the middle of a line is."""
    return (given.line[0][0] + given.line[1][0]) / 2


def test_a_brigade_that_holds_stays_where_it_stands() -> None:
    given = mission("hold")

    assert along(given) == pytest.approx(FRONT)
    assert middle(given) == pytest.approx(344)
    assert (given.units, given.limit, facing_of(given) / 64) == ((0, 1, 2), 0, NORTH)


@pytest.mark.parametrize("kind", ["attack", "hold", "pin"])
def test_a_brigade_goes_towards_its_place_as_far_as_it_gets(kind: MissionKind) -> None:
    given = mission(kind, area="farm")

    assert FRONT + SPEED <= along(given) <= FRONT + 2 * SPEED
    assert (given.area, facing_of(given) / 64) == ("farm", NORTH)


def test_a_brigade_goes_past_neither_its_place_nor_its_turn_s_march_to_a_side() -> None:
    beside = mission("attack", area="mill")

    assert along(beside) == pytest.approx(FRONT, abs=1)
    assert middle(beside) == pytest.approx(344 + 0.75 * SPEED)
    assert facing_of(beside) / 64 == NORTH


def test_a_brigade_turns_to_a_place_behind_it() -> None:
    behind = mission("attack", area="camp")

    assert 170 < facing_of(behind) / 64 < 190
    assert along(behind) < 200


def test_a_brigade_that_withdraws_goes_back_and_faces_the_enemy() -> None:
    given = mission("withdraw")
    near_edge = [body(unit, 300 + 44 * unit, 5) for unit in range(3)]

    assert along(given) == pytest.approx(FRONT - SPEED)
    assert facing_of(given) / 64 == NORTH
    assert along(mission("withdraw", look=outlook(near_edge))) == pytest.approx(6)


def test_a_reserve_and_a_support_stay_behind_the_line() -> None:
    others = [body(unit, 300 + 44 * (unit - 3), 280) for unit in (3, 4, 5)]
    brigades = (Brigade(name="Foot", units=(0, 1, 2)), Brigade(name="Guard", units=(3, 4, 5)))
    look = outlook([*UNITS, *others], brigades=brigades, places=FARM)

    assert along(mission("reserve", look=look)) == pytest.approx(281 - 100)
    assert along(mission("support", look=look, area="farm")) <= 281 - 50
    assert mission("support", look=look, area="farm").limit == 0


@pytest.mark.parametrize(("east", "facing"), [(200.0, EAST), (500.0, WEST)])
def test_a_flank_march_ends_beside_the_enemy_on_the_nearer_side(east: float, facing: int) -> None:
    riders = [body(0, east, 345, role="cavalry", speed=80.0, reach=160.0)]
    look = outlook(riders, [body(9, 344, 350, facing=180 * 64)])

    given = mission("flank", look=look, target=9)

    side = -1 if east < 344 else 1
    assert facing_of(given) / 64 == pytest.approx(facing)
    assert middle(given) == pytest.approx(344 + side * (WIDTH / 2 + 0.55 * 160))
    assert given.target == 9


def test_a_pursuit_stops_within_a_charge_of_the_enemy() -> None:
    riders = [body(0, 344, 200, role="cavalry", speed=80.0, reach=160.0)]
    look = outlook(riders, [body(9, 344, 450, is_broken=True)])

    assert along(mission("pursue", look=look, target=9)) == pytest.approx(450 - 0.55 * 160)


def test_without_its_goal_or_its_units_a_mission_lapses() -> None:
    gone = BrigadeOrder(brigade="Foot", kind="attack", target=8)
    nobody = BrigadeOrder(brigade="Guard", kind="hold")
    broken = outlook([body(0, 300, 200, is_broken=True)])

    assert ordered_mission(known(), gone) is None
    assert ordered_mission(known(), nobody) is None
    assert ordered_mission(broken, BrigadeOrder(brigade="Foot", kind="hold")) is None


def test_the_plan_gives_the_other_brigades_missions_beside_the_player_s() -> None:
    others = [body(unit, 500 + 44 * (unit - 3), 200) for unit in (3, 4, 5)]
    brigades = (Brigade(name="Foot", units=(0, 1, 2)), Brigade(name="Guard", units=(3, 4, 5)))
    look = outlook([*UNITS, *others], [body(9, 344, 400)], brigades=brigades, places=FARM)

    plan = plan_for(look, [BrigadeOrder(brigade="Guard", kind="withdraw")])

    assert [(each.brigade, each.kind) for each in plan.missions] == [
        ("Guard", "withdraw"), ("Foot", "attack"),
    ]  # fmt: skip
    units = [unit for each in plan.missions for unit in each.units]
    assert sorted(units) == [0, 1, 2, 3, 4, 5]
