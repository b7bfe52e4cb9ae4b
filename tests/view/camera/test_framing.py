"""Where the camera of a picture is put."""

from __future__ import annotations

import numpy as np

from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.camera.framing import overview
from emlia3d.view.moment.scene import DrawnGround, Scene


def test_a_field_without_figures_is_shown_from_corner_to_corner() -> None:
    # A mountain in the south-west would hide the field from a low camera there.
    x, y = np.meshgrid(np.arange(60) * 50.0, np.arange(60) * 50.0)
    peak = 900 * np.exp(-((x - 500) ** 2 + (y - 500) ** 2) / (2 * 300.0**2))
    terrain = DrawnGround(elevation_m=peak[::-1].astype(np.float32), size_m=(3000.0, 3000.0))

    camera = overview(Scene(terrain=terrain))

    eye = np.array(camera.eye)
    sight = eyesight(camera)
    for east, north in ((0.0, 0.0), (3000.0, 0.0), (3000.0, 3000.0), (0.0, 3000.0)):
        corner = np.array([east, north, terrain.height(east, north)])
        along = np.linspace(eye, corner, 400)[:-4]
        assert (along[:, 2] > terrain.heights(along[:, 0], along[:, 1]) - 1e-6).all()
        right, _, ahead = (float((corner - eye) @ axis) for axis in sight.axes)
        assert abs(right) < ahead * sight.half * 16 / 9
