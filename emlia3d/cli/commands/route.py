"""``emlia3d route``: the least exposed route between two points."""

from __future__ import annotations

from pathlib import Path

import click

from emlia3d.cli.parameters import (
    CURVED,
    ELEVATIONS,
    EYE_M,
    FILE,
    JSON,
    MOVING,
    SOURCE,
    STATIONS,
)


@click.command()
@SOURCE
@click.option("--start", required=True, metavar="X,Y|UNIT", help="Start of the route.")
@click.option("--end", required=True, metavar="X,Y|UNIT", help="End of the route.")
@STATIONS
@click.option(
    "--max-slope",
    type=float,
    default=35.0,
    metavar="DEGREES",
    help="Maximum slope.",
)
@click.option(
    "--detour",
    type=float,
    default=10.0,
    metavar="METRES",
    help="Extra length that is acceptable to avoid one metre in view.",
)
@MOVING
@ELEVATIONS
@click.option(
    "--cell",
    type=float,
    metavar="LENGTH",
    help=(
        "For a scenario, distance between points of the route, GSU; for a "
        "raster, cell size if it does not state it, m."
    ),
)
@CURVED
@click.option("--out", type=FILE, metavar="FILE", help="Write the route: .geojson or .gpkg.")
@click.option("--picture", type=FILE, metavar="FILE.png", help="Draw the route on a map.")
@JSON
def route(  # noqa: PLR0913  one parameter an option
    source: str,
    *,
    start: str,
    end: str,
    from_: tuple[str, ...],
    observers: tuple[str, ...],
    every: float | None,
    eye: float | None,
    target: float | None,
    max_slope: float,
    detour: float,
    at: int | None,
    rules: str | None,
    height: float | None,
    mover: str | None,
    absolute: bool,
    crs: str | None,
    band: int | None,
    unit: str | None,
    nodata: float | None,
    cell: float | None,
    curvature: bool,
    refraction: float | None,
    out: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Find the least exposed route between two points.

    The route keeps within a slope limit.

    In a scenario or a position of a battle file, its rules determine what units, sides and points
    see of a figure on the route. The route avoids impassable terrain.
    """
    from emlia3d.cli.raster.raster_options import is_raster, refuse_options  # noqa: PLC0415

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
                source=source, at=at, observers=[*observers, *from_], rules=rules,
                height=height, mover=mover,
            ),
            (start, end), cell=cell, max_slope=max_slope, detour=detour, out=out, picture=picture,
            as_json=as_json,
        )  # fmt: skip
        return
    from emlia3d.cli.raster.paths import RasterOptions, observers_of, show_route  # noqa: PLC0415

    refuse_options(f"{source} is a raster", of_scenario)
    show_route(
        RasterOptions(source, band, unit, cell, nodata),
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
