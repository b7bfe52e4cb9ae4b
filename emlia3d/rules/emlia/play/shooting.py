"""Emlia, chapter 14.1 as play: Aimed Fire.

The table is in `emlia3d.rules.emlia.fire`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, unit_vector
from emlia3d.geometry import Bodies, reach_into_arc
from emlia3d.rules.emlia.actions import Kind
from emlia3d.rules.emlia.elevation import effective_distance, extra_range
from emlia3d.rules.emlia.equipment import Band, base_damage_at, range_band
from emlia3d.rules.emlia.fire import MODIFIERS, Shot, fire_modifier
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.numbers import in_force, numbers_of
from emlia3d.rules.emlia.play.actions import Deed, may_take, used
from emlia3d.rules.emlia.play.awareness import is_aware, may_be_subject
from emlia3d.rules.emlia.play.checks import (
    armour_against,
    attempt_of,
    facts_of,
    marked,
    total_modifier,
)
from emlia3d.rules.emlia.play.contact import enemies_of
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.watch import cover_of, level_on
from emlia3d.rules.emlia.primary import has_elevation
from emlia3d.rules.emlia.skills import Attempt, roll_check
from emlia3d.rules.emlia.tables import Modified
from emlia3d.rules.emlia.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


_ALL_ROUND = 360.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """A shot that may be fired, with all that its odds depend on.

    number : of the weapon among those that the unit may fire
    """

    weapon: Weapon
    number: int
    distance: float
    band: str
    base_damage: int
    tried: Attempt
    modifier: Modified


def weapons_of(battle: Battle, unit: int) -> list[Weapon]:
    """The weapons that the unit may use for Aimed Fire."""
    entry = lie_of(battle).entry(unit)
    return [weapon for weapon in entry.ranged_weapons if weapon.usable_for("aimed fire")]


def options(battle: Battle, unit: int) -> list[Order]:
    """Each weapon at each target: moving on afterwards ("fire") or not ("aim")."""
    weapons = weapons_of(battle, unit)
    if not weapons or may_take(battle, unit, "aimed fire", Kind.PRIMARY) is not None:
        return []
    verbs = ("fire",) if battle.state.units.value("move_used", unit) else ("aim", "fire")
    return [
        Order(verb=verb, unit=unit, target=foe, number=number)
        for foe in enemies_of(battle, unit)
        for number in range(len(weapons))
        if may_aim(battle, unit, foe, number) is None
        for verb in verbs
    ]


@rule("emlia.fire")
def may_aim(battle: Battle, unit: int, target: int, number: int) -> Refusal | None:
    """The subject is known, within the weapon's longest range, and not in total cover."""
    weapon = weapons_of(battle, unit)[number]
    if ranging(battle, unit, target, weapon).band is None:
        return Refusal("emlia.equip.ranged", "it is out of range")
    if not bears_on(battle, unit, target, weapon):
        return Refusal("emlia.attr.facing.use", "it lies outside the weapon's arc")
    if (unknown := may_be_subject(battle, unit, target)) is not None:
        return unknown
    base_damage = aim_at(battle, unit, target, number, forfeits_move=False).base_damage
    if cover_of(battle, unit, target, base_damage) is Level.TOTAL:
        return Refusal("emlia.fire", "it is in total cover")
    return None


@rule("emlia.attr.facing.use")
def bears_on(battle: Battle, unit: int, target: int, weapon: Weapon) -> bool:
    """Whether some of the target is in the weapon's arc, from the middle of the unit.

    Sight goes all round whatever the facing; what a weapon may be turned to need not.
    """
    if weapon.arc == _ALL_ROUND:
        return True
    lie, half = lie_of(battle), facing_of_degrees(weapon.arc / 2)
    facing = battle.state.units.integer("facing", unit)
    left, right = ((facing + turn) % FULL_CIRCLE for turn in (-half, half))
    body = Bodies([lie.outline(target)], [0.0], [1.0], [True])
    there = reach_into_arc(body, [0], lie.centre(unit), unit_vector(left), unit_vector(right))
    return bool(there[0])


class Ranging(NamedTuple):
    """The distance, as shooting uphill lengthens it, and the band that it falls in."""

    distance: float
    band: Band | None


def ranging(battle: Battle, unit: int, target: int, weapon: Weapon) -> Ranging:
    """How far the target is for a weapon, and in which band; None where it is out of range."""
    lie = lie_of(battle)
    assert weapon.range is not None
    own, other = lie.footing(unit), lie.footing(target)
    distance = effective_distance(lie.distance(unit, target), own, other)
    return Ranging(distance, range_band(distance, weapon.range, extra_range(own, other)))


def aim_at(battle: Battle, unit: int, target: int, number: int, *, forfeits_move: bool) -> Aim:
    """The shot of weapon *number* at *target*, which is in range."""
    lie, units = lie_of(battle), battle.state.units
    weapon = weapons_of(battle, unit)[number]
    distance, band = ranging(battle, unit, target, weapon)
    assert weapon.range is not None
    assert band is not None
    base_damage = base_damage_at(
        weapon.base_damage,
        band,
        weapon.ability("large falloff") or 0,
        weapon.ability("falloff") is not None,
    )
    tried = attempt_of(battle, unit, "aimed fire")
    shot = Shot(
        distance=distance,
        short=weapon.range[0],
        medium=weapon.range[1],
        concealment=level_on(battle, unit, target),
        cover=cover_of(battle, unit, target, base_damage),
        taking_cover=bool(units.value("taking_cover", target)),
        forfeits_move=forfeits_move,
        elevation=has_elevation(
            lie.footing(unit), lie.footing(target), numbers_of(battle).elevation_step
        ),
        target_unaware=not is_aware(battle, target, unit),
        double_paced=bool(units.value("double_paced", unit)),
        prepared=bool(units.value("preparing", unit)),
    )
    modifier = total_modifier(battle, unit, fire_modifier(shot, in_force(battle, MODIFIERS)), tried)
    return Aim(
        weapon=weapon, number=number, distance=distance, band=band.name.lower(),
        base_damage=base_damage, tried=tried, modifier=modifier,
    )  # fmt: skip


@rule("emlia.fire.success", "emlia.fire.forfeit-move")
def aim_and_fire(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Roll the skill; each success is one hit at the weapon's base damage."""
    assert order.target is not None
    assert order.number is not None
    still = order.verb == "aim"
    aim = aim_at(battle, unit, order.target, order.number, forfeits_move=still)
    check = roll_check("emlia.fire", aim.tried.dice, aim.modifier.total, battle.dice)
    unseen = int(not is_aware(battle, order.target, unit))
    changes = [*used(unit, Kind.PRIMARY, forfeits_move=still)]
    changes += marked(
        battle, unit, order.target, aim.base_damage, check.successes,
        armour=armour_against(aim.weapon), unseen=unseen,
    )  # fmt: skip
    yield Event(
        name="fired",
        unit=unit,
        target=order.target,
        gesture="shoot",
        facts={
            "weapon": aim.weapon.name,
            "distance": round(aim.distance, 1),
            "band": aim.band,
            "base_damage": aim.base_damage,
            **facts_of(check, aim.modifier),
        },
        because=("emlia.fire", *aim.modifier.because),
        changes=tuple(changes),
    )


AIMED_FIRE = Deed(verbs=("fire", "aim"), options=options, perform=aim_and_fire)
