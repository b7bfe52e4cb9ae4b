"""Emlia, chapter 14.4 as play: Close Combat.

The table is in `emlia3d.rules.emlia.tables.melee`, the reach of units in
`emlia3d.rules.emlia.play.situation.contact`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Append, Change, Pair
from emlia3d.battle.decisions import Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.numbers import in_force, numbers_of
from emlia3d.rules.emlia.basics.tables import joined
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.columns import Acted, Armour
from emlia3d.rules.emlia.events.combat import Struck, StruckFree
from emlia3d.rules.emlia.play.acting.actions import Deed, used_by
from emlia3d.rules.emlia.play.acting.checks import (
    FOCUSED,
    armour_against,
    as_one,
    attempt_of,
    facts_of,
    marked,
    total_modifier,
)
from emlia3d.rules.emlia.play.combat.melee_orders import (
    STRIKE_FIRST,
    Party,
    body_of,
    led_by,
    melee_options,
)
from emlia3d.rules.emlia.play.combat.striking import blow_because
from emlia3d.rules.emlia.play.sight.awareness import acted_on, is_aware, known_of
from emlia3d.rules.emlia.play.sight.covering import cover_of, part_seen_from
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.arms import (
    armed,
    parried,
    possible_targets,
)
from emlia3d.rules.emlia.play.situation.contact import (
    Melee,
    able_against,
    able_at,
    able_in,
    engaged_by,
    fronts_of,
    in_reach_of,
    is_ranked,
    melee_of,
    own_able_at,
    side_met,
    side_met_by,
    side_towards,
)
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.parts import combination, head_of, is_mixed, members_of_all
from emlia3d.rules.emlia.play.situation.reach import own_reach
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.melee import MODIFIERS, BlowFacts, MeleeNumbers, melee_modifier
from emlia3d.rules.emlia.tables.primary import Focus, has_elevation
from emlia3d.rules.emlia.tables.skills import automatic_check, roll_check
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """The circumstances of a Close Combat.

    breaks_away : it is a free strike at a unit that leaves the engagement
    passing : the ground that it crosses, if it only passes through the striker's reach
    barred : members of the striker who do not strike, as they are kept busy
    """

    charged: bool = False
    free_strike: bool = False
    breaks_away: bool = False
    passing: BaseGeometry | None = None
    barred: int = 0


PLAIN = Occasion()


FOUGHT_LEVEL = 2
"""In the column "fought": one more where the attacker fought uphill, one less downhill."""

FRONTS = (None, *UnitEdge)
"""The meaning of the numbers in the column "front"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeleeAttack:
    """The facts that the checks of one Close Combat share.

    row : the subunit that strikes, by its own skill
    focus : the subunit that is singled out
    several_fronts : a ranked unit strikes enemies on different sides of it
    """

    unit: int
    row: int
    weapon: Weapon
    melee: Melee
    occasion: Occasion
    focus: int | None = None
    several_fronts: bool = False


def strengths_of(moment: Moment, unit: int, melee: Melee) -> MeleeNumbers:
    """Return the numbers that are able to strike and that strike: in a skirmish all members.

    In ranked combat: members in reach of any enemy, and enemies that reach the unit.
    """
    if melee.ranked:
        facing = engaged_by(moment, unit)
        theirs = sum(int(able_against(moment, foe, unit).sum()) for foe in facing)
        return MeleeNumbers(int(able_in(moment, unit, melee).sum()), theirs)
    enemies = sum(members_of_all(moment, other) for other in melee.enemies)
    return MeleeNumbers(
        sum(members_of_all(moment, other) for other in melee.group) - enemies, enemies
    )


@rule("emlia.melee", "emlia.melee.several-enemies", "emlia.melee.failure")
def close_combat(
    battle: Battle, unit: int, order: Order, occasion: Occasion = PLAIN
) -> Procedure[None]:
    """One check against each enemy struck; in a skirmish one against the whole other side.

    In ranked combat a member in reach of two of them strikes the one that its player names, or
    else the first. Each subunit of a mixed unit makes checks of its own, with its own skill and
    weapon.
    """
    melee = melee_of(battle, unit)
    focus = order.target if order.verb.endswith(FOCUSED) else None
    struck = known_of(battle, unit, melee.parties, order.target if occasion.charged else None)
    if focus is not None:
        struck = [(head_of(battle, focus),)]
    elif occasion.free_strike and order.target is not None:
        struck = [(order.target,)]
    elif order.verb == STRIKE_FIRST:
        struck = led_by(struck, order.target)
    elif order.target is not None and melee.ranked:
        struck = [party for party in struck if order.target in party]
    costs = () if occasion.free_strike else used_by(battle, unit, "close combat")
    barred = occasion.barred
    for row, weapon in combination(armed(battle, unit), order.number or 0).items():
        attack = MeleeAttack(
            unit=unit, row=row, weapon=weapon, melee=melee, occasion=occasion, focus=focus
        )
        for one, party, able in _blows(battle, attack, struck):
            busy = min(barred, able)
            barred -= busy
            if busy and busy == able:
                continue
            yield _strike(battle, one, party, able - busy, costs)
            costs = ()


def _blows(
    moment: Moment, attack: MeleeAttack, struck: Sequence[Party]
) -> list[tuple[MeleeAttack, Party, int]]:
    """Return the checks of one subunit: the units struck and the number of strikers of each."""
    row, passing = attack.row, attack.occasion.passing
    if passing is not None:
        return [(attack, struck[0], int(own_able_at(moment, row, passing).sum()))]
    members = moment.state.units.integer("members", row)
    if not attack.melee.ranked:
        return [(attack, struck[0], members)]
    situation, idle = situation_of(moment), np.ones(members, dtype=np.bool_)
    many, found = is_mixed(moment, attack.unit), list[tuple[Party, int]]()
    for party in struck:
        focus = attack.focus
        target = body_of(moment, party) if focus is None else situation.alone(focus)[0]
        gap = float(target.distance(situation.alone(row)[0]))
        if many and not in_reach(gap, own_reach(situation, row)):
            continue
        free = own_able_at(moment, row, target) & idle
        idle &= ~free
        if free.any():
            found.append((party, int(free.sum())))
    fronts = {side_met_by(moment, attack.unit, party) for party, _ in found}
    attack = replace(attack, several_fronts=len(fronts) > 1)
    return [(attack, party, able) for party, able in found]


def _strike(
    battle: Battle, attack: MeleeAttack, struck: Sequence[int], able: int, costs: tuple[Change, ...]
) -> Event:
    """One check of Close Combat and its hits, pushes and marks."""
    unit, occasion = attack.unit, attack.occasion
    tried = attempt_of(battle, attack.row, "close combat", able)
    unaware = all(not is_aware(battle, foe, unit) for foe in struck)
    subjects = [attack.focus] if attack.focus is not None else possible_targets(battle, struck)
    blows = [replace(blow_at(battle, attack, row), all_unaware=unaware) for row in subjects]
    table = in_force(battle, MODIFIERS)
    rows = [melee_modifier(blow, table) for blow in blows]
    numbers = blows[0].numbers
    against = joined(
        as_one(battle, subjects, rows), parried(battle, unit, attack.melee, attack.focus)
    )
    modifier = total_modifier(battle, attack.row, against, tried)
    if unaware:
        check = automatic_check(tried.dice, modifier.total)
    else:
        check = roll_check("emlia.melee", tried.dice, modifier.total, battle.dice)
    return Event(
        facts=(StruckFree if occasion.free_strike else Struck)(
            weapon=attack.weapon.name,
            base_damage=attack.weapon.base_damage,
            enemies=tuple(struck),
            numbers=(numbers.source, numbers.subject),
            **facts_of(check, modifier),
        ),
        unit=attack.row,
        target=struck[0] if attack.focus is None else attack.focus,
        gesture="strike",
        because=(
            *blow_because(battle, attack, struck, tried, check, modifier, bool(costs)),
            *modifier.because,
        ),
        changes=(*costs, *_consequences(battle, attack, struck, check.successes, unaware)),
    )


@rule("emlia.melee.success")
def _consequences(
    moment: Moment, attack: MeleeAttack, struck: Sequence[int], successes: int, unaware: bool
) -> list[Change]:
    """Return a hit for each success, the push, and the record of the fight."""
    unit, changes = attack.unit, _acquainted(moment, attack.unit, struck)
    party = -1
    if len(struck) > 1:
        party = len(moment.state.lists["party"])
        changes += [Append(table="party", row={"party": party, "unit": foe}) for foe in struck]
    changes += marked(
        moment, unit, struck[0], attack.weapon.base_damage, successes,
        armour=Armour.IGNORED if unaware else armour_against(attack.weapon),
        how=Acted.ATTACKED, unseen=int(unaware), party=party, focus=attack.focus,
    )  # fmt: skip
    for foe in struck[1:]:
        changes.append(Pair(column="attacked", a=unit, b=foe, value=moment.state.turn))
        changes.append(acted_on(moment, unit, foe, Acted.ATTACKED))
    if successes:
        changes += _moves(moment, attack, struck, successes)
    return changes


def _moves(
    moment: Moment, attack: MeleeAttack, struck: Sequence[int], successes: int
) -> Iterator[Change]:
    """Yield the changes that record what the successes will move: the enemy, or the skirmish.

    From within a skirmish they push ranked enemies in the unit's reach, as in ranked combat.
    """
    pushed = struck[:1]
    if not attack.melee.ranked:
        near = in_reach_of(moment, attack.unit)
        pushed = [foe for foe in struck if foe in near and is_ranked(moment, foe)]
    for foe in pushed or struck[:1]:
        row = {"attacker": attack.unit, "subject": foe, "successes": successes}
        yield Append(table="push", row={**row, "shift": int(not pushed)})


def _acquainted(moment: Moment, unit: int, struck: Sequence[int]) -> list[Change]:
    """Return the changes that record the fight: slope, sides, and mutual awareness."""
    situation, step = situation_of(moment), numbers_of(moment).elevation_step
    changes: list[Change] = []
    for foe in struck:
        here, there = situation.footing(unit), situation.footing(foe)
        slope = has_elevation(there, here, step) - has_elevation(here, there, step)
        changes.append(Pair(column="fought", a=unit, b=foe, value=FOUGHT_LEVEL + slope))
        for a, b in ((unit, foe), (foe, unit)):
            front = FRONTS.index(side_towards(moment, a, b))
            changes.append(Pair(column="front", a=a, b=b, value=front))
            changes.append(Pair(column="met", a=a, b=b, value=1))
    return changes


@rule("emlia.melee.outnumber")
def numbers_against(moment: Moment, attack: MeleeAttack, foe: int) -> MeleeNumbers:
    """Return how many can strike the enemy, and how many of it can strike anyone.

    In ranked combat all who attack it count together (`emlia.melee.outnumber`).
    """
    if attack.occasion.passing is not None:
        able = int(able_at(moment, attack.unit, attack.occasion.passing).sum())
        return MeleeNumbers(able, members_of_all(moment, foe))
    if not attack.melee.ranked:
        return strengths_of(moment, attack.unit, attack.melee)
    its = strengths_of(moment, foe, attack.melee)
    return MeleeNumbers(its.subject, its.source)


def blow_at(moment: Moment, attack: MeleeAttack, row: int) -> BlowFacts:
    """Return the facts that the Close Combat table requires for striking one subunit."""
    situation, units, unit = situation_of(moment), moment.state.units, attack.unit
    occasion, step = attack.occasion, numbers_of(moment).elevation_step
    foe = head_of(moment, row)
    attackers = engaged_by(moment, foe)
    fronts = {side for one in (*attackers, unit) for side in fronts_of(moment, foe, one)}
    damage = attack.weapon.base_damage
    if is_mixed(moment, foe):
        concealment, cover = part_seen_from(moment, unit, row, damage)
    else:
        concealment, cover = level_on(moment, unit, foe), cover_of(moment, unit, foe, damage)
    focus = None
    if attack.focus is not None:
        among = sum(members_of_all(moment, other) for other in attack.melee.enemies)
        focus = Focus(units.integer("members", row), among)
    return BlowFacts(
        numbers=numbers_against(moment, attack, foe),
        concealment=concealment,
        cover=cover,
        rough=in_rough(moment, unit),
        source_side=side_met(moment, unit, foe),
        on_multiple_fronts=attack.several_fronts,
        subject_side=side_met(moment, foe, unit),
        subject_fronts=len(fronts) if is_ranked(moment, foe) else 1,
        charged=occasion.charged,
        subject_charged=bool(units.value("charged", foe)),
        already_engaged=not occasion.free_strike and _joins(moment, unit, foe),
        double_paced=bool(units.value("double_paced", unit)),
        target_elevated=has_elevation(situation.footing(row), situation.footing(attack.row), step),
        elevation=has_elevation(situation.footing(attack.row), situation.footing(row), step),
        focus=focus,
        free_strike=occasion.breaks_away,
    )


def _joins(moment: Moment, unit: int, foe: int) -> bool:
    """Return whether the unit has come to a fight that its enemy stood in when the step began."""
    before = moment.state.pairs["engaged_before"]
    return (unit, foe) not in before and any(subject == foe for _, subject in before)


def in_rough(moment: Moment, unit: int) -> bool:
    """Return whether a unit stands in ground that slows its own mode of movement."""
    outline = situation_of(moment).outline(unit)
    return any(
        bool(shapely.area(shapely.intersection(outline, terrain)) > 0)
        for _, terrain in going_of(moment, unit).slow_near(outline)
    )


CLOSE_COMBAT = Deed(
    verbs=("close-combat", STRIKE_FIRST, f"close-combat{FOCUSED}"),
    options=melee_options,
    perform=close_combat,
)
