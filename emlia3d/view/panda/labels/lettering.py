"""The font of the window's panels: DejaVu Sans Condensed, sharp in each size."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from panda3d.core import DynamicTextFont, Filename, SamplerState, TextFont, TextNode, TextProperties

import emlia3d

FILES = {False: "sans.ttf", True: "sans-bold.ttf"}


@cache
def font(size: int, bold: bool) -> TextFont:
    """Return the font at *size* pixels; Panda3D's own if the file is missing."""
    path = face_file(bold)
    if not path.is_file():
        return TextProperties.get_default_font()
    face = DynamicTextFont(Filename.from_os_specific(str(path)), 0)
    # One texel per pixel, so that letters are not scaled.
    face.set_scale_factor(1.0)
    face.set_pixels_per_unit(size)
    face.set_page_size(512, 512)
    face.set_minfilter(SamplerState.FT_linear)
    face.set_magfilter(SamplerState.FT_linear)
    for letter in range(ord(" "), ord("~") + 1):
        face.get_glyph(letter)
    return face


@cache
def width_px(text: str, size: int, bold: bool) -> float:
    """Return the width of a line of text, pixels."""
    node = TextNode("measure")
    node.set_font(font(size, bold))
    return node.calc_width(text) * size


def face_file(bold: bool) -> Path:
    """Return the path of the bundled font, which can be missing."""
    return _folder() / FILES[bold]


def _folder() -> Path:
    """Return the folder of the files: in the installed package, or beside it in a checkout."""
    package = Path(emlia3d.__path__[0])
    inside = package / "models"
    return inside if inside.is_dir() else package.parent / "models"
