"""Places from the user: in any reference system, on a grid, or from files of points and lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.dem.model import ElevationModel, Station
from emlia3d.errors import Error, FileError, quoted

MAX_STATIONS = 1_000_000
"""Observers of one question."""

LINE_ENDINGS = (".geojson", ".json", ".gpkg", ".shp", ".fgb")
"""Endings of names of files with lines."""

Floats = NDArray[np.float64]


def in_model_crs(model: ElevationModel, places: Floats, crs: str | None) -> Floats:
    """Return places (n, 2) in the CRS of a raster.

    crs : that of the places, as EPSG code or well-known text, x before y and so longitude before
        latitude; None if it is the raster's

    Raises
    ------
    Error
        The CRS is unknown, the raster has none, or a place cannot be transformed.
    MissingExtraError
        rasterio is not installed.
    """
    if crs is None:
        return places
    if model.crs is None:
        raise Error(f"{model.name}: names no reference system, so places cannot come from {crs}")
    from emlia3d.field.vector_files import reprojected_places  # noqa: PLC0415  loads shapely

    return reprojected_places(places, crs, model.crs)


def grid(
    model: ElevationModel, every_m: float, height: float, *, absolute: bool = False
) -> list[Station]:
    """Return stations on a grid over a raster, half a step from its north-west corner on.

    Places without data, and with an absolute height those where the ground is higher, are left out.

    Raises
    ------
    Error
        The step leaves none, or too many.
    """
    if not (math.isfinite(every_m) and every_m > 0):
        raise Error(f"expected a number of metres above 0 between observers, got {every_m:g}")
    rows, columns = model.shape
    steps = [every_m / spacing for spacing in model.spacing_m]
    count = math.prod(math.ceil(n / step) for n, step in zip((columns, rows), steps, strict=True))
    if count > MAX_STATIONS:
        raise Error(f"expected at most {MAX_STATIONS} observers, got {count}; use a larger step")
    across = np.arange(steps[0] / 2, columns, steps[0]) - 0.5
    along = np.arange(steps[1] / 2, rows, steps[1]) - 0.5
    found = []
    for row in along.tolist():
        for column in across.tolist():
            cell = min(round(row), rows - 1), min(round(column), columns - 1)
            if model.holes is not None and model.holes[cell]:
                continue
            ground = float(model.surface.heights_at(column, -row))
            z = height if absolute else ground + height
            if z >= ground:
                found.append(Station(*model.place_of(column, row), column, row, ground, z))
    if not found:
        raise Error(f"no observer every {every_m:g} m stands on {model.name}")
    return found


class _Point(NamedTuple):
    place: tuple[float, float]
    height: float | None


def from_file(
    model: ElevationModel,
    file: Path,
    height: float,
    *,
    crs: str | None = None,
    absolute: bool = False,
) -> list[Station]:
    """Return the stations of a file of points.

    Parameters
    ----------
    model : ElevationModel
    file
        CSV with columns ``x`` and ``y``, or GeoJSON, GeoPackage, Shapefile or FlatGeobuf. A column
        ``height`` (metres) goes before the parameter of that name.
    height
        Metres above the ground.
    crs
        Of the places, if the file does not say; else that of the raster.
    absolute
        Heights are metres above the zero of the raster's elevations.

    Raises
    ------
    FileError
        The file cannot be read or holds no points.
    Error
        A place is off the raster or has no data.
    """
    points, own = _points_in_csv(file) if file.suffix.lower() == ".csv" else _points_in(file)
    if not points:
        raise FileError(f"{file}: expected points, got none")
    if len(points) > MAX_STATIONS:
        raise FileError(f"{file}: expected at most {MAX_STATIONS} points, got {len(points)}")
    places = in_model_crs(model, np.array([point.place for point in points]), own or crs)
    return [
        model.station((x, y), height if point.height is None else point.height, absolute=absolute)
        for (x, y), point in zip(places.tolist(), points, strict=True)
    ]


def _points_in_csv(file: Path) -> tuple[list[_Point], None]:
    import csv  # noqa: PLC0415  few questions have a file

    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            table = csv.DictReader(lines)
            columns = [name.strip().lower() for name in table.fieldnames or ()]
            if not {"x", "y"} <= set(columns):
                raise FileError(f"{file}:1: expected columns x and y, got {', '.join(columns)}")
            table.fieldnames = columns
            return [_row(file, table.line_num, row) for row in table], None
    except OSError as fault:
        raise FileError(f"{file}: {fault.strerror}") from fault
    except (UnicodeDecodeError, csv.Error) as fault:
        raise FileError(f"{file}: not a readable CSV file") from fault


def _row(file: Path, line: int, row: dict[str, str]) -> _Point:
    numbers = []
    for name in ("x", "y", "height"):
        text = row.get(name) or ""
        try:
            number = math.nan if name == "height" and not text.strip() else float(text)
        except ValueError:
            number = math.inf
        if math.isinf(number) or (math.isnan(number) and name != "height"):
            raise FileError(f"{file}:{line}: {name}: expected a number, got {quoted(text)}")
        numbers.append(number)
    x, y, height = numbers
    return _Point((x, y), None if math.isnan(height) else height)


def _points_in(file: Path) -> tuple[list[_Point], str | None]:
    from emlia3d.field.vector_files import read_vectors  # noqa: PLC0415  loads shapely

    vectors = read_vectors(file, columns=None)
    heights: Any = vectors.columns.get("height", [None] * len(vectors.shapes))
    return list(_single(file, vectors.shapes, heights)), vectors.crs


def _single(file: Path, shapes: Any, heights: Sequence[Any]) -> Iterator[_Point]:
    import shapely  # noqa: PLC0415  few questions have a file

    for shape, height in zip(shapes, heights, strict=True):
        for part in shapely.get_parts(shape):
            if part.geom_type != "Point":
                raise FileError(f"{file}: expected points, got a {part.geom_type}")
            known = None if height is None or math.isnan(float(height)) else float(height)
            yield _Point((part.x, part.y), known)


def line_in_file(model: ElevationModel, file: Path, crs: str | None = None) -> Floats:
    """Return the vertices of the one line of a file, (n, 2), in the CRS of a raster.

    crs : of the line, if the file does not say; else that of the raster

    Raises
    ------
    FileError
        The file cannot be read, or holds something else than one line.
    """
    import shapely  # noqa: PLC0415  few questions have a file

    line, own = line_of_file(file)
    return in_model_crs(model, shapely.get_coordinates(line), own or crs)


def line_of_file(file: Path) -> tuple[NDArray[Any], str | None]:
    """Return the one line of a file, (1,) shapely geometries, and the CRS that the file states.

    Raises
    ------
    FileError
        The file cannot be read, or holds something else than one line.
    """
    import shapely  # noqa: PLC0415  few questions have a file

    from emlia3d.field.vector_files import read_vectors  # noqa: PLC0415

    vectors = read_vectors(file)
    parts = shapely.get_parts(vectors.shapes)
    if len(parts) != 1 or parts[0].geom_type != "LineString":
        kinds = ", ".join(sorted({part.geom_type for part in parts})) or "nothing"
        raise FileError(f"{file}: expected one line, got {len(parts)} shapes ({kinds})")
    return parts, vectors.crs
