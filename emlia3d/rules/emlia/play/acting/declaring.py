"""Emlia, chapter 2 as play: formations that are declared, not marched into.

Members that stand so that several formations fit are in the one that their player names: after a
move during the activation, and after a forced move at once. A unit for which none is named stays in
the formation that it had. The subunits of a mixed unit are declared together with it.

Holds `emlia.entity.formation-ambiguity`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import shapely
from msgspec import structs

from emlia3d.battle.changes import Change, Stand
from emlia3d.battle.decisions import Decision, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.formation import GRID, Formation, boundary, places
from emlia3d.rules.emlia.events.movement import Declared
from emlia3d.rules.emlia.play.acting.actions import may_act_on_orders
from emlia3d.rules.emlia.play.situation.allowance import (
    has_room,
    may_form,
    obstacles_to,
    over_edge,
)
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.footing import meet
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of, reformed
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import boundary_of_all, is_linked
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

DECLARE = "declare"

_PLACE = 2 / GRID
"""GSU within which a member counts as standing in its place in the ranks."""


@rule("emlia.entity.formation-ambiguity")
def fitting(moment: Moment, rows: Sequence[int]) -> list[Formation]:
    """Return the formations that the places of the members of some rows fit, the tightest first.

    A unit of one member alone is in no ranks; it fits close formation as well as open.

    rows : of one unit, or of units that join
    """
    situation = situation_of(moment)
    places_of_rows = [situation.alone(row)[1] for row in rows]
    spots = np.concatenate(places_of_rows)
    radii = [situation.radius(row) for row in rows]
    radius = np.repeat(radii, [len(some) for some in places_of_rows]) if radii[1:] else radii[0]
    found = [
        formation
        for formation in (Formation.CLOSE, Formation.OPEN)
        if is_linked(spots, radius, formation)
    ]
    in_ranks = _make_one_block(moment, rows) if rows[1:] else _is_in_ranks(moment, rows[0])
    return [Formation.RANKED, *found] if in_ranks else found


def _is_in_ranks(moment: Moment, row: int) -> bool:
    """Return whether every member of a row stands where it would in ranks of the row's files."""
    drill = replace(moment.state.roster.drill(row), formation=Formation.RANKED)
    if drill.count < 2:
        return False
    pose, spots = pose_of(moment, row), situation_of(moment).alone(row)[1]
    ranks = places(drill, pose.x, pose.y, pose.facing)
    taken, _ = shapely.STRtree(np.asarray(shapely.points(spots))).query(
        shapely.points(ranks), predicate="dwithin", distance=_PLACE
    )
    return len(np.unique(taken)) == len(ranks)


def _make_one_block(moment: Moment, rows: Sequence[int]) -> bool:
    """Return whether several rows are ranked, face one way and make one rectangle."""
    roster, units = moment.state.roster, moment.state.units
    if any(roster.drill(row).formation is not Formation.RANKED for row in rows):
        return False
    if len({units.integer("facing", row) for row in rows}) > 1:
        return False
    blocks = shapely.union_all([situation_of(moment).alone(row)[0] for row in rows])
    rectangle = shapely.minimum_rotated_rectangle(blocks)
    spare = shapely.area(rectangle) - shapely.area(blocks)
    return bool(spare <= _PLACE * shapely.length(rectangle))


def as_joined(moment: Moment, head: int, rows: Sequence[int]) -> tuple[Change, ...]:
    """Return the changes that put units that join in one formation; no member moves.

    It is the tightest that the places of their members fit (`emlia.lead.join`). Ruling: that
    formation needs room, both where the members stand and where they take their places in it as
    the unit moves. Without room for one formation, the next looser one is taken; without room for
    any, each row keeps the formation that it has. There are no changes either if *head* is in the
    formation already.

    head : row that stands for the unit; rows : all that have members
    """
    now = replace(pose_of(moment, head), parts=())
    others = [row for row in rows if row != head]
    parts = tuple((row, replace(pose_of(moment, row), parts=())) for row in others)
    for formation in fitting(moment, rows):
        if formation is now.drill.formation:
            return ()
        named = reformed(replace(now, parts=parts), formation, now.drill.files)
        if _has_room(moment, head, named, rows):
            return (*named.changes(head), *(_stands(moment, row) for row in rows))
    return ()


def _has_room(moment: Moment, unit: int, named: Pose, rows: Sequence[int]) -> bool:
    """Return whether members have room in a formation: in its places, and where they stand now.

    Others may stand between the members of an open unit, but not within a tight formation.

    named : the pose in that formation; rows : all that have members, the unit's own among them
    """
    if over_edge(moment, named) is not None or not has_room(moment, unit, named, rows):
        return False
    if named.drill.formation is Formation.OPEN:
        return True
    situation = situation_of(moment)
    spots = np.concatenate([situation.alone(row)[1] for row in rows])
    hull = shapely.MultiPoint(spots).convex_hull.buffer(max(map(situation.radius, rows)))
    near = obstacles_to(moment, unit, rows, poses=(named,), within=hull)
    if not meet(np.array([hull]), near):
        # Nor does a boundary within the hull, which takes longer to draw.
        return True
    body = boundary_of_all(
        [
            boundary(pose.drill, pose.x, pose.y, pose.facing, situation.alone(row)[1])
            for row, pose in ((unit, named), *named.parts)
            if row in rows
        ],
        named.drill.formation,
    )
    return not meet(np.array([body]), near)


def orders(moment: Moment, unit: int) -> list[Order]:
    """Return the other formations that the unit may be declared to be in, by number."""
    now = moment.state.units.integer("formation", unit)
    return [
        Order(verb=DECLARE, unit=unit, number=int(formation))
        for formation in fitting(moment, situation_of(moment).parts(unit))
        if formation != now and may_declare(moment, unit, formation) is None
    ]


def may_declare(moment: Moment, unit: int, formation: Formation) -> Refusal | None:
    """Return why a formation may not be declared: needs orders, no combat, and room."""
    if (refusal := may_act_on_orders(moment, unit)) is not None:
        return refusal
    slug = "emlia.entity.formation-ambiguity"
    if engaged_by(moment, unit):
        return Refusal("emlia.form.change", "an engaged unit cannot change its formation")
    if (refusal := may_form(moment, unit, formation)) is not None:
        return refusal
    pose = pose_of(moment, unit)
    usual = reformed(pose, formation, pose.drill.files)
    if not _has_room(moment, unit, usual, situation_of(moment).parts(unit)):
        return Refusal(slug, "there is no room for that formation")
    return None


def declared(moment: Moment, unit: int, formation: Formation) -> Event:
    """Return the event that puts a unit and its subunits in a formation; no member moves."""
    pose = pose_of(moment, unit)
    named = reformed(pose, formation, pose.drill.files)
    stands = (_stands(moment, row) for row in situation_of(moment).parts(unit))
    return Event(
        facts=Declared(formation=formation.name.lower()),
        unit=unit,
        because=("emlia.entity.formation-ambiguity", f"emlia.form.{formation.name.lower()}"),
        changes=(*named.changes(unit), *stands),
    )


def _stands(moment: Moment, row: int) -> Stand:
    """Return the change that leaves the members of a row where they stand now."""
    figures, men = moment.state.figures, moment.state.roster.standing(row)
    return Stand(
        unit=row,
        figures=tuple(men.tolist()),
        east=tuple(round(float(x) * GRID) for x in figures["x"][men]),
        north=tuple(round(float(y) * GRID) for y in figures["y"][men]),
    )


def declare_forced(moment: Moment, units: Iterable[int]) -> Procedure[None]:
    """Ask for the formation of each unit that was forced to where several formations fit."""
    for unit in units:
        options = orders(moment, unit) if moment.state.units.value("present", unit) else []
        if not options:
            continue
        answer = yield Decision(
            side=moment.state.units.integer("side", unit),
            asks="emlia.entity.formation-ambiguity",
            unit=unit,
            options=(Order(verb="stand", unit=unit), *options),
        )
        if answer.verb == DECLARE:
            assert answer.number is not None
            event = declared(moment, unit, Formation(answer.number))
            yield structs.replace(event, part_of_last=True)
