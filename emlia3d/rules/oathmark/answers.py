"""Answers: sight with its reasons, ranges, and the ground that a move may end on."""

from __future__ import annotations

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import Answer, SightLine
from emlia3d.battle.questions.ranges import Range
from emlia3d.rules.oathmark.blocks import blocks_of, entry_of
from emlia3d.rules.oathmark.core import mm
from emlia3d.rules.oathmark.shooting import maximum_range
from emlia3d.rules.oathmark.sight import distance_to, view
from emlia3d.rules.oathmark.terrain import cover_from, terrain_of


def answer(moment: Moment, rules: str, observer: int, target: int) -> Answer:
    """Return what the officer of a unit sees of another unit: lines to the figures of a facing."""
    blocks, terrain, seen = blocks_of(moment), terrain_of(moment), view(moment, observer, target)
    one, other = blocks.of[observer], blocks.of[target]
    cover = cover_from(terrain, other, seen.side, one.officer)
    names = [moment.setup.units[row].name for row in (observer, target)]
    counted = f"{len(seen.seen)} of the {seen.of} in the {seen.side.name.lower()}"
    sees = f"The officer of {names[0]} sees {counted} of {names[1]}"
    if not seen.is_enough:
        need = (seen.of + 1) // 2
        stops = sorted({line.by for line in seen.lines if line.by})
        text = f"{sees}; it needs {need}. In the way: {', '.join(stops) or 'nothing'}."
    else:
        text = f"{sees}." if cover == "none" else f"{sees}, in {cover} cover."
    because = ("oathmark.shoot.mod-cover",) if cover != "none" else ()
    return Answer(
        observer=names[0],
        target=names[1],
        rules=rules,
        distance=distance_to(one, other, seen.side),
        line_of_sight=seen.is_enough,
        because=("oathmark.shoot.los-half", *because),
        text=text,
        verdict=counted,
        degree=len(seen.seen) / seen.of,
        lines=tuple(
            SightLine(start=line.start, end=line.end, clear=line.clear, stopped_by=line.by or None)
            for line in seen.lines
        ),
    )


def ranges_of(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the range of a unit's weapon, and its move."""
    entry = entry_of(moment.setup, unit)
    move = Range(what="move", limits=(mm(entry.move),), sighted=False, over_ground=True)
    if entry.weapon is None:
        return (move,)
    return (Range(what=entry.weapon, limits=(mm(maximum_range(entry.weapon)),), arc_deg=90.0), move)
