"""Import of a field from maps: elevation and terrain around a point, without units."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from emlia3d.atomic_write import atomic_write, new_file
from emlia3d.dem.raster_cut import RasterCut, RasterFrame, cut_around, frame_of
from emlia3d.errors import Error, FileError
from emlia3d.field import (
    Feature,
    Reading,
    Scale,
    can_write_geotiff,
    write_geotiff,
)
from emlia3d.field.outline import FARTHEST
from emlia3d.field.vector_files import reprojected
from emlia3d.geometry.bodies import FARTHEST as FARTHEST_M
from emlia3d.scenario.import_terrain import LayerReport, TerrainSource, named, terrain_of
from emlia3d.scenario.import_text import text_of
from emlia3d.scenario.sources import MOST_BYTES
from emlia3d.scenario.tables.map_terrain import (
    FieldPlace,
    MapPiece,
)

_MOST_SCALE = 0.0001, 10_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ImportedField:
    """A field that is ready to save.

    title : of the scenario
    source : name of the file with the elevation
    crs : name of its reference system; None if it has none
    wanted_m : the requested size, metres east and north
    centre : the requested centre, in the reference system of the elevation
    cut : the elevation
    size : east and north, GSU
    features : the terrain
    layers : the result for each layer
    """

    title: str
    source: str
    crs: str | None
    wanted_m: tuple[float, float]
    centre: tuple[float, float]
    cut: RasterCut
    size: tuple[float, float]
    scale: Scale
    features: tuple[Feature, ...]
    layers: tuple[LayerReport, ...]

    @property
    def moved_m(self) -> tuple[float, float]:
        """Offset of the field's centre from the requested one, metres east and north."""
        place = self.cut.georeference
        return (
            (self.cut.centre[0] - self.centre[0]) / place.east_per_m,
            (self.cut.centre[1] - self.centre[1]) / place.north_per_m,
        )

    @property
    def heights_m(self) -> tuple[float, float]:
        """The lowest and the highest elevation, metres."""
        return float(self.cut.elevation_m.min()), float(self.cut.elevation_m.max())


def import_field(  # noqa: PLR0913  what a user states about the maps, each by its name
    dem: Path,
    terrain: Sequence[TerrainSource] = (),
    *,
    title: str,
    size_m: tuple[float, float],
    centre: tuple[float, float] | None = None,
    crs: str | None = None,
    metres_per_gsu: float = Scale().metres_per_gsu,
    reading: Reading | None = None,
    cell_m: float | None = None,
    mend: bool = False,
) -> ImportedField:
    """Return a field around a point of a raster, with terrain from vector maps.

    Parameters
    ----------
    dem
        A raster of elevations that a scenario can use.
    terrain
        Vector maps, each with a reference system if the raster has one.
    title
        Of the scenario.
    size_m
        Metres east and north. If the cells of the raster are square, it is rounded to whole cells.
    centre
        Of the field; None for the centre of the raster.
    crs
        Reference system of `centre`, longitude before latitude; None for that of the raster.
    metres_per_gsu
        Scale of the field.
    reading, cell_m
        Band, unit, nodata value and cell size, if the raster does not state them.
    mend
        Whether to repair shapes that cross themselves.

    Raises
    ------
    Error
        The size, the scale or the point is invalid.
    FileError
        A file cannot be used.
    MissingExtraError
        rasterio or pyogrio is not installed.
    """
    dem, reading = Path(dem), reading or Reading()
    scale = _scale(metres_per_gsu)
    _check_size(size_m, scale)
    can_write_geotiff()
    frame = frame_of(dem, reading, cell_m)
    middle = _centre(frame, centre, crs)
    cut = cut_around(dem, frame, middle, size_m, reading)
    east, north = (round(scale.gsu_of_metres(metres), 9) for metres in cut.size_m)
    field = FieldPlace((east, north), scale, cut.georeference)
    pieces: list[MapPiece] = []
    layers = []
    for source in terrain:
        for found, report in terrain_of(source, field, frame, mend=mend):
            pieces += found
            layers.append(report)
    return ImportedField(
        title=title,
        source=dem.name,
        crs=_name_of(frame.crs),
        wanted_m=size_m,
        centre=middle,
        cut=cut,
        size=(east, north),
        scale=scale,
        features=named(pieces),
        layers=tuple(layers),
    )


def write_field(
    found: ImportedField, out: Path, *, force: bool = False, armies: bool = False
) -> Path:
    """Save a field as a scenario, and its elevation beside it; return the elevation's file.

    Each file is an atomic write.

    force : whether to replace existing files
    armies : whether the example armies are part of the scenario; otherwise they are comments

    Raises
    ------
    Error
        The field has no free place for the armies.
    FileError
        A file exists, the scenario is too long, or a file cannot be written.
    """
    ground = ground_file(out)
    text = text_of(found, ground.name, armies=armies)
    if len(text.encode()) > MOST_BYTES:
        raise FileError(
            f"{out}: expected at most {MOST_BYTES} bytes, got {len(text.encode())} with "
            f"{len(found.features)} features; choose a smaller --size or fewer --terrain"
        )
    refuse_existing(out, force=force)
    elevation = found.cut.elevation_m
    short = elevation.astype(np.float32)
    write_geotiff(
        ground,
        (short if (short == elevation).all() else elevation)[None],
        crs=found.cut.georeference.crs or None,
        transform=found.cut.transform,
        names=["elevation"],
        tags={},
        unit="m",
        nodata=math.nan,
    )
    if force:
        with atomic_write(out) as fresh:
            fresh.write_text(text, encoding="utf-8", newline="\n")
    else:
        with new_file(out) as stream:
            stream.write(text)
    return ground


def ground_file(out: Path) -> Path:
    """Return the name of the file with the elevation of a scenario."""
    return out.with_name(f"{out.stem}-ground.tif")


def refuse_existing(out: Path, *, force: bool) -> None:
    """Raise FileError if a file to write exists, unless it can be replaced."""
    for path in (out, ground_file(out)):
        if path.exists() and not force:
            raise FileError(f"{path}: exists; --force replaces it")


def _scale(metres_per_gsu: float) -> Scale:
    low, high = _MOST_SCALE
    if not low <= metres_per_gsu <= high:
        raise Error(
            f"--scale: expected metres per GSU from {low} to {high}, got {metres_per_gsu:g}"
        )
    return Scale(metres_per_gsu)


def _check_size(size_m: tuple[float, float], scale: Scale) -> None:
    most = min(scale.metres_of_gsu(FARTHEST), FARTHEST_M)
    if not all(0 < side <= most for side in size_m):
        raise Error(
            f"--size: expected metres above 0 and up to {most:g} at {scale.metres_per_gsu:g} m per "
            f"GSU, got {size_m[0]:.10g}x{size_m[1]:.10g}"
        )


def _centre(
    frame: RasterFrame, centre: tuple[float, float] | None, crs: str | None
) -> tuple[float, float]:
    """Return a point in the reference system of a raster."""
    if centre is None:
        west, south, east, north = frame.bounds
        return (west + east) / 2, (south + north) / 2
    if crs is None:
        return centre
    if frame.crs is None:
        raise Error(f"{frame.name}: names no reference system, so --centre cannot come from {crs}")
    try:
        (moved,) = reprojected(np.array([shapely.Point(centre)]), crs, frame.crs)
    except FileError as fault:
        raise Error(f"--crs: {fault}") from None
    return float(moved.x), float(moved.y)


def _name_of(crs: str | None) -> str | None:
    """Return the name of a reference system, from its well-known text."""
    if crs is None:
        return None
    found = re.match(r'\s*\w+\["([^"]+)"', crs)
    return found[1] if found else "a reference system without a name"
