"""The editor's window: it connects a session, the camera, the stage and panels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from panda3d.core import ClockObject, Thread

from emlia3d.errors import Error
from emlia3d.view.actions.key_names import CONTROL
from emlia3d.view.camera.picking import ground_hit, unit_hit
from emlia3d.view.camera.shots import framed
from emlia3d.view.camera.steering import STEERING, Pointer, Steering
from emlia3d.view.editing.edit_keys import EDIT_KEYS, SHARED_ACTIONS
from emlia3d.view.editing.edit_marks import edit_marks
from emlia3d.view.editing.edit_panels import status_of
from emlia3d.view.editing.edit_session import EditSession
from emlia3d.view.editing.edit_sheet import edit_layout
from emlia3d.view.editing.edit_status import EditStatus
from emlia3d.view.editing.edited_scenario import EditedScenario, Place
from emlia3d.view.layout.panel import Layout, Rect
from emlia3d.view.moment.scene import Camera, Mark, Point
from emlia3d.view.panda.app import IDLE_S, LONGEST_FRAME_S, TAP_S
from emlia3d.view.panda.controls import LETTER, Controls, KeyStroke
from emlia3d.view.panda.display import choose
from emlia3d.view.panda.edit_showing import EditShowing, pixels_a_metre
from emlia3d.view.panda.labels.hud import Hud
from emlia3d.view.panda.labels.layout import Box
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.panda.loading import LoadingScreen
from emlia3d.view.panda.mouse import CLICK_PX, PICK_PX, WHEEL_ROWS
from emlia3d.view.panda.stage import Stage
from emlia3d.view.panda.views import ROOM_FOR_PANELS
from emlia3d.view.panda.window import surface_of, with_screen_switched, with_size_of
from emlia3d.view.window.settings import Settings, SettingsStore

SHIFT = "shift"
FREE_PX = 8
"""Step of a free box for a handle, so that tags do not move continuously."""
VIEWS = {"overview": "overview", "map": "top"}
"""Views of the camera by action."""


class EditApp:
    """A scenario in the editor's window; `run` it, or `step` it by hand.

    session : the scenario and the tools; layout : the current panels
    """

    def __init__(
        self,
        scenario: EditedScenario,
        *,
        liking: SettingsStore | None = None,
        display: str | None = None,
        offscreen: bool = False,
        size: tuple[int, int] = (1280, 720),
        full_screen: bool = False,
    ) -> None:
        """Open the window, or a picture buffer; raise DisplayError if neither works."""
        self._liking = SettingsStore() if liking is None else liking
        chosen = choose(display, window=not offscreen)
        self.session = EditSession(scenario)
        title = self.session.position.setup.title
        self.surface = surface_of(chosen, f"{title} - emlia3d edit", size, offscreen, full_screen)
        loading = LoadingScreen(self.surface, title, self._liking.settings.text_size)
        loading.show(1)
        self._stage = Stage(chosen, window=self.surface.output)
        self._stage.text_size = self._liking.settings.text_size
        self._showing = EditShowing(self._stage, self.session)
        self.steering = Steering(self._view("overview"), self._showing.scene.terrain)
        self.steering.zoom(ROOM_FOR_PANELS)
        self._controls = Controls(self.surface.input, self.surface.output)
        self._hud = Hud(self.surface.output)
        self.layout = Layout((), (), (), (), Rect(0, 0, 0, 0))
        self._last: Pointer = (0.0, 0.0)
        self._looked_from: Camera | None = None
        self._pressed: Pointer | None = None
        self._taken = self._dragging = False
        self._drawn: tuple[EditStatus, tuple[int, int]] | None = None
        self._changed = True
        self._showing.look(self.steering.camera)
        self._lay_out()
        loading.close()

    def run(self, each_frame: Callable[[], None] | None = None) -> Path | None:
        """Run until the window is closed or the user chooses to play; return the file to play.

        each_frame : called before each frame; an exception that it raises closes the window
        """
        clock = ClockObject.get_global_clock()
        try:
            while not self.surface.closed and self.session.files.play is None:
                if each_frame is not None:
                    each_frame()
                clock.tick()
                self.step(min(clock.get_dt(), LONGEST_FRAME_S))
                Thread.sleep(IDLE_S)
        finally:
            self._like(with_size_of(self.surface, self._liking.settings))
            self.close()
        return self.session.files.play

    def step(self, dt: float) -> None:
        """One frame, *dt* seconds after the last."""
        for stroke in self._controls.listen():
            self._press(stroke)
        self._follow()
        self.steering.steer([motion for motion in STEERING if self._held(motion)], dt)
        self.session.handle_gsu = self._handle_at(self.steering.camera.look_at)
        self.session.tick(dt)
        if self._showing.update(self.steering.camera):
            self.steering.over(self._showing.scene.terrain)
        self._lay_out()
        self._showing.keep_free(tuple(self._free_boxes()))
        self._changed = self._showing.look(self.steering.camera) or self._changed
        self.surface.draw(self._changed)
        self._changed = False

    def _held(self, motion: str) -> bool:
        """Return whether a key for a motion of the camera is down, and no prompt is open."""
        keys = self._liking.settings.keys.keys(motion)
        typing = self.session.files.prompt is not None
        return not typing and any(map(self._controls.is_down, keys))

    def image(self) -> NDArray[np.uint8]:
        """Return the picture: (height, width, 3) uint8, red first, top row first."""
        return self.surface.image()

    def close(self) -> None:
        """Close the window."""
        self._controls.close()
        self._hud.close()
        self._stage.close()
        self.surface.close()

    def marks(self) -> tuple[Mark, ...]:
        """Return the marks of the session on the ground."""
        camera = self.steering.camera
        metre_px = pixels_a_metre(camera, camera.look_at, self._stage.size[1])
        return edit_marks(self.session, metre_px)

    def pixel_of(self, place: Place) -> tuple[float, float]:
        """Return the pixel of a point on the ground, from the top left."""
        metres = self.session.position.setup.field.scale.metres_per_gsu
        x, y = place[0] * metres, place[1] * metres
        ground = self._showing.scene.terrain.height(x, y)
        found = self._stage.project(np.array([[x, y, ground]]))[0]
        return float(found[0]), float(found[1])

    def _press(self, stroke: KeyStroke) -> None:
        """Handle a press or a release."""
        name, pointer = stroke
        if name.startswith(LETTER):
            self.session.letter(name.removeprefix(LETTER))
            return
        if name == "mouse1":
            self._press_mouse(pointer)
        elif name == "mouse1-up":
            self._release(pointer)
        elif name in {"wheel_up", "wheel_down"}:
            self._wheel(1 if name == "wheel_up" else -1, pointer)
        elif not self.session.files.key(name):
            self._press_key(name)

    def _press_key(self, name: str) -> None:
        if name.startswith(CONTROL) and self._controls.held(SHIFT):
            name = name.replace(CONTROL, f"{CONTROL}{SHIFT}+", 1)
        if name in EDIT_KEYS:
            self._do(EDIT_KEYS[name])
            return
        action = self._liking.settings.keys.action(name, "")
        if action is None:
            return
        if action.steers:
            self.steering.steer([action.name], TAP_S)
        elif action.name in SHARED_ACTIONS:
            self._do(action.name)

    def _do(self, action: str) -> None:
        """Carry out an action of a key or a button."""
        if action in VIEWS:
            self.steering.jump(self._view(VIEWS[action]))
            self.steering.zoom(ROOM_FOR_PANELS)
        elif action == "full_screen":
            self._like(with_screen_switched(self.surface, self._liking.settings))
        elif action in {"larger", "smaller"}:
            self._like(self._liking.settings.larger(1 if action == "larger" else -1))
        elif action == "contrast":
            self._like(self._liking.settings.other_contrast())
        else:
            before = self.session.selected
            self.session.do(action)
            selected = self.session.selected
            if action.startswith("finding:") and selected not in {None, before}:
                self._go_to_selected()

    def _go_to_selected(self) -> None:
        """Centre the selected object."""
        place = self.session.place_of_selected()
        if place is not None:
            metres = self.session.position.setup.field.scale.metres_per_gsu
            self.steering.look_at(place[0] * metres, place[1] * metres)

    def _press_mouse(self, pointer: Pointer | None) -> None:
        if pointer is None:
            return
        self._lay_out()  # with the panels after earlier keys of the same frame
        at = self._pixels(pointer)
        button = self.layout.button_at(*at)
        self._last = pointer
        if button is not None:
            self._do(button)
        elif not self.layout.covers(*at):
            self._pressed, self._dragging = pointer, False
            place, slack = self._under(pointer)
            self._taken = self.session.press(
                place, self._unit_under(pointer), slack, more=self._controls.held(SHIFT)
            )

    def _release(self, pointer: Pointer | None) -> None:
        if self._pressed is None:
            return
        pointer = self._last if pointer is None else pointer
        self._pull(pointer)
        moved = self._dragging
        if self._taken or not moved:
            at = pointer if moved else self._pressed
            place, _ = self._under(at)
            self.session.release(place, moved=moved, unit=self._unit_under(at))
        self._pressed, self._taken, self._dragging = None, False, False

    def _wheel(self, clicks: int, pointer: Pointer | None) -> None:
        """Scroll the pane under the cursor, or zoom to the ground there."""
        if pointer is None:
            return
        at = self._pixels(pointer)
        area = self.layout.scroll_at(*at)
        if area is not None:
            self.session.scrolled[area.name] = area.after(-WHEEL_ROWS * clicks)
        elif not self.layout.covers(*at):
            self.steering.wheel(clicks, pointer, self._stage.aspect)

    def _follow(self) -> None:
        """Handle motion of the cursor: drags of the active tool and of the view."""
        pointer = self._controls.pointer()
        if pointer is None:
            return
        was = self._last
        if self._pressed is not None:
            self._pull(pointer)
        elif self._controls.held("mouse3"):
            self.steering.orbit(self._last, pointer)
        elif self._controls.held("mouse2"):
            self.steering.drag(self._last, pointer, self._stage.aspect)
        if pointer != was or self.steering.camera != self._looked_from:
            covered = self._pressed is None and self.layout.covers(*self._pixels(pointer))
            self.session.move(None if covered else self._under(pointer)[0])
            self._looked_from = self.steering.camera
        self._last = pointer

    def _pull(self, pointer: Pointer) -> None:
        """Continue a drag: of the view, unless a tool uses it."""
        assert self._pressed is not None
        off = np.subtract(self._pixels(pointer), self._pixels(self._pressed))
        if not self._dragging and float(np.hypot(*off)) <= CLICK_PX:
            return
        if not self._taken:
            start = self._last if self._dragging else self._pressed
            self.steering.drag(start, pointer, self._stage.aspect)
        self._dragging = True
        self._last = pointer

    def _under(self, pointer: Pointer) -> tuple[Place | None, float]:
        """Return the point of the ground under the cursor, and the size of a handle there, GSU."""
        ray = self.steering.ray(pointer, self._stage.aspect)
        distance = ground_hit(self._showing.scene.terrain, ray)
        if distance is None:
            return None, 0.0
        point = ray.at(distance)
        metres = self.session.position.setup.field.scale.metres_per_gsu
        place = round(point[0] / metres, 2), round(point[1] / metres, 2)
        return place, self._handle_at(point)

    def _handle_at(self, point: Point) -> float:
        """Return the size of a handle at a point of the ground, metres, in GSU."""
        metres = self.session.position.setup.field.scale.metres_per_gsu
        return PICK_PX / pixels_a_metre(self.steering.camera, point, self._stage.size[1]) / metres

    def _unit_under(self, pointer: Pointer) -> int | None:
        position, camera = self.session.position, self.steering.camera
        if not position.setup.units:
            return None
        ray = self.steering.ray(pointer, self._stage.aspect)
        half = np.tan(np.radians(camera.fov_deg) / 2)
        slack = float(PICK_PX * 2 * half / self._stage.size[1])
        return unit_hit(position.setup, position.state, self._showing.scene.terrain, ray, slack)

    def _pixels(self, pointer: Pointer) -> tuple[float, float]:
        """Return pixels from the top left."""
        width, height = self._stage.size
        return (pointer[0] + 1) / 2 * width, (1 - pointer[1]) / 2 * height

    def _view(self, view: str) -> Camera:
        """Return a named view of the scenario."""
        position = self.session.position
        return framed(
            position.setup, position.state, self._showing.scene, view, unit=None,
            aspect=self._stage.aspect,
        )  # fmt: skip

    def _like(self, settings: Settings) -> None:
        """Apply settings to this window, and store them."""
        try:
            self._liking.change(settings)
            self._showing.letter(self._liking.settings.text_size)
        except Error as fault:
            self.session.alarm = str(fault)

    def _free_boxes(self) -> Iterator[Box]:
        """Yield the rectangles without name tags: panels, and the handle of a unit."""
        middle = self._stage.size[0] / 2
        for box in self.layout.panels:
            # Panes at the left start at the top, so that the legend stays below them.
            top = 0.0 if box.x + box.w < middle else box.y
            yield box.x, top, box.x + box.w, box.y + box.h
        selected = self.session.selected
        handle = None if selected is None else self.session.turn_handle(selected)
        if handle is not None and self.session.drag is None:
            pixel = self.pixel_of(handle)
            if np.isfinite(pixel).all():  # it can be behind the camera
                x, y = (round(each / FREE_PX) * FREE_PX for each in pixel)
                yield x - 2 * FREE_PX, y - 2 * FREE_PX, x + 2 * FREE_PX, y + 2 * FREE_PX

    def _lay_out(self) -> None:
        """Draw the panels again if anything in them has changed."""
        status = status_of(self.session, self._liking.settings)
        if self._drawn == (status, self._stage.size):
            return
        self.layout = edit_layout(status, self._stage.size, width_px)
        self._hud.show(self.layout)
        self._drawn, self._changed = (status, self._stage.size), True
