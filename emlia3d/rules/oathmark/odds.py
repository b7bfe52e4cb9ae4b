"""Exact probabilities of a combat or a shooting attack, and its mean cost in points."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from emlia3d.battle.formatting import percent
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.odds import CheckOdds, Odds, Spread, UnitOutcome, mean
from emlia3d.rulekit.attack_odds import modifier_rows, refused
from emlia3d.rulekit.odds import at_least, compared, die, mapped, times
from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import entry_of
from emlia3d.rules.oathmark.combat import (
    BlockAttack,
    attack_on,
    hits_of,
    must_test_after_losses,
    pools_of,
)
from emlia3d.rules.oathmark.core import DicePool, reaches, total
from emlia3d.rules.oathmark.losses import Casualties, casualties_of, rows_after
from emlia3d.rules.oathmark.morale import dice_for
from emlia3d.rules.oathmark.shooting import Aim, bonus_after_shots, volley_of
from emlia3d.rules.oathmark.sight import aims_in_sight

DISORDER = 0.2
"""Cost of disorder, relative to a unit's points."""


@lru_cache(maxsize=512)
def spread_of_hits(dice: int, target: int) -> Spread:
    """Return the probability of each number of hits against a target number."""
    return times(mapped(die(10), lambda face: hits_of(face, target)), dice)


@lru_cache(maxsize=512)
def chance_to_fail(dice: int, modifier: int, activation: int) -> Fraction:
    """Return the probability that no die of a morale test reaches a value."""
    failing = sum(not reaches(face, modifier, activation) for face in range(1, 11))
    return Fraction(failing, 10) ** dice


def chance_to_fail_test(moment: Moment, unit: int, found: Casualties, bonus: int) -> Fraction:
    """Return the probability that a unit fails its test after losses; 0 without a test.

    bonus : for the test, if it is caused by shooting
    """
    if not must_test_after_losses(found.lost, present=found.left > 0):
        return Fraction(0)
    modifier = total(rows_after(moment, unit, (found.lost, found.left), bonus))
    activation = entry_of(moment.setup, unit).activation
    return chance_to_fail(dice_for(moment, unit), modifier, activation)


def fate_of(moment: Moment, unit: int, hits: Spread, bonus: int) -> UnitOutcome:
    """Return the possible fates of a unit after hits and the following test."""
    breaks = bool(moment.state.units.value("disordered", unit))
    lost: dict[int, Fraction] = {}
    gone = failed = Fraction(0)
    for count, chance in hits.items():
        found = casualties_of(moment, unit, count)
        fails = chance_to_fail_test(moment, unit, found, bonus)
        lost[found.fallen] = lost.get(found.fallen, Fraction(0)) + chance
        failed += chance * fails
        gone += chance * (Fraction(1) if not found.left else fails if breaks else 0)
    stays = {int(breaks): 1 - gone} if breaks else {0: 1 - gone - failed, 1: failed}
    slug = "oathmark.morale.broken" if breaks else "oathmark.morale.fail"
    return UnitOutcome(
        points=dict(hits),
        lost=lost,
        destroyed=gone,
        morale={state: chance for state, chance in stays.items() if chance},
        because={slug: failed} if failed else {},
    )


def cost_of(moment: Moment, unit: int, hits: Spread, bonus: int) -> float:
    """Return the mean cost of hits for a unit in points, including disorder."""
    entry, units = entry_of(moment.setup, unit), moment.state.units
    each = entry.points / (entry.crew or 1) if not entry.is_one else entry.points / entry.health
    breaks, spent = bool(units.value("disordered", unit)), 0.0
    wounds = units.integer("wounds", unit)
    for count, chance in hits.items():
        found = casualties_of(moment, unit, count)
        fails = chance_to_fail_test(moment, unit, found, bonus)
        left = entry.health - wounds - count if entry.is_one else found.left
        struck = min(count, entry.health - wounds) if entry.is_one else found.fallen
        # A destroyed unit does not test.
        risk = float(fails) * left * (1.0 if breaks else DISORDER)
        spent += float(chance) * (struck + risk) * each
    return spent


def gain_of_attack(moment: Moment, attack: BlockAttack, fear: float = 1.0) -> float:
    """Return the mean loss of the defender minus that of the attacker, points.

    fear : weight of the attacker's losses
    """
    own, foe = (spread_of_hits(pool.dice, pool.target) for pool in pools_of(moment, attack))
    taken = cost_of(moment, attack.defender, own, 0)
    return taken - fear * cost_of(moment, attack.attacker, foe, 0)


def gain_of_shot(moment: Moment, unit: int, aim: Aim, actions: int) -> float:
    """Return the mean loss of the target of a shooting attack, points."""
    volley = volley_of(moment, unit, aim, actions)
    return cost_of(
        moment,
        aim.target,
        spread_of_hits(volley.dice, volley.target),
        bonus_after_shots(moment, unit),
    )


# Answers


def odds_of_shot(moment: Moment, unit: int, target: int) -> Odds:
    """Return the odds of a shooting attack from the unit's current position."""
    aim = next((aim for aim in aims_in_sight(moment, unit) if aim.target == target), None)
    if aim is None:
        told = "no line of sight in range (oathmark.shoot.los-half)"
        return refused(moment, [unit], target, "shoot", told)
    names = [moment.setup.units[row].name for row in (unit, target)]
    volley = volley_of(moment, unit, aim, 0)
    hits = spread_of_hits(volley.dice, volley.target)
    fates = {names[1]: fate_of(moment, target, hits, bonus_after_shots(moment, unit))}
    return Odds(
        rules=moment.system.name, attacker=names[0], target=names[1], action="shoot",
        weapon=entry_of(moment.setup, unit).weapon, checks=(_check(names[0], names[1], volley),),
        hits=hits, fates=fates, text=_text(names, hits, fates),
    )  # fmt: skip


def odds_of_attack(moment: Moment, unit: int, target: int) -> Odds:
    """Return the odds of an attack from the unit's current position, with Charge."""
    reach = {foe: far for foe, far, _ in Actions(moment, unit, Activity(full=True)).attacks()}
    if target not in reach:
        told = "no move ahead brings it into contact (oathmark.combat.trigger)"
        return refused(moment, [unit], target, "attack", told)
    names = [moment.setup.units[row].name for row in (unit, target)]
    own, foe = pools_of(moment, attack_on(moment, unit, target, reach[target]))
    hits = [spread_of_hits(pool.dice, pool.target) for pool in (own, foe)]
    fates = {
        names[1]: fate_of(moment, target, hits[0], 0), names[0]: fate_of(moment, unit, hits[1], 0),
    }  # fmt: skip
    checks = _check(names[0], names[1], own), _check(names[1], names[0], foe)
    _, _, wins = compared(hits[0], hits[1])
    text = f"{_text(names, hits[0], fates)} {names[0]} has more hits: {percent(float(wins))}."
    return Odds(
        rules=moment.system.name, attacker=names[0], target=names[1], action="attack",
        checks=checks, hits=hits[0], fates=fates, text=text,
    )  # fmt: skip


def _check(unit: str, target: str, pool: DicePool) -> CheckOdds:
    each = spread_of_hits(1, pool.target)
    return CheckOdds(
        unit=unit, target=target, dice=pool.dice, modifier=total(pool.rows),
        rows=modifier_rows(pool.rows), chance=at_least(each, 1), expected=mean(each) * pool.dice,
    )  # fmt: skip


def _text(names: list[str], hits: Spread, fates: Mapping[str, UnitOutcome]) -> str:
    told = [
        f"{name} loses {float(mean(fate.lost)):.1f} and is gone in {percent(float(fate.destroyed))}"
        for name, fate in fates.items()
    ]
    average = f"{float(mean(hits)):.1f} hits on average"
    return f"{names[0]} against {names[1]}: {average}; {'; '.join(told)}."
