"""The distances at which a unit can act: weapon ranges, combat range, moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.questions.options import Place
from emlia3d.force.facing import degrees_of

_EDGES = 25
"""Corners of the outer edge of an arc, enough for every arc below a full circle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FireArc:
    """The area into which a body can shoot.

    body : the outline from whose boundary distances are measured, GSU
    left, right : starting points of the edges of the arc, GSU
    facing : central direction of the arc, 64ths of a degree
    arc_deg : angle between the edges, degrees
    """

    body: BaseGeometry
    left: Place
    right: Place
    facing: int
    arc_deg: float

    def within(self, limit: float) -> BaseGeometry:
        """Return the area within a distance and the arc, GSU; the edges are part of it."""
        reached = self.body.buffer(limit, quad_segs=24)
        if self.arc_deg >= 360.0:
            return reached
        west, south, east, north = reached.union(shapely.MultiPoint([self.left, self.right])).bounds
        far = 2.0 * float(np.hypot(east - west, north - south))
        half = self.arc_deg / 2
        turns = np.radians(degrees_of(self.facing) + np.linspace(-half, half, _EDGES))
        apex = np.where(np.arange(_EDGES)[:, None] < _EDGES // 2, self.left, self.right)
        apex[_EDGES // 2] = np.mean([self.left, self.right], axis=0)
        rim = apex + far * np.column_stack([np.sin(turns), np.cos(turns)])
        ends = [self.right] if self.left == self.right else [self.right, self.left]
        return reached.intersection(shapely.Polygon([*rim.tolist(), *ends]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The reach of one of a unit's actions, GSU.

    what : the action in words
    limits : the ends of its range bands, the nearest first
    arcs : an arc for each body that acts; () for all directions from the unit's boundary
    sighted : whether it reaches only visible targets
    over_ground : whether it is a path over the ground, which obstacles may shorten
    """

    what: str
    limits: tuple[float, ...]
    arcs: tuple[FireArc, ...] = ()
    sighted: bool = True
    over_ground: bool = False
