"""The files that `emlia3d viewshed` writes, of a scenario or of a raster."""

from __future__ import annotations

from pathlib import Path

from emlia3d.cli.writing import check_writable
from emlia3d.dem.viewshed_kinds import Show
from emlia3d.errors import Error
from emlia3d.field.geotiff_writing import can_write_geotiff

_TIFF = (".tif", ".tiff")
_ENDINGS = (*_TIFF, ".png", ".npy")


def is_tiff(out: Path | None) -> bool:
    """Return whether a file is named as a GeoTIFF."""
    return out is not None and out.suffix.lower() in _TIFF


def check_area_file(out: Path | None, show: Show) -> None:
    """Raise Error for an output file that cannot be written, before anything is read."""
    check_writable(out, _ENDINGS, "areas")
    if is_tiff(out):
        can_write_geotiff()
    if out is not None and out.suffix.lower() == ".png" and show is Show.EACH:
        raise Error(
            f"{out}: a picture has one layer; use .tif or .npy for a layer of each observer"
        )
    if out is None and show is not Show.LEVELS:
        raise Error(f"--show {show}: this says what a file holds; name one with --out FILE")
