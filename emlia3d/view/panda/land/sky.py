"""Sky and clouds behind everything."""

from __future__ import annotations

import numpy as np
from panda3d.core import GeomNode, NodePath

from emlia3d.view.panda.meshes import VERTEX, boundless, mesh
from emlia3d.view.panda.shaders import shader


def build(parent: NodePath) -> NodePath:
    """Return a card behind the picture; its shader needs `to_world`, the camera's matrix."""
    corners = np.zeros(4, VERTEX)
    corners["place"] = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    node = GeomNode("sky")
    node.add_geom(mesh(corners, np.array([(0, 1, 2), (0, 2, 3)]), "sky"))
    sky = parent.attach_new_node(boundless(node))
    sky.set_shader(shader("sky"))
    sky.set_bin("background", 0)
    sky.set_depth_write(False)
    sky.set_depth_test(False)
    return sky
