"""Emlia, chapter 14.4 as play: Close Combat.

The table is in `emlia3d.rules.emlia.melee`, who has whom in reach in
`emlia3d.rules.emlia.play.contact`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Append, Change, Pair
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import Kind
from emlia3d.rules.emlia.columns import Acted, Armour
from emlia3d.rules.emlia.equipment import parry_modifier
from emlia3d.rules.emlia.melee import MODIFIERS, Blow, Numbers, melee_modifier
from emlia3d.rules.emlia.mixed import against_all
from emlia3d.rules.emlia.numbers import in_force, numbers_of
from emlia3d.rules.emlia.play.actions import Deed, may_take, used
from emlia3d.rules.emlia.play.awareness import acted_on, is_aware
from emlia3d.rules.emlia.play.checks import (
    armour_against,
    attempt_of,
    facts_of,
    marked,
    total_modifier,
)
from emlia3d.rules.emlia.play.contact import (
    Melee,
    able_against,
    able_at,
    able_in,
    boundary_of,
    engaged_by,
    fronts_of,
    in_reach_of,
    is_ranked,
    melee_of,
    side_towards,
    side_towards_body,
    skirmish_of,
)
from emlia3d.rules.emlia.play.going import going_of
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.mixed import members_of_all
from emlia3d.rules.emlia.play.watch import cover_of, level_on
from emlia3d.rules.emlia.primary import has_elevation
from emlia3d.rules.emlia.sides import Side
from emlia3d.rules.emlia.skills import automatic_check, roll_check
from emlia3d.rules.emlia.tables import Modified, joined, single
from emlia3d.rules.emlia.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """How a Close Combat came about.

    breaks_away : it is a free strike at one who leaves the engagement
    passing : the ground that he goes over, where he only comes through the striker's reach
    barred : members of the striker who do not strike, as they are kept busy
    """

    charged: bool = False
    free_strike: bool = False
    breaks_away: bool = False
    passing: BaseGeometry | None = None
    barred: int = 0


PLAIN = Occasion()


FISTS = Weapon(name="Fists", base_damage=0)

FOUGHT_LEVEL = 2
"""In the column "fought": one more where the attacker fought uphill, one less downhill."""

FRONTS = (None, *Side)
"""What the numbers in the column "front" stand for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """What the checks of one Close Combat have in common.

    several_fronts : a ranked unit strikes enemies on different sides of it
    """

    unit: int
    weapon: Weapon
    melee: Melee
    occasion: Occasion
    several_fronts: bool = False


def weapon_of(battle: Battle, unit: int) -> Weapon:
    """The hardest of a unit's melee weapons."""
    return weapons_of(battle, unit)[0]


@rule("emlia.equip.no-weapon", "emlia.equip.melee")
def weapons_of(battle: Battle, unit: int) -> list[Weapon]:
    """The unit's melee weapons, the hardest first; bare fists, base damage 0, without one."""
    weapons = lie_of(battle).entry(unit).melee_weapons
    return sorted(weapons, key=lambda weapon: -weapon.base_damage) or [FISTS]


def may_strike(battle: Battle, unit: int) -> Refusal | None:
    """A primary action is left and a known enemy is in combat range."""
    refusal = may_take(battle, unit, "close combat", Kind.PRIMARY)
    if refusal is not None:
        return refusal
    enemies = melee_of(battle, unit).enemies
    if not enemies:
        return Refusal("emlia.melee", "no enemy is in its combat range")
    if not any(is_aware(battle, unit, foe) for foe in enemies):
        return Refusal("emlia.action.subject-awareness", "the unit is not aware of it")
    return None


def options(battle: Battle, unit: int) -> list[Order]:
    """With each weapon: all enemies in reach at once, or in ranked combat any one of them."""
    if may_strike(battle, unit) is not None:
        return []
    targets: list[int | None] = [None]
    melee = melee_of(battle, unit)
    known = _known(battle, unit, melee.parties)
    if melee.ranked and len(known) > 1:
        targets += [party[0] for party in known]
    return [order for target in targets for order in with_each_weapon(battle, unit, target)]


@rule("emlia.equip.one-weapon")
def with_each_weapon(
    battle: Battle, unit: int, target: int | None, verb: str = "close-combat"
) -> list[Order]:
    """An attack with each melee weapon of the unit, by number, as it uses one for an action."""
    count = len(weapons_of(battle, unit))
    numbers: list[int | None] = [None] if count == 1 else [*range(count)]
    return [Order(verb=verb, unit=unit, target=target, number=number) for number in numbers]


def strengths_of(battle: Battle, unit: int, melee: Melee) -> Numbers:
    """How many of a unit are able to strike, and how many strike it: in a skirmish everyone.

    In ranked combat members of the unit in reach of any enemy against those that reach it.
    """
    if melee.ranked:
        facing = engaged_by(battle, unit)
        theirs = sum(int(able_against(battle, foe, unit).sum()) for foe in facing)
        return Numbers(able_in(battle, unit, melee), theirs)
    members = battle.state.units.ints("members")
    enemies = sum(int(members[other]) for other in melee.enemies)
    return Numbers(sum(int(members[other]) for other in melee.group) - enemies, enemies)


@rule("emlia.melee", "emlia.melee.several-enemies", "emlia.melee.failure")
def close_combat(
    battle: Battle, unit: int, order: Order, occasion: Occasion = PLAIN
) -> Procedure[None]:
    """One check against each enemy struck; in a skirmish one against the whole other side.

    In ranked combat a member in reach of two of them strikes the first alone.
    """
    melee = melee_of(battle, unit)
    struck = _known(battle, unit, melee.parties)
    if occasion.free_strike and order.target is not None:
        struck = [(order.target,)]
    elif order.target is not None and melee.ranked:
        struck = [party for party in struck if order.target in party]
    weapon = weapons_of(battle, unit)[order.number or 0]
    attack = Attack(unit=unit, weapon=weapon, melee=melee, occasion=occasion)
    members = battle.state.units.integer("members", unit)
    costs = () if occasion.free_strike else used(unit, Kind.PRIMARY)
    if occasion.passing is not None:
        able = int(able_at(battle, unit, occasion.passing).sum())
        yield _strike(battle, attack, struck[0], able, costs)
        return
    if not melee.ranked:
        yield _strike(battle, attack, struck[0], members, costs)
        return
    idle = np.ones(members, dtype=np.bool_)
    blows = []
    for party in struck:
        body = skirmish_of(battle, party[0]) or party
        free = able_at(battle, unit, boundary_of(battle, body)) & idle
        idle &= ~free
        if free.any():
            blows.append((party, int(free.sum())))
    fronts = {side_towards_body(battle, unit, party) for party, _ in blows}
    attack = replace(attack, several_fronts=len(fronts) > 1)
    for party, count in blows:
        yield _strike(battle, attack, party, count, costs)
        costs = ()


def able_for(battle: Battle, unit: int, foe: int, passing: BaseGeometry | None) -> int:
    """Members who could make a free strike at an enemy that goes, or goes over some ground."""
    if passing is not None:
        return int(able_at(battle, unit, passing).sum())
    melee = melee_of(battle, unit)
    if melee.ranked:
        return int(able_against(battle, unit, foe).sum())
    return members_of_all(battle, unit)


def _known(battle: Battle, unit: int, parties: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The enemies of each party that the unit is aware of, but for parties without any."""
    known = [tuple(foe for foe in party if is_aware(battle, unit, foe)) for party in parties]
    return [party for party in known if party]


def _strike(
    battle: Battle, attack: Attack, struck: Sequence[int], able: int, costs: tuple[Change, ...]
) -> Event:
    """One check of Close Combat and its hits, pushes and marks."""
    unit, occasion = attack.unit, attack.occasion
    tried = attempt_of(battle, unit, "close combat", max(able - occasion.barred, 0))
    unaware = all(not is_aware(battle, foe, unit) for foe in struck)
    blows = [replace(blow_at(battle, attack, foe), all_unaware=unaware) for foe in struck]
    table = in_force(battle, MODIFIERS)
    rows = [melee_modifier(blow, table) for blow in blows]
    numbers = blows[0].numbers
    sizes = [battle.state.units.integer("members", foe) for foe in struck]
    against = joined(against_all(sizes, rows), parried(battle, unit, attack.melee))
    modifier = total_modifier(battle, unit, against, tried)
    if unaware:
        check = automatic_check(tried.dice, modifier.total)
    else:
        check = roll_check("emlia.melee", tried.dice, modifier.total, battle.dice)
    return Event(
        name="struck free" if occasion.free_strike else "struck",
        unit=unit,
        target=struck[0],
        gesture="strike",
        facts={
            "weapon": attack.weapon.name,
            "base_damage": attack.weapon.base_damage,
            "enemies": tuple(struck),
            "numbers": (numbers.source, numbers.subject),
            **facts_of(check, modifier),
        },
        because=(
            "emlia.freestrike.who" if occasion.free_strike else "emlia.melee",
            *modifier.because,
        ),
        changes=(*costs, *_consequences(battle, attack, struck, check.successes, unaware)),
    )


def parried(battle: Battle, unit: int, melee: Melee) -> Modified:
    """What parrying weapons of the other side cost a unit's Close Combat (`emlia.equip.parry`)."""
    lie, side = lie_of(battle), battle.state.units.integer("side", unit)
    engaged = parrying = 0
    for other in melee.group:
        if not battle.setup.hostile(side, battle.state.units.integer("side", other)):
            continue
        able = able_in(battle, other, melee)
        engaged += able
        if any(weapon.ability("parry") for weapon in lie.entry(other).melee_weapons):
            parrying += able
    return single("emlia.equip.parry", parry_modifier(engaged, parrying))


@rule("emlia.melee.success")
def _consequences(
    battle: Battle, attack: Attack, struck: Sequence[int], successes: int, unaware: bool
) -> list[Change]:
    """A hit for each success, the push that they may become, and that the two have fought."""
    unit, changes = attack.unit, _acquainted(battle, attack.unit, struck)
    party = -1
    if len(struck) > 1:
        party = len(battle.state.lists["party"])
        changes += [Append(table="party", row={"party": party, "unit": foe}) for foe in struck]
    changes += marked(
        battle, unit, struck[0], attack.weapon.base_damage, successes,
        armour=Armour.IGNORED if unaware else armour_against(attack.weapon),
        how=Acted.ATTACKED, unseen=int(unaware), party=party,
    )  # fmt: skip
    for foe in struck[1:]:
        changes.append(Pair(column="attacked", a=unit, b=foe, value=battle.state.turn))
        changes.append(acted_on(battle, unit, foe, Acted.ATTACKED))
    if successes:
        changes += _moves(battle, attack, struck, successes)
    return changes


def _moves(
    battle: Battle, attack: Attack, struck: Sequence[int], successes: int
) -> Iterator[Change]:
    """What the successes will move: the enemy struck, or the whole skirmish.

    From within a skirmish they push ranked enemies whom the unit reaches, as in ranked combat.
    """
    pushed = struck[:1]
    if not attack.melee.ranked:
        near = in_reach_of(battle, attack.unit)
        pushed = [foe for foe in struck if foe in near and is_ranked(battle, foe)]
    for foe in pushed or struck[:1]:
        row = {"attacker": attack.unit, "subject": foe, "successes": successes}
        yield Append(table="push", row={**row, "shift": int(not pushed)})


def _acquainted(battle: Battle, unit: int, struck: Sequence[int]) -> list[Change]:
    """That they have fought: on what slope, across which of their sides, and know each other."""
    lie, step = lie_of(battle), numbers_of(battle).elevation_step
    changes: list[Change] = []
    for foe in struck:
        here, there = lie.footing(unit), lie.footing(foe)
        slope = has_elevation(there, here, step) - has_elevation(here, there, step)
        changes.append(Pair(column="fought", a=unit, b=foe, value=FOUGHT_LEVEL + slope))
        for a, b in ((unit, foe), (foe, unit)):
            front = FRONTS.index(side_towards(battle, a, b))
            changes.append(Pair(column="front", a=a, b=b, value=front))
            changes.append(Pair(column="met", a=a, b=b, value=1))
    return changes


def numbers_against(battle: Battle, attack: Attack, foe: int) -> Numbers:
    """How many can strike the enemy, and how many of it can strike anyone.

    In ranked combat all who attack it count together (`emlia.melee.outnumber`).
    """
    if attack.occasion.passing is not None:
        able = int(able_at(battle, attack.unit, attack.occasion.passing).sum())
        return Numbers(able, battle.state.units.integer("members", foe))
    if not attack.melee.ranked:
        return strengths_of(battle, attack.unit, attack.melee)
    its = strengths_of(battle, foe, attack.melee)
    return Numbers(its.subject, its.source)


def blow_at(battle: Battle, attack: Attack, foe: int) -> Blow:
    """Everything that the Close Combat table asks about striking one enemy."""
    lie, units, unit = lie_of(battle), battle.state.units, attack.unit
    occasion, step = attack.occasion, numbers_of(battle).elevation_step
    attackers = engaged_by(battle, foe)
    fronts = {side for one in (*attackers, unit) for side in fronts_of(battle, foe, one)}
    return Blow(
        numbers=numbers_against(battle, attack, foe),
        concealment=level_on(battle, unit, foe),
        cover=cover_of(battle, unit, foe, attack.weapon.base_damage),
        rough=in_rough(battle, unit),
        source_side=side_towards(battle, unit, foe),
        on_multiple_fronts=attack.several_fronts,
        subject_side=side_towards(battle, foe, unit),
        subject_fronts=len(fronts) if is_ranked(battle, foe) else 1,
        charged=occasion.charged,
        subject_charged=bool(units.value("charged", foe)),
        already_engaged=not occasion.free_strike and _joins(battle, unit, foe),
        double_paced=bool(units.value("double_paced", unit)),
        target_elevated=has_elevation(lie.footing(foe), lie.footing(unit), step),
        elevation=has_elevation(lie.footing(unit), lie.footing(foe), step),
        free_strike=occasion.breaks_away,
    )


def _joins(battle: Battle, unit: int, foe: int) -> bool:
    """Whether the unit has come to a fight that its enemy stood in when the step began."""
    before = battle.state.pairs["engaged_before"]
    return (unit, foe) not in before and any(subject == foe for _, subject in before)


def in_rough(battle: Battle, unit: int) -> bool:
    """Whether a unit stands in ground that slows its own mode of movement."""
    outline = lie_of(battle).outline(unit)
    return any(
        bool(shapely.area(shapely.intersection(outline, terrain)) > 0)
        for _, terrain in going_of(battle, unit).slow
    )


CLOSE_COMBAT = Deed(verbs=("close-combat",), options=options, perform=close_combat)
