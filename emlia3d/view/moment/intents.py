"""Missions of units as marks: fronts, paths and limits of advance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.contact_lines import above
from emlia3d.view.moment.scene import Arrow, DrawnGround, Mark, Stroke, Tone

ABOVE_M = 1.0
"""Height of lines above the ground, so that grass does not hide them, metres."""

FLANK_GSU = 8.0
"""Length of the strokes at the ends of a front, towards the rear, GSU."""

STEP_GSU = 10.0
"""Length of a segment of a line that follows the ground, GSU."""

LEAST_WAY_GSU = 8.0
"""Minimum length of a path with an arrow, GSU."""

WAY_GSU = 5.0
"""Width of an arrow, GSU."""


def intents_of(
    setup: Setup, state: State, intents: Iterable[Intent], terrain: DrawnGround
) -> tuple[Mark, ...]:
    """Return the marks of missions; none for groups without units on the field."""
    marks: list[Mark] = []
    for intent in intents:
        here = [unit for unit in intent.units if state.units.integer("present", unit)]
        if here:
            marks += _marks(setup, state, intent, here, terrain)
    return tuple(marks)


def _marks(
    setup: Setup, state: State, intent: Intent, here: Sequence[int], terrain: DrawnGround
) -> list[Mark]:
    metres = setup.field.scale.metres_per_gsu
    left, right = (np.array(end) for end in intent.line)
    along = (right - left) / max(float(np.hypot(*(right - left))), 1e-9)
    ahead = np.array([-along[1], along[0]])
    front = [left - ahead * FLANK_GSU, left, right, right - ahead * FLANK_GSU]
    marks: list[Mark] = [
        piece
        for start, end in pairwise(front)
        for piece in line_over(start * metres, end * metres, STEP_GSU * metres, terrain)
    ]
    if intent.limit > 0:
        far = ahead * intent.limit
        marks += line_over(
            (left + far) * metres, (right + far) * metres, STEP_GSU * metres, terrain, dashed=True
        )
    places = [[float(state.units.value(name, unit)) for name in ("x", "y")] for unit in here]
    start = np.mean(places, axis=0)
    end = (left + right) / 2 if intent.goal is None else np.array(intent.goal)
    if float(np.hypot(*(end - start))) >= LEAST_WAY_GSU:
        path = np.stack([start, end]) * metres
        marks.append(Arrow(path_m=path, tone="order", width_m=WAY_GSU * metres))
    return marks


def line_over(
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    step_m: float,
    terrain: DrawnGround,
    *,
    dashed: bool = False,
    tone: Tone = "order",
) -> list[Stroke]:
    """Return a line over the ground in segments; a dashed line omits every other one."""
    pieces = max(round(float(np.hypot(*(end - start))) / step_m), 1)
    points = start + (end - start) * np.linspace(0.0, 1.0, pieces + 1)[:, None]
    return [
        Stroke(
            start=above(terrain, one, ABOVE_M),
            end=above(terrain, other, ABOVE_M),
            tone=tone,
            drawn=True,
        )
        for one, other in list(pairwise(points))[:: 2 if dashed else 1]
    ]
