"""Emlia, chapter 15: which units are engaged with which at this moment.

Engagement follows positions: `emlia3d.rules.emlia.play.situation.reach` has each unit's reach.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.derived import Derived, Each, Pairs
from emlia3d.force.facing import facing_towards, turn_between, unit_vector
from emlia3d.force.formation import Formation, places
from emlia3d.rules.emlia.basics.arcs import Arc, arc_of
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.play.situation.parts import hostile_to, members_of_all, on_field
from emlia3d.rules.emlia.play.situation.reach import engages, own_reach, reach_of, reaches_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.engagement import (
    RankedBlock,
    divided,
    front_of_contact,
    who_of_loose_reaches,
    who_reaches,
)
from emlia3d.rules.emlia.unit_sets.abilities import is_all_round
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def enemies_of(moment: Moment, unit: int) -> list[int]:
    """Hostile units that are on the field."""
    return hostile_to(moment, moment.state.units.integer("side", unit))


def friends_of(moment: Moment, unit: int) -> list[int]:
    """Other units that are on the field and not hostile to *unit*."""
    others = {unit, *enemies_of(moment, unit)}
    return [friend for friend in on_field(moment) if friend not in others]


@rule("emlia.engage.definition")
def engaged_by(moment: Moment, unit: int) -> list[int]:
    """Return the enemies in whose combat range *unit* lies: it is engaged by them."""
    return reaches_of(moment).engagers(unit)


def in_reach_of(moment: Moment, unit: int) -> list[int]:
    """Return the enemies that lie in the combat range of *unit*: it can strike them."""
    return reaches_of(moment).reached(unit)


def contacts(moment: Moment) -> list[tuple[int, int]]:
    """Return the engagements now: (unit, enemy in its combat range)."""
    return [(foe, unit) for unit in on_field(moment) for foe in engaged_by(moment, unit)]


@rule("emlia.engage.group", "emlia.engage.separate-activation")
def engagement_of(moment: Moment, unit: int, but: int = -1) -> tuple[int, ...]:
    """All units linked with *unit* by engagement, itself included, by number.

    Those too who have come to the boundary of its skirmish, or have been drawn into it. From
    outside it is one unit of no side; each keeps its own timing, morale and activations.

    A house rule may limit how far contact links units (`Numbers.contact_steps`).

    but : a unit through which no other is linked
    """
    return _linked(moment, unit, _joined(moment), but)


def _linked(
    moment: Moment,
    unit: int,
    joined: Mapping[int, Sequence[int]],
    but: int = -1,
    *,
    loose: bool = False,
) -> tuple[int, ...]:
    """Units linked by engagement and by *joined*; with *loose* past no ranked unit."""

    def linked(here: int) -> list[int]:
        others = (*engaged_by(moment, here), *in_reach_of(moment, here), *joined.get(here, ()))
        return [
            one
            for one in others
            if one == unit or (one != but and not (loose and is_ranked(moment, one)))
        ]

    seen, waiting = {unit}, [unit]
    while waiting:
        for other in linked(waiting.pop()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    steps = numbers_of(moment).contact_steps
    if not steps or len(seen) == 1:
        return tuple(sorted(seen))
    links = {one: [other for other in linked(one) if other in seen] for one in sorted(seen)}
    return next(fight for fight in divided(links, steps) if unit in fight)


@rule("emlia.skirmish.join-by-contact")
def _pairs_that_stand(moment: Moment) -> tuple[tuple[int, int], ...]:
    """Return the pairs (unit, skirmish unit) joined by their boundary that still stand there."""
    # A unit off the field has no outline, so it touches nothing.
    return tuple(
        (unit, other)
        for unit, other in sorted(moment.state.pairs["joined"])
        if touches(moment, unit, _loose(moment, other, {}, unit))
    )


joined_pairs = Derived(reaches_of, Pairs("joined"), make=_pairs_that_stand)
"""The pairs (unit, skirmish unit) joined by their boundary that still stand there."""


def _by_unit(moment: Moment) -> dict[int, list[int]]:
    """Return, for each unit, the units linked to its skirmish without touching an enemy."""
    out: dict[int, list[int]] = {}
    for unit, other in joined_pairs(moment):
        out.setdefault(unit, []).append(other)
        out.setdefault(other, []).append(unit)
    return out


_joined = Derived(joined_pairs, make=_by_unit)


def touches(moment: Moment, unit: int, body: Sequence[int]) -> bool:
    """Return whether the boundary of a skirmish lies in a unit's combat range, or it in theirs."""
    if not body:
        return False
    situation = situation_of(moment)
    reach = max(reach_of(situation, one) for one in (unit, *body))
    return in_reach(float(situation.outline(unit).distance(boundary_of(moment, body))), reach)


@rule("emlia.engage.type", "emlia.skirmish.side-as-mixed")
def skirmish_of(moment: Moment, unit: int) -> tuple[int, ...]:
    """Return the skirmish that a unit stands in: the unranked units linked with it, by number.

    Empty for a ranked unit, and for a unit that fights only ranked enemies.
    """
    found = _SKIRMISHES(moment)
    if unit not in found:
        found[unit] = _loose(moment, unit, _joined(moment))
    return found[unit]


_SKIRMISHES: Each[int, tuple[int, ...]] = Each(reaches_of, Pairs("joined"))


def _loose(
    moment: Moment, unit: int, joined: Mapping[int, Sequence[int]], but: int = -1
) -> tuple[int, ...]:
    if is_ranked(moment, unit):
        return ()
    body = tuple(one for one in _linked(moment, unit, joined, loose=True) if one != but)
    side = moment.state.units.ints("side")
    hostile = any(moment.setup.hostile(int(side[a]), int(side[b])) for a in body for b in body)
    return body if hostile else ()


@rule("emlia.skirmish.boundary")
def boundary_of(moment: Moment, body: Sequence[int]) -> BaseGeometry:
    """Return the common boundary of several units: the convex hull of theirs; of one, its own."""
    if len(body) == 1:
        return situation_of(moment).outline(body[0])
    outlines = situation_of(moment).outlines(list(body))
    hull: BaseGeometry = shapely.convex_hull(shapely.union_all(outlines))
    return hull


@rule("emlia.skirmish.neutral")
def is_neutral(moment: Moment, unit: int, other: int) -> bool:
    """Return whether *other* is in a skirmish without *unit*: neither friend nor enemy."""
    body = skirmish_of(moment, other)
    return bool(body) and unit not in body


def is_ranked(moment: Moment, unit: int) -> bool:
    """Return whether a unit is in ranked formation."""
    return moment.state.units.integer("formation", unit) == Formation.RANKED


@rule("emlia.ranked.definition")
def block_of(moment: Moment, unit: int) -> RankedBlock:
    """Return a ranked unit's rectangle, as the engagement rules see it."""
    units = moment.state.units
    drill = moment.state.roster.drill(unit)
    return RankedBlock(
        front=(float(units.value("x", unit)), float(units.value("y", unit))),
        ahead=unit_vector(units.integer("facing", unit)),
        files=drill.files,
        members=drill.count,
        width=drill.width,
        depth=drill.depth,
    )


@rule("emlia.gloss.flank", "emlia.gloss.rear", "emlia.form.ranked.facing")
def side_towards(moment: Moment, unit: int, enemy: int) -> UnitEdge | None:
    """Return the side of a ranked unit on which an enemy stands; None if the unit is not ranked."""
    return side_towards_body(moment, unit, (enemy,))


def side_towards_body(moment: Moment, unit: int, body: Sequence[int]) -> UnitEdge | None:
    """Return the side of a unit that a skirmish stands on, by its common boundary."""
    if not is_ranked(moment, unit):
        return None
    outline = boundary_of(moment, body)
    situation = situation_of(moment)
    # For a mixed unit, the side of the block nearest to the enemy.
    nearest = min(situation.parts(unit), key=lambda part: (situation.gap(part, body[0]), part))
    return front_of_contact(block_of(moment, nearest), outline)


def side_met_from(moment: Moment, unit: int, outline: BaseGeometry) -> UnitEdge | None:
    """Return the side of a ranked unit that an enemy with such an outline would fight."""
    if not is_ranked(moment, unit):
        return None
    if _is_all_round(moment, unit):
        return UnitEdge.FRONT
    parts = situation_of(moment).parts(unit)
    gaps = {part: situation_of(moment).alone(part)[0].distance(outline) for part in parts}
    nearest = min(parts, key=lambda part: (gaps[part], part))
    return front_of_contact(block_of(moment, nearest), outline)


def side_met(moment: Moment, unit: int, enemy: int) -> UnitEdge | None:
    """Return the side of a ranked unit that an enemy fights; its front, if all round."""
    return side_met_by(moment, unit, (enemy,))


def side_met_by(moment: Moment, unit: int, body: Sequence[int]) -> UnitEdge | None:
    """Return the side of a unit that a skirmish meets, by its common boundary."""
    side = side_towards_body(moment, unit, body)
    return UnitEdge.FRONT if side is not None and _is_all_round(moment, unit) else side


def _is_all_round(moment: Moment, unit: int) -> bool:
    """Return whether an ability makes all ranks of a unit and its subunits count as front."""
    situation = situation_of(moment)
    return all(
        is_all_round(situation.entry(part).all_abilities, "ranked")
        for part in situation.parts(unit)
    )


def fronts_of(moment: Moment, unit: int, enemy: int) -> set[UnitEdge | None]:
    """Return the sides of a ranked unit that an enemy is on; several if it envelops the unit."""
    if is_ranked(moment, unit) and _is_all_round(moment, unit):
        return {UnitEdge.FRONT}
    if not is_ranked(moment, unit) or not _is_spread(moment, enemy):
        return {side_towards(moment, unit, enemy)}
    situation, block = situation_of(moment), block_of(moment, unit)
    able = able_against(moment, enemy, unit)
    discs = np.asarray(
        shapely.buffer(shapely.points(situation.places(enemy)[able]), situation.radius(enemy))
    )
    return {front_of_contact(block, disc) for disc in discs}


def _is_spread(moment: Moment, unit: int) -> bool:
    """Return whether members of a unit have left the places of its formation."""
    units = moment.state.units
    if units.value("formation", unit) != Formation.CLOSE:
        return False
    drill, x, y = moment.state.roster.drill(unit), units.value("x", unit), units.value("y", unit)
    usual = places(drill, float(x), float(y), units.integer("facing", unit))
    spots = situation_of(moment).alone(unit)[1]
    return bool((_in_rows(spots) != _in_rows(usual)).any())


def _in_rows(spots: NDArray[np.float64]) -> NDArray[np.float64]:
    return spots[np.lexsort((spots[:, 1], spots[:, 0]))]


def bearing(moment: Moment, unit: int, other: int) -> Arc:
    """Return the arc of a unit, from its centre, in which the nearest point of another lies."""
    situation = situation_of(moment)
    line = shapely.shortest_line(situation.outline(unit), situation.outline(other))
    x, y = shapely.get_coordinates(line)[1].tolist()
    east, north = situation.centre(unit)
    turn = turn_between(
        moment.state.units.integer("facing", unit), facing_towards(x - east, y - north)
    )
    return arc_of(turn, situation.entry(unit).arcs)


@dataclass(frozen=True, slots=True)
class Melee:
    """A fight from the point of view of one of its units.

    ranked : its members fight as in ranked combat, each against the enemies in its reach
    enemies : the enemies that it can strike
    group : all units of the engagement, the unit included
    parties : the enemies as they are struck, each party by one check
    """

    ranked: bool
    enemies: tuple[int, ...]
    group: tuple[int, ...]
    parties: tuple[tuple[int, ...], ...]


@rule("emlia.skirmish.side", "emlia.mixedeng.definition")
@rule("emlia.mixedeng.attack")
def melee_of(moment: Moment, unit: int) -> Melee:
    """Return the fight that *unit* stands in, with the enemies that it can strike.

    In ranked combat each enemy in its reach; in a skirmish all its enemies together,
    with ranked enemies that touch the skirmish. A ranked unit strikes a skirmish as one, also
    from its common boundary, if it has charged to it or has been drawn into it.
    """
    foes, group = set(enemies_of(moment, unit)), engagement_of(moment, unit)
    near, pairs = in_reach_of(moment, unit), joined_pairs(moment)
    joined = any(unit in pair for pair in pairs)
    body = skirmish_of(moment, unit)
    if body and (near or joined):
        around = [
            other
            for other in group
            if is_ranked(moment, other)
            and any(_touch(moment, other, one) or (other, one) in pairs for one in body)
        ]
        fight = tuple(sorted((*body, *around)))
        enemies = tuple(other for other in fight if other in foes)
        return Melee(False, enemies, fight, (enemies,))
    bodies = [skirmish_of(moment, other) for one, other in pairs if one == unit]
    within = [foe for body in bodies for foe in body if foe in foes]
    parties = dict.fromkeys(_party(moment, foe, foes) for foe in (*near, *within))
    enemies = tuple(sorted({foe for party in parties for foe in party}))
    ranked = any(is_ranked(moment, member) for member in group)
    return Melee(ranked, enemies, group, tuple(parties))


def _touch(moment: Moment, a: int, b: int) -> bool:
    situation = situation_of(moment)
    return engages(situation, a, b) or engages(situation, b, a)


def _party(moment: Moment, foe: int, foes: Collection[int]) -> tuple[int, ...]:
    """Return an enemy with all units that are struck together with it."""
    return tuple(one for one in skirmish_of(moment, foe) if one in foes) or (foe,)


def able_against(moment: Moment, unit: int, enemy: int) -> NDArray[np.bool_]:
    """Return which members of *unit* have *enemy* in reach: bool, (members,).

    The nearest at least, if the unit engages it (`emlia.ranked.engaged-members`).
    """
    return able_at(moment, unit, situation_of(moment).outline(enemy))


def able_at(moment: Moment, unit: int, outline: BaseGeometry) -> NDArray[np.bool_]:
    """Return which members of *unit* have this outline in reach; at least the nearest."""
    parts = situation_of(moment).parts(unit)
    return np.concatenate([own_able_at(moment, part, outline) for part in parts])


@rule("emlia.form.close.better")
def own_able_at(moment: Moment, row: int, outline: BaseGeometry) -> NDArray[np.bool_]:
    """Return which members of one subunit, or of a plain unit, have this outline in reach."""
    situation = situation_of(moment)
    reach = own_reach(situation, row)
    if is_ranked(moment, row):
        size = situation.entry(row).size * situation.posture(row)
        return who_reaches(block_of(moment, row), outline, reach, size)
    drill = moment.state.roster.drill(row)
    spots = situation.alone(row)[1]
    return who_of_loose_reaches(spots, max(drill.width, drill.depth) / 2, outline, reach)


@rule("emlia.skill.able-members")
def able_in(moment: Moment, unit: int, melee: Melee) -> NDArray[np.bool_]:
    """Return which members of *unit* fight: in ranked combat members with an enemy in reach.

    A member in reach of two enemies is one (`emlia.melee.outnumber`). The order is that of its
    subunits.
    """
    members = members_of_all(moment, unit)
    if not melee.ranked:
        return np.ones(members, dtype=np.bool_)
    able = np.zeros(members, dtype=np.bool_)
    for enemy in in_reach_of(moment, unit):
        able |= able_against(moment, unit, enemy)
    return able
