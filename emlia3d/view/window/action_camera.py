"""A camera that moves to the next important event of a battle."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.view.camera.director import Director
from emlia3d.view.camera.steering import Steering
from emlia3d.view.moment.marks import units_of
from emlia3d.view.moment.scale import block_m
from emlia3d.view.session.beats import BLOWS, LOSSES
from emlia3d.view.window.viewer import Viewer

AHEAD = 10
"""Number of steps that are searched for an important event."""

TOGETHER_M = 180.0
"""Maximum distance between events of one scene."""


class ActionCamera:
    """The automatic control of the window's camera; manual movement turns it off."""

    def __init__(self, setup: Setup, viewer: Viewer, steering: Steering) -> None:
        self._setup, self._viewer, self._steering = setup, viewer, steering
        self._director = Director(steering)
        self.places = ActionPlaces(setup, viewer)

    @property
    def active(self) -> bool:
        """True if it controls the camera."""
        return self._director.active

    def begin(self) -> None:
        """Begin to control the camera."""
        self._director.begin()

    def toggle(self) -> None:
        """Turn automatic camera control on or off."""
        if self._director.active:
            self._director.end()
            self._viewer.say("the camera stays here")
        else:
            self._director.begin()
            self._viewer.say("the camera follows the action until you move it")

    def go_to(self, step: int) -> None:
        """Show the units of a line of the log; open the line if it groups several moves."""
        self._viewer.news.toggle(step)
        course = self._viewer.course
        state, units = course.moment(step), sorted(units_of(course.seen(step)))
        if units:
            corners = [block_m(self._setup, state, unit) for unit in units]
            self._steering.look_at(*np.concatenate(corners).mean(axis=0).tolist())

    def follow(self, dt: float) -> None:
        """Move the camera to the action, unless it was moved manually."""
        if self._director.heed():
            self._viewer.say("the camera no longer follows the action; Semicolon turns that on")
        if self._director.active:
            self._director.follow(self.places.now(), dt)


class ActionPlaces:
    """The locations of current and next events, updated as the battle continues."""

    def __init__(self, setup: Setup, viewer: Viewer) -> None:
        self._setup = setup
        self._viewer = viewer
        self._known: tuple[object, NDArray[np.float64]] = None, np.zeros((0, 2))

    def now(self) -> NDArray[np.float64]:
        """Return the corners of the units in these events, (n, 2), metres."""
        position, version = self._viewer.playback.position, self._viewer.course.version
        moment = position.step, position.since, version
        if self._known[0] != moment:
            units = self._units(position.since, position.step)
            state = self._viewer.state
            corners = np.array([block_m(self._setup, state, unit) for unit in units])
            self._known = moment, _thickest(corners.reshape(-1, 4, 2)).reshape(-1, 2)
        return self._known[1]

    def _units(self, since: int, step: int) -> tuple[int, ...]:
        """Return the units of shown key events, else of key events soon, else of any event."""
        highlights, course = self._viewer.marking.highlights, self._viewer.course
        shown = range(since + 1, step + 1)
        key = [each.step for each in highlights.shown if since < each.step <= step]
        if not key:
            later = highlights.next(step)
            key = [later] if later is not None and later <= step + AHEAD else []
        for steps in (key, list(self._of(shown, BLOWS)), list(self._of(shown, LOSSES)), shown):
            seen = [event for one in steps for event in course.seen(one)]
            present = self._viewer.state.units["present"]
            units = tuple(unit for unit in sorted(units_of(seen)) if present[unit])
            if units:
                return units
        return ()

    def _of(self, steps: range, gestures: frozenset[str]) -> Iterator[int]:
        for step in steps:
            if any(event.gesture in gestures for event in self._viewer.course.seen(step)):
                yield step


def _thickest(blocks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the blocks, (n, 4, 2), of the densest group."""
    if not len(blocks):
        return blocks
    middles = blocks.mean(axis=1)
    near = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1)) <= TOGETHER_M
    return np.asarray(blocks[near[near.sum(axis=1).argmax()]])
