"""Emlia, chapters 14 and 15 as play: which rules decided a shot, a volley or a blow.

The rows of modifier tables are not among them: they come with their figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.play.combat.targets import Subject, seen_of, shares_of
from emlia3d.rules.emlia.play.sight.reasons import footing_because, seen_because
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.arms import FISTS
from emlia3d.rules.emlia.play.situation.contact import skirmish_of
from emlia3d.rules.emlia.play.situation.parts import head_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.elevation import elevation_because
from emlia3d.rules.emlia.tables.equipment import Band, damage_because
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.unit_sets.weapon import Attack, Weapon, printed_as

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def shot_because(  # noqa: PLR0913  shooter, subject, weapon, distance, damage
    moment: Moment,
    row: int,
    subject: Subject,
    weapon: Weapon,
    attack: Attack,
    *,
    band: Band,
    distance: float,
    printed: int,
    base_damage: int,
) -> tuple[str, ...]:
    """Return the rules that decided a shot at a subject: its range, sight, cover and elevation.

    row : the subunit that shoots
    printed, base_damage : of the attack at short range, and in its band
    """
    unit, near = head_of(moment, row), subject.row
    level, cover = seen_of(moment, unit, subject, base_damage)
    because = [
        *weapon_because(moment, row, weapon, attack),
        *range_because(moment, row, near, weapon, band, distance, printed),
    ]
    whole = head_of(moment, near)
    if level is level_on(moment, unit, whole):
        because += seen_because(moment, unit, whole, cover, base_damage)
    if level is Level.TOTAL:
        because += ["emlia.sight.not-awareness", "emlia.aware.state"]
    if subject.fight:
        because += ["emlia.engage.group", "emlia.fire.at-skirmish"]
        because += ["emlia.skirmish.neutral"] if skirmish_of(moment, whole) else []
    if subject.alone or len(shares_of(moment, subject)) > 1:
        because.append("emlia.mixed.check-against.scope")
    return tuple(dict.fromkeys(because))


def weapon_because(moment: Moment, row: int, weapon: Weapon, attack: Attack) -> Iterator[str]:
    """Yield the rules that allowed a subunit this weapon, and no other beside it."""
    entry = situation_of(moment).entry(row)
    usable = entry.weapons_for(attack)
    if len(usable) > 1:
        yield "emlia.equip.one-weapon"
    if (slug := printed_as(weapon)) is not None:
        yield slug
    if weapon is FISTS:
        yield "emlia.equip.no-weapon"
    elif attack != "melee":
        if len(usable) < len(entry.ranged_weapons):
            yield "emlia.equip.permitted-actions"
        if weapon.arc < 360:
            yield "emlia.attr.facing.use"


def range_because(  # noqa: PLR0913, PLR0917  shooter, subject, weapon, distance
    moment: Moment, row: int, other: int, weapon: Weapon, band: Band, distance: float, printed: int
) -> Iterator[str]:
    """Yield the rules of the range, and of what it takes off the base damage."""
    situation, assured = situation_of(moment), weapon.range
    assert assured is not None
    yield "emlia.equip.ranged"
    if numbers_of(moment).cells != "none":
        yield "emlia.measure.cells"
    own, its = situation.footing(row), situation.footing(other)
    slugs = elevation_because(own, its, beyond=distance > assured[Band.LONG])
    if slugs:
        yield from footing_because(moment, row, other)
        yield from slugs
    if has_elevation(own, its, numbers_of(moment).elevation_step):
        yield "emlia.primary.elevation-row"
    large, falloff = weapon.ability("large falloff") or 0, weapon.ability("falloff") is not None
    yield from damage_because(printed, band, large, falloff)


def hits_because(armour: Armour, hits: int, *, unseen: bool, focused: bool) -> Iterator[str]:
    """Yield the rules of the markers that an attack lays."""
    yield "emlia.primary.attack-set"
    if hits:
        yield "emlia.hits.marker"
        if unseen or armour is not Armour.COUNTS:
            yield "emlia.hits.marker.attacker"
        if focused:
            yield "emlia.hits.direct-subunit"
