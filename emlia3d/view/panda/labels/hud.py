"""The panels over the picture: draws the layout that it is given, pixel for pixel."""

from __future__ import annotations

from panda3d.core import GraphicsOutput, TextNode

from emlia3d.view.layout.panel import Layout, Text
from emlia3d.view.panda.labels.flat import PANELS, FlatLayer, shapes_node
from emlia3d.view.panda.labels.lettering import font


class Hud:
    """The panels of one window: shows what it is given, forgets what it showed."""

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
        texts = self._shown.attach_new_node("texts")
        texts.set_bin("fixed", 1)
        for text in layout.texts:
            texts.attach_new_node(_line(text)).set_pos_hpr_scale(
                text.x, 0.0, -text.y, 0.0, 0.0, 0.0, text.size, 1.0, text.size
            )
        texts.flatten_strong()

    def close(self) -> None:
        """Take the panels away."""
        self._layer.close()


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
