"""The intents of a side for its units, for pictures and cards."""

from __future__ import annotations

from dataclasses import dataclass

Spot = tuple[float, float]
"""East and north, GSU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Task of a group of units.

    text : in words, with the name of the group
    units : their rows
    line : left and right end of the front that they are to form, as they see it
    limit : how far beyond that line they may go, GSU; 0 where they stay in it
    goal : what they go for; None if that is their line
    """

    text: str
    units: tuple[int, ...]
    line: tuple[Spot, Spot]
    limit: float = 0.0
    goal: Spot | None = None
