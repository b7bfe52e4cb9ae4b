"""Virtual rasters (VRT): which files one is made of, checked before GDAL opens it.

A virtual raster is a text that names other files, and may name web addresses or run code. Only
mosaics of files that lie beside it are read.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml

from emlia3d.errors import FileError
from emlia3d.field.elevation import beside
from emlia3d.field.raster import RasterFormatError

MOST_BYTES = 2**20
"""Size of a virtual raster's text at most."""

SOURCES = (".tif", ".tiff", ".asc", ".hgt", ".dem", ".bil", ".flt")
"""Endings of files that one may be made of."""

_ALLOWED = {
    "VRTDataset", "SRS", "GeoTransform", "Metadata", "MDI", "VRTRasterBand", "NoDataValue",
    "ColorInterp", "Description", "UnitType", "Offset", "Scale", "HideNoDataValue", "SimpleSource",
    "ComplexSource", "SourceFilename", "SourceBand", "SourceProperties", "SrcRect", "DstRect",
    "NODATA", "ScaleOffset", "ScaleRatio", "BlockXSize", "BlockYSize",
}  # fmt: skip


def sources_of(path: Path) -> list[Path]:
    """Return the files that a virtual raster is made of.

    Raises
    ------
    RasterFormatError
        It is too large, holds anything else than a mosaic, or names a file that does not lie
        beside it.
    """
    if path.stat().st_size > MOST_BYTES:
        raise RasterFormatError(f"a virtual raster has at most {MOST_BYTES} bytes")
    try:
        root = Xml.fromstring(path.read_bytes())
    except Xml.ParseError as fault:
        raise RasterFormatError("not a readable virtual raster") from fault
    found = []
    for element in root.iter():
        if element.tag not in _ALLOWED or "subClass" in element.attrib:
            what = element.attrib.get("subClass", element.tag)
            raise RasterFormatError(
                f"a virtual raster is read if it is a mosaic of files beside it; it has {what}"
            )
        if element.tag == "SourceFilename":
            found.append(_source(path, element))
    if not found:
        raise RasterFormatError("this virtual raster names no file")
    return found


def _source(path: Path, element: Xml.Element) -> Path:
    name = (element.text or "").strip()
    if element.attrib.get("relativeToVRT") != "1":
        raise RasterFormatError(f"names {name}, not from its own folder (relativeToVRT)")
    if Path(name).suffix.lower() not in SOURCES:
        raise RasterFormatError(f"is made of {name}; expected files ending in {', '.join(SOURCES)}")
    try:
        return beside(path.parent, name)
    except FileError as fault:
        raise RasterFormatError(str(fault)) from fault
