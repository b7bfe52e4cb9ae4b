"""``emlia3d exposure``: the visible parts of a path over a raster."""

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

WALKING_KMH = 5.0


def exposure(  # noqa: PLR0913  one parameter an option
    raster: Raster,
    *,
    path: Annotated[
        str,
        typer.Option(
            "--path",
            metavar="X,Y;X,Y...|FILE",
            help="The path: its vertices, or a file with one line: .geojson, .gpkg, .shp.",
        ),
    ],
    from_: From = None,
    observers: ObserversFile = None,
    every: Every = None,
    eye: Eye = EYE_M,
    target: Target = EYE_M,
    speed: Annotated[
        float, typer.Option(metavar="KM/H", help="Speed along the path.")
    ] = WALKING_KMH,
    absolute: Absolute = False,
    crs: Crs = None,
    band: Band = None,
    unit: Unit = None,
    nodata: Nodata = None,
    cell: CellM = None,
    curvature: Curved = False,
    refraction: Refraction = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the profile of the path.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Report the visible parts of a path over a raster of elevations.

    The answer names the place and the time at which a target on the path is first seen, the
    observer that sees it first, and the proportion of the path in view.
    """
    from emlia3d.cli.raster_paths import Observers, Opening, show_exposure  # noqa: PLC0415

    show_exposure(
        Opening(raster, band, unit, cell, nodata),
        path,
        Observers(from_ or [], observers, every, eye, crs, absolute),
        target=target,
        speed=speed,
        curvature=curvature,
        refraction=refraction,
        picture=picture,
        as_json=as_json,
    )
