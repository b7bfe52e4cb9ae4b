"""The title bar, with the state of the battle, and the card of one unit."""

from __future__ import annotations

import numpy as np

from emlia3d.battle.questions.intents import card_seen_by
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.layout.panel import UnitCard
from emlia3d.view.rules import Rules
from emlia3d.view.window.status import SideSummary


def turn_words(setup: Setup, state: State, *, live: bool) -> str:
    """Return the turn, and whether the battle is still in progress."""
    turn = "before the first turn" if state.turn == 0 else f"Turn {state.turn}"
    whole = f"{turn} of {setup.turns}" if state.turn else turn
    return f"{whole}, in progress" if live else whole


def side_lines(setup: Setup, state: State, eyes: int | None = None) -> tuple[SideSummary, ...]:
    """Return the remaining figures of each side, without sides that have none.

    Units that are off the field with their figures, such as carried ones, count.

    eyes : the side whose view is shown; only known enemies count
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
    """Return the text of a unit's card.

    eyes : the player's side, which sees no mission of another; None without a player
    """
    rows = card_seen_by(rules.at(state), unit, eyes)
    side = setup.sides[state.units.integer("side", unit)]
    return UnitCard(name=setup.units[unit].name, colour=side.colour, rows=rows)
