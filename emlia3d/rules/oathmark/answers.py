"""Answers: sight with its reasons, ranges, and the ground that a move may end on."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import Answer, Degree
from emlia3d.battle.questions.ranges import Range
from emlia3d.rules.oathmark.blocks import blocks_of, entry_of
from emlia3d.rules.oathmark.core import INCH, mm
from emlia3d.rules.oathmark.shooting import maximum_range
from emlia3d.rules.oathmark.sight import View, distance_to, view
from emlia3d.rules.oathmark.terrain import cover_from, terrain_of

_DEGREES: dict[str, Degree] = {"none": "none", "light": "partial", "heavy": "total"}


def answer(moment: Moment, rules: str, observer: int, target: int, damage: int) -> Answer:
    """Return what the officer of a unit sees of another unit."""
    blocks, terrain, seen = blocks_of(moment), terrain_of(moment), view(moment, observer, target)
    one, other = blocks.of[observer], blocks.of[target]
    cover = cover_from(terrain, other, seen.side, one.officer)
    names = [moment.setup.units[row].name for row in (observer, target)]
    ground = terrain.height_at(np.array([one.officer, other.officer])) / terrain.mm
    heights = [entry_of(moment.setup, row).height * INCH / terrain.mm for row in (observer, target)]
    concealed: Degree = (
        "total" if not seen.is_enough else "partial" if len(seen.seen) < seen.of else "none"
    )
    return Answer(
        observer=names[0],
        target=names[1],
        rules=rules,
        distance=distance_to(one, other, seen.side),
        line_of_sight=seen.is_enough,
        concealment=concealed,
        cover=_DEGREES[cover],
        damage=damage,
        datum=0.0,
        observer_height=heights[0],
        target_height=heights[1],
        observer_footing=float(ground[0]),
        target_footing=float(ground[1]),
        members=None,
        intervening=(),
        ground=None,
        because=(
            "oathmark.shoot.los-half",
            *(("oathmark.shoot.mod-cover",) if cover != "none" else ()),
        ),
        text=_text(seen, (names[0], names[1]), cover),
    )


def _text(seen: View, names: tuple[str, str], cover: str) -> str:
    one, other = names
    facing = seen.side.name.lower()
    needed = (seen.of + 1) // 2
    stops = sorted({line.by for line in seen.lines if not line.clear})
    found = f"{one} sees {len(seen.seen)} of the {seen.of} figures in the {facing} of {other}"
    if not seen.is_enough:
        return f"{found}; it needs {needed}. In the way: {', '.join(stops) or 'nothing'}."
    return f"{found}." if cover == "none" else f"{found}, in {cover} cover."


def ranges_of(moment: Moment, unit: int) -> tuple[Range, ...]:
    """Return the range of a unit's weapon, and its move."""
    entry = entry_of(moment.setup, unit)
    move = Range(what="move", limits=(mm(entry.move),), sighted=False, over_ground=True)
    if entry.weapon is None:
        return (move,)
    return (Range(what=entry.weapon, limits=(mm(maximum_range(entry.weapon)),), arc_deg=90.0), move)
