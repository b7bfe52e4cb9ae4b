from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field import read_elevation, sibling_path
from emlia3d.field.reference import metres_per_degree
from tests.field.elevation_files import RAMP, georeferenced, painted, saved

JASPER = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.uint8])
def test_an_array_file_is_read_as_metres(tmp_path, dtype) -> None:
    elevation_m, cell_m = read_elevation(saved(tmp_path / "a.npy", RAMP.astype(dtype)))

    assert elevation_m.dtype == np.float64
    assert (elevation_m == RAMP).all()
    assert cell_m is None


def test_a_file_without_spacing_takes_it_from_the_scenario(tmp_path) -> None:
    elevation_m, cell_m = read_elevation(saved(tmp_path / "a.npy", RAMP), cell_m=7.5)

    assert elevation_m.shape == (3, 4)
    assert cell_m == 7.5


def test_a_window_is_columns_and_rows_from_the_north_west_its_ends_left_out(tmp_path) -> None:
    path = saved(tmp_path / "a.npy", RAMP)

    elevation_m, _ = read_elevation(path, window=(1, 0, 3, 2))

    assert elevation_m.tolist() == [[1, 2], [5, 6]]


def test_an_archive_gives_its_only_array_or_the_one_named_for_it(tmp_path) -> None:
    np.savez(tmp_path / "one.npz", anything=RAMP)
    np.savez_compressed(tmp_path / "two.npz", elevation_m=RAMP, water=RAMP * 0)

    assert (read_elevation(tmp_path / "one.npz")[0] == RAMP).all()
    assert read_elevation(tmp_path / "two.npz", window=(0, 1, 2, 3))[0].tolist() == [[4, 5], [8, 9]]


def test_sixteen_bits_of_grey_are_metres_or_a_share_of_the_range(tmp_path) -> None:
    greys = np.array([[0, 1000], [2000, 65535]], dtype=np.uint16)
    path = painted(tmp_path / "a.png", np.where(greys == 65535, 3000, greys).astype(np.uint16))
    full = painted(tmp_path / "b.png", greys)

    assert read_elevation(path)[0].tolist() == [[0, 1000], [2000, 3000]]
    spread, _ = read_elevation(full, low_m=-10, high_m=120)
    assert spread == pytest.approx(-10 + 130 * greys.astype(float) / 65535)
    assert spread[1, 1] == pytest.approx(120)


def test_eight_bits_of_grey_reach_white_at_255(tmp_path) -> None:
    path = painted(tmp_path / "a.png", np.array([[0, 255], [51, 102]], dtype=np.uint8))

    assert read_elevation(path)[0].tolist() == [[0, 255], [51, 102]]
    assert read_elevation(path, low_m=0, high_m=10)[0] == pytest.approx(np.array([[0, 10], [2, 4]]))


def test_a_geotiff_in_metres_keeps_its_cells(tmp_path) -> None:
    path = georeferenced(tmp_path / "a.tif", RAMP.astype(np.float32))

    elevation_m, cell_m = read_elevation(path)

    assert (elevation_m == RAMP).all()
    assert cell_m == 10.0


def test_a_geotiff_is_resampled_on_the_triangulated_surface(tmp_path) -> None:
    path = georeferenced(tmp_path / "a.tif", np.array([[0, 10], [20, 30]], dtype=np.float32))

    elevation_m, cell_m = read_elevation(path, cell_m=5)

    assert cell_m == 5
    # Centres at a quarter and three quarters of each cell; beyond the outer ones it goes on.
    assert elevation_m[0].tolist() == [0, 2.5, 7.5, 10]
    assert elevation_m[:, 0].tolist() == [0, 5, 15, 20]
    assert elevation_m[1, 1] == 2.5 + 5


def test_degrees_become_metres_at_the_latitude_of_the_middle(tmp_path) -> None:
    # 1 arc second at 60 degrees north: 15.5 m east, 30.9 m north.
    second = 1 / 3600
    path = georeferenced(
        tmp_path / "a.tif",
        np.tile(np.arange(40, dtype=np.int16), (20, 1)),
        crs="EPSG:4326",
        grid=(10.0, 60.0 + 10 * second, second, -second),
    )

    elevation_m, cell_m = read_elevation(path)

    assert cell_m == pytest.approx(15.5, abs=0.1)
    assert elevation_m.shape[1] == 40
    assert elevation_m.shape[0] == pytest.approx(20 * 30.95 / cell_m, abs=1)
    assert read_elevation(path, cell_m=30)[0].shape == (20, 20)


def test_a_degree_is_as_long_as_the_tables_of_the_ellipsoid_say() -> None:
    assert metres_per_degree(0) == pytest.approx((111_320, 110_574), abs=1)
    assert metres_per_degree(45) == pytest.approx((78_847, 111_132), abs=1)
    assert metres_per_degree(-60) == pytest.approx((55_800, 111_412), abs=1)


def test_feet_along_the_ground_become_metres(tmp_path) -> None:
    path = georeferenced(tmp_path / "a.tif", RAMP.astype(np.float32), crs="EPSG:2263")

    assert read_elevation(path)[1] == pytest.approx(3.048, abs=1e-4)


def test_a_raster_with_south_on_top_is_turned_over(tmp_path) -> None:
    path = georeferenced(
        tmp_path / "a.tif", RAMP.astype(np.float32), grid=(500_000, 5_000_000, 10, 10)
    )

    assert (read_elevation(path)[0] == RAMP[::-1]).all()
    assert (read_elevation(path, window=(0, 0, 4, 2))[0] == RAMP[:0:-1]).all()


def test_a_geotiff_without_a_reference_system_has_no_spacing(tmp_path) -> None:
    path = georeferenced(tmp_path / "a.tif", RAMP.astype(np.float32), crs=None)

    assert read_elevation(path)[1] is None


def test_few_holes_are_filled_from_their_rims(tmp_path) -> None:
    band = np.full((10, 10), 8, dtype=np.int16)
    band[4, 4:6] = -32768

    elevation_m, _ = read_elevation(georeferenced(tmp_path / "a.tif", band, nodata=-32768))

    assert (elevation_m == 8).all()


@pytest.mark.skipif(not JASPER.exists(), reason="the elevation of Jasper is not on this machine")
def test_real_mountains_are_cut_and_resampled() -> None:
    elevation_m, cell_m = read_elevation(JASPER, window=(100, 100, 140, 120), cell_m=25)

    assert cell_m == 25
    assert elevation_m.shape == (80, 160)
    assert 951 < elevation_m.min() < elevation_m.max() < 2581


def test_without_rasterio_the_line_says_what_to_install(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "rasterio", None)
    path = tmp_path / "a.tif"
    path.write_bytes(b"II*\0")

    with pytest.raises(MissingExtraError, match=r"emlia3d\[geo\]"):
        read_elevation(path)


def test_a_file_beside_the_scenario_or_below_it_is_found(tmp_path) -> None:
    (tmp_path / "maps").mkdir()
    for name in ("a.npy", "maps/b.npy"):
        (tmp_path / name).write_bytes(b"")

    assert sibling_path(tmp_path, "a.npy") == (tmp_path / "a.npy").resolve()
    assert sibling_path(tmp_path, "maps/b.npy") == (tmp_path / "maps/b.npy").resolve()


def test_a_link_may_not_lead_out_of_the_folder(tmp_path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.npy").write_bytes(b"")
    (home / "a.npy").write_bytes(b"")
    (home / "out.npy").symlink_to(tmp_path / "secret.npy")
    (home / "in.npy").symlink_to(home / "a.npy")
    (home / "round.npy").symlink_to(home / "round.npy")

    with pytest.raises(FileError, match="link points outside"):
        sibling_path(home, "out.npy")
    with pytest.raises(FileError):
        sibling_path(home, "round.npy")
    assert sibling_path(home, "in.npy") == (home / "a.npy").resolve()
