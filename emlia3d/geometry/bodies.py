"""Bodies: outlines with a base, a height and a flag for solid or sparse, in columns.

One row is one body. The outlines have the layout of `shapely.to_ragged_array` for polygons (flat
coordinates, ring offsets, body offsets), so that GIS tools can read them without copying. This
module computes once what all kernels need of an outline: bounding box, centroid, convex hull.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import measure
from emlia3d.geometry.arrays import Floats, Rows

Ragged: TypeAlias = tuple[ArrayLike, ArrayLike] | tuple[ArrayLike, ArrayLike, ArrayLike]
Outlines: TypeAlias = Sequence[shapely.Geometry] | NDArray[np.object_] | Ragged

T = TypeVar("T", bound=np.generic)

_COLUMNS = (
    "x", "y", "holes", "boxes", "to_centroids", "hull_x", "hull_y",
    "base", "height", "solid",
)  # fmt: skip
_OFFSETS = ("rings", "bodies", "hulls")

FARTHEST = 2**16
"""Coordinates stay within this many GSU of the origin: twice the widest field, for overhang."""


class Bodies:
    """Bodies, in read-only columns.

    Parameters
    ----------
    outlines : (n,) shapely geometries, or ``(coords, offsets)``, or ``(coords, rings, bodies)``
        Polygons, with or without holes, convex or not, and multipolygons of separate parts.
        Points and lines are bodies without area: they can be observers and targets, but cover
        nothing. In the ragged forms, coords are (k, 2) float, GSU. With ``offsets``, body i is
        one ring, the points offsets[i] to offsets[i + 1]. With ``rings`` and ``bodies``, body i
        has the rings bodies[i] to bodies[i + 1], first its shell and then its holes, and ring r
        has the points rings[r] to rings[r + 1]. A ring can be open or closed, in either
        direction, and has at least three different points.
    base : (n,) float64
        Base elevations, height units; finite.
    height : (n,) float64
        Heights above the base, height units; finite.
    solid : (n,) bool
        False for sparse.

    Attributes
    ----------
    x, y : (k,) float64, GSU, points of all rings; each ring is closed
    rings : (rings + 1,) int32, start of each ring among the points
    bodies : (n + 1,) int32, start of each body among the rings
    holes : (rings,) uint8, 1 for a hole
    boxes : (n, 4) float64, GSU: west, south, east, north
    to_centroids : (n, 2) float64, GSU, from the first point of each body to its centroid; more
        precise than `centroids` far from the origin
    hull_x, hull_y, hulls : convex hulls, anticlockwise and open, and the start of each
    widest : an upper bound of the number of points of a body
    base, height, solid : as given

    Raises
    ------
    ValueError
        If a column has another length, or a height is not finite. If an outline is empty, has an
        empty ring, has fewer than three points, has no area, crosses or touches itself (see
        `shapely.is_valid`), or has a coordinate that is not finite or beyond `FARTHEST`.
    """

    __slots__ = (
        "_parts",
        "_shapes",
        "base",
        "bodies",
        "boxes",
        "height",
        "holes",
        "hull_x",
        "hull_y",
        "hulls",
        "rings",
        "solid",
        "to_centroids",
        "widest",
        "x",
        "y",
    )

    def __init__(
        self, outlines: Outlines, base: ArrayLike, height: ArrayLike, solid: ArrayLike
    ) -> None:
        self._parts: tuple[Bodies, ...] = ()
        self._shapes: NDArray[np.object_] | None
        if isinstance(outlines, tuple) and outlines and not _is_shape(outlines[0]):
            self._set_outlines(*_rings_of_ragged(*outlines))
            self._shapes = None
        else:
            shapes = np.empty(len(outlines), dtype=object)
            shapes[:] = list(outlines)
            self._shapes = shapes
            self._set_outlines(*_rings_of_shapes(shapes))
        _refuse_tangles(self.outlines())
        self._stand(base, height, solid)

    def __len__(self) -> int:
        return len(self.bodies) - 1

    def __repr__(self) -> str:
        return f"Bodies({len(self)} bodies, {len(self.x)} points)"

    @property
    def shapes(self) -> NDArray[np.object_]:
        """(n,) shapely geometries, prepared on first use."""
        shapes = self.outlines()
        shapely.prepare(shapes)
        return shapes

    def outlines(self, rows: NDArray[np.integer] | None = None) -> NDArray[np.object_]:
        """Return the outlines of some rows, or of all."""
        if self._shapes is None:
            self._shapes = (
                np.concatenate([part.outlines() for part in self._parts])
                if self._parts
                else _drawn(self.x, self.y, self.rings, self.bodies)
            )
        return self._shapes if rows is None else self._shapes[rows]

    @classmethod
    def of_footprints(cls, points: Floats, offsets: Rows) -> Bodies:
        """Return level bodies with one closed ring each, (k, 2) points, without validation."""
        found = object.__new__(cls)
        found._shapes, found._parts = None, ()
        count = len(offsets) - 1
        none = np.zeros(count, dtype=np.bool_)
        found._measure(points, offsets, none, np.arange(count + 1, dtype=np.int32))
        found.base = found.height = _frozen(np.zeros(count))
        found.solid = _frozen(none)
        return found

    def concat(self, others: Bodies) -> Bodies:
        """Return these bodies followed by others, without computing their columns again."""
        twin = object.__new__(Bodies)
        twin._shapes, twin._parts = None, (self, others)
        twin.widest = max(self.widest, others.widest)
        for name in _COLUMNS:
            both = [getattr(self, name), getattr(others, name)]
            setattr(twin, name, _frozen(np.concatenate(both)))
        for name in _OFFSETS:
            first, then = getattr(self, name), getattr(others, name)
            setattr(twin, name, _frozen(np.concatenate([first, then[1:] + first[-1]])))
        return twin

    def take(self, rows: NDArray[np.integer]) -> Bodies:
        """Return the bodies of some rows in this order, without computing their columns again."""
        twin = object.__new__(Bodies)
        twin._shapes, twin._parts = self.outlines(rows), ()
        twin.widest = self.widest
        rings, twin.bodies = _of_rows(self.bodies, rows)
        points, twin.rings = _of_rows(self.rings, rings)
        corners, twin.hulls = _of_rows(self.hulls, rows)
        for names, places in (
            (("x", "y"), points),
            (("hull_x", "hull_y"), corners),
            (("holes",), rings),
            (("boxes", "to_centroids", "base", "height", "solid"), rows),
        ):
            for name in names:
                setattr(twin, name, _frozen(getattr(self, name)[places]))
        return twin

    def with_base(self, base: ArrayLike, height: ArrayLike, solid: ArrayLike) -> Bodies:
        """Return bodies with these outlines and another base, height and solidity."""
        twin = object.__new__(Bodies)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin._stand(base, height, solid)
        return twin

    def _stand(self, base: ArrayLike, height: ArrayLike, solid: ArrayLike) -> None:
        self.base = _finite(_column(base, len(self), np.float64, "base"), "base")
        self.height = _finite(_column(height, len(self), np.float64, "height"), "height")
        self.solid = _column(solid, len(self), np.bool_, "solid")

    @property
    def starts(self) -> Rows:
        """(n + 1,) int32, start of each body among the points."""
        starts: Rows = self.rings[self.bodies]
        return starts

    @property
    def centroids(self) -> Floats:
        """(n, 2) float64, GSU, area centroids; centroids of the length for bodies without area."""
        starts = self.starts[:-1]
        return _frozen(np.column_stack([self.x[starts], self.y[starts]]) + self.to_centroids)

    def _set_outlines(
        self, points: Floats, rings: Rows, holes: NDArray[np.bool_], bodies: Rows
    ) -> None:
        points, rings = _closed(points, rings)
        if not (np.abs(points) <= FARTHEST).all():
            raise ValueError(
                f"bodies: every coordinate must be a finite number of GSU, {FARTHEST} at most"
            )
        self._measure(points, rings, holes, bodies)

    def _measure(self, points: Floats, rings: Rows, holes: NDArray[np.bool_], bodies: Rows) -> None:
        """Take the columns from rings that are closed."""
        self.x, self.y = _frozen(points[:, 0]), _frozen(points[:, 1])
        self.rings = _frozen(rings)
        self.bodies = _frozen(bodies)
        self.holes = _frozen(holes.astype(np.uint8))
        starts = self.starts
        n, k = len(self), len(points)
        boxes, to_centroids = np.empty((n, 4)), np.empty((n, 2))
        measure.boxes(self.x, self.y, starts, boxes)
        measure.centroids(self.x, self.y, self.rings, self.holes, self.bodies, to_centroids)
        self.boxes, self.to_centroids = _frozen(boxes), _frozen(to_centroids)
        self.widest = int(np.diff(starts).max(initial=1))
        spare = np.empty((2, self.widest))
        hull_x, hull_y = np.empty(k + 1), np.empty(k + 1)
        hulls = np.empty(n + 1, dtype=np.int32)
        measure.hulls(self.x, self.y, starts, spare[0], spare[1], hull_x, hull_y, hulls)
        self.hull_x, self.hull_y = _frozen(hull_x[: hulls[-1]]), _frozen(hull_y[: hulls[-1]])
        self.hulls = _frozen(hulls)


_PARTS = ("Polygon", "LineString", "LinearRing", "Point")


def _is_shape(thing: object) -> bool:
    return isinstance(thing, shapely.Geometry)


def _rings_of_shapes(
    shapes: NDArray[np.object_],
) -> tuple[Floats, Rows, NDArray[np.bool_], Rows]:
    if len(shapes) and all(map(_is_plain, shapes)):
        points, owner = shapely.get_coordinates(shapes, return_index=True)
        count = len(shapes)
        rings = np.searchsorted(owner, np.arange(count + 1)).astype(np.int32)
        return points, rings, np.zeros(count, dtype=np.bool_), np.arange(count + 1, dtype=np.int32)
    return _rings_one_by_one(shapes)


def _is_plain(thing: object) -> bool:
    """Return whether it is a point or a polygon without holes, not empty: a single ring."""
    return (
        isinstance(thing, shapely.Polygon | shapely.Point)
        and not thing.is_empty
        and not shapely.get_num_interior_rings(thing)
    )


def _rings_one_by_one(
    shapes: NDArray[np.object_],
) -> tuple[Floats, Rows, NDArray[np.bool_], Rows]:
    rings: list[Floats] = []
    holes: list[bool] = []
    bodies = [0]
    for number, shape in enumerate(shapes):
        if not _is_shape(shape) or shape.is_empty:
            raise ValueError(f"bodies: outline {number} needs a shape that is not empty")
        for part in shapely.get_parts(shape):
            if part.is_empty or part.geom_type not in _PARTS:
                raise ValueError(f"bodies: outline {number} needs polygons, lines or points only")
            if part.geom_type == "Polygon":
                if any(hole.is_empty for hole in part.interiors):
                    raise ValueError(f"bodies: outline {number} has an empty ring")
                rings += [shapely.get_coordinates(r) for r in (part.exterior, *part.interiors)]
                holes += [False] + [True] * len(part.interiors)
            else:
                line = shapely.get_coordinates(part)
                # There and back again: a ring that encloses nothing.
                rings.append(np.concatenate([line, line[-2::-1]]) if len(line) > 1 else line)
                holes.append(False)
        bodies.append(len(rings))
    points = np.concatenate(rings) if rings else np.empty((0, 2))
    starts = np.cumsum([0, *map(len, rings)], dtype=np.int32)
    return points, starts, np.array(holes, dtype=np.bool_), np.array(bodies, dtype=np.int32)


def _rings_of_ragged(
    coords: ArrayLike, rings: ArrayLike, bodies: ArrayLike | None = None
) -> tuple[Floats, Rows, NDArray[np.bool_], Rows]:
    points = np.asarray(coords, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError("bodies: coords needs a column of x and one of y")
    starts = _offsets(rings, len(points), "ring")
    count = len(starts) - 1
    short = np.flatnonzero(np.diff(starts) < 3)
    if len(short):
        raise ValueError(f"bodies: ring {short[0]} needs three points at least")
    of_body = _offsets(np.arange(count + 1) if bodies is None else bodies, count, "body")
    holes = np.ones(count, dtype=bool)
    holes[of_body[:-1]] = False
    return points, starts, holes, of_body


def _offsets(offsets: ArrayLike, count: int, what: str) -> Rows:
    rows = np.asarray(offsets, dtype=np.int32)
    if rows.ndim != 1 or not len(rows) or rows[0] != 0 or rows[-1] != count:
        raise ValueError(f"bodies: {what} offsets must run from 0 to {count}")
    if (np.diff(rows) <= 0).any():
        raise ValueError(f"bodies: {what} offsets must rise: none may be empty")
    return rows


def _refuse_tangles(shapes: NDArray[np.object_]) -> None:
    """ValueError for the first outline whose inside is not plain."""
    tangled = np.flatnonzero(~shapely.is_valid(shapes))
    if len(tangled):
        reason = shapely.is_valid_reason(shapes[tangled[0]])
        raise ValueError(
            f"bodies: outline {tangled[0]} needs an area, and edges that neither cross nor touch "
            f"one another; it has: {reason}"
        )


def _of_rows(offsets: Rows, rows: NDArray[np.integer]) -> tuple[NDArray[np.intp], Rows]:
    """Return the values of these rows in the offsets, and where each row's values begin."""
    counts = offsets[rows + 1] - offsets[rows]
    starts = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum(counts, out=starts[1:])
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], counts)
    return np.repeat(offsets[rows], counts) + within, _frozen(starts)


def _drawn(x: Floats, y: Floats, rings: Rows, bodies: Rows) -> NDArray[np.object_]:
    kind, points = shapely.GeometryType.POLYGON, np.column_stack([x, y])
    return np.asarray(shapely.from_ragged_array(kind, points, (rings, bodies)), dtype=object)


def _finite(column: Floats, name: str) -> Floats:
    if not np.isfinite(column).all():
        raise ValueError(f"bodies: every {name} must be a finite number of height units")
    return column


def _closed(points: Floats, rings: Rows) -> tuple[Floats, Rows]:
    """Return the same rings, each ending where it begins: points, and where each ring begins."""
    first, last = points[rings[:-1]], points[rings[1:] - 1]
    ajar = (np.diff(rings) == 1) | (first != last).any(axis=1)
    if not ajar.any():
        return points, rings
    starts = rings + np.concatenate(([0], np.cumsum(ajar))).astype(np.int32)
    ends = starts[1:][ajar] - 1
    own = np.ones(starts[-1], dtype=np.bool_)
    own[ends] = False
    closed = np.empty((starts[-1], 2))
    closed[own], closed[ends] = points, first[ajar]
    return closed, starts


def _column(values: ArrayLike, n: int, kind: type[T], name: str) -> NDArray[T]:
    column = np.array(values, dtype=kind)
    if column.shape != (n,):
        raise ValueError(f"bodies: {name} needs {n} values, not the shape {column.shape}")
    return _frozen(column)


def _frozen(column: NDArray[T]) -> NDArray[T]:
    column = np.ascontiguousarray(column)
    column.flags.writeable = False
    return column
