"""Obstacles in many sight corridors at once, as far as the answer depends on them.

Pairs hidden by one body alone are found first and get no further rows. Results that rounding could
decide are marked open for the caller to settle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d._ext.emlia import corridor_obstacles as _kernel
from emlia3d.geometry.arrays import Floats, Rows, rows_of
from emlia3d.geometry.bodies import Bodies
from emlia3d.geometry.corridor import ObstacleIndex, marks_for
from emlia3d.geometry.threads import in_chunks
from emlia3d.rules.emlia.kernels.occlusion_levels import Flags, Octets, Starts

NOT_SOLID, SOLID, UNCERTAIN, NOT_TESTED = range(4)
"""True if a body is solid in a corridor; UNCERTAIN where rounding could decide."""

ALWAYS, IF_SOLID, NEVER = range(3)
"""True if an obstacle counts at all."""

# Number of questions that a thread takes at once, and of rows that it first has room for.
_QUESTIONS = 512
_ROOM = 1 << 12


@dataclass(frozen=True, slots=True)
class Obstacles:
    """The bodies that may stand in corridors: the first h of some bodies.

    screen : these, made ready
    tops : (h,) float64, height units, from where footings are measured
    thickness : (h,) float64, GSU of a straight way through it above which it is solid; NaN where
        it is as the body says
    convex : (h,) bool, whether its outline is
    camouflaged : (u, h) bool, whether it is solid to those observed who belong to a unit, whatever
        it is to others
    counts : (h,) uint8, ALWAYS, IF_SOLID or NEVER
    """

    screen: ObstacleIndex
    tops: Floats
    thickness: Floats
    convex: Flags
    camouflaged: Flags
    counts: Octets

    def columns(self, bodies: Bodies) -> Columns:
        """Of these bodies and of what may stand between, as the kernels take it."""
        return (
            bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, bodies.to_centroids,
            bodies.hull_x, bodies.hull_y, bodies.hulls, bodies.solid.view(np.uint8),
            self.thickness, self.tops, self.camouflaged.view(np.uint8), bodies.widest,
        )  # fmt: skip


Columns: TypeAlias = tuple[
    Floats, Floats, Rows, Rows, Floats, Floats, Floats, Floats, Rows, Octets,
    Floats, Floats, Octets, int,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SightQueries:
    """n sight questions, in columns of which `between` looks over the ends alone.

    Two consecutive questions between the same pair, both ways, are measured once.

    ends : (n, 2) int32, rows of the bodies: observer and observed
    observers, observed : (n, 4) float64, footing, height, size and own combat range of each
    crouched, perched : (n,) bool, whether the observed takes cover, and stands on something that
        could be seen by itself
    units : (n, 2) int32, to which units the two belong
    alone : (n, 2) bool, whether it is one member
    own : (n,) int32, a row that is not in the way: the observed's own unit; -1 where there is none
    floors : (n,) uint8, known minimum concealment of each observed; a level that is not above it
        may be reported as lower, and bodies that cannot raise it are ignored
    """

    ends: Rows
    observers: Floats
    observed: Floats
    crouched: Flags
    perched: Flags
    units: Rows
    alone: Flags
    own: Rows
    floors: Octets

    def __len__(self) -> int:
        return len(self.ends)


@dataclass(frozen=True, slots=True)
class CorridorHits:
    """The findings of `corridor_obstacles` for n questions, in k rows.

    starts : (n + 1,) int, question q has the rows starts[q] to starts[q + 1]
    rows : (k,) int32, of the bodies
    fraction : (k,) float64, of the corridor's width
    which : (k,) uint8, as of `height_cases`
    solid : (k,) uint8, NOT_SOLID, SOLID or UNCERTAIN where it was asked, and elsewhere NOT_TESTED
    hidden : (n,) bool, whether one body alone hides the observed wholly
    by : (n,) int32, the row of a body that hides any observed unit; -1 where there is none
    touch : (n,) bool, whether the two touch, and so have no corridor
    """

    asked: SightQueries
    starts: Starts
    rows: Rows
    fraction: Floats
    which: Octets
    solid: Octets
    hidden: Flags
    by: Rows
    touch: Flags

    @property
    def question(self) -> NDArray[np.intp]:
        """(k,) int, to which question each row belongs."""
        return np.repeat(np.arange(len(self.hidden)), np.diff(self.starts))


def corridor_obstacles(
    bodies: Bodies,
    obstacles: Obstacles,
    asked: SightQueries,
    half: float,
    *,
    areas: tuple[Starts, Rows] | None = None,
    every: bool = False,
) -> CorridorHits:
    """Return the bodies in the corridor of each question, and the pairs that one body hides.

    Fractions equal `corridor_fractions`, bit for bit. A solid body hides alone that is
    as tall as both ends and covers half of the corridor; one that is UNCERTAIN does not.

    bodies : the obstacles first
    half : the smallest share of the width that counts as half
    areas : where rows begin for each question, and the rows: bodies that stand between
        two units in contact, from side to side
    every : report also bodies without influence: too low to count, or
        before units that are hidden already

    Without obstacles nothing is examined, nor whether two touch. IndexError if one of the ends
    is not among the bodies.

    Source: emlia.sight.corridor, emlia.sight.case, emlia.sight.tall, emlia.sight.sparse-solid.
    """
    count, height = len(asked), len(obstacles.tops)
    rows_of(asked.ends.ravel(), bodies, "ends")
    counts = np.zeros(count, np.intp)
    hidden, touch = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    by = np.full(count, -1, np.int32)
    chunks: list[list[_Rows]] = [[] for _ in range(-(-count // _QUESTIONS))]
    screen, widest = obstacles.screen.for_others(bodies), bodies.widest
    circles = screen.circles.shape[1]
    area_starts, area_rows = areas or (np.empty(0, np.intp), np.empty(0, np.int32))
    columns = (
        *obstacles.columns(bodies), obstacles.counts,
        *screen.columns, screen.obstacles, asked.ends, asked.observers, asked.observed,
        asked.units, asked.own, asked.crouched.view(np.uint8), asked.floors,
        area_starts, area_rows, half, every,
    )  # fmt: skip
    by_question = counts, hidden.view(np.uint8), by, touch.view(np.uint8)

    def work(begin: int, stop: int) -> None:
        chunk, marks = chunks[begin // _QUESTIONS], marks_for(bodies)
        room = max(height, min(height * (stop - begin), _ROOM))
        while begin < stop:
            rows = (
                np.empty(room, np.int32), np.empty(room),
                np.empty(room, np.uint8), np.empty(room, np.uint8),
            )  # fmt: skip
            begin, written, full = _kernel.between(
                *columns, begin, stop,
                np.empty(2 * circles + 56 * widest + 8 + marks),
                np.empty(3 * circles + 2 * widest, np.int32),
                np.empty((2, circles), np.uint8),
                np.zeros((2, len(bodies) // 64 + 1), np.uint64), *rows, *by_question,
            )  # fmt: skip
            chunk.append(_first(written, rows))
            marks *= 2 if full else 1

    if height:
        in_chunks(work, count, _QUESTIONS)
    starts = np.zeros(count + 1, np.intp)
    np.cumsum(counts, out=starts[1:])
    return CorridorHits(
        asked, starts, *_joined([rows for chunk in chunks for rows in chunk]), hidden, by, touch
    )


_Rows: TypeAlias = tuple[Rows, Floats, Octets, Octets]


def _first(count: int, rows: _Rows) -> _Rows:
    return rows[0][:count], rows[1][:count], rows[2][:count], rows[3][:count]


def _joined(parts: list[_Rows]) -> _Rows:
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return np.empty(0, np.int32), np.empty(0), np.empty(0, np.uint8), np.empty(0, np.uint8)
    rows, fraction, which, solid = zip(*parts, strict=True)
    return (
        np.concatenate(rows), np.concatenate(fraction), np.concatenate(which), np.concatenate(solid)
    )  # fmt: skip
