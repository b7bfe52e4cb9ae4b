"""Geometric viewsheds: straight lines past the ground and solid bodies.

No rule applies. A figure is the upright line from the ground at its position to its top. Its
concealment is total if no part of that line is visible past the ground and solid bodies. It is
partial if part of the line is hidden, or visible only through sparse bodies of any depth. Obstacles
and eye positions are as in `emlia3d.battle.plain_geometry.geometric_sight`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.derived import Anything, Derived
from emlia3d.battle.plain_geometry.solids import Rows, Solids, footings_m, solids_of
from emlia3d.battle.questions.area import (
    GROUND,
    NONE,
    PARTIAL,
    TOTAL,
    Floats,
    Levels,
    Observer,
    PointVisibility,
    Progress,
    silent,
)
from emlia3d.geometry import (
    Surface,
    centre_cells,
    min_height_over_bodies,
    min_visible_height,
    min_visible_heights,
)

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

HAIR_M = 2.0**-20
"""Tolerance: height of a figure's foot above the ground that it stands on, metres."""

_SPOTS_AT_ONCE = 1 << 16
"""Number of points examined in one call, which limits memory."""

_WINDS = np.array([[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]])
_GROUND = -1

Names = NDArray[np.int32]
Eye = tuple[float, float, float]


def geometric_viewshed(
    moment: Moment, height: float, reverse: bool
) -> Callable[[Observer, Floats, Progress], PointVisibility]:
    """Return a function that computes the concealment of figures from an observer.

    With *reverse* it computes the observer's concealment from each figure. The outermost
    members in eight directions, and the member nearest the centre, represent a unit. As an observer
    it has the minimum concealment over these members. As a target its concealment is total if it is
    for all of them, none if it is for all of them, and otherwise partial.

    height : height of the figures, height units
    """
    solids = _solids_now(moment)
    upright = moment.setup.field.scale.metres_of_heights(height)
    asked = _looked_at if reverse else _looking

    def look(post: Observer, spots: Floats, progress: Progress = silent) -> PointVisibility:
        parts = [
            _Field(moment, solids, post, spots[start : start + _SPOTS_AT_ONCE])
            for start in range(0, len(spots), _SPOTS_AT_ONCE)
        ]
        lines = list(_lines(moment, solids, post))
        levels = np.empty((len(lines), len(spots)), dtype=np.uint8)
        hides = np.empty((len(lines), len(spots)), dtype=np.int32)
        for row, line in enumerate(lines):
            before = _GroundBefore(solids.surface, upright)
            start = 0
            for part in parts:
                stop = start + len(part.feet)
                levels[row, start:stop], hides[row, start:stop] = asked(part, before, line, upright)
                start = stop
                progress((row + start / len(spots)) / len(lines))
        return _visibility(moment, solids, *_joined(levels, hides, reverse))

    return look


_solids_now = Derived(Anything(), make=solids_of, same=lambda *_: False)


class _Past(NamedTuple):
    """The minimum visible heights at all points from one eye, and the bodies that limit them.

    hard : past the ground and solid bodies
    soft : past sparse bodies
    """

    hard: Floats
    hard_by: Names
    soft: Floats
    soft_by: Names


class _GroundBefore:
    """The minimum z that the eyes of one line see at points past the ground; metres.

    One horizon sweep answers for all points that are centres of raster cells.

    target : the height above the ground for which answers are exact
    """

    def __init__(self, surface: Surface | None, target: float) -> None:
        self._surface, self._target = surface, target
        self._of_raster: dict[Eye, Floats] = {}

    def least(self, eye: Eye, spots: Floats) -> Floats | None:
        """Return the minimum z that an eye sees at each point; None on level ground."""
        if self._surface is None:
            return None
        cells = centre_cells(self._surface, spots)
        if cells is None:
            return min_visible_height(self._surface, eye, *spots.T)
        if eye not in self._of_raster:
            least = min_visible_heights(self._surface, eye, self._target)[0]
            least += self._surface.heights
            self._of_raster[eye] = least
        return np.asarray(self._of_raster[eye][cells])


class _Field:
    """Obstacles to the view of one observer; metres.

    feet : the base elevations of the figures
    """

    def __init__(self, moment: Moment, solids: Solids, post: Observer, spots: Floats) -> None:
        field, self.solids = moment.setup.field, solids
        self.spots = field.scale.metres_of_gsu(spots)
        self.feet = footings_m(moment, spots)
        mine = -2 if post.unit is None else post.unit
        left_out = [] if post.unit is None else solids.stood_in(post.unit)
        solid = [row for row, feature in enumerate(field.features) if feature.body == "solid"]
        others = (solids.units >= 0) & (solids.units != mine)
        hard = np.isin(solids.features, solid) & ~np.isin(solids.features, left_out)
        self.solid = np.flatnonzero(others | hard)
        self.sparse = np.flatnonzero((solids.features >= 0) & ~np.isin(solids.features, solid))
        # The members of a unit form one group.
        self.group = np.where(solids.units >= 0, solids.units, -1 - solids.features)
        self._within = list(self._stood_in())

    def _stood_in(self) -> Iterator[tuple[Rows, Rows]]:
        """Yield sets of points, each with the solid features that figures there stand in."""
        bodies = self.solids.bodies
        blocks = [body for body in self.solid.tolist() if self.solids.features[body] >= 0]
        inside = np.zeros((len(blocks), len(self.spots)), dtype=bool)
        for row, body in enumerate(blocks):
            top = bodies.base[body] + bodies.height[body]
            inside[row] = shapely.contains_xy(bodies.shapes[body], self.spots)
            inside[row] &= self.feet < top - HAIR_M
        some = np.flatnonzero(inside.any(axis=0))
        kinds, which = np.unique(inside[:, some], axis=1, return_inverse=True)
        for number in range(kinds.shape[1]):
            yield some[which.ravel() == number], np.array(blocks)[kinds[:, number]]

    def past(self, before: _GroundBefore, eye: Eye) -> _Past:
        """Return the minimum heights that one eye sees."""
        hard, hard_by = self._over(self.solid, eye, slice(None))
        soft, soft_by = self._over(self.sparse, eye, slice(None))
        for places, blocks in self._within:
            rest = np.setdiff1d(self.solid, blocks)
            hard[places], hard_by[places] = self._over(rest, eye, places)
        ground = before.least(eye, self.spots)
        if ground is not None:
            hard_by[ground >= hard] = _GROUND
            hard = np.maximum(ground, hard)
        return _Past(hard, hard_by, soft, soft_by)

    def _over(self, rows: Rows, eye: Eye, places: Rows | slice) -> tuple[Floats, Names]:
        return min_height_over_bodies(
            self.solids.bodies, rows, eye, *self.spots[places].T, groups=self.group[rows]
        )


Line = tuple[tuple[float, float], float, float]
"""Position, foot and top of an upright line."""


def _lines(moment: Moment, solids: Solids, post: Observer) -> Iterator[Line]:
    """Yield the upright lines that represent an observer; metres."""
    scale = moment.setup.field.scale
    if post.unit is None:
        place = np.array([post.place])
        foot = float(footings_m(moment, place)[0]) + scale.metres_of_heights(post.on_height)
        x, y = scale.metres_of_gsu(place)[0].tolist()
        yield (x, y), foot, foot + scale.metres_of_heights(1.0)
        return
    rows = solids.members(post.unit)
    places = solids.places[rows]
    apart = places - places.mean(axis=0)
    chosen = [int((apart**2).sum(axis=1).argmin()), *np.argmax(places @ _WINDS.T, axis=0).tolist()]
    for row in rows[list(dict.fromkeys(chosen))].tolist():
        x, y = solids.places[row].tolist()
        foot, height = float(solids.bodies.base[row]), float(solids.bodies.height[row])
        yield (x, y), foot, foot + height


def _looking(
    field: _Field, before: _GroundBefore, line: Line, upright: float
) -> tuple[Levels, Names]:
    """Return the concealment of the figures from the top of one line, and what hides each."""
    past, tops = field.past(before, (*line[0], line[2])), field.feet + upright
    total = past.hard > tops
    partial = np.maximum(past.hard, past.soft) > field.feet + HAIR_M
    by = np.where(total | (past.hard >= past.soft), past.hard_by, past.soft_by)
    return _levels(total, partial), by


def _looked_at(
    field: _Field, before: _GroundBefore, line: Line, upright: float
) -> tuple[Levels, Names]:
    """Return the concealment of one line from all figures, and what hides it from each.

    It looks from the line to the figures, because sight is mutual.
    """
    (place, foot, top), eyes = line, field.feet + upright
    low, high = field.past(before, (*place, foot + HAIR_M)), field.past(before, (*place, top))
    total = high.hard > eyes
    partial = np.maximum(low.hard, np.maximum(low.soft, high.soft)) > eyes
    veiled = np.where(low.soft > eyes, low.soft_by, high.soft_by)
    by = np.where(total, high.hard_by, np.where(low.hard > eyes, low.hard_by, veiled))
    return _levels(total, partial), by


def _levels(total: NDArray[np.bool_], partial: NDArray[np.bool_]) -> Levels:
    return np.where(total, TOTAL, np.where(partial, PARTIAL, NONE)).astype(np.uint8)


def _joined(levels: Levels, hides: Names, reverse: bool) -> tuple[Levels, Names]:
    """Return the concealment of several upright lines combined, and what hides them."""
    least, most = levels.min(axis=0), levels.max(axis=0)
    joined = np.where(least == most, least, PARTIAL).astype(np.uint8) if reverse else least
    telling = np.argmax(levels > NONE, axis=0) if reverse else np.argmin(levels, axis=0)
    return joined, np.take_along_axis(hides, telling[None, :], axis=0)[0]


def _visibility(moment: Moment, solids: Solids, levels: Levels, hides: Names) -> PointVisibility:
    bodies, cells = np.unique(hides[levels > NONE], return_counts=True)
    tally: Counter[str] = Counter()
    for body, count in zip(bodies.tolist(), cells.tolist(), strict=True):
        tally[_name(moment, solids, body)] += count
    return PointVisibility(levels, Counter(), tally)


def _name(moment: Moment, solids: Solids, body: int) -> str:
    if body == _GROUND:
        return GROUND
    unit = int(solids.units[body])
    if unit >= 0:
        return moment.setup.units[unit].name
    return moment.setup.field.features[int(solids.features[body])].name
