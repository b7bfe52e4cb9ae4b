"""Two-dimensional layers over the picture, in pixels from the top left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    Camera,
    GeomNode,
    GraphicsOutput,
    NodePath,
    OrthographicLens,
    TransparencyAttrib,
)

from emlia3d.view.layout.panel import PanelShape
from emlia3d.view.panda.labels.layout import Box
from emlia3d.view.panda.meshes import PLAIN_VERTEX, boundless, mesh, picture_texture, power_of_two

TAGS, LEGEND, PANELS = 5, 6, 100
"""The order of layers; higher ones are drawn later, and all after the stage."""


class FlatLayer:
    """One layer of one output; x is to the right, and z is negative downwards.

    root : node whose children are drawn in order, from both sides
    """

    def __init__(self, output: GraphicsOutput, name: str, sort: int) -> None:
        self._output = output
        self.root = NodePath(name)
        self.root.set_depth_test(False)
        self.root.set_depth_write(False)
        self.root.set_transparency(TransparencyAttrib.M_alpha)
        self.root.set_two_sided(True)
        self._lens = OrthographicLens()
        self._lens.set_near_far(-10.0, 10.0)
        self._region = output.make_display_region()
        self._region.set_sort(sort)
        self._region.set_camera(self.root.attach_new_node(Camera(name, self._lens)))

    def fit(self, width: float, height: float) -> None:
        """Set the output size in pixels, whatever its real size."""
        self._lens.set_film_size(width, height)
        self._lens.set_film_offset(width / 2, -height / 2)

    def put_picture(self, parent: NodePath, picture: NDArray[np.uint8], box: Box) -> NodePath:
        """Show a picture (h, w, 4), top row first, in a rectangle: left, top, right and bottom."""
        left, top, right, bottom = box
        quad = np.zeros(4, PLAIN_VERTEX)
        corners = ((left, bottom), (right, bottom), (right, top), (left, top))
        quad["place"] = [(x, 0, -y) for x, y in corners]
        rows, columns = picture.shape[:2]
        # Some displays only support textures with sides that are powers of two.
        sheet = np.zeros((power_of_two(rows), power_of_two(columns), 4), np.uint8)
        sheet[:rows, :columns] = picture[::-1]
        u, v = columns / sheet.shape[1], rows / sheet.shape[0]
        quad["uv"] = [(0, 0), (u, 0), (u, v), (0, v)]
        quad["colour"] = 255
        node = boundless(GeomNode("picture"))
        node.add_geom(mesh(quad, np.array([[0, 1, 2], [0, 2, 3]]), "picture"))
        path = parent.attach_new_node(node)
        path.set_texture(picture_texture(sheet, self.root.name, mipmap=False))
        return path

    def close(self) -> None:
        """Remove the layer and its contents."""
        self._output.remove_display_region(self._region)
        self.root.remove_node()


def shapes_node(shapes: Sequence[PanelShape]) -> GeomNode:
    """Return all shapes as one mesh of triangle fans; pixels, y down."""
    node = GeomNode("shapes")
    corners = sum(len(shape.corners) for shape in shapes)
    if corners == 0:
        return node
    vertices = np.zeros(corners, PLAIN_VERTEX)
    triangles = []
    first = 0
    for shape in shapes:
        count = len(shape.corners)
        rows = slice(first, first + count)
        x, y = np.array(shape.corners, np.float32).T
        vertices["place"][rows] = np.stack([x, np.zeros(count), -y], axis=1)
        vertices["colour"][rows] = np.round(np.array(shape.colour) * 255)
        triangles += [(first, first + at, first + at + 1) for at in range(1, count - 1)]
        first += count
    node.add_geom(mesh(vertices, np.array(triangles), "shapes"))
    return node
