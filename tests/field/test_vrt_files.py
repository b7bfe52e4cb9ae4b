"""A virtual raster is read as a mosaic of GeoTIFFs beside it, and can name nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.errors import FileError
from emlia3d.field import read_raster
from tests.field.elevation_files import georeferenced

pytest.importorskip("rasterio")

WEST = np.arange(100.0, 112).reshape(3, 4).astype(np.float32)
EAST = WEST + 50

HEAD = """<VRTDataset rasterXSize="8" rasterYSize="3">
  <SRS dataAxisToSRSAxisMapping="1,2">EPSG:32632</SRS>
  <GeoTransform>500000, 10, 0, 5000000, 0, -10</GeoTransform>
  <VRTRasterBand dataType="Float32" band="1">
    <UnitType>m</UnitType>
"""
TAIL = "  </VRTRasterBand>\n</VRTDataset>\n"


def tile(name: str, left: int) -> str:
    return f"""<SimpleSource>
      <SourceFilename relativeToVRT="1">{name}</SourceFilename>
      <SourceBand>1</SourceBand>
      <SrcRect xOff="0" yOff="0" xSize="4" ySize="3" />
      <DstRect xOff="{left}" yOff="0" xSize="4" ySize="3" />
    </SimpleSource>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    georeferenced(tmp_path / "in" / "west.tif", WEST)
    georeferenced(tmp_path / "in" / "east.tif", EAST, grid=(500_040, 5_000_000, 10, -10))
    georeferenced(tmp_path / "outside.tif", WEST)
    return tmp_path / "in"


def virtual(folder: Path, text: str) -> Path:
    path = folder / "a.vrt"
    path.write_text(text)
    return path


def test_a_mosaic_is_read_as_one_raster(folder: Path) -> None:
    path = virtual(folder, HEAD + tile("west.tif", 0) + tile("east.tif", 4) + TAIL)

    raster = read_raster(path)

    np.testing.assert_array_equal(raster.elevation_m, np.hstack([WEST, EAST]))
    assert raster.spacing_m == (10, 10)
    assert raster.notes == ()


GOOD = HEAD + tile("west.tif", 0) + TAIL
BAD = {
    "outside": (HEAD + tile("../outside.tif", 0) + TAIL, "lies within it"),
    "absolute": (HEAD + tile("/etc/hostname", 0) + TAIL, "files beside the virtual raster"),
    "not relative": (GOOD.replace('relativeToVRT="1"', 'relativeToVRT="0"'), "relativeToVRT 1"),
    "url": (HEAD + tile("/vsicurl/http://a.example/a.tif", 0) + TAIL, "files beside"),
    "subdataset": (HEAD + tile("GTIFF_DIR:1:west.tif", 0) + TAIL, "got 'GTIFF_DIR"),
    "missing": (HEAD + tile("north.tif", 0) + TAIL, "there is no such file"),
    "nested": (HEAD + tile("nested.tif", 0) + TAIL, "expected GeoTIFFs .* got 'nested.tif'"),
    "derived": (
        GOOD.replace("<VRTRasterBand ", '<VRTRasterBand subClass="VRTDerivedRasterBand" '),
        "plain mosaic, got subClass",
    ),
    "pixel function": (
        GOOD.replace("<UnitType>m</UnitType>", "<PixelFunctionType>sqrt</PixelFunctionType>"),
        "plain mosaic, got PixelFunctionType",
    ),
    "name as attribute": (
        GOOD.replace("<SimpleSource>", '<SimpleSource SourceFilename="/etc/hostname">'),
        "plain mosaic, got SourceFilename",
    ),
    "warped": (GOOD.replace("SimpleSource", "KernelFilteredSource"), "got KernelFilteredSource"),
    "entity": ('<!DOCTYPE a [<!ENTITY b "c">]>' + GOOD, "plain XML"),
    "comment": (GOOD.replace(TAIL, "<!-- -->" + TAIL), "plain XML"),
    "long": (GOOD + " " * 2**20, "at most 1048576 bytes"),
    "no source": (HEAD + TAIL, "1 to 256 files, got 0"),
    "many sources": (HEAD + tile("west.tif", 0) * 257 + TAIL, "1 to 256 files, got 257"),
    "system by address": (
        GOOD.replace("EPSG:32632", "http://a.example/crs"),
        "its SRS as a code or as WKT",
    ),
    "no XML": ("mosaic", "not a readable virtual raster"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_virtual_raster_that_names_anything_else_is_refused(folder: Path, name: str) -> None:
    text, why = BAD[name]
    (folder / "nested.tif").write_text(GOOD)
    path = virtual(folder, text)

    with pytest.raises(FileError, match=why) as found:
        read_raster(path)

    assert str(found.value).startswith(f"{path}: ")
    assert "\n" not in str(found.value)


def test_a_link_out_of_the_folder_is_no_source(folder: Path) -> None:
    (folder / "link.tif").symlink_to(folder.parent / "outside.tif")

    with pytest.raises(FileError, match="the link points outside"):
        read_raster(virtual(folder, HEAD + tile("link.tif", 0) + TAIL))
