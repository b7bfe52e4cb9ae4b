"""An army of toys a fourth of the usual size gets the usual plan, a fourth of the size."""

from __future__ import annotations

import pytest
from shapely import box
from typing_extensions import override

from emlia3d.rulekit.commander.adapter import Adapter
from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.led import proposed
from emlia3d.rulekit.commander.outlook import Brigade, Outlook
from emlia3d.rulekit.commander.plan import Mission, Plan, from_words
from emlia3d.rulekit.commander.scaling import scaled_outlook, scaled_plan
from emlia3d.rulekit.commander.slots import slots_of
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from tests.rulekit.commander import nursery
from tests.rulekit.commander.lines import SPEED, WIDTH, a_line, body, objective, outlook

SIZE = 4
HILL = objective("hill", (150, 200, 450, 260), 3.0)
FARM = objective("farm", (420, 150, 460, 180), 1.0)


def armies() -> Outlook:
    """Return a line with a unit behind it and cavalry, two places, a wood, and an enemy's line."""
    horse = body(11, 500, 80, role="cavalry", speed=80.0, reach=160.0, width=60.0)
    units = [*a_line(6), body(6, 260, 40), horse]
    foes = [body(20, 260, 250), body(21, 420, 240, role="guns", holds_formation=False)]
    wood = box(440, 20, 700, 60)
    return outlook(units, foes, objectives=(FARM, HILL), rough=wood, places={"wood": wood})


def small(body: UnitProfile) -> tuple[float, ...]:
    return body.x, body.y, body.width, body.depth, body.speed, body.reach, *body.bands


class Toys(Adapter):
    """A side whose lengths are a fourth of the usual ones."""

    scale = SIZE

    def __init__(self) -> None:
        super().__init__(nursery.battle(), 0)

    @property
    @override
    def brigades(self) -> tuple[Brigade, ...]:
        return armies().brigades

    @override
    def see(self) -> Outlook:
        return scaled_outlook(armies(), 1 / SIZE)


def test_all_lengths_of_an_outlook_are_scaled() -> None:
    big, toys = armies(), Toys().outlook

    assert small(toys.own[0]) == tuple(length / SIZE for length in small(big.own[0]))
    assert (toys.own[0].width, toys.own[0].speed) == (WIDTH / SIZE, SPEED / SIZE)
    assert toys.size == (750 / SIZE, 750 / SIZE)
    assert toys.rough.bounds == pytest.approx([each / SIZE for each in big.rough.bounds])
    assert toys.places["wood"].area == pytest.approx(big.places["wood"].area / SIZE**2)
    assert toys.objectives[1].outline.bounds == pytest.approx((37.5, 50, 112.5, 65))
    assert len(toys.foes) == 2
    assert toys.foes[1].apart(toys.own[0]) == big.foes[1].apart(big.own[0]) / SIZE


def test_toys_get_the_usual_plan_in_their_size() -> None:
    big = plan_for(armies())

    toys = from_words(proposed(Toys()).words)

    assert toys.name == big.name
    assert len({each.kind for each in big.missions}) > 1
    assert [_without_lengths(each) for each in toys.missions] == [
        _without_lengths(each) for each in big.missions
    ]
    for one, other in zip(toys.missions, big.missions, strict=True):
        assert _lengths(one) == pytest.approx([each / SIZE for each in _lengths(other)])


def _without_lengths(mission: Mission) -> tuple[object, ...]:
    return mission.brigade, mission.units, mission.kind, mission.target, mission.area


def _lengths(mission: Mission) -> list[float]:
    return [mission.limit, *(length for end in mission.line for length in end)]


def test_slots_of_toys_have_small_intervals() -> None:
    big, toys = armies(), Toys().outlook
    plan = plan_for(big)
    (mission,) = (each for each in plan.missions if len(each.units) > 2)
    (toy,) = (each for each in scaled_plan(plan, 1 / SIZE).missions if len(each.units) > 2)

    usual = slots_of(mission, big.by_unit)
    slots = slots_of(toy, toys.by_unit, scale=SIZE)

    assert {slot.is_first for slot in usual.values()} == {True, False}
    for unit, slot in slots.items():
        assert (slot.x, slot.y) == pytest.approx((usual[unit].x / SIZE, usual[unit].y / SIZE))
        assert (slot.facing, slot.is_first) == (usual[unit].facing, usual[unit].is_first)


def test_nothing_is_rounded_where_nothing_is_scaled() -> None:
    known, plan = armies(), Plan(name="", missions=())

    assert scaled_outlook(known, 1.0) is known
    assert scaled_plan(plan, 1.0) is plan
