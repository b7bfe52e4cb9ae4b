"""What stands in many sight corridors at once, as far as the answer can turn on it.

First `screened`: who is hidden by one body alone. Where more is wanted, `standing` measures how far
everything is from both ends, as `emlia3d.geometry.levels_behind` asks for it. Both leave open what
rounding could decide; that is the caller's to find by other means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d._ext import standing as _kernel
from emlia3d.geometry.bodies import Bodies, Floats, Rows
from emlia3d.geometry.shadow import Ends, Octets, Standing
from emlia3d.geometry.threads import in_chunks

NO, YES, OPEN, UNASKED = range(4)
"""Whether a body is solid in a corridor; OPEN where rounding could decide."""

_QUESTIONS_AT_ONCE = 1 << 12


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What may stand in corridors: the first h of some bodies.

    thickness : (h,) float64, GSU of a straight way through it above which it is solid; NaN where
        it is as the body says
    convex : (h,) bool, whether its outline is
    """

    thickness: Floats
    convex: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ranks:
    """Those who may stand at the ends of corridors in numbers: u of them.

    corners : (k, 2) float64, GSU, the places of the members of whom one is the farthest from
        anything convex; starts : (u + 1,) int32, where those of each begin
    radii : (u,) float64, GSU, from the middle of a member's footprint to its edge
    """

    corners: Floats
    starts: Rows
    radii: Floats


@dataclass(frozen=True, slots=True)
class Asked:
    """n sight questions and the k rows of what stands in their corridors.

    ends : (n, 2) int32, rows of the bodies: the observer's and that of the observed
    starts : (n + 1,) int, question q has the rows starts[q] to starts[q + 1]
    rows : (k,) int32, of the bodies, obstacles all
    fraction : (k,) float64, of the corridor's width
    camouflaged : (k,) bool, whether the body is solid to this observed, whatever it is to others
    """

    ends: Rows
    observers: Ends
    observed: Ends
    starts: NDArray[np.intp]
    rows: Rows
    fraction: Floats
    camouflaged: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Screened:
    """What `screened` finds.

    which : (k,) uint8, as of `height_cases`
    solid : (k,) uint8, NO, YES or OPEN where it was asked, and elsewhere UNASKED
    hidden : (n,) bool, whether one body alone hides the observed wholly
    by : (n,) int32, the row of a body that hides whoever is observed; -1 where there is none
    half : the least share of the width that is half of it
    """

    which: Octets
    solid: Octets
    hidden: NDArray[np.bool_]
    by: Rows
    half: float


def screened(bodies: Bodies, obstacles: Obstacles, asked: Asked, half: float) -> Screened:
    """Whom a solid body hides alone: as tall as both ends, and over half of the corridor.

    half : the least share of the width that is half of it

    A row that is OPEN hides nobody here.

    Source: emlia.sight.case, emlia.sight.tall, emlia.sight.sparse-solid.
    """
    count, rows = len(asked.ends), len(asked.rows)
    which, solid = np.empty(rows, np.uint8), np.empty(rows, np.uint8)
    hidden, by = np.empty(count, np.bool_), np.empty(count, np.int32)
    columns, room = _columns(bodies, obstacles), bodies.widest
    tops = bodies.base + bodies.height
    observers, observed = asked.observers.figures, asked.observed.figures
    camouflaged = asked.camouflaged.view(np.uint8)

    def settle(begin: int, end: int) -> None:
        _kernel.screens(
            *columns, room, np.empty(8 * room + 8), tops, asked.ends, observers, observed,
            asked.starts, asked.rows, asked.fraction, camouflaged, half, begin, end,
            which, solid, hidden.view(np.uint8), by,
        )  # fmt: skip

    if rows:
        in_chunks(settle, count, _QUESTIONS_AT_ONCE)
    else:
        hidden[:], by[:] = False, -1
    return Screened(which, solid, hidden, by, half)


def solidity(
    bodies: Bodies, obstacles: Obstacles, ends: Rows, rows: Rows, camouflaged: NDArray[np.bool_]
) -> Octets:
    """(k,) uint8: NO, YES or OPEN, whether a body is solid in a corridor, whatever its height.

    ends : (k, 2) int32, rows of the bodies at the ends of each corridor
    rows : (k,) int32, obstacles
    camouflaged : as in `Asked`

    Source: emlia.sight.sparse-solid.
    """
    out, room = np.empty(len(rows), np.uint8), bodies.widest
    _kernel.solidities(
        *_columns(bodies, obstacles), room, np.empty(8 * room + 8), ends, rows,
        camouflaged.view(np.uint8), out,
    )  # fmt: skip
    return out


def standing(
    bodies: Bodies,
    obstacles: Obstacles,
    asked: Asked,
    whose: tuple[Ranks, Rows],
    ground: Floats,
    found: Screened,
) -> tuple[Standing, NDArray[np.bool_], NDArray[np.bool_]]:
    """The distances that count for each row, NaN where none does.

    Parameters
    ----------
    whose : (n, 2) int32 the ranks that stand at each end; -1 where there is one member alone
    ground : (n, 2) float64, the shares of the corridor that the ground takes
    found : of `screened`; those who are hidden are passed over, and what is solid is written
        into it wherever it counts

    Returns
    -------
    standing : to_perch is as to_observed
    bears : (n,) bool, whether what stands there fills half of the corridor all together; what does
        not takes nothing from sight
    unsure : (k,) bool, rows of which rounding could decide whether the shorter is behind it, or
        that are not convex and before many: their depth is NaN

    Source: emlia.sight.shadow, emlia.sight.from-shadow, emlia.sight.half, emlia.sight.sparse-solid.
    """
    count, rows = len(asked.ends), len(asked.rows)
    bears, unsure = np.empty(count, np.bool_), np.empty(rows, np.bool_)
    near, far, near_depth, far_depth = (np.empty(rows) for _ in range(4))
    columns, room = _columns(bodies, obstacles), bodies.widest
    ranks, who = whose
    camouflaged = asked.camouflaged.view(np.uint8)
    crouched = asked.observed.crouched.view(np.uint8)

    def settle(begin: int, end: int) -> None:
        _kernel.facts(
            *columns, room, np.empty(8 * room + 8), asked.ends, who,
            ranks.corners, ranks.starts, ranks.radii, obstacles.convex.view(np.uint8),
            crouched, ground, asked.starts, asked.rows, asked.fraction, camouflaged, found.half,
            begin, end, found.which, found.hidden.view(np.uint8), found.solid,
            bears.view(np.uint8), near, far, near_depth, far_depth, unsure.view(np.uint8),
        )  # fmt: skip

    if rows:
        in_chunks(settle, count, _QUESTIONS_AT_ONCE)
    else:
        bears = ground.max(axis=1, initial=0) >= found.half
    facts = Standing(
        top=(bodies.base + bodies.height)[asked.rows],
        solid=found.solid == YES,
        fraction=asked.fraction,
        to_observer=near,
        to_observed=far,
        observer_depth=near_depth,
        observed_depth=far_depth,
        to_perch=far,
    )
    return facts, bears, unsure


_Columns: TypeAlias = tuple[
    Floats, Floats, Rows, Rows, Floats, Floats, Floats, Floats, Rows, Octets, Floats
]


def _columns(bodies: Bodies, obstacles: Obstacles) -> _Columns:
    return (
        bodies.x, bodies.y, bodies.rings, bodies.bodies, bodies.boxes, bodies.to_centroids,
        bodies.hull_x, bodies.hull_y, bodies.hulls, bodies.solid.view(np.uint8),
        obstacles.thickness,
    )  # fmt: skip
