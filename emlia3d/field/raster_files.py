"""The formats that elevation comes in, each read by one function into a `Raster`.

Sizes are looked at before anything is read, nothing is unpickled, and no other decoder is tried
than the one that is asked for. `emlia3d.field.elevation` is the door; it names the file in what
is raised here.
"""

from __future__ import annotations

import importlib
import math
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.errors import MissingExtraError
from emlia3d.field.ground import MOST_CELLS

Window = tuple[int, int, int, int]
"""First column, first row, end column, end row; row 0 in the north, the ends not included."""


class WrongFile(ValueError):  # noqa: N818  it never leaves the layer
    """What is wrong with a file, and what would be right; whoever catches it names the file."""


class Raster(NamedTuple):
    """Elevations as a file has them.

    elevation_m : (rows, columns) float64, metres, row 0 north; NaN where there are no data
    spacing_m : metres between centres, east and north; None where the file does not say
    """

    elevation_m: NDArray[np.float64]
    spacing_m: tuple[float, float] | None


def read_array(path: Path, window: Window | None) -> Raster:
    """The one array of a .npy, or of a .npz (there it may also be the one named elevation_m)."""
    try:
        if path.suffix.lower() == ".npy":
            array = np.lib.format.open_memmap(path, mode="r")
            elevation_m = _numbers(array[_part(array.shape, window)])
        else:
            with zipfile.ZipFile(path) as archive:
                elevation_m = _member(archive, window)
    except WrongFile:
        raise
    except (ValueError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as fault:
        raise WrongFile(
            "not a readable NumPy file of plain numbers; write it with numpy.save, without pickling"
        ) from fault
    if not np.isfinite(elevation_m).all():
        raise WrongFile("holds values that are no numbers; every cell wants an elevation in metres")
    return Raster(elevation_m, None)


def read_png(path: Path, window: Window | None, range_m: tuple[float, float] | None) -> Raster:
    """A greyscale PNG of 8 or 16 bits.

    range_m : the elevations of black and of white; None where each grey is that many metres
    """
    from PIL import Image  # noqa: PLC0415  few fields have a picture for their ground

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(path, formats=["PNG"])
        with picture:
            part = _part(picture.size[::-1], window, whole=True)
            if picture.mode not in {"L", "I", "I;16", "I;16B"}:
                raise WrongFile("not a greyscale picture; elevation wants 8 or 16 bits of grey")
            white = 255 if picture.mode == "L" else 65535
            greys = _numbers(np.asarray(picture)[part])
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as fault:
        raise WrongFile(_too_large()) from fault
    except WrongFile:
        raise
    except (OSError, SyntaxError, ValueError) as fault:
        raise WrongFile("not a readable PNG picture") from fault
    if range_m is not None:
        greys = range_m[0] + greys * ((range_m[1] - range_m[0]) / white)
    return Raster(greys, None)


def read_geotiff(path: Path, window: Window | None) -> Raster:
    """The one band of a GeoTIFF, north up, in metres; spacing from its georeference.

    Raises
    ------
    MissingExtraError
        rasterio is not installed.
    """
    try:
        rasterio: Any = importlib.import_module("rasterio")
    except ImportError as fault:
        raise MissingExtraError("reading a GeoTIFF", "geo") from fault
    faults = importlib.import_module("rasterio.errors")
    try:
        # Without a look at the folder, files beside it cannot change what is read.
        with (
            warnings.catch_warnings(),
            rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR"),
        ):
            warnings.simplefilter("ignore", faults.NotGeoreferencedWarning)
            with rasterio.open(path, driver="GTiff") as source:
                return _band(source, window)
    except (faults.RasterioError, faults.RasterioIOError) as fault:
        raise WrongFile("not a readable GeoTIFF") from fault


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Length of a degree of longitude and of latitude there, metres, to a millionth of one.

    The usual series for the WGS 84 ellipsoid, good to centimetres:
    111412.84 cos p - 93.5 cos 3p + 0.118 cos 5p and
    111132.92 - 559.82 cos 2p + 1.175 cos 4p - 0.0023 cos 6p.
    """
    p = math.radians(latitude)
    east = 111412.84 * math.cos(p) - 93.5 * math.cos(3 * p) + 0.118 * math.cos(5 * p)
    north = (
        111132.92 - 559.82 * math.cos(2 * p) + 1.175 * math.cos(4 * p) - 0.0023 * math.cos(6 * p)
    )
    # A cosine's last bit differs between machines; what is made of it must not.
    return round(east * 2**20) / 2**20, round(north * 2**20) / 2**20


def _part(shape: tuple[int, ...], window: Window | None, *, whole: bool = False) -> Any:
    """The slices of a window, once the shape and the window are found good.

    whole : all of the raster has to be read, whatever the window
    """
    if len(shape) != 2:
        raise WrongFile(f"has {len(shape)} dimensions; elevation wants rows and columns")
    rows, columns = shape
    first, top, end, bottom = window or (0, 0, columns, rows)
    if not (0 <= first < end <= columns and 0 <= top < bottom <= rows):
        raise WrongFile(
            f"window {[first, top, end, bottom]} does not lie in its {columns} columns and "
            f"{rows} rows; it is [first column, first row, end column, end row]"
        )
    if min(end - first, bottom - top) < 2:
        raise WrongFile("elevation wants at least 2 rows and 2 columns")
    if max(shape if whole else (end - first, bottom - top)) > MOST_CELLS:
        raise WrongFile(_too_large())
    return slice(top, bottom), slice(first, end)


def _too_large() -> str:
    return f"too large; at most {MOST_CELLS} rows and columns are read, so cut a window first"


def _numbers(values: NDArray[Any]) -> NDArray[np.float64]:
    if values.dtype.kind not in "fiu":
        raise WrongFile(f"holds {values.dtype}, not numbers of metres")
    return values.astype(np.float64)


def _member(archive: zipfile.ZipFile, window: Window | None) -> NDArray[np.float64]:
    names = [name for name in archive.namelist() if name.endswith(".npy")]
    name = "elevation_m.npy" if "elevation_m.npy" in names else names[0] if names else ""
    if not name or (len(names) > 1 and name != "elevation_m.npy"):
        raise WrongFile("wants exactly one array, or one named elevation_m")
    with archive.open(name) as stream:
        part = _part(_shape_of(stream), window, whole=True)
    with archive.open(name) as stream:
        return _numbers(np.lib.format.read_array(stream, allow_pickle=False)[part])


def _shape_of(stream: IO[bytes]) -> tuple[int, ...]:
    """The shape that an array's header claims, before a byte of the array is read."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)[0]
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(stream)[0]
    raise WrongFile("not a readable NumPy file of plain numbers")


def _band(source: Any, window: Window | None) -> Raster:
    if source.count != 1:
        raise WrongFile(f"has {source.count} bands; elevation is one")
    grid = source.transform
    if grid.b != 0 or grid.d != 0 or grid.a <= 0:
        raise WrongFile("is turned or mirrored; elevation wants rows that run west to east")
    rows, columns = _part(source.shape, window)
    upside_down = grid.e > 0 and source.crs is not None
    if upside_down:
        rows = slice(source.height - rows.stop, source.height - rows.start)
    place = ((rows.start, rows.stop), (columns.start, columns.stop))
    elevation_m = _numbers(source.read(1, window=place))
    elevation_m[source.read_masks(1, window=place) == 0] = math.nan
    if upside_down:
        elevation_m = elevation_m[::-1]
    return Raster(elevation_m, _spacing_m(source, (rows.start + rows.stop) / 2))


def _spacing_m(source: Any, middle_row: float) -> tuple[float, float] | None:
    """Metres between the centres, east and north; None without a reference system."""
    grid = source.transform
    if source.crs is None:
        return None
    if source.crs.is_geographic:
        latitude = grid.f + middle_row * grid.e
        if not abs(latitude) < 85:
            raise WrongFile(f"lies at latitude {latitude:g}; degrees are read up to 85")
        east, north = metres_per_degree(latitude)
    else:
        east = north = float(source.crs.linear_units_factor[1])
    return float(grid.a) * east, abs(float(grid.e)) * north
