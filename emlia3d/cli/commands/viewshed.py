"""``emlia3d viewshed``: the visible parts of a field or a raster."""

from __future__ import annotations

from pathlib import Path

import click

from emlia3d.cli.parameters import (
    AT,
    CURVED,
    ELEVATIONS,
    EVERY,
    EYE,
    FILE,
    FROM,
    JSON,
    OBSERVERS_FILE,
    SOURCE,
    TARGET,
)
from emlia3d.dem.viewshed_kinds import Show
from emlia3d.errors import Error, quoted


@click.command()
@SOURCE
@click.argument(
    "observers",
    nargs=-1,
    metavar="[OBSERVER]...",
    help=(
        "Units, sides, or points x,y of a scenario. x,y,h is a figure of "
        "height 1 that stands h height units above the ground."
    ),
)
@click.option(
    "--show",
    type=click.Choice([each.value for each in Show]),
    default=Show.LEVELS.value,
    help=(
        "Content of the files. levels: minimum concealment over all "
        "observers; counts: number of observers that see the target; each: "
        "a layer for each observer. Only for a raster: proportion of "
        "observers, least visible height, visible share of the target, "
        "angle above the horizontal."
    ),
)
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="Write a GeoTIFF or an array: .tif, .npy.",
)
@click.option(
    "--picture",
    type=FILE,
    metavar="FILE.png",
    help="Draw a map with hidden ground, observers and a scale.",
)
@JSON
@click.option(
    "--height",
    type=float,
    help="Height and size of the target figure, height units. [default: 1]",
)
@click.option("--reverse", is_flag=True, help="Show the points from which the observers are seen.")
@click.option(
    "--rules",
    metavar="NAME|true",
    help="A rule system, or true for the geometry of an upright line. [default: the scenario's]",
)
@AT
@click.option(
    "--cell",
    type=float,
    metavar="LENGTH",
    help="Distance between points, GSU; for a raster, cell size if it does not state it, m.",
)
@FROM
@OBSERVERS_FILE
@EVERY
@EYE
@TARGET
@ELEVATIONS
@click.option(
    "--min-distance", type=float, metavar="METRES", help="Minimum distance of visible points."
)
@click.option(
    "--max-distance", type=float, metavar="METRES", help="Maximum distance of visible points."
)
@click.option("--sector", metavar="FROM,TO", help="Limit the view to these bearings, clockwise.")
@click.option(
    "--pitch", metavar="LOW,HIGH", help="Limit the view to these angles above the horizontal."
)
@CURVED
@click.option(
    "--polygons",
    type=FILE,
    metavar="FILE",
    help="Write seen and hidden ground as .gpkg or .geojson.",
)
@click.option(
    "--cog",
    "cloud_optimized",
    is_flag=True,
    help="Write FILE.tif as a Cloud-Optimized GeoTIFF.",
)
def viewshed(  # noqa: PLR0913  one parameter an option
    source: str,
    observers: tuple[str, ...],
    *,
    show: str,
    out: Path | None,
    picture: Path | None,
    as_json: bool,
    height: float | None,
    reverse: bool,
    rules: str | None,
    at: int | None,
    cell: float | None,
    from_: tuple[str, ...],
    observers_file: Path | None,
    every: float | None,
    eye: float | None,
    target: float | None,
    absolute: bool,
    crs: str | None,
    band: int | None,
    unit: str | None,
    nodata: float | None,
    min_distance: float | None,
    max_distance: float | None,
    sector: str | None,
    pitch: str | None,
    curvature: bool,
    refraction: float | None,
    polygons: Path | None,
    cloud_optimized: bool,
) -> None:
    """Show what is seen over a whole field.

    For a scenario or a position of a battle file, map how units, sides or points see a figure, by
    its rules or by geometry.
    For a raster of elevations, map the ground that observers see.
    """
    from emlia3d.cli.raster.raster_options import (  # noqa: PLC0415  not for --help
        RasterViewshedOptions,
        is_raster,
        refuse_options,
    )

    raster = RasterViewshedOptions(
        places=from_, file=observers_file, every=every, eye=eye, target=target,
        absolute=absolute, crs=crs, band=band, unit=unit, nodata=nodata, min_distance=min_distance,
        max_distance=max_distance, sector=sector, pitch=pitch, curvature=curvature,
        refraction=refraction, polygons=polygons, cloud_optimized=cloud_optimized,
    )  # fmt: skip
    if is_raster(source):
        from emlia3d.cli.raster.viewshed import show_raster  # noqa: PLC0415  loads only its half

        if observers and not from_:
            raise Error(
                f"{source} is a raster: expected --from X,Y, --observers FILE or --every METRES, "
                f"not {quoted(observers[0])}"
            )
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
        show_raster(
            source, raster, cell=cell, show=Show(show), out=out, picture=picture, as_json=as_json
        )
    else:
        from emlia3d.cli.scenario.viewshed import show_area  # noqa: PLC0415

        refuse_options(f"{source} is a scenario", raster.given())
        show_area(
            source, observers, at=at, height=1.0 if height is None else height, rules=rules,
            cell=cell, reverse=reverse, show=Show(show), out=out, picture=picture,
            as_json=as_json,
        )  # fmt: skip
