"""Several answers to one sight question on one sheet, each drawn for its rules."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image, ImageDraw, ImageFont

from emlia3d.view.plans.paper import INK, PAPER

COLUMNS = 2
"""Number of pictures in a row."""

WIDTH_PX = 1200
"""Width of a picture on the sheet."""

_GAP_PX, _LEFT_PX, _HEADING_PX, _LETTERS_PX = 12, 72, 64, 30


def sheet_of(pictures: Mapping[str, Image.Image]) -> Image.Image:
    """Return pictures of the same size on one sheet, by rows from the upper left.

    pictures : by their headings

    Raises
    ------
    ValueError
        Without a picture.
    """
    if not pictures:
        raise ValueError("a sheet needs at least one picture")
    wide, high = next(iter(pictures.values())).size
    size = WIDTH_PX, round(high * WIDTH_PX / wide)
    columns = min(COLUMNS, len(pictures))
    rows = -(-len(pictures) // columns)
    across, down = size[0] + _GAP_PX, size[1] + _HEADING_PX
    sheet = Image.new("RGB", (columns * across - _GAP_PX, rows * down), PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(_LETTERS_PX)
    for number, (heading, picture) in enumerate(pictures.items()):
        row, column = divmod(number, columns)
        x, y = column * across, row * down
        pen.line((x + _LEFT_PX, y + 8, x + size[0] - _GAP_PX, y + 8), INK, 2)
        pen.text((x + _LEFT_PX, y + _HEADING_PX / 2 + 8), heading, INK, font, "lm")
        sheet.paste(picture.resize(size, Image.Resampling.LANCZOS), (x, y + _HEADING_PX))
    return sheet
