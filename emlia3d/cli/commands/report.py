"""``emlia3d report``: a battle in words."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.parameters import JSON, ScenarioName, Whole


@click.command()
@click.argument("file", type=ScenarioName(), metavar="FILE", help="A battle file, or a scenario.")
@click.option("--seed", type=Whole(0, 2**63 - 1), help="Random seed of a scenario.")
@click.option("--turn", type=Whole(1), help="Report one turn only.")
@click.option("--dice", is_flag=True, help="Include dice and modifiers.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@click.option("--stats", is_flag=True, help="Print statistics of units, sides and dice instead.")
@click.option("--csv", "as_csv", is_flag=True, help="With --stats: print the units as CSV.")
@JSON
def report(**given: Any) -> None:
    """Report a battle in words, turn by turn.

    A scenario is played first, by its commanders.
    """
    stats, as_csv = given.pop("stats"), given.pop("as_csv")
    if as_csv and not stats:
        raise click.BadParameter("--csv needs --stats")
    if not stats:
        from emlia3d.cli.reporting import tell_battle  # noqa: PLC0415  not for --help

        tell_battle(**given)
        return
    if given["turn"] is not None or given["dice"] or given["markdown"]:
        raise click.BadParameter("--stats cannot be combined with --turn, --dice and --markdown")
    if as_csv and given["as_json"]:
        raise click.BadParameter("--csv and --json exclude each other")
    from emlia3d.cli.scenario.battle_statistics import print_statistics  # noqa: PLC0415  not for --help

    print_statistics(given["file"], given["seed"], as_csv=as_csv, as_json=given["as_json"])
