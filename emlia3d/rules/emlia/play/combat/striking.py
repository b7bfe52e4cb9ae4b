"""Emlia, chapters 14.4 and 15 as play: which rules decided a blow.

The rows of its table are not among them: they come with their figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.acting.check_reasons import check_because
from emlia3d.rules.emlia.play.acting.checks import armour_against
from emlia3d.rules.emlia.play.combat.reasons import hits_because, weapon_because
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.reasons import footing_because, seen_because
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.contact import is_ranked, joined_pairs
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed
from emlia3d.rules.emlia.play.situation.reach import engages
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.skills import Attempt, Check
from emlia3d.rules.emlia.unit_sets.abilities import added_reach

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.rules.emlia.play.combat.close_combat import MeleeAttack

_NUMBERS = "emlia.melee.mod.outnumbered"
_OF_SIDES = frozenset({
    "emlia.melee.mod.to-flank", "emlia.melee.mod.to-rear", "emlia.melee.mod.on-multiple-fronts",
    "emlia.melee.mod.from-flank", "emlia.melee.mod.from-rear",
    "emlia.melee.mod.from-multiple-fronts",
})  # fmt: skip


def blow_because(  # noqa: PLR0913, PLR0917  attacker, enemies, dice, result
    moment: Moment,
    attack: MeleeAttack,
    struck: Sequence[int],
    tried: Attempt,
    check: Check,
    modifier: Modified,
    listed: bool,
) -> tuple[str, ...]:
    """Return the rules of one check of Close Combat and its hits.

    struck : the enemies that it is made against
    listed : whether it uses up the action
    """
    unit, foe = attack.unit, struck[0]
    taken = listed and not attack.occasion.charged and not attack.occasion.free_strike
    unaware = not any(is_aware(moment, one, unit) for one in struck)
    armour = Armour.IGNORED if unaware else armour_against(attack.weapon)
    because = [
        *_occasion_because(attack),
        *_contact_because(moment, attack, foe),
        *_kind_because(moment, attack, struck),
        *_sight_because(moment, attack, foe),
        *_target_because(moment, attack, foe, modifier),
        *check_because(
            moment, attack.row, "close combat", tried, check, modifier, listed=taken
        ),
        "emlia.melee.success" if check.successes else "emlia.melee.failure",
        *hits_because(
            armour, check.successes, unseen=unaware, focused=attack.focus is not None
        ),
    ]  # fmt: skip
    return tuple(dict.fromkeys(because))


def _occasion_because(attack: MeleeAttack) -> Iterator[str]:
    """Yield the rules by which the blow came about."""
    occasion = attack.occasion
    if not occasion.free_strike:
        yield "emlia.melee"
        if occasion.charged:
            yield "emlia.charge.attack"
        return
    yield "emlia.freestrike.who"
    if occasion.breaks_away:
        yield "emlia.freestrike.bonus"
    if occasion.barred:
        yield "emlia.freestrike.barred"


def _contact_because(moment: Moment, attack: MeleeAttack, foe: int) -> Iterator[str]:
    """Yield the rules by which the two are engaged, and with what it is struck."""
    yield from weapon_because(moment, attack.row, attack.weapon, "melee")
    situation, unit = situation_of(moment), attack.unit
    if any(unit in pair for pair in joined_pairs(moment)):
        yield "emlia.skirmish.join-by-contact"
        yield "emlia.skirmish.boundary"
    if not engages(situation, unit, foe):
        return
    yield "emlia.engage.combat-range"
    entry = situation.entry(attack.row)
    longest = max((weapon.ability("reach") or 0 for weapon in entry.melee_weapons), default=0)
    if longest or added_reach(entry.all_abilities):
        yield "emlia.equip.reach"
    if entry.combat_range is not None:
        yield "emlia.attr.combat-range"
    if not engages(situation, foe, unit):
        yield "emlia.engage.asymmetric"


def _kind_because(moment: Moment, attack: MeleeAttack, struck: Sequence[int]) -> Iterator[str]:
    """Yield the rules of the kind of engagement, and of who is struck by one check."""
    melee, unit = attack.melee, attack.unit
    yield "emlia.engage.type"
    if melee.ranked:
        yield "emlia.ranked.engaged-members"
        if len(melee.parties) > 1:
            yield "emlia.melee.several-enemies"
        if len(struck) > 1:
            yield "emlia.mixedeng.attack"
        return
    if any(is_ranked(moment, one) for one in melee.group):
        yield "emlia.mixedeng.definition"
    if len(melee.group) > 2:
        yield "emlia.engage.group"
    if len(struck) > 1:
        yield "emlia.skirmish.side-as-mixed"
        yield "emlia.mixed.check-against.scope"
    sides = {moment.state.units.integer("side", one) for one in (unit, *struck)}
    if len(sides) > 2:
        yield "emlia.skirmish.side"


def _sight_because(moment: Moment, attack: MeleeAttack, foe: int) -> Iterator[str]:
    """Yield the rules of the concealment of the enemy, and of awareness without sight."""
    unit, damage = attack.unit, attack.weapon.base_damage
    level = level_on(moment, unit, foe)
    if level:
        cover = cover_of(moment, unit, foe, damage)
        yield from seen_because(moment, unit, foe, cover, damage)
    if level is Level.TOTAL:
        met = (unit, foe) in moment.state.pairs["met"]
        yield "emlia.sight.not-awareness"
        yield "emlia.aware.melee" if met else "emlia.aware.state"


def _target_because(
    moment: Moment, attack: MeleeAttack, foe: int, modifier: Modified
) -> Iterator[str]:
    """Yield the rules of heights, sides, numbers and the focus."""
    situation, step = situation_of(moment), numbers_of(moment).elevation_step
    own, its = situation.footing(attack.row), situation.footing(foe)
    if has_elevation(own, its, step) or has_elevation(its, own, step):
        yield from footing_because(moment, attack.row, foe)
        yield "emlia.primary.elevation-row"
    if not _OF_SIDES.isdisjoint(modifier.because):
        yield "emlia.ranked.front-of-contact"
        yield "emlia.melee.ranked-rows"
    if _NUMBERS in modifier.because:
        yield "emlia.melee.outnumber"
    if attack.focus is not None:
        yield "emlia.primary.focus"
    if attack.focus is not None or is_mixed(moment, head_of(moment, foe)):
        yield "emlia.mixed.check-against.scope"


_OF_NUMBERS = {"emlia.disengage.mod.source-outnumbered", "emlia.disengage.mod.subject-outnumbered"}


def withdrawal_because(
    moment: Moment,
    row: int,
    subjects: Sequence[int],
    tried: Attempt,
    check: Check,
    modifier: Modified,
) -> tuple[str, ...]:
    """Return the rules of a check of Disengage/Distract."""
    unit = head_of(moment, row)
    because = ["emlia.disengage"]
    for foe in subjects:
        if level_on(moment, unit, foe):
            because += seen_because(moment, unit, foe, cover_of(moment, unit, foe, 0), 0)
    because += ["emlia.melee.outnumber"] if _OF_NUMBERS.intersection(modifier.because) else []
    because += ["emlia.mixed.check-against.scope"] if len(subjects) > 1 else []
    because += check_because(moment, row, "disengage/distract", tried, check, modifier)
    because += [] if check.successes else ["emlia.disengage.failure"]
    return tuple(dict.fromkeys(because))
