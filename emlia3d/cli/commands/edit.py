"""``emlia3d edit``: edit a new or existing scenario in a window."""

from __future__ import annotations

from pathlib import Path

import click

from emlia3d.cli.commands.view import TEXT_SIZE
from emlia3d.cli.parameters import FILE, FULL_SCREEN, SIZE, Number, ScenarioName


@click.command()
@click.argument(
    "scenario",
    type=ScenarioName(),
    metavar="[SCENARIO]",
    required=False,
    help="A scenario, or the file of a new one. [default: a new scenario, new.toml]",
)
@click.option(
    "--dem",
    type=FILE,
    metavar="RASTER",
    help="Start a new scenario on the centre of a raster of elevations (.tif, .hgt...).",
)
@click.option(
    "--metres",
    type=Number(1, 100_000),
    metavar="METRES",
    help="With --dem: length and width of the field, m. [default: up to 2000]",
)
@SIZE
@FULL_SCREEN
@TEXT_SIZE
def edit(
    scenario: str | None,
    dem: Path | None,
    metres: float | None,
    size: tuple[int, int] | None,
    full_screen: bool,
    text_size: float | None,
) -> None:
    """Edit a scenario in the window.

    Place units, draw terrain, raise ground, and set sides and victory. Errors are shown at their
    positions.
    """
    from emlia3d.cli.editing.edit_window import edit_scenario  # noqa: PLC0415  not for --help

    edit_scenario(
        scenario, dem=dem, metres=metres, size=size, full_screen=full_screen,
        text_size=text_size,
    )  # fmt: skip
