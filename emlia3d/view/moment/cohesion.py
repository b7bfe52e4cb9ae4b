"""Links of a formation and zones of control as marks on the ground."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.questions.cohesion import Cohesion
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.intents import line_over
from emlia3d.view.moment.scale import block_m, units_in_sight
from emlia3d.view.moment.scene import DrawnGround, Mark, TintedArea, Tone

PIECES = 9
"""Pieces of a link; every other piece of a broken one is left out, so that colour is not needed."""


def links_of(
    setup: Setup, state: State, cohesion: Cohesion, terrain: DrawnGround
) -> tuple[Mark, ...]:
    """Return the marks of a formation's links, broken ones red and dashed, and of zones."""
    metres = setup.field.scale.metres_per_gsu
    there = {*units_in_sight(state)}
    marks: list[Mark] = [
        TintedArea(outline_m=np.array(outline) * metres, tone="warning")
        for outline in cohesion.zones
    ]
    kinds: tuple[tuple[tuple[tuple[int, int], ...], Tone], ...] = (
        (cohesion.links, "order"), (cohesion.broken, "melee"),
    )  # fmt: skip
    for pairs, tone in kinds:
        for pair in pairs:
            if there.issuperset(pair):
                start, end = (block_m(setup, state, unit).mean(axis=0) for unit in pair)
                step_m = float(np.hypot(*(end - start))) / PIECES
                dashed = tone == "melee"
                marks += line_over(start, end, step_m, terrain, dashed=dashed, tone=tone)
    return tuple(marks)
