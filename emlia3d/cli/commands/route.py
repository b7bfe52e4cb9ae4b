"""``emlia3d route``: the way over a raster on which observers see the least."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.cli.raster_options import EYE_M


def route(  # noqa: PLR0913  one parameter an option
    raster: Annotated[
        str, typer.Argument(metavar="RASTER", help="A raster of elevations (.tif, .hgt...).")
    ],
    *,
    start: Annotated[str, typer.Option(metavar="X,Y", help="Where the way begins.")],
    end: Annotated[str, typer.Option(metavar="X,Y", help="Where it ends.")],
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
    max_slope: Annotated[float, typer.Option(metavar="DEGREES", help="No step is steeper.")] = 35.0,
    detour: Annotated[
        float,
        typer.Option(
            metavar="METRES", help="A metre in view is avoided if it takes at most so many more."
        ),
    ] = 10.0,
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
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the way: .geojson or .gpkg.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw it on a map of what is seen.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Find the way between two places of which observers see the least, within a slope limit."""
    from emlia3d.cli.raster_ways import Observers, Opening, show_route  # noqa: PLC0415

    show_route(
        Opening(raster, band, unit, cell),
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
