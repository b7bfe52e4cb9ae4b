"""Lines of sight over a raster, in words, in JSON and as a profile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from emlia3d.cli.raster.raster_options import RasterOptions, about, curvature_of, station
from emlia3d.cli.writing import check_writable, echo
from emlia3d.dem.line import LineOfSight, LinePoint, line_of_sight
from emlia3d.dem.model import ElevationModel, Station

_MAX_RUNS = 12


def show_line(  # noqa: PLR0913  the options of the command
    opening: RasterOptions,
    ends: tuple[str, str],
    *,
    absolute: bool,
    crs: str | None,
    curvature: bool,
    refraction: float | None,
    as_json: bool,
    picture: Path | None,
) -> None:
    """Answer ``emlia3d sight RASTER --from X,Y,H --to X,Y,H``."""
    check_writable(picture)
    curved = curvature_of(curvature, refraction)
    model = opening.model()
    observer = station(model, "--from", ends[0], crs=crs, absolute=absolute)
    target = station(model, "--to", ends[1], crs=crs, absolute=absolute)
    found = line_of_sight(model, observer, target, curvature=curved)
    if picture is not None:
        from emlia3d.view.plans.dem_profile import draw_profile  # noqa: PLC0415  to draw only

        draw_profile(model, found, picture)
    if as_json:
        echo(json.dumps(to_json(model, found), ensure_ascii=False))
    else:
        echo("\n".join(_in_words(model, found)))
        if picture is not None:
            echo(f"\n{picture}: the profile of the line")


def to_json(model: ElevationModel, found: LineOfSight) -> dict[str, Any]:
    """Return the answer as plain JSON values."""
    return {
        **about(model),
        "observer": _station(found.observer),
        "target": _station(found.target),
        "refraction": None if found.curvature is None else found.curvature.refraction,
        "line_of_sight": found.visible,
        "distance_m": found.distance_m,
        "bearing": found.bearing,
        "vertical_angle": found.angle,
        "closest": None if found.closest is None else found.closest._asdict(),
        "blocked": None if found.blocked is None else found.blocked._asdict(),
        "least_height_m": found.least_m,
        "runs": [run._asdict() for run in found.runs],
    }


def _station(point: Station) -> dict[str, float]:
    return {"x": point.x, "y": point.y, "ground_m": point.ground, "height_m": point.height}


def _in_words(model: ElevationModel, found: LineOfSight) -> Iterator[str]:
    yield f"{_named(found.observer)} to {_named(found.target)}: " + (
        "visible" if found.visible else "blocked"
    )
    yield ""
    yield f"Distance        {found.distance_m:.1f} m"
    yield f"Bearing         {found.bearing:.2f} degrees"
    yield f"Vertical angle  {found.angle:+.3f} degrees"
    if found.closest is not None:
        yield f"Clearance       {found.closest.gap_m:.2f} m at {_at(found.closest)}"
    if found.blocked is not None:
        yield (
            f"Blocked at      {_at(found.blocked)}; the ground rises "
            f"{-found.blocked.gap_m:.2f} m above the line"
        )
    if found.least_m is None:
        yield "Shows from      no height, because the eye is under the ground"
    else:
        yield f"Shows from      {found.least_m:.2f} m above the ground"
    if found.runs:
        yield f"Along the line  {_runs(found)}"
    if found.curvature is not None:
        yield f"Earth           curved, refraction {found.curvature.refraction:g}"


def _named(point: Station) -> str:
    place = f"{point.x:.10g},{point.y:.10g}"
    return f"{place} ({point.height:g} m above the ground at {point.ground:.1f} m)"


def _at(point: LinePoint) -> str:
    return f"{point.x:.10g},{point.y:.10g}, {point.distance_m:.1f} m from the observer"


def _runs(found: LineOfSight) -> str:
    shown = [
        f"{'visible' if run.visible else 'hidden'} {run.start_m:.0f}-{run.end_m:.0f} m"
        for run in found.runs[:_MAX_RUNS]
    ]
    rest = len(found.runs) - len(shown)
    return ", ".join(shown) + (f", and {rest} more" if rest else "")
