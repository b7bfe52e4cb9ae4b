"""Mouse input over the window: clicks, drags and the wheel, on panels and on the field."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.setup import Setup
from emlia3d.view.camera.picking import ground_hit, unit_hit
from emlia3d.view.camera.steering import Pointer, Steering
from emlia3d.view.layout.panel import Layout, Rect, share_at
from emlia3d.view.moment.scene import DrawnGround
from emlia3d.view.panda.controls import Controls
from emlia3d.view.panda.stage import Stage
from emlia3d.view.window.drawers import LIST
from emlia3d.view.window.minimap import MiniMap
from emlia3d.view.window.viewer import Viewer

WHEEL_ROWS = 3  # of a panel that is scrolled
CLICK_PX = 5.0  # maximum motion of a click
HANDLE_PX = 14.0  # tolerance for a handle
PICK_PX = 9.0  # tolerance for a unit


class Mouse:
    """The cursor of one window, over its panels and the ground.

    layout : the panels; terrain : the ground
    """

    def __init__(
        self,
        setup: Setup,
        viewer: Viewer,
        steering: Steering,
        controls: Controls,
        stage: Stage,
        *,
        terrain: DrawnGround,
    ) -> None:
        self._setup = setup
        self._viewer = viewer
        self._steering = steering
        self._controls = controls
        self._stage = stage
        self.layout = Layout((), (), (), (), Rect(0, 0, 0, 0))
        self.terrain = terrain
        self._last: Pointer = (0.0, 0.0)
        self._pressed: Pointer | None = None
        self._dragging = False
        self._seeking = False
        self._travelling = False
        self._ordering = False
        self._right: Pointer | None = None

    def press(self, pointer: Pointer | None) -> str | None:
        """Press the left button; return the name of the panel button under it, if any."""
        if pointer is None:
            return None
        place = self._pixels(pointer)
        button = self.layout.button_at(*place)
        if button is not None:
            return button
        if self.layout.timeline.holds(*place):
            self._seeking = True
        elif self.layout.small_map is not None and self.layout.small_map.holds(*place):
            self._travelling = True
        elif not self.layout.covers(*place):
            self._viewer.lists.menu.close()
            self._viewer.pointing.menu.close()
            self._pressed, self._dragging = pointer, False
            self._ordering = self._grabs(pointer)
        self._pull(pointer)
        return None

    def _grabs(self, pointer: Pointer) -> bool:
        """Return whether a drag from here moves a unit or turns it, rather than the field."""
        entry = self._viewer.entry
        handle = None if entry is None else entry.hand.handle()
        on_handle = handle is not None and self._off(handle, pointer) <= HANDLE_PX
        return self._viewer.pointing.grab(self._unit_under(pointer), handle=on_handle)

    def _off(self, place: tuple[float, float], pointer: Pointer) -> float:
        """Return the distance of a point on the ground, GSU, from the cursor, pixels."""
        metres = self._setup.field.scale.metres_per_gsu
        x_m, y_m = place[0] * metres, place[1] * metres
        spot = np.array([[x_m, y_m, self.terrain.height(x_m, y_m)]])
        off = np.subtract(self._stage.project(spot)[0], self._pixels(pointer))
        return float(np.hypot(*off))

    def press_right(self, pointer: Pointer | None) -> None:
        """Press the right button."""
        covered = pointer is None or self.layout.covers(*self._pixels(pointer))
        self._right = None if covered else pointer

    def release_right(self, pointer: Pointer | None) -> None:
        """Release the right button: if it has not moved, a menu opens there."""
        pressed, self._right = self._right, None
        if pressed is None:
            return
        off = np.subtract(self._pixels(pointer or self._last), self._pixels(pressed))
        if float(np.hypot(*off)) <= CLICK_PX:
            unit, place = self._unit_under(pressed), self.place_under(pressed)
            self._viewer.pointing.context(unit, place, self._pixels(pressed))

    def release(self, pointer: Pointer | None) -> None:
        """Release the left button: a click, if it has not moved."""
        pointer = pointer or self._last
        self._pull(pointer)
        if self._pressed is not None and not self._moved(pointer):
            if self._viewer.tape.active:
                self._viewer.tape.put(self.place_under(self._pressed))
            else:
                unit, place = self._unit_under(self._pressed), self.place_under(self._pressed)
                if self._controls.held("shift"):
                    self._viewer.pointing.click_more(unit)
                else:
                    self._viewer.click(unit, place)
        elif self._ordering:
            self._viewer.pointing.drop()
        self._pressed, self._dragging, self._ordering = None, False, False
        self._seeking = self._travelling = False

    def wheel(self, clicks: int, pointer: Pointer | None) -> None:
        """Zoom in for positive *clicks* over the field, or scroll up in a panel or list."""
        if pointer is None:
            return
        place = self._pixels(pointer)
        area = self.layout.scroll_at(*place)
        if area is not None and area.name != LIST:
            self._viewer.scroll(area.name, area.after(-WHEEL_ROWS * clicks))
        elif self.layout.covers(*place):
            self._viewer.lists.scroll(-clicks)
        else:
            self._steering.wheel(clicks, pointer, self._stage.aspect)

    def follow(self) -> None:
        """Handle drags: the left button moves field, timeline or map, others turn the view."""
        pointer = self._controls.pointer()
        under = None if pointer is None else self.layout.button_at(*self._pixels(pointer))
        self._viewer.lists.point(under)
        if pointer is None:
            self._viewer.point(None)
            return
        if self._seeking or self._travelling or self._pressed is not None:
            self._pull(pointer)
        elif self._controls.held("mouse3"):
            self._steering.orbit(self._last, pointer)
        elif self._controls.held("mouse2"):
            self._steering.drag(self._last, pointer, self._stage.aspect)
        self._last = pointer
        viewer = self._viewer
        if viewer.tool.active or viewer.tape.active or viewer.tiles.is_shown:
            covered = self.layout.covers(*self._pixels(pointer))
            viewer.point(None if covered else self.place_under(pointer))

    def _pull(self, pointer: Pointer) -> None:
        """Move the dragged object with the cursor."""
        if self._seeking:
            share = share_at(self.layout.timeline, self._pixels(pointer)[0])
            self._viewer.playback.seek(round(share * len(self._viewer.timeline)))
        elif self._travelling and self.layout.small_map is not None:
            chart = MiniMap(self.layout.small_map, self.terrain.size_m)
            self._steering.look_at(*chart.place(*self._pixels(pointer)))
        elif self._ordering and self._pressed is not None and self._moved(pointer):
            self._viewer.pointing.drag(self.place_under(pointer))
            self._dragging = True
        elif self._pressed is not None and self._moved(pointer):
            start = self._last if self._dragging else self._pressed
            self._steering.drag(start, pointer, self._stage.aspect)
            self._dragging = True
        self._last = pointer

    def put(self) -> None:
        """Set an end of the tape at the cursor, or in the centre of the picture."""
        if self._viewer.tape.active:
            self._viewer.tape.put(self.place_under(self._controls.pointer() or (0.0, 0.0)))

    def place_under(self, pointer: Pointer) -> tuple[float, float] | None:
        """Return the point of the ground under the cursor, GSU."""
        ray = self._steering.ray(pointer, self._stage.aspect)
        distance = ground_hit(self.terrain, ray)
        if distance is None:
            return None
        x, y, _ = ray.at(distance)
        metres = self._setup.field.scale.metres_per_gsu
        return x / metres, y / metres

    def _moved(self, pointer: Pointer) -> bool:
        """Return whether the cursor has moved too far from its press for a click."""
        assert self._pressed is not None
        off = np.subtract(self._pixels(pointer), self._pixels(self._pressed))
        return self._dragging or float(np.hypot(*off)) > CLICK_PX

    def _unit_under(self, pointer: Pointer) -> int | None:
        ray = self._steering.ray(pointer, self._stage.aspect)
        half = np.tan(np.radians(self._steering.camera.fov_deg) / 2)
        slack = float(PICK_PX * 2 * half / self._stage.size[1])
        return unit_hit(self._setup, self._viewer.state, self.terrain, ray, slack)

    def _pixels(self, pointer: Pointer) -> tuple[float, float]:
        """Return pixels from the top left."""
        width, height = self._stage.size
        return (pointer[0] + 1) / 2 * width, (1 - pointer[1]) / 2 * height
