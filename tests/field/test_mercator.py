"""Mercator stretches lengths with the latitude; on the ground they are what the ellipsoid has."""

from __future__ import annotations

import pytest

from emlia3d.field.raster import RasterFormatError
from emlia3d.field.reference import lengths_at, metres_per_degree

rasterio = pytest.importorskip("rasterio")

# The meridian of each system's origin, degrees.
SYSTEMS = {"EPSG:3395": 0, "EPSG:3832": 150, "EPSG:3994": 100, "EPSG:5641": -43}


def on_map(crs: str, longitude: float, latitude: float) -> tuple[float, float]:
    from rasterio.warp import transform

    (x,), (y,) = transform("EPSG:4326", crs, [longitude], [latitude])
    return x, y


@pytest.mark.parametrize("crs", SYSTEMS)
@pytest.mark.parametrize("latitude", [-80.0, -41.0, 0.0, 47.0, 60.0])
def test_a_metre_of_mercator_is_as_long_as_on_the_ellipsoid(crs: str, latitude: float) -> None:
    x, y = on_map(crs, SYSTEMS[crs], latitude)
    east = on_map(crs, SYSTEMS[crs] + 0.001, latitude)[0] - x
    north = on_map(crs, SYSTEMS[crs], latitude + 0.0005)[1] - y
    north -= on_map(crs, SYSTEMS[crs], latitude - 0.0005)[1] - y

    found = lengths_at(rasterio.crs.CRS.from_string(crs), y)

    degree_m = metres_per_degree(latitude)
    assert found.east_m * east == pytest.approx(0.001 * degree_m[0], rel=1e-6)
    assert found.north_m * north == pytest.approx(0.001 * degree_m[1], rel=1e-6)


def test_the_factor_is_noted() -> None:
    _, y = on_map("EPSG:3395", 0, 60)

    found = lengths_at(rasterio.crs.CRS.from_string("EPSG:3395"), y)

    # cos 60 / sqrt(1 - 0.00669438 sin^2 60)
    assert found.east_m == found.north_m == pytest.approx(0.5 / 0.994979215**0.5, rel=1e-8)
    assert found.note == "Mercator: lengths are multiplied by 0.5013, as at latitude 60"


def test_mercator_near_a_pole_is_refused() -> None:
    with pytest.raises(RasterFormatError, match="lies at latitude 86"):
        lengths_at(rasterio.crs.CRS.from_string("EPSG:3395"), on_map("EPSG:3395", 0, 86)[1])
