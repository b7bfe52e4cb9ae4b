"""``emlia3d exposure``: where a way over a raster is in view, and of which observers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.cli.raster_options import EYE_M

WALKING_KMH = 5.0


def exposure(  # noqa: PLR0913  one parameter an option
    raster: Annotated[
        str, typer.Argument(metavar="RASTER", help="A raster of elevations (.tif, .hgt...).")
    ],
    *,
    path: Annotated[
        str,
        typer.Option(
            "--path",
            metavar="X,Y;X,Y...|FILE",
            help="The way: its vertices, or a file with one line: .geojson, .gpkg, .shp.",
        ),
    ],
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="X,Y[,H]", help="An observer: a place, and the eye's height there, m."
        ),
    ] = None,
    observers: Annotated[
        Path | None,
        typer.Option("--observers", metavar="FILE", help="Points: .csv, .geojson, .gpkg, .shp."),
    ] = None,
    every: Annotated[
        float | None, typer.Option(metavar="METRES", help="Observers on a grid.")
    ] = None,
    eye: Annotated[float, typer.Option(help="Height of eyes above the ground, m.")] = EYE_M,
    target: Annotated[float, typer.Option(help="Height of what goes along, m.")] = EYE_M,
    speed: Annotated[float, typer.Option(metavar="KM/H", help="Of what goes along.")] = WALKING_KMH,
    absolute: Annotated[
        bool, typer.Option("--absolute", help="Heights of eyes are above the raster's zero.")
    ] = False,
    crs: Annotated[
        str | None, typer.Option(metavar="EPSG:N", help="Of places; the raster's if not given.")
    ] = None,
    band: Annotated[int | None, typer.Option(min=1, help="Of a raster with several.")] = None,
    unit: Annotated[str | None, typer.Option(help="Of a raster's elevations.")] = None,
    cell: Annotated[
        float | None,
        typer.Option(metavar="METRES", help="Between centres, of a raster that does not say."),
    ] = None,
    curvature: Annotated[
        bool, typer.Option("--curvature", help="The ground sinks with distance.")
    ] = False,
    refraction: Annotated[
        float | None, typer.Option(help="Of light, with --curvature. [default: 0.13]")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the profile of the way.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Report where a way over a raster of elevations is in view.

    Where and when something that goes along it is first seen and by which observer, and how much
    of the way is in view.
    """
    from emlia3d.cli.raster_ways import Observers, Opening, show_exposure  # noqa: PLC0415

    show_exposure(
        Opening(raster, band, unit, cell),
        path,
        Observers(from_ or [], observers, every, eye, crs, absolute),
        target=target,
        speed=speed,
        curvature=curvature,
        refraction=refraction,
        picture=picture,
        as_json=as_json,
    )
