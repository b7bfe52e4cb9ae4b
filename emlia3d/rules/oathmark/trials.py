"""The commander "search": orders that are worth a trial, and the worth of moments."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.commander.rehearse import Until
from emlia3d.rules.oathmark.actions import Actions
from emlia3d.rules.oathmark.blocks import blocks_of
from emlia3d.rules.oathmark.brigades import points_left
from emlia3d.rules.oathmark.commander import OathmarkSide, ways_of

_SOON = 0.5
"""Worth of points that attacks may take soon, as a part of points that are taken."""


def worth_of(moment: Moment, side: int) -> float:
    """Return how well a side stands: points that are left, and that attacks may take soon.

    The enemy's are taken off.
    """
    total, sides = 0.0, blocks_of(moment).sides
    for row, owner in enumerate(sides):
        total += points_left(moment, row) if owner == side else -points_left(moment, row)
    last = moment.state.turn >= moment.setup.turns
    for owner in () if last else (0, 1):
        hopes = OathmarkSide(moment, owner).hopes()
        total += _SOON * (hopes if owner == side else -hopes)
    return total


def near_end(battle: Battle) -> Until:
    """Return whether a rehearsal is over: after the activation and the one that follows it."""
    last = battle.state.stretch + 2
    return lambda scene: scene.state.stretch >= last or scene.result is not None


def proposals(decision: Decision, picture: OpenPicture) -> list[Order]:
    """Return the orders that are worth a trial, the best of each kind first."""
    side = OathmarkSide(picture.battle, picture.side)
    unit, actions = decision.unit, decision.reach
    if unit is None or not isinstance(actions, Actions):
        return []
    attacks = sorted(side.attacks(decision), key=lambda attack: -attack.worth)
    moves = sorted(ways_of(decision), key=lambda order: -side.prospect_of(actions, order))
    return [*(attack.order for attack in attacks[:2]), *moves[:2], side.rest(decision)]
