"""The views that keys and buttons select: named views, units, sight corridors, a followed unit."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.setup import Setup
from emlia3d.view.camera.following import Following
from emlia3d.view.camera.framing import corridor as corridor_view
from emlia3d.view.camera.shots import framed
from emlia3d.view.camera.steering import Steering
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import Camera
from emlia3d.view.panda.showing import Showing
from emlia3d.view.panda.stage import Stage
from emlia3d.view.sight.sightsheet import room_for
from emlia3d.view.window.viewer import Viewer

ROOM_FOR_PANELS = 1.15  # farther away than a picture without them


class CameraViews:
    """The camera of one battle, and its named views.

    steering : the camera, which starts with the whole battle
    """

    def __init__(self, setup: Setup, viewer: Viewer, stage: Stage, showing: Showing) -> None:
        self._setup = setup
        self._viewer = viewer
        self._stage = stage
        self._showing = showing
        self.steering = Steering(self._view("overview"), showing.scene.terrain)
        self.steering.zoom(ROOM_FOR_PANELS)
        self._following = Following(self.steering)
        self._asked_of: int | None = None

    def visit(self, by: int) -> None:
        """Select the next unit, and centre it."""
        self._viewer.select_next(by)
        if self._viewer.selected is not None and not self._viewer.tool.active:
            self._bring(self._viewer.selected)

    def turn_to_the_asked(self) -> None:
        """Centre the unit of a question, once."""
        entry = self._viewer.entry
        asked = None if entry is None or entry.sheet is None else entry.sheet.unit
        if asked is not None and asked != self._asked_of:
            self._asked_of = asked
            self._bring(asked)

    def jump(self, view: str) -> None:
        """Go to a named view."""
        self.steering.jump(self._view(view))
        if view != "eye":
            self.steering.zoom(ROOM_FOR_PANELS)

    def frame_corridor(self) -> None:
        """Show the whole sight corridor beside the panel."""
        sight = self._viewer.sight()
        if sight is not None and sight.sight_overlay.overlays:
            room = room_for(self._stage.size, self._viewer.liking.settings.text_size)
            self.steering.jump(
                corridor_view(
                    self._showing.scene, sight.sight_overlay.places_m, self._stage.aspect, room
                )
            )

    def toggle_following(self) -> None:
        """Follow the selected unit, or stop following."""
        unit = self._viewer.selected
        if self._following.unit is not None and unit in {None, self._following.unit}:
            self._following.end()
            self._viewer.say("the camera stays where it is")
            return
        place = None if unit is None else self._showing.place_of(unit)
        if unit is None or place is None:
            self._viewer.say("select the unit that the camera follows")
            return
        self._following.begin(unit, place)
        if not self._is_in_picture(place):
            self.steering.look_at(*place)
        self._viewer.say(f"the camera follows {self._setup.units[unit].name}")

    def follow(self, dt: float) -> None:
        """Follow the unit for *dt* seconds, until it leaves the field."""
        unit = self._following.unit
        if unit is None:
            return
        place = self._showing.place_of(unit)
        if place is not None:
            self._following.follow(place, dt)
            return
        self._following.end()
        name = self._setup.units[unit].name
        self._viewer.say(f"{name} has left the field; the camera stays where it is")

    def _bring(self, unit: int) -> None:
        """Look at a unit, if it is on the field."""
        if not self._viewer.state.units.value("present", unit):
            return
        x, y = block_m(self._setup, self._viewer.state, unit).mean(axis=0)
        self.steering.look_at(float(x), float(y))

    def _is_in_picture(self, place: tuple[float, float]) -> bool:
        ground = self._showing.scene.terrain.height(*place)
        x, y = self._stage.project(np.array([[*place, ground]]))[0].tolist()
        width, height = self._stage.size
        return bool(0 <= x < width and 0 <= y < height)

    def _view(self, view: str) -> Camera:
        """Return a named view of the current battle."""
        state = self._viewer.state
        scene = scene_of(self._setup, state, terrain=self._showing.scene.terrain)
        return framed(
            self._setup, state, scene, view, unit=self._viewer.focus, aspect=self._stage.aspect
        )
