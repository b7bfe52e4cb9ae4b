"""Free lengths of lanes, with shapely's tree and clipping."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


def lanes_by_tree(shapes: NDArray[np.object_], lanes: Floats) -> Floats:
    """Return (m,) the distance north to the nearest polygon in each lane, or infinity.

    lanes : (m, 4) west, south, east and north
    """
    boxes: Any = shapely.box(*lanes.T)
    row, shape = shapely.STRtree(shapes).query(boxes, predicate="intersects").reshape(2, -1)
    inside: Any = shapely.intersection(shapes[shape], boxes[row])
    some = shapely.area(inside) > 0
    out = np.full(len(lanes), np.inf)
    np.minimum.at(out, row[some], shapely.bounds(inside[some])[:, 1])
    return out
