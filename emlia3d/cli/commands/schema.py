"""``emlia3d schema``: the JSON Schemas of scenarios and unit sets."""

from __future__ import annotations

import click


@click.command()
@click.argument(
    "kind",
    required=False,
    default="scenario",
    metavar="[scenario|SYSTEM]",
    help="Scenario files, or the unit sets of a rule system. [default: scenario]",
)
def schema(kind: str) -> None:
    """Print the JSON Schema of scenarios or unit sets.

    With it, editors complete keys of a TOML file and mark errors while you write. `emlia3d check`
    finds more, because it also checks names and positions.
    """
    from emlia3d.cli.scenario.schemas import print_schema  # noqa: PLC0415  not for --help

    print_schema(kind)
