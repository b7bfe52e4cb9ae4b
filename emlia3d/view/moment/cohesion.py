"""Markers of formations, their links and zones of control on the ground."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.questions.cohesion import Cohesion, FormationTag
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.intents import line_over
from emlia3d.view.moment.scale import block_m, units_in_sight
from emlia3d.view.moment.scene import DrawnGround, Mark, TintedArea, Tone

Place: TypeAlias = NDArray[np.float64]

PIECES = 9
"""Pieces of a link; a broken one omits every other piece, so that it is clear without colour."""

SIGN_SHARE, TICK, CROSS, SIDES = 1.15, 1.45, 0.9, 20
"""Radius of a marker, relative to half a unit's diagonal; length of its ticks and of a cross,
relative to the radius; corners of its ring."""


def links_of(
    setup: Setup, state: State, cohesion: Cohesion, terrain: DrawnGround
) -> tuple[Mark, ...]:
    """Return the marks of a formation's links, red and dashed if broken, and of its zones."""
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


def signs_of(
    setup: Setup, state: State, formations: Iterable[FormationTag], terrain: DrawnGround
) -> tuple[Mark, ...]:
    """Return a cross below each unit of a broken formation, or a ring with ticks on overwatch."""
    there = {*units_in_sight(state)}
    marks: list[Mark] = []
    for tag in formations:
        for unit in tag.units if tag.sign else ():
            if unit in there:
                corners = block_m(setup, state, unit)
                middle = corners.mean(axis=0)
                reach = float(np.hypot(*(corners[0] - corners[2]))) / 2 * SIGN_SHARE
                sign = _cross if tag.sign == "broken" else _watch
                marks += sign(middle, reach, terrain)
    return tuple(marks)


def _cross(middle: Place, reach_m: float, terrain: DrawnGround) -> Sequence[Mark]:
    diagonals = np.array([[1.0, 1.0], [1.0, -1.0]]) * CROSS * reach_m
    return [
        piece
        for way in diagonals
        for piece in line_over(middle - way, middle + way, reach_m / 2, terrain, tone="melee")
    ]


def _watch(middle: Place, reach_m: float, terrain: DrawnGround) -> Sequence[Mark]:
    angles = np.linspace(0.0, 2 * np.pi, SIDES + 1)
    ring = middle + reach_m * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ways = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]) * reach_m
    ends = [*pairwise(ring), *((middle + 0.75 * way, middle + TICK * way) for way in ways)]
    return [piece for start, end in ends for piece in line_over(start, end, reach_m, terrain)]
