"""``emlia3d viewshed``: what is seen over the field of a scenario, or over a raster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.cli.raster_options import EYE_M, RasterViewshedOptions, is_raster, refuse_options
from emlia3d.dem.show import Show


def viewshed(  # noqa: PLR0913  one parameter an option
    source: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO|RASTER",
            help="A scenario file, a bundled scenario, or a raster of elevations (.tif, .hgt...).",
        ),
    ],
    observers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[OBSERVER]...",
            help="Of a scenario: units, sides, or places x,y (or x,y,h: the footing of a figure of "
            "height 1 is h height units above the ground).",
        ),
    ] = None,
    *,
    show: Annotated[
        Show,
        typer.Option(
            help="What FILE holds. levels: concealment from the observer who sees most; counts: "
            "how many see something; each: a layer for each observer. Of a raster too: proportion, "
            "of observers; least: the smallest height that shows; share of the target that shows; "
            "angle above the horizontal.",
        ),
    ] = Show.LEVELS,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a GeoTIFF, picture or array: .tif, .png, .npy."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    height: Annotated[
        float | None,
        typer.Option(
            help="Of the figure that is looked for, height units; its size too. [default: 1]",
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
    cell: Annotated[
        float | None,
        typer.Option(
            metavar="LENGTH",
            help="Distance between the places, GSU; of a raster that does not say, its cells', m.",
        ),
    ] = None,
    from_: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="X,Y[,H]", help="An observer: a place, and the eye's height there, m."
        ),
    ] = None,
    observers_file: Annotated[
        Path | None,
        typer.Option("--observers", metavar="FILE", help="Points: .csv, .geojson, .gpkg, .shp."),
    ] = None,
    every: Annotated[
        float | None, typer.Option(metavar="METRES", help="Observers on a grid.")
    ] = None,
    eye: Annotated[
        float | None, typer.Option(help=f"Height of eyes above the ground, m. [default: {EYE_M}]")
    ] = None,
    target: Annotated[
        float | None, typer.Option(help=f"Height of the target, m. [default: {EYE_M}]")
    ] = None,
    absolute: Annotated[
        bool, typer.Option("--absolute", help="Heights of eyes are above the raster's zero.")
    ] = False,
    crs: Annotated[
        str | None, typer.Option(metavar="EPSG:N", help="Of places; the raster's if not given.")
    ] = None,
    band: Annotated[int | None, typer.Option(min=1, help="Of a raster with several.")] = None,
    unit: Annotated[str | None, typer.Option(help="Of a raster's elevations.")] = None,
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
    curvature: Annotated[
        bool, typer.Option("--curvature", help="The ground sinks with distance.")
    ] = False,
    refraction: Annotated[
        float | None, typer.Option(help="Of light, with --curvature. [default: 0.13]")
    ] = None,
    polygons: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write seen and hidden ground as .gpkg or .geojson."),
    ] = None,
    cloud_optimized: Annotated[
        bool, typer.Option("--cog", help="Write FILE.tif as a Cloud-Optimized GeoTIFF.")
    ] = False,
) -> None:
    """Show what is seen over a whole field.

    Of a scenario: where a figure is seen by units, sides or from places, by its rules or by plain
    geometry. Of a raster of elevations: which ground is seen from places in its coordinates.
    """
    raster = RasterViewshedOptions(
        places=from_ or [], file=observers_file, every=every, eye=eye, target=target,
        absolute=absolute, crs=crs, band=band, unit=unit, min_distance=min_distance,
        max_distance=max_distance, sector=sector, pitch=pitch, curvature=curvature,
        refraction=refraction, polygons=polygons, cloud_optimized=cloud_optimized,
    )  # fmt: skip
    if is_raster(source):
        from emlia3d.cli.raster_viewshed import show_raster  # noqa: PLC0415  loads only its half

        refuse_options(
            f"{source} is a raster",
            {"OBSERVER": observers, "--height": height, "--reverse": reverse, "--rules": rules},
        )
        show_raster(source, raster, cell=cell, show=show, out=out, as_json=as_json)
    else:
        from emlia3d.cli.scenario_viewshed import show_area  # noqa: PLC0415

        refuse_options(f"{source} is a scenario", raster.given())
        show_area(
            source, observers or [], height=1.0 if height is None else height, rules=rules,
            cell=cell, reverse=reverse, show=show, out=out, as_json=as_json,
        )  # fmt: skip
