"""``emlia3d route``: the route of least exposure between two places."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.cli.raster_arguments import (
    EYE_M,
    Absolute,
    Band,
    CellM,
    Crs,
    Curved,
    Every,
    Eye,
    From,
    Json,
    Nodata,
    ObserversFile,
    Raster,
    Refraction,
    Target,
    Unit,
)


def route(  # noqa: PLR0913  one parameter an option
    raster: Raster,
    *,
    start: Annotated[str, typer.Option(metavar="X,Y", help="Start of the route.")],
    end: Annotated[str, typer.Option(metavar="X,Y", help="End of the route.")],
    from_: From = None,
    observers: ObserversFile = None,
    every: Every = None,
    eye: Eye = EYE_M,
    target: Target = EYE_M,
    max_slope: Annotated[
        float, typer.Option(metavar="DEGREES", help="Steepest slope that is allowed.")
    ] = 35.0,
    detour: Annotated[
        float,
        typer.Option(
            metavar="METRES", help="Extra length that avoiding one metre in view is worth."
        ),
    ] = 10.0,
    absolute: Absolute = False,
    crs: Crs = None,
    band: Band = None,
    unit: Unit = None,
    nodata: Nodata = None,
    cell: CellM = None,
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
    """Find the route of least exposure between two places, within a slope limit."""
    from emlia3d.cli.raster_paths import Observers, Opening, show_route  # noqa: PLC0415

    show_route(
        Opening(raster, band, unit, cell, nodata),
        (start, end),
        Observers(from_ or [], observers, every, eye, crs, absolute),
        target=target,
        max_slope=max_slope,
        detour=detour,
        curvature=curvature,
        refraction=refraction,
        out=out,
        picture=picture,
        as_json=as_json,
    )
