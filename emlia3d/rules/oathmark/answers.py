"""Answers: sight with reasons, ranges, and the reach of moves."""

from __future__ import annotations

from collections import Counter

import numpy as np
from shapely import Polygon

from emlia3d.battle.facts import BattleFacts
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import SightAnswer
from emlia3d.battle.questions.area import NONE, TOTAL, Observer, PointVisibility, Progress, silent
from emlia3d.battle.questions.ranges import FireArc, Range
from emlia3d.battle.system import System
from emlia3d.field import Scale
from emlia3d.force.formation import centre
from emlia3d.geometry.arrays import Floats
from emlia3d.rulekit.foreign_battles import mustered, taken_over
from emlia3d.rules.oathmark.blocks import Block, blocks_of, entry_of
from emlia3d.rules.oathmark.core import INCH, mm
from emlia3d.rules.oathmark.shooting import is_in_front, maximum_range
from emlia3d.rules.oathmark.sight import OUTSIDE, Blockers, distance_to, view
from emlia3d.rules.oathmark.terrain import cover_from, is_in, terrain_of
from emlia3d.rules.oathmark.unit_set import Entry

MILLIMETRE_M = 1.6 / INCH
"""Metres of the battlefield in a millimetre of the table: a figure of an inch is 1.6 m tall."""

BATCH = 2048
"""Number of points of an area in a batch."""


def answer(moment: Moment, observer: int, target: int) -> SightAnswer:
    """Return what the officer of a unit sees of another unit: lines to the figures of a facing."""
    blocks, terrain, seen = blocks_of(moment), terrain_of(moment), view(moment, observer, target)
    one, other = blocks.of[observer], blocks.of[target]
    cover = cover_from(terrain, other, seen.side, one.officer)
    names = [moment.setup.units[row].name for row in (observer, target)]
    counted = f"{len(seen.seen)} of the {seen.of} in the {seen.side.name.lower()}"
    sees = f"The officer of {names[0]} sees {counted} of {names[1]}"
    if not seen.is_enough:
        need = (seen.of + 1) // 2
        stops = sorted({line.stopped_by for line in seen.lines if line.stopped_by})
        text = f"{sees}; it needs {need}. In the way: {', '.join(stops) or 'nothing'}."
    else:
        text = f"{sees}." if cover == "none" else f"{sees}, in {cover} cover."
    because = ("oathmark.shoot.mod-cover",) if cover != "none" else ()
    return SightAnswer(
        observer=names[0],
        target=names[1],
        rules=moment.system.name,
        distance=distance_to(one, other, seen.side),
        line_of_sight=seen.is_enough,
        because=("oathmark.shoot.los-half", *because),
        text=text,
        verdict=counted,
        degree=len(seen.seen) / seen.of,
        lines=seen.lines,
    )


def sight_area(
    moment: Moment,
    post: Observer,
    spots: Floats,
    height: float,
    reverse: bool,
    progress: Progress = silent,
) -> PointVisibility:
    """Return what an observer sees of a figure at each point, or the reverse.

    Lines lead from the officer's base to the point, without a limit of range.
    """
    del height
    blocks, terrain = blocks_of(moment), terrain_of(moment)
    unit = -1 if post.unit is None else post.unit
    block = blocks.of.get(unit) or Block(*post.place, 0, 1, 1, 25.0, 25.0)
    woods = [wood for wood in terrain.woods if not is_in(block, wood.outline)]
    blockers = Blockers(moment, -1 if reverse else unit, (unit,), woods)
    eyes = block.base_at(block.officer if unit >= 0 else post.place)
    levels = np.full(len(spots), TOTAL, dtype=np.uint8)
    hides = Counter[str]()
    for first in range(0, len(spots), BATCH):
        part = spots[first : first + BATCH]
        one = np.tile(eyes, (len(part), 1))
        other = np.repeat(part, len(eyes), axis=0)
        by = blockers.stopped(*((other, one) if reverse else (one, other)), at_end=not reverse)
        if unit >= 0 and not reverse:
            by[~np.repeat(is_in_front(block, part), len(eyes))] = OUTSIDE
        stopped = by.reshape(len(part), len(eyes))
        free = (stopped == "").any(axis=1)
        levels[first : first + len(part)][free] = NONE
        hides.update(str(name) for name in stopped[~free, 0] if name != OUTSIDE)
        progress((first + len(part)) / len(spots))
    because = Counter({"oathmark.shoot.los-blockers": int((levels == TOTAL).sum())})
    return PointVisibility(levels, because, hides)


def abroad(system: System, facts: BattleFacts) -> Moment:
    """Return a battle of other rules as a battle of blocks, in millimetres.

    A unit becomes two ranks of five figures, or one figure if it has one, on the area of its ranks
    and files.
    """
    field = facts.field.measured_by(Scale(MILLIMETRE_M, facts.field.scale.metres_per_height))
    factor = facts.field.scale.metres_per_gsu / MILLIMETRE_M
    units = []
    for unit in facts.units:
        members = 10 if unit.drill.count > 1 else 1
        room = unit.drill.frontage / min(members, 5), unit.drill.length / (members // 5 or 1)
        base = max(room[0] * factor, 1.0), max(room[1] * factor, 1.0)
        entry = Entry(name=unit.name, activation=5, move=0, fight=0, defence=0, base=base)
        x, y = centre(unit.drill, *unit.pose, unit.facing)
        at, files = (x * factor, y * factor), min(members, 5)
        units.append(mustered(unit, entry, field, at, members=members, files=files))
    return taken_over(system, facts, field, units)


def ranges_of(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the range of a unit's weapon, and its move."""
    entry = entry_of(moment.setup, unit)
    move = Range(what="move", limits=(mm(entry.move),), sighted=False, over_ground=True)
    if entry.weapon is None:
        return (move,)
    limits, arc = (mm(maximum_range(entry.weapon)),), _front_arc(blocks_of(moment).of[unit])
    return (Range(what=entry.weapon, limits=limits, arcs=(arc,)), move)


def _front_arc(block: Block) -> FireArc:
    """Return the front arc of a block, between its front corners, from its officer."""
    half = block.frontage / 2
    return FireArc(
        body=Polygon(block.base_at(block.officer)[1:]),
        left=block.at(-half, 0.0),
        right=block.at(half, 0.0),
        facing=block.facing,
        arc_deg=90.0,
    )
