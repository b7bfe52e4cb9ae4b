"""Sight over a raster, as far as the ground alone settles it.

The rules ask for the share of a corridor's width that the ground blocks, at every cross-section.
Passes of the horizon along the middles of the corridors settle most figures of a raster. The first
is over a lowered surface: lower than any ground within a little more than a quarter of the width.
A figure hidden by it has more than half of a cross-section hidden. The second is over a raised
surface: a figure that shows above it has less than half hidden everywhere. If bodies stand on the
field, a third raises the surface above all ground within the width: the ground hides nothing of a
figure that shows above it, so only bodies are checked. The others, a few in a hundred, need their
corridors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.questions.area import Floats, Levels
from emlia3d.geometry import (
    Surface,
    centre_cells,
    min_visible_heights,
    steepest_within,
    triangulated,
)
from emlia3d.geometry.threads import in_chunks
from emlia3d.rules.emlia.basics.concealment import Level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene

OPEN = 255
"""Marks a level that the ground alone does not settle."""

_MORE_THAN_HALF = 0.5 + 2.0**-10
"""Share of a corridor's half width: a strip of it on both sides of the middle is over half."""

_MORE_THAN_WHOLE = 1 + 2.0**-10
"""Share of a corridor's half width: a strip of it on both sides of the middle covers the width."""

_WIDEST_CELLS = 2.0
"""Greatest half width of a corridor, in cells; in wider ones little would be settled."""

FEW = 4096
"""Figures up to which corridors take less time than two passes over a raster."""

_AT_ONCE = 1 << 14
"""Figures that a thread settles at once."""

ROUNDING = 2.0**-30
"""Share of the heights involved that exceeds any kernel's rounding."""

_DIRECTIONS = 1 << 14
"""Sectors of the compass in which the nearest body is looked up."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upright:
    """The build of a post, or of the figures in question.

    radius : GSU, from the middle to the farthest point of the outline
    height : height units
    """

    radius: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PostStand:
    """A post at its place.

    place : GSU, the middle of its outline
    footing : height units above map level
    own : its own row in the scene; -1 for none
    """

    who: Upright
    place: tuple[float, float]
    footing: float
    own: int = -1


class SettledByGround(NamedTuple):
    """The concealment of figures as far as the ground settles it.

    levels : Level.TOTAL where the ground alone hides a figure, Level.NONE where neither the ground
        nor a body conceals any of it, OPEN elsewhere
    clear : where the ground blocks no part of a corridor, whatever bodies do
    """

    levels: Levels
    clear: Flags

    @classmethod
    def nothing(cls, count: int) -> SettledByGround:
        """Return the result if the ground settles no figure."""
        return cls(np.full(count, OPEN, dtype=np.uint8), np.zeros(count, dtype=np.bool_))


def levels_by_ground(  # noqa: PLR0913  both ends of the corridors
    surface: Surface | None,
    scene: SightScene,
    post: PostStand,
    figure: Upright,
    spots: Floats,
    footings: Floats,
    *,
    reverse: bool,
) -> SettledByGround:
    """Return the concealment of figures from a post as far as the ground settles it.

    The figures on each spot are alike.

    reverse : the post's from the figures, instead
    """
    settled = SettledByGround.nothing(len(spots))
    if (
        surface is None
        or len(spots) < FEW
        or max(post.who.radius, figure.radius) > _WIDEST_CELLS * surface.cell
        or centre_cells(surface, spots[:1]) is None
    ):
        return settled
    lines = _Lines(surface, scene, post, figure, reverse=reverse)

    def settle(begin: int, stop: int) -> None:
        some = slice(begin, stop)
        lines.settle(spots[some], footings[some], settled.levels[some], settled.clear[some])

    in_chunks(settle, len(spots), _AT_ONCE)
    return settled


class _Lines:
    """The sight lines from a post to figures on a raster, along the middles of their corridors.

    reach : GSU, the greatest half width of a corridor
    tops : height units, of the post and of a figure, above their footings
    halves : the same for the line to half the height of the observed
    """

    def __init__(
        self,
        surface: Surface,
        scene: SightScene,
        post: PostStand,
        figure: Upright,
        *,
        reverse: bool,
    ) -> None:
        self._surface, self._post, self._figure = surface, post, figure
        self._reach = max(post.who.radius, figure.radius)
        top, mark = post.who.height, figure.height
        self._tops = top, mark
        self._halves = (0.5 * top, mark) if reverse else (top, 0.5 * mark)
        self._slopes = steepest_within(surface, self._reach)
        self._least_cut = self._least(self._tops[0], -_MORE_THAN_HALF)
        self._least_free = self._least(self._halves[0], _MORE_THAN_HALF)
        # The maximum height of the ground beside figures, and beside the post.
        slopes = steepest_within(surface, self._reach, of_centres=True)
        self._beside = surface.heights + self._reach * slopes
        self._beside_post = self._highest_beside_post()
        self._blur = ROUNDING * (abs(surface.highest) + abs(post.footing) + top + mark)
        outlines = [outline for row, outline in enumerate(scene.outlines) if row != post.own]
        self._nearest = _nearest_bodies(outlines, post.place, self._reach)
        self._least_clear = self._least(self._halves[0], _MORE_THAN_WHOLE) if outlines else None

    def settle(self, spots: Floats, footings: Floats, levels: Levels, clear: Flags) -> None:
        """Write what is certain of figures on centres of the raster."""
        cells = centre_cells(self._surface, spots)
        if cells is None:
            return
        away = spots - self._post.place
        length = np.hypot(away[:, 0], away[:, 1])
        blur = self._blur + ROUNDING * np.abs(footings)
        # Bodies that touch have no corridor, and close ones may share the ground at their ends.
        apart = length > 2 * (self._post.who.radius + self._figure.radius)
        beside = self._beside[cells] + blur

        def have_free_ends(from_post: float, to_figure: float) -> Flags:
            """Return which lines pass above all ground beside both ends."""
            eye, marks = self._post.footing + from_post, footings + to_figure
            fall = np.abs(marks - eye) * (self._reach / np.maximum(length, self._reach))
            return np.asarray((beside + fall < marks) & (self._beside_post + fall + blur < eye))

        # The line to the top runs above that to half the height, but for its ends.
        free = apart & have_free_ends(*self._tops)
        cut = free & (self._least_cut[cells] > footings + self._tops[1] + blur)
        free &= have_free_ends(*self._halves)
        marks = footings + self._halves[1] - blur
        if self._least_clear is not None:
            clear[:] = free & (self._least_clear[cells] < marks)
        free &= self._least_free[cells] < marks
        free &= length < self._nearest[_sectors(away)]
        levels[cut] = Level.TOTAL
        levels[free] = Level.NONE

    def _least(self, from_post: float, aside: float) -> Floats:
        """Return the least z seen over each centre past ground that is raised or lowered.

        aside : share of the half width within which no ground is beyond the moved surface;
            negative for a lowered one
        """
        moved = self._slopes * (aside * self._reach)
        moved += self._surface.heights
        moved.flags.writeable = False
        eye = (*self._post.place, self._post.footing + from_post)
        least: Floats = min_visible_heights(replace(self._surface, heights=moved), eye)[0]
        least += moved
        return least

    def _highest_beside_post(self) -> float:
        x, y = self._post.place
        surface = self._surface
        east, south = (x - surface.west) / surface.cell, (surface.north - y) / surface.cell
        slope = triangulated(self._slopes, east, south)
        return float(surface.heights_at(x, y) + self._reach * slope)


def _sectors(away: Floats) -> NDArray[np.int32]:
    """Return the sector of the compass of each of some directions."""
    turns = np.arctan2(away[:, 1], away[:, 0]) * (_DIRECTIONS / math.tau)
    return np.floor(turns).astype(np.int32) % _DIRECTIONS


def _nearest_bodies(
    outlines: Iterable[shapely.Polygon], place: tuple[float, float], reach: float
) -> Floats:
    """Return the distance within which each sector has no body, nor one within *reach* of it."""
    nearest, middle = np.full(_DIRECTIONS, np.inf), shapely.Point(place)
    for outline in outlines:
        gap = float(shapely.distance(outline, middle)) - 2 * reach
        hull = outline.convex_hull
        if shapely.distance(hull, middle) <= 2 * reach:
            np.minimum(nearest, gap, out=nearest)
            continue
        corners = shapely.get_coordinates(hull) - place
        away = np.hypot(*corners.T)
        towards = math.atan2(*corners.mean(axis=0)[::-1])
        turned = np.arctan2(corners[:, 1], corners[:, 0]) - towards
        turned = (turned + math.pi) % math.tau - math.pi
        wider = np.arcsin(np.minimum(reach / away, 1.0))
        low, high = (
            math.floor((towards + side) * (_DIRECTIONS / math.tau))
            for side in (float((turned - wider).min()), float((turned + wider).max()))
        )
        parts = np.arange(low - 1, high + 2) % _DIRECTIONS
        nearest[parts] = np.minimum(nearest[parts], gap)
    return nearest
