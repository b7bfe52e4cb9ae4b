"""``emlia3d view``: show a scenario or a recorded battle."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.parameters import (
    FILE,
    FULL_SCREEN,
    PACE,
    Number,
    PixelSize,
    ScenarioName,
    Whole,
)  # fmt: skip
from emlia3d.view.window.settings import LEAST_TEXT, MOST_TEXT

GROUNDS = ("country", "relief", "slope")
"""Styles of the ground in pictures; the first is the default."""

TEXT_SIZE = click.option(
    "--text-size",
    type=Number(LEAST_TEXT, MOST_TEXT),
    metavar="FACTOR",
    help="Size of the window's text, relative to the normal size.",
)


@click.command()
@click.argument("file", type=ScenarioName(), metavar="FILE", help="A scenario or a battle file.")
@click.option(
    "--picture", type=FILE, metavar="FILE.png", help="Draw a picture instead of a window."
)
@click.option(
    "--record",
    type=FILE,
    metavar="FILE.mp4|.webm",
    help="Write a video of a recorded battle.",
)
@click.option(
    "--turn-seconds",
    type=Number(0.1, 600),
    default=6.0,
    metavar="SECONDS",
    help="With --record: length of a turn in the video.",
)
@click.option(
    "--camera",
    metavar="NAME",
    help=(
        "overview (the whole fight), fight (the main fight), top (a map), "
        "eye (the view of a figure), or a camera of the scenario."
    ),
)
@click.option(
    "--size",
    type=PixelSize(),
    metavar="WxH",
    help="Size of the picture or the window, pixels. [default: 1280x720, or the last window's]",
)
@click.option("--sight", metavar="OBSERVER,TARGET", help="Show what one unit sees of another.")
@click.option("--seen-by", metavar="UNIT", help="Shade the ground that a unit does not see.")
@click.option(
    "--ground",
    type=click.Choice(GROUNDS),
    default=GROUNDS[0],
    help="Ground of a picture: the country, its relief, or its slopes.",
)
@click.option("--grid", is_flag=True, help="Draw a grid of hexagonal tiles on the ground.")
@click.option("--missions", metavar="SIDE", help="With --picture: draw the missions of a side.")
@click.option(
    "--at",
    type=Whole(0),
    metavar="TURN",
    help="Show the end of this turn; 0 is the start.",
)
@click.option(
    "--event",
    type=Whole(1),
    metavar="NUMBER",
    help="Show the key event with this number, in the order of F6 in the window.",
)
@FULL_SCREEN
@TEXT_SIZE
@PACE
def view(**given: Any) -> None:
    """Show a scenario or a recorded battle.

    It is shown in the 3D window, as a picture or as a video.
    """
    from emlia3d.cli.viewing import show_battle  # noqa: PLC0415  not for --help

    show_battle(**given)
