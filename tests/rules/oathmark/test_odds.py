"""Odds of attacks and shots, compared with play in every way that the dice can fall."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.questions.odds import Odds, mean
from emlia3d.errors import Error
from emlia3d.rulekit.ways import all_ways
from emlia3d.rules.oathmark.combat import attack_on
from emlia3d.rules.oathmark.core import BlockSide
from emlia3d.rules.oathmark.odds import (
    chance_to_fail,
    cost_of,
    gain_of_attack,
    spread_of_hits,
)
from emlia3d.rules.oathmark.shooting import shoot
from emlia3d.rules.oathmark.sight import aims_in_sight
from tests.rules.oathmark.tables import INCH, SOLDIER, put, table

FEW: dict[str, Any] = {**SOLDIER, "members": 1, "points": 10}
FOE: dict[str, Any] = {**FEW, "side": "Blue", "facing": 180, "members": 2}


def first(battle: Battle, decision: Decision, number: int) -> Order:
    """Return the first option."""
    return decision.options[0]


def lost_in_play(battle: Battle, procedure: Any, unit: int) -> dict[tuple[int, int], Fraction]:
    """Return the chances of the figures that a unit loses, and of its being gone."""
    found: dict[tuple[int, int], Fraction] = {}
    scene = battle.fork()
    for way in all_ways(scene, [lambda: procedure(scene)], first, {}):
        facts: list[Any] = [event.facts for event in way.events if event.name == "hurt"]
        gone = int(not scene.state.units.value("present", unit))
        key = sum(each.fallen for each in facts), gone
        found[key] = found.get(key, Fraction(0)) + way.chance
    return found


def test_a_spread_of_hits_counts_double_and_triple_hits() -> None:
    assert spread_of_hits(1, 5) == {
        0: Fraction(4, 10), 1: Fraction(5, 10), 2: Fraction(1, 10),
    }  # fmt: skip
    assert spread_of_hits(1, 0)[3] == Fraction(1, 10)
    assert mean(spread_of_hits(5, 6)) == Fraction(5, 2)
    assert sum(spread_of_hits(7, 4).values()) == 1


def test_a_test_fails_if_all_dice_do() -> None:
    assert chance_to_fail(2, 0, 5) == Fraction(4, 10) ** 2
    assert chance_to_fail(3, -8, 6) == Fraction(9, 10) ** 3


@pytest.mark.parametrize("disordered", [0, 1])
def test_odds_of_a_shot_are_those_of_play(disordered: int) -> None:
    bows = {**FEW, "weapon": "bow", "shoot": 2}
    battle = table(bows, {**FOE, "officer": (0, 300)})
    put(battle, 1, disordered=disordered)
    (aim,) = aims_in_sight(battle, 0)

    odds = battle.system.odds(battle, 0, 1)
    played = lost_in_play(battle, lambda scene: shoot(scene, 0, aim, 0), 1)

    fate = odds.fates["unit 1"]
    lost: dict[int, Fraction] = {}
    for (fallen, _), chance in played.items():
        lost[fallen] = lost.get(fallen, Fraction(0)) + chance
    assert fate.lost == lost
    assert fate.destroyed == sum(chance for (_, gone), chance in played.items() if gone)
    assert sum(fate.lost.values()) == sum(odds.hits.values()) == 1
    assert sum(fate.morale.values(), start=fate.destroyed) == 1


def test_odds_of_an_attack_have_both_units() -> None:
    battle = table({**SOLDIER, "points": 12}, {**SOLDIER, "points": 12, "side": "Blue",
                   "facing": 180, "officer": (0, 100)})  # fmt: skip

    odds = battle.system.odds(battle, 0, 1)

    assert isinstance(odds, Odds)
    assert odds.refusal is None
    assert set(odds.fates) == {"unit 0", "unit 1"}
    assert [check.dice for check in odds.checks] == [5, 5]
    assert odds.checks[0].rows[0].slug == "oathmark.combat.mod-full-ranks"
    assert "has more hits" in odds.text


def test_odds_out_of_reach_say_why() -> None:
    battle = table(SOLDIER, {**SOLDIER, "side": "Blue", "officer": (0, 500)})

    attack = battle.system.odds(battle, 0, 1, "attack")
    shot = battle.system.odds(battle, 0, 1, "shoot")

    assert attack.refusal is not None
    assert "oathmark.combat.trigger" in attack.refusal
    assert shot.refusal is not None
    with pytest.raises(Error):
        battle.system.odds(battle, 0, 1, "dance")


def test_a_flank_attack_gains_more() -> None:
    wide = {**SOLDIER, "points": 12, "members": 15}
    battle = table(wide, {**wide, "side": "Blue", "facing": 180, "officer": (0, 100)})
    front = attack_on(battle, 0, 1, 2 * INCH)
    flank = front.__class__(
        attacker=0, defender=1, struck=BlockSide.LEFT, moved=2 * INCH, over_works=False
    )

    assert gain_of_attack(battle, flank) > gain_of_attack(battle, front) + 5
    assert cost_of(battle, 1, {0: Fraction(1)}, 0) == 0
    assert cost_of(battle, 1, {1: Fraction(1)}, 0) > 12
