"""``emlia3d doctor``: check graphics, libraries and settings."""

from __future__ import annotations

import click

from emlia3d.cli.parameters import JSON


@click.command()
@JSON
def doctor(as_json: bool) -> None:
    """Check graphics, libraries and settings.

    Report what this machine can draw and compute, and which packages to install for more.
    """
    from emlia3d.cli.diagnosis import print_findings  # noqa: PLC0415  not for --help

    print_findings(as_json=as_json)
