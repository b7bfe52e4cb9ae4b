"""Emlia's commanders plan by their personalities."""

from __future__ import annotations

import pytest

import emlia3d
from emlia3d.battle.commanders import ASKS_FOR_PLAN, NO_PLAN
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import FixedDice
from emlia3d.rulekit.commander.asking import PlanValidator
from emlia3d.rulekit.commander.plan import Mission, from_words
from emlia3d.rulekit.commander.slots import slots_of
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.play.situation.brigades import brigades_of

FIRST = 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "name", "lines"),
    [
        ("ridge", "cautious", (4, 2)),
        ("ridge", "steady", (5, 1)),
        ("ridge", "bold", (5, 1)),
        ("wendel", "cautious", (3, 1)),
        ("wendel", "steady", (3, 1)),
        ("wendel", "bold", (4, 0)),
        ("wendel", "aggression=0.5,caution=0.1", (4, 0)),
    ],
)
def test_the_lines_of_a_brigade_follow_from_the_personality(
    scenario: str, name: str, lines: tuple[int, int]
) -> None:
    """The first brigade of the ridge has six battalions, that of the brook of Wendel four."""
    battle = emlia3d.load(scenario).battle(seed=1)
    battle.suppose(battle.system.opening(battle.setup))
    picture = battle.system.picture(battle, FIRST)
    asked = Decision(
        side=FIRST,
        asks=ASKS_FOR_PLAN,
        options=(Order(verb=NO_PLAN),),
        validator=PlanValidator(battle, FIRST, brigades_of),
    ).for_moment(picture.battle)

    order = battle.commander(f"doctrine:{name}").decide(asked, picture, FixedDice(()))

    asked.check(order)
    mission: Mission = from_words(order.words).missions[0]
    bodies = {unit: body_of(battle, unit) for unit in mission.units}
    first = [slot.is_first for slot in slots_of(mission, bodies).values()]
    assert (first.count(True), first.count(False)) == lines
