"""Positions around a unit, and the view from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.derived import Derived
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.geometry import Bodies, lines_of_sight, sight_matrix
from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from emlia3d.rules.emlia.play.sight.sight_bodies import surface_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from emlia3d.battle.moment import Moment
    from emlia3d.field import Field

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_AHEAD = 60.0
"""Free distance that a unit in ranks needs ahead of its front, GSU."""

_BEFORE = 0.5
"""Cosine of the maximum angle from an enemy's front of positions ahead of it."""

_TALLER, _HALF = 0.1, 0.5
"""Height of a friend above others, height units, and the proportion of a corridor that hides an
enemy."""

_EYE = 1.0
"""Height of eyes and targets above the ground, height units."""

_TALL, _THICK = 1.5, 12.0
"""Minimum height, height units, and thickness, GSU, of features that block the view."""


def places_round(
    centre: tuple[float, float], facing: int, rings: Sequence[float], steps: int
) -> Floats:
    """Return (n, 2) points on rings around a centre, clockwise from the facing.

    rings : radii, GSU
    steps : number of points on each ring
    """
    turns = [Frame((facing + step * FULL_CIRCLE // steps) % FULL_CIRCLE) for step in range(steps)]
    ways = [turn.on_field(0.0, ring) for ring in rings for turn in turns]
    found: Floats = np.array(ways) + np.array(centre)
    return found


def inside(field: Field, places: Floats, margin: float) -> NDArray[np.bool_]:
    """Return (n,) whether points are at least a margin from the edge of the field, GSU."""
    width, height = field.size
    x, y = places.T
    across, along = (x > margin) & (x < width - margin), (y > margin) & (y < height - margin)
    found: NDArray[np.bool_] = across & along
    return found


def friends_behind(friends: Iterable[UnitProfile], body: UnitProfile, places: Floats) -> Floats:
    """Return (n,) the number of friends in ranks behind a unit at each position."""
    before = np.zeros(len(places))
    low, high = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    for friend in friends:
        if friend.unit == body.unit or not friend.holds_formation or friend.is_broken:
            continue
        half = (friend.width + max(body.width, body.depth)) / 2
        ahead = friend.depth / 2 + _AHEAD
        if not _is_near(friend, low, high, half + ahead):
            continue
        across, along = Frame(friend.facing).of(*(places - (friend.x, friend.y)).T)
        before += (np.abs(across) < half) & (along > 0) & (along < ahead)
    return before


def _is_near(body: UnitProfile, low: Sequence[float], high: Sequence[float], far: float) -> bool:
    """Return whether the centre of a unit is within a box, or within *far* of it each way."""
    return low[0] - far <= body.x <= high[0] + far and low[1] - far <= body.y <= high[1] + far


def eyes(moment: Moment, places: Floats) -> Floats:
    """Return (n, 3) the eyes of units at points, height units."""
    field = moment.setup.field
    return np.column_stack([places, field.footing(*places.T) + _EYE])


def are_seen(moment: Moment, spots: Floats, marks: Floats) -> NDArray[np.bool_]:
    """Return (n,) whether targets are visible from points, past ground and features.

    Visibility over the ground is exact; tall features of sufficient thickness block it.
    """
    if not len(spots):
        return np.zeros(0, dtype=bool)
    seen = are_seen_over_ground(moment, eyes(moment, spots), eyes(moment, marks))
    rows, tall = np.flatnonzero(seen), _TALL_FEATURES(moment)
    ways = np.stack([spots[rows], marks[rows]], axis=1)
    lines = np.array(shapely.linestrings(ways), dtype=object)
    line, by = tall.query(lines, predicate="intersects")
    thick = shapely.length(shapely.intersection(lines[line], tall.geometries[by])) >= _THICK
    seen[rows[line[thick]]] = False
    return seen


def are_seen_over_ground(moment: Moment, a: Floats, b: Floats) -> Bools:
    """Return (n,) whether the ground leaves the line between each two points free."""
    surface = surface_of(moment)
    if surface is None:
        return np.ones(max(len(np.atleast_2d(a)), len(np.atleast_2d(b))), dtype=bool)
    return lines_of_sight(surface, a, b)


def _tall(moment: Moment) -> shapely.STRtree:
    """Return the features that can close the view: tall, and nowhere too narrow for it."""
    tall = [each.outline for each in moment.setup.field.features if each.height >= _TALL]
    outlines = np.array(tall, dtype=object)
    west, south, east, north = shapely.bounds(outlines).reshape(-1, 4).T
    return shapely.STRtree(outlines[np.hypot(east - west, north - south) >= _THICK])


_TALL_FEATURES = Derived(make=_tall)


def are_open(
    field: Field, spots: Floats, foes: Sequence[UnitProfile], friends: Iterable[UnitProfile]
) -> Bools:
    """Return (n, m) whether enemies are visible past others in ranks from each point.

    No single unit hides half of the corridor.
    """
    if not len(spots) or not foes:
        return np.ones((len(spots), len(foes)), dtype=bool)
    centres = np.vstack([spots, [(foe.x, foe.y) for foe in foes]])
    low, high = centres.min(axis=0).tolist(), centres.max(axis=0).tolist()
    widest = max(_round(foe) for foe in foes)
    screens = [
        one
        for one in friends
        if one.holds_formation
        and not one.is_broken
        and _is_near(one, low, high, widest + _round(one))
    ]
    if not screens and len(foes) < 2:
        return np.ones((len(spots), len(foes)), dtype=bool)
    marks = np.asarray(shapely.points(spots), dtype=object).tolist()
    outlines = [*marks, *(one.outline for one in (*foes, *screens))]
    centres = np.array([*centres, *((one.x, one.y) for one in screens)])
    heights = np.full(len(outlines), _EYE)
    heights[len(spots) + len(foes) :] += _TALLER
    bodies = Bodies(outlines, field.footing(*centres.T), heights, np.ones(len(outlines), bool))
    numbers, first, last = np.arange(len(outlines)), len(spots), len(spots) + len(foes)
    in_ranks = [first + number for number, foe in enumerate(foes) if foe.holds_formation]
    screening = np.concatenate([in_ranks, numbers[last:]]).astype(np.intp)
    hidden = sight_matrix(bodies, numbers[:first], numbers[first:last], screening)
    return hidden < _HALF


def are_aside(foe: UnitProfile, spots: Floats) -> Bools:
    """Return (n,) whether points are in the flank or rear of an enemy."""
    looks, way = Frame(foe.facing).on_field(0.0, 1.0), spots - (foe.x, foe.y)
    aside: Bools = (way @ looks) / np.maximum(np.hypot(*way.T), 1e-9) < _BEFORE
    return aside


def are_behind(friends: shapely.STRtree, foe: UnitProfile, spots: Floats, asked: Bools) -> Bools:
    """Return (n,) whether a friend is on an enemy's straight path to each point.

    asked : (n,) the relevant points; others count as open
    """
    found = np.zeros(len(spots), dtype=bool)
    rows = np.flatnonzero(asked)
    if len(rows):
        ways = [((foe.x, foe.y), (x, y)) for x, y in spots[rows].tolist()]
        lines = np.asarray(shapely.linestrings(ways), dtype=object)
        found[rows[friends.query(lines, predicate="intersects")[0]]] = True
    return found


def _round(body: UnitProfile) -> float:
    """Return an upper bound of a unit's radius, GSU."""
    return body.width + body.depth
