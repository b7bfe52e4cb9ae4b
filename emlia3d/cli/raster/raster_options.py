"""Options of commands about rasters: points, ranges and assumptions."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import emlia3d
from emlia3d.cli.parameters import EYE_M
from emlia3d.cli.writing import echo
from emlia3d.dem.given_places import from_file, grid, in_model_crs
from emlia3d.dem.model import Curvature, ElevationModel, Station, open_dem
from emlia3d.errors import Error, quoted
from emlia3d.field.elevation_rasters import RASTER_ENDINGS


def is_raster(word: str) -> bool:
    """Return whether a command's first argument is a raster of elevations, not a scenario."""
    return Path(word).suffix.lower() in RASTER_ENDINGS


class RasterOptions(NamedTuple):
    """A raster from the user, with its options."""

    file: str
    band: int | None = None
    unit: str | None = None
    cell: float | None = None
    nodata: float | None = None

    def model(self) -> ElevationModel:
        """Open the raster, and print assumptions about it to standard error."""
        model = open_dem(
            self.file, band=self.band, unit=self.unit, nodata=self.nodata, cell_m=self.cell
        )
        for note in model.notes:
            echo(f"{self.file}: {note}", err=True)
        return model


def about(model: ElevationModel) -> dict[str, Any]:
    """Return the common part of JSON answers: the program, the raster and assumptions."""
    return {
        "program": emlia3d.__version__,
        "raster": model.name,
        "crs": model.crs,
        "notes": list(model.notes),
    }


class Observers(NamedTuple):
    """The observers from the user: at points, in a file, or on a grid."""

    places: tuple[str, ...]
    file: Path | None = None
    every: float | None = None
    eye: float = EYE_M
    crs: str | None = None
    absolute: bool = False

    def stations(self, model: ElevationModel) -> list[Station]:
        """Return all observers, in the order of points, file and grid.

        Raises
        ------
        Error
            There are no observers, or one has an invalid position.
        """
        found = [
            station(model, "--from", text, height=self.eye, crs=self.crs, absolute=self.absolute)
            for text in self.places
        ]
        if self.file is not None:
            found += from_file(model, self.file, self.eye, crs=self.crs, absolute=self.absolute)
        if self.every is not None:
            found += grid(model, self.every, self.eye, absolute=self.absolute)
        if not found:
            raise Error("expected an observer: --from X,Y, --observers FILE or --every METRES")
        return found


@contextmanager
def progress_on(title: str) -> Iterator[Callable[[float], None] | None]:
    """Yield a bar on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from emlia3d.cli.progress import progress_of  # noqa: PLC0415  loads rich, for terminals only

    with progress_of(title) as progress:
        yield progress


def numbers(option: str, text: str, names: str, optional: str = "") -> list[float]:
    """Parse the numbers in an option's value.

    names : of the numbers, one letter or word each, separated by commas; `optional` may follow
    """
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    least = len(names.split(","))
    most = least + len(optional.split(",")) if optional else least
    if not (least <= len(found) <= most and all(map(math.isfinite, found))):
        told = f"{names} or {names},{optional}" if optional else names
        raise Error(f"{option}: expected {told} as numbers, got {quoted(text)}")
    return found


def station(
    model: ElevationModel,
    option: str,
    text: str,
    *,
    height: float = EYE_M,
    crs: str | None = None,
    absolute: bool = False,
) -> Station:
    """Parse the station X,Y or X,Y,H of an option; H is in metres above the ground."""
    x, y, *rest = numbers(option, text, "X,Y", "H")
    place = in_model_crs(model, np.array([[x, y]]), crs)[0]
    return model.station(
        (float(place[0]), float(place[1])), rest[0] if rest else height, absolute=absolute
    )


def curvature_of(curvature: bool, refraction: float | None) -> Curvature | None:
    """Return the curvature of the ground; None for a plane earth."""
    if not curvature:
        if refraction is not None:
            raise Error("--refraction: only with --curvature, as light bends on a round earth")
        return None
    if refraction is None:
        return Curvature()
    if not -1 < refraction < 1:
        raise Error(f"--refraction: expected a number between -1 and 1, got {refraction:g}")
    return Curvature(refraction)


def refuse_options(because: str, given: Mapping[str, object]) -> None:
    """Raise Error for the first given option that does not apply."""
    for option, value in given.items():
        # The number 0 is a given value, although it equals False.
        if value is not None and value is not False and value != ():
            raise Error(f"{option} does not apply, because {because}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RasterViewshedOptions:
    """The options of ``emlia3d viewshed`` that apply only to rasters."""

    places: tuple[str, ...]
    file: Path | None
    every: float | None
    eye: float | None
    target: float | None
    absolute: bool
    crs: str | None
    band: int | None
    unit: str | None
    nodata: float | None
    min_distance: float | None
    max_distance: float | None
    sector: str | None
    pitch: str | None
    curvature: bool
    refraction: float | None
    polygons: Path | None
    cloud_optimized: bool

    def given(self) -> dict[str, object]:
        """Return the values by the names of the options."""
        names = {"places": "from", "file": "observers", "cloud_optimized": "cog"}
        return {
            f"--{names.get(each.name, each.name).replace('_', '-')}": getattr(self, each.name)
            for each in fields(self)
        }
