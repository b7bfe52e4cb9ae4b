"""A camera that goes along with a unit, from wherever one looks at it."""

from __future__ import annotations

from math import exp

from emlia3d.view.camera.steering import Steering

SETTLING_S = 0.25
"""In so long the camera makes up for most of what it lags behind."""

NEAR_ENOUGH_M = 0.02

Place = tuple[float, float]


class Following:
    """Carries a steered camera along with one unit; the player may steer meanwhile.

    unit : the followed unit; None without one
    """

    def __init__(self, steering: Steering) -> None:
        self._steering = steering
        self._at: Place = (0.0, 0.0)
        self.unit: int | None = None

    def begin(self, unit: int, place: Place) -> None:
        """Go along with a unit that stands at a place, metres."""
        self.unit, self._at = unit, place

    def end(self) -> None:
        """Stop following."""
        self.unit = None

    def follow(self, place: Place, dt: float) -> None:
        """*dt* seconds go by, and the unit is there now: the camera goes most of the way."""
        share = 1.0 - exp(-dt / SETTLING_S)
        x, y = place[0] - self._at[0], place[1] - self._at[1]
        if abs(x) + abs(y) < NEAR_ENOUGH_M:
            share = 1.0
        self._steering.carry(x * share, y * share)
        self._at = self._at[0] + x * share, self._at[1] + y * share
