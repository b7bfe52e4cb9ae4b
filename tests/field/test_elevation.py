from __future__ import annotations

import io
import math
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field import beside, read_elevation
from emlia3d.field.raster_files import metres_per_degree

JASPER = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"

RAMP = np.arange(12.0).reshape(3, 4)


def saved(path: Path, array: np.ndarray) -> Path:
    np.save(path, array)
    return path


def painted(path: Path, greys: np.ndarray) -> Path:
    Image.fromarray(greys).save(path)
    return path


def georeferenced(path: Path, band: np.ndarray, **profile: object) -> Path:
    rasterio = pytest.importorskip("rasterio")
    rows, columns = band.shape
    west, north, east_step, north_step = profile.pop("grid", (500_000, 5_000_000, 10, -10))
    transform = rasterio.Affine(east_step, 0, west, 0, north_step, north)
    profile = {"crs": "EPSG:32632", "transform": transform, "dtype": band.dtype} | profile
    with rasterio.open(
        path, "w", driver="GTiff", width=columns, height=rows, count=1, **profile
    ) as file:
        file.write(band, 1)
    return path


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


def test_a_missing_piece_is_refused(tmp_path) -> None:
    band = np.full((10, 10), 8, dtype=np.int16)
    band[:3] = -32768
    path = georeferenced(tmp_path / "a.tif", band, nodata=-32768)

    with pytest.raises(FileError, match="30% of it has no data"):
        read_elevation(path)
    assert read_elevation(path, window=(0, 3, 10, 10))[0].shape == (7, 10)


def test_a_geotiff_cut_short_is_told(tmp_path) -> None:
    path = georeferenced(tmp_path / "a.tif", np.zeros((64, 64), dtype=np.float32))
    path.write_bytes(path.read_bytes()[:-9000])

    with pytest.raises(FileError, match="not a readable GeoTIFF"):
        read_elevation(path)


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


def archived(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("_npy", ".npy"), text)
    return path


def array_bytes(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def boasting(shape: str) -> bytes:
    """An array file that claims a shape and holds nothing."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (117 - len(header)) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


class Bomb:
    """Something that a careless reader would run."""

    def __reduce__(self):
        return (print, ("a stranger's code ran",))


BAD = {
    "words.npy": (b"not an array", "not a readable NumPy file"),
    "empty.npy": (b"", "not a readable NumPy file"),
    "short.npy": (array_bytes(RAMP)[:-9], "not a readable NumPy file"),
    "line.npy": (array_bytes(np.zeros(5)), "has 1 dimensions"),
    "cube.npy": (array_bytes(np.zeros((2, 2, 2))), "has 3 dimensions"),
    "small.npy": (array_bytes(np.zeros((1, 5))), "at least 2 rows"),
    "none.npy": (array_bytes(np.zeros((0, 5))), "window|at least 2 rows"),
    "complex.npy": (array_bytes(np.zeros((2, 2), dtype=complex)), "holds complex128"),
    "text.npy": (array_bytes(np.full((2, 2), "high")), "holds <U4"),
    "truth.npy": (array_bytes(np.ones((2, 2), dtype=bool)), "holds bool"),
    "hole.npy": (array_bytes(np.array([[0, math.nan], [0, 0]])), "no numbers"),
    "endless.npy": (array_bytes(np.array([[0, math.inf], [0, 0]])), "no numbers"),
    "far.npy": (array_bytes(np.full((2, 2), 32_768.0)), "beyond 20000 m"),
    "pickled.npy": (array_bytes(np.array([[Bomb(), 1], [2, 3]], dtype=object)), "not a readable"),
    "boast.npy": (boasting("(90000, 90000)"), "not a readable NumPy file"),
    "words.npz": (b"not an archive", "not a readable NumPy file"),
    "words.png": (b"not a picture", "not a readable PNG"),
    "words.tif": (b"not a raster", "not a readable GeoTIFF"),
    "words.txt": (b"", "elevation comes from"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_in_one_line_that_names_it(tmp_path, name, capsys) -> None:
    content, why = BAD[name]
    path = tmp_path / name
    path.write_bytes(content)
    if name.endswith(".tif"):
        pytest.importorskip("rasterio")

    with pytest.raises(FileError, match=why) as found:
        read_elevation(path)

    assert str(found.value).startswith(f"{path}: ")
    assert "\n" not in str(found.value)
    assert capsys.readouterr().out == ""


def test_bad_archives_are_told_in_one_line(tmp_path) -> None:
    ramp = array_bytes(RAMP)
    cases = [
        (archived(tmp_path / "none.npz"), "exactly one array"),
        (archived(tmp_path / "two.npz", a_npy=ramp, b_npy=ramp), "exactly one array"),
        (archived(tmp_path / "cut.npz", a_npy=ramp[:-8]), "not a readable NumPy file"),
        (archived(tmp_path / "boast.npz", a_npy=boasting("(90000, 90000)")), "too large"),
        (archived(tmp_path / "huge.npz", a_npy=boasting("(8000, 8000)")), "not a readable"),
    ]

    for path, why in cases:
        with pytest.raises(FileError, match=why):
            read_elevation(path)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "LA", "1"])
def test_a_picture_that_is_not_grey_is_refused(tmp_path, mode) -> None:
    Image.new("RGB", (4, 4), "green").convert(mode).save(tmp_path / "a.png")

    with pytest.raises(FileError, match="not a greyscale picture"):
        read_elevation(tmp_path / "a.png")


def test_another_format_under_the_name_of_png_is_not_opened(tmp_path) -> None:
    Image.new("L", (4, 4)).save(tmp_path / "a.png", format="GIF")

    with pytest.raises(FileError, match="not a readable PNG"):
        read_elevation(tmp_path / "a.png")


def test_a_picture_cut_short_is_told(tmp_path) -> None:
    noise = np.random.Generator(np.random.PCG64(1)).integers(0, 65535, (64, 64))
    path = painted(tmp_path / "a.png", noise.astype(np.uint16))
    path.write_bytes(path.read_bytes()[:3000])

    with pytest.raises(FileError, match="not a readable PNG"):
        read_elevation(path)


def test_a_raster_that_is_too_large_is_refused_but_for_a_window(tmp_path) -> None:
    path = saved(tmp_path / "a.npy", np.zeros((2, 8193), dtype=np.uint8))
    picture = painted(tmp_path / "a.png", np.zeros((2, 8193), dtype=np.uint8))

    for file in (path, picture):
        with pytest.raises(FileError, match="too large; at most 8192"):
            read_elevation(file)
    assert read_elevation(path, window=(8000, 0, 8193, 2))[0].shape == (2, 193)


def test_a_picture_with_billions_of_cells_is_not_unpacked(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 8)

    for side in (4, 3):
        path = painted(tmp_path / "a.png", np.zeros((side, side * 3), dtype=np.uint8))
        with pytest.raises(FileError, match="too large"):
            read_elevation(path)


def test_more_than_one_band_or_a_turned_grid_is_no_elevation(tmp_path) -> None:
    rasterio = pytest.importorskip("rasterio")
    profile = {"driver": "GTiff", "width": 4, "height": 4, "dtype": "uint8", "crs": "EPSG:32632"}
    turned = rasterio.Affine(8, 6, 0, 6, -8, 0)
    with rasterio.open(
        tmp_path / "a.tif", "w", count=3, transform=rasterio.Affine.scale(10, -10), **profile
    ):
        pass
    with rasterio.open(tmp_path / "b.tif", "w", count=1, transform=turned, **profile):
        pass

    with pytest.raises(FileError, match="has 3 bands"):
        read_elevation(tmp_path / "a.tif")
    with pytest.raises(FileError, match="is turned or mirrored"):
        read_elevation(tmp_path / "b.tif")


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"window": (0, 0, 5, 3)}, "does not lie in its 4 columns and 3 rows"),
        ({"window": (-1, 0, 2, 2)}, "does not lie in"),
        ({"window": (2, 0, 1, 2)}, "does not lie in"),
        ({"window": (0, 0, 1, 3)}, "at least 2 rows"),
        ({"cell_m": 0}, "cell_m is a number of metres above 0"),
        ({"cell_m": math.nan}, "cell_m is a number of metres above 0"),
        ({"low_m": 0, "high_m": 9}, "only a picture"),
    ],
)
def test_a_wish_that_cannot_be_met_is_told(tmp_path, wish, why) -> None:
    path = saved(tmp_path / "a.npy", RAMP)

    with pytest.raises(FileError, match=why):
        read_elevation(path, **wish)


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"low_m": 5}, "belong together"),
        ({"low_m": 5, "high_m": 5}, "low_m is below high_m"),
        ({"low_m": 5, "high_m": math.inf}, "low_m is below high_m"),
    ],
)
def test_black_and_white_are_both_given_and_rise(tmp_path, wish, why) -> None:
    path = painted(tmp_path / "a.png", np.zeros((3, 3), dtype=np.uint8))

    with pytest.raises(FileError, match=why):
        read_elevation(path, **wish)


@pytest.mark.parametrize(("cell_m", "why"), [(900, "too large for"), (0.001, "at most 8192")])
def test_cells_out_of_all_proportion_are_refused(tmp_path, cell_m, why) -> None:
    path = georeferenced(tmp_path / "a.tif", RAMP.astype(np.float32))

    with pytest.raises(FileError, match=why):
        read_elevation(path, cell_m=cell_m)


def test_a_file_that_is_not_there_is_told(tmp_path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        read_elevation(tmp_path / "a.npy")


def test_a_file_beside_the_scenario_or_below_it_is_found(tmp_path) -> None:
    (tmp_path / "maps").mkdir()
    for name in ("a.npy", "maps/b.npy"):
        (tmp_path / name).write_bytes(b"")

    assert beside(tmp_path, "a.npy") == (tmp_path / "a.npy").resolve()
    assert beside(tmp_path, "maps/b.npy") == (tmp_path / "maps/b.npy").resolve()


@pytest.mark.parametrize(
    "name",
    [
        "../secret.npy",
        "maps/../../secret.npy",
        "maps/../a.npy",
        "/etc/passwd",
        "\\\\server\\share",
        "..\\secret.npy",
        "C:\\secret.npy",
        "C:secret.npy",
        "",
        "  ",
        "a\0b",
        "nothing.npy",
        "maps",
        "x" * 5000,
    ],
)
def test_a_name_that_leads_out_of_the_folder_or_nowhere_is_refused(tmp_path, name) -> None:
    home = tmp_path / "home"
    (home / "maps").mkdir(parents=True)
    (home / "a.npy").write_bytes(b"")
    (tmp_path / "secret.npy").write_bytes(b"")

    with pytest.raises(FileError):
        beside(home, name)


def test_a_link_may_not_lead_out_of_the_folder(tmp_path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.npy").write_bytes(b"")
    (home / "a.npy").write_bytes(b"")
    (home / "out.npy").symlink_to(tmp_path / "secret.npy")
    (home / "in.npy").symlink_to(home / "a.npy")
    (home / "round.npy").symlink_to(home / "round.npy")

    with pytest.raises(FileError, match="leads out"):
        beside(home, "out.npy")
    with pytest.raises(FileError):
        beside(home, "round.npy")
    assert beside(home, "in.npy") == (home / "a.npy").resolve()
