"""Parsing, description and export of paths and routes, on fields and rasters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.cli.raster.raster_options import numbers
from emlia3d.dem.line import Run
from emlia3d.dem.paths import PathExposure, visible_m
from emlia3d.dem.routes import Route
from emlia3d.errors import Error, quoted

_MOST_NAMED, _MOST_RUNS = 5, 8


class PathMeasure(NamedTuple):
    """The unit of lengths along a path.

    metres : length of one unit
    decimals : number of decimals of lengths
    digits : number of decimals of coordinates
    """

    unit: str
    metres: float
    decimals: int = 0
    digits: int = 10

    def of(self, metres: float, more: int = 0) -> str:
        """Return a length with its unit, with *more* additional decimals."""
        return f"{self.number(metres, more)} {self.unit}"

    def number(self, metres: float, more: int = 0) -> str:
        """Return a length without its unit."""
        return f"{metres / self.metres:.{self.decimals + more}f}"


METRES = PathMeasure("m", 1.0)


def exposure_words(
    found: PathExposure, names: Sequence[str], measure: PathMeasure, when: str
) -> Iterator[str]:
    """Yield lines about the visible parts of a path.

    names : of the observers
    when : time until the first view, in brackets, or ""
    """
    seen = visible_m(found.together)
    yield (
        f"{measure.number(seen)} of {measure.of(found.length_m)} of the path "
        f"({found.share:.0%}) are in view of {_count(len(names))}."
    )
    if found.first is None:
        return
    first = found.first
    yield (
        f"First seen after {measure.of(first.distance_m, 1)}{when}, at "
        f"{first.x:.{measure.digits}g},{first.y:.{measure.digits}g}, from {names[first.observer]}."
    )
    yield f"In view: {_stretches(found.together, measure)}."
    if len(names) > 1:
        yield ""
        ranked = sorted(zip(names, found.each, strict=True), key=lambda pair: -visible_m(pair[1]))
        for name, runs in ranked[:_MOST_NAMED]:
            yield f"From {name}: {measure.of(visible_m(runs))}, {_stretches(runs, measure)}"


def route_words(found: Route, measure: PathMeasure) -> str:
    """Return a sentence about a route."""
    share = found.seen_m / found.length_m if found.length_m else 0.0
    return (
        f"A route of {measure.of(found.length_m)}, {measure.of(found.seen_m)} of it ({share:.0%}) "
        f"in view; the steepest step is {found.steepest:.1f} degrees."
    )


def written_vertices(text: str) -> list[tuple[float, float]]:
    """Parse the vertices of a path X,Y;X,Y...; raise Error if invalid."""
    vertices = [numbers("--path", part, "X,Y") for part in text.strip(";").split(";")]
    if len(vertices) < 2:
        raise Error(f"--path: expected two places X,Y;X,Y at least, got {quoted(text)}")
    return [(x, y) for x, y in vertices]


def write_route(out: Path, found: Route, path: NDArray[np.float64], crs: str | None) -> None:
    """Write a route as a vector file with one line.

    path : (n, 2), its vertices in the reference system *crs*
    """
    from emlia3d.field.vector_files import write_vectors  # noqa: PLC0415  needs an extra

    columns = {
        "length_m": np.array([found.length_m]),
        "seen_m": np.array([found.seen_m]),
        "steepest": np.array([found.steepest]),
    }
    write_vectors(out, np.array([shapely.LineString(path)]), columns, crs)


def _stretches(runs: Sequence[Run], measure: PathMeasure) -> str:
    seen = [run for run in runs if run.visible]
    shown = [f"{measure.number(run.start_m)}-{measure.of(run.end_m)}" for run in seen[:_MOST_RUNS]]
    more = f" and {len(seen) - len(shown)} more" if len(seen) > len(shown) else ""
    return (", ".join(shown) or "nowhere") + more


def _count(observers: int) -> str:
    return "the observer" if observers == 1 else f"the {observers} observers"
