"""A file that the program writes is the old one or the new one, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import shapely

from emlia3d.atomic_write import atomic_write
from emlia3d.field import write_geotiff
from emlia3d.field.vector_files import write_vectors


def tif(path: Path, *, fails: bool = False) -> None:
    """Write a raster; more names than bands make it fail after the band is written."""
    write_geotiff(
        path, np.zeros((1, 40, 40)), crs=None, transform=(1, 0, 0, 0, -1, 40),
        names=["a", "b"] if fails else ["a"], tags={},
    )  # fmt: skip


def map_of(path: Path, *, fails: bool = False) -> None:
    """Write a vector map; a column that is too short makes it fail."""
    values = np.arange(0 if fails else 1)
    write_vectors(path, np.array([shapely.Point(1, 2)]), {"n": values}, None)


def words(path: Path, *, fails: bool = False) -> None:
    with atomic_write(path) as fresh:
        fresh.write_text("new")
        if fails:
            raise OSError(28, "No space left on device")


WRITERS = [("a.tif", tif), ("a.gpkg", map_of), ("a.geojson", map_of), ("a.txt", words)]


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_a_file_that_fails_half_way_stays_as_it_was(
    tmp_path: Path, name: str, write: Callable[..., None]
) -> None:
    pytest.importorskip("rasterio")
    pytest.importorskip("pyogrio")
    (tmp_path / name).write_text("old")

    with pytest.raises(Exception):  # noqa: B017, PT011  whatever the writer raises
        write(tmp_path / name, fails=True)

    assert (tmp_path / name).read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_a_file_is_replaced_and_no_other_file_is_touched(
    tmp_path: Path, name: str, write: Callable[..., None]
) -> None:
    pytest.importorskip("rasterio")
    pytest.importorskip("pyogrio")
    stem, _, ending = name.partition(".")
    others = [f".{stem}.new.{ending}", f".{stem}.1.new.{ending}"]
    for other in (name, *others):
        (tmp_path / other).write_text("old")

    write(tmp_path / name)

    assert (tmp_path / name).read_bytes() != b"old"
    assert [(tmp_path / other).read_text() for other in others] == ["old", "old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, *others])
