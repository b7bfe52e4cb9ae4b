"""The kinds of values of a viewshed."""

from __future__ import annotations

from enum import StrEnum


class Show(StrEnum):
    """The kind of values of a viewshed.

    levels : 0 if all of the target shows, 1 if a part, 2 if none; the least from any observer
    counts : how many observers see its top
    proportion : the same, divided by the number of observers
    each : levels, a layer for each observer
    least : the smallest height above the ground that shows to any observer, metres
    share : how much of the target shows to the observer that sees most of it, 0 to 1
    angle : of the target's top above the observer's horizontal, degrees; the largest if several
        observers see it
    """

    LEVELS = "levels"
    COUNTS = "counts"
    PROPORTION = "proportion"
    EACH = "each"
    LEAST = "least"
    SHARE = "share"
    ANGLE = "angle"


WHOLE, PART, HIDDEN = 0, 1, 2
"""Levels: all of an upright target shows, some of it, or none."""

NO_DATA = 3
"""The level of cells without data."""
