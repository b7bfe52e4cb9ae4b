"""Vector maps from GeoJSON, GeoPackage, Shapefile and FlatGeobuf files, and back into files.

pyogrio decodes the files. The ending of a file's name and its first bytes decide which driver
reads it, so no file can make GDAL open another file or an address on a network.
"""

from __future__ import annotations

import difflib
import importlib
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.atomic_write import atomic_write
from emlia3d.errors import FileError, MissingExtraError, quoted

MOST_VERTICES = 1_000_000
"""A layer has at most this many vertices, and at most this many features."""

MOST_BYTES = 200_000_000
"""A vector file has at most this size in bytes."""

VECTOR_ENDINGS = (".geojson", ".json", ".gpkg", ".shp", ".fgb")
"""Endings of the names of files that are read."""

_FIRST_BYTES = {
    ".gpkg": b"SQLite format 3\0",
    ".shp": b"\x00\x00\x27\x0a",
    ".fgb": b"fgb\x03fgb",
}

# With a prefix, GDAL tries this driver only; the other two are certain from their first bytes.
_PREFIXES = {".geojson": "GeoJSON:", ".json": "GeoJSON:", ".gpkg": "GPKG:"}

_WRITERS = {".geojson": "GeoJSON", ".gpkg": "GPKG"}

# GDAL would fetch the definition of such a reference system from its address.
_LINKED_CRS = re.compile(rb'"crs"\s*:\s*\{[^}]{0,400}"(?:href|link)"')


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vectors:
    """The features of one layer, in the order of the file; features without a shape are left out.

    shapes : (n,) object, shapely geometries in two dimensions
    columns : for each name, (n,) values of that column
    crs : the coordinate reference system, as WKT or AUTHORITY:CODE; None if the file has none
    ids : (n,) int64, the identifiers that the file gives the features
    """

    shapes: NDArray[Any]
    columns: Mapping[str, NDArray[Any]]
    crs: str | None
    ids: NDArray[np.int64]


def read_vectors(
    path: Path, *, layer: str | None = None, columns: Sequence[str] | None = ()
) -> Vectors:
    """Return the features of one layer of a vector file.

    Parameters
    ----------
    path
        A file whose name ends in .geojson, .json, .gpkg, .shp or .fgb.
    layer
        Name of the layer; None for the only one.
    columns
        Names of the columns to read; None for all.

    Raises
    ------
    FileError
        If there is no such file, layer or column, if the layer has no features or too many
        vertices, or if the file is too large or damaged.
    MissingExtraError
        pyogrio is not installed.
    """
    path = Path(path)
    pyogrio = _pyogrio("reading a vector file")
    source = _source(path)
    with _decoding(path):
        return _read(pyogrio, source, layer, columns)


def layers_of(path: Path) -> list[str]:
    """Return the names of the layers of a vector file that have features with shapes.

    Raises
    ------
    FileError
        There is no such file, or it is too large or damaged.
    MissingExtraError
        pyogrio is not installed.
    """
    path = Path(path)
    pyogrio = _pyogrio("reading a vector file")
    source = _source(path)
    with _decoding(path):
        return [
            str(name)
            for name, kind in pyogrio.list_layers(source)
            if kind is not None
            and pyogrio.read_info(source, layer=name, force_feature_count=True)["features"]
        ]


def write_vectors(
    path: Path,
    shapes: NDArray[Any],
    columns: Mapping[str, NDArray[Any]],
    crs: str | None,
    *,
    layer: str | None = None,
) -> None:
    """Write shapes as the features of a GeoJSON or GeoPackage file, in one atomic write.

    path : a name that ends in .geojson or .gpkg; an existing file is replaced
    shapes : (n,) shapely geometries
    columns : for each name, (n,) values
    crs : as in `Vectors`. GeoJSON is written in longitude and latitude if a CRS is given.
    layer : the name of the layer; None takes the name of the file

    Raises
    ------
    FileError
        The name has another ending, the CRS is unknown, or the file cannot be written.
    MissingExtraError
        pyogrio or rasterio is not installed.
    """
    path = Path(path)
    pyogrio = _pyogrio("writing a vector file")
    ending = path.suffix.lower()
    if ending not in _WRITERS:
        raise FileError(f"{path}: expected a name that ends in {' or '.join(_WRITERS)}")
    if ending == ".geojson" and crs is not None:
        shapes, crs = reprojected(shapes, crs, "EPSG:4326"), "EPSG:4326"
    kinds = set(shapely.get_type_id(shapes).tolist())
    names = {0: "Point", 1: "LineString", 3: "Polygon", 4: "MultiPoint", 5: "MultiLineString",
             6: "MultiPolygon"}  # fmt: skip
    one = names.get(kinds.pop(), "Unknown") if len(kinds) == 1 else "Unknown"
    try:
        with warnings.catch_warnings(), atomic_write(path) as fresh:
            warnings.simplefilter("ignore")
            # A killed process of the same number may have left one, and GDAL would add to it.
            fresh.unlink(missing_ok=True)
            pyogrio.raw.write(
                fresh,
                shapely.to_wkb(shapes),
                [np.asarray(values) for values in columns.values()],
                list(columns),
                layer=layer or path.stem,
                driver=_WRITERS[ending],
                geometry_type=one,
                crs=crs,
            )
    except Exception as fault:
        raise FileError(f"{path}: cannot be written: {fault}") from fault


def reprojected(shapes: NDArray[Any], crs_from: str, crs_to: str) -> NDArray[Any]:
    """Return shapes in another coordinate reference system.

    shapes : (n,) shapely geometries; longitude comes before latitude
    crs_from, crs_to : WKT or AUTHORITY:CODE

    Raises
    ------
    FileError
        If one of the two is unknown, or a corner has no position in the other.
    MissingExtraError
        rasterio is not installed.
    """
    corners = shapely.get_coordinates(shapes)
    moved = reprojected_places(corners, crs_from, crs_to)
    if moved is corners:
        return shapes
    fresh: NDArray[Any] = shapely.set_coordinates(shapely.force_2d(shapes).copy(), moved)
    return fresh


def reprojected_places(
    places: NDArray[np.float64], crs_from: str, crs_to: str
) -> NDArray[np.float64]:
    """Return points in another coordinate reference system; *places* itself if it is the same.

    places : (n, 2) float64; longitude comes before latitude

    Raises
    ------
    FileError, MissingExtraError
        As for `reprojected`.
    """
    start, end = _crs(crs_from), _crs(crs_to)
    if start == end:
        return places
    warp: Any = importlib.import_module("rasterio.warp")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            moved = np.column_stack(warp.transform(start, end, places[:, 0], places[:, 1]))
    except Exception as fault:
        raise FileError(f"expected corners inside {_name(end)}, got: {fault}") from fault
    lost = np.flatnonzero(~np.isfinite(moved).all(axis=1))
    if len(lost):
        x, y = places[lost[0]]
        raise FileError(f"expected corners inside {_name(end)}, got {x:.10g}, {y:.10g}")
    return moved


class _VectorError(ValueError):
    """Error in a file; the caller names the file."""


@contextmanager
def _decoding(path: Path) -> Iterator[None]:
    """Make a FileError with the file's name of anything that a decoder raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except _VectorError as fault:
        raise FileError(f"{path}: {fault}") from fault
    except Exception as fault:  # a decoder raises anything for a damaged file
        raise FileError(f"{path}: expected a readable vector file, got a damaged one") from fault


def _source(path: Path) -> str:
    """Return the name with which GDAL opens a file; raise FileError if it must not be opened."""
    ending = path.suffix.lower()
    if ending not in VECTOR_ENDINGS:
        known = ", ".join(VECTOR_ENDINGS)
        raise FileError(f"{path}: expected a vector file ({known}), got {quoted(ending)}")
    if not path.is_file():
        raise FileError(f"{path}: there is no such file")
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise FileError(f"{path}: expected at most {MOST_BYTES} bytes, got {size}")
        if ending in _FIRST_BYTES:
            wanted = _FIRST_BYTES[ending]
            with path.open("rb") as stream:
                right = stream.read(len(wanted)) == wanted
        else:
            text = path.read_bytes()
            if _LINKED_CRS.search(text):
                raise FileError(f"{path}: expected a named CRS, got an address on a network")
            right = text[:100].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    except OSError as fault:
        raise FileError(f"{path}: cannot be read: {fault.strerror}") from fault
    if not right:
        raise FileError(f"{path}: expected the contents of a {ending} file, got something else")
    return f"{_PREFIXES.get(ending, '')}{path.resolve()}"


def _read(pyogrio: Any, source: str, layer: str | None, columns: Sequence[str] | None) -> Vectors:
    layers = [str(row[0]) for row in pyogrio.list_layers(source)]
    if layer is None:
        if len(layers) != 1:
            raise _VectorError(f"layer: expected one of {_several(layers)}, got no layer")
        layer = layers[0]
    elif layer not in layers:
        raise _VectorError(f"layer: {_expected(layer, layers)}")
    about = pyogrio.read_info(source, layer=layer, force_feature_count=True)
    there = [str(name) for name in about["fields"]]
    wanted = there if columns is None else list(dict.fromkeys(columns))
    for name in wanted:
        if name not in there:
            raise _VectorError(f"column: {_expected(name, there)}")
    if about["features"] > MOST_VERTICES:
        raise _VectorError(f"expected at most {MOST_VERTICES} features, got {about['features']}")
    meta, ids, wkb, values = pyogrio.raw.read(
        source, layer=layer, columns=wanted, force_2d=True, return_fids=True,
        datetime_as_string=True,
    )  # fmt: skip
    if wkb is None:
        raise _VectorError(f"layer: expected shapes in {quoted(layer)}, got a table without them")
    # A vertex takes 16 bytes, so too many of them show before any is decoded.
    if sum(len(shape) for shape in wkb if shape is not None) > 32 * MOST_VERTICES:
        raise _VectorError(f"expected at most {MOST_VERTICES} vertices, got more")
    shapes = shapely.from_wkb(wkb)
    whole = ~(shapely.is_missing(shapes) | shapely.is_empty(shapes))
    if not whole.any():
        raise _VectorError(f"expected features in layer {quoted(layer)}, got none")
    count = int(shapely.get_num_coordinates(shapes[whole]).sum())
    if count > MOST_VERTICES:
        raise _VectorError(f"expected at most {MOST_VERTICES} vertices, got {count}")
    if not np.isfinite(shapely.get_coordinates(shapes[whole])).all():
        raise _VectorError("expected finite coordinates, got others")
    read = dict(zip((str(name) for name in meta["fields"]), values, strict=True))
    return Vectors(
        shapes=shapes[whole],
        columns={name: read[name][whole] for name in wanted},
        crs=meta["crs"] or None,
        ids=np.asarray(ids, dtype=np.int64)[whole],
    )


def _expected(name: str, there: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, there, n=1)
    hint = f"; did you mean {quoted(near[0])}?" if near else ""
    return f"expected {_several(there)}, got {quoted(name)}{hint}"


def _several(names: Sequence[str]) -> str:
    shown = ", ".join(quoted(name) for name in names[:8]) or "none, because there is none"
    return shown + (f" or {len(names) - 8} others" if len(names) > 8 else "")


def _crs(given: str) -> Any:
    try:
        rasterio: Any = importlib.import_module("rasterio")
    except ImportError as fault:
        raise MissingExtraError("changing coordinates", "geo") from fault
    try:
        # An environment keeps PROJ from printing its own message.
        with rasterio.Env():
            return rasterio.crs.CRS.from_user_input(given)
    except Exception as fault:
        raise FileError(
            f"expected a coordinate reference system such as EPSG:4326, got {quoted(given)}"
        ) from fault


def _name(crs: Any) -> str:
    code = crs.to_epsg()
    return "the coordinate reference system" if code is None else f"EPSG:{code}"


def _pyogrio(purpose: str) -> Any:
    try:
        importlib.import_module("pyogrio.raw")
        return importlib.import_module("pyogrio")
    except ImportError as fault:
        raise MissingExtraError(purpose, "geo") from fault
