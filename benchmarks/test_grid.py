"""What the grid of tiles costs in a frame: CPU and wall time with it over those without it.

Frames with and without the grid take turns in one process, so that both meet the same load. The
pixels are drawn, at 1280 x 720, and the camera moves from frame to frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median

import pytest
from panda3d.core import GraphicsEngine

from emlia3d.errors import DisplayError
from emlia3d.field.hexes import board_of
from emlia3d.scenario import load
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.scene import Camera, Scene
from emlia3d.view.moment.tile_edges import drawn_tiles
from emlia3d.view.panda.display import choose
from emlia3d.view.panda.stage import Stage

FRAMES = 35
SIZE = (1280, 720)
PLACES = {"from above": (0.0, 230.0), "oblique": (-130.0, 90.0), "at eye height": (-60.0, 1.7)}
"""Metres south of the middle of the field, and above its ground."""


@pytest.fixture(scope="module")
def scene() -> Scene:
    battle = load("refinery").battle(seed=1)
    for _ in battle.run():
        if battle.state.turn:
            break
    setup = battle.setup
    tiles = drawn_tiles(setup.field, board_of(setup.field))
    return replace(scene_of(setup, battle.state), tiles=tiles)


@pytest.mark.parametrize("place", PLACES)
def test_frames_with_and_without_the_grid(place: str, scene: Scene, ratio_lines: list[str]) -> None:
    away, up = PLACES[place]
    try:
        stage = Stage(choose(None), SIZE)
    except DisplayError as flaw:
        pytest.skip(str(flaw))
    stage.show(scene)
    east, north = (size / 2 for size in scene.terrain.size_m)
    floor = scene.terrain.height(east, north + away)
    engine = GraphicsEngine.get_global_ptr()
    stage.look(Camera(eye=(east, north + away, floor + up), look_at=(east, north + 0.1, floor)))
    stage.image()
    stage.output.clear_render_textures()  # a window's picture is not read back

    def frame(number: int) -> None:
        eye = (east + number / 10, north + away, floor + up)
        stage.look(Camera(eye=eye, look_at=(east, north + 0.1, floor)))
        stage.output.set_active(True)
        engine.render_frame()

    took = {True: list[tuple[float, float]](), False: list[tuple[float, float]]()}
    for number in range(FRAMES + 2):
        for grid in (True, False):
            stage.show_tiles(scene.tiles if grid else None)
            # The first frame after a change sends the grid to the renderer.
            frame(number)
            took[grid].append(times(frame, number))
    stage.close()

    # The first frames make the shaders.
    cpu, wall = (
        {grid: median(each[which] for each in frames[2:]) * 1000 for grid, frames in took.items()}
        for which in (0, 1)
    )
    assert len(took[True]) == len(took[False]) == FRAMES + 2
    ratio_lines.append(
        f"the refinery {place}, {FRAMES} frames each: with the grid {cpu[True]:.1f} ms of CPU and "
        f"{wall[True]:.1f} ms, without {cpu[False]:.1f} and {wall[False]:.1f}: "
        f"{cpu[True] / cpu[False]:.2f} and {wall[True] / wall[False]:.2f} times"
    )


def times(frame: Callable[[int], None], number: int) -> tuple[float, float]:
    """Return the CPU time and the wall time of a frame, seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    frame(number)
    return time.process_time() - cpu, time.perf_counter() - wall
