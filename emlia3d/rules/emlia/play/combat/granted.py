"""Emlia, chapter 4 as play: the actions that abilities add to the core ones.

What they are is in `emlia3d.rules.emlia.unit_sets.abilities`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import ActionType, granted_bit
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.columns import Acted, MoraleNote
from emlia3d.rules.emlia.events.combat import UsedAnAbility
from emlia3d.rules.emlia.play.acting.actions import Deed, may_use, used, used_bit
from emlia3d.rules.emlia.play.acting.checks import facts_of, marked, skilled, total_modifier
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.sight.awareness import may_be_subject
from emlia3d.rules.emlia.play.situation.contact import enemies_of, friends_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.skills import roll_check
from emlia3d.rules.emlia.unit_sets.abilities import GrantedAction, granted, shares_keyword
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


def ability_options(moment: Moment, unit: int) -> list[Order]:
    """Each action of the unit's own, by number, on each subject in its range."""
    return [
        Order(verb="ability", unit=unit, target=subject, number=number)
        for number, ability in enumerate(granted(situation_of(moment).entry(unit).all_abilities))
        if may_grant(moment, unit, number, ability) is None
        for subject in _subjects(moment, unit, ability)
    ]


def may_grant(moment: Moment, unit: int, number: int, ability: GrantedAction) -> Refusal | None:
    """Return why a granted action may not be used; None if its cost and dice are available."""
    spent = may_use(moment, unit, ActionType(ability.kind), ability.name, granted_bit(number))
    if spent is not None:
        return spent
    if not skilled(moment, unit, ability.skill, ability.improvised).dice:
        return Refusal("emlia.skill.improvise", "it lacks the skill, which cannot be improvised")
    return None


def _subjects(moment: Moment, unit: int, ability: GrantedAction) -> list[int]:
    if ability.subject == "self":
        return [unit]
    situation = situation_of(moment)
    others = friends_of(moment, unit) if ability.subject == "friend" else enemies_of(moment, unit)
    return [
        other
        for other in others
        if in_reach(situation.distance(unit, other), ability.range)
        and _is_among(moment, other, ability.against)
        and may_be_subject(moment, unit, other) is None
    ]


def _is_among(moment: Moment, unit: int, keywords: tuple[str, ...]) -> bool:
    """Return whether a unit, or a subunit, has one of the keywords; true if there are none."""
    situation = situation_of(moment)
    parts = situation.parts(unit) if keywords else ()
    return not keywords or any(
        shares_keyword(situation.entry(part).keywords, keywords) for part in parts
    )


@rule("emlia.action.abilities-add")
def perform(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """One check of the skill; each success gives what the ability says, in the resolution."""
    assert order.number is not None
    assert order.target is not None
    ability = granted(situation_of(battle).entry(unit).all_abilities)[order.number]
    kind = ActionType(ability.kind)
    if kind is ActionType.MOVE:
        yield from free_strike.provoked(battle, unit, pose_of(battle, unit))
    tried = skilled(battle, unit, ability.skill, ability.improvised)
    slug = "emlia.action.abilities-add"
    own = Modified(ability.modifier, (slug,), (ability.modifier,))
    modifier = total_modifier(battle, unit, own, tried)
    check = roll_check("emlia.action.abilities-add", tried.dice, modifier.total, battle.dice)
    changes: list[Change] = []
    if kind is ActionType.FREE:
        changes.append(used_bit(battle, unit, granted_bit(order.number)))
    else:
        changes += used(unit, kind)
    changes += _given(battle, unit, order.target, ability, check.successes)
    yield Event(
        facts=UsedAnAbility(ability=ability.name, **facts_of(check)),
        unit=unit,
        target=order.target,
        gesture="rally" if check.succeeded else "none",
        because=modifier.because,
        changes=tuple(changes),
    )


def _given(
    moment: Moment, unit: int, subject: int, ability: GrantedAction, successes: int
) -> tuple[Change, ...]:
    """Return the changes that successes bring; hits are an attack even if none struck."""
    if ability.gives == "hits":
        return marked(moment, unit, subject, ability.amount, successes, how=Acted.ATTACKED)
    if not successes:
        return ()
    what = MoraleNote.IMPROVED if ability.gives == "morale" else MoraleNote.REORDERED
    amount = successes * ability.amount
    return (Append(table="note", row={"unit": subject, "what": what, "amount": amount}),)


ABILITIES = Deed(verbs=("ability",), options=ability_options, perform=perform)
