"""``emlia3d sight``: what one unit sees of another, or whether a line over a raster is free."""

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
    Json,
    Nodata,
    Refraction,
    Source,
    Unit,
)
from emlia3d.cli.raster_options import Opening, is_raster, refuse_options
from emlia3d.cli.scenario.arguments import At
from emlia3d.errors import Error


def sight(  # noqa: PLR0913  one parameter an option
    source: Source,
    observer: Annotated[
        str | None, typer.Argument(metavar="[OBSERVER]", help="The observing unit of a scenario.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help="The unit that it looks at."),
    ] = None,
    *,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|true|all",
            help="The rule system, the scenario's if not given; true: plain geometry; all of them.",
        ),
    ] = None,
    damage: Annotated[
        int | None, typer.Option(min=0, help="Cover against this base damage. [default: 0]")
    ] = None,
    what_if: Annotated[
        bool, typer.Option("--what-if", help="Report what would alter the concealment.")
    ] = False,
    at: At = None,
    as_json: Json = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.png", help="Draw the corridor, what the eye sees, or the line's profile."
        ),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="An answer saved with --json, to be compared with."),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="X,Y[,H]",
            help="The observer: its place in the coordinates of a raster, and its eye's height "
            f"above the ground in metres. [default: {EYE_M}]",
        ),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="X,Y[,H]", help="The target, in the same way.")
    ] = None,
    absolute: Absolute = False,
    crs: Crs = None,
    band: Band = None,
    unit: Unit = None,
    nodata: Nodata = None,
    cell: CellM = None,
    curvature: Curved = False,
    refraction: Refraction = None,
) -> int:
    """Settle a sight question.

    In a scenario, report how much one unit sees of another before the first turn, and by which
    rules; in a battle file, in a position of it. On a raster of elevations, report whether the
    ground blocks the line between two places.
    """
    of_scenario = {
        "OBSERVER": observer, "TARGET": target, "--rules": rules, "--damage": damage,
        "--what-if": what_if, "--verify": verify, "--at": at,
    }  # fmt: skip
    of_raster = {
        "--from": from_, "--to": to, "--absolute": absolute, "--crs": crs, "--band": band,
        "--unit": unit, "--nodata": nodata, "--cell": cell, "--curvature": curvature,
        "--refraction": refraction,
    }  # fmt: skip
    if is_raster(source):
        from emlia3d.cli.raster_sight import show_line  # noqa: PLC0415  loads only its half

        refuse_options(f"{source} is a raster", of_scenario)
        if from_ is None or to is None:
            raise Error(f"{source}: expected --from X,Y[,H] and --to X,Y[,H]")
        show_line(
            Opening(source, band, unit, cell, nodata), (from_, to), absolute=absolute, crs=crs,
            curvature=curvature, refraction=refraction, as_json=as_json, picture=picture,
        )  # fmt: skip
        return 0
    from emlia3d.cli.scenario.sight import show_sight  # noqa: PLC0415

    refuse_options(f"{source} is a scenario", of_raster)
    if observer is None or target is None:
        raise Error(f"{source}: expected an observer and a target, two units of the scenario")
    return show_sight(
        source, observer, target, at=at, rules=rules, damage=damage, what_if=what_if,
        as_json=as_json, picture=picture, verify=verify,
    )  # fmt: skip
