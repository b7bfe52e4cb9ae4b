"""The tiles of a field on a plan: flat, as thin lines."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw

from emlia3d.field import Field
from emlia3d.field.hexes import board_of

LEAST_PX = 6.0
"""Size of a tile on the plan below which tiles are not drawn."""

_INK = (20, 24, 18, 110)


def draw_tiles(
    chart: Image.Image,
    field: Field,
    at: Callable[[float, float], tuple[float, float]],
    scale: float,
) -> None:
    """Draw the edges of a field's own tiles; nothing on a field without tiles.

    at : returns the pixel of a place, GSU
    scale : pixels of the finished plan to a GSU
    """
    if field.cells == "none" or scale * board_of(field).grid.across < LEAST_PX:
        return
    layer = Image.new("RGBA", chart.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    for start, end in board_of(field).edges.tolist():
        pen.line([at(*start), at(*end)], fill=_INK, width=2)
    chart.paste(layer, mask=layer)
