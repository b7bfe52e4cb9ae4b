"""Assaults: when a side closes with the enemy at a place, and how far its line then goes."""

from __future__ import annotations

import pytest

from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder
from emlia3d.rulekit.commander.ordered import ordered_mission
from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.personality import PERSONALITIES
from emlia3d.rulekit.commander.plan import Mission, MissionKind
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from tests.rulekit.commander.lines import a_line, body, objective, outlook

HILL = objective("hill", (180, 170, 380, 200), 3.0)
CREST = 200.0
"""The far edge of the hill, GSU along."""

FRONT = 101.0
"""The front of a line at y = 100."""


def foe(row: int, x: float, y: float = 180.0, **other: object) -> UnitProfile:
    return body(20 + row, x, y, facing=180 * 64, **other)


def known(
    foes: list[UnitProfile], units: list[UnitProfile] | None = None, **more: object
) -> Outlook:
    return outlook(units or a_line(4, 130), foes, objectives=(HILL,), **more)


def mission(look: Outlook) -> Mission:
    """The mission of the brigade's line, and not of the unit that goes ahead into the place."""
    return max(plan_for(look).missions, key=lambda each: len(each.units))


@pytest.mark.parametrize(("enemies", "assaults"), [(2, False), (1, True)])
def test_a_side_that_clearly_outweighs_the_enemy_assaults(enemies: int, assaults: bool) -> None:
    foes = [foe(row, 240 + 44 * row) for row in range(enemies)]

    assert known(foes).should_assault(HILL) is assaults


@pytest.mark.parametrize(
    "weak",
    [{"is_fit": False}, {"role": "leader"}, {"x": 700.0}],
    ids=("shaken", "a leader", "far away"),
)
def test_only_fit_troops_near_the_place_have_weight(weak: dict[str, object]) -> None:
    second = {"x": 284.0, "y": 180.0, **weak}

    assert known([foe(0, 240), body(21, **second)]).should_assault(HILL)  # type: ignore[arg-type]
    weaker = [body(unit, **{"x": 200.0 + 40 * unit, "y": 130.0, **weak}) for unit in range(4)]  # type: ignore[arg-type]
    assert not known([foe(0, 240)], weaker).should_assault(HILL)


@pytest.mark.parametrize(("name", "turn"), [("cautious", 9), ("steady", 8), ("bold", 6)], ids=str)
def test_a_side_assaults_when_time_is_short(name: str, turn: int) -> None:
    foes = [foe(row, 200 + 40 * row) for row in range(4)]
    leads = PERSONALITIES[name]

    early = known(foes, turn=turn - 1, personality=leads).should_assault(HILL)
    late = known(foes, turn=turn, personality=leads).should_assault(HILL)

    assert (early, late) == (False, True)


def test_the_line_of_an_assault_goes_up_to_the_enemy() -> None:
    units, foes = a_line(4), [foe(row, 220 + 40 * row, 130) for row in range(4)]

    shoots = mission(outlook(units, foes, objectives=(HILL,), turn=1))
    assaults = mission(outlook(units, foes, objectives=(HILL,), turn=9))

    assert (shoots.kind, assaults.kind) == ("attack", "assault")
    assert shoots.line[0][1] == pytest.approx(129 - 0.3 * 45)
    assert assaults.line[0][1] == pytest.approx(129 - 6)


def test_an_assault_goes_no_farther_than_its_place() -> None:
    beyond = [foe(row, 220 + 40 * row, 230) for row in range(4)]
    inside = [*beyond, foe(9, 300, 190, role="skirmish", holds_formation=False)]

    line = mission(known(inside, a_line(4, 185), turn=9)).line

    assert line[0][1] == pytest.approx(CREST - 4)


def test_a_place_that_is_the_side_s_is_held_and_not_assaulted() -> None:
    units = a_line(4, 180)

    kept = mission(known([foe(0, 260, 300)], units, turn=9))
    contested = mission(known([foe(0, 260, 190)], units, turn=9))

    assert (kept.kind, contested.kind) == ("hold", "assault")


@pytest.mark.parametrize(("kind", "short_of"), [("attack", 0.3 * 45), ("assault", 6.0)])
def test_a_player_s_brigade_assaults_a_place(kind: MissionKind, short_of: float) -> None:
    look = outlook(a_line(4), [foe(0, 260, 130)], places={"hill": HILL.outline})

    given = ordered_mission(look, BrigadeOrder(brigade="Foot", kind=kind, area="hill"))

    assert given is not None
    assert given.target == 20
    assert given.line[0][1] == pytest.approx(129 - short_of)
    assert given.line[0][1] > FRONT
