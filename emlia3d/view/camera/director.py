"""Automatic camera that moves to the action until the user moves the camera."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.camera.rig import Rig
from emlia3d.view.camera.steering import Steering

SETTLING_S = 1.1
"""Time in which the camera covers most of its lag, seconds."""

MARGIN_M, ROOM = 45.0, 1.5
"""Ground around the action, and the width of the picture relative to the action."""

NEAREST_M = 150.0
CALM = 0.95
"""Part of half the picture in which the action can be without a move of the camera."""

CLOSER, FARTHER = 0.45, 1.1
"""The camera stays if the distance is right within these factors."""


class Director:
    """Director of a camera; it is off once the user has moved the camera.

    active : whether it steers
    """

    def __init__(self, steering: Steering, active: bool = False) -> None:
        self._steering = steering
        self._left: Rig | None = None
        self._going = False
        self.active = active

    def begin(self) -> None:
        """Start to steer."""
        self.active, self._left = True, None

    def end(self) -> None:
        """Stop steering."""
        self.active = False

    def heed(self) -> bool:
        """Stop if the user has moved the camera; return whether that was the case."""
        touched = self.active and self._left is not None and self._left != self._steering.rig
        if touched:
            self.active = False
        return touched

    def follow(self, places_m: NDArray[np.float64], dt: float) -> None:
        """Move towards the action at these points, (n, 2), for *dt* seconds."""
        rig = self._steering.rig
        if len(places_m) and dt > 0:
            low, high = places_m.min(axis=0), places_m.max(axis=0)
            middle = (low + high) / 2
            across = float(np.hypot(*(high - low)))
            extent = across + 2 * MARGIN_M
            # The picture is wider than high, so the width is enough.
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
