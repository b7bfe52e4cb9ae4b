"""The ground as one mesh of limited detail, and level country beyond the field.

Without shaders, all of it is drawn. With shaders, only the country beyond the field is, and the
field is drawn in pieces.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GeomNode, NodePath

from emlia3d.view.moment.scene import DrawnGround
from emlia3d.view.panda.meshes import VERTEX, mesh

CHUNK = 64
MOST_CELLS = 1200
SKIRT_STEPS = 14
SUNK_M = 15.0
SAMPLE = 1200  # cells a side

LIT_SLOPE = 0.44  # rise over run as which the steeper tenth of the ground is lit
EXAGGERATIONS = (1.2, 4.0)

INTERVALS_M = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def contour_interval(terrain: DrawnGround) -> float:
    """Return the contour interval, metres, for at most twenty contours; 0 on flat ground."""
    relief = float(terrain.elevation_m.max() - terrain.elevation_m.min())
    if relief < 1.0:
        return 0.0
    return next((step for step in INTERVALS_M if relief / step <= 20), INTERVALS_M[-1])


def exaggeration(terrain: DrawnGround) -> float:
    """Return the exaggeration of slopes for lighting, so that gentle country does not look flat."""
    sample, step = _sample(terrain)
    cell = terrain.cell_m
    north, east = np.gradient(sample, cell[1] * step, cell[0] * step)
    steep = float(np.percentile(np.hypot(north, east), 90)) if sample.size > 4 else 0
    return float(np.clip(LIT_SLOPE / max(steep, 1e-3), *EXAGGERATIONS))


def lattice(terrain: DrawnGround) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the east and north of the mesh's columns and rows: the edges and the cell centres."""
    rows, columns = terrain.elevation_m.shape
    return _stations(columns, terrain.size_m[0]), _stations(rows, terrain.size_m[1])


def build_country(parent: NodePath, terrain: DrawnGround) -> NodePath:
    """Build the country beyond the field, which levels off to a plain."""
    east, north = lattice(terrain)
    steps = (np.arange(SKIRT_STEPS + 1) / SKIRT_STEPS) ** 2.2 * max(terrain.size_m) * 5
    width, depth = terrain.size_m
    wide = np.concatenate([-steps[:0:-1], east, width + steps[1:]])
    # Along the field it first goes straight down, so that there is no visible gap.
    outward = np.concatenate([[0.0], steps])
    strips = (
        (wide, -outward[::-1], np.s_[-1, :]),
        (wide, depth + outward, np.s_[0, :]),
        (-outward[::-1], north, np.s_[:, -1]),
        (width + outward, north, np.s_[:, 0]),
    )
    node = GeomNode("country")
    for x, y, edge in strips:
        vertices = surface(terrain, x, y)
        vertices["place"][(*edge, 2)] -= SUNK_M
        node.add_geom(mesh(vertices.reshape(-1), grid_triangles(*vertices.shape), "country"))
    return parent.attach_new_node(node)


def surface(
    terrain: DrawnGround, east: NDArray[np.float64], north: NDArray[np.float64]
) -> NDArray[np.void]:
    """Return the vertices (rows, columns) of VERTEX over a lattice, also beyond the field."""
    x, y = np.meshgrid(east, north)
    z = terrain.heights(x.ravel(), y.ravel()).reshape(x.shape)
    width, depth = terrain.size_m
    away = np.hypot(x - np.clip(x, 0, width), y - np.clip(y, 0, depth))
    plain = float(np.percentile(_sample(terrain)[0], 12))
    fade = np.clip(away / (0.55 * max(width, depth)), 0, 1)
    z = z + (plain - z) * (fade * fade * (3 - 2 * fade))
    span = max(min(terrain.cell_m), 1e-6)
    slope_x = _slope(terrain, x, y, span, 0.0)
    slope_y = _slope(terrain, x, y, 0.0, span)
    level = 1 - fade
    normal = np.stack([-slope_x * level, -slope_y * level, np.ones_like(z)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    vertices = np.zeros(x.shape, VERTEX)
    vertices["place"] = np.stack([x, y, z], axis=-1)
    vertices["normal"] = normal
    vertices["colour"] = 255
    return vertices


def grid_triangles(rows: int, columns: int) -> NDArray[np.int64]:
    """Return two triangles per cell, split from south-west to north-east; (m, 3) vertex rows."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    sw = (row * columns + column).ravel()
    se, nw, ne = sw + 1, sw + columns, sw + columns + 1
    return np.concatenate([np.stack([sw, se, ne], axis=1), np.stack([sw, ne, nw], axis=1)])


def _sample(terrain: DrawnGround) -> tuple[NDArray[np.float32], int]:
    """Return every n-th cell in both directions, for classification of the ground, and n."""
    step = max(1, min(terrain.elevation_m.shape) // SAMPLE)
    return terrain.elevation_m[::step, ::step], step


def _slope(
    terrain: DrawnGround, x: NDArray[np.float64], y: NDArray[np.float64], dx: float, dy: float
) -> NDArray[np.float64]:
    ahead = terrain.heights((x + dx).ravel(), (y + dy).ravel())
    behind = terrain.heights((x - dx).ravel(), (y - dy).ravel())
    return ((ahead - behind) / (2 * (dx + dy))).reshape(x.shape)


def _stations(cells: int, size: float) -> NDArray[np.float64]:
    """Return the two edges, and the cell centres between them, thinned to `MOST_CELLS`."""
    centres = (np.arange(cells) + 0.5) * (size / cells)
    stride = -(-cells // MOST_CELLS)
    return np.concatenate([[0.0], centres[::stride], [size]])
