"""The output files of `emlia3d viewshed` for scenarios and rasters."""

from __future__ import annotations

from pathlib import Path

from emlia3d.cli.writing import check_writable
from emlia3d.dem.viewshed_kinds import Show
from emlia3d.errors import Error
from emlia3d.field.geotiff_writing import can_write_geotiff

_TIFF = (".tif", ".tiff")
_ENDINGS = (*_TIFF, ".npy")


def is_tiff(out: Path | None) -> bool:
    """Return whether a file name is that of a GeoTIFF."""
    return out is not None and out.suffix.lower() in _TIFF


def check_area_files(out: Path | None, picture: Path | None, show: Show) -> None:
    """Raise Error if an output file cannot be written; call it before reading input.

    out : file of the values
    picture : file of the map
    """
    if out is not None and out.suffix.lower() == ".png":
        raise Error(f"{out}: --out writes .tif or .npy; --picture {out} draws a map")
    check_writable(out, _ENDINGS, "areas")
    check_writable(picture)
    if is_tiff(out):
        can_write_geotiff()
    if picture is not None and show is Show.EACH:
        raise Error(
            f"{picture}: a picture has one layer; write a layer of each observer with --out "
            "FILE.tif or FILE.npy"
        )
    if out is None and picture is None and show is not Show.LEVELS:
        raise Error(f"--show {show}: needs --out or --picture")
