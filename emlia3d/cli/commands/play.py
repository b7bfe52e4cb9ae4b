"""``emlia3d play``: users play sides of a battle."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.commands.view import TEXT_SIZE
from emlia3d.cli.parameters import (
    COMMANDER,
    FILE,
    FULL_SCREEN,
    PACE,
    SEED,
    SIZE,
    TIME_LIMIT,
    TURNS,
    ScenarioName,
)  # fmt: skip
from emlia3d.scenario import DEFAULT


@click.command()
@click.argument(
    "scenario",
    type=ScenarioName(),
    metavar="[SCENARIO]",
    default=DEFAULT,
    help=f"A scenario or a battle file. [default: {DEFAULT}]",
)
@click.option(
    "--side",
    multiple=True,
    metavar="NAME",
    help="A side that you play; may be repeated. [default: the first side]",
)
@COMMANDER
@TIME_LIMIT
@SEED
@TURNS
@click.option(
    "--save", type=FILE, metavar="FILE.battle.jsonl", help="Record the battle in this file."
)
@click.option("--text", is_flag=True, help="Play in the terminal.")
@click.option("--no-fog", is_flag=True, help="Disable fog of war.")
@SIZE
@FULL_SCREEN
@TEXT_SIZE
@PACE
def play(**given: Any) -> int:
    """Play a battle yourself: you make every decision of your side.

    The battle is recorded as it goes. Without --save, the file is in the current folder.
    """
    from emlia3d.cli.playing import play_battle  # noqa: PLC0415  not for --help

    return play_battle(**given)
