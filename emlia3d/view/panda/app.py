"""The window that plays a battle: joins viewer, steering, stage and panels; the same for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from panda3d.core import ClockObject, Thread

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.camera.framing import corridor as corridor_view
from emlia3d.view.camera.picking import ground_hit, unit_hit
from emlia3d.view.camera.shots import framed
from emlia3d.view.camera.steering import STEERING_KEYS, Pointer, Steering
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import Camera
from emlia3d.view.orders.desk import Desk
from emlia3d.view.panda.controls import Controls
from emlia3d.view.panda.display import choose
from emlia3d.view.panda.labels.hud import Hud
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.panda.picture import save_picture
from emlia3d.view.panda.showing import Showing
from emlia3d.view.panda.stage import Stage
from emlia3d.view.panda.window import Backroom, Screen, Surface
from emlia3d.view.referee import NOBODY, Referee
from emlia3d.view.sight.sightsheet import room_for
from emlia3d.view.window.panel import Layout, Status, share_at
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.viewer import TakeOver, Viewer

KEYS = {
    "space": "toggle",
    ".": "forward",
    ",": "back",
    "]": "faster",
    "[": "slower",
    "page_down": "turn_forward",
    "page_up": "turn_back",
    "end": "end",
    "n": "next",
    "p": "previous",
    "escape": "dismiss",
    "/": "help",
    "f1": "help",
    "f12": "save",
    "f2": "chart",
    "t": "take_over",
    "home": "overview",
    "h": "overview",
    "1": "overview",
    "y": "top",
    "2": "top",
    "c": "eye",
    "3": "eye",
    "v": "tool",
    "tab": "other",
    "x": "exchange",
    "4": "corridor",
    "g": "ground",
    "b": "measure",
    "m": "tape",
    "enter": "put",
    "-": "lower",
    "=": "taller",
}
CLICK_PX = 5.0  # a pointer that moved no farther between press and release has clicked
PICK_PX = 9.0  # a unit is picked from so far beside it
TAP_S = 1 / 30  # what a tap on a steering key is worth, however short
IDLE_S = 0.008
ROOM_FOR_PANELS = 1.15  # farther away than a picture without them
LONGEST_FRAME_S = 1.0


class App:
    """One battle in one window; `run` it, or `step` it by hand.

    viewer : where in the battle the window is, and what is chosen
    """

    def __init__(  # noqa: PLR0913  what a window may be given, each by its name
        self,
        setup: Setup,
        state: State,
        events: Iterable[Event],
        *,
        referee: Referee = NOBODY,
        desk: Desk | None = None,
        take_over: TakeOver | None = None,
        display: str | None = None,
        offscreen: bool = False,
        size: tuple[int, int] = (1280, 720),
    ) -> None:
        """Open the window, or a picture buffer in its place; DisplayError if neither can be.

        desk : where people are asked for orders; *events* are then those before
        """
        self._setup = setup
        chosen = choose(display, window=not offscreen)
        self.surface: Surface = (
            Backroom(chosen, size)
            if offscreen
            else Screen(chosen, f"{setup.title} - emlia3d", size)
        )
        self.viewer = Viewer(setup, state, events, referee, take_over)
        if desk is not None:
            self.viewer.sit_down(desk, self.viewer.timeline.count)
        self._stage = Stage(chosen, window=self.surface.output)
        self._showing = Showing(self._stage, setup, self.viewer)
        self.steering = Steering(self._view("overview"), self._showing.scene.terrain)
        self.steering.zoom(ROOM_FOR_PANELS)
        self._controls = Controls(self.surface.input)
        self._hud = Hud(self.surface.output)
        self._told: tuple[Status, tuple[int, int]] | None = None
        self._layout: Layout = self._lay_out()
        self._last: Pointer = (0.0, 0.0)
        self._pressed: Pointer | None = None
        self._dragging = False
        self._seeking = False
        self._acts = self._actions()
        self._asked_of: int | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window, pixels."""
        return self._stage.size

    def run(self) -> None:
        """Play until the window is closed; a battle that is being fought goes on at once."""
        self.viewer.playback.playing = self.viewer.live
        clock = ClockObject.get_global_clock()
        try:
            while not self.surface.closed:
                clock.tick()
                self.step(min(clock.get_dt(), LONGEST_FRAME_S))
                Thread.sleep(IDLE_S)
        finally:
            self.close()

    def step(self, dt: float) -> None:
        """One frame, *dt* seconds after the last."""
        for name in self._controls.listen():
            self._press(name)
        self._follow_pointer()
        held = [key for key in STEERING_KEYS if self._controls.held(key)]
        self.steering.steer(held, dt)
        self.viewer.tick(dt)
        self._turn_to_the_asked()
        if self._showing.update(dt):
            self.steering.over(self._showing.scene.terrain)
        told = self._told
        self._layout = self._lay_out()
        changed = self._showing.look(self.steering.camera) or self._told != told
        self.surface.draw(changed)

    def image(self) -> NDArray[np.uint8]:
        """What is seen now: (height, width, 3) uint8, red first, top row first."""
        return self.surface.image()

    def close(self) -> None:
        """Close the window, and fight the battle no further."""
        self.viewer.close()
        self._controls.close()
        self._hud.close()
        self._stage.close()
        self.surface.close()

    def _actions(self) -> dict[str, Callable[[], None]]:
        viewer, playback = self.viewer, self.viewer.playback
        return {
            "toggle": playback.toggle,
            "forward": playback.forward,
            "back": playback.back,
            "faster": playback.faster,
            "slower": playback.slower,
            "turn_forward": playback.turn_forward,
            "turn_back": playback.turn_back,
            "end": lambda: playback.seek(len(viewer.timeline)),
            "next": lambda: self._visit(1),
            "previous": lambda: self._visit(-1),
            "dismiss": viewer.dismiss,
            "help": viewer.toggle_help,
            "save": self._save,
            "chart": lambda: viewer.say(self._showing.next_chart()),
            "overview": lambda: self._jump("overview"),
            "top": lambda: self._jump("top"),
            "eye": lambda: self._jump("eye"),
            "tool": viewer.toggle_tool,
            "other": viewer.tool.other_role,
            "exchange": viewer.tool.exchange,
            "corridor": self.frame_corridor,
            "ground": viewer.tool.next_vantage,
            "tape": viewer.toggle_tape,
            "put": self._put,
            "measure": viewer.tool.other_measure,
            "lower": lambda: viewer.tool.taller(-1),
            "taller": lambda: viewer.tool.taller(1),
            "take_over": viewer.take_over,
        }

    def _press(self, name: str) -> None:
        """Something was pressed or let go."""
        if self.viewer.press(name):
            return
        if name in KEYS:
            self._acts[KEYS[name]]()
        elif name in STEERING_KEYS:
            self.steering.steer([name], TAP_S)
        elif name in {"wheel_up", "wheel_down"}:
            pointer = self._controls.pointer()
            if pointer is not None and not self._layout.covers(*self._pixels(pointer)):
                clicks = 1 if name == "wheel_up" else -1
                self.steering.wheel(clicks, pointer, self._aspect)
        elif name == "mouse1":
            self._press_pointer()
        elif name == "mouse1-up":
            self._release_pointer()

    def _press_pointer(self) -> None:
        pointer = self._controls.pointer()
        if pointer is None:
            return
        place = self._pixels(pointer)
        button = self._layout.button_at(*place)
        if button is not None:
            if not self.viewer.press_button(button):
                self._acts[button]()
        elif self._layout.timeline.holds(*place):
            self._seeking = True
        elif not self._layout.covers(*place):
            self._pressed, self._dragging = pointer, False

    def _release_pointer(self) -> None:
        pointer = self._controls.pointer() or self._last
        if self._pressed is not None and not self._moved(pointer):
            if self.viewer.tape.active:
                self.viewer.tape.put(self._place_under(self._pressed))
            else:
                unit, place = self._unit_under(self._pressed), self._place_under(self._pressed)
                self.viewer.click(unit, place)
        self._pressed, self._dragging, self._seeking = None, False, False

    def _follow_pointer(self) -> None:
        """Drags: the left button moves the field or the timeline, others steer."""
        pointer = self._controls.pointer()
        if pointer is None:
            self.viewer.point(None)
            return
        if self._seeking:
            share = share_at(self._layout.timeline, self._pixels(pointer)[0])
            self.viewer.playback.seek(round(share * len(self.viewer.timeline)))
        elif self._pressed is not None:
            if self._moved(pointer):
                start = self._last if self._dragging else self._pressed
                self.steering.drag(start, pointer, self._aspect)
                self._dragging = True
        elif self._controls.held("mouse3"):
            self.steering.orbit(self._last, pointer)
        elif self._controls.held("mouse2"):
            self.steering.drag(self._last, pointer, self._aspect)
        self._last = pointer
        self._point(pointer)

    def _point(self, pointer: Pointer) -> None:
        """Tell the tool in hand which place of the ground lies under the pointer."""
        if self.viewer.tool.active or self.viewer.tape.active:
            covered = self._layout.covers(*self._pixels(pointer))
            self.viewer.point(None if covered else self._place_under(pointer))

    def _put(self) -> None:
        """Put an end of the tape under the pointer, or in the middle of the picture."""
        if self.viewer.tape.active:
            self.viewer.tape.put(self._place_under(self._controls.pointer() or (0.0, 0.0)))

    def _place_under(self, pointer: Pointer) -> tuple[float, float] | None:
        """The place of the ground under the pointer, GSU."""
        ray = self.steering.ray(pointer, self._aspect)
        distance = ground_hit(self._showing.scene.terrain, ray)
        if distance is None:
            return None
        x, y, _ = ray.at(distance)
        metres = self._setup.field.scale.metres_per_gsu
        return x / metres, y / metres

    def _moved(self, pointer: Pointer) -> bool:
        """Whether the pointer is, or was, too far from where it was pressed to be a click."""
        assert self._pressed is not None
        off = np.subtract(self._pixels(pointer), self._pixels(self._pressed))
        return self._dragging or float(np.hypot(*off)) > CLICK_PX

    def _unit_under(self, pointer: Pointer) -> int | None:
        ray = self.steering.ray(pointer, self._aspect)
        half = np.tan(np.radians(self.steering.camera.fov_deg) / 2)
        slack = float(PICK_PX * 2 * half / self.size[1])
        terrain = self._showing.scene.terrain
        return unit_hit(self._setup, self.viewer.state, terrain, ray, slack)

    def _visit(self, by: int) -> None:
        """Choose the next unit, and bring it into the middle."""
        self.viewer.select_next(by)
        if self.viewer.selected is not None and not self.viewer.tool.active:
            self._bring(self.viewer.selected)

    def _turn_to_the_asked(self) -> None:
        """Bring the unit that a question is about into the middle, once."""
        seat = self.viewer.seat
        asked = None if seat is None or seat.sheet is None else seat.sheet.unit
        if asked is not None and asked != self._asked_of:
            self._asked_of = asked
            self._bring(asked)

    def _bring(self, unit: int) -> None:
        x, y = block_m(self._setup, self.viewer.state, unit).mean(axis=0)
        self.steering.look_at(float(x), float(y))

    def _jump(self, view: str) -> None:
        self.steering.jump(self._view(view))
        if view != "eye":
            self.steering.zoom(ROOM_FOR_PANELS)

    def frame_corridor(self) -> None:
        """Stand where the whole sight corridor is seen, beside the panel."""
        sight = self.viewer.sight()
        if sight is not None and sight.exhibit.overlays:
            scene = self._showing.scene
            self.steering.jump(
                corridor_view(scene, sight.exhibit.places_m, self._aspect, room_for(self.size))
            )

    def _view(self, view: str) -> Camera:
        """A named view of the battle as it stands."""
        state = self.viewer.state
        scene = scene_of(self._setup, state, terrain=self._showing.scene.terrain)
        return framed(self._setup, state, scene, view, unit=self.viewer.focus, aspect=self._aspect)

    def _save(self) -> None:
        """Keep the picture under the first free name."""
        paths = (Path(f"emlia3d-{number}.png") for number in count(1))
        path = next(path for path in paths if not path.exists())
        try:
            save_picture(path, self.image())
        except OSError as flaw:
            self.viewer.alarm = f"{path}: cannot be written: {flaw.strerror}"
        else:
            self.viewer.say(f"saved {path}")

    def _lay_out(self) -> Layout:
        """The panels, drawn anew if anything in them is new."""
        status = self.viewer.status()
        if self._told == (status, self.size):
            return self._layout
        found = layout(status, self.size, width_px)
        self._hud.show(found)
        boxes = tuple((box.x, box.y, box.x + box.w, box.y + box.h) for box in found.panels)
        self._showing.keep_free(boxes)
        self._told = status, self.size
        return found

    @property
    def _aspect(self) -> float:
        return self.size[0] / self.size[1]

    def _pixels(self, pointer: Pointer) -> tuple[float, float]:
        """From the top left."""
        width, height = self.size
        return (pointer[0] + 1) / 2 * width, (1 - pointer[1]) / 2 * height
