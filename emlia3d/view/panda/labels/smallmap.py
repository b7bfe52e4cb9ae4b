"""The minimap over the panels: each part is drawn again only when it has changed."""

from __future__ import annotations

import numpy as np
from panda3d.core import GraphicsOutput, NodePath

from emlia3d.battle.setup import Setup
from emlia3d.view.layout.panel import Rect
from emlia3d.view.moment.scene import Camera
from emlia3d.view.panda.labels.flat import PANELS, FlatLayer, shapes_node
from emlia3d.view.plans.country import country_map
from emlia3d.view.window.minimap import MiniMap, fronts, signs, wedge
from emlia3d.view.window.viewer import Viewer


class SmallMap:
    """The ground, the units and the camera's view in a corner of the window."""

    def __init__(self, output: GraphicsOutput, setup: Setup) -> None:
        self._output = output
        self._setup = setup
        self._layer = FlatLayer(output, "small map", PANELS + 1)
        self._parts: dict[str, tuple[object, NodePath]] = {}

    def update(self, rect: Rect | None, viewer: Viewer, camera: Camera) -> bool:
        """Show the minimap in a rectangle, or hide it; return whether anything changed."""
        if rect is None:
            return self._clear()
        size = self._output.get_x_size(), self._output.get_y_size()
        state = viewer.state
        east, north = self._setup.field.size
        metres = self._setup.field.scale.metres_per_gsu
        chart = MiniMap(rect, (east * metres, north * metres))
        moment = viewer.playback.position.step, viewer.course, viewer.focus
        ground = self._is_new("ground", (rect, size, state.features["present"].tobytes()))
        units = self._is_new("units", (rect, size, moment))
        seen = self._is_new("seen", (rect, size, camera))
        tasks = viewer.tasks()
        tasked = self._is_new("tasks", (rect, size, tasks))
        if not (ground or units or seen or tasked):
            return False
        self._layer.fit(*size)
        if ground:
            picture = country_map(self._setup, state, (round(rect.w), round(rect.h)))
            solid = np.full((*picture.shape[:2], 4), 255, np.uint8)
            solid[..., :3] = picture
            box = rect.x, rect.y, rect.x + rect.w, rect.y + rect.h
            self._layer.put_picture(self._part("ground", 0), solid, box)
        if units:
            shapes = signs(chart, self._setup, state, viewer.focus)
            self._part("units", 3).attach_new_node(shapes_node(shapes))
        if seen:
            shapes = wedge(chart, camera, size[0] / size[1])
            self._part("seen", 1).attach_new_node(shapes_node(shapes))
        if tasked:
            shapes = fronts(chart, self._setup, tasks)
            self._part("tasks", 2).attach_new_node(shapes_node(shapes))
        return True

    def close(self) -> None:
        """Remove the minimap."""
        self._layer.close()

    def _is_new(self, name: str, shows: object) -> bool:
        """Return whether a part must show something new, and record it."""
        if name in self._parts and self._parts[name][0] == shows:
            return False
        path = self._parts[name][1] if name in self._parts else None
        self._parts[name] = shows, path or self._layer.root.attach_new_node(name)
        return True

    def _part(self, name: str, order: int) -> NodePath:
        """Return an emptied part, drawn over parts of lower order."""
        path = self._parts[name][1]
        path.get_children().detach()
        path.set_bin("fixed", order)
        return path

    def _clear(self) -> bool:
        for _, path in self._parts.values():
            path.remove_node()
        gone = bool(self._parts)
        self._parts.clear()
        return gone
