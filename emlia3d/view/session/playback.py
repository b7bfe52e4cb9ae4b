"""The viewer's position in a battle, and the speed of play. Time is handed in, never read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from emlia3d.battle.events import Event, Gesture
from emlia3d.view.session.timeline import Timeline

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)

SECONDS: dict[Gesture, float] = {
    "none": 0.0,
    "turn": 0.4,
    "march": 1.1,
    "shoot": 0.9,
    "strike": 0.9,
    "suffer": 0.7,
    "waver": 0.7,
    "rally": 0.7,
    "vanish": 0.7,
}
"""Duration of events at speed 1."""

MOST_STEPS_AT_ONCE = 256


def seconds_of(events: Iterable[Event]) -> float:
    """Return how long a step is shown at speed 1: as long as the slowest of its parts."""
    return max((SECONDS[event.gesture] for event in events), default=0.0)


@dataclass(frozen=True, slots=True)
class Position:
    """The step that is shown, and how far its movement has come, 0 to 1."""

    step: int
    alpha: float


class Playback:
    """Plays a timeline, forwards at a chosen speed, or steps and jumps about in it.

    A step that is shown always plays its movement to the end; whether the next one follows by
    itself depends on `playing`. At the end of a battle that is still being fought it waits for
    more; at the end of one that is over it stops.
    """

    def __init__(self, timeline: Timeline, step: int = 0) -> None:
        self._timeline = timeline
        self._step = step
        self._shown_s = 0.0
        self._whole_s = 0.0
        self._speed = SPEEDS.index(1.0)
        self.playing = False

    @property
    def position(self) -> Position:
        """The viewer's position."""
        alpha = 1.0 if self._whole_s <= 0 else min(self._shown_s / self._whole_s, 1.0)
        return Position(self._step, alpha)

    @property
    def speed(self) -> float:
        """The speed, as a factor of `SECONDS`."""
        return SPEEDS[self._speed]

    @property
    def at_end(self) -> bool:
        """True if there is nothing more to see, now or later."""
        return self._timeline.closed and self._step >= len(self._timeline)

    def tick(self, dt: float) -> None:
        """*dt* seconds go by."""
        self._shown_s += dt * self.speed
        for _ in range(MOST_STEPS_AT_ONCE):
            if not self.playing or self._shown_s < self._whole_s:
                return
            if self._step >= len(self._timeline):
                self.playing = not self._timeline.closed
                self._shown_s = self._whole_s
                return
            over = self._shown_s - self._whole_s
            self._show(self._step + 1)
            self._shown_s = over

    def toggle(self) -> None:
        """Play, or pause; from the end, play again from the start."""
        if self.at_end and not self.playing:
            self.seek(0)
        self.playing = not self.playing

    def faster(self) -> None:
        """Select the next higher speed, if there is one."""
        self._speed = min(self._speed + 1, len(SPEEDS) - 1)

    def slower(self) -> None:
        """Select the next lower speed, if there is one."""
        self._speed = max(self._speed - 1, 0)

    def play_at(self, speed: float) -> None:
        """One of `SPEEDS` from now on."""
        self._speed = SPEEDS.index(speed)

    def forward(self) -> None:
        """Pause, and show the next step."""
        self.playing = False
        if self._step < len(self._timeline):
            self._show(self._step + 1)

    def back(self) -> None:
        """Pause, and show the step before, as it ended."""
        self.playing = False
        self.seek(self._step - 1)

    def turn_forward(self) -> None:
        """On to where the next turn begins, or to the end."""
        later = [start for start in self._timeline.turn_starts if start > self._step]
        self.seek(later[0] if later else len(self._timeline))

    def turn_back(self) -> None:
        """Back to where this turn began, or, there already, the one before."""
        earlier = [start for start in self._timeline.turn_starts if start < self._step]
        self.seek(earlier[-1] if earlier else 0)

    def show(self, step: int) -> None:
        """Pause, jump to a step, and play its movement; beyond either end, the nearest there is."""
        self.playing = False
        self._show(min(max(step, 0), len(self._timeline)))

    def seek(self, step: int) -> None:
        """Jump to the end of a step; beyond either end, to the nearest there is."""
        self._step = min(max(step, 0), len(self._timeline))
        self._shown_s = self._whole_s = 0.0

    def _show(self, step: int) -> None:
        self._step = step
        self._shown_s = 0.0
        self._whole_s = seconds_of(self._timeline.events(step))
