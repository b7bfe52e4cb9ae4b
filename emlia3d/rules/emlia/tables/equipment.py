"""Emlia, chapter 7: the effects of weapons and armour.

Holds `emlia.equip.ranged`, `emlia.equip.large-falloff`, `emlia.equip.falloff`,
`emlia.equip.bd-floor`, `emlia.equip.coverage`, `emlia.equip.armour-piercing`,
`emlia.equip.parry`, `emlia.equip.reach` and `emlia.attr.combat-range`.
"""

from __future__ import annotations

from enum import IntEnum

from emlia3d.rules.rulebook import rule

FISTS = 0
"""Base damage of a character without a melee weapon (`emlia.equip.no-weapon`)."""


class Band(IntEnum):
    """A range band; its number is how often a large falloff counts in it."""

    SHORT = 0
    MEDIUM = 1
    LONG = 2


@rule("emlia.equip.ranged", "emlia.gloss.short-range")
def range_band(
    distance: float, ranges: tuple[float, float, float], beyond: float = 0.0
) -> Band | None:
    """Return the band of a distance, limits included; None beyond the maximum range.

    ranges : upper limits of the short, medium and long band, GSU
    beyond : what shooting downhill adds to the long limit alone, GSU
    """
    short, medium, long = ranges
    if distance <= short:
        return Band.SHORT
    if distance <= medium:
        return Band.MEDIUM
    return Band.LONG if distance <= long + beyond else None


@rule("emlia.equip.large-falloff", "emlia.equip.falloff", "emlia.equip.bd-floor")
def base_damage_at(
    base_damage: int, band: Band, large_falloff: int = 0, falloff: bool = False
) -> int:
    """Return the base damage of a ranged weapon in a band, volleys included; at least 0.

    large_falloff : taken off at medium range, and twice at long; 0 for a weapon without it
    falloff : it has no base damage left at long range
    """
    if falloff and band is Band.LONG:
        return 0
    return max(0, base_damage - large_falloff * band)


def damage_because(
    base_damage: int, band: Band, large_falloff: int = 0, falloff: bool = False
) -> tuple[str, ...]:
    """Return the rules that reduced the base damage."""
    if falloff and band is Band.LONG:
        return ("emlia.equip.falloff",)
    if not large_falloff * band:
        return ()
    floor = ("emlia.equip.bd-floor",) if base_damage < large_falloff * band else ()
    return ("emlia.equip.large-falloff", *floor)


@rule("emlia.equip.coverage")
def coverage_limit(limit: float, per_weapon: bool, weapons: int) -> float:
    """Return the greatest diameter that a volley's area may grow to, GSU.

    weapons : members that carry the weapon and are able to fire
    """
    return limit * weapons if per_weapon else limit


@rule("emlia.equip.armour-piercing", "emlia.attr.hits")
def hits_against(hits: int, armour: int, *, piercing: bool = False, ignored: bool = False) -> int:
    """Return a subject's hits against one attack: its own, and what its armour adds.

    piercing : the weapon halves the armour's bonus, rounded down
    ignored : all targets of the Close Combat were unaware, so armour adds nothing
    """
    if ignored:
        return hits
    return hits + (armour // 2 if piercing else armour)


@rule("emlia.equip.parry")
def parry_modifier(engaged: int, parrying: int, focused: bool = False) -> int:
    """Return the modifier to Close Combat against a side with parrying weapons.

    -1 if at least half of its engaged troops parry, otherwise only against a subunit that does.

    focused : the attack is focused on a subunit that has Parry
    """
    return -1 if focused or (parrying > 0 and 2 * parrying >= engaged) else 0


@rule("emlia.equip.reach", "emlia.attr.combat-range", "emlia.attr.size.use")
def combat_range(size: float, attribute: float | None = None, reach: float = 0.0) -> float:
    """Return the combat range, GSU: the attribute or else the current size, plus Reach."""
    return (size if attribute is None else attribute) + reach
