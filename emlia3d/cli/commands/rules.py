"""``emlia3d rules``: how much of each rule system's catalogue is played and tested."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.parameters import FILE, JSON


@click.command()
@click.argument("system", required=False, metavar="[SYSTEM]", help="A rule system. [default: all]")
@click.argument(
    "files", nargs=-1, type=FILE, metavar="[FILE...]", help="With --played: recorded battles."
)
@click.option("--status", "by_chapter", is_flag=True, help="Count by the chapters of the rulebook.")
@click.option(
    "--untested",
    "list_untested",
    is_flag=True,
    help="List the rules that no test proves, and why.",
)
@click.option(
    "--played",
    is_flag=True,
    help="Count the rules that events of recorded battles cite.",
)
@JSON
def rules(**given: Any) -> None:
    """Count the rules that are played.

    For each system with a catalogue, of other packages too: in its catalogue, implemented,
    tested. A rule counts as tested if a test of it
    executes the function that is the rule, or makes its table row hold.
    """
    from emlia3d.cli.rule_counts import count_rules  # noqa: PLC0415  not for --help

    count_rules(**given)
