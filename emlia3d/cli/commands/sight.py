"""``emlia3d sight``: what one unit sees of another, or whether a line over a raster is clear."""

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
@click.argument("target", required=False, metavar="[TARGET]", help="The target unit.")
@click.option(
    "--rules",
    metavar="NAME|true|all",
    help="A rule system, true for geometry, or all. [default: the scenario's]",
)
@click.option("--damage", type=Whole(0), help="Add the cover against this base damage.")
@click.option(
    "--what-if", is_flag=True, help="List the smallest changes that alter the concealment."
)
@AT
@JSON
@click.option(
    "--picture",
    type=FILE,
    metavar="FILE.png",
    help="Draw the answer: the corridor, the observer's view, or the profile of the line.",
)
@click.option(
    "--verify",
    type=FILE,
    metavar="FILE",
    help="Compare the answer with one that was saved with --json.",
)
@click.option(
    "--from",
    "from_",
    metavar="X,Y[,H]",
    help="The observer: position in the raster's coordinates, and height of the eye above "
    f"the ground, m. [default: {EYE_M}]",
)
@click.option("--to", metavar="X,Y[,H]", help="The target, in the same form as --from.")
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

    For a scenario, report what one unit sees of another before the first turn, and by which
    rules. For a battle file, report it at a position. For a raster of elevations, report whether
    the ground blocks the line between two points.
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
