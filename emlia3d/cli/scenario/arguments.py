"""Options that several commands about scenarios have, each declared once."""

from __future__ import annotations

from typing import Annotated

import typer

At = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="TURN",
        help="Position of a battle file as this turn ended; 0 is the start. "
        "[default: the last position recorded]",
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|true",
        help="In a scenario: the rules that decide about sight, its own if not given; true: plain "
        "geometry.",
    ),
]
Height = Annotated[
    float | None,
    typer.Option(
        help="In a scenario: height and size of the figure that moves, height units. "
        "[default: the mover's, or 1]"
    ),
]
Mover = Annotated[
    str | None,
    typer.Option(
        metavar="UNIT",
        help="In a scenario: the unit that moves. It hides nothing, and its own impassable terrain "
        "counts.",
    ),
]
