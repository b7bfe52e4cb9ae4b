"""A personality changes the plan of its side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.rulekit.commander.army_plan import plan_for
from emlia3d.rulekit.commander.detachments import detached
from emlia3d.rulekit.commander.front import front_of
from emlia3d.rulekit.commander.outlook import Outlook
from emlia3d.rulekit.commander.personality import PERSONALITIES, Personality, personality_of
from emlia3d.rulekit.commander.slots import slots_of
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from tests.battle.toy_commander import LedTin, TinSide, body_of
from tests.rulekit.commander import nursery
from tests.rulekit.commander.lines import a_line, body, objective, outlook
from tests.rulekit.commander.nursery import ALICE

NAMES = ("cautious", "steady", "bold")
HILL = objective("hill", (150, 400, 400, 500), 3.0)
FAR_FOE = body(9, 340, 600)


def of(name: str, known: Outlook) -> Outlook:
    """Return what a side of that personality knows."""
    return replace(known, personality=PERSONALITIES[name])


def behind(name: str, units: list[UnitProfile], **other: object) -> list[int]:
    """Return the units that a brigade keeps behind its line."""
    known = of(name, outlook(units, [FAR_FOE], **other))
    return [each.unit for each in front_of(known, units, None).second]


def off_the_enemy(name: str, **other: object) -> float:
    """Return how far before an enemy in reach a line halts, GSU."""
    units, foe = a_line(4), body(9, 260, 135)
    (_, along), _ = plan_for(of(name, outlook(units, [foe], **other))).missions[0].line
    return foe.y - foe.depth / 2 - along


def test_a_cautious_side_keeps_one_unit_in_three_behind_and_a_bold_one_in_six() -> None:
    line, behind_it = a_line(12), [body(12 + row, 200 + 40 * row, 60) for row in range(4)]

    kept = {name: behind(name, [*line, *behind_it]) for name in NAMES}

    assert {name: len(units) for name, units in kept.items()} == {
        "cautious": 5, "steady": 4, "bold": 2,
    }  # fmt: skip
    assert set(kept["bold"]) < set(kept["steady"]) < set(kept["cautious"])


def test_only_a_cautious_side_takes_units_out_of_its_line() -> None:
    assert behind("cautious", a_line(6)) == [2, 3]
    assert behind("steady", a_line(6)) == []
    assert behind("bold", a_line(6)) == []


def test_a_cautious_side_keeps_its_least_valuable_units_behind() -> None:
    units = [body(each.unit, each.x, each.y, worth=0.5 + (each.unit != 5)) for each in a_line(6)]

    assert 5 in behind("cautious", units)


def test_a_cautious_side_takes_no_unit_out_of_its_line_near_the_enemy() -> None:
    units = a_line(6)
    known = of("cautious", outlook(units, [body(9, 300, 200)]))

    assert front_of(known, units, None).second == ()


def test_a_cautious_line_halts_farther_off_and_a_bold_one_closes_in() -> None:
    """The middle of short range, 30, and medium, 60, is 45; steady lines halt at 0.3 of it."""
    assert [off_the_enemy(name) for name in NAMES] == pytest.approx(
        [13.5 * 1.35**2, 13.5, 13.5 * 0.6**2]
    )


def test_a_steady_line_closes_on_its_place_a_turn_sooner_than_a_cautious_one() -> None:
    def turns_of_closing(name: str) -> list[int]:
        gaps = {turn: off_the_enemy(name, turn=turn, objectives=(HILL,)) for turn in range(1, 13)}
        return [turn for turn, gap in gaps.items() if gap == pytest.approx(6.0)]

    near = [off_the_enemy(name, turn=5, objectives=(HILL,)) for name in NAMES]

    assert near[2] < near[1] < near[0]
    assert turns_of_closing("steady") == [8, 9, 10, 11, 12]
    assert turns_of_closing("cautious") == [9, 10, 11, 12]
    assert off_the_enemy("bold", objectives=(HILL,)) < 6.0, "it is nearer than that all along"


@pytest.mark.parametrize(("name", "goes"), [("cautious", False), ("steady", True), ("bold", True)])
def test_a_cautious_side_sends_no_unit_where_it_is_outnumbered(name: str, goes: bool) -> None:
    farm = objective("farm", (190, 190, 230, 230), 1.0)
    foes = [body(9, 200, 240, worth=1.2)]

    assert bool(detached(of(name, outlook(a_line(6), foes, objectives=(farm,))), None)) is goes


def test_a_bold_side_s_cavalry_leaves_its_reserve_sooner() -> None:
    horse = body(11, 500, 80, role="cavalry", speed=80.0, reach=160.0, width=60.0)
    guns = body(20, 480, 200, role="guns")
    kinds = dict[str, str]()
    for name, gap in (("bold", 150), ("steady", 150), ("cautious", 100)):
        known = outlook([*a_line(4), horse], [body(9, 260, 100 + gap), guns])
        mission = plan_for(of(name, known)).mission_of(11)
        kinds[name] = "" if mission is None else mission.kind

    assert kinds == {"bold": "flank", "steady": "reserve", "cautious": "reserve"}


def test_the_name_of_a_plan_says_the_personality() -> None:
    known = outlook(a_line(4), objectives=(HILL,))

    names = [plan_for(of(name, known)).name for name in NAMES]

    assert names == ["take the hill cautiously", "take the hill", "take the hill boldly"]


def test_a_side_of_the_middle_way_plans_as_one_without_a_personality() -> None:
    known = outlook(a_line(6), [body(9, 260, 190)], objectives=(HILL,))

    assert plan_for(of("steady", known)) == plan_for(known)
    assert personality_of("aggression=0.5") == Personality() == PERSONALITIES["steady"]


def test_figures_between_the_names_lie_between_them() -> None:
    found = personality_of("aggression=0.7,caution=0.3")
    assert found is not None

    assert found.one_in(4) == 5
    assert PERSONALITIES["bold"].distance < found.distance < PERSONALITIES["steady"].distance
    assert found.adverb == "boldly"
    assert [Personality(caution=caution).one_in(4) for caution in (0, 1)] == [8, 3]


class Waiting:
    """Takes the first option: its units stand where they are."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        return decision.options[0]


def test_a_led_army_that_is_cautious_comes_on_later_and_keeps_units_behind() -> None:
    gaps, behind = dict[str, float](), dict[str, int]()

    for name in ("cautious", "steady"):
        setup = replace(nursery.setup(f"doctrine:{name}", turns=14), aims=())
        battle = Battle(setup, LedTin(), 1)
        for turn in nursery.turns_of(battle, [battle.commanders()[ALICE], Waiting()]):
            if turn == 1:
                behind[name] = sum(
                    not slots_of(mission, bodies, scale=TinSide.scale)[unit].is_first
                    for mission in nursery.plan_now(battle, ALICE).missions
                    for bodies in [{one: body_of(battle, one) for one in mission.units}]
                    for unit in mission.units
                )
            if turn == 7:
                gaps[name] = -sum(nursery.middle_along(battle, side) for side in nursery.SIDES)

    assert behind == {"cautious": 2, "steady": 0}, "one of the three of each brigade"
    assert gaps["cautious"] > gaps["steady"] + 5
