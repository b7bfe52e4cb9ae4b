"""``emlia3d report``: a battle report in plain words."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.parameters import JSON, ScenarioName, Whole


@click.command()
@click.argument("file", type=ScenarioName(), metavar="FILE", help="A battle file, or a scenario.")
@click.option("--seed", type=Whole(0, 2**63 - 1), help="Random seed of a scenario.")
@click.option("--turn", type=Whole(1), help="Report one turn only.")
@click.option("--dice", is_flag=True, help="Add dice and modifiers in brackets.")
@click.option("--markdown", is_flag=True, help="Write it as Markdown.")
@JSON
def report(**given: Any) -> None:
    """Report a battle in plain words, turn by turn.

    A scenario is played first, by its commanders.
    """
    from emlia3d.cli.reporting import tell_battle  # noqa: PLC0415  not for --help

    tell_battle(**given)
