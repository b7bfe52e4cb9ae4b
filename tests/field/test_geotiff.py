"""Where a GeoTIFF lies, and what is written into one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.errors import FileError
from emlia3d.field import (
    NOWHERE,
    Category,
    Georeference,
    georeference_of,
    read_elevation,
    write_geotiff,
)

rasterio = pytest.importorskip("rasterio")

GREYS = [Category("seen", (250, 250, 250)), Category("hidden", (120, 120, 120))]


def ground(path: Path, crs: str | None, grid: tuple[float, float, float, float]) -> Path:
    west, north, east_step, north_step = grid
    transform = rasterio.Affine(east_step, 0, west, 0, north_step, north)
    profile = {"width": 6, "height": 4, "count": 1, "dtype": "float32", "transform": transform}
    with rasterio.open(path, "w", driver="GTiff", crs=crs, **profile) as file:
        file.write(np.arange(24, dtype=np.float32).reshape(4, 6), 1)
    return path


def test_a_window_lies_where_its_corner_does(tmp_path: Path) -> None:
    path = ground(tmp_path / "a.tif", "EPSG:32632", (500_000, 5_000_000, 10, -10))

    whole, part = georeference_of(path), georeference_of(path, (1, 1, 4, 3))

    assert whole is not None
    assert part is not None
    assert (whole.west, whole.south) == (500_000, 4_999_960)
    assert (part.west, part.south) == (500_010, 4_999_970)
    assert (part.east_per_m, part.north_per_m) == (1, 1)
    assert part.transform(0, 20, 5) == (5, 0, 500_010, 0, -5, 4_999_990)


def test_rows_that_run_northward_are_turned_as_they_are_read(tmp_path: Path) -> None:
    path = ground(tmp_path / "a.tif", "EPSG:32632", (500_000, 5_000_000, 10, 10))

    part = georeference_of(path, (0, 3, 6, 4))
    elevation_m, _ = read_elevation(path, window=(0, 2, 6, 4))

    assert part is not None
    assert part.south == 5_000_000
    assert elevation_m[-1, 0] == 0


def test_a_metre_on_ground_in_degrees_is_as_long_as_the_reader_takes_it(tmp_path: Path) -> None:
    path = ground(tmp_path / "a.tif", "EPSG:4326", (9, 47, 0.001, -0.001))

    place = georeference_of(path)

    # At 46.998 degrees north a degree is 76 088 m of longitude and 111 171 m of latitude.
    assert place is not None
    assert 1 / place.east_per_m == pytest.approx(76_060, rel=1e-3)
    assert 1 / place.north_per_m == pytest.approx(111_171, rel=1e-3)


def test_what_lies_nowhere_says_nothing(tmp_path: Path) -> None:
    path = ground(tmp_path / "a.tif", None, (0, 4, 1, -1))
    np.save(tmp_path / "a.npy", np.zeros((2, 2)))

    assert georeference_of(path) is None
    assert georeference_of(tmp_path / "a.npy") is None


def test_what_is_written_is_read_back_with_its_place_names_and_colours(tmp_path: Path) -> None:
    zone = rasterio.crs.CRS.from_epsg(32632).to_wkt()
    place = Georeference(crs=zone, west=500_000, south=4_999_960)
    band = np.arange(6, dtype=np.uint8).reshape(1, 2, 3) % 2

    write_geotiff(
        tmp_path / "a.tif",
        band,
        crs=place.crs,
        transform=place.transform(0, 20, 10),
        names=["what is seen"],
        tags={"rules": "true"},
        nodata=2,
        categories=GREYS,
    )

    with rasterio.open(tmp_path / "a.tif") as file:
        assert file.crs.to_epsg() == 32632
        assert file.bounds == (500_000, 4_999_960, 500_030, 4_999_980)
        assert file.descriptions == ("what is seen",)
        assert file.tags()["rules"] == "true"
        assert file.nodata == 2
        # No more colours than there are values: what is left over would be black in a legend.
        assert file.colormap(1) == {
            0: (250, 250, 250, 255),
            1: (120, 120, 120, 255),
            2: (0, 0, 0, 0),
            3: (0, 0, 0, 255),
        }
        assert (file.read() == band).all()
    names = (tmp_path / "a.tif.aux.xml").read_text()
    assert "<Category>seen</Category><Category>hidden</Category>" in names


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        write_geotiff(
            tmp_path / "gone" / "a.tif",
            np.zeros((1, 2, 2), np.uint8),
            crs=NOWHERE.crs,
            transform=NOWHERE.transform(0, 2, 1),
            names=["x"],
            tags={},
        )
