"""Contact lines between two units in close combat, where their blocks are closest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.base_heights import lift_m
from emlia3d.view.moment.scale import blocks_m
from emlia3d.view.moment.scene import DrawnGround, Mark, Point, Stroke

Places = NDArray[np.float64]

SEAM_UP_M = 1.3
TICK_M = 1.6
"""Length of the ticks at the ends of a contact line, metres."""

MOST_OPENING_M = 4.0
"""Maximum distance between two sides along a contact line, metres."""

PREFERRED = 0.2
"""Weight of a metre of length against a metre of gap for equally close lines."""


@dataclass(frozen=True, slots=True)
class ContactLine:
    """The line between two blocks, metres.

    ends : (2, 2); gap_m : distance of the blocks at its wider end
    """

    ends: Places
    gap_m: float

    @property
    def middle(self) -> Places:
        """Its midpoint."""
        return np.asarray(self.ends.mean(axis=0))

    @property
    def length_m(self) -> float:
        """Its length, metres."""
        return float(np.hypot(*(self.ends[1] - self.ends[0])))

    @property
    def along(self) -> Places:
        """The unit vector from end to end; any direction if its length is 0."""
        way = self.ends[1] - self.ends[0]
        length = float(np.hypot(*way))
        return np.asarray(way / length) if length > 1e-9 else np.array([1.0, 0.0])

    @property
    def across(self) -> Places:
        """The unit vector perpendicular to it."""
        east, north = self.along.tolist()
        return np.array([-north, east])


def seam_of(block: Places, other: Places) -> ContactLine:
    """Return the line between two blocks (4, 2) where their sides are closest.

    It is halfway between them, along the shorter side, as far as the sides are almost as close as
    at their closest point.
    """
    found: list[tuple[float, Places, Places]] = []
    for one in _sides(block):
        for two in _sides(other):
            short, long = (one, two) if _length(one) <= _length(two) else (two, one)
            far = float(_gaps(short, long).sum()) - PREFERRED * _length(short)
            found.append((far, short, long))
    _, short, long = min(found, key=lambda one: one[0])
    gaps = _gaps(short, long)
    opening = float(gaps.max() - gaps.min())
    if opening > MOST_OPENING_M:
        near, wide = short[gaps.argmin()], short[gaps.argmax()]
        short = np.stack([near, near + (wide - near) * (MOST_OPENING_M / opening)])
    seam = (short + _nearest(long, short)) / 2
    return ContactLine(seam, float(_gaps(short, long).max()))


def seam_between(setup: Setup, state: State, unit: int, foe: int) -> ContactLine:
    """Return the line between two units where their bodies are closest."""
    seams = [
        seam_of(block, other)
        for block in blocks_m(setup, state, unit)
        for other in blocks_m(setup, state, foe)
    ]
    return min(seams, key=lambda seam: seam.gap_m)


def not_striking(
    contacts: Iterable[tuple[int, int]], events: Iterable[Event]
) -> tuple[tuple[int, int], ...]:
    """Return the contacts without a blow between their units in these events.

    Contacts with visible blows need no line.
    """
    struck = {
        (unit, event.target)
        for event in events
        if event.gesture == "strike"
        for unit in event.actors
    }
    return tuple(
        (unit, foe) for unit, foe in contacts if struck.isdisjoint({(unit, foe), (foe, unit)})
    )


def seams_of(
    setup: Setup, state: State, contacts: Iterable[tuple[int, int]], terrain: DrawnGround
) -> tuple[Mark, ...]:
    """Return a line with marked ends between any two units in contact."""
    marks: list[Mark] = []
    for unit, foe in sorted({(min(pair), max(pair)) for pair in contacts}):
        seam = seam_between(setup, state, unit, foe)
        up_m = SEAM_UP_M + max(lift_m(setup, state, unit), lift_m(setup, state, foe))
        tick = seam.across * TICK_M
        lines = [(seam.ends[0], seam.ends[1])]
        lines += [(end - tick, end + tick) for end in seam.ends]
        marks += [
            Stroke(
                start=above(terrain, start, up_m),
                end=above(terrain, end, up_m),
                tone="melee",
                drawn=True,
            )
            for start, end in lines
        ]
    return tuple(marks)


def _sides(block: Places) -> list[Places]:
    return [np.stack([block[row], block[(row + 1) % 4]]) for row in range(4)]


def _length(side: Places) -> float:
    return float(np.hypot(*(side[1] - side[0])))


def _gaps(side: Places, other: Places) -> Places:
    """Return the distances of the ends of a side from another side, (2,)."""
    return np.asarray(np.hypot(*(_nearest(other, side) - side).T))


def _nearest(side: Places, places: Places) -> Places:
    """Return the point of a side that is nearest to each point."""
    way = side[1] - side[0]
    share = (places - side[0]) @ way / max(float(way @ way), 1e-12)
    return np.asarray(side[0] + np.clip(share, 0.0, 1.0)[:, None] * way)


def above(terrain: DrawnGround, place: Places, up_m: float) -> Point:
    """Return the point at a height over the ground at a position (2,), metres."""
    x, y = float(place[0]), float(place[1])
    return x, y, terrain.height(x, y) + up_m
