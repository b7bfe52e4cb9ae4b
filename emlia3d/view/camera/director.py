"""A camera that goes by itself to where something happens, until someone touches the camera."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.camera.rig import Rig
from emlia3d.view.camera.steering import Steering

SETTLING_S = 1.1
"""In so long the camera makes up for most of what it lags behind."""

MARGIN_M, ROOM = 45.0, 1.5
"""Ground round what happens, and the width of the picture, relative to its extent."""

NEAREST_M = 150.0
CALM = 0.95
"""Share of half the picture in which what happens may lie without a move."""

CLOSER, FARTHER = 0.45, 1.1
"""The camera stays if the distance is right within these factors."""


class Director:
    """Aims a steered camera; it is off once someone else has moved the camera.

    active : whether it steers
    """

    def __init__(self, steering: Steering, active: bool = False) -> None:
        self._steering = steering
        self._left: Rig | None = None
        self._going = False
        self.active = active

    def begin(self) -> None:
        """Steer from now on."""
        self.active, self._left = True, None

    def end(self) -> None:
        """Steer no longer."""
        self.active = False

    def heed(self) -> bool:
        """Stop if someone has moved the camera since; whether that was so."""
        touched = self.active and self._left is not None and self._left != self._steering.rig
        if touched:
            self.active = False
        return touched

    def follow(self, places_m: NDArray[np.float64], dt: float) -> None:
        """*dt* seconds go by, and something happens at these places, (n, 2): go towards them."""
        rig = self._steering.rig
        if len(places_m) and dt > 0:
            low, high = places_m.min(axis=0), places_m.max(axis=0)
            middle = (low + high) / 2
            across = float(np.hypot(*(high - low)))
            extent = across + 2 * MARGIN_M
            # The picture is wider than high; what lies across it decides, so width is enough.
            wish = max(extent * ROOM / (2 * np.tan(np.radians(rig.fov_deg) / 2)) * 0.6, NEAREST_M)
            off = float(np.hypot(*(middle - rig.target[:2])))
            reach = rig.distance_m * float(np.tan(np.radians(rig.fov_deg) / 2)) * CALM
            right = CLOSER < wish / rig.distance_m < FARTHER
            if not self._going and off + across / 2 < reach and right:
                self._left = rig
                return
            share = 1.0 - exp(-dt / SETTLING_S)
            x, y = rig.target[:2] + share * (middle - rig.target[:2])
            distance = rig.distance_m * (wish / rig.distance_m) ** share
            self._going = off > 0.05 * distance or abs(np.log(wish / distance)) > 0.05
            self._steering.guide(float(x), float(y), float(distance))
        self._left = self._steering.rig
