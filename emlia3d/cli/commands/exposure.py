"""``emlia3d exposure``: the visible parts of a path over a field or a raster."""

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
    Observing,
    Refraction,
    Source,
    Target,
    Unit,
)
from emlia3d.cli.raster_options import is_raster, refuse_options
from emlia3d.cli.scenario.arguments import At, Height, Mover, Rules

WALKING_KMH = 5.0


def exposure(  # noqa: PLR0913  one parameter an option
    source: Source,
    *,
    path: Annotated[
        str,
        typer.Option(
            "--path",
            metavar="X,Y;X,Y...|FILE",
            help="The path: its vertices, or a file with one line: .geojson, .gpkg, .shp. A vertex "
            "in a scenario may be the name of a unit.",
        ),
    ],
    from_: From = None,
    observers: Observing = None,
    every: Every = None,
    eye: Eye = None,
    target: Target = None,
    speed: Annotated[
        float | None,
        typer.Option(
            help="Speed along the path, km/h; in a scenario GSU a turn. "
            f"[default: {WALKING_KMH:g}; the move of the mover]",
        ),
    ] = None,
    step: Annotated[
        float | None,
        typer.Option(
            metavar="GSU",
            help="In a scenario: find each visible stretch of at least this length. "
            "[default: 1/32]",
        ),
    ] = None,
    at: At = None,
    rules: Rules = None,
    height: Height = None,
    mover: Mover = None,
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
    """Report the visible parts of a path.

    On a raster of elevations the ground blocks sight. In a scenario, or in a position of a battle
    file, its rules decide what units, sides and places see of a figure on the path. The answer
    names the place and the time at which a target on the path is first seen, the observer that
    sees it first, and the proportion of the path in view.
    """
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
                source=source, at=at, observers=[*(observers or []), *(from_ or [])], rules=rules,
                height=height, mover=mover,
            ),
            path, crs=crs, speed=speed, step=step, picture=picture, as_json=as_json,
        )  # fmt: skip
        return
    from emlia3d.cli.raster_paths import Opening, observers_of, show_exposure  # noqa: PLC0415

    refuse_options(f"{source} is a raster", of_scenario)
    show_exposure(
        Opening(source, band, unit, cell, nodata),
        path,
        observers_of(from_, observers, every, eye, crs, absolute=absolute),
        target=EYE_M if target is None else target,
        speed=WALKING_KMH if speed is None else speed,
        curvature=curvature,
        refraction=refraction,
        picture=picture,
        as_json=as_json,
    )
