"""The window that plays a battle: it connects viewer, camera, stage and panels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from panda3d.core import ClockObject, Thread

from emlia3d.battle.game import Told
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import unwritable
from emlia3d.view.actions.key_map import KeyMap
from emlia3d.view.actions.key_names import ALT, CONTROL
from emlia3d.view.actions.window_actions import ACTIONS
from emlia3d.view.camera.steering import STEERING, Pointer
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.panda.controls import LETTER, Controls, KeyStroke
from emlia3d.view.panda.display import choose
from emlia3d.view.panda.labels.hud import Hud
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.panda.labels.smallmap import SmallMap
from emlia3d.view.panda.loading import LoadingScreen
from emlia3d.view.panda.mouse import Mouse
from emlia3d.view.panda.picture import save_picture
from emlia3d.view.panda.showing import Showing
from emlia3d.view.panda.stage import Stage
from emlia3d.view.panda.views import CameraViews
from emlia3d.view.panda.window import surface_of, with_screen_switched, with_size_of
from emlia3d.view.results.results_sheet import POINT
from emlia3d.view.rules import Rules
from emlia3d.view.window.action_camera import ActionCamera
from emlia3d.view.window.logsheet import NEWS
from emlia3d.view.window.opening import Library, Opened, TakeOver
from emlia3d.view.window.pacing import next_pace
from emlia3d.view.window.settings import Settings, SettingsStore
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import HudState
from emlia3d.view.window.unit_history import Recorded
from emlia3d.view.window.viewer import Viewer

TAP_S = 1 / 30  # minimum effect of a key press for the camera
IDLE_S = 0.008
LONGEST_FRAME_S = 1.0


class App:
    """One battle in one window; `run` it, or `step` it by hand.

    viewer : the position in the battle, and the selection
    """

    def __init__(  # noqa: PLR0913  what a window may be given, each by its name
        self,
        setup: Setup,
        state: State,
        events: Iterable[Told],
        *,
        rules: Rules | None = None,
        game_thread: GameThread | None = None,
        take_over: TakeOver | None = None,
        liking: SettingsStore | None = None,
        record: Recorded | None = None,
        library: Library | None = None,
        display: str | None = None,
        offscreen: bool = False,
        size: tuple[int, int] = (1280, 720),
        full_screen: bool = False,
        directed: bool = False,
    ) -> None:
        """Open the window, or a picture buffer in its place; raise DisplayError if neither works.

        directed : whether the camera follows the action until the user moves it
        game_thread : the thread of a game with players; *events* are then the earlier events
        record : the battle in its file, if it is in one
        library : other battles that can be opened in this window
        """
        self._display = choose(display, window=not offscreen)
        title = f"{setup.title} - emlia3d"
        self.surface = surface_of(self._display, title, size, offscreen, full_screen)
        opened = Opened(
            setup=setup, state=state, events=events, rules=rules, take_over=take_over,
            record=record, library=library,
        )  # fmt: skip
        self._begin(opened, SettingsStore() if liking is None else liking, game_thread)
        if directed:
            self._action.begin()

    def _begin(
        self, opened: Opened, liking: SettingsStore, game_thread: GameThread | None = None
    ) -> None:
        """Show a battle on the empty surface."""
        setup = self._setup = opened.setup
        loading = LoadingScreen(self.surface, setup.title, liking.settings.text_size)
        loading.show(0)
        self.viewer = Viewer(
            setup, opened.state, opened.events, opened.rules, opened.take_over, liking,
            record=opened.record, library=opened.library,
        )  # fmt: skip
        if game_thread is not None:
            self.viewer.sit_down(game_thread, self.viewer.timeline.count)
        loading.show(1)
        self._stage = Stage(self._display, window=self.surface.output)
        self._showing = Showing(self._stage, setup, self.viewer)
        self._views = CameraViews(setup, self.viewer, self._stage, self._showing)
        self.steering = self._views.steering
        self._action = ActionCamera(setup, self.viewer, self.steering)
        self._controls = Controls(self.surface.input, self.surface.output)
        self._hud = Hud(self.surface.output)
        self._small_map = SmallMap(self.surface.output, setup)
        self._told: tuple[HudState, tuple[int, int]] | None = None
        self._changed = True
        self._mouse = Mouse(
            setup, self.viewer, self.steering, self._controls, self._stage,
            terrain=self._showing.scene.terrain,
        )  # fmt: skip
        self._lay_out()
        self._acts = self._actions()
        loading.close()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window, pixels."""
        return self._stage.size

    def run(self, each_frame: Callable[[], None] | None = None) -> None:
        """Run until the window is closed; a live battle starts to play at once.

        each_frame : called before each frame; an exception that it raises closes the window
        """
        self.viewer.playback.playing = self.viewer.course.live
        clock = ClockObject.get_global_clock()
        try:
            while not self.surface.closed:
                if each_frame is not None:
                    each_frame()
                clock.tick()
                self.step(min(clock.get_dt(), LONGEST_FRAME_S))
                Thread.sleep(IDLE_S)
        finally:
            self.viewer.like(with_size_of(self.surface, self.viewer.liking.settings))
            self.close()

    def step(self, dt: float) -> None:
        """One frame, *dt* seconds after the last."""
        if self.viewer.opening.opened is not None:
            self._turn_to(self.viewer.opening.opened)
        for stroke in self._controls.listen():
            self._press(stroke)
        self._mouse.follow()
        self.steering.steer([motion for motion in STEERING if self._held(motion)], dt)
        self.viewer.playback.pace = self.viewer.liking.settings.pace
        self.viewer.tick(dt)
        self._views.turn_to_the_asked()
        self._action.follow(dt)
        self._show(dt)
        self.surface.draw(self._changed)
        self._changed = False

    def _held(self, motion: str) -> bool:
        """Return whether a key for a motion of the camera is down, and no list uses it."""
        steers = self.viewer.lists.steers
        keys = self._keys.keys(motion)
        return any(self._controls.is_down(key) and steers(key) for key in keys)

    @property
    def _keys(self) -> KeyMap:
        return self.viewer.liking.settings.keys

    def _show(self, dt: float) -> None:
        """Update field and panels for the viewer, *dt* seconds after the last update."""
        if self._showing.update(dt):
            self.steering.over(self._showing.scene.terrain)
            self._mouse.terrain = self._showing.scene.terrain
        self._views.follow(dt)
        self._lay_out()
        camera = self.steering.camera
        looked = self._showing.look(camera)
        mapped = self._small_map.update(self._mouse.layout.small_map, self.viewer, camera)
        self._changed = self._changed or looked or mapped

    def frame_corridor(self) -> None:
        """Show the whole sight corridor beside the panel."""
        self._views.frame_corridor()

    def image(self) -> NDArray[np.uint8]:
        """Return the picture: (height, width, 3) uint8, red first, top row first."""
        return self.surface.image()

    def close(self) -> None:
        """Close the window, and stop the battle."""
        self._leave()
        self.surface.close()

    def _leave(self) -> None:
        """Stop the battle, and clear the surface."""
        self.viewer.close()
        self._controls.close()
        self._hud.close()
        self._small_map.close()
        self._stage.close()

    def _turn_to(self, opened: Opened) -> None:
        """Show another battle in the same window."""
        liking = self.viewer.liking
        self._leave()
        self._begin(opened, liking)
        self.surface.entitle(f"{opened.setup.title} - emlia3d")

    def _actions(self) -> dict[str, Callable[[], None]]:
        viewer, playback = self.viewer, self.viewer.playback

        def like(change: Callable[[Settings], Settings]) -> Callable[[], None]:
            return lambda: viewer.like(change(viewer.liking.settings))

        return {
            "play": playback.toggle,
            "forward": playback.forward,
            "back": playback.back,
            "event_forward": viewer.marking.forward,
            "event_back": viewer.marking.back,
            "event_kinds": lambda: viewer.lists.toggle("kinds"),
            "bookmark": viewer.marking.bookmarks.begin,
            "bookmarks": lambda: viewer.lists.toggle("bookmarks"),
            "open": lambda: viewer.lists.toggle("files"),
            "menu": lambda: viewer.lists.toggle("menu"),
            "save_as": viewer.lists.save_as,
            "faster": playback.faster,
            "slower": playback.slower,
            "turn_forward": playback.turn_forward,
            "turn_back": playback.turn_back,
            "latest": lambda: playback.seek(len(viewer.timeline)),
            "unit_forward": lambda: self._views.visit(1),
            "unit_back": lambda: self._views.visit(-1),
            "close": viewer.dismiss,
            "help": viewer.toggle_help,
            "picture": self._save,
            "ground": lambda: viewer.say(self._showing.next_chart()),
            "overview": lambda: self._views.jump("overview"),
            "main_fight": lambda: self._views.jump("fight"),
            "map": lambda: self._views.jump("top"),
            "eyes": lambda: self._views.jump("eye"),
            "follow_unit": self._views.toggle_following,
            "follow_action": self._action.toggle,
            "pace": lambda: next_pace(viewer),
            "sight": viewer.toggle_tool,
            "other_unit": viewer.tool.other_role,
            "exchange": viewer.tool.exchange,
            "corridor": self._views.frame_corridor,
            "viewshed": viewer.tool.next_vantage,
            "tape": viewer.toggle_tape,
            "tape_end": self._mouse.put,
            "method": viewer.tool.other_measure,
            "lower_figure": lambda: viewer.tool.taller(-1),
            "taller_figure": lambda: viewer.tool.taller(1),
            "take_over": viewer.take_over,
            "ranges": lambda: viewer.say(viewer.rings.next(viewer.selected, viewer.state)),
            "missions": lambda: viewer.say(viewer.missions.next(viewer.course.in_fog_of)),
            "tiles": lambda: viewer.say(viewer.tiles.toggle()),
            "results": viewer.toggle_results,
            "minimap": like(lambda liked: replace(liked, small_map=not liked.small_map)),
            "smaller": like(lambda liked: liked.larger(-1)),
            "larger": like(lambda liked: liked.larger(1)),
            "contrast": like(Settings.other_contrast),
            "full_screen": like(partial(with_screen_switched, self.surface)),
        }

    def _press(self, stroke: KeyStroke) -> None:
        """Handle a press or a release."""
        name, pointer = stroke
        if name.startswith(LETTER):
            self.viewer.lists.letter(name.removeprefix(LETTER))
            return
        if self._keys.action(name, self.viewer.tool_in_hand) is None:
            if name.startswith(ALT) and self.viewer.press(name):
                return
            name = name.removeprefix(CONTROL).removeprefix(ALT)
        if self.viewer.press(name):
            self._obey_menu()
            return
        action = self._keys.action(name, self.viewer.tool_in_hand)
        if action is not None:
            self.act(action.name)
        else:
            self._press_mouse(name, pointer)

    def _press_mouse(self, name: str, pointer: Pointer | None) -> None:
        """Handle a mouse button or the wheel."""
        if name in {"wheel_up", "wheel_down"}:
            self._mouse.wheel(1 if name == "wheel_up" else -1, pointer)
        elif name == "mouse1":
            self._lay_out()  # with the panels after earlier keys of the same frame
            button = self._mouse.press(pointer)
            if button is None or self.viewer.press_button(button):
                self._obey_menu()
            elif button.startswith(NEWS):
                self._action.go_to(int(button.removeprefix(NEWS)))
            elif button.startswith(POINT):
                self._go_to_point(int(button.removeprefix(POINT)))
            else:
                self.act(button)
        elif name == "mouse1-up":
            self._mouse.release(pointer)
        elif name == "mouse3":
            self._mouse.press_right(pointer)
        elif name == "mouse3-up":
            self._mouse.release_right(pointer)

    def _obey_menu(self) -> None:
        """Run the action that was chosen in the menu, if any."""
        asked = self.viewer.lists.menu.take()
        if asked:
            self.act(asked)

    def act(self, name: str) -> None:
        """Run an action of `ACTIONS` by its name."""
        if ACTIONS[name].steers:
            self.steering.steer([name], TAP_S)
        elif ACTIONS[name].tool == "orders":
            self.viewer.do_order(name)
        else:
            self._acts[name]()

    def _go_to_point(self, step: int) -> None:
        """Close the results, and show a key event."""
        self.viewer.results.hide()
        self.viewer.playback.show(step)
        self._action.go_to(step)

    def _save(self) -> None:
        """Save the picture under the first free name, after all earlier input."""
        self._show(0.0)
        paths = (Path(f"emlia3d-{number}.png") for number in count(1))
        path = next(path for path in paths if not path.exists())
        try:
            save_picture(path, self.image())
        except OSError as flaw:
            self.viewer.alarm = unwritable(path, flaw)
        else:
            self.viewer.say(f"saved {path}")

    def _lay_out(self) -> None:
        """Draw the panels again if anything in them has changed."""
        status = self.viewer.status()
        if self._told == (status, self.size):
            return
        found = self._mouse.layout = layout(status, self.size, width_px)
        self._hud.show(found)
        self._showing.letter(status.text_size)
        boxes = tuple((box.x, box.y, box.x + box.w, box.y + box.h) for box in found.panels)
        self._showing.keep_free(boxes)
        self._told, self._changed = (status, self.size), True
