"""Elevation that cannot be taken is told in one line that names it."""

from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emlia3d.errors import FileError
from emlia3d.field import read_elevation, sibling_path
from tests.field.elevation_files import RAMP, georeferenced, painted, saved


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
    "short.npy": (array_bytes(RAMP)[:-9], "expected 96 bytes of data .*, got 87"),
    "line.npy": (array_bytes(np.zeros(5)), "has 1 dimensions"),
    "cube.npy": (array_bytes(np.zeros((2, 2, 2))), "has 3 dimensions"),
    "small.npy": (array_bytes(np.zeros((1, 5))), "at least 2 rows"),
    "none.npy": (array_bytes(np.zeros((0, 5))), "window|at least 2 rows"),
    "complex.npy": (array_bytes(np.zeros((2, 2), dtype=complex)), "holds <c16"),
    "text.npy": (array_bytes(np.full((2, 2), "high")), "holds <U4"),
    "truth.npy": (array_bytes(np.ones((2, 2), dtype=bool)), "holds .b1"),
    "hole.npy": (array_bytes(np.array([[0, math.nan], [0, 0]])), "no numbers"),
    "endless.npy": (array_bytes(np.array([[0, math.inf], [0, 0]])), "no numbers"),
    "far.npy": (array_bytes(np.full((2, 2), 32_768.0)), "beyond 20000 m"),
    "pickled.npy": (array_bytes(np.array([[Bomb(), 1], [2, 3]], dtype=object)), "holds .O"),
    "boast.npy": (boasting("(90000, 90000)"), "too large"),
    "words.npz": (b"not an archive", "not a readable NumPy file"),
    "words.png": (b"not a picture", "not a readable PNG"),
    "words.tif": (b"not a raster", "not a readable GeoTIFF"),
    "words.txt": (b"", "elevation comes from"),
}


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
        (archived(tmp_path / "cut.npz", a_npy=ramp[:-8]), "expected 96 bytes"),
        (archived(tmp_path / "boast.npz", a_npy=boasting("(90000, 90000)")), "too large"),
        (
            archived(tmp_path / "huge.npz", a_npy=boasting("(8000, 8000)")),
            "expected 512000000 bytes",
        ),
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
        ({"cell_m": 0}, "cell_m: expected a number of metres above 0"),
        ({"cell_m": math.nan}, "cell_m: expected a number of metres above 0"),
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
        sibling_path(home, name)
