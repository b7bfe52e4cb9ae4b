"""The title bar, about the whole battle, and the card of one unit."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.questions.intents import card_seen_by
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.layout.panel import UnitCard
from emlia3d.view.rules import Rules
from emlia3d.view.window.status import SideSummary


def turn_words(setup: Setup, state: State, *, live: bool) -> str:
    """Return which turn it is, and whether the battle is still being fought."""
    turn = "before the first turn" if state.turn == 0 else f"Turn {state.turn}"
    whole = f"{turn} of {setup.turns}" if state.turn else turn
    return f"{whole}, being fought" if live else whole


def side_lines(setup: Setup, state: State, eyes: int | None = None) -> tuple[SideSummary, ...]:
    """Return the figures left of each side, without sides that have none.

    Units that are off the field with their figures, such as carried ones, count.

    eyes : the side whose picture is shown; of enemies, only known ones count
    """
    side, members = state.units.ints("side"), state.units.ints("members")
    strength = state.units.ints("strength")
    lines = []
    for row, looks in enumerate(setup.sides):
        left, whole = int(np.sum(members[side == row])), int(np.sum(strength[side == row]))
        known = eyes is None or not setup.hostile(eyes, row)
        told = f"{left:,} of {whole:,}" if known else f"{left:,} in sight"
        lines.append(SideSummary(name=looks.name, colour=looks.colour, left=told))
    return tuple(lines)


def unit_card(
    setup: Setup, state: State, unit: int, rules: Rules, eyes: int | None = None
) -> UnitCard:
    """Return a unit in words and figures.

    eyes : the side at the window, which sees no mission of another; None where no side is played
    """
    rows = card_seen_by(rules.at(state), unit, eyes)
    side = setup.sides[state.units.integer("side", unit)]
    return UnitCard(name=setup.units[unit].name, colour=side.colour, rows=rows)
