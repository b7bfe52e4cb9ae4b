"""A rectangle cut from a raster around a place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.dem.raster_cut import RasterCut, cut_around, frame_of
from emlia3d.errors import FileError
from emlia3d.field import Reading
from emlia3d.geometry import Surface
from tests.field.elevation_files import georeferenced, saved

rasterio = pytest.importorskip("rasterio")

# 12 columns and 10 rows of 10 m from 500,000, 5,000,000; the value is 100 a row plus the column.
STEPS = np.add.outer(100 * np.arange(10.0), np.arange(12.0)).astype(np.float32)


def around(
    path: Path,
    centre: tuple[float, float],
    size_m: tuple[float, float],
    *,
    cell_m: float | None = None,
    unit: str | None = None,
) -> RasterCut:
    reading = Reading(unit=unit)
    return cut_around(path, frame_of(path, reading, cell_m), centre, size_m, reading)


def test_square_cells_are_cut_as_they_are(tmp_path: Path) -> None:
    path = georeferenced(tmp_path / "a.tif", STEPS)

    cut = around(path, (500_060, 4_999_950), (60, 40))

    np.testing.assert_array_equal(cut.elevation_m, STEPS[3:7, 3:9])
    assert cut.centre == (500_060, 4_999_950)
    assert (cut.cell_m, cut.size_m, cut.resampled) == (10, (60, 40), False)
    assert (cut.georeference.west, cut.georeference.south) == (500_030, 4_999_930)
    assert cut.transform == (10, 0, 500_030, 0, -10, 4_999_970)


@pytest.mark.parametrize(
    ("centre", "size_m", "rows", "columns"),
    [
        ((500_063, 4_999_946), (58, 44), (3, 7), (3, 9)),
        ((500_060, 4_999_950), (120, 100), (0, 10), (0, 12)),
        # Half a cell past the edge is rounding; the rectangle moves in.
        ((500_018, 4_999_950), (40, 40), (3, 7), (0, 4)),
    ],
)
def test_size_and_centre_are_rounded_to_whole_cells(
    tmp_path: Path,
    centre: tuple[float, float],
    size_m: tuple[float, float],
    rows: tuple[int, int],
    columns: tuple[int, int],
) -> None:
    path = georeferenced(tmp_path / "a.tif", STEPS)

    cut = around(path, centre, size_m)

    np.testing.assert_array_equal(cut.elevation_m, STEPS[slice(*rows), slice(*columns)])
    assert cut.centre == (500_000 + 5 * sum(columns), 5_000_000 - 5 * sum(rows))


def test_oblong_cells_are_read_once_in_square_ones_that_fill_the_rectangle(tmp_path: Path) -> None:
    path = georeferenced(
        tmp_path / "a.tif", STEPS, crs="EPSG:4326", grid=(9, 47, 1 / 3600, -1 / 3600)
    )
    spacing = frame_of(path, Reading()).spacing_m(46.9986)

    cut = around(path, (9.0017, 46.9986), (130, 130))

    # Metres of a degree at 47 degrees north: 76,057 east and 111,170 north on WGS 84.
    assert spacing == pytest.approx((76_057 / 3600, 111_170 / 3600), rel=1e-4)
    assert cut.elevation_m.shape == (7, 7)
    assert cut.size_m == pytest.approx((130, 130))
    assert cut.resampled
    surface = Surface(heights=STEPS.astype(np.float64), cell=1.0, west=0.0, north=0.0)
    for row in range(7):
        for column in range(7):
            east = 9.0017 + (column - 3) * cut.cell_m * cut.georeference.east_per_m
            north = 46.9986 - (row - 3) * cut.cell_m * cut.georeference.north_per_m
            wanted = surface.heights_at((east - 9) * 3600 - 0.5, -((47 - north) * 3600 - 0.5))
            assert cut.elevation_m[row, column] == pytest.approx(float(wanted), abs=1e-6)


def test_rows_from_the_south_are_cut_in_the_same_way(tmp_path: Path) -> None:
    path = georeferenced(tmp_path / "a.tif", STEPS[::-1].copy(), grid=(500_000, 4_999_900, 10, 10))

    cut = around(path, (500_060, 4_999_950), (60, 40))

    np.testing.assert_array_equal(cut.elevation_m, STEPS[3:7, 3:9])
    assert (cut.georeference.west, cut.georeference.south) == (500_030, 4_999_930)


def test_a_raster_without_a_reference_system_counts_metres_from_its_corner(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.npy", STEPS)

    cut = around(path, (60, 50), (60, 40), cell_m=10)

    np.testing.assert_array_equal(cut.elevation_m, STEPS[3:7, 3:9])
    assert (cut.georeference.crs, cut.georeference.west, cut.georeference.south) == ("", 30, 30)


@pytest.mark.parametrize("crs", ["EPSG:32632+5703", "EPSG:4979"])
def test_heights_are_metres_and_the_vertical_axis_is_left_out(tmp_path: Path, crs: str) -> None:
    grid = (9, 0.001, 1e-4, -1e-4) if crs == "EPSG:4979" else (500_000, 5_000_000, 10, -10)
    path = georeferenced(tmp_path / "a.tif", STEPS, crs=crs, grid=grid)
    centre = (9.0006, 0.0005) if crs == "EPSG:4979" else (500_060, 4_999_950)

    cut = around(path, centre, (40, 40), unit="ft")

    found = rasterio.crs.CRS.from_wkt(cut.georeference.crs)
    assert found == rasterio.crs.CRS.from_epsg(4326 if crs == "EPSG:4979" else 32632)
    assert "VERT" not in cut.georeference.crs
    if not cut.resampled:
        np.testing.assert_allclose(cut.elevation_m, STEPS[3:7, 4:8] * 0.3048)


@pytest.mark.parametrize(
    ("centre", "size_m", "told"),
    [
        ((499_999, 4_999_950), (20, 20), "centre 499999,4999950 is off the raster, which covers"),
        ((500_060, 4_999_950), (140, 20), "--size: expected at most 120x100 metres around"),
        ((500_030, 4_999_950), (80, 20), "--size: expected at most 60x100 metres around"),
        ((500_060, 4_999_950), (12, 60), "--size: expected at least 2 cells of 10 m each way"),
    ],
)
def test_a_rectangle_that_cannot_be_cut_is_refused_with_what_can(
    tmp_path: Path, centre: tuple[float, float], size_m: tuple[float, float], told: str
) -> None:
    path = georeferenced(tmp_path / "a.tif", STEPS)

    with pytest.raises(FileError) as refused:
        around(path, centre, size_m)

    assert str(refused.value).startswith(f"{path}: {told}")
    assert "\n" not in str(refused.value)


def test_a_hole_counts_only_within_the_rectangle(tmp_path: Path) -> None:
    steps = STEPS.copy()
    steps[2, 1] = -9999
    path = georeferenced(tmp_path / "a.tif", steps, nodata=-9999)

    assert around(path, (500_080, 4_999_950), (60, 60)).elevation_m.shape == (6, 6)
    with pytest.raises(FileError, match="got none in 1 of 36, such as at 500015,4999975;"):
        around(path, (500_040, 4_999_960), (60, 60))


def test_a_raster_beyond_the_limit_of_cells_is_cut_in_part_and_refused_as_a_whole(
    tmp_path: Path,
) -> None:
    path = tmp_path / "wide.tif"
    with rasterio.open(
        path,
        "w",
        driver="GTiff",
        width=20_000,
        height=40,
        count=1,
        dtype="uint8",
        crs="EPSG:32632",
        transform=rasterio.Affine(1, 0, 500_000, 0, -1, 5_000_000),
        tiled=True,
    ):
        pass

    assert around(path, (510_000, 4_999_980), (100, 40)).elevation_m.shape == (40, 100)
    with pytest.raises(FileError, match="at most 8192 cells each way, which are 8192 metres"):
        around(path, (510_000, 4_999_980), (9000, 40))


def test_a_cell_size_is_stated_by_the_file_or_by_the_user(tmp_path: Path) -> None:
    georeferenced(tmp_path / "a.tif", STEPS)
    saved(tmp_path / "a.npy", STEPS)

    with pytest.raises(FileError, match="leave --cell out"):
        frame_of(tmp_path / "a.tif", Reading(), 10)
    with pytest.raises(FileError, match="state --cell METRES"):
        frame_of(tmp_path / "a.npy", Reading())
    with pytest.raises(FileError, match="expected metres above 0, got -1"):
        frame_of(tmp_path / "a.npy", Reading(), -1)
