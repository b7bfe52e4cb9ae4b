"""What benchmarks share: generated ground, and one core for all."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.field.relief import relief_of
from emlia3d.geometry import Surface

FORMS = {
    "rough": {"high_m": 100, "feature": 120, "roughness": 0.6},
    "smooth": {"high_m": 60, "feature": 400, "roughness": 0.35},
}
SIDE = 1000


@pytest.fixture(scope="session", params=list(FORMS))
def ground(request: pytest.FixtureRequest) -> tuple[str, Surface]:
    """The name of a form of ground, and 1000 by 1000 centres of it."""
    table = {"kind": "fractal", "seed": 3, "cell": 1.0, "low_m": 0, **FORMS[request.param]}
    heights: NDArray[np.float64] = relief_of(table).ground((SIDE, SIDE)).elevation_m
    return request.param, Surface(heights=heights, cell=1.0, west=0.0, north=SIDE - 1.0)


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels on one thread, as their rivals are."""
    monkeypatch.setenv("EMLIA3D_THREADS", "1")
