"""Emlia, chapters 21.3 and 21.4 as play: hit markers become damage, and damage losses.

The arithmetic is in `emlia3d.rules.emlia.tables.damage`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Add, Change, Fall, Pair, Set
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import GRID
from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.columns import Armour
from emlia3d.rules.emlia.events.losses import Destroyed, Suffered
from emlia3d.rules.emlia.play.morale import losses
from emlia3d.rules.emlia.play.morale.allocation import HitMarker, markers_by_row
from emlia3d.rules.emlia.play.morale.leading import without
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs, value_of
from emlia3d.rules.emlia.play.morale.reasons import hits_because, toll_because
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import friends_of
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed, members_of_all, parts_of
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of, reformed
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.allocation import Markers, Targets, resolve_hits
from emlia3d.rules.emlia.tables.damage import (
    Casualties,
    Group,
    casualties,
    credit,
    damage_points,
    grouped,
    need,
    threshold_rolls,
)
from emlia3d.rules.emlia.tables.equipment import hits_against
from emlia3d.rules.emlia.tables.manoeuvres import formation_of
from emlia3d.rules.emlia.tables.skills import dice_notation
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.emlia.unit_sets.vital import VitalRow
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@dataclass(slots=True)
class CasualtyReport:
    """The losses of one unit in this resolution, gathered before any of them is applied."""

    unit: int
    points: int = 0
    rolls: list[VitalRow] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)
    attackers: tuple[int, ...] = ()
    wiped_out_by: tuple[int, ...] = ()
    unseen: bool = False
    swept_away: bool = False
    loss: Casualties = field(default_factory=lambda: Casualties(0, 0))
    because: tuple[str, ...] = ()


@rule("emlia.damage.step", "emlia.damage.order", "emlia.time.simultaneity")
def update_damage(battle: Battle, outlook: MoraleInputs) -> Procedure[None]:
    """Convert all hits of the step to damage, and remove dead members and destroyed units."""
    taken = yield from markers_by_row(battle)
    swept = {
        part: pushers
        for unit, pushers in outlook.swept_away.items()
        for part in parts_of(battle, unit)
    }
    struck = sorted({*taken, *swept})
    for unit, hurt in zip(struck, _hurts(battle, struck, taken), strict=True):
        if not battle.state.units.value("present", unit):
            continue
        toll = _toll(battle, unit, taken.get(unit, []), hurt)
        if unit in swept:
            _sweep_away(toll, swept[unit])
        if toll.points or toll.swept_away:
            verb, end = yield from losses.chosen(battle, unit, _lost_by(battle, toll))
            yield _suffered(battle, toll, outlook, verb, end)


def _sweep_away(toll: CasualtyReport, pushers: tuple[int, ...]) -> None:
    """Record that the unit is lost where it was pressed, credited to the units that pressed it."""
    toll.swept_away = True
    toll.attackers = tuple(sorted({*toll.attackers, *pushers}))
    toll.wiped_out_by = pushers


@dataclass(frozen=True, slots=True)
class _Hurt:
    """The effect of hits alone on a unit; needs : of each marker, rolls : that fall due."""

    groups: tuple[Group, ...]
    needs: tuple[int, ...]
    points: int
    loss: Casualties
    rolls: int


def _hurts(
    moment: Moment, units: Sequence[int], taken: Mapping[int, list[HitMarker]]
) -> list[_Hurt]:
    """Return the effect on each unit of the markers that it has taken, in one batch."""
    table, entries = moment.state.units, [situation_of(moment).entry(unit) for unit in units]
    needs = [
        tuple(_needed(entry, marker) for marker in taken.get(unit, ()))
        for unit, entry in zip(units, entries, strict=True)
    ]
    groups = [
        grouped(
            Group(marker.base_damage, needed, marker.hits)
            for marker, needed in zip(taken.get(unit, ()), own, strict=True)
        )
        for unit, own in zip(units, needs, strict=True)
    ]
    every = [group for own in groups for group in own]
    harm = resolve_hits(
        Targets(
            members=table.ints("members")[list(units)],
            offsets=np.arange(len(units) + 1),
            limit=[entry.damage_limit or 0 for entry in entries],
            threshold=[entry.threshold or 0 for entry in entries],
            carried=table.ints("damage")[list(units)],
            suffered=[total_damage(moment, unit) for unit in units],
        ),
        Markers(
            damage=[group.base_damage for group in every],
            hits=[group.hits for group in every],
            offsets=np.cumsum([0, *(len(own) for own in groups)]),
            needs=[group.needed for group in every],
        ),
    )
    columns = (harm.points, harm.lost, harm.carried, harm.rolls)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        _Hurt(own, needed, points, Casualties(lost, carried), rolls)
        for own, needed, (points, lost, carried, rolls) in zip(groups, needs, rows, strict=True)
    ]


def _needed(entry: Entry, marker: HitMarker) -> int:
    """Return how many such hits make a point on it."""
    hits = hits_against(
        entry.hits_in(marker.arc),
        entry.protection,
        piercing=marker.armour is Armour.PIERCED,
        ignored=marker.armour is Armour.IGNORED,
    )
    return need(hits, marker.base_damage)


def _toll(battle: Battle, unit: int, markers: list[HitMarker], hurt: _Hurt) -> CasualtyReport:
    """Damage points of the markers, whose deed they are, and the vital table's rolls."""
    toll = CasualtyReport(unit, points=hurt.points, loss=hurt.loss)
    toll.because = hits_because(situation_of(battle).entry(unit), markers, hurt.groups)
    yielding = {(g.base_damage, g.needed) for g in hurt.groups if damage_points(g.hits, g.needed)}
    hurtful = [
        marker
        for marker, needed in zip(markers, hurt.needs, strict=True)
        if (marker.base_damage, needed) in yielding
    ]
    setup, units = battle.setup, battle.state.units
    side = units.integer("side", unit)
    deeds = credit(
        (marker.attacker, marker.hits)
        for marker in hurtful
        if marker.attacker >= 0 and setup.hostile(side, units.integer("side", marker.attacker))
    )
    toll.attackers, toll.wiped_out_by = deeds.inflicted, deeds.wiped_out
    toll.unseen = any(marker.unseen for marker in hurtful)
    if hurt.rolls:
        _roll_vitals(battle, toll, most_struck(hurtful))
    return toll


def most_struck(markers: Sequence[HitMarker]) -> Arc:
    """Return the arc that took most of these hits, the more forward of several."""
    hits = {arc: sum(marker.hits for marker in markers if marker.arc is arc) for arc in Arc}
    return max(Arc, key=lambda arc: hits[arc])


def _roll_vitals(battle: Battle, toll: CasualtyReport, arc: Arc) -> None:
    """Roll for each multiple of the threshold; a result's damage may bring on further rolls.

    Units removed by the damage limit, which comes first, do not roll.

    arc : in which it was struck, whose table is rolled on
    """
    entry = situation_of(battle).entry(toll.unit)
    assert entry.threshold is not None
    before = total_damage(battle, toll.unit)
    count, sides = dice_notation(entry.vital_dice)
    while not is_gone(battle, toll) and len(toll.rolls) < threshold_rolls(
        before, before + toll.points, entry.threshold
    ):
        face = sum(battle.dice.roll("emlia.attr.vital-table", count, sides))
        table = entry.vitals_in(arc)
        row = next(row for row in table if row.faces[0] <= face <= row.faces[1])
        toll.faces.append(face)
        toll.rolls.append(row)
        toll.points += row.damage
    if toll.rolls and entry.damage_limit is not None:
        units, unit = battle.state.units, toll.unit
        carried, members = units.integer("damage", unit), units.integer("members", unit)
        toll.loss = casualties(toll.points, carried, entry.damage_limit, members)


def total_damage(moment: Moment, unit: int) -> int:
    """All damage that a unit has taken so far, that of its dead included."""
    units, limit = moment.state.units, situation_of(moment).entry(unit).damage_limit
    strength, carried = units.integer("strength", unit), units.integer("damage", unit)
    if limit is None:
        return carried
    return (strength - units.integer("members", unit)) * limit + carried


def is_gone(moment: Moment, toll: CasualtyReport) -> bool:
    """Return whether this toll is the end of the unit: by its damage limit, or by a result."""
    limit = situation_of(moment).entry(toll.unit).damage_limit
    capacity = None if limit is None else limit * moment.state.units.integer("strength", toll.unit)
    reached = capacity is not None and total_damage(moment, toll.unit) + toll.points >= capacity
    return reached or toll.swept_away or any(row.destroyed for row in toll.rolls)


def _lost_by(moment: Moment, toll: CasualtyReport) -> int:
    """Return how many members a unit loses: all if this is its end."""
    if is_gone(moment, toll):
        return moment.state.units.integer("members", toll.unit)
    return toll.loss.lost


def _suffered(
    moment: Moment, toll: CasualtyReport, outlook: MoraleInputs, verb: str, end: Pose | None
) -> Event:
    """Return the event of what a unit loses.

    verb, end : of its controller's choice, as `losses.chosen` gives them
    """
    units = moment.state.units
    unit, entry = toll.unit, situation_of(moment).entry(toll.unit)
    members, carried = units.integer("members", unit), units.integer("damage", unit)
    whole, single = head_of(moment, unit), units.integer("strength", unit) == 1
    lost, left = _lost_by(moment, toll), carried + toll.points
    if entry.damage_limit is not None and not single:
        left = toll.loss.carried
    harm = toll.points if single and not is_mixed(moment, whole) else lost
    outlook.suffered(toll.unit, harm, toll, destroyed=lost >= members)
    resolution = moment.state.battle.integer("resolutions", 0)
    changes: list[Change] = [
        Set(table="unit", row=unit, column="damage", value=left),
        Add(table="unit", row=whole, column="lost_turn", value=harm),
        Set(table="unit", row=whole, column="hurt_at", value=moment.state.turn),
    ]
    if harm:
        changes.append(Set(table="unit", row=whole, column="casualties_at", value=resolution))
    changes += _wounds(unit, units.value("speed_share", unit), toll.rolls)
    if lost:
        left_of_all = members_of_all(moment, whole) - lost
        changes += _lost(moment, unit, lost, verb, end)
        if not left_of_all and not outlook.is_rehearsed:
            changes += notify_friends(moment, whole)
        if lost == members:
            changes += _removed(moment, unit, left_of_all)
    because = [*toll.because, *toll_because(moment, toll, lost=lost, left=left)]
    return Event(
        facts=(Destroyed if lost >= members else Suffered)(
            points=toll.points,
            lost=lost,
            left=members - lost,
            faces=tuple(toll.faces) if toll.rolls else None,
            vital=tuple(row.text for row in toll.rolls) if toll.rolls else None,
        ),
        unit=unit,
        gesture="suffer",
        because=tuple(because),
        changes=tuple(changes),
    )


def _lost(moment: Moment, unit: int, lost: int, verb: str, end: Pose | None) -> Iterator[Change]:
    """Members fall; one member left alone stands in ranks no more."""
    yield Fall(unit=unit, figures=fallen(moment, unit, lost, verb))
    if end is not None:
        yield from end.changes(unit)
    whole = head_of(moment, unit)
    left = members_of_all(moment, whole) - lost
    pose = pose_of(moment, whole)
    formation = formation_of(pose.drill.formation, left)
    if left and formation is not pose.drill.formation:
        yield from reformed(pose, formation, left).changes(whole)


def _removed(moment: Moment, unit: int, left: int) -> Iterator[Change]:
    """Remove a unit without members; a mixed unit's head stays until its last subunit is gone.

    left : members of all its subunits
    """
    whole = head_of(moment, unit)
    yield from without(moment, unit)
    if unit == whole and left:
        yield Set(table="unit", row=whole, column="present", value=1)
    elif unit != whole and not left:
        yield Set(table="unit", row=whole, column="present", value=0)


def notify_friends(moment: Moment, unit: int) -> Iterator[Change]:
    """Friends near who see the unit wiped out will remember it when they activate."""
    situation, near = situation_of(moment), numbers_of(moment).near
    value = value_of(moment, unit)
    friends = [
        friend
        for friend in whereabouts_of(moment).about(unit, friends_of(moment, unit), near)
        if in_reach(situation.distance(friend, unit), near)
    ]
    sight_cache_of(moment).look(friends, [unit])
    for friend in friends:
        if is_aware(moment, friend, unit):
            yield Pair(column="mourned", a=friend, b=unit, value=value)


def _wounds(unit: int, share: float, rolls: list[VitalRow]) -> Iterator[Change]:
    """Lasting results of the vital table."""
    for row in rolls:
        if row.speed_share != 1:
            share *= row.speed_share
            yield Set(table="unit", row=unit, column="speed_share", value=share)
        if row.check_modifier:
            yield Add(table="unit", row=unit, column="check_modifier", value=row.check_modifier)


@rule("emlia.damage.unit-destroyed")
def fallen(moment: Moment, unit: int, count: int, verb: str = losses.REAR) -> tuple[int, ...]:
    """Return which figures fall, by number, from the lowest.

    A unit that loses its rear loses the places of its rear rank. Its members there step forward,
    so that the fallen lie in the front half, where the fight was: members are alike, and which of
    them steps up is no rule's matter. Of any other choice those fall who stand at that side.

    verb : of the controller's choice (`losses.chosen`)
    """
    standing = moment.state.roster.standing(unit)
    if verb == losses.REAR:
        ahead = moment.state.figures.ints("slot")[standing] < (len(standing) + 1) // 2
        salt = np.uint64(moment.state.stretch * 0x9E3779B97F4A7C15 % 2**64)
        mixed = standing.astype(np.uint64) * np.uint64(0xD1B54A32D192ED03) ^ salt
        order = np.lexsort((standing, mixed >> np.uint64(20), ~ahead))
    else:
        order = np.lexsort((standing, -_on_side(moment, unit, standing, verb)))
    return tuple(sorted(int(figure) for figure in standing[order][:count]))


def _on_side(
    moment: Moment, unit: int, figures: NDArray[np.intp], verb: str
) -> NDArray[np.float64]:
    """Return how far each figure stands towards the side that a unit loses, GSU to 1/1024."""
    pose, rows = pose_of(moment, unit), moment.state.figures
    east, north = unit_vector(pose.facing)
    x, y = rows.floats("x")[figures] - pose.x, rows.floats("y")[figures] - pose.y
    right, ahead = x * north - y * east, x * east + y * north
    towards = {
        "lose-front": ahead,
        "lose-left": -right,
        "lose-right": right,
        "lose-flanks": np.abs(right),
    }[verb]
    return np.asarray(np.round(towards * GRID) / GRID)
