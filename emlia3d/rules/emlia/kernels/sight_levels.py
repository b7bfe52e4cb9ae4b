"""Levels of concealment between units, in one call for all pairs and in one for their members.

The kernel does in one pass what `corridor_obstacles`, `blocked_fractions` and `classify_occlusion`
do one after another: bodies in each corridor, ground in it, and the level that follows. Where
rounding could decide, the level is left open, and the caller finds it by other means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emlia3d._ext.emlia import sight_levels as _kernel
from emlia3d.geometry import Surface
from emlia3d.geometry.arrays import Floats, Rows
from emlia3d.geometry.bodies import Bodies
from emlia3d.geometry.threads import in_chunks
from emlia3d.geometry.tops import bounds_of
from emlia3d.rules.emlia.kernels.classify_occlusion import UnitHulls
from emlia3d.rules.emlia.kernels.corridor_obstacles import Obstacles
from emlia3d.rules.emlia.kernels.occlusion_levels import Flags, Octets, Thresholds

OPEN = 3
"""Stands for a level that rounding could decide, or that depends on shapes the kernel lacks."""

# A thread takes this number of pairs, or of searches of members, at once.
_PAIRS = 256
_SEARCHES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitColumns:
    """The facts about u units that the sight rules use, in columns.

    rows : (u,) int32, of the bodies; -1 for a unit that is not there
    own : (u,) int32, the row that never blocks the view of its unit; -1 for none
    build : (u, 3) float64, height and size in height units, own combat range in GSU
    footings : (u,) float64, height units
    crouched, raised, alone, on_hill : (u,) bool, takes cover, stands on something that could be
        seen by itself, has one member, stands on a hill whose outline counts
    """

    rows: Rows
    own: Rows
    build: Floats
    footings: Floats
    crouched: Flags
    raised: Flags
    alone: Flags
    on_hill: Flags


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The members of n observed units.

    spots : (k, 2) float64, GSU; footings : (k,) float64, height units, under each
    figures : (f, 2) float64, GSU, outlines as seen from where a member stands, closed
    places : (n, 5) int32, for each unit the member to ask about first, where its spots begin and
        how many they are, where its figure begins and how many points it has
    """

    spots: Floats
    footings: Floats
    figures: Floats
    places: Rows

    @property
    def reach(self) -> Floats:
        """West, south, east and north of all."""
        margin, (x, y) = np.abs(self.figures).max(initial=0.0), self.spots.T
        return np.array([x.min() - margin, y.min() - margin, x.max() + margin, y.max() + margin])


class SightField:
    """All bodies and units at one moment, ready to be asked about.

    bodies : the obstacles first
    elevation_step : height units from which the observed stands higher than the observer
    """

    def __init__(  # noqa: PLR0913  columns that belong together
        self,
        bodies: Bodies,
        obstacles: Obstacles,
        units: UnitColumns,
        ranks: UnitHulls,
        *,
        surface: Surface | None,
        limits: Thresholds,
        elevation_step: float,
    ) -> None:
        self._bodies, self._obstacles = bodies, obstacles
        self._stand = units.rows >= 0
        self._rest = (
            (
                obstacles.thickness, obstacles.tops, obstacles.camouflaged.view(np.uint8),
                obstacles.convex.view(np.uint8),
            ),
            (
                units.rows, units.own, units.build, units.footings, units.crouched.view(np.uint8),
                units.raised.view(np.uint8), units.alone.view(np.uint8),
                units.on_hill.view(np.uint8),
            ),
            (ranks.corners, ranks.starts, ranks.radii),
            None if surface is None else (
                surface.heights, surface.cell, surface.west, surface.north, surface.highest,
                *bounds_of(surface),
            ),
            (limits.half, limits.slack, limits.crouch), elevation_step,
        )  # fmt: skip
        self._screen = obstacles.screen.for_others(bodies)
        self._field = self._ready()

    def _ready(self) -> _kernel.Field:
        bodies = self._bodies
        outlines = (
            bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, bodies.to_centroids,
            bodies.hull_x, bodies.hull_y, bodies.hulls, bodies.solid.view(np.uint8),
        )  # fmt: skip
        screen = (*self._screen.columns, self._screen.obstacles)
        return _kernel.Field(outlines, bodies.widest, screen, *self._rest)

    def by_boundary(self, pairs: Rows) -> tuple[Octets, Rows, Flags]:
        """Return the levels of the units of n pairs from each other, by their boundaries alone.

        pairs : (n, 2) int32, units

        Returns the level of the second as seen from the first and the reverse, (n, 2), or OPEN; the
        row of the body that alone hides the observed, (n, 2), -2 for the ground and -1 for none;
        and whether the two touch, (n,), and so have no corridor.

        Source: emlia.sight.corridor, emlia.sight.raster-ground, emlia.sight.shadow.

        Raises
        ------
        IndexError
            A unit stands nowhere on the field.
        """
        self._check(pairs)
        levels, by = np.empty((len(pairs), 2), np.uint8), np.empty((len(pairs), 2), np.int32)
        touch = np.empty(len(pairs), np.bool_)

        def work(begin: int, stop: int) -> None:
            self._field.pairs(
                pairs, self._obstacles.counts, begin, stop, levels, by, touch.view(np.uint8)
            )

        in_chunks(work, len(pairs), _PAIRS)
        return levels, by, touch

    def by_members(
        self, pairs: Rows, floors: Octets, members: Members, counts: Octets | None = None
    ) -> tuple[Octets, Rows]:
        """Return the least level of all members of each observed unit, each by itself; or OPEN.

        0 if any member's level is not above the floor: the search stops at the first.

        pairs : (n, 2) int32, the observer and the observed
        floors : (n,) uint8, the level of each observed for other reasons
        counts : (h,) uint8, the obstacles that count, as of `Obstacles`; by default its own

        Returns the levels, and the number of the member that stopped each search; -1 for none.

        Source: emlia.sight.memberwise-partial, emlia.sight.memberwise-total.

        Raises
        ------
        IndexError
            A unit stands nowhere on the field.
        """
        self._check(pairs)
        levels, exposed = np.empty(len(pairs), np.uint8), np.full(len(pairs), -1, np.int32)
        self._make_room_for(members)
        stops = self._obstacles.counts if counts is None else counts

        def work(begin: int, stop: int) -> None:
            self._field.members(
                pairs, floors, members.places, members.spots, members.footings, members.figures,
                stops, begin, stop, levels, exposed,
            )  # fmt: skip

        in_chunks(work, len(pairs), _SEARCHES)
        return levels, exposed

    def _check(self, pairs: Rows) -> None:
        """Refuse units without a body: the kernel would read beyond its columns."""
        if not self._stand[pairs].all():
            raise IndexError("a unit that stands nowhere neither sees nor is seen")

    def _make_room_for(self, members: Members) -> None:
        """Let the broad phase serve members that stand far from all bodies."""
        screen = self._screen.for_boxes(self._bodies, members.reach)
        if screen is not self._screen:
            self._screen = screen
            self._field = self._ready()
