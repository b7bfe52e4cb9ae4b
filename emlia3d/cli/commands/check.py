"""``emlia3d check``: all errors of scenarios, unit sets, battle files and bookmarks."""

from __future__ import annotations

from pathlib import Path

import click

from emlia3d.cli.parameters import FILE, JSON


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=FILE,
    metavar="FILE...",
    help="Scenarios, unit sets, battle files.",
)
@JSON
def check(files: tuple[Path, ...], as_json: bool) -> int:
    """Find every error in files.

    Check scenarios, unit sets, battle files and bookmarks. A file without an error is OK. Advice
    from the rulebook of a scenario is printed too, and is not an error.
    """
    from emlia3d.cli.scenario.checking import check_files  # noqa: PLC0415  not for --help

    return check_files(files, as_json=as_json)
