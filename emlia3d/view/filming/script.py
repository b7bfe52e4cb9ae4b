"""The timing of a video: how much of a battle passes in each picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from emlia3d.view.moment.scene import Camera, Point
from emlia3d.view.session.beats import seconds_of
from emlia3d.view.session.timeline import Timeline

RATE = 25
"""Pictures a second."""

OPENING_S, CLOSING_S = 1.0, 2.0
EASE_S = 1.2
"""Seconds in which a camera turns most of the way to its next aim."""


@dataclass(frozen=True, slots=True)
class FilmTiming:
    """The timing of a battle in a video.

    pictures : number of pictures in the video
    still : number of pictures before the battle starts
    step_s : time of the battle that passes between two pictures
    """

    pictures: int
    still: int
    step_s: float

    def ticks(self) -> Iterator[float]:
        """Yield for each picture the battle time since the previous one."""
        for number in range(self.pictures):
            yield 0.0 if number < self.still else self.step_s


def script_of(timeline: Timeline, turn_s: float) -> FilmTiming:
    """Return the timing of a finished battle in which a turn takes *turn_s* seconds on average."""
    whole_s = sum(seconds_of(timeline.events(step)) for step in range(1, len(timeline) + 1))
    turns = max(len(timeline.turn_starts), 1)
    moving = max(ceil(turns * turn_s * RATE), 1)
    still = round(OPENING_S * RATE)
    # Slightly more than the whole, so that rounding omits nothing.
    step_s = whole_s / moving * (1 + 1e-9)
    return FilmTiming(still + moving + round(CLOSING_S * RATE), still, step_s)


def eased(now: Camera, wish: Camera, dt: float) -> Camera:
    """Return a camera after *dt* seconds on its way to another camera."""
    share = min(dt / EASE_S * 2.0, 1.0)

    def between(a: Point, b: Point) -> Point:
        x, y, z = (p + share * (q - p) for p, q in zip(a, b, strict=True))
        return x, y, z

    fov = now.fov_deg + share * (wish.fov_deg - now.fov_deg)
    return Camera(
        eye=between(now.eye, wish.eye), look_at=between(now.look_at, wish.look_at), fov_deg=fov
    )
