"""``emlia3d sight``: what one unit sees of another, or whether a line over a raster is free."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from emlia3d.cli.raster_options import EYE_M, is_raster, refuse_options
from emlia3d.errors import Error


def sight(  # noqa: PLR0913  one parameter an option
    source: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO|RASTER",
            help="A scenario file, a bundled scenario, or a raster of elevations (.tif, .hgt...).",
        ),
    ],
    observer: Annotated[
        str | None, typer.Argument(metavar="[OBSERVER]", help="Of a scenario: the unit that looks.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Argument(metavar="[TARGET]", help="Of a scenario: the unit that it looks at."),
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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
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
            help="Of a raster: the observer's place in its coordinates, and the eye's height in "
            f"metres above the ground, {EYE_M} if not given.",
        ),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="X,Y[,H]", help="The target, in the same way.")
    ] = None,
    absolute: Annotated[
        bool, typer.Option("--absolute", help="Heights are above the raster's zero.")
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
) -> int:
    """Settle a sight question.

    Of a scenario: who sees how much of whom as the armies stand ready, and why. Of a raster of
    elevations: whether the ground blocks the straight line between two places, and where.
    """
    of_scenario = {
        "OBSERVER": observer, "TARGET": target, "--rules": rules, "--damage": damage,
        "--what-if": what_if, "--verify": verify,
    }  # fmt: skip
    of_raster = {
        "--from": from_, "--to": to, "--absolute": absolute, "--crs": crs, "--band": band,
        "--unit": unit, "--cell": cell, "--curvature": curvature, "--refraction": refraction,
    }  # fmt: skip
    if is_raster(source):
        from emlia3d.cli.raster_sight import show_line  # noqa: PLC0415  loads only its half

        refuse_options(f"{source} is a raster", of_scenario)
        if from_ is None or to is None:
            raise Error(f"{source}: expected --from X,Y[,H] and --to X,Y[,H]")
        show_line(
            source, from_, to, absolute=absolute, crs=crs, band=band, unit=unit, cell=cell,
            curvature=curvature, refraction=refraction, as_json=as_json, picture=picture,
        )  # fmt: skip
        return 0
    from emlia3d.cli.scenario_sight import show_sight  # noqa: PLC0415

    refuse_options(f"{source} is a scenario", of_raster)
    if observer is None or target is None:
        raise Error(f"{source}: expected an observer and a target, two units of the scenario")
    return show_sight(
        source, observer, target, rules=rules, damage=damage, what_if=what_if, as_json=as_json,
        picture=picture, verify=verify,
    )  # fmt: skip
