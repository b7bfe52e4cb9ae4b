"""``emlia3d scenarios``: what ships, one line each."""

from __future__ import annotations

import click

from emlia3d.cli.parameters import JSON


@click.command()
@JSON
def scenarios(as_json: bool) -> None:
    """List the scenarios that ship.

    Each with its rules, how large it is, and what it is about.
    """
    from emlia3d.cli.scenario.bundled import list_scenarios  # noqa: PLC0415  not for --help

    list_scenarios(as_json=as_json)
