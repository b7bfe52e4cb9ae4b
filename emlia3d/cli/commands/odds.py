"""``emlia3d odds``: the possible outcomes of an attack, with modifiers and probabilities."""

from __future__ import annotations

from typing import Any

import click

from emlia3d.cli.parameters import AT, JSON, ScenarioName


@click.command()
@click.argument(
    "scenario",
    type=ScenarioName(),
    metavar="SCENARIO|BATTLE",
    help="A scenario file, a bundled scenario, or a battle file.",
)
@click.argument("attacker", metavar="ATTACKER", help="The unit that attacks.")
@click.argument("target", metavar="TARGET", help="The unit that it attacks.")
@click.option(
    "--action",
    metavar="melee|aim|fire|volley|area|charge",
    help="The action. [default: the first legal one]",
)
@click.option("--weapon", metavar="NAME", help="The weapon. [default: the first suitable one]")
@AT
@JSON
def odds(**given: Any) -> int:
    """Report the odds of an attack.

    List its dice and modifiers, and the probabilities of hits, losses and morale values, before
    the first turn or at a position of a recorded battle. The exit status is 1 if the attack is
    illegal.
    """
    from emlia3d.cli.scenario.odds import show_odds  # noqa: PLC0415  not for --help

    return show_odds(**given)
