"""A camera that follows a unit."""

from __future__ import annotations

from math import exp

from emlia3d.view.camera.steering import Steering

SETTLING_S = 0.25
"""Time in which the camera covers most of its lag, seconds."""

NEAR_ENOUGH_M = 0.02

Place = tuple[float, float]


class Following:
    """Moves a camera with one unit; the player can steer at the same time.

    unit : the followed unit; None without one
    """

    def __init__(self, steering: Steering) -> None:
        self._steering = steering
        self._at: Place = (0.0, 0.0)
        self.unit: int | None = None

    def begin(self, unit: int, place: Place) -> None:
        """Start to follow a unit at a position, metres."""
        self.unit, self._at = unit, place

    def end(self) -> None:
        """Stop following."""
        self.unit = None

    def follow(self, place: Place, dt: float) -> None:
        """Move the camera towards the unit's position for *dt* seconds."""
        share = 1.0 - exp(-dt / SETTLING_S)
        x, y = place[0] - self._at[0], place[1] - self._at[1]
        if abs(x) + abs(y) < NEAR_ENOUGH_M:
            share = 1.0
        self._steering.carry(x * share, y * share)
        self._at = self._at[0] + x * share, self._at[1] + y * share
