"""The appearance of terrain kinds on a map, and the ground on the minimap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field import Feature
from emlia3d.view.plans.relief_map import relief_map

FILLS: Mapping[str, str] = {
    "forest": "#5d7f4a", "orchard": "#7f9a5a", "scrub": "#8fa267", "shrub": "#8fa267",
    "tree": "#5d7f4a", "large-tree": "#4f7040", "hedge": "#6b8550", "field": "#d9c77a",
    "plough": "#b99a6b", "river": "#6fa0c0", "stream": "#6fa0c0", "lake": "#6fa0c0",
    "ford": "#9cc0d0", "marsh": "#8fb0a0", "road": "#e8dcc0", "track": "#e8dcc0",
    "bridge": "#d8c8a0", "building": "#a8604a", "village": "#c08a70", "camp": "#e4dcc2",
    "rock": "#8a8378",
    "wall": "#7d766c", "earthwork": "#a08a60", "hill": "#c9b27a", "fence": "#8a7350",
    "rampart": "#9a9284", "tower": "#857d70", "gate": "#7a5c3a", "keep": "#756e64",
}  # fmt: skip
"""The fill of each kind of terrain."""

OTHER = "#999999"

_FINE = 3
_LEAST_PX = 1.2
"""Minimum width of a stream or wall, pixels."""

_SPACE, _GRID = (16, 19, 34), (38, 46, 74)
_LINES_GSU = 50.0


def features_there(setup: Setup, state: State) -> Iterator[Feature]:
    """Yield the standing features, the widest first."""
    there = [
        feature
        for row, feature in enumerate(setup.field.features)
        if state.features.value("present", row)
    ]
    yield from sorted(there, key=lambda feature: -feature.outline.area)


def country_map(setup: Setup, state: State, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """Return (rows, columns, 3) uint8, the whole field and its features in *size_px* pixels."""
    width, height = size_px
    fine = width * _FINE, height * _FINE
    if setup.field.look == "space":
        sheet = _between_stars(setup, fine)
    else:
        ground = Image.fromarray(relief_map(setup.field, size_px).astype(np.uint8))
        sheet = ground.resize(fine, Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(sheet)
    east, north = setup.field.size
    scale = fine[0] / east
    for feature in features_there(setup, state):
        colour = ImageColor.getrgb(FILLS.get(feature.look, OTHER))[:3]
        x, y = shapely.get_coordinates(feature.outline.exterior).T
        ring = list(zip((x * scale).tolist(), ((north - y) * scale).tolist(), strict=True))
        pen.polygon(ring, fill=colour)
        pen.line([*ring, ring[0]], fill=colour, width=round(_LEAST_PX * _FINE / 2))
    return np.asarray(sheet.reduce(_FINE))


def _between_stars(setup: Setup, size_px: tuple[int, int]) -> Image.Image:
    """Return a dark map with a grid of lines."""
    sheet = Image.new("RGB", size_px, _SPACE)
    pen = ImageDraw.Draw(sheet)
    step = _LINES_GSU * size_px[0] / setup.field.size[0]
    for at in np.arange(step, max(size_px), step):
        pen.line([(at, 0), (at, size_px[1])], fill=_GRID, width=2)
        pen.line([(0, size_px[1] - at), (size_px[0], size_px[1] - at)], fill=_GRID, width=2)
    return sheet
