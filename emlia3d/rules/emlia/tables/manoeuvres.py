"""Emlia, chapter 13: the conditions of formations and the costs of their manoeuvres.

Holds `emlia.form.spacing`, `emlia.form.ranked`, `emlia.form.close`, `emlia.form.open` and
`emlia.form.all`. Module `emlia3d.force.formation` places the members.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, pi

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.force.formation import GRID, Formation, usual_files
from emlia3d.geometry import discs_within
from emlia3d.rules.emlia.basics.thresholds import REACH_TOLERANCE
from emlia3d.rules.rulebook import rule

LINK = {Formation.OPEN: 10.0, Formation.CLOSE: 1.0, Formation.RANKED: 1.0}
"""Greatest distance, GSU, between a member and its nearest neighbour, edge to edge."""


default_files = rule("emlia.form.spacing")(usual_files)


@rule("emlia.form.ranked.turn")
def ranked_turn_cost(degrees: float, speed: float) -> float:
    """Return the cost of a ranked unit's turn: a quarter of its speed for each started 90°."""
    return ceil(degrees / 90) * speed / 4


@rule("emlia.form.close.turn")
def close_turn_cost(degrees: float) -> float:
    """Return the cost of a close unit's turn: 1 GSU per 90 degrees, pro rata."""
    return degrees / 90


@rule("emlia.form.ranked.wheel")
def wheel_cost(frontage: float, degrees: float) -> float:
    """Return the cost of a wheel: the arc of the outer front member, GSU.

    Rounded to 1/1024. The advance that must follow, at least the unit's depth, costs its own
    length.
    """
    return round(frontage * degrees * pi / 180 * GRID) / GRID


@rule("emlia.form.ranked.translate", "emlia.form.close.speed")
def march_factor(faces_way: bool) -> float:
    """Return the cost per GSU of a tight formation: 1, or 2 if not all face the way they go."""
    return 1.0 if faces_way else 2.0


@rule("emlia.form.open", "emlia.form.close")
def is_linked(
    places: NDArray[np.float64], radius: float | NDArray[np.float64], formation: Formation
) -> bool:
    """Return whether the members are connected: steps between members link each to all others.

    A step spans at most 10 GSU in open formation and 1 GSU in close, edge to edge.

    places : (members, 2), GSU
    radius : of a member's footprint, one for all or (members,), GSU
    """
    if len(places) < 2:
        return True
    near = discs_within(places[:, 0], places[:, 1], LINK[formation] + REACH_TOLERANCE, radius)
    seen, waiting = {0}, [0]
    while waiting:
        new = [other for other in near.neighbours_of(waiting.pop()).tolist() if other not in seen]
        seen.update(new)
        waiting += new
    return len(seen) == len(places)


@rule("emlia.form.all")
@rule("emlia.form.ranked")
def formation_of(formation: Formation, members: int) -> Formation:
    """Return the formation after losses: a single member is in close formation, not in ranks."""
    if formation is Formation.RANKED and members == 1:
        return Formation.CLOSE
    return formation


def boundary_of_all(outlines: Sequence[Polygon], formation: Formation) -> Polygon:
    """Return the one closed shape round all subunits of a mixed unit (`emlia.entity.boundary`).

    Open: the hull of all. Close or ranked: their outlines and the space between outlines that are
    no more than 2 GSU apart, or the hull if that is not one piece.
    """
    shape = shapely.union_all(outlines)
    if formation is not Formation.OPEN:
        closed = shape.buffer(1.0, join_style="mitre").buffer(-1.0, join_style="mitre")
        for one in (shape, closed):
            if isinstance(one, Polygon):
                return one
    hull = shapely.convex_hull(shape)
    assert isinstance(hull, Polygon), "a subunit has an outline"
    return hull
