"""Exposure of a path on the field of a scenario, by its rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from emlia3d.battle.changes import Leave
from emlia3d.battle.plain_geometry.solids import footings_m
from emlia3d.battle.questions.area import TOTAL, Observer, Progress, silent
from emlia3d.battle.unit_outlines import places_of
from emlia3d.dem.paths import (
    STEPS,
    FirstView,
    Marks,
    PathExposure,
    Rows,
    marks_by_halving,
    points_along,
    seen_along,
)
from emlia3d.errors import Error
from emlia3d.scenario.areas import look_of
from emlia3d.scenario.observers import check_on_field, posts_of
from emlia3d.scenario.pairs import row_of

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment
    from emlia3d.scenario.scenario import Scenario

STEP = 1 / 32
"""Default distance between sampled points, GSU."""

_LONGEST_STEP = 16.0


class PathOptions(TypedDict, total=False):
    """The options of `exposure_on_field`."""

    rules: str | None
    height: float | None
    mover: str | None
    speed: float | None
    step: float
    progress: Progress | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FieldExposure(PathExposure):
    """The visible parts of a path over a field.

    path, first : GSU
    observers : their names
    rules : the rule system, or "true" for plain geometry
    height : of the figure on the path, height units
    mover : the unit that moves; None for a figure without a unit
    speed : GSU a turn; None if unknown
    """

    observers: tuple[str, ...]
    rules: str
    height: float
    mover: str | None
    speed: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScenarioWalk:
    """Observers, and a figure that moves in their view.

    moment : without the moving unit, so that it does not hide itself
    row : of that unit; None for a figure without a unit
    """

    moment: Battle
    posts: list[Observer]
    row: int | None
    height: float


def walk_of(
    scenario: Scenario, observers: Sequence[str], mover: str | None, height: float | None
) -> ScenarioWalk:
    """Return the observers and the mover of a question about movement.

    Raises
    ------
    Error
        An observer or the mover is not on the field, or the mover is also an observer.
    """
    moment = scenario.position()
    posts = posts_of(scenario, moment, observers)
    if mover is None:
        return ScenarioWalk(
            moment=moment, posts=posts, row=None, height=1.0 if height is None else height
        )
    row = row_of(scenario, moment, mover)
    units = moment.setup.units
    parts = [row, *(r for r, unit in enumerate(units) if unit.muster.parent == row)]
    standing = [part for part in parts if len(places_of(moment.state, part))]
    if any(post.unit in standing for post in posts):
        raise Error(f"{scenario.name}: {mover} moves; expected observers that are other units")
    if height is None:
        height = max(moment.system.height(moment, part) for part in standing)
    moment.suppose([Leave(unit=part) for part in standing])
    return ScenarioWalk(moment=moment, posts=posts, row=row, height=height)


def exposure_on_field(  # noqa: PLR0913  the options of the question
    scenario: Scenario,
    path: Sequence[tuple[float, float]],
    observers: Sequence[str],
    *,
    rules: str | None = None,
    height: float | None = None,
    mover: str | None = None,
    speed: float | None = None,
    step: float = STEP,
    progress: Progress | None = None,
) -> FieldExposure:
    """Return the parts of a path on a field that observers see.

    Parameters
    ----------
    scenario : Scenario
        The question concerns its `position`.
    path : (n, 2) float
        The vertices, GSU; straight lines between them.
    observers : of str
        Names of units or sides, or points "x,y" or "x,y,h", as for `Scenario.viewshed`.
    rules : optional
        A rule system; None for the scenario's own, "true" for geometry.
    height : float, optional
        Height and size of the figure on the path, height units; None for the mover's, or 1.
    mover : optional The unit that moves. A single figure replaces it.
    speed : float, optional
        GSU a turn; None for the move of the mover.
    step : float Distance between sampled points, GSU. Changes between them are located to 1/1024
        GSU, so only segments shorter than this distance can be missed.
    progress : optional
        Called with the proportion done.

    Raises
    ------
    Error
        The path has fewer than two different vertices or leaves the field, there are no
        observers, or an option is out of range.
    """
    if not 1 / STEPS <= step <= _LONGEST_STEP:
        told = f"expected a number of GSU from 1/{STEPS} to {_LONGEST_STEP:g}, got {step:g}"
        raise Error(f"{scenario.name}: step: {told}")
    if speed is not None and not (math.isfinite(speed) and speed > 0):
        raise Error(f"{scenario.name}: speed: expected GSU a turn above 0, got {speed:g}")
    field = scenario.setup.field
    for x, y in path:
        check_on_field(scenario, field, (x, y), f"path: {x:g},{y:g}")
    if speed is None and mover is not None:
        speed = move_of(scenario, mover)
    walk = walk_of(scenario, observers, mover, height)
    vertices = np.array(path, dtype=np.float64).reshape(-1, 2)
    lengths = [float(np.hypot(*(b - a))) for a, b in pairwise(vertices)]
    along = points_along(
        vertices,
        [field.scale.metres_of_gsu(length) for length in lengths],
        [math.ceil(length * STEPS) for length in lengths],
    )
    look = look_of(scenario, walk.moment, rules, walk.height)

    def seen(number: int) -> Marks:
        def ask(points: Rows) -> Marks:
            levels = look(walk.posts[number], along.points[points], silent).levels
            return np.asarray(levels < TOTAL)

        return marks_by_halving(len(along.points), max(int(step * STEPS), 1), ask)

    found = seen_along(along, len(walk.posts), seen, progress)
    first = None
    if found.first is not None:
        at, number = found.first
        x, y = along.points[at].tolist()
        first = FirstView(float(along.distances_m[at]), x, y, number)
    shown = along.shown
    return FieldExposure(
        path=vertices,
        length_m=float(along.distances_m[-1]),
        each=found.each,
        together=found.together,
        first=first,
        distances=along.distances_m[shown],
        ground=footings_m(walk.moment, along.points[shown]),
        observers=tuple(post.name for post in walk.posts),
        rules=rules or scenario.setup.rules,
        height=walk.height,
        mover=mover,
        speed=speed,
    )


def move_of(scenario: Scenario, unit: str) -> float | None:
    """Return the distance of a unit's move on open ground, GSU; None if it cannot move."""
    moment = scenario.position()
    found = moment.system.ranges(moment, row_of(scenario, moment, unit))
    return next((each.limits[-1] for each in found if each.over_ground), None)


def place_of_word(scenario: Scenario, moment: Moment, word: str) -> tuple[float, float]:
    """Return the point x,y in a word, or the centre of the unit that it names, GSU.

    Raises
    ------
    Error
        The word is neither, or not on the field.
    """
    try:
        x, y = map(float, word.split(","))
    except ValueError:
        places = places_of(moment.state, row_of(scenario, moment, word))
        x, y = places.mean(axis=0).tolist()
    check_on_field(scenario, moment.setup.field, (x, y), word)
    return x, y
