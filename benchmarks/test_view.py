"""What a hundred thousand figures cost the processor a frame, beside drawing the pixels.

Mesa swallows every draw and upload here (GALLIUM_NOOP), so what is timed is this program and
Panda3D: choosing what is drawn how, culling, and handing it over. Nothing is asserted but that
the scene is as large as it is said to be. And how soon a window shows any moment of a large battle.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from panda3d.core import GraphicsEngine

from emlia3d.errors import DisplayError
from emlia3d.field.relief import relief_of
from emlia3d.scenario.synthetic_armies import armies
from emlia3d.view.moment.scene import Banner, Camera, DrawnGround, Figures, Patch, Scene, SideLook
from emlia3d.view.panda.app import App
from emlia3d.view.panda.display import Display, probe
from emlia3d.view.panda.stage import Stage

CELL_M, UNITS, MEN, FILES = 2.0, 400, 250, 84
SIDES = (
    SideLook(name="Blue", colour="#2a5caa", pattern="saltire"),
    SideLook(name="Red", colour="#b03030", pattern="pale"),
)
FORM = {"kind": "fractal", "low_m": 0, "high_m": 120, "feature": 500, "roughness": 0.45}


def terrain_of(cells: int) -> DrawnGround:
    """Hills with a river and eight woods."""
    relief = relief_of({**FORM, "seed": 3, "cell": 1.0}).ground((cells, cells))
    size = cells * CELL_M
    along = np.linspace(0, size, 60)
    bend = size * (0.15 + 0.1 * np.sin(along / size * 7))
    river = np.concatenate([np.stack([bend - 11, along], 1), np.stack([bend + 11, along], 1)[::-1]])
    turn = np.arange(40) * 2 * np.pi / 40
    dice = np.random.default_rng(1)
    woods = [
        middle + size * 0.035 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        for middle in dice.uniform(0.05, 0.95, (8, 2)) * size
    ]
    return DrawnGround(
        elevation_m=relief.elevation_m.astype(np.float32),
        size_m=(size, size),
        patches=(
            Patch(kind="river", outline_m=(river,)),
            *(Patch(kind="wood", outline_m=(wood,), height_m=9.0, seed=1) for wood in woods),
        ),
    )


def army(terrain: DrawnGround) -> tuple[Figures, tuple[Banner, ...]]:
    """Four hundred regiments of two hundred and fifty, all on the march."""
    size, man = terrain.size_m[0], np.arange(MEN)
    right, back = (man % FILES - (FILES - 1) / 2) * 0.7, man // FILES * 0.95
    x, y, facing, team, model, banners = [], [], [], [], [], []
    for unit in range(UNITS):
        side, number = divmod(unit, UNITS // 2)
        row, column = divmod(number, 20)
        ahead = 1 - 2 * side
        middle = size * (0.2 + 0.6 * (column + 0.5) / 20), size * 0.5 - ahead * (70 + row * 55)
        x.append(middle[0] + ahead * right)
        y.append(middle[1] - ahead * back)
        facing.append(np.full(MEN, 180.0 * side))
        team.append(np.full(MEN, side))
        model.append(np.full(MEN, (0, 1, 2, 3, 4)[row // 2]))
        corners = np.array([(-29, 0), (29, 0), (29, -3), (-29, -3)]) * ahead + middle
        banner = Banner(x_m=middle[0], y_m=middle[1], team=side, text=f"{unit + 1}th Foot")
        banners.append(
            Banner(
                x_m=banner.x_m, y_m=banner.y_m, team=side, text=banner.text, strength=0.8,
                facing_deg=180.0 * side, outline_m=corners,
            )
        )  # fmt: skip
    east, north, looks = (np.concatenate(part).astype(np.float32) for part in (x, y, facing))
    nothing = np.zeros(len(east), np.uint8)
    figures = Figures(
        x_m=east, y_m=north, facing_deg=looks, pose=nothing, shade=nothing,
        team=np.concatenate(team).astype(np.uint8), model=np.concatenate(model).astype(np.uint8),
        size=np.ones(len(east), np.float32), lift_m=np.zeros(len(east), np.float32),
        was_x_m=east, was_y_m=north - np.float32(20), was_facing_deg=looks, alpha=0.5,
    )  # fmt: skip
    return figures, tuple(banners)


def resident_mb() -> float:
    """Memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def best_ms(work: Callable[[int], object], times: int = 20) -> float:
    """The processor's time for one, the least of many, since others may use the machine."""
    took = []
    for number in range(times):
        start = time.thread_time()
        work(number)
        took.append(time.thread_time() - start)
    return min(took) * 1000


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Display]:
    """A way to draw that draws nothing."""
    found = probe("p3headlessgl", False)
    if not isinstance(found, Display) or not Path("/proc/self/statm").exists():
        pytest.skip("needs Mesa's off-screen OpenGL on Linux")
    monkeypatch.setenv("GALLIUM_NOOP", "true")
    return found


@pytest.mark.parametrize("cells", [2049, 4096])
def test_frames(cells: int, silent: Display, ratio_lines: list[str]) -> None:
    terrain = terrain_of(cells)
    figures, banners = army(terrain)
    assert len(figures) == 100_000
    scene = Scene(terrain=terrain, sides=SIDES, figures=figures, banners=banners)
    before, start = resident_mb(), time.thread_time()
    stage = Stage(silent)
    stage.show(scene)
    engine = GraphicsEngine.get_global_ptr()
    size = terrain.size_m[0]

    def look(number: int, away: float, up: float) -> None:
        x, y = size / 2 + 2 * number, size / 2 - away
        floor = terrain.height(x, y)
        stage.look(Camera(eye=(x, y, floor + up), look_at=(x, size / 2, floor)))

    def frame() -> None:
        stage.output.set_active(True)
        engine.render_frame()

    look(0, 400.0, 150.0)
    frame()
    stage.output.clear_render_textures()  # a window's picture is not read back
    set_up = time.thread_time() - start
    moving = []
    for away, up in ((80.0, 3.0), (500.0, 160.0), (1500.0, 700.0), (10.0, 2500.0)):
        moving.append(best_ms(lambda n, a=away, u=up: (look(n, a, u), frame())))  # type: ignore[misc]
    still = best_ms(lambda _: frame())
    packing = best_ms(lambda _: stage.update_figures(figures), 200)
    ticking = best_ms(lambda _: (stage.update_figures(figures), frame()), 200) - still
    ratio_lines.append(
        f"100,000 figures on {cells} cells a side: camera moving {max(moving):.1f} ms a frame, "
        f"still {still:.2f}, a tick {ticking:.2f}, of which {packing:.2f} to pack; set up in "
        f"{set_up:.1f} s, "
        f"{resident_mb() - before:.0f} MB"
    )
    stage.close()


def test_seeking(ratio_lines: list[str]) -> None:
    scenario = armies(20_000, 200, ground=True, seed=1)
    battle, recorded = scenario.battle(1, turns=1), tuple(scenario.battle(1, turns=1).run())
    start = time.perf_counter()
    try:
        app = App(battle.setup, battle.state, recorded, offscreen=True)
    except DisplayError as flaw:
        pytest.skip(str(flaw))
    app.step(0.0)
    opened = time.perf_counter() - start
    count = len(app.viewer.timeline)
    assert count > 500
    took = []
    for step in np.random.default_rng(1).integers(count + 1, size=40).tolist():
        start = time.perf_counter()
        app.viewer.playback.seek(step)
        app.step(0.0)
        took.append(time.perf_counter() - start)
        assert app.viewer.playback.position.step == step
    app.close()
    ratio_lines.append(
        f"a battle of 20,000 figures in 200 units, {count:,} steps: window opened in {opened:.1f} "
        f"s, any moment of it shown in {np.median(took):.2f} s, at most {max(took):.2f}"
    )
