"""Options that several commands about scenarios have, each declared once."""

from __future__ import annotations

from typing import Annotated

import typer

At = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="TURN",
        help="Of a battle file: ask about its position as this turn ended; 0 is the start. "
        "[default: the last position recorded]",
    ),
]
