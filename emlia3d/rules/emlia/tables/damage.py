"""Emlia, chapters 16, 21.3 and 21.4: hits become damage, and damage becomes losses.

Holds `emlia.damage.modified-hits`, `emlia.damage.points`, `emlia.damage.per-group`,
`emlia.damage.carry`, `emlia.damage.credit`, `emlia.attr.threshold` and `emlia.attr.damage-limit`.
Module `emlia3d.rules.emlia.tables.allocation` allocates hits to subunits, and applies all of this
to whole armies at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from emlia3d.rules.rulebook import rule


@rule("emlia.damage.modified-hits", "emlia.equip.base-damage")
def need(hits: int, base_damage: int) -> int:
    """Return the hits that make a damage point: the subject's less the base damage, minimum 1.

    hits : the subject's, with what its equipment adds against this attack
    """
    return max(1, hits - base_damage)


@rule("emlia.damage.points")
def damage_points(hits: int, needed: int) -> int:
    """Return the damage points of equal hits; a remainder is lost."""
    return hits // needed


@dataclass(frozen=True, slots=True)
class Group:
    """Equal hits: *hits* markers of one base damage that need the same number for a point."""

    base_damage: int
    needed: int
    hits: int


@rule("emlia.damage.per-group")
def grouped(markers: Iterable[Group]) -> tuple[Group, ...]:
    """Return markers of equal base damage and need as one group, of all attackers.

    In the order of base damage, then of need.
    """
    hits: dict[tuple[int, int], int] = {}
    for marker in markers:
        key = marker.base_damage, marker.needed
        hits[key] = hits.get(key, 0) + marker.hits
    return tuple(Group(*key, hits[key]) for key in sorted(hits))


@rule("emlia.attr.threshold")
def threshold_rolls(before: int, after: int, threshold: int) -> int:
    """Return the rolls on the vital table: one for each multiple of the threshold reached.

    before, after : the running total of damage, not this step's alone
    """
    return after // threshold - before // threshold


@dataclass(frozen=True, slots=True)
class Casualties:
    """Characters that a unit loses, and the damage that it carries over."""

    lost: int
    carried: int


@rule("emlia.attr.damage-limit", "emlia.damage.carry", "emlia.damage.examples")
def casualties(points: int, carried: int, limit: int, members: int) -> Casualties:
    """Return the losses: a character for each full damage limit; the rest is carried.

    carried : damage that the unit had kept before
    limit : damage limit of one character, 1 or more
    """
    full, rest = divmod(points + carried, limit)
    return Casualties(members, 0) if full >= members else Casualties(full, rest)


@dataclass(frozen=True, slots=True)
class Credit:
    """Attackers, by number, credited with a unit's damage and with its destruction."""

    inflicted: tuple[int, ...]
    wiped_out: tuple[int, ...]


@rule("emlia.damage.credit")
def credit(markers: Iterable[tuple[int, int]]) -> Credit:
    """Return the credit for damage: all attackers, and the attackers tied for the most markers.

    markers : (attacker, markers), of hostile units in groups that yielded damage
    """
    held: dict[int, int] = {}
    for attacker, count in markers:
        held[attacker] = held.get(attacker, 0) + count
    by_number = tuple(sorted(attacker for attacker, count in held.items() if count))
    most = max(held.values(), default=0)
    return Credit(by_number, tuple(unit for unit in by_number if held[unit] == most))
