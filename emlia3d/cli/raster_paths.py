"""Paths over a raster: the visible parts of one, and the route of least exposure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

import emlia3d
from emlia3d.cli.raster_options import (
    Observers,
    Opening,
    curvature_of,
    numbers,
    progress_on,
    station,
)
from emlia3d.cli.writing import check_writable, echo
from emlia3d.dem.line import Run
from emlia3d.dem.model import ElevationModel, Station
from emlia3d.dem.paths import Exposure, exposure, visible_m
from emlia3d.dem.routes import Route, route
from emlia3d.dem.show import Show
from emlia3d.dem.stations import LINE_ENDINGS, in_model_crs, line_in_file
from emlia3d.dem.visible_ground import viewshed
from emlia3d.errors import Error, quoted

_VECTORS = (".geojson", ".gpkg")
_MOST_NAMED, _MOST_RUNS = 5, 8

__all__ = ["Observers", "Opening", "show_exposure", "show_route"]


def show_exposure(  # noqa: PLR0913  the options of the command
    opening: Opening,
    path: str,
    observers: Observers,
    *,
    target: float,
    speed: float,
    curvature: bool,
    refraction: float | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Answer ``emlia3d exposure RASTER --path ...``."""
    check_writable(picture)
    if not 0 < speed < float("inf"):
        raise Error(f"--speed: expected a number of km/h above 0, got {speed:g}")
    curved = curvature_of(curvature, refraction)
    model = opening.model()
    stations = observers.stations(model)
    vertices = _vertices(model, path, observers.crs)
    with progress_on(opening.file) as progress:
        found = exposure(model, vertices, stations, target, curvature=curved, progress=progress)
    if picture is not None:
        from emlia3d.view.plans.dem_profile import draw_exposure  # noqa: PLC0415  to draw only

        draw_exposure(model, found, picture)
    if as_json:
        echo(json.dumps(_exposure_json(model, found, speed), ensure_ascii=False))
        return
    echo("\n".join(_exposure_words(found, speed)))
    if picture is not None:
        echo(f"\n{picture}: the profile of the path")


def show_route(  # noqa: PLR0913  the options of the command
    opening: Opening,
    ends: tuple[str, str],
    observers: Observers,
    *,
    target: float,
    max_slope: float,
    detour: float,
    curvature: bool,
    refraction: float | None,
    out: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Answer ``emlia3d route RASTER --start X,Y --end X,Y``."""
    check_writable(out, _VECTORS, "routes")
    check_writable(picture)
    curved = curvature_of(curvature, refraction)
    model = opening.model()
    stations = observers.stations(model)
    start, end = (
        _on_ground(model, option, text, observers.crs)
        for option, text in zip(("--start", "--end"), ends, strict=True)
    )
    with progress_on(opening.file) as progress:
        seen = viewshed(
            model, stations, target, show=Show.COUNTS, curvature=curved, progress=progress
        )
    found = route(model, start, end, seen.values[0], max_slope=max_slope, detour=detour)
    if out is not None:
        _write(out, model, found)
    if picture is not None:
        from emlia3d.view.plans.dem_map import draw_viewshed  # noqa: PLC0415  to draw only

        draw_viewshed(seen, picture, route=found.path)
    if as_json:
        echo(json.dumps(_route_json(model, found), ensure_ascii=False))
        return
    share = found.seen_m / found.length_m if found.length_m else 0.0
    echo(
        f"A route of {found.length_m:.0f} m, {found.seen_m:.0f} m of it ({share:.0%}) in view; "
        f"the steepest step is {found.steepest:.1f} degrees."
    )
    for file, told in ((out, "the route"), (picture, "the route on a map")):
        if file is not None:
            echo(f"{file}: {told}")


def _vertices(model: ElevationModel, text: str, crs: str | None) -> NDArray[np.float64]:
    """Return the vertices of a path, written out or in a file."""
    if Path(text).suffix.lower() in LINE_ENDINGS:
        return line_in_file(model, Path(text), crs)
    return in_model_crs(model, _written(text), crs)


def _written(text: str) -> NDArray[np.float64]:
    vertices = [numbers("--path", part, "X,Y") for part in text.strip(";").split(";")]
    if len(vertices) < 2:
        raise Error(f"--path: expected two places X,Y;X,Y at least, got {quoted(text)}")
    return np.array(vertices)


def _on_ground(model: ElevationModel, option: str, text: str, crs: str | None) -> Station:
    x, y = numbers(option, text, "X,Y")
    return station(model, option, f"{x!r},{y!r}", height=0.0, crs=crs)


def _write(out: Path, model: ElevationModel, found: Route) -> None:
    from emlia3d.field.vector_files import write_vectors  # noqa: PLC0415  needs an extra

    columns = {
        "length_m": np.array([found.length_m]),
        "seen_m": np.array([found.seen_m]),
        "steepest": np.array([found.steepest]),
    }
    write_vectors(out, np.array([shapely.LineString(found.path)]), columns, model.crs)


def _exposure_json(model: ElevationModel, found: Exposure, speed: float) -> dict[str, Any]:
    first = found.first
    return {
        "program": emlia3d.__version__,
        "raster": model.name,
        "crs": model.crs,
        "notes": list(model.notes),
        "length_m": found.length_m,
        "target_m": found.target_m,
        "visible_m": visible_m(found.together),
        "visible_share": found.share,
        "first": None
        if first is None
        else {**first._asdict(), "minutes": _minutes(first.distance_m, speed)},
        "runs": [run._asdict() for run in found.together],
        "observers": [
            {
                "x": eye.x,
                "y": eye.y,
                "visible_m": visible_m(runs),
                "runs": [run._asdict() for run in runs],
            }
            for eye, runs in zip(found.observers, found.each, strict=True)
        ],
    }


def _exposure_words(found: Exposure, speed: float) -> Iterator[str]:
    yield (
        f"{visible_m(found.together):.0f} of {found.length_m:.0f} m of the path "
        f"({found.share:.0%}) are in view of {_count(len(found.observers))}."
    )
    if found.first is None:
        return
    first, eye = found.first, found.observers[found.first.observer]
    minutes = _minutes(first.distance_m, speed)
    yield (
        f"First seen after {first.distance_m:.1f} m ({minutes:.1f} min at {speed:g} km/h), at "
        f"{first.x:.10g},{first.y:.10g}, from {eye.x:.10g},{eye.y:.10g}."
    )
    yield f"In view: {_stretches(found.together)}."
    if len(found.observers) > 1:
        yield ""
        ranked = sorted(
            zip(found.observers, found.each, strict=True),
            key=lambda pair: -visible_m(pair[1]),
        )
        for eye, runs in ranked[:_MOST_NAMED]:
            yield f"From {eye.x:.10g},{eye.y:.10g}: {visible_m(runs):.0f} m, {_stretches(runs)}"


def _stretches(runs: tuple[Run, ...]) -> str:
    seen = [run for run in runs if run.visible]
    shown = [f"{run.start_m:.0f}-{run.end_m:.0f} m" for run in seen[:_MOST_RUNS]]
    more = f" and {len(seen) - len(shown)} more" if len(seen) > len(shown) else ""
    return (", ".join(shown) or "nowhere") + more


def _count(observers: int) -> str:
    return "the observer" if observers == 1 else f"the {observers} observers"


def _minutes(metres: float, speed: float) -> float:
    return metres / (speed * 1000 / 60)


def _route_json(model: ElevationModel, found: Route) -> dict[str, Any]:
    return {
        "program": emlia3d.__version__,
        "raster": model.name,
        "crs": model.crs,
        "notes": list(model.notes),
        "length_m": found.length_m,
        "seen_m": found.seen_m,
        "steepest": found.steepest,
        "way": found.path.tolist(),
    }
