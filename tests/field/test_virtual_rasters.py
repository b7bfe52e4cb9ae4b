"""Virtual rasters are read if they are mosaics of files beside them, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.errors import FileError
from emlia3d.field import read_raster

rasterio = pytest.importorskip("rasterio")

HEIGHTS = np.arange(24, dtype=np.float32).reshape(4, 6)

MOSAIC = """<VRTDataset rasterXSize="6" rasterYSize="4">
  <SRS>EPSG:32632</SRS>
  <GeoTransform>500000, 10, 0, 5000000, 0, -10</GeoTransform>
  <VRTRasterBand dataType="Float32" band="1">
    {source}
  </VRTRasterBand>
</VRTDataset>"""
SOURCE = """<SimpleSource>
  <SourceFilename relativeToVRT="{relative}">{name}</SourceFilename>
  <SourceBand>1</SourceBand>
  <SrcRect xOff="0" yOff="0" xSize="6" ySize="4"/><DstRect xOff="0" yOff="0" xSize="6" ySize="4"/>
</SimpleSource>"""


def mosaic(folder: Path, name: str = "a.tif", relative: int = 1, source: str = SOURCE) -> Path:
    with rasterio.open(
        folder / "a.tif", "w", driver="GTiff", width=6, height=4, count=1, dtype="float32",
        crs="EPSG:32632", transform=rasterio.Affine(10, 0, 500_000, 0, -10, 5_000_000),
    ) as file:  # fmt: skip
        file.write(HEIGHTS, 1)
    path = folder / "mosaic.vrt"
    path.write_text(MOSAIC.format(source=source.format(name=name, relative=relative)))
    return path


def test_a_mosaic_of_a_file_beside_it_is_read(tmp_path: Path) -> None:
    found = read_raster(mosaic(tmp_path))

    assert np.array_equal(found.elevation_m, HEIGHTS)
    assert found.transform == (10, 0, 500_000, 0, -10, 5_000_000)


@pytest.mark.parametrize(
    ("name", "relative", "why"),
    [
        ("/etc/hostname.tif", 0, "not from its own folder"),
        ("../a.tif", 1, "lies within it"),
        ("b.tif", 1, "there is no such file"),
        ("/vsicurl/http://localhost/a.tif", 1, "a file is named from the scenario's folder"),
        ("mosaic.vrt", 1, "expected files ending in .tif"),
    ],
)
def test_a_source_elsewhere_is_refused(tmp_path: Path, name: str, relative: int, why: str) -> None:
    with pytest.raises(FileError, match=why):
        read_raster(mosaic(tmp_path, name, relative))


def test_a_source_that_is_a_virtual_raster_by_another_name_is_refused(tmp_path: Path) -> None:
    path = mosaic(tmp_path, "b.tif")
    (tmp_path / "b.tif").write_text(MOSAIC.format(source=SOURCE.format(name="a.tif", relative=1)))

    with pytest.raises(FileError, match="not a readable"):
        read_raster(path)


@pytest.mark.parametrize(
    "source",
    [
        "<PixelFunctionType>mean</PixelFunctionType>",
        "<PixelFunctionCode>import os</PixelFunctionCode>",
        "<KernelFilteredSource></KernelFilteredSource>",
        "<ArraySource></ArraySource>",
        "<MaskBand></MaskBand>",
    ],
)
def test_anything_but_a_mosaic_is_refused(tmp_path: Path, source: str) -> None:
    with pytest.raises(FileError, match="if it is a mosaic of files beside it"):
        read_raster(mosaic(tmp_path, source=source + SOURCE))


def test_a_band_that_runs_code_is_refused(tmp_path: Path) -> None:
    path = mosaic(tmp_path)
    path.write_text(
        path.read_text().replace(
            "<VRTRasterBand ", '<VRTRasterBand subClass="VRTDerivedRasterBand" '
        )
    )

    with pytest.raises(FileError, match="it has VRTDerivedRasterBand"):
        read_raster(path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<VRTDataset>", "not a readable virtual raster"),
        ("<VRTDataset/>", "names no file"),
        (f"<VRTDataset>{' ' * 2**20}</VRTDataset>", "at most 1048576 bytes"),
    ],
)
def test_a_damaged_virtual_raster_is_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "a.vrt"
    path.write_text(text)

    with pytest.raises(FileError, match=why):
        read_raster(path)
