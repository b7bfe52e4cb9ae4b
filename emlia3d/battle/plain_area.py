"""What is seen over a field by plain geometry: straight lines past the ground and upright bodies.

No rule is asked. A figure is the upright line from the ground at its place to its top. It is
concealed wholly where nothing of that line is seen past the ground and what is solid, and partly
where some of it is not seen, or only through what is sparse, however deep that is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.area import GROUND, NONE, PARTIAL, TOTAL, Floats, Levels, Looks, Post, Standing
from emlia3d.geometry import least_height, least_over

HAIR = 2.0**-20
"""Height units by which the foot of a figure clears the ground that it stands on."""

_WINDS = np.array([[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]])
_GROUND = -1

Names = NDArray[np.int32]


def plain_area(
    standing: Standing, post: Post, spots: Floats, height: float, reverse: bool
) -> Looks:
    """What a post sees of a figure at each place; or, in *reverse*, what each figure sees of it.

    A unit of several members has eyes in its middle and at the outermost corners of its boundary
    towards the eight winds, and sees what the best of them sees. Looked at, it is concealed
    wholly if it is there at all of them, and not at all if it is nowhere.
    """
    field = _Field(standing, post, spots)
    feet = standing.ground_at(spots)
    found = []
    for place, foot, top in _eyes(standing, post):
        if reverse:
            found.append(_looked_at(field, place, (foot, top), feet + height))
        else:
            found.append(_looking(field, (*place, top), feet, feet + height))
    levels, hides = (np.stack(parts) for parts in zip(*found, strict=True))
    return _told(standing, *_joined(levels, hides, reverse))


class _Past(NamedTuple):
    """The least heights seen at all places from one eye, and the rows of what sets them.

    hard : past the ground and what is solid
    soft : past what is sparse
    """

    hard: Floats
    hard_by: Names
    soft: Floats
    soft_by: Names


class _Field:
    """What may be in the way of one post."""

    def __init__(self, standing: Standing, post: Post, spots: Floats) -> None:
        self.standing = standing
        self.x, self.y = spots.T
        others = np.array(
            [unit == _GROUND or unit != post.unit for unit in standing.units], dtype=bool
        )
        self.solid = np.flatnonzero(others & standing.bodies.solid)
        self.sparse = np.flatnonzero(others & ~standing.bodies.solid)

    def past(self, eye: tuple[float, float, float]) -> _Past:
        """All that one eye sees."""
        bodies, surface = self.standing.bodies, self.standing.surface
        hard, hard_by = least_over(bodies, self.solid, eye, self.x, self.y)
        soft, soft_by = least_over(bodies, self.sparse, eye, self.x, self.y)
        if surface is not None:
            ground = least_height(surface, eye, self.x, self.y)
            hard_by[ground >= hard] = _GROUND
            hard = np.maximum(ground, hard)
        return _Past(hard, hard_by, soft, soft_by)


def _eyes(standing: Standing, post: Post) -> Iterator[tuple[tuple[float, float], float, float]]:
    """Place, foot and top of the upright lines that stand for a post."""
    if post.unit is None:
        places, on_height, height = np.array([post.place]), post.on_height, 1.0
    else:
        bodies, row = standing.bodies, standing.units.index(post.unit)
        places = bodies.centroids[[row]]
        if not standing.alone[row]:
            span = slice(*bodies.hulls[row : row + 2])
            hull = np.column_stack((bodies.hull_x[span], bodies.hull_y[span]))
            corners = np.argmax(hull @ _WINDS.T, axis=0)
            places = np.vstack((places, hull[np.unique(corners)]))
        on_height, height = standing.on_heights[row], float(bodies.height[row])
    feet = standing.ground_at(places) + on_height
    for (x, y), foot in zip(places.tolist(), feet.tolist(), strict=True):
        yield (x, y), foot, foot + height


def _looking(
    field: _Field, eye: tuple[float, float, float], feet: Floats, tops: Floats
) -> tuple[Levels, Names]:
    """What one eye sees of the figures, and the row of what hides each."""
    past = field.past(eye)
    total = past.hard > tops
    partial = np.maximum(past.hard, past.soft) > feet + HAIR
    by = np.where(total | (past.hard >= past.soft), past.hard_by, past.soft_by)
    return _levels(total, partial), by


def _looked_at(
    field: _Field, place: tuple[float, float], line: tuple[float, float], eyes: Floats
) -> tuple[Levels, Names]:
    """What all the figures' eyes see of one upright line: a line of sight is one both ways."""
    low, high = field.past((*place, line[0] + HAIR)), field.past((*place, line[1]))
    total = high.hard > eyes
    partial = np.maximum(low.hard, np.maximum(low.soft, high.soft)) > eyes
    veiled = np.where(low.soft > eyes, low.soft_by, high.soft_by)
    by = np.where(total, high.hard_by, np.where(low.hard > eyes, low.hard_by, veiled))
    return _levels(total, partial), by


def _levels(total: NDArray[np.bool_], partial: NDArray[np.bool_]) -> Levels:
    return np.where(total, TOTAL, np.where(partial, PARTIAL, NONE)).astype(np.uint8)


def _joined(levels: Levels, hides: Names, reverse: bool) -> tuple[Levels, Names]:
    """The levels of several upright lines as one, and what hides."""
    least, most = levels.min(axis=0), levels.max(axis=0)
    joined = np.where(least == most, least, PARTIAL).astype(np.uint8) if reverse else least
    telling = np.argmax(levels > NONE, axis=0) if reverse else np.argmin(levels, axis=0)
    return joined, np.take_along_axis(hides, telling[None, :], axis=0)[0]


def _told(standing: Standing, levels: Levels, hides: Names) -> Looks:
    rows, cells = np.unique(hides[levels > NONE], return_counts=True)
    names = [GROUND if row == _GROUND else standing.names[row] for row in rows.tolist()]
    return Looks(levels, Counter(), Counter(dict(zip(names, cells.tolist(), strict=True))))
