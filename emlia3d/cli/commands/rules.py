"""``emlia3d rules``: how much of each rule system's catalogue is played and tested."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.parameters import FILE, JSON


@click.command()
@click.argument(
    "system",
    required=False,
    metavar="[SYSTEM|SLUG]",
    help="A rule system, or a rule such as emlia.move.normal. [default: all]",
)
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
@click.option("--search", metavar="WORD", help="List the rules with a word in name or summary.")
@JSON
def rules(system: str | None, search: str | None, as_json: bool, **counted: Any) -> int | None:
    """Count the rules that are played, or explain one.

    For each system with a catalogue, of other packages too: in its catalogue, implemented,
    tested. A rule counts as tested if a test of it
    executes the function that is the rule, or makes its table row hold.
    """
    if search is not None or "." in (system or ""):
        from emlia3d.cli.rules.rule_text import explain_rules  # noqa: PLC0415  not for --help

        if any(counted.values()):
            raise click.BadParameter("a rule or --search stands alone; leave the other options out")
        return explain_rules(system, search, as_json=as_json)
    from emlia3d.cli.rules.counts import count_rules  # noqa: PLC0415  not for --help

    count_rules(system, **counted, as_json=as_json)
    return None
