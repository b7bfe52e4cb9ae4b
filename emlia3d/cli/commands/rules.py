"""``emlia3d rules``: counts of the rules that are implemented and tested, and their texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from emlia3d.cli.parameters import JSON


@click.command()
@click.argument(
    "system",
    required=False,
    metavar="[SYSTEM|SLUG]",
    help="A rule system, or a rule such as emlia.move.normal. [default: all]",
)
@click.argument(
    "words",
    nargs=-1,
    metavar="[WORD|FILE...]",
    help=(
        "List the rules of the system with these words in title or summary. "
        "With --played: recorded battles."
    ),
)
@click.option("--status", "by_chapter", is_flag=True, help="Count by chapters of the rulebook.")
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
@click.option(
    "--search",
    metavar="WORD",
    help="List the rules of all systems with a word in title or summary.",
)
@JSON
def rules(
    system: str | None,
    words: tuple[str, ...],
    search: str | None,
    played: bool,
    as_json: bool,
    **counted: Any,
) -> int | None:
    """Count the rules that are played, or explain one.

    For each system with a catalogue, count the rules in the catalogue, the implemented ones and
    the tested ones. A rule counts as tested if a test executes its function, or makes its row of
    a table apply.
    """
    if not played and any(word.endswith(".jsonl") for word in words):
        raise click.BadParameter("battle files need --played")
    wanted = [*([] if search is None else [search]), *(() if played else words)]
    if wanted or "." in (system or ""):
        from emlia3d.cli.rules.rule_text import print_rule, search_rules  # noqa: PLC0415

        if played or any(counted.values()):
            raise click.BadParameter("a rule or --search cannot be combined with other options")
        if wanted:
            return search_rules(system, wanted, as_json=as_json)
        print_rule(system or "", as_json=as_json)
        return None
    from emlia3d.cli.rules.counts import count_rules  # noqa: PLC0415  not for --help

    count_rules(system, tuple(map(Path, words)), played=played, **counted, as_json=as_json)
    return None
