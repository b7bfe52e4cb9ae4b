"""How far something is that takes its time: a bar on a terminal, and silence elsewhere."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn


def bar_of(*after: ProgressColumn) -> Progress:
    """A bar on the error stream, gone when it is done; *after* are the columns right of it."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"), BarColumn(), *after,
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
