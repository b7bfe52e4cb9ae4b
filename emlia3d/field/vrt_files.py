"""GDAL's virtual rasters (.vrt): mosaics of GeoTIFFs beside them, and nothing else.

A VRT can name files, URLs and code. It is parsed before GDAL opens it: only elements and
attributes of a plain mosaic are allowed, and each source is a TIFF in the folder of the VRT or
below.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from emlia3d.errors import FileError
from emlia3d.field.raster import RasterFormatError
from emlia3d.field.sibling_files import sibling_path

_MOST_BYTES = 2**20
_MOST_SOURCES = 256

# Only a TIFF begins so. GDAL finds the format of a source by its first bytes, not by its name.
_TIFF_MAGIC = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")

_ELEMENTS = frozenset(
    {
        "VRTDataset", "SRS", "GeoTransform", "Metadata", "MDI", "VRTRasterBand", "NoDataValue",
        "UnitType", "Offset", "Scale", "ColorInterp", "Description", "SimpleSource",
        "ComplexSource", "SourceFilename", "SourceBand", "SourceProperties", "SrcRect", "DstRect",
        "NODATA", "ScaleOffset", "ScaleRatio", "HideNoDataValue",
    }
)  # fmt: skip

# GDAL reads an attribute like an element of its name, so these are listed too.
_ATTRIBUTES = frozenset(
    {
        "rasterXSize", "rasterYSize", "dataType", "band", "relativeToVRT", "shared", "RasterXSize",
        "RasterYSize", "DataType", "BlockXSize", "BlockYSize", "blockXSize", "blockYSize", "xOff",
        "yOff", "xSize", "ySize", "key", "dataAxisToSRSAxisMapping", "resampling",
    }
)  # fmt: skip


# A code such as EPSG:32632, or WKT; GDAL takes other words for files and URLs.
_SRS = re.compile(r"\s*(?:[A-Z]+:[0-9]+\s*\Z|[A-Z_]+\[)")


def sources_of(path: Path) -> list[Path]:
    """Return the GeoTIFFs of a virtual raster.

    Raises
    ------
    RasterFormatError
        If it is not a plain mosaic of GeoTIFFs beside it.
    """
    with path.open("rb") as stream:
        raw = stream.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise RasterFormatError(f"expected a virtual raster of at most {_MOST_BYTES} bytes")
    # No declaration of entities, comment or other encoding: GDAL's own parser reads them otherwise.
    if b"<!" in raw or b"<?" in raw.removeprefix(b"<?xml ") or not raw.isascii():
        raise RasterFormatError(
            "expected a virtual raster in plain XML, without comments or declarations"
        )
    try:
        root = ElementTree.fromstring(raw)
    except ElementTree.ParseError as fault:
        raise RasterFormatError("not a readable virtual raster") from fault
    names = []
    for element in root.iter():
        odd = next((name for name in element.attrib if name not in _ATTRIBUTES), None)
        if element.tag not in _ELEMENTS or odd is not None:
            raise RasterFormatError(
                "expected a virtual raster that is a plain mosaic, "
                f"got {odd or element.tag!s:.40}; gdal_translate writes it as a GeoTIFF"
            )
        if element.tag == "SRS" and not _SRS.match(element.text or ""):
            raise RasterFormatError("expected a virtual raster with its SRS as a code or as WKT")
        if element.tag == "SourceFilename":
            names.append((element.get("relativeToVRT"), element.text or ""))
    if root.tag != "VRTDataset" or not 1 <= len(names) <= _MOST_SOURCES:
        raise RasterFormatError(
            f"expected a virtual raster of 1 to {_MOST_SOURCES} files, got {len(names)}"
        )
    return [_source(path, relative, name) for relative, name in names]


def _source(path: Path, relative: str | None, name: str) -> Path:
    if relative != "1" or ":" in name or name != name.strip():
        raise RasterFormatError(
            f"expected files beside the virtual raster (relativeToVRT 1), got {name!r:.80}"
        )
    try:
        found = sibling_path(path.parent, name)
        with found.open("rb") as stream:
            magic = stream.read(4)
    except (FileError, OSError) as fault:
        raise RasterFormatError(
            f"expected files beside the virtual raster: {fault!s:.200}"
        ) from fault
    if found.suffix.lower() not in {".tif", ".tiff"} or magic not in _TIFF_MAGIC:
        raise RasterFormatError(f"expected GeoTIFFs in the virtual raster, got {name!r:.80}")
    return found
