"""Reading a raster and laying it on a field stay within 14 bytes a cell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from emlia3d.field import Ground, read_elevation
from emlia3d.field.resampling import resampled
from tests.field.elevation_files import georeferenced, painted, saved

SIDE = 4096
BYTES_A_CELL = 14
# What does not grow with the raster: the decoders' caches and one block of rows.
CONSTANT = 48 * 2**20

PEAK = """
import resource, sys
from pathlib import Path
from PIL import Image
from emlia3d.field import georeference_of, read_elevation
from emlia3d.scenario import review
try:
    import rasterio.errors
except ImportError:
    pass
path, scenario = map(Path, sys.argv[1:])
def peak():
    # Kibibytes, but bytes on macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
before = peak()
if scenario.name:
    mistakes = [str(one) for one in review(scenario).mistakes]
    assert not any("ground" in one for one in mistakes), mistakes
else:
    read_elevation(path)
print(peak() - before)
"""

SCENARIO = """
format = 1
title = "Large"
rules = "emlia"
turns = 1
[field]
size = [{east}, 4000]
metres_per_gsu = 10.0
ground = "{name}"
"""


def peak_of(path: Path, scenario: Path | None = None) -> int:
    """How much the peak memory of a process grows by reading, bytes."""
    words = [sys.executable, "-c", PEAK, path, scenario or ""]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(done.stdout)


def slope(kind: type[np.generic] = np.float64) -> np.ndarray:
    return np.add.outer(np.arange(SIDE) % 700, np.arange(SIDE) % 500).astype(kind)


def an_array(path: Path) -> Path:
    return saved(path.with_suffix(".npy"), slope())


def an_array_by_columns(path: Path) -> Path:
    return saved(path.with_suffix(".npy"), np.asfortranarray(slope()))


def an_archive(path: Path) -> Path:
    np.savez_compressed(path.with_suffix(".npz"), np.zeros((SIDE, SIDE)))
    return path.with_suffix(".npz")


def a_picture(path: Path) -> Path:
    return painted(path.with_suffix(".png"), slope(np.uint16))


def a_geotiff(path: Path) -> Path:
    return georeferenced(path.with_suffix(".tif"), np.zeros((SIDE, SIDE)), compress="deflate")


def a_geotiff_with_holes(path: Path) -> Path:
    band = slope(np.float32)
    band[100:900, 200:1100] = -9999
    return georeferenced(
        path.with_suffix(".tif"), band, nodata=-9999, tiled=True, blockxsize=512, blockysize=512
    )


def an_oblong_geotiff(path: Path) -> Path:
    band = slope(np.float32)
    return georeferenced(path.with_suffix(".tif"), band, grid=(5e5, 5e6, 9.9, -10))


FILES = [
    an_array,
    an_array_by_columns,
    an_archive,
    a_picture,
    a_geotiff,
    a_geotiff_with_holes,
    an_oblong_geotiff,
]


@pytest.mark.slow
@pytest.mark.parametrize("made", FILES, ids=lambda made: made.__name__)
def test_a_raster_is_read_in_14_bytes_a_cell(tmp_path: Path, made) -> None:
    assert peak_of(made(tmp_path / "a")) <= BYTES_A_CELL * SIDE**2 + CONSTANT


@pytest.mark.slow
@pytest.mark.parametrize("made", [an_archive, a_picture, a_geotiff], ids=lambda made: made.__name__)
@pytest.mark.parametrize("east", [4000, 3900])
def test_a_scenario_lays_a_raster_in_14_bytes_a_cell(tmp_path: Path, made, east: int) -> None:
    path = made(tmp_path / "a")
    scenario = tmp_path / "a.toml"
    scenario.write_text(SCENARIO.format(east=east, name=path.name))

    assert peak_of(path, scenario) <= BYTES_A_CELL * SIDE**2 + CONSTANT


def test_a_small_window_of_a_large_file_costs_little(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", np.zeros((SIDE, SIDE), dtype=np.uint8))
    script = PEAK.replace("read_elevation(path)", "read_elevation(path, window=(9, 9, 99, 99))")

    words = [sys.executable, "-c", script, tmp_path / "a.npz", ""]
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert int(done.stdout) < CONSTANT / 2


@pytest.mark.parametrize("cell", [7.0, 9.5, 10.0, 31.0])
@pytest.mark.parametrize("shape", [(2, 2), (61, 40), (40, 61), (1, 9)])
def test_what_is_overwritten_has_the_same_bits(monkeypatch, cell: float, shape) -> None:
    monkeypatch.setattr("emlia3d.geometry.ground_surface.BLOCK_BYTES", 512)
    raster = np.random.Generator(np.random.PCG64(3)).random(shape)
    size = (shape[1] * 9.0, shape[0] * 8.5)

    kept = resampled(raster, (9.0, 10.0), size, cell)
    used = resampled(raster.copy(), (9.0, 10.0), size, cell, overwrite=True)

    np.testing.assert_array_equal(used, kept)


@pytest.mark.parametrize("size", [(400.0, 300.0), (390.0, 300.0), (390.0, 280.0), (395.0, 283.0)])
def test_ground_laid_in_place_is_the_same_ground(size: tuple[float, float]) -> None:
    raster = np.random.Generator(np.random.PCG64(4)).random((30, 40))

    for lay in (
        lambda given, **how: Ground.laid(given, size, 10.0, **how),
        lambda given, **how: Ground.stretched(given, size, **how),
    ):
        kept, used = lay(raster), lay(raster.copy(), overwrite=True)

        assert used.digest == kept.digest
        assert not used.elevation_m.flags.writeable
        assert raster.flags.writeable


def test_ground_copies_what_others_may_still_write() -> None:
    raster = np.zeros((2, 2))
    view = raster[:]
    view.flags.writeable = False

    ground = Ground(elevation_m=view, size=(2.0, 2.0), cell=1.0)
    raster[0, 0] = 9

    assert ground.elevation_m[0, 0] == 0


def test_too_many_cells_are_refused_before_the_data(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.npy", np.zeros((2, 2)))
    head = path.read_bytes()[:128].replace(b"(2, 2), ", b"(8193, 8193), ")
    path.write_bytes(head.replace(b"(8193, 8193), }      ", b"(8193, 8193), }"))

    with pytest.raises(ValueError, match="too large; at most 8192"):
        read_elevation(path)
