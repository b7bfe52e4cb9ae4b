"""Shapes and their properties that hold under every rule system.

The contract of the compiled boundary. The kernels in ``emlia3d._ext`` are loops over columns:
they check nothing, allocate nothing, raise nothing and know no Python object inside a loop. The
modules here call all kernels but a rulebook's, which have a folder of their own:

- *check*: shape, dtype, contiguity, range and finiteness once, before the loop; assumptions of
  a kernel are in its module docstring;
- *allocate*: the output and the scratch. If a kernel cannot know beforehand how much it will
  write, it stops before the item that does not fit and returns where to go on;
- *raise*: `ValueError` for invalid outlines and surfaces, `IndexError` for a row that does
  not exist. A kernel that can fail returns a code.

Columns are C-contiguous float64 and int32, ragged ones flat with offsets (n + 1 of them). Lengths
are GSU, x east and y north; heights are in the caller's own unit throughout.

Inside, only ``+ - * /``, square roots and comparisons in a fixed order, without fused
multiply-add: results are bit-identical on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.geometry.arc import in_arc, reach_into_arc
    from emlia3d.geometry.bodies import Bodies
    from emlia3d.geometry.corridor import ObstacleIndex, corridor_fractions, sight_matrix
    from emlia3d.geometry.distance import chord_length, distances, nearest_points
    from emlia3d.geometry.ground_surface import Surface, blocked_fractions, triangulated
    from emlia3d.geometry.horizon import (
        Viewshed,
        centre_cells,
        min_visible_heights,
        viewshed,
        visible_counts,
    )
    from emlia3d.geometry.lowest import lowest_within
    from emlia3d.geometry.neighbours import Neighbours, discs_within, outlines_within
    from emlia3d.geometry.prisms import min_height_over_bodies
    from emlia3d.geometry.section import BlockingPlace, blocking_place, min_visible_height, profile
    from emlia3d.geometry.sightline import lines_of_sight
    from emlia3d.geometry.silhouette import visible_shares
    from emlia3d.geometry.slopes import steepest_within
    from emlia3d.geometry.strips import corridor_may_intersect, pairs_met

__all__ = [
    "BlockingPlace",
    "Bodies",
    "Neighbours",
    "ObstacleIndex",
    "Surface",
    "Viewshed",
    "blocked_fractions",
    "blocking_place",
    "centre_cells",
    "chord_length",
    "corridor_fractions",
    "corridor_may_intersect",
    "discs_within",
    "distances",
    "in_arc",
    "lines_of_sight",
    "lowest_within",
    "min_height_over_bodies",
    "min_visible_height",
    "min_visible_heights",
    "nearest_points",
    "outlines_within",
    "pairs_met",
    "profile",
    "reach_into_arc",
    "sight_matrix",
    "steepest_within",
    "triangulated",
    "viewshed",
    "visible_counts",
    "visible_shares",
]

_NAMES = {
    "arc": ("in_arc", "reach_into_arc"),
    "bodies": ("Bodies",),
    "corridor": ("ObstacleIndex", "corridor_fractions", "sight_matrix"),
    "distance": ("chord_length", "distances", "nearest_points"),
    "ground_surface": ("Surface", "blocked_fractions", "triangulated"),
    "horizon": ("Viewshed", "centre_cells", "min_visible_heights", "viewshed", "visible_counts"),
    "neighbours": ("Neighbours", "discs_within", "outlines_within"),
    "prisms": ("min_height_over_bodies",),
    "section": ("BlockingPlace", "blocking_place", "min_visible_height", "profile"),
    "sightline": ("lines_of_sight",),
    "silhouette": ("visible_shares",),
    "lowest": ("lowest_within",),
    "slopes": ("steepest_within",),
    "strips": ("corridor_may_intersect", "pairs_met"),
}
__getattr__ = on_demand(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _NAMES.items() for name in names},
)
