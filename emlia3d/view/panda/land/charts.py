"""The ground's picture as a chart: by its slopes, or by its relief alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from emlia3d.view.colours import colour_of
from emlia3d.view.moment.scene import SLOPE_COLOURS, SLOPES_DEG, Chart, DrawnGround
from emlia3d.view.panda.land.paint import GroundPaint

STEEPS = np.array([colour_of(colour)[:3] for colour in SLOPE_COLOURS], np.float32) * 255
PAPER, WATER = np.array((206, 200, 184), np.float32), np.array((120, 156, 190), np.float32)
SIDE = 384  # number of samples of slopes along the longer side
KEPT = 0.22  # part of the country's own colours in a chart of the relief


def charted(painted: GroundPaint, terrain: DrawnGround, chart: Chart) -> NDArray[np.uint8]:
    """Return the colours of a chart, (h, w, 3) uint8, which replace the country's."""
    if chart == "country" or terrain.look == "space":
        return painted.colour
    if chart == "slope":
        colour = STEEPS[_classes(terrain, painted.colour.shape[:2])]
    else:
        colour = PAPER + (painted.colour - PAPER) * np.float32(KEPT)
    water = painted.cover[..., 1:2] / np.float32(255)
    return np.asarray(np.clip(colour + (WATER - colour) * water, 0, 255), np.uint8)


def _classes(terrain: DrawnGround, shape: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the class of slope of each texel, by the bounds of `SLOPES_DEG`."""
    rows, columns = shape
    width, depth = terrain.size_m
    # Over some metres, as a climber feels it, and not from stone to stone.
    fine = max(1, max(shape) // SIDE)
    few = max(columns // fine, 2), max(rows // fine, 2)
    ground = np.ascontiguousarray(terrain.elevation_m[::-1], np.float32)
    height = np.asarray(Image.fromarray(ground).resize(few, Image.Resampling.BICUBIC))
    north, east = np.gradient(height, depth / few[1], width / few[0])
    steep = Image.fromarray(np.hypot(north, east).astype(np.float32))
    steep = steep.resize((columns, rows), Image.Resampling.BICUBIC)
    bounds = np.tan(np.radians(SLOPES_DEG)).astype(np.float32)
    return np.asarray(np.searchsorted(bounds, np.asarray(steep), "right"))
