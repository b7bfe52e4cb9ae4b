"""What benchmarks share: the grounds, one core for all, and a line for each ratio at the end."""

from __future__ import annotations

import itertools
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.field.relief import relief_of
from emlia3d.geometry import Surface

REAL = Path(
    os.environ.get("EMLIA3D_REAL_GROUND")
    or Path(__file__).parents[1].parent / "shared/data/jasper_srtm.tif"
)
SIDES = (1000, 2000)
FORMS = {
    "rough": {"kind": "fractal", "low_m": 0, "high_m": 100, "feature": 120, "roughness": 0.6},
    "smooth": {"kind": "fractal", "low_m": 0, "high_m": 60, "feature": 400, "roughness": 0.35},
    "hills": {
        "kind": "hills",
        "hills": [
            [150, 200, 140, 30],
            [520, 640, 200, 45],
            [780, 300, 120, 20],
            [300, 850, 90, 12],
        ],
    },
}
ratios: list[str] = []


def real_ground(side: int) -> NDArray[np.float64]:
    """Real elevation, drawn out to so many centres each way."""
    rasterio = pytest.importorskip("rasterio")
    if not REAL.exists():
        pytest.skip("no real elevation beside the checkout")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with rasterio.open(REAL) as source:
            heights = source.read(1)
    found = Surface(heights=heights, cell=1.0, west=0.0, north=len(heights) - 1.0)
    places = np.linspace(0, len(heights) - 1, side)
    return found.heights_at(places[None, :], places[::-1, None])


@pytest.fixture(
    scope="session",
    params=itertools.product([*FORMS, "real"], SIDES),
    ids=lambda case: f"{case[0]} {case[1]}",
)
def ground(request: pytest.FixtureRequest) -> tuple[str, Surface]:
    """The name of a form of ground, and 1000 by 1000 or 2000 by 2000 centres of it."""
    form, side = request.param
    cell = 30.0 * 400 / side if form == "real" else 1.0
    if form == "real":
        heights = real_ground(side)
    else:
        table = {"seed": 3, "cell": 1.0, **FORMS[form]}
        heights = relief_of(table).ground((side, side)).elevation_m
    return (
        f"{form} {side}",
        Surface(heights=heights, cell=cell, west=0.0, north=cell * (side - 1)),
    )


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels on one thread, as their baselines are."""
    monkeypatch.setenv("EMLIA3D_THREADS", "1")


@pytest.fixture(scope="session")
def ratio_lines() -> list[str]:
    """Where a benchmark puts a line that is printed when all are done."""
    return ratios


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if ratios:
        terminalreporter.section("how fast: times its baseline, or milliseconds")
        for line in ratios:
            terminalreporter.write_line(line)


def pytest_benchmark_update_machine_info(config: pytest.Config, machine_info: dict) -> None:
    """A result says which processor it is of, and not whose."""
    machine_info.pop("node", None)
