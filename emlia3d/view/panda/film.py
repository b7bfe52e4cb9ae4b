"""The pictures of a video: a battle on its own stage, with the clock of the video."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.view.camera.shots import camera_of
from emlia3d.view.filming.script import RATE, FilmTiming, eased
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.scene import Camera
from emlia3d.view.panda.display import Display
from emlia3d.view.panda.labels.subtitle import subtitled
from emlia3d.view.panda.showing import Showing
from emlia3d.view.panda.stage import Stage
from emlia3d.view.window.viewer import Viewer


def pictures(
    display: Display,
    setup: Setup,
    viewer: Viewer,
    script: FilmTiming,
    view: str,
    size: tuple[int, int],
) -> Iterator[NDArray[np.uint8]]:
    """Yield a battle's video, picture by picture: (height, width, 3) uint8, red first.

    viewer : of a finished battle, which is played from its first step
    view : a camera by name, which follows the battle smoothly
    """
    playback = viewer.playback
    playback.seek(0)
    playback.playing = True
    stage = Stage(display, size)
    try:
        showing = Showing(stage, setup, viewer)
        camera: Camera | None = None
        wish: Camera | None = None
        seen, told = -1, ("", "")
        picture: NDArray[np.uint8] | None = None
        for dt in script.ticks():
            viewer.tick(dt)
            rebuilt = showing.update(dt)
            step = playback.position.step
            if wish is None or step != seen:
                wish, seen = _wish(setup, viewer, showing, view, size), step
            before, camera = camera, wish if camera is None else eased(camera, wish, 1 / RATE)
            line = _caption(viewer)
            if (
                showing.look(camera)
                or rebuilt
                or picture is None
                or (before, told) != (camera, line)
            ):
                told = line
                picture = subtitled(stage.image(), *told)
            yield picture
    finally:
        stage.close()


def _wish(
    setup: Setup, viewer: Viewer, showing: Showing, view: str, size: tuple[int, int]
) -> Camera:
    """Return the named camera for the current battle."""
    state = viewer.state
    scene = scene_of(setup, state, terrain=showing.scene.terrain)
    return camera_of(setup, state, scene, view, unit=None, aspect=size[0] / size[1])


def _caption(viewer: Viewer) -> tuple[str, str]:
    """Return the turn, and the latest event's text."""
    status = viewer.status()
    return status.turn, status.news[-1].text if status.news else status.title
