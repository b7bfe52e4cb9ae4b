"""``emlia3d viewshed``: what is seen over the field of a scenario, or over a raster."""

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
    From,
    Json,
    Nodata,
    ObserversFile,
    Refraction,
    Source,
    Unit,
)
from emlia3d.cli.raster_options import RasterViewshedOptions, is_raster, refuse_options
from emlia3d.cli.scenario.arguments import At
from emlia3d.dem.show import Show


def viewshed(  # noqa: PLR0913  one parameter an option
    source: Source,
    observers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[OBSERVER]...",
            help="Units, sides, or places x,y of a scenario. In x,y,h the feet of a "
            "figure of height 1 are h height units above the ground.",
        ),
    ] = None,
    *,
    show: Annotated[
        Show,
        typer.Option(
            help="Content of FILE. levels: the least concealment from any observer; counts: the "
            "number of observers that see the target; each: a layer for each observer. Only on a "
            "raster: proportion of observers, least visible height, visible share of the target, "
            "angle above the horizontal.",
        ),
    ] = Show.LEVELS,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a GeoTIFF, picture or array: .tif, .png, .npy."),
    ] = None,
    as_json: Json = False,
    height: Annotated[
        float | None,
        typer.Option(
            help="Height and size of the figure that is looked for, height units. [default: 1]",
        ),
    ] = None,
    reverse: Annotated[
        bool,
        typer.Option("--reverse", help="Ask from where the observers are seen."),
    ] = False,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|true",
            help="The scenario's if not given; true: plain geometry, of an upright line.",
        ),
    ] = None,
    at: At = None,
    cell: Annotated[
        float | None,
        typer.Option(
            metavar="LENGTH",
            help="Distance between the places, GSU; of a raster that does not say, its cells', m.",
        ),
    ] = None,
    from_: From = None,
    observers_file: ObserversFile = None,
    every: Every = None,
    eye: Annotated[
        float | None, typer.Option(help=f"Height of eyes above the ground, m. [default: {EYE_M}]")
    ] = None,
    target: Annotated[
        float | None, typer.Option(help=f"Height of the target, m. [default: {EYE_M}]")
    ] = None,
    absolute: Absolute = False,
    crs: Crs = None,
    band: Band = None,
    unit: Unit = None,
    nodata: Nodata = None,
    min_distance: Annotated[
        float | None, typer.Option(metavar="METRES", help="See no nearer.")
    ] = None,
    max_distance: Annotated[
        float | None, typer.Option(metavar="METRES", help="See no farther.")
    ] = None,
    sector: Annotated[
        str | None, typer.Option(metavar="FROM,TO", help="See between bearings only, clockwise.")
    ] = None,
    pitch: Annotated[
        str | None, typer.Option(metavar="LOW,HIGH", help="See between angles to the horizontal.")
    ] = None,
    curvature: Curved = False,
    refraction: Refraction = None,
    polygons: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write seen and hidden ground as .gpkg or .geojson."),
    ] = None,
    cloud_optimized: Annotated[
        bool, typer.Option("--cog", help="Write FILE.tif as a Cloud-Optimized GeoTIFF.")
    ] = False,
) -> None:
    """Show what is seen over a whole field.

    In a scenario or a position of a battle file, map how units, sides or places see a figure, by
    its rules or by plain geometry.
    On a raster of elevations, map the ground that places in its coordinates see.
    """
    raster = RasterViewshedOptions(
        places=from_ or [], file=observers_file, every=every, eye=eye, target=target,
        absolute=absolute, crs=crs, band=band, unit=unit, nodata=nodata, min_distance=min_distance,
        max_distance=max_distance, sector=sector, pitch=pitch, curvature=curvature,
        refraction=refraction, polygons=polygons, cloud_optimized=cloud_optimized,
    )  # fmt: skip
    if is_raster(source):
        from emlia3d.cli.raster_viewshed import show_raster  # noqa: PLC0415  loads only its half

        refuse_options(
            f"{source} is a raster",
            {
                "OBSERVER": observers,
                "--height": height,
                "--reverse": reverse,
                "--rules": rules,
                "--at": at,
            },
        )
        show_raster(source, raster, cell=cell, show=show, out=out, as_json=as_json)
    else:
        from emlia3d.cli.scenario.viewshed import show_area  # noqa: PLC0415

        refuse_options(f"{source} is a scenario", raster.given())
        show_area(
            source, observers or [], at=at, height=1.0 if height is None else height, rules=rules,
            cell=cell, reverse=reverse, show=show, out=out, as_json=as_json,
        )  # fmt: skip
