"""Emlia, chapter 14.6 as play: Disengage/Distract.

The table is in `emlia3d.rules.emlia.tables.disengage`; barred members that do not strike, in
`emlia3d.rules.emlia.play.combat.free_strike`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.changes import Change, Pair
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.numbers import in_force
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.events.combat import CouldNotDisengage, Disengaged, KeptBusy
from emlia3d.rules.emlia.play.acting.actions import Deed, chosen, may_take, used_by
from emlia3d.rules.emlia.play.acting.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.combat.close_combat import PLAIN, MeleeAttack, blow_at
from emlia3d.rules.emlia.play.combat.striking import withdrawal_because
from emlia3d.rules.emlia.play.sight.awareness import acted_on, is_aware
from emlia3d.rules.emlia.play.situation.arms import possible_targets, weapon_of
from emlia3d.rules.emlia.play.situation.contact import able_in, engaged_by, in_reach_of, melee_of
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all, parts_of
from emlia3d.rules.emlia.tables.disengage import (
    MODIFIERS,
    DisengageFacts,
    barred_by,
    disengage_modifier,
)
from emlia3d.rules.emlia.tables.mixed import against_all
from emlia3d.rules.emlia.tables.skills import Attempt, automatic_check, roll_check
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


def subjects_of(moment: Moment, unit: int) -> list[int]:
    """All enemies that the unit is engaged with, either way, and aware of."""
    return [foe for foe in _engaged(moment, unit) if is_aware(moment, unit, foe)]


def _engaged(moment: Moment, unit: int) -> list[int]:
    return sorted({*engaged_by(moment, unit), *in_reach_of(moment, unit)})


def may_disengage(moment: Moment, unit: int) -> Refusal | None:
    """Return a primary action is left, there is an enemy to keep busy, and dice to do it with."""
    refusal = may_take(moment, unit, "disengage/distract")
    if refusal is not None:
        return refusal
    if may_target(moment, unit, "disengage/distract", *_engaged(moment, unit)) is not None:
        return Refusal("emlia.disengage", "it is not engaged with a known enemy")
    if not any(attempt.dice for attempt in attempts_of(moment, unit).values()):
        return Refusal("emlia.skill.improvise", "it has no skill for that")
    return None


def disengage_options(moment: Moment, unit: int) -> list[Order]:
    """To disengage, or to distract where it then stays."""
    if may_disengage(moment, unit) is not None:
        return []
    return [Order(verb="disengage", unit=unit)]


def attempts_of(moment: Moment, unit: int) -> dict[int, Attempt]:
    """Return the dice of each subunit, with its own skill and the members of it that fight.

    Subunits with no member in the fight stay out, unless no member of the unit has an enemy in
    reach.
    """
    parts, members = parts_of(moment, unit), moment.state.units.ints("members")
    fighting = able_in(moment, unit, melee_of(moment, unit))
    own = np.split(fighting, np.cumsum(members[list(parts)])[:-1])
    able = {part: int(some.sum()) for part, some in zip(parts, own, strict=True)}
    return {
        part: attempt_of(moment, part, "disengage/distract", count)
        for part, count in able.items()
        if count or not fighting.any()
    }


def modifier_of(moment: Moment, row: int, subjects: Sequence[int]) -> Modified:
    """Return one subunit's modifier against all the enemies (`emlia.mixed.check-against`).

    row : the subunit, or a plain unit
    """
    unit, targets = head_of(moment, row), possible_targets(moment, subjects)
    attack = MeleeAttack(
        unit=unit, row=row, weapon=weapon_of(moment, row), melee=melee_of(moment, unit),
        occasion=PLAIN,
    )  # fmt: skip
    unaware = _are_unaware(moment, unit, subjects)
    charged = bool(moment.state.units.value("charged", unit))
    rows = []
    for target in targets:
        blow = blow_at(moment, attack, target)
        one = DisengageFacts(
            numbers=blow.numbers,
            concealment=blow.concealment,
            cover=blow.cover,
            rough=blow.rough,
            charged=charged,
            unaware=unaware,
        )
        rows.append(disengage_modifier(one, in_force(moment, MODIFIERS)))
    members = moment.state.units.ints("members")
    return against_all([int(members[target]) for target in targets], rows)


def _are_unaware(moment: Moment, unit: int, subjects: Sequence[int]) -> bool:
    return all(not is_aware(moment, foe, unit) for foe in subjects)


@rule("emlia.disengage", "emlia.disengage.stay", "emlia.disengage.failure")
def disengage(battle: Battle, unit: int) -> Procedure[int]:
    """Roll the skill; enemies are then too busy for free strikes. Return the successes.

    Each subunit makes its own check. Each success bars as many enemies as the whole unit has
    members. The unit may go or stay afterwards; a failure has no effect.
    """
    subjects, successes = subjects_of(battle, unit), 0
    unaware = _are_unaware(battle, unit, subjects)
    costs: tuple[Change, ...] = (
        *used_by(battle, unit, "disengage/distract"),
        *(acted_on(battle, unit, foe) for foe in subjects),
    )
    for row, tried in attempts_of(battle, unit).items():
        if not tried.dice:
            continue
        modifier = total_modifier(battle, row, modifier_of(battle, row, subjects), tried)
        if unaware:
            check = automatic_check(tried.dice, modifier.total)
        else:
            check = roll_check("emlia.disengage", tried.dice, modifier.total, battle.dice)
        yield Event(
            facts=(Disengaged if check.successes else CouldNotDisengage)(
                enemies=tuple(subjects), **facts_of(check)
            ),
            unit=row,
            target=subjects[0],
            gesture="strike",
            because=(
                *withdrawal_because(battle, row, subjects, tried, check, modifier),
                *modifier.because,
            ),
            changes=costs,
        )
        successes, costs = successes + check.successes, ()
    if successes:
        count = barred_by(members_of_all(battle, unit), successes)
        yield from _bar(battle, unit, subjects, count)
    return successes


def _bar(moment: Moment, unit: int, subjects: Sequence[int], count: int) -> Procedure[None]:
    """Bar *count* members of the enemies that the source's player picks from free strikes."""
    left = {foe: members_of_all(moment, foe) for foe in subjects}
    barred: dict[int, int] = {}
    while left and count:
        foe = next(iter(left))
        if count < sum(left.values()):
            options = [Order(verb="bar", unit=unit, target=one) for one in left]
            order = yield from chosen(moment, unit, "emlia.disengage.success", options)
            assert order.target is not None
            foe = order.target
        barred[foe] = min(count, left.pop(foe))
        count -= barred[foe]
    before = moment.state.pairs["barred"]
    changes: list[Change] = [
        Pair(column="barred", a=unit, b=foe, value=int(before.get((unit, foe), 0)) + members)
        for foe, members in barred.items()
    ]
    yield Event(
        facts=KeptBusy(
            enemies=tuple(moment.setup.units[foe].name for foe in barred),
            members=tuple(barred.values()),
        ),
        unit=unit,
        because=("emlia.disengage.success",),
        changes=tuple(changes),
    )


def carry_out(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Disengage or distract."""
    assert order.unit == unit
    yield from disengage(battle, unit)


DISENGAGE = Deed(verbs=("disengage",), options=disengage_options, perform=carry_out)
