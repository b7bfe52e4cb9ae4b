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
from emlia3d.force.formation import GRID, Formation, places
from emlia3d.rules.emlia.events.movement import Declared
from emlia3d.rules.emlia.play.acting.actions import may_act_on_orders
from emlia3d.rules.emlia.play.situation.allowance import has_room, may_form, over_edge
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.parts import is_mixed
from emlia3d.rules.emlia.play.situation.pose import pose_of, reformed
from emlia3d.rules.emlia.play.situation.situation import lie_of
from emlia3d.rules.emlia.tables.formation import is_linked
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

DECLARE = "declare"

_PLACE = 2 / GRID
"""GSU within which a man stands in his place in the ranks."""


@rule("emlia.entity.formation-ambiguity")
def fitting(battle: Battle, unit: int) -> list[Formation]:
    """The formations that the places of a unit's members fit, the tightest first.

    One man alone makes no ranks; he is as well in close formation as in open.
    """
    lie = lie_of(battle)
    spots = lie.places(unit)
    found = [
        formation
        for formation in (Formation.CLOSE, Formation.OPEN)
        if is_linked(spots, lie.radius(unit), formation)
    ]
    return [Formation.RANKED, *found] if _is_in_ranks(battle, unit) else found


def _is_in_ranks(battle: Battle, unit: int) -> bool:
    """Whether every man stands where he would in ranks of the files that the unit has."""
    drill = replace(battle.state.roster.drill(unit), formation=Formation.RANKED)
    if drill.count < 2 or is_mixed(battle, unit):
        return False
    pose, spots = pose_of(battle, unit), lie_of(battle).places(unit)
    ranks = places(drill, pose.x, pose.y, pose.facing)
    taken, _ = shapely.STRtree(np.asarray(shapely.points(spots))).query(
        shapely.points(ranks), predicate="dwithin", distance=_PLACE
    )
    return len(np.unique(taken)) == len(ranks)


def formation_as_joined(battle: Battle, rows: Sequence[int]) -> Formation:
    """Return the formation of a unit of some rows as their members stand.

    Ranked if all are and their blocks make one rectangle; close if every member is linked to all
    others by steps of at most 1 GSU; else open (`emlia.lead.join`).
    """
    lie, roster = lie_of(battle), battle.state.roster
    facings = {battle.state.units.integer("facing", row) for row in rows}
    if len(facings) == 1 and all(roster.drill(row).formation is Formation.RANKED for row in rows):
        blocks = shapely.union_all([lie.alone(row)[0] for row in rows])
        rectangle = shapely.minimum_rotated_rectangle(blocks)
        if shapely.area(rectangle) - shapely.area(blocks) <= _PLACE * shapely.length(rectangle):
            return Formation.RANKED
    spots = [lie.alone(row)[1] for row in rows]
    radii = [lie.radius(row) for row in rows]
    each = np.repeat(radii, [len(some) for some in spots])
    linked = is_linked(np.concatenate(spots), each, Formation.CLOSE)
    return Formation.CLOSE if linked else Formation.OPEN


def as_joined(battle: Battle, head: int, rows: Sequence[int]) -> tuple[Change, ...]:
    """Return the changes that put a unit of some rows in one formation; no member moves.

    There are none if the row that stands for them is in that formation already.
    """
    formation = formation_as_joined(battle, rows)
    pose = replace(pose_of(battle, head), parts=())
    if pose.drill.formation is formation:
        return ()
    others = [row for row in rows if row != head]
    parts = tuple((row, replace(pose_of(battle, row), parts=())) for row in others)
    named = reformed(replace(pose, parts=parts), formation, pose.drill.files)
    return (*named.changes(head), *(_stands(battle, row) for row in rows))


def orders(battle: Battle, unit: int) -> list[Order]:
    """The other formations that the unit may be declared to be in, by number."""
    now = battle.state.units.integer("formation", unit)
    return [
        Order(verb=DECLARE, unit=unit, number=int(formation))
        for formation in fitting(battle, unit)
        if formation != now and may_declare(battle, unit, formation) is None
    ]


def may_declare(battle: Battle, unit: int, formation: Formation) -> Refusal | None:
    """It acts on orders, out of combat, and its men have room to take their places in it."""
    if (refusal := may_act_on_orders(battle, unit)) is not None:
        return refusal
    slug = "emlia.entity.formation-ambiguity"
    if engaged_by(battle, unit):
        return Refusal("emlia.form.change", "an engaged unit keeps its formation")
    if (refusal := may_form(battle, unit, formation)) is not None:
        return refusal
    pose = pose_of(battle, unit)
    usual = reformed(pose, formation, pose.drill.files)
    if over_edge(battle, usual) is not None or not has_room(battle, unit, usual):
        return Refusal(slug, "there is no room for it in that formation")
    return None


def declared(battle: Battle, unit: int, formation: Formation) -> Event:
    """Return the event that puts a unit and its subunits in a formation; no member moves."""
    pose = pose_of(battle, unit)
    named = reformed(pose, formation, pose.drill.files)
    stands = (_stands(battle, row) for row in lie_of(battle).parts(unit))
    return Event(
        facts=Declared(formation=formation.name.lower()),
        unit=unit,
        because=("emlia.entity.formation-ambiguity", f"emlia.form.{formation.name.lower()}"),
        changes=(*named.changes(unit), *stands),
    )


def _stands(battle: Battle, row: int) -> Stand:
    """Return the change that leaves the members of a row where they stand now."""
    figures, men = battle.state.figures, battle.state.roster.standing(row)
    return Stand(
        unit=row,
        figures=tuple(men.tolist()),
        east=tuple(round(float(x) * GRID) for x in figures["x"][men]),
        north=tuple(round(float(y) * GRID) for y in figures["y"][men]),
    )


def declare_forced(battle: Battle, units: Iterable[int]) -> Procedure[None]:
    """Ask for the formation of each unit that was forced to where several formations fit."""
    for unit in units:
        options = orders(battle, unit) if battle.state.units.value("present", unit) else []
        if not options:
            continue
        answer = yield Decision(
            side=battle.state.units.integer("side", unit),
            asks="emlia.entity.formation-ambiguity",
            unit=unit,
            options=(Order(verb="stand", unit=unit), *options),
        )
        if answer.verb == DECLARE:
            assert answer.number is not None
            event = declared(battle, unit, Formation(answer.number))
            yield structs.replace(event, part_of_last=True)
