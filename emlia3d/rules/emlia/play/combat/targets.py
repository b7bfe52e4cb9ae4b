"""Emlia, chapters 14 and 15 as play: targets of attacks from afar, their range and damage.

A unit, or one subunit of it; and an engagement as a whole, friends included, or one unit of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Append, Change, Pair
from emlia3d.battle.decisions import Refusal
from emlia3d.force.facing import FULL_CIRCLE, facing_of_degrees, unit_vector
from emlia3d.geometry import Bodies, reach_into_arc
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.columns import Acted, Armour
from emlia3d.rules.emlia.play.acting.checks import marked
from emlia3d.rules.emlia.play.sight.awareness import acted_on, is_aware
from emlia3d.rules.emlia.play.sight.covering import cover_of, part_seen_from
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.fights import fight_of
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed, members_of_all
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.elevation import effective_distance, extra_range
from emlia3d.rules.emlia.tables.equipment import Band, base_damage_at, range_band
from emlia3d.rules.emlia.tables.primary import Focus
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


class Subject(NamedTuple):
    """The subject of a shot: a unit as a whole, one subunit of it, or a whole engagement.

    row : of the unit or subunit; of an engagement, of the enemy that is meant
    alone : whether only the subunit is meant
    fight : the units of the engagement that is shot at
    """

    row: int
    alone: bool = False
    fight: tuple[int, ...] = ()


class Ranging(NamedTuple):
    """The distance, as shooting uphill lengthens it, and the band that it falls in."""

    distance: float
    band: Band | None


@rule("emlia.fire.at-skirmish")
def subject_of(moment: Moment, unit: int, target: int, *, focused: bool) -> Subject:
    """Return the subject when a unit aims at a target, in an engagement or outside.

    The engagement whole, of whatever type, as a mixed unit without a side; or, where the shot is
    focused, the one unit or subunit alone.
    """
    if focused:
        return Subject(target, alone=is_mixed(moment, head_of(moment, target)))
    return Subject(target, fight=fight_of(moment, target, unit))


def singles_of(moment: Moment, unit: int, foe: int) -> tuple[int, ...]:
    """Return what a shot at an enemy may focus on: its subunits, or itself in an engagement."""
    parts = situation_of(moment).parts(foe)
    return parts if len(parts) > 1 or fight_of(moment, foe, unit) else ()


def shares_of(moment: Moment, subject: Subject) -> list[Subject]:
    """Return the subunits and plain units that a shot at a subject may hit, each for itself."""
    situation = situation_of(moment)
    if subject.alone:
        return [subject]
    return [
        Subject(part, alone=parts != (whole,))
        for whole in subject.fight or (subject.row,)
        for parts in (situation.parts(whole),)
        for part in parts
    ]


def focus_on(moment: Moment, unit: int, target: int) -> tuple[Focus, bool]:
    """Return the focus on one subunit or unit, and whether it is one of an engagement."""
    whole = head_of(moment, target)
    fight = fight_of(moment, whole, unit)
    members = (
        moment.state.units.integer("members", target)
        if is_mixed(moment, whole)
        else members_of_all(moment, whole)
    )
    among = sum(members_of_all(moment, one) for one in fight or (whole,))
    return Focus(members, among), bool(fight)


def ranging(moment: Moment, row: int, subject: Subject, weapon: Weapon) -> Ranging:
    """Return the distance and band of the subject for a weapon; None if it is out of range."""
    situation = situation_of(moment)
    near = subject.row
    if subject.fight:
        near = min(subject.fight, key=lambda one: (situation.gap(row, one), one))
    own, other = situation.footing(row), situation.footing(near)
    apart = situation.apart(row, near) if subject.alone else situation.gap(row, near)
    return _ranging(apart, own, other, weapon)


def ranging_to(
    moment: Moment, row: int, body: BaseGeometry, footing: float, weapon: Weapon
) -> Ranging:
    """Return the distance and the band of a place or a body that stands so high."""
    situation = situation_of(moment)
    return _ranging(
        float(situation.alone(row)[0].distance(body)), situation.footing(row), footing, weapon
    )


def _ranging(apart: float, own: float, other: float, weapon: Weapon) -> Ranging:
    assert weapon.range is not None
    distance = effective_distance(apart, own, other)
    return Ranging(distance, range_band(distance, weapon.range, extra_range(own, other)))


def falling_to(weapon: Weapon, base_damage: int, band: Band) -> int:
    """Return what a base damage of a weapon is in a band of its range."""
    large, falloff = weapon.ability("large falloff") or 0, weapon.ability("falloff")
    return base_damage_at(base_damage, band, large, falloff is not None)


_ALL_ROUND = 360.0


def ready_for(
    moment: Moment,
    used: Mapping[int, Weapon],
    band_of: Callable[[int, Weapon], Band | None],
    aim: BaseGeometry,
) -> dict[int, tuple[Weapon, Band]] | Refusal:
    """Return the weapons that have an aim in range and arc, each with its band, by subunit.

    The result is a refusal if there are none.

    used : the weapon of each subunit
    band_of : the band in which a subunit has the aim with its weapon
    aim : as for `bears_on`
    """
    bands = {row: (weapon, band_of(row, weapon)) for row, weapon in used.items()}
    near = {row: (weapon, band) for row, (weapon, band) in bands.items() if band is not None}
    if not near:
        return Refusal("emlia.equip.ranged", "it is out of range")
    ready = {row: some for row, some in near.items() if bears_on(moment, row, aim, some[0])}
    return ready or Refusal("emlia.attr.facing.use", "it is outside the weapon's arc")


@rule("emlia.attr.facing.use")
def bears_on(moment: Moment, row: int, aim: BaseGeometry, weapon: Weapon) -> bool:
    """Return whether any part of *aim* lies in a weapon's arc, from the centre of a subunit.

    A unit sees all round, whatever its facing; a weapon may not bear all round.

    aim : the outline of the target, or the point that a volley is aimed at
    """
    if weapon.arc == _ALL_ROUND:
        return True
    situation, half = situation_of(moment), facing_of_degrees(weapon.arc / 2)
    facing = moment.state.units.integer("facing", row)
    left, right = ((facing + turn) % FULL_CIRCLE for turn in (-half, half))
    body = Bodies([aim], [0.0], [1.0], [True])
    there = reach_into_arc(body, [0], situation.centre(row), unit_vector(left), unit_vector(right))
    return bool(there[0])


def seen_of(moment: Moment, unit: int, subject: Subject, base_damage: int) -> tuple[Level, Level]:
    """Return a subject's concealment from a unit, and its cover against a base damage."""
    if subject.alone:
        return part_seen_from(moment, unit, subject.row, base_damage)
    return level_on(moment, unit, subject.row), cover_of(moment, unit, subject.row, base_damage)


def seen_uncovered(
    moment: Moment, unit: int, subject: Subject, base_damage: int
) -> tuple[Level, Level]:
    """Return `seen_of` as if the subject had no cover, except for one subunit alone."""
    if subject.alone:
        return seen_of(moment, unit, subject, base_damage)
    return level_on(moment, unit, subject.row), Level.NONE


def is_in_total_cover(moment: Moment, unit: int, subject: Subject, base_damage: int) -> bool:
    """Return whether an attack of *base_damage* from a unit cannot strike a subject at all.

    What gives cover conceals as much (`emlia.cover.implies-concealment`), so that of whole units
    only totally concealed units are queried.
    """
    if not subject.alone and level_on(moment, unit, subject.row) is not Level.TOTAL:
        return False
    return seen_of(moment, unit, subject, base_damage)[1] is Level.TOTAL


def hits_on(  # noqa: PLR0913  attacker, subject, damage, and what else counts
    moment: Moment,
    attacker: int,
    subject: Subject,
    base_damage: int,
    hits: int,
    *,
    armour: Armour,
    focused: bool = False,
) -> tuple[Change, ...]:
    """Return the changes of an attack from afar: hits on the subject, shared out where it is many.

    In an engagement friends take their share of the hits; it is the enemies in it who were
    attacked.
    """
    whole = head_of(moment, subject.row)
    unseen = int(not is_aware(moment, whole, attacker))
    if not subject.fight:
        return marked(
            moment, attacker, whole, base_damage, hits,
            armour=armour, unseen=unseen, focus=subject.row if focused else None,
        )  # fmt: skip
    party, side = len(moment.state.lists["party"]), moment.state.units.ints("side").tolist()
    others = [
        one
        for one in subject.fight
        if one != whole and moment.setup.hostile(side[attacker], side[one])
    ]
    return (
        *(Append(table="party", row={"party": party, "unit": one}) for one in subject.fight),
        *marked(
            moment, attacker, whole, base_damage, hits, armour=armour, unseen=unseen, party=party
        ),
        *(Pair(column="attacked", a=attacker, b=one, value=moment.state.turn) for one in others),
        *(acted_on(moment, attacker, one, Acted.SHOT) for one in others),
    )
