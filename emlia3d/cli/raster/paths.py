"""Paths on a raster: exposure and least exposed routes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.cli.parameters import EYE_M
from emlia3d.cli.path_words import (
    METRES,
    exposure_words,
    route_words,
    write_route,
    written_vertices,
)
from emlia3d.cli.raster.raster_options import (
    Observers,
    RasterOptions,
    about,
    curvature_of,
    numbers,
    progress_on,
    station,
)
from emlia3d.cli.writing import check_writable, echo
from emlia3d.dem.given_places import LINE_ENDINGS, in_model_crs, line_in_file
from emlia3d.dem.model import ElevationModel, Station
from emlia3d.dem.paths import Exposure, exposure, visible_m
from emlia3d.dem.routes import Route, route
from emlia3d.dem.viewshed_kinds import Show
from emlia3d.dem.visible_ground import viewshed
from emlia3d.errors import Error

ROUTE_ENDINGS = (".geojson", ".gpkg")

__all__ = ["Observers", "RasterOptions", "observers_of", "show_exposure", "show_route"]


def observers_of(
    places: tuple[str, ...],
    files: tuple[str, ...],
    every: float | None,
    eye: float | None,
    crs: str | None,
    *,
    absolute: bool,
) -> Observers:
    """Return the observers from the options; raise Error for more than one file."""
    if len(files) > 1:
        raise Error(f"--observers: expected one file of observers on a raster, got {len(files)}")
    return Observers(
        places,
        Path(files[0]) if files else None,
        every,
        EYE_M if eye is None else eye,
        crs,
        absolute,
    )


def show_exposure(  # noqa: PLR0913  the options of the command
    opening: RasterOptions,
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

        told = f"{Path(model.name).name}: {found.length_m:.0f} m, a target {target:g} m high"
        draw_exposure(found, told, len(stations), picture)
    if as_json:
        echo(json.dumps(_exposure_json(model, found, speed), ensure_ascii=False))
        return
    names = [f"{eye.x:.10g},{eye.y:.10g}" for eye in found.observers]
    first = found.first
    when = (
        "" if first is None else f" ({_minutes(first.distance_m, speed):.1f} min at {speed:g} km/h)"
    )
    echo("\n".join(exposure_words(found, names, METRES, when)))
    if picture is not None:
        echo(f"\n{picture}: the profile of the path")


def show_route(  # noqa: PLR0913  the options of the command
    opening: RasterOptions,
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
    check_writable(out, ROUTE_ENDINGS, "routes")
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
        write_route(out, found, found.path, model.crs)
    if picture is not None:
        from emlia3d.view.plans.dem_map import draw_viewshed  # noqa: PLC0415  to draw only

        draw_viewshed(seen, picture, route=found.path)
    if as_json:
        echo(json.dumps(_route_json(model, found), ensure_ascii=False))
        return
    echo(route_words(found, METRES))
    for file, told in ((out, "the route"), (picture, "the route on a map")):
        if file is not None:
            echo(f"{file}: {told}")


def _vertices(model: ElevationModel, text: str, crs: str | None) -> NDArray[np.float64]:
    """Return the vertices of a path, from text or a file."""
    if Path(text).suffix.lower() in LINE_ENDINGS:
        return line_in_file(model, Path(text), crs)
    return in_model_crs(model, np.array(written_vertices(text)), crs)


def _on_ground(model: ElevationModel, option: str, text: str, crs: str | None) -> Station:
    x, y = numbers(option, text, "X,Y")
    return station(model, option, f"{x!r},{y!r}", height=0.0, crs=crs)


def _exposure_json(model: ElevationModel, found: Exposure, speed: float) -> dict[str, Any]:
    first = found.first
    return {
        **about(model),
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


def _minutes(metres: float, speed: float) -> float:
    return metres / (speed * 1000 / 60)


def _route_json(model: ElevationModel, found: Route) -> dict[str, Any]:
    return {
        **about(model),
        "length_m": found.length_m,
        "seen_m": found.seen_m,
        "steepest": found.steepest,
        "way": found.path.tolist(),
    }
