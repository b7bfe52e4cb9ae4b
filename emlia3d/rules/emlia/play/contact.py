"""Emlia, chapter 15: who is engaged with whom at this moment.

Engagement follows positions: it is worked out anew whenever it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.force.facing import facing_towards, turn_between, unit_vector
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.abilities import added_reach
from emlia3d.rules.emlia.arcs import Arc, arc_of
from emlia3d.rules.emlia.engagement import (
    Block,
    front_of_contact,
    is_engaged,
    vertical_gap,
    who_of_loose_reaches,
    who_reaches,
)
from emlia3d.rules.emlia.equipment import combat_range
from emlia3d.rules.emlia.play.lie import Lie, lie_of
from emlia3d.rules.emlia.play.mixed import members_of_all, on_field
from emlia3d.rules.emlia.sides import Side
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


def enemies_of(battle: Battle, unit: int) -> list[int]:
    """Hostile units that are on the field."""
    units, setup = battle.state.units, battle.setup
    side = units.integer("side", unit)
    hostile = [setup.hostile(side, other) for other in range(len(setup.sides))]
    return [other for other in on_field(battle) if hostile[units.integer("side", other)]]


def friends_of(battle: Battle, unit: int) -> list[int]:
    """Other units that are on the field and not hostile to *unit*."""
    others = {unit, *enemies_of(battle, unit)}
    return [friend for friend in on_field(battle) if friend not in others]


def reach_of(lie: Lie, unit: int) -> float:
    """Combat range; of a mixed unit the longest among its subunits."""
    return max(own_reach(lie, part) for part in lie.parts(unit))


def own_reach(lie: Lie, row: int) -> float:
    """Combat range of one subunit, or of a plain unit.

    The attribute, else the size now, and what weapons and abilities with reach add.
    """
    entry = lie.entry(row)
    longest = max((weapon.ability("reach") or 0 for weapon in entry.melee_weapons), default=0)
    longer = longest + added_reach(entry.all_abilities)
    return combat_range(entry.size * lie.posture(row), entry.combat_range, longer)


def engages(lie: Lie, unit: int, other: int) -> bool:
    """Whether *other* lies in the combat range of *unit*, on the ground and in height.

    One-sided where their ranges differ (`emlia.engage.asymmetric`, `emlia.engage.vertical`); of a
    mixed unit each subunit reaches as far as it does by itself.
    """
    above = gap_between(lie, unit, other)
    return any(
        is_engaged(lie.gap(part, other), own_reach(lie, part), above) for part in lie.parts(unit)
    )


def gap_between(lie: Lie, unit: int, other: int) -> float:
    """Height units between two units one above the other; 0 where their heights overlap."""
    low, other_low = lie.footing(unit), lie.footing(other)
    return vertical_gap(low, low + lie.height(unit), other_low, other_low + lie.height(other))


def engaged_by(battle: Battle, unit: int) -> list[int]:
    """Enemies in whose combat range *unit* lies: those that it is engaged by."""
    lie = lie_of(battle)
    return [foe for foe in _close(battle, unit) if engages(lie, foe, unit)]


def in_reach_of(battle: Battle, unit: int) -> list[int]:
    """Enemies that lie in the combat range of *unit*: those that it can strike."""
    lie = lie_of(battle)
    return [foe for foe in _close(battle, unit) if engages(lie, unit, foe)]


def contacts(battle: Battle) -> list[tuple[int, int]]:
    """Who engages whom now: (unit, enemy in its combat range)."""
    return [(foe, unit) for unit in on_field(battle) for foe in engaged_by(battle, unit)]


def _close(battle: Battle, unit: int) -> list[int]:
    """Enemies near enough to ask about; a first sieve by bounding boxes."""
    lie = lie_of(battle)
    west, south, east, north = lie.outline(unit).bounds or (0, 0, 0, 0)
    near = []
    for foe in enemies_of(battle, unit):
        far = max(reach_of(lie, foe), reach_of(lie, unit)) + 1
        a, b, c, d = lie.outline(foe).bounds or (0, 0, 0, 0)
        if a - far <= east and west <= c + far and b - far <= north and south <= d + far:
            near.append(foe)
    return near


@rule("emlia.engage.group")
def engagement_of(battle: Battle, unit: int) -> tuple[int, ...]:
    """All units linked with *unit* by engagement, itself included, by number."""
    seen, waiting = {unit}, [unit]
    while waiting:
        here = waiting.pop()
        for foe in (*engaged_by(battle, here), *in_reach_of(battle, here)):
            if foe not in seen:
                seen.add(foe)
                waiting.append(foe)
    return tuple(sorted(seen))


def is_ranked(battle: Battle, unit: int) -> bool:
    """Whether a unit is in ranked formation."""
    return battle.state.units.integer("formation", unit) == Formation.RANKED


def block_of(battle: Battle, unit: int) -> Block:
    """A ranked unit's rectangle, as the engagement rules see it."""
    units = battle.state.units
    drill = battle.state.roster.drill(unit)
    return Block(
        front=(float(units.value("x", unit)), float(units.value("y", unit))),
        ahead=unit_vector(units.integer("facing", unit)),
        files=drill.files,
        members=drill.count,
        width=drill.width,
        depth=drill.depth,
    )


@rule("emlia.gloss.flank", "emlia.gloss.rear")
def side_towards(battle: Battle, unit: int, enemy: int) -> Side | None:
    """The side of a ranked unit on which an enemy stands; None if the unit is not ranked."""
    if not is_ranked(battle, unit):
        return None
    lie = lie_of(battle)
    # Of a mixed unit the side of the block that stands next to the enemy.
    nearest = min(lie.parts(unit), key=lambda part: (lie.gap(part, enemy), part))
    return front_of_contact(block_of(battle, nearest), lie.outline(enemy))


def bearing(battle: Battle, unit: int, other: int) -> Arc:
    """The arc of a unit, from its centre, in which the nearest point of another lies."""
    lie = lie_of(battle)
    line = shapely.shortest_line(lie.outline(unit), lie.outline(other))
    x, y = shapely.get_coordinates(line)[1].tolist()
    east, north = lie.centre(unit)
    turn = turn_between(
        battle.state.units.integer("facing", unit), facing_towards(x - east, y - north)
    )
    return arc_of(turn, lie.entry(unit).arcs)


@dataclass(frozen=True, slots=True)
class Melee:
    """A fight seen from one unit of it.

    enemies : those that it can strike
    group : all units of the engagement, the unit included
    """

    ranked: bool
    enemies: tuple[int, ...]
    group: tuple[int, ...]


@rule("emlia.skirmish.side-as-mixed", "emlia.skirmish.side")
@rule("emlia.engage.type")
def melee_of(battle: Battle, unit: int) -> Melee:
    """The fight that *unit* stands in, and whom it can strike.

    In ranked combat those in its reach, in a skirmish all who are hostile to it.
    """
    group = engagement_of(battle, unit)
    ranked = any(is_ranked(battle, member) for member in group)
    near = in_reach_of(battle, unit)
    if ranked or not near:
        return Melee(ranked, tuple(near), group)
    foes = set(enemies_of(battle, unit))
    return Melee(ranked, tuple(member for member in group if member in foes), group)


def able_against(battle: Battle, unit: int, enemy: int) -> NDArray[np.bool_]:
    """Which members of *unit* have *enemy* in reach: bool, (members,).

    The nearest at least, if the unit engages it (`emlia.ranked.engaged-members`).
    """
    return able_at(battle, unit, lie_of(battle).outline(enemy))


def able_at(battle: Battle, unit: int, outline: BaseGeometry) -> NDArray[np.bool_]:
    """Which members of *unit* have something of this outline in reach; the nearest at least."""
    parts = lie_of(battle).parts(unit)
    return np.concatenate([_own_able_at(battle, part, outline) for part in parts])


def _own_able_at(battle: Battle, row: int, outline: BaseGeometry) -> NDArray[np.bool_]:
    """The same of one subunit, or of a plain unit."""
    lie = lie_of(battle)
    reach = own_reach(lie, row)
    if is_ranked(battle, row):
        size = lie.entry(row).size * lie.posture(row)
        return who_reaches(block_of(battle, row), outline, reach, size)
    drill = battle.state.roster.drill(row)
    spots = lie.alone(row)[1]
    return who_of_loose_reaches(spots, max(drill.width, drill.depth) / 2, outline, reach)


def able_in(battle: Battle, unit: int, melee: Melee) -> int:
    """Members of *unit* that fight: in ranked combat those with an enemy in reach, else all.

    A member in reach of two enemies is one (`emlia.melee.outnumber`).
    """
    members = members_of_all(battle, unit)
    if not melee.ranked:
        return members
    able = np.zeros(members, dtype=np.bool_)
    for enemy in in_reach_of(battle, unit):
        able |= able_against(battle, unit, enemy)
    return int(able.sum())
