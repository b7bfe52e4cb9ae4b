"""``emlia3d scenarios``: the bundled scenarios."""

from __future__ import annotations

import click

from emlia3d.cli.parameters import JSON


@click.command()
@JSON
def scenarios(as_json: bool) -> None:
    """List the bundled scenarios.

    Print the title, the rules, the size and a summary of each.
    """
    from emlia3d.cli.scenario.bundled import list_scenarios  # noqa: PLC0415  not for --help

    list_scenarios(as_json=as_json)
