"""``emlia3d scenarios``: what ships, one line each."""

from __future__ import annotations

import click


@click.command()
def scenarios() -> None:
    """List the scenarios that ship.

    Each with its rules, how large it is, and what it is about.
    """
    from emlia3d.cli.scenario.bundled import list_scenarios  # noqa: PLC0415  not for --help

    list_scenarios()
