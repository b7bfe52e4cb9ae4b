"""The panels over the picture, drawn from a layout."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from panda3d.core import GraphicsOutput, TextNode
from PIL import Image

from emlia3d.view.layout.panel import Layout, PanelPicture, Text
from emlia3d.view.panda.labels.flat import PANELS, FlatLayer, shapes_node
from emlia3d.view.panda.labels.lettering import font

MOST_PIXELS = 1 << 20
"""Maximum number of pixels of a small picture; larger ones are not shown."""


class Hud:
    """The panels of one window, replaced at each update."""

    def __init__(self, output: GraphicsOutput) -> None:
        self._output = output
        self._layer = FlatLayer(output, "hud", PANELS)
        self._shown = self._layer.root.attach_new_node("shown")

    def show(self, layout: Layout) -> None:
        """Replace what is shown; x to the right and y down, in pixels of the window."""
        self._layer.fit(self._output.get_x_size(), self._output.get_y_size())
        self._shown.remove_node()
        self._shown = self._layer.root.attach_new_node("shown")
        self._shown.attach_new_node(shapes_node(layout.shapes)).set_bin("fixed", 0)
        for number, picture in enumerate(layout.pictures, start=1):
            self._show_picture(picture, number)
        texts = self._shown.attach_new_node("texts")
        texts.set_bin("fixed", len(layout.pictures) + 1)
        for text in layout.texts:
            texts.attach_new_node(_line(text)).set_pos_hpr_scale(
                text.x, 0.0, -text.y, 0.0, 0.0, 0.0, text.size, 1.0, text.size
            )
        texts.flatten_strong()

    def _show_picture(self, picture: PanelPicture, order: int) -> None:
        pixels = _small_picture(picture.path)
        if pixels is not None:
            rect = picture.rect
            box = rect.x, rect.y, rect.x + rect.w, rect.y + rect.h
            self._layer.put_picture(self._shown, pixels, box).set_bin("fixed", order)

    def close(self) -> None:
        """Remove the panels."""
        self._layer.close()


@lru_cache(maxsize=32)
def _small_picture(path: Path) -> NDArray[np.uint8] | None:
    """Return a picture, (height, width, 4), top row first; None if it cannot be read."""
    try:
        with Image.open(path, formats=("PNG",)) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                return None
            return np.array(picture.convert("RGBA"))
    except (OSError, ValueError, SyntaxError):
        return None


def _line(text: Text) -> TextNode:
    node = TextNode("line")
    node.set_font(font(text.size, text.bold))
    node.set_text_color(*text.colour)
    if text.align == "right":
        node.set_align(TextNode.A_right)
    elif text.align == "centre":
        node.set_align(TextNode.A_center)
    node.set_text(text.text)
    return node
