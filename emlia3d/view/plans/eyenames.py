"""The outlines between bodies in an eye's view, and their names."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.plans.paper import NAME_PX, Sheet, wide

_SPARE_PX = (40, 6)
"""Preferred and minimum margin around a name."""

Marks = NDArray[np.bool_]


def rims(owners: NDArray[np.int64]) -> Marks:
    """Return the pixels whose owner differs from the owner of the pixel to the right or below.

    owners : (height, width), below 0 for none
    """
    found = np.zeros(owners.shape, dtype=bool)
    found[:, :-1] |= owners[:, :-1] != owners[:, 1:]
    found[:-1] |= owners[:-1] != owners[1:]
    return found


def write_names(
    sheet: Sheet, named: Iterable[tuple[str, str, Marks]], corner: tuple[int, int]
) -> None:
    """Write each name on its body, or above the body if there is no room.

    named : names, their background colours, and (height, width) the pixels of each
    corner : the sheet's column and row of the first pixel
    """
    free: Marks | None = None
    for name, colour, seen in named:
        if not seen.any():
            continue
        free = np.ones_like(seen) if free is None else free
        long = round(wide(sheet.pen, name))
        places = (_middle_of_room(seen & free, (NAME_PX + px, long + px)) for px in _SPARE_PX)
        place = next((place for place in places if place is not None), None)
        if place is None:
            rows, cols = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
            (west, east), (north, south) = cols[[0, -1]] + corner[0], rows[[0, -1]] + corner[1]
            sheet.name(name, (west, north, east, south), (corner[1], corner[1] + len(seen)))
        else:
            sheet.name_in(name, (corner[0] + place[0], corner[1] + place[1]), colour)
        west, north, east, south = (
            max(int(px - corner[k % 2]), 0) for k, px in enumerate(sheet.taken[-1])
        )
        free[north : south + 1, west : east + 1] = False


def _middle_of_room(seen: Marks, size: tuple[int, int]) -> tuple[float, float] | None:
    """Return the column and row of the centre of a box inside, nearest to the centroid.

    size : of the box, rows first
    """
    tall, long = size
    if seen.shape[0] < tall or seen.shape[1] < long or not seen.any():
        return None
    sums = np.zeros((seen.shape[0] + 1, seen.shape[1] + 1), dtype=np.int64)
    sums[1:, 1:] = seen.cumsum(axis=0).cumsum(axis=1)
    full = sums[tall:, long:] - sums[:-tall, long:] - sums[tall:, :-long] + sums[:-tall, :-long]
    rows, cols = np.nonzero(full == tall * long)
    if not len(rows):
        return None
    row, col = np.argwhere(seen).mean(axis=0) - np.array(size) / 2
    nearest = int(np.argmin((rows - row) ** 2 + (cols - col) ** 2))
    return float(cols[nearest]) + long / 2, float(rows[nearest]) + tall / 2
