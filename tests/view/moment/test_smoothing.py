"""Coarse ground is drawn smooth, through the centres that the raster states."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.field import Ground
from emlia3d.view.moment.smoothing import drawn_smooth


def hills(cell: float, size: tuple[float, float] = (300.0, 200.0)) -> Ground:
    """A ridge from corner to corner, which cells split along the other diagonal cut to teeth."""
    columns, rows = (round(np.ceil(length / cell)) for length in size)
    x = (np.arange(columns) + 0.5) * cell
    y = size[1] - (np.arange(rows) + 0.5) * cell
    off = (x[None, :] / size[0] + y[:, None] / size[1] - 1) * 4
    return Ground(elevation_m=80 * np.exp(-(off**2)), size=size, cell=cell)


def bend(ground: Ground, step: float = 0.5) -> float:
    """The greatest change of slope from step to step along a line across the field."""
    east = np.arange(40.0, 260.0, step)
    heights = ground.elevations_m(east, np.full(len(east), 93.0))
    return float(np.abs(np.diff(heights, 2)).max()) / step**2


def test_drawn_ground_bends_gently_where_the_raster_has_edges() -> None:
    stated = hills(20.0)

    drawn = drawn_smooth(stated, metres_per_gsu=2.0)

    assert drawn.cell == pytest.approx(20.0 / 5)
    assert bend(drawn) < bend(stated) / 3


def test_drawn_ground_passes_through_all_centres() -> None:
    stated = hills(20.0)
    rows, columns = stated.elevation_m.shape
    x, y = np.meshgrid((np.arange(columns) + 0.5) * 20, 200 - (np.arange(rows) + 0.5) * 20)

    drawn = drawn_smooth(stated, metres_per_gsu=2.0)

    assert drawn.elevations_m(x, y) == pytest.approx(stated.elevation_m, abs=1e-4)


@pytest.mark.parametrize("size", [(300.0, 200.0), (290.0, 190.0)], ids=["whole", "cut"])
def test_drawn_ground_covers_the_field(size: tuple[float, float]) -> None:
    drawn = drawn_smooth(hills(20.0, size), metres_per_gsu=2.0)

    rows, columns = drawn.elevation_m.shape
    assert drawn.size == size
    assert columns * drawn.cell == pytest.approx(size[0], abs=drawn.cell)
    assert rows * drawn.cell == pytest.approx(size[1], abs=drawn.cell)


def test_fine_cells_and_level_ground_are_drawn_as_they_are() -> None:
    fine, level = hills(4.0), Ground.flat((300.0, 200.0))

    assert drawn_smooth(fine, metres_per_gsu=2.0) is fine
    assert drawn_smooth(level, metres_per_gsu=20.0) is level
