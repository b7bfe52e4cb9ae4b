"""Scenarios with the commanders from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from emlia3d import scenario as scenarios

if TYPE_CHECKING:
    from emlia3d.scenario import Scenario

HUMAN = "human"
"""The name of the commander that asks the user in the terminal."""


def appointments(commanders: Sequence[str]) -> dict[str, str]:
    """Parse SIDE=NAME; return the names of commanders by side."""
    named = [one.partition("=") for one in commanders]
    if not all(equals for _, equals, _ in named):
        raise click.BadParameter("--commander: expected SIDE=NAME, such as Blue=doctrine:bold")
    return {side: who for side, _, who in named}


def commanded(
    scenario: Scenario, commanders: Sequence[str], time_limit_s: float | None
) -> tuple[Scenario, list[str]]:
    """Return the scenario with these commanders, and the sides that the user commands.

    A user's side keeps its commander in the scenario, which leads it after the user has left.
    """
    from emlia3d.battle.commanders import DOCTRINE  # noqa: PLC0415  not for --help

    led = {side.name: side.commander for side in scenario.setup.sides}
    named = appointments(commanders)
    people = [side for side, name in named.items() if name == HUMAN]
    named |= {side: led.get(side, DOCTRINE) for side in people}
    if named:
        scenario = scenario.with_commanders(named, time_limit_s)
    return scenario, people


def is_human(commanders: Sequence[str]) -> bool:
    """Return whether the user commands any side."""
    return HUMAN in appointments(commanders).values()


def mustered(
    name: str, commanders: Sequence[str], swap_sides: bool, time_limit_s: float | None = None
) -> Scenario:
    """Return the scenario with the commanders from the options; the swap applies last."""
    scenario = scenarios.load(name)
    scenario.require_units()
    scenario, people = commanded(scenario, commanders, time_limit_s)
    if people:
        raise click.BadParameter(f"{HUMAN} plays one battle at a time, with its sides as they are")
    return scenario.with_sides_swapped() if swap_sides else scenario
