"""``emlia3d exposure``: the visible parts of a path on a field or a raster."""

from __future__ import annotations

from pathlib import Path

import click

from emlia3d.cli.parameters import (
    CELL_M,
    CURVED,
    ELEVATIONS,
    EYE_M,
    FILE,
    JSON,
    MOVING,
    SOURCE,
    STATIONS,
)

WALKING_KMH = 5.0


@click.command()
@SOURCE
@click.option(
    "--path",
    required=True,
    metavar="X,Y;X,Y...|FILE",
    help="The path: its vertices, or a file with one line: .geojson, .gpkg, .shp. A vertex "
    "in a scenario may be the name of a unit.",
)
@STATIONS
@click.option(
    "--speed",
    type=float,
    help="Speed along the path, km/h; for a scenario, GSU a turn. "
    f"[default: {WALKING_KMH:g}; the move of the mover]",
)
@click.option(
    "--step",
    type=float,
    metavar="GSU",
    help="For a scenario: find each visible segment of at least this length. [default: 1/32]",
)
@MOVING
@ELEVATIONS
@CELL_M
@CURVED
@click.option("--picture", type=FILE, metavar="FILE.png", help="Draw the profile of the path.")
@JSON
def exposure(  # noqa: PLR0913  one parameter an option
    source: str,
    *,
    path: str,
    from_: tuple[str, ...],
    observers: tuple[str, ...],
    every: float | None,
    eye: float | None,
    target: float | None,
    speed: float | None,
    step: float | None,
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
    picture: Path | None,
    as_json: bool,
) -> None:
    """Report the visible parts of a path.

    On a raster of elevations, the ground blocks sight. In a scenario or a position of a battle
    file, its rules determine what units, sides and points see of a figure on the path. The answer
    states where and when a target on the path is first seen, by which observer, and the
    proportion of the path in view.
    """
    from emlia3d.cli.raster.raster_options import is_raster, refuse_options  # noqa: PLC0415

    of_raster = {
        "--every": every, "--eye": eye, "--target": target, "--absolute": absolute, "--band": band,
        "--unit": unit, "--nodata": nodata, "--cell": cell, "--curvature": curvature,
        "--refraction": refraction,
    }  # fmt: skip
    of_scenario = {
        "--at": at, "--rules": rules, "--height": height, "--mover": mover, "--step": step,
    }  # fmt: skip
    if not is_raster(source):
        from emlia3d.cli.scenario.paths import Asked, show_field_exposure  # noqa: PLC0415

        refuse_options(f"{source} is a scenario", of_raster)
        show_field_exposure(
            Asked(
                source=source, at=at, observers=[*observers, *from_], rules=rules,
                height=height, mover=mover,
            ),
            path, crs=crs, speed=speed, step=step, picture=picture, as_json=as_json,
        )  # fmt: skip
        return
    from emlia3d.cli.raster.paths import RasterOptions, observers_of, show_exposure  # noqa: PLC0415

    refuse_options(f"{source} is a raster", of_scenario)
    show_exposure(
        RasterOptions(source, band, unit, cell, nodata),
        path,
        observers_of(from_, observers, every, eye, crs, absolute=absolute),
        target=EYE_M if target is None else target,
        speed=WALKING_KMH if speed is None else speed,
        curvature=curvature,
        refraction=refraction,
        picture=picture,
        as_json=as_json,
    )
