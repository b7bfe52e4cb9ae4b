"""Emlia, chapter 14.4 as play: Close Combat.

The table is in `emlia3d.rules.emlia.melee`, who has whom in reach in
`emlia3d.rules.emlia.contact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import shapely

from emlia3d.battle.changes import Append, Change, Pair, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.checks import attempt_of, facts_of, marked, total_modifier
from emlia3d.rules.emlia.contact import (
    Melee,
    able_against,
    engaged_by,
    in_reach_of,
    is_ranked,
    melee_of,
    side_towards,
)
from emlia3d.rules.emlia.going import going_of
from emlia3d.rules.emlia.lie import lie_of
from emlia3d.rules.emlia.melee import Blow, Numbers, melee_modifier
from emlia3d.rules.emlia.mixed import Part, modifier_against
from emlia3d.rules.emlia.numbers import numbers_of
from emlia3d.rules.emlia.primary import has_elevation
from emlia3d.rules.emlia.skills import automatic_check, roll_check
from emlia3d.rules.emlia.tables import Modified
from emlia3d.rules.emlia.watch import cover_of, sees, verdict_on
from emlia3d.rules.emlia.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """How a Close Combat came about.

    breaks_away : it is a free strike at one who leaves the engagement
    """

    charged: bool = False
    free_strike: bool = False
    breaks_away: bool = False


PLAIN = Occasion()


@rule("emlia.equip.no-weapon", "emlia.equip.one-weapon")
def weapon_of(battle: Battle, unit: int) -> Weapon:
    """The melee weapon that the unit uses, the hardest; bare fists, base damage 0, without one."""
    weapons = lie_of(battle).entry(unit).melee_weapons
    return max(weapons, key=lambda weapon: weapon.base_damage, default=FISTS)


FISTS = Weapon(name="Fists", base_damage=0)

FOUGHT_LEVEL = 2
"""In the column "fought": one more where the attacker fought uphill, one less downhill."""


def may_strike(battle: Battle, unit: int) -> Refusal | None:
    """A primary action is left and an enemy is in combat range."""
    if battle.state.units.value("primary_used", unit):
        return Refusal("emlia.activate.two-actions", "it has used its primary action")
    if not in_reach_of(battle, unit):
        return Refusal("emlia.melee", "no enemy is in its combat range")
    return None


def options(battle: Battle, unit: int) -> list[Order]:
    """All enemies in reach at once, or in ranked combat any one of them."""
    if may_strike(battle, unit) is not None:
        return []
    orders = [Order(verb="close-combat", unit=unit)]
    melee = melee_of(battle, unit)
    if melee.ranked and len(melee.enemies) > 1:
        orders += [Order(verb="close-combat", unit=unit, target=foe) for foe in melee.enemies]
    return orders


@rule("emlia.melee.success")
def strengths_of(battle: Battle, unit: int, melee: Melee) -> Numbers:
    """How many on each side are able to strike: in reach in ranked combat, else everyone."""
    members = battle.state.units.ints("members")
    if not melee.ranked:
        side = battle.state.units.integer("side", unit)
        mine = [
            other
            for other in melee.group
            if not battle.setup.hostile(side, battle.state.units.integer("side", other))
        ]
        theirs = [other for other in melee.group if other not in mine]
        return Numbers(sum(int(members[u]) for u in mine), sum(int(members[u]) for u in theirs))
    facing = engaged_by(battle, unit)
    subject = sum(able_against(battle, foe, unit) for foe in facing)
    most = int(members[unit])
    return Numbers(min(sum(melee.able), most), subject)


def close_combat(
    battle: Battle, unit: int, order: Order, occasion: Occasion = PLAIN
) -> Procedure[None]:
    """One check against each enemy struck; in a skirmish one against the whole other side."""
    melee = melee_of(battle, unit)
    struck = melee.enemies if order.target is None else (order.target,)
    changes: list[Change] = []
    if not occasion.free_strike:
        changes.append(Set(table="unit", row=unit, column="primary_used", value=1))
    if melee.ranked or len(struck) == 1:
        fronts = {side_towards(battle, unit, foe) for foe in struck}
        for foe in struck:
            able = able_against(battle, unit, foe) if melee.ranked else None
            yield _strike(battle, unit, (foe,), able, melee, occasion, len(fronts) > 1, changes)
            changes = []
    else:
        yield _strike(battle, unit, struck, None, melee, occasion, False, changes)


def _strike(  # noqa: PLR0913, PLR0917
    battle: Battle,
    unit: int,
    struck: Sequence[int],
    able: int | None,
    melee: Melee,
    occasion: Occasion,
    several_fronts: bool,
    changes: list[Change],
) -> Event:
    """One check of Close Combat and its hits, pushes and marks."""
    weapon = weapon_of(battle, unit)
    tried = attempt_of(battle, unit, "close combat", improvise=True, able=able)
    numbers = strengths_of(battle, unit, melee)
    blows = [blow_at(battle, unit, foe, numbers, melee, occasion, several_fronts) for foe in struck]
    rows = [melee_modifier(blow) for blow in blows]
    against = rows[0]
    if len(struck) > 1:
        members = battle.state.units.ints("members")
        parts = [Part(int(members[foe]), row.total) for foe, row in zip(struck, rows, strict=True)]
        slugs = tuple(dict.fromkeys(slug for row in rows for slug in row.because))
        against = Modified(modifier_against(parts), (*slugs, "emlia.mixed.check-against"))
    modifier = total_modifier(battle, unit, against, tried)
    unaware = all(blow.all_unaware for blow in blows)
    if unaware:
        check = automatic_check(tried.dice, modifier.total)
    else:
        check = roll_check("emlia.melee", tried.dice, modifier.total, battle.dice)
    changes = [
        *changes,
        *_consequences(battle, unit, struck, weapon, check.successes, unaware, melee.ranked),
    ]
    return Event(
        name="struck free" if occasion.free_strike else "struck",
        unit=unit,
        target=struck[0],
        gesture="strike",
        facts={
            "weapon": weapon.name,
            "base_damage": weapon.base_damage,
            "enemies": tuple(struck),
            "numbers": (numbers.source, numbers.subject),
            **facts_of(check),
        },
        because=(
            "emlia.freestrike.who" if occasion.free_strike else "emlia.melee",
            *modifier.because,
        ),
        changes=tuple(changes),
    )


def _consequences(  # noqa: PLR0913, PLR0917
    battle: Battle,
    unit: int,
    struck: Sequence[int],
    weapon: Weapon,
    successes: int,
    unaware: bool,
    ranked: bool,
) -> list[Change]:
    """Hits, the push that they may become, and that the two have fought in this step."""
    lie = lie_of(battle)
    changes: list[Change] = []
    party = -1
    if len(struck) > 1:
        party = len(battle.state.lists["party"])
        changes += [Append(table="party", row={"party": party, "unit": foe}) for foe in struck]
    step = numbers_of(battle).elevation_step
    for foe in struck:
        here, there = lie.footing(unit), lie.footing(foe)
        slope = has_elevation(there, here, step) - has_elevation(here, there, step)
        changes.append(Pair(column="fought", a=unit, b=foe, value=FOUGHT_LEVEL + slope))
    flags = {"armour": 0 if unaware else 1, "party": party}
    changes += marked(battle, unit, struck[0], weapon.base_damage, successes, **flags)
    changes += [
        Pair(column="attacked", a=unit, b=foe, value=battle.state.turn) for foe in struck[1:]
    ]
    if successes and ranked:
        row = {"attacker": unit, "subject": struck[0], "successes": successes}
        changes.append(Append(table="push", row=row))
    return changes


def blow_at(  # noqa: PLR0913, PLR0917
    battle: Battle,
    unit: int,
    foe: int,
    numbers: Numbers,
    melee: Melee,
    occasion: Occasion = PLAIN,
    several_fronts: bool = False,
) -> Blow:
    """Everything that the Close Combat table asks about striking one enemy."""
    lie, units = lie_of(battle), battle.state.units
    step = numbers_of(battle).elevation_step
    attackers = engaged_by(battle, foe)
    fronts = {side_towards(battle, foe, attacker) for attacker in (*attackers, unit)}
    return Blow(
        numbers=numbers,
        concealment=verdict_on(battle, unit, foe).level,
        cover=cover_of(battle, unit, foe, weapon_of(battle, unit).base_damage),
        rough=in_rough(battle, unit),
        source_side=side_towards(battle, unit, foe),
        on_multiple_fronts=several_fronts,
        subject_side=side_towards(battle, foe, unit),
        subject_fronts=len(fronts) if is_ranked(battle, foe) else 1,
        charged=occasion.charged,
        subject_charged=bool(units.value("charged", foe)),
        already_engaged=occasion.charged and bool(units.value("engaged_before", foe)),
        double_paced=bool(units.value("double_paced", unit)),
        target_elevated=has_elevation(lie.footing(foe), lie.footing(unit), step),
        elevation=has_elevation(lie.footing(unit), lie.footing(foe), step),
        free_strike=occasion.breaks_away,
        all_unaware=not sees(battle, foe, unit),
    )


def in_rough(battle: Battle, unit: int) -> bool:
    """Whether a unit stands in ground that slows its own mode of movement."""
    outline = lie_of(battle).outline(unit)
    return any(
        bool(shapely.area(shapely.intersection(outline, terrain)) > 0)
        for _, terrain in going_of(battle, unit).slow
    )
