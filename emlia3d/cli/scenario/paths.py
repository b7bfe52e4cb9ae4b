"""Paths on the field of a scenario: exposure and least exposed routes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import emlia3d
from emlia3d.cli.path_words import (
    PathMeasure,
    exposure_words,
    route_words,
    write_route,
    written_vertices,
)
from emlia3d.cli.raster.paths import ROUTE_ENDINGS
from emlia3d.cli.raster.raster_options import progress_on
from emlia3d.cli.scenario.position import position_in
from emlia3d.cli.writing import check_writable, echo
from emlia3d.dem.given_places import LINE_ENDINGS, line_of_file
from emlia3d.dem.line import Run
from emlia3d.dem.paths import visible_m
from emlia3d.errors import Error, FileError
from emlia3d.field.map_features import laid_shapes
from emlia3d.scenario import Scenario
from emlia3d.scenario.observers import is_place
from emlia3d.scenario.paths import STEP, FieldExposure, place_of_word
from emlia3d.scenario.routes import FieldRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The options of both commands that select units and points.

    observers : units, sides and points
    """

    source: str
    at: int | None
    observers: Sequence[str]
    rules: str | None
    height: float | None
    mover: str | None


def show_field_exposure(  # noqa: PLR0913  the options of the command
    asked: Asked,
    path: str,
    *,
    crs: str | None,
    speed: float | None,
    step: float | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Answer ``emlia3d exposure SCENARIO --path ...``."""
    check_writable(picture)
    scenario = position_in(asked.source, asked.at)
    vertices = _vertices(scenario, path, crs)
    with progress_on(scenario.title) as progress:
        found = scenario.exposure(
            vertices, *asked.observers, rules=asked.rules, height=asked.height, mover=asked.mover,
            speed=speed, step=STEP if step is None else step, progress=progress,
        )  # fmt: skip
    measure = _measure(scenario)
    if picture is not None:
        from emlia3d.view.plans.dem_profile import draw_exposure  # noqa: PLC0415  to draw only

        who = found.mover or f"a figure of height {found.height:g}"
        told = f"{scenario.title}: {measure.of(found.length_m)}, {who}"
        draw_exposure(found, told, len(found.observers), picture, (measure.unit, measure.metres))
    if as_json:
        echo(json.dumps(_exposure_json(scenario, found), ensure_ascii=False))
        return
    first, when = found.first, ""
    if first is not None and found.speed is not None:
        turns = first.distance_m / measure.metres / found.speed
        when = f" ({turns:.1f} turns at {found.speed:g} GSU a turn)"
    echo("\n".join(exposure_words(found, found.observers, measure, when)))
    if picture is not None:
        echo(f"\n{picture}: the profile of the path")


def show_field_route(  # noqa: PLR0913  the options of the command
    asked: Asked,
    ends: tuple[str, str],
    *,
    cell: float | None,
    max_slope: float,
    detour: float,
    out: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Answer ``emlia3d route SCENARIO --start ... --end ...``."""
    check_writable(out, ROUTE_ENDINGS, "routes")
    check_writable(picture)
    scenario = position_in(asked.source, asked.at)
    with progress_on(scenario.title) as progress:
        found = scenario.route(
            *ends, *asked.observers, rules=asked.rules, height=asked.height, mover=asked.mover,
            cell=cell, max_slope=max_slope, detour=detour, progress=progress,
        )  # fmt: skip
    if out is not None:
        _write(out, scenario, found)
    if picture is not None:
        from emlia3d.view.plans.areaplan import draw_area  # noqa: PLC0415  to draw only

        now = scenario.position()
        draw_area(now.setup, now.state, found.area, picture, counts=True, route=found.route.path)
    if as_json:
        echo(json.dumps(_route_json(scenario, found), ensure_ascii=False))
        return
    echo(route_words(found.route, _measure(scenario)))
    for file, told in ((out, "the route"), (picture, "the route on a map")):
        if file is not None:
            echo(f"{file}: {told}")


def _measure(scenario: Scenario) -> PathMeasure:
    return PathMeasure("GSU", scenario.setup.field.scale.metres_per_gsu, decimals=1, digits=6)


def _vertices(scenario: Scenario, text: str, crs: str | None) -> list[tuple[float, float]]:
    """Return the vertices of a path, GSU, from a file or from text with names of units."""
    if Path(text).suffix.lower() in LINE_ENDINGS:
        file, field = Path(text), scenario.setup.field
        line, own = line_of_file(file)
        try:
            laid = laid_shapes(line, crs or own, field.ground.georeference, field.scale)
        except FileError as fault:
            raise FileError(f"{file}: {fault}") from None
        return [(x, y) for x, y in laid[0].coords]
    if crs is not None:
        raise Error("--crs: only for a path from a file; places in a scenario are in GSU")
    parts = [part.strip() for part in text.strip(";").split(";")]
    if len(parts) < 2 or all(map(is_place, parts)):
        return written_vertices(text)
    now = scenario.position()
    return [place_of_word(scenario, now, part) for part in parts]


def _write(out: Path, scenario: Scenario, found: FieldRoute) -> None:
    """Write a route in the reference system of the ground, or in metres from the south-west."""
    field, path = scenario.setup.field, found.route.path
    path = field.scale.metres_of_gsu(path)
    place = field.ground.georeference
    if place is not None:
        path = path * [place.east_per_m, place.north_per_m] + [place.west, place.south]
    write_route(out, found.route, path, None if place is None else place.crs)


def _heading(scenario: Scenario, rules: str, height: float, mover: str | None) -> dict[str, Any]:
    return {
        "program": emlia3d.__version__,
        "scenario": scenario.title,
        "turn": scenario.position().state.turn,
        "rules": rules,
        "height": height,
        "mover": mover,
    }


def _exposure_json(scenario: Scenario, found: FieldExposure) -> dict[str, Any]:
    gsu, first = scenario.setup.field.scale.metres_per_gsu, found.first

    def runs(given: Sequence[Run]) -> list[dict[str, Any]]:
        return [
            {"start": run.start_m / gsu, "end": run.end_m / gsu, "visible": run.visible}
            for run in given
        ]

    seen = None
    if first is not None:
        far = first.distance_m / gsu
        seen = {
            "distance": far,
            "x": first.x,
            "y": first.y,
            "observer": found.observers[first.observer],
            "turns": None if found.speed is None else far / found.speed,
        }
    return {
        **_heading(scenario, found.rules, found.height, found.mover),
        "length": found.length_m / gsu,
        "length_m": found.length_m,
        "visible": visible_m(found.together) / gsu,
        "visible_share": found.share,
        "first": seen,
        "runs": runs(found.together),
        "observers": [
            {"observer": name, "visible": visible_m(each) / gsu, "runs": runs(each)}
            for name, each in zip(found.observers, found.each, strict=True)
        ],
    }


def _route_json(scenario: Scenario, found: FieldRoute) -> dict[str, Any]:
    gsu, route = scenario.setup.field.scale.metres_per_gsu, found.route
    return {
        **_heading(scenario, found.area.rules, found.area.height, found.mover),
        "observers": list(found.area.observers),
        "cell": found.area.grid.cell,
        "length": route.length_m / gsu,
        "length_m": route.length_m,
        "seen": route.seen_m / gsu,
        "steepest": route.steepest,
        "way": route.path.tolist(),
    }
