"""``emlia3d route``: the route of least exposure between two places."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.cli.raster_arguments import (
    EYE_M,
    Absolute,
    Band,
    Crs,
    Curved,
    Every,
    Eye,
    From,
    Json,
    Nodata,
    Observing,
    Refraction,
    Source,
    Target,
    Unit,
)
from emlia3d.cli.raster_options import is_raster, refuse_options
from emlia3d.cli.scenario.arguments import At, Height, Mover, Rules


def route(  # noqa: PLR0913  one parameter an option
    source: Source,
    *,
    start: Annotated[str, typer.Option(metavar="X,Y|UNIT", help="Start of the route.")],
    end: Annotated[str, typer.Option(metavar="X,Y|UNIT", help="End of the route.")],
    from_: From = None,
    observers: Observing = None,
    every: Every = None,
    eye: Eye = None,
    target: Target = None,
    max_slope: Annotated[
        float, typer.Option(metavar="DEGREES", help="Steepest slope that is allowed.")
    ] = 35.0,
    detour: Annotated[
        float,
        typer.Option(
            metavar="METRES", help="Extra length that avoiding one metre in view is worth."
        ),
    ] = 10.0,
    at: At = None,
    rules: Rules = None,
    height: Height = None,
    mover: Mover = None,
    absolute: Absolute = False,
    crs: Crs = None,
    band: Band = None,
    unit: Unit = None,
    nodata: Nodata = None,
    cell: Annotated[
        float | None,
        typer.Option(
            metavar="LENGTH",
            help="Distance between points of the route in a scenario, GSU; of a raster that does "
            "not say, its cells', m.",
        ),
    ] = None,
    curvature: Curved = False,
    refraction: Refraction = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the route: .geojson or .gpkg.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE.png", help="Draw the route on a map."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the route of least exposure between two places, within a slope limit.

    In a scenario, or in a position of a battle file, its rules decide what units, sides and places
    see of a figure on the route, which avoids impassable terrain.
    """
    of_raster = {
        "--every": every, "--eye": eye, "--target": target, "--absolute": absolute, "--crs": crs,
        "--band": band, "--unit": unit, "--nodata": nodata, "--curvature": curvature,
        "--refraction": refraction,
    }  # fmt: skip
    of_scenario = {"--at": at, "--rules": rules, "--height": height, "--mover": mover}
    if not is_raster(source):
        from emlia3d.cli.scenario.paths import Asked, show_field_route  # noqa: PLC0415

        refuse_options(f"{source} is a scenario", of_raster)
        show_field_route(
            Asked(
                source=source, at=at, observers=[*(observers or []), *(from_ or [])], rules=rules,
                height=height, mover=mover,
            ),
            (start, end), cell=cell, max_slope=max_slope, detour=detour, out=out, picture=picture,
            as_json=as_json,
        )  # fmt: skip
        return
    from emlia3d.cli.raster_paths import Opening, observers_of, show_route  # noqa: PLC0415

    refuse_options(f"{source} is a raster", of_scenario)
    show_route(
        Opening(source, band, unit, cell, nodata),
        (start, end),
        observers_of(from_, observers, every, eye, crs, absolute=absolute),
        target=EYE_M if target is None else target,
        max_slope=max_slope,
        detour=detour,
        curvature=curvature,
        refraction=refraction,
        out=out,
        picture=picture,
        as_json=as_json,
    )
