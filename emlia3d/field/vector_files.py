"""Points, lines and areas of maps: GeoJSON, GeoPackage, Shapefile and FlatGeobuf.

GeoJSON is read and written without a library; the other formats by pyogrio. What a file begins with
must be what its ending says, so that no other decoder is tried.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.errors import Error, FileError, MissingExtraError, quoted

MOST_BYTES = 200_000_000
"""Size of a file at most."""

MOST_VERTICES = 1_000_000
"""Vertices of all shapes of a file together at most."""

JSON_ENDINGS = (".geojson", ".json")
VECTOR_ENDINGS = (*JSON_ENDINGS, ".gpkg", ".shp", ".fgb")
"""Of names of files that are read."""

_MAGIC = {".gpkg": b"SQLite format 3\0", ".shp": b"\0\0\x27\x0a", ".fgb": b"fgb"}
_DRIVERS = {".gpkg": "GPKG", ".shp": "ESRI Shapefile", ".fgb": "FlatGeobuf"}
_LONGITUDE_LATITUDE = "OGC:CRS84"

Shapes = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vectors:
    """The features of a layer.

    shapes : (n,) array of shapely geometries; features without one are left out
    columns : (n,) array for each column; None or NaN where a feature has no value
    crs : EPSG code or well-known text; None if the file names none
    """

    shapes: Shapes
    columns: Mapping[str, NDArray[Any]]
    crs: str | None


def read_vectors(path: Path, *, layer: str | None = None) -> Vectors:
    """Return the features of a file, in its own reference system.

    layer : of a GeoPackage with several

    Raises
    ------
    FileError
        The file cannot be used, or holds no feature.
    MissingExtraError
        pyogrio is needed and not installed.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in VECTOR_ENDINGS:
        known = f"{', '.join(VECTOR_ENDINGS[:-1])} or {VECTOR_ENDINGS[-1]}"
        raise FileError(f"{path}: maps come from {known} files")
    if not path.is_file():
        raise FileError(f"{path}: there is no such file")
    if path.stat().st_size > MOST_BYTES:
        raise FileError(f"{path}: too large; at most {MOST_BYTES // 10**6} MB are read")
    found = _read_json(path) if ending in JSON_ENDINGS else _read_by_pyogrio(path, layer)
    if not len(found.shapes):
        raise FileError(f"{path}: holds no feature with a shape")
    vertices = int(shapely.get_num_coordinates(found.shapes).sum())
    if vertices > MOST_VERTICES:
        raise FileError(f"{path}: has {vertices} vertices; at most {MOST_VERTICES} are read")
    if not np.isfinite(shapely.bounds(found.shapes)).all():
        raise FileError(f"{path}: has coordinates that are not finite, or shapes without any")
    return found


def reprojected(shapes: Shapes, crs_from: str, crs_to: str) -> Shapes:
    """Return shapes in another reference system, vertex by vertex.

    Raises
    ------
    Error
        A reference system is unknown, or a vertex has no place in the other one.
    MissingExtraError
        rasterio is not installed.
    """
    try:
        rasterio: Any = importlib.import_module("rasterio")
        warp: Any = importlib.import_module("rasterio.warp")
    except ImportError as fault:
        raise MissingExtraError("maps in another reference system", "geo") from fault
    known = []
    for crs in (crs_from, crs_to):
        try:
            known.append(rasterio.crs.CRS.from_user_input(crs))
        except (rasterio.errors.RasterioError, ValueError) as fault:
            told = f"expected a reference system such as EPSG:4326, got {quoted(crs)}"
            raise Error(told) from fault
    if known[0] == known[1]:
        return shapes

    def moved(places: NDArray[np.float64]) -> NDArray[np.float64]:
        with rasterio.Env():
            found = np.array(warp.transform(*known, *places.T)).T
        if not np.isfinite(found).all():
            x, y = places[int(np.argmin(np.isfinite(found).all(axis=1)))]
            raise Error(f"{x:.10g},{y:.10g} has no place in the other reference system")
        return np.asarray(found)

    return np.asarray(shapely.transform(shapes, moved))


def write_vectors(
    path: Path, shapes: Shapes, columns: Mapping[str, NDArray[Any]], crs: str | None
) -> None:
    """Write features as GeoJSON (.geojson) or GeoPackage (.gpkg), whole or not at all.

    GeoJSON is in longitude and latitude, as the format wants, if there is a reference system.

    Raises
    ------
    FileError
        It cannot be written there.
    MissingExtraError
        A library is needed and not installed.
    """
    ending = path.suffix.lower()
    fresh = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        if ending in JSON_ENDINGS:
            fresh.write_text(_as_json(shapes, columns, crs), encoding="utf-8")
        else:
            _write_by_pyogrio(fresh, _DRIVERS[ending], shapes, columns, crs)
        fresh.replace(path)
    except OSError as fault:
        raise FileError(f"{path}: cannot be written: {fault.strerror}") from fault
    finally:
        fresh.unlink(missing_ok=True)


def _read_json(path: Path) -> Vectors:
    try:
        document = json.loads(path.read_bytes())
        features = _features(document)
        shapes = shapely.from_geojson([json.dumps(feature.get("geometry")) for feature in features])
    except (ValueError, RecursionError, shapely.errors.GEOSException) as fault:
        raise FileError(f"{path}: not a readable GeoJSON file") from fault
    there = [row for row, shape in enumerate(shapes) if shape is not None and not shape.is_empty]
    tables = [features[row].get("properties") or {} for row in there]
    names = dict.fromkeys(name for table in tables for name in table)
    columns = {
        name: np.array([table.get(name) for table in tables], dtype=object) for name in names
    }
    return Vectors(shapes=np.asarray(shapes)[there], columns=columns, crs=_crs_of_json(document))


def _features(document: Any) -> list[dict[str, Any]]:
    """Return the features of a GeoJSON document; ValueError if it is none."""
    if not isinstance(document, dict):
        raise ValueError("no object")
    if document.get("type") == "FeatureCollection":
        features = document.get("features")
        if not isinstance(features, list) or not all(isinstance(f, dict) for f in features):
            raise ValueError("no features")
        return features
    if document.get("type") == "Feature":
        return [document]
    return [{"geometry": document}]


def _crs_of_json(document: dict[str, Any]) -> str | None:
    """Return the reference system that older documents name; longitude and latitude otherwise."""
    if "crs" not in document:
        return _LONGITUDE_LATITUDE
    named = document["crs"]
    if not isinstance(named, dict):
        return None
    properties = named.get("properties")
    name = properties.get("name") if isinstance(properties, dict) else None
    return name if isinstance(name, str) else None


def _as_json(shapes: Shapes, columns: Mapping[str, NDArray[Any]], crs: str | None) -> str:
    if crs is not None:
        shapes = reprojected(shapes, crs, _LONGITUDE_LATITUDE)
    features = [
        {
            "type": "Feature",
            "properties": {name: _plain(values[row]) for name, values in columns.items()},
            "geometry": json.loads(shape),
        }
        for row, shape in enumerate(shapely.to_geojson(shapes))
    ]
    document: dict[str, Any] = {"type": "FeatureCollection", "features": features}
    if crs is None:
        document["crs"] = None
    return json.dumps(document, ensure_ascii=False)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _pyogrio(purpose: str) -> Any:
    try:
        importlib.import_module("pyogrio.raw")
        return importlib.import_module("pyogrio")
    except ImportError as fault:
        raise MissingExtraError(purpose, "geo") from fault


def _read_by_pyogrio(path: Path, layer: str | None) -> Vectors:
    ending = path.suffix.lower()
    pyogrio = _pyogrio(f"reading {ending} files")
    with path.open("rb") as file:
        if not file.read(16).startswith(_MAGIC[ending]):
            raise FileError(f"{path}: not a readable {_DRIVERS[ending]} file")
    try:
        layers = [str(name) for name, _ in pyogrio.list_layers(path)]
        _check_layer(path, layer, layers)
        meta, _, shapes, values = pyogrio.raw.read(path, layer=layer or layers[0])
    except FileError:
        raise
    except Exception as fault:  # a decoder raises anything for a damaged file
        raise FileError(f"{path}: not a readable {_DRIVERS[ending]} file") from fault
    found = shapely.from_wkb(shapes)
    there = np.array([shape is not None and not shape.is_empty for shape in found], dtype=bool)
    columns = {
        str(name): np.asarray(column)[there]
        for name, column in zip(meta["fields"], values, strict=True)
    }
    return Vectors(shapes=found[there], columns=columns, crs=meta["crs"])


def _check_layer(path: Path, layer: str | None, layers: Sequence[str]) -> None:
    if not layers:
        raise FileError(f"{path}: holds no layer")
    if layer is None and len(layers) > 1:
        raise FileError(f"{path}: has {len(layers)} layers; name one of {', '.join(layers[:9])}")
    if layer is not None and layer not in layers:
        raise FileError(f"{path}: has no layer {quoted(layer)}; it has {', '.join(layers[:9])}")


def _write_by_pyogrio(
    path: Path,
    driver: str,
    shapes: Shapes,
    columns: Mapping[str, NDArray[Any]],
    crs: str | None,
) -> None:
    pyogrio = _pyogrio("writing a GeoPackage")
    kinds = set(shapely.get_type_id(shapes).tolist())
    kind = shapes[0].geom_type if len(kinds) == 1 else "Unknown"
    try:
        pyogrio.raw.write(
            path, shapely.to_wkb(shapes), list(columns.values()), list(columns),
            driver=driver, geometry_type=kind, crs=crs, layer=path.stem.split(".")[-1],
        )  # fmt: skip
    except Exception as fault:
        raise OSError(0, str(fault)) from fault
