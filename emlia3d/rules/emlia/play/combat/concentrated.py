"""Emlia, chapter 14.3 as play: Concentrated Volley.

The table is in `emlia3d.rules.emlia.volley`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import Kind
from emlia3d.rules.emlia.equipment import Band
from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.numbers import in_force, numbers_of
from emlia3d.rules.emlia.play.combat.blast import overhead_of
from emlia3d.rules.emlia.play.combat.shooting import Subject, ranging
from emlia3d.rules.emlia.play.combat.volley import (
    Lob,
    facts_of_lob,
    falling_to,
    may_try,
    weapons_of,
)
from emlia3d.rules.emlia.play.sight.awareness import is_aware, known_to, may_be_subject
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.sight.watch import cover_of, level_on
from emlia3d.rules.emlia.play.turn.actions import Deed, used
from emlia3d.rules.emlia.play.turn.checks import (
    armour_against,
    attempt_of,
    facts_of,
    marked,
    total_modifier,
)
from emlia3d.rules.emlia.primary import has_elevation
from emlia3d.rules.emlia.skills import roll_check
from emlia3d.rules.emlia.volley import CONCENTRATED_MODIFIERS, AtUnit, concentrated_modifier
from emlia3d.rules.emlia.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


def concentrating(battle: Battle, unit: int) -> list[Weapon]:
    """The weapons that the unit may use for Concentrated Volley."""
    return [weapon for weapon in weapons_of(battle, unit) if weapon.damage_concentrated is not None]


def concentrated_options(battle: Battle, unit: int) -> list[Order]:
    """Each weapon at each enemy that it may be concentrated on."""
    weapons = concentrating(battle, unit)
    if not weapons or may_try(battle, unit, "concentrated volley") is not None:
        return []
    side = battle.state.units.integer("side", unit)
    return [
        Order(verb="concentrated-volley", unit=unit, target=foe, number=number)
        for foe in known_to(battle, side)
        for number in range(len(weapons))
        if may_concentrate(battle, unit, foe, number) is None
    ]


def may_concentrate(battle: Battle, unit: int, target: int, number: int) -> Refusal | None:
    """The subject is known, in range, and has no total cover above it."""
    weapon = concentrating(battle, unit)[number]
    band = ranging(battle, unit, Subject(target), weapon).band
    if band is None:
        return Refusal("emlia.equip.ranged", "it is out of range")
    if (unknown := may_be_subject(battle, unit, target)) is not None:
        return unknown
    if overhead_of(battle, target, _concentrated_damage(weapon, band)) is Level.TOTAL:
        return Refusal("emlia.conc", "there is total cover above it")
    return None


def _concentrated_damage(weapon: Weapon, band: Band) -> int:
    assert weapon.damage_concentrated is not None
    return falling_to(weapon, weapon.damage_concentrated, band)


def lob_on(battle: Battle, unit: int, target: int, number: int) -> Lob:
    """The Concentrated Volley of weapon *number* on a unit, which is in range."""
    lie = lie_of(battle)
    weapon = concentrating(battle, unit)[number]
    distance, band = ranging(battle, unit, Subject(target), weapon)
    assert band is not None
    base_damage = _concentrated_damage(weapon, band)
    tried = attempt_of(battle, unit, "concentrated volley")
    at = AtUnit(
        band=band,
        overhead=overhead_of(battle, target, base_damage),
        concealment=level_on(battle, unit, target),
        cover=cover_of(battle, unit, target, base_damage),
        taking_cover=bool(battle.state.units.value("taking_cover", target)),
        target_unaware=not is_aware(battle, target, unit),
        elevation=has_elevation(
            lie.footing(unit), lie.footing(target), numbers_of(battle).elevation_step
        ),
    )
    rows = concentrated_modifier(at, in_force(battle, CONCENTRATED_MODIFIERS))
    return Lob(
        weapon=weapon, distance=distance, band=band, base_damage=base_damage,
        tried=tried, modifier=total_modifier(battle, unit, rows, tried),
    )  # fmt: skip


@rule("emlia.conc", "emlia.conc.success")
def concentrated_volley(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Roll the skill; each success is one hit at the Concentrated Volley base damage."""
    assert order.target is not None
    assert order.number is not None
    lob = lob_on(battle, unit, order.target, order.number)
    check = roll_check("emlia.conc", lob.tried.dice, lob.modifier.total, battle.dice)
    unseen = int(not is_aware(battle, order.target, unit))
    yield Event(
        name="volley concentrated",
        unit=unit,
        target=order.target,
        gesture="shoot",
        facts={**facts_of_lob(lob), **facts_of(check, lob.modifier)},
        because=("emlia.conc", *lob.modifier.because),
        changes=(
            *used(unit, Kind.PRIMARY, forfeits_move=True),
            *marked(
                battle, unit, order.target, lob.base_damage, check.successes,
                armour=armour_against(lob.weapon), unseen=unseen,
            ),
        ),
    )  # fmt: skip


CONCENTRATED_VOLLEY = Deed(
    verbs=("concentrated-volley",), options=concentrated_options, perform=concentrated_volley
)
