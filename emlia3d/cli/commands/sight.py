"""``emlia3d sight``: what one unit sees of another, or whether a line over a raster is free."""

from __future__ import annotations

from pathlib import Path

import click

from emlia3d.cli.parameters import (
    AT,
    CELL_M,
    CURVED,
    ELEVATIONS,
    EYE_M,
    FILE,
    JSON,
    SOURCE,
    Whole,
)
from emlia3d.errors import Error


@click.command()
@SOURCE
@click.argument(
    "observer", required=False, metavar="[OBSERVER]", help="The observing unit of a scenario."
)
@click.argument("target", required=False, metavar="[TARGET]", help="The unit that it looks at.")
@click.option(
    "--rules",
    metavar="NAME|true|all",
    help="The rule system, the scenario's if not given; true: plain geometry; all of them.",
)
@click.option("--damage", type=Whole(0), help="Add the cover against this base damage.")
@click.option("--what-if", is_flag=True, help="Report what would alter the concealment.")
@AT
@JSON
@click.option(
    "--picture",
    type=FILE,
    metavar="FILE.png",
    help="Draw the corridor, what the eye sees, or the line's profile.",
)
@click.option(
    "--verify",
    type=FILE,
    metavar="FILE",
    help="An answer saved with --json, to be compared with.",
)
@click.option(
    "--from",
    "from_",
    metavar="X,Y[,H]",
    help="The observer: its place in the coordinates of a raster, and its eye's height "
    f"above the ground in metres. [default: {EYE_M}]",
)
@click.option("--to", metavar="X,Y[,H]", help="The target, written like the observer.")
@ELEVATIONS
@CELL_M
@CURVED
def sight(  # noqa: PLR0913  one parameter an option
    source: str,
    observer: str | None,
    target: str | None,
    *,
    rules: str | None,
    damage: int | None,
    what_if: bool,
    at: int | None,
    as_json: bool,
    picture: Path | None,
    verify: Path | None,
    from_: str | None,
    to: str | None,
    absolute: bool,
    crs: str | None,
    band: int | None,
    unit: str | None,
    nodata: float | None,
    cell: float | None,
    curvature: bool,
    refraction: float | None,
) -> int:
    """Settle a sight question.

    In a scenario, report how much one unit sees of another before the first turn, and by which
    rules; in a battle file, in a position of it. On a raster of elevations, report whether the
    ground blocks the line between two places.
    """
    from emlia3d.cli.raster.raster_options import (  # noqa: PLC0415  not for --help
        RasterOptions,
        is_raster,
        refuse_options,
    )

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
        from emlia3d.cli.raster.sight import show_line  # noqa: PLC0415  loads only its half

        refuse_options(f"{source} is a raster", of_scenario)
        if from_ is None or to is None:
            raise Error(f"{source}: expected --from X,Y[,H] and --to X,Y[,H]")
        show_line(
            RasterOptions(source, band, unit, cell, nodata), (from_, to), absolute=absolute,
            crs=crs,
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
