"""Tiles of national surveys, real ground, and grids whose reference system is in another file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.errors import FileError
from emlia3d.field import read_raster

rasterio = pytest.importorskip("rasterio")

JASPER = Path(__file__).parents[3] / "shared" / "data" / "jasper_srtm.tif"

TRANSVERSE_MERCATOR = (
    'PROJCS["here",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],'
    'PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],'
    'PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],'
    'PARAMETER["false_northing",0],UNIT["{name}",{metres}]]'
)


def ascii_grid(folder: Path, unit: str, metres: str) -> Path:
    path = folder / "a.asc"
    path.write_text(
        "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4999980\ncellsize 10\n"
        "NODATA_value -9999\n1 2 3\n4 5 -9999\n"
    )
    text = TRANSVERSE_MERCATOR.replace("{name}", unit).replace("{metres}", metres)
    path.with_suffix(".prj").write_text(text)
    return path


@pytest.mark.parametrize(("driver", "ending"), [("DTED", ".dt1"), ("USGSDEM", ".dem")])
def test_a_tile_of_a_survey_states_its_unit_and_its_place(tmp_path, driver, ending) -> None:
    shutil = pytest.importorskip("rasterio.shutil")
    heights = np.full((1201, 1201), 300, dtype=np.int16)
    heights[0, 0] = 450
    step = 1 / 1200
    grid = rasterio.Affine(step, 0, 8 - step / 2, 0, -step, 47 + step / 2)
    with rasterio.open(
        tmp_path / "a.tif", "w", driver="GTiff", width=1201, height=1201, count=1, dtype="int16",
        crs="EPSG:4326", transform=grid,
    ) as file:  # fmt: skip
        file.write(heights, 1)
    path = tmp_path / f"n46{ending}"
    shutil.copy(tmp_path / "a.tif", path, driver=driver)

    raster = read_raster(path)

    np.testing.assert_array_equal(raster.elevation_m, heights)
    # Latitude 46.5: a degree of longitude and of latitude is 76,763 and 111,161 m.
    assert raster.spacing_m == pytest.approx((76_763 / 1200, 111_161 / 1200), rel=1e-4)
    assert raster.notes == ()


@pytest.mark.parametrize(
    ("unit", "metres", "spacing_m"),
    [("metre", "1", 10), ("foot", "0.3048", 3.048), ("US survey foot", "0.3048006096", 3.048006)],
)
def test_a_grid_takes_its_reference_system_from_the_file_beside_it(
    tmp_path, unit, metres, spacing_m
) -> None:
    raster = read_raster(ascii_grid(tmp_path, unit, metres))

    assert raster.spacing_m == pytest.approx((spacing_m, spacing_m), rel=1e-6)
    np.testing.assert_array_equal(raster.elevation_m, [[1, 2, 3], [4, 5, np.nan]])


def test_a_reference_system_without_units_is_refused(tmp_path) -> None:
    path = ascii_grid(tmp_path, "unknown", "1")

    with pytest.raises(FileError, match="expected a reference system with units") as found:
        read_raster(path)

    assert "\n" not in str(found.value)


def test_a_raster_over_the_number_of_cells_is_refused_but_for_a_window(tmp_path) -> None:
    path = tmp_path / "a.tif"
    with rasterio.open(
        path, "w", driver="GTiff", width=8193, height=4, count=1, dtype="uint8", crs="EPSG:32632",
        transform=rasterio.Affine(10, 0, 5e5, 0, -10, 5e6),
    ):  # fmt: skip
        pass

    with pytest.raises(FileError, match="too large; at most 8192 rows and columns"):
        read_raster(path)
    assert read_raster(path, window=(8000, 0, 8193, 4)).elevation_m.shape == (4, 193)


@pytest.mark.skipif(not JASPER.exists(), reason="the elevation of Jasper is not on this machine")
def test_real_ground_is_read_with_its_place_and_one_note() -> None:
    raster = read_raster(JASPER)

    assert raster.elevation_m.shape == (400, 400)
    assert raster.spacing_m == (100, 100)
    assert raster.transform is not None
    assert raster.transform[0] == 100
    assert raster.notes == ("heights are taken as metres, because the file states no unit",)
