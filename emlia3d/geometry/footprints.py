"""Discs and oriented rectangles: gaps, contacts, lines and arcs, all at once.

A footprint is an oriented rectangle with rounded corners: a disc if its rectangle has no extent, a
rectangle with sharp corners if its radius is 0. It is measured as it is, not as a polygon. Lengths
are GSU in the plane.

What rounding could decide counts as a touch: lines and arcs disregard `TOLERANCE`, contacts
`SLACK`, because places are whole multiples of 1/1024 GSU.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d._ext import footprints as _kernel
from emlia3d.geometry.arrays import Floats
from emlia3d.geometry.bodies import FARTHEST

TOLERANCE = 2.0**-20
"""GSU that a line or a border of an arc may run in a footprint and only touch it."""

SLACK = 2.0**-9
"""GSU of a gap between footprints that touch: twice the step of stored places."""

COLUMNS = 7
"""Columns of a footprint."""
Bools: TypeAlias = NDArray[np.bool_]


class Part(IntEnum):
    """The part of a footprint that another footprint touches."""

    NONE = -1
    FRONT = 0
    RIGHT = 1
    REAR = 2
    LEFT = 3
    FRONT_RIGHT = 4
    REAR_RIGHT = 5
    REAR_LEFT = 6
    FRONT_LEFT = 7
    RIM = 8

    @property
    def is_side(self) -> bool:
        """True for a side of a rectangle."""
        return Part.FRONT <= self <= Part.LEFT

    @property
    def is_corner(self) -> bool:
        """True for a corner of a rectangle."""
        return Part.FRONT_RIGHT <= self <= Part.FRONT_LEFT


@dataclass(frozen=True, slots=True, eq=False)
class Footprints:
    """Footprints by row.

    columns : (n, 7) float64, GSU, not to be written to: x and y of the centre, east and north of
        the facing, half the width across the facing, half the depth along it, and the radius of
        the corners; `footprints` checks them
    """

    columns: Floats

    def __len__(self) -> int:
        return len(self.columns)

    def take(self, rows: ArrayLike) -> Footprints:
        """Return some of the footprints; IndexError if a row is out of range."""
        return Footprints(np.ascontiguousarray(self.columns[np.asarray(rows, dtype=np.intp)]))

    def moved(self, row: int, x: float, y: float, facing: tuple[float, float]) -> Footprints:
        """Return one footprint at another position, as a column of one.

        x, y : its new centre, GSU
        facing : east and north, of any length above 0
        """
        column = self.columns[row].copy()
        column[:2] = x, y
        column[2:4] = _of_length_one(np.array([facing]))[0]
        return Footprints(_frozen(column[None]))

    def corners(self) -> Floats:
        """(n, 4, 2) corners of the rectangles: front right, rear right, rear left, front left.

        All four corners of a disc are its centre.
        """
        x, y, east, north, half_width, half_depth, _ = self.columns.T[:, :, None]
        s, t = half_width * [1.0, 1.0, -1.0, -1.0], half_depth * [1.0, -1.0, -1.0, 1.0]
        return np.stack((x + s * north + t * east, y - s * east + t * north), axis=-1)


def footprints(
    places: ArrayLike,
    facings: ArrayLike = (0.0, 1.0),
    width: ArrayLike = 0.0,
    depth: ArrayLike = 0.0,
    radius: ArrayLike = 0.0,
) -> Footprints:
    """Return footprints with these positions, facings and sizes.

    Parameters
    ----------
    places
        (n, 2) float, GSU, centres.
    facings
        (2,) or (n, 2) float, east and north, of any length above 0.
    width, depth
        () or (n,) float, GSU, across and along the facing, without the rounded corners; both 0
        for a disc.
    radius
        () or (n,) float, GSU, of the disc or of the rounded corners.

    Raises
    ------
    ValueError
        If a number is not finite or beyond `FARTHEST`, a length is negative, a facing has no
        direction, or columns differ in length.
    """
    centres = np.asarray(places, dtype=np.float64).reshape(-1, 2)
    columns = np.empty((len(centres), COLUMNS))
    columns[:, :2] = centres
    columns[:, 2:4] = _of_length_one(np.asarray(facings, dtype=np.float64).reshape(-1, 2))
    for place, (name, lengths) in enumerate(
        (("width", width), ("depth", depth), ("radius", radius)), start=4
    ):
        given = np.asarray(lengths, dtype=np.float64)
        if not ((given >= 0) & (given <= FARTHEST)).all():
            raise ValueError(f"{name}: expected lengths from 0 to {FARTHEST} GSU")
        columns[:, place] = given if name == "radius" else given / 2
    if not (np.abs(centres) <= FARTHEST).all():
        raise ValueError(f"places: expected places no farther than {FARTHEST} GSU")
    return Footprints(_frozen(columns))


def _of_length_one(directions: Floats) -> Floats:
    square = directions[:, 0] * directions[:, 0] + directions[:, 1] * directions[:, 1]
    if not (np.isfinite(square) & (square > 0)).all():
        raise ValueError("facings: expected directions of a length above 0")
    return np.asarray(directions / np.sqrt(square)[:, None])


def _frozen(columns: Floats) -> Floats:
    columns.flags.writeable = False
    return columns


def edge_gaps(bodies: Footprints, others: Footprints | None = None) -> Floats:
    """Return the gap between the nearest edges of each pair of footprints.

    Parameters
    ----------
    bodies
        The first of each pair.
    others
        The second of each pair; None for *bodies* themselves.

    Returns
    -------
    ndarray
        (n, m) float64, GSU; 0 if the two touch or overlap.
    """
    out = np.empty((len(bodies), len(bodies if others is None else others)))
    if others is None:
        _kernel.gaps_of_all(bodies.columns, out)
    else:
        _kernel.gaps(bodies.columns, others.columns, out)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Contacts:
    """Contacts of footprints.

    part : (n, n) int8, the `Part` of the first that the second touches
    edge : (n, n) float64, GSU, length of the edge that the two share; 0 if they share only a point
    """

    part: NDArray[np.int8]
    edge: Floats

    def between(self, one: int, other: int) -> Part:
        """Return the part of one footprint that another touches."""
        return Part(self.part[one, other].item())

    def of(self, row: int) -> list[int]:
        """Return the rows that touch a footprint."""
        found: list[int] = np.flatnonzero(self.part[row] != Part.NONE).tolist()
        return found


def contacts(bodies: Footprints, slack: float = SLACK) -> Contacts:
    """Return the pairs of footprints that touch or overlap, with the parts in contact.

    Two rectangles share an edge if a segment of it, longer than the slack, is within the slack of
    the other; the part is then a side. Otherwise it is the side or corner nearest to the other.

    slack : maximum gap that counts as contact, GSU
    """
    part = np.empty((len(bodies), len(bodies)), dtype=np.int8)
    length = np.empty((len(bodies), len(bodies)))
    _kernel.contacts(bodies.columns, slack, edge_gaps(bodies), part, length)
    return Contacts(part, length)


def chords(bodies: Footprints, starts: ArrayLike, ends: ArrayLike) -> Floats:
    """Return the part of each straight line that is inside each footprint.

    A line that runs along an edge, or less than `TOLERANCE` in a footprint, only touches it.

    Parameters
    ----------
    bodies
        Footprints that may be crossed.
    starts, ends
        (m, 2) float, GSU, of the lines.

    Returns
    -------
    ndarray
        (m, n, 2) float64: the points at which the line enters and leaves, 0 at its start and 1
        at its end; NaN if it does not cross.
    """
    lines = np.concatenate((places_in(starts), places_in(ends)), axis=1)
    out = np.empty((len(lines), len(bodies), 2))
    _kernel.chords(lines, bodies.columns, TOLERANCE, out)
    return out


def crossed(bodies: Footprints, starts: ArrayLike, ends: ArrayLike) -> Bools:
    """Return (m, n) bool: whether each straight line crosses each footprint; see `chords`."""
    return ~np.isnan(chords(bodies, starts, ends)[:, :, 0])


OUTSIDE, PARTLY, WHOLLY = 0, 1, 2
"""Values of `lie_in_arcs`."""


def lie_in_arcs(
    bodies: Footprints, points: ArrayLike, lefts: ArrayLike, rights: ArrayLike
) -> NDArray[np.uint8]:
    """Return whether each footprint is outside, partly in or wholly in each arc.

    An arc goes clockwise from its left border to its right one, by at most half a circle.
    For a wider arc, test the rest of the circle. A footprint that only touches a border is on one
    side of it.

    Parameters
    ----------
    bodies
        Footprints.
    points
        (m, 2) float, GSU, apexes of the arcs.
    lefts, rights
        (m, 2) float, directions of the borders.

    Returns
    -------
    ndarray
        (m, n) uint8: `OUTSIDE`, `PARTLY` or `WHOLLY`.

    Raises
    ------
    ValueError
        If an arc is wider than half a circle, or a border has no direction.
    """
    left, right = _of_length_one(places_in(lefts)), _of_length_one(places_in(rights))
    turn = left[:, 0] * right[:, 1] - left[:, 1] * right[:, 0]
    if (turn > TOLERANCE).any():
        raise ValueError("arcs: expected half a circle at most")
    given = np.concatenate((places_in(points), left, right), axis=1)
    out = np.empty((len(given), len(bodies)), dtype=np.uint8)
    _kernel.arcs(given, bodies.columns, TOLERANCE, out)
    return out


def places_in(given: ArrayLike) -> Floats:
    """Return points as (n, 2) float64; ValueError unless all numbers are finite."""
    places = np.asarray(given, dtype=np.float64).reshape(-1, 2)
    if not np.isfinite(places).all():
        raise ValueError("places: expected finite numbers")
    return places
