"""The viewer's position in a battle, and the speed of play. Time is handed in, never read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from emlia3d.battle.events import Event
from emlia3d.view.pace import Pace
from emlia3d.view.session.beats import Beat, Cue, alone, beat_end, together
from emlia3d.view.session.timeline import Timeline

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)

MOST_STEPS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class RunPosition:
    """A moment in steps that are shown together.

    since : the step before the first; latest : the last step shown so far
    marked : the steps whose marks are shown; fallen : the share of the losses that have fallen
    """

    since: int
    latest: int
    marked: tuple[int, ...]
    fallen: float


@dataclass(frozen=True, slots=True)
class Position:
    """The step that is shown, and how far its movement has come, 0 to 1.

    run : the position in steps that are shown together; None for one step
    """

    step: int
    alpha: float
    run: RunPosition | None = None

    @property
    def since(self) -> int:
        """The step from which figures move to this one."""
        return max(self.step - 1, 0) if self.run is None else self.run.since

    @property
    def marked(self) -> tuple[int, ...]:
        """The steps whose marks are shown."""
        return (self.step,) if self.run is None else self.run.marked

    @property
    def latest(self) -> int:
        """The last step that has been shown; the log describes it."""
        return self.step if self.run is None else self.run.latest

    @property
    def fallen(self) -> float:
        """The share of the losses that have fallen, 0 to 1."""
        return self.alpha if self.run is None else self.run.fallen


class Playback:
    """Plays a timeline, forwards at a chosen speed, or steps and jumps about in it.

    A step that is shown always plays its movement to the end; whether the next one follows by
    itself depends on `playing`. At the end of a battle that is still being fought it waits for
    more; at the end of one that is over it stops.

    pace : how many steps are shown together when it plays on
    """

    def __init__(
        self,
        timeline: Timeline,
        step: int = 0,
        begins_phase: Callable[[Event], bool] = lambda event: False,
    ) -> None:
        self._timeline = timeline
        self._begins_phase = begins_phase
        self._step = step
        self._beat: Beat | None = None
        self.pace: Pace = "unit"
        self._shown_s = 0.0
        self._whole_s = 0.0
        self._speed = SPEEDS.index(1.0)
        self.playing = False

    @property
    def position(self) -> Position:
        """The viewer's position."""
        beat = self._beat
        moving_s = self._whole_s if beat is None else beat.moving_s
        alpha = _share(self._shown_s, 0.0, moving_s)
        if beat is None:
            return Position(self._step, alpha)
        fallen = _share(self._shown_s, *beat.falls_s)
        shown_s = self._shown_s
        run = RunPosition(beat.since, beat.latest(shown_s), beat.marked(shown_s), fallen)
        return Position(self._step, alpha, run)

    @property
    def cues(self) -> tuple[Cue, ...]:
        """The times at which marks of the steps are visible."""
        return (Cue(0.0, self._whole_s, (self._step,)),) if self._beat is None else self._beat.cues

    @property
    def clock(self) -> float:
        """Seconds since the current event began; inf after the last event."""
        return inf if self._shown_s >= self._whole_s else self._shown_s

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
            end = beat_end(self._timeline, self._step, self.pace, self._begins_phase)
            if end is None:
                self.playing = not self._timeline.closed
                self._shown_s = self._whole_s
                return
            over = self._shown_s - self._whole_s
            self._show(end, self._step)
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
        """Pause, jump to a step (or to the nearest end) and play its movement."""
        self.playing = False
        self._show(min(max(step, 0), len(self._timeline)))

    def seek(self, step: int) -> None:
        """Jump to the end of a step; beyond either end, to the nearest there is."""
        self._step, self._beat = min(max(step, 0), len(self._timeline)), None
        self._shown_s = self._whole_s = 0.0

    def _show(self, step: int, since: int | None = None) -> None:
        """Begin to show a step, together with others after *since* if there are any."""
        one = since is None or since == step - 1
        beat = alone(self._timeline, step) if one else together(self._timeline, since or 0, step)
        self._step, self._beat = step, None if one else beat
        self._shown_s, self._whole_s = 0.0, beat.seconds


def _share(now: float, start: float, end: float) -> float:
    """Return how much of a time has passed, 0 to 1; all of none."""
    return 1.0 if end <= start else min(max((now - start) / (end - start), 0.0), 1.0)
