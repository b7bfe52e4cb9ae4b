"""A scenario with the commanders that the words of a command line name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from emlia3d import scenario as scenarios

if TYPE_CHECKING:
    from emlia3d.scenario import Scenario


def mustered(name: str, commanders: Sequence[str], swap_sides: bool) -> Scenario:
    """Return the scenario, commanded as the options say; commanders are named before they swap."""
    scenario = scenarios.load(name)
    scenario.require_units()
    if commanders:
        named = [one.partition("=") for one in commanders]
        if not all(equals for _, equals, _ in named):
            raise click.BadParameter("--commander needs SIDE=NAME, such as Blue=doctrine:bold")
        scenario = scenario.with_commanders({side: who for side, _, who in named})
    return scenario.with_sides_swapped() if swap_sides else scenario
