"""Output to standard output and error, and checks of output files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from emlia3d.errors import FileError, printable


def echo(text: object, *, err: bool = False, nl: bool = True) -> None:
    """Print *text* with every control character escaped, in JSON too.

    Names, titles and versions come from files, and control characters could change the terminal.
    """
    click.echo(printable(str(text)), err=err, nl=nl)


def clear_screen() -> None:
    """Clear the terminal."""
    click.echo("\x1b[2J\x1b[H", nl=False)


def check_writable(
    file: Path | None, endings: Sequence[str] = (".png",), what: str = "pictures"
) -> None:
    """Raise FileError if *file* cannot be written; call it before slow work.

    endings : valid endings of its name
    """
    if file is None:
        return
    if file.is_dir():
        raise FileError(f"{file}: this is a folder; name a file in it, such as battle{endings[0]}")
    if file.suffix.lower() not in endings:
        known = f"{', '.join(endings[:-1])} or {endings[-1]}" if endings[1:] else endings[0]
        raise FileError(f"{file}: {what} need a file name that ends in {known}")
    if not file.parent.is_dir():
        raise FileError(f"{file}: there is no folder {file.parent}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise FileError(f"{file}: cannot be written: no permission")
