"""Sight over a raster, as far as the ground alone settles it.

The rules ask for the share of a corridor's width that the ground blocks, at every cross-section.
Two passes of the horizon along the middles of the corridors settle most figures of a raster. The
first is over a lowered surface: lower than any ground within a little more than a quarter of the
width. A figure hidden by it has more than half of a cross-section hidden. The second is over a
raised surface: a figure that shows above it has less than half hidden everywhere. The others, a
few in a hundred, need their corridors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.questions.area import Floats, Levels
from emlia3d.geometry import Surface, centre_cells, least_heights, steepest_within
from emlia3d.rules.emlia.basics.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from emlia3d.rules.emlia.play.sight.scene import SightScene

OPEN = 255
"""Marks a level that the ground alone does not settle."""

_MORE_THAN_HALF = 0.5 + 2.0**-10
"""Share of a corridor's half width: a strip of it on both sides of the middle is over half."""

_WIDEST_CELLS = 2.0
"""Greatest half width of a corridor, in cells; in wider ones little would be settled."""

_FEW = 4096
"""Figures up to which corridors take less time than two passes over a raster."""

_ROUNDING = 2.0**-30
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


def levels_by_ground(  # noqa: PLR0913  both ends of the corridors
    surface: Surface | None,
    scene: SightScene,
    post: PostStand,
    figure: Upright,
    spots: Floats,
    footings: Floats,
    *,
    reverse: bool,
) -> Levels:
    """Return the concealment of figures from a post as far as the ground settles it.

    Level.TOTAL where the ground alone hides a figure, Level.NONE where neither the ground nor a
    body conceals any of it, OPEN elsewhere. The figures on each spot are alike.

    reverse : the post's from the figures, instead
    """
    levels = np.full(len(spots), OPEN, dtype=np.uint8)
    widest = max(post.who.radius, figure.radius)
    if surface is None or len(spots) < _FEW or widest > _WIDEST_CELLS * surface.cell:
        return levels
    cells = centre_cells(surface, spots)
    if cells is None:
        return levels
    lines = _Lines(surface, post, figure, spots, footings, cells)
    tops = post.who.height, figure.height
    # To half the height of the observed: most of that line free, that to its top is so too.
    halves = (0.5 * tops[0], tops[1]) if reverse else (tops[0], 0.5 * tops[1])
    free = lines.have_free_ends(*tops)
    hidden = free & lines.are_cut(*tops)
    seen = free & lines.have_free_ends(*halves) & lines.are_free(*halves)
    levels[hidden] = Level.TOTAL
    levels[seen & _nothing_between(scene, post, widest, lines)] = Level.NONE
    return levels


class _Lines:
    """The sight lines from a post to all figures, by the middles of their corridors."""

    def __init__(
        self,
        surface: Surface,
        post: PostStand,
        figure: Upright,
        spots: Floats,
        footings: Floats,
        cells: tuple[NDArray[np.intp], NDArray[np.intp]],
    ) -> None:
        self._surface, self._post, self._footings, self._cells = surface, post, footings, cells
        self._reach = max(post.who.radius, figure.radius)
        self._slopes = steepest_within(surface, self._reach)
        self.east, self.north = spots[:, 0] - post.place[0], spots[:, 1] - post.place[1]
        self.length = np.hypot(self.east, self.north)
        # Bodies that touch have no corridor; of others nearly so the ends are not looked at apart.
        self._apart = self.length > 2 * (post.who.radius + figure.radius)
        place = np.array([post.place])
        about_post = Surface(
            heights=self._slopes, cell=surface.cell, west=surface.west, north=surface.north
        ).heights_at(*place.T)
        # The highest that the ground may be beside a figure, and beside the post.
        self._beside = surface.heights[cells] + self._reach * self._slopes[cells]
        self._beside_post = float((surface.heights_at(*place.T) + self._reach * about_post)[0])
        tallest = max(abs(surface.highest), float(np.abs(footings).max(initial=0.0)))
        self._blur = _ROUNDING * (tallest + abs(post.footing) + post.who.height + figure.height)

    def are_free(self, from_post: float, to_figure: float) -> Flags:
        """Return which lines between these heights have most of each cross-section free."""
        marks = self._footings + to_figure - self._blur
        return np.asarray(self._least(from_post, +1) < marks)

    def are_cut(self, from_post: float, to_figure: float) -> Flags:
        """Return which lines between these heights have most of a cross-section hidden.

        Between the two bodies, if the line has free ends.
        """
        marks = self._footings + to_figure + self._blur
        return np.asarray(self._least(from_post, -1) > marks)

    def have_free_ends(self, from_post: float, to_figure: float) -> Flags:
        """Return which lines between these heights are above all ground beside their two ends."""
        eye, marks = self._post.footing + from_post, self._footings + to_figure
        fall = np.abs(marks - eye) * (self._reach / np.maximum(self.length, self._reach))
        fall += self._blur
        return np.asarray(
            self._apart & (self._beside + fall < marks) & (self._beside_post + fall < eye)
        )

    def _least(self, from_post: float, sign: int) -> Floats:
        """The least z that is seen over each place past ground that is raised or lowered."""
        moved = self._surface.heights + sign * _MORE_THAN_HALF * self._reach * self._slopes
        moved.flags.writeable = False
        ground = Surface(
            heights=moved,
            cell=self._surface.cell,
            west=self._surface.west,
            north=self._surface.north,
        )
        eye = (*self._post.place, self._post.footing + from_post)
        return np.asarray(least_heights(ground, eye)[0][self._cells] + moved[self._cells])


def _nothing_between(scene: SightScene, post: PostStand, reach: float, lines: _Lines) -> Flags:
    """Return which figures are nearer than any body in their direction, or have none there."""
    rows = [row for row in range(len(scene.numbers)) if row != post.own]
    if not rows:
        return np.ones(len(lines.length), dtype=np.bool_)
    nearest = _nearest_bodies(scene.outlines[rows], post.place, reach)
    if not np.isfinite(nearest).any():
        return np.ones(len(lines.length), dtype=np.bool_)
    turns = np.arctan2(lines.north, lines.east) * (_DIRECTIONS / math.tau)
    return np.asarray(lines.length < nearest[np.floor(turns).astype(np.int32) % _DIRECTIONS])


def _nearest_bodies(
    outlines: Iterable[shapely.Polygon], place: tuple[float, float], reach: float
) -> Floats:
    """Return how far one may go in each part of the compass and stay *reach* away from bodies."""
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
