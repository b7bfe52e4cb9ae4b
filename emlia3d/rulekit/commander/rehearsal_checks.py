"""Checks of rehearsals, for the tests of a rule system whose commanders rehearse orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander, RandomCommander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.questions.options import choices
from emlia3d.rulekit.commander.rehearse import Onward, rehearse
from emlia3d.rulekit.ways import by_commander

_SEED = 20


def check_rehearsals(
    begin: Callable[[], Battle],
    players: Callable[[], Sequence[Commander]],
    *,
    most: int = 40,
    orders: int = 2,
) -> None:
    """Check that orders can be rehearsed at decisions of a battle without side effects.

    A repeated segment must have the same course. The battle and the picture must not change, and
    two rehearsals with one seed must end in the same state.

    Parameters
    ----------
    begin
        Returns the battle before its first event; the same battle each time.
    players
        Returns a new commander for each side.
    most
        Number of decisions to check.
    orders
        Number of orders to rehearse at each decision.

    Raises
    ------
    AssertionError
        Names the decision at which a check fails.
    """
    battle = begin()
    assert battle.system.rehearses, f"{battle.system.title} does not rehearse"
    left = [most]
    watched = [_Watched(battle, player, left, orders) for player in players()]
    for _ in battle.run(watched):
        if not left[0]:
            return


class _Watched:
    """A commander at whose decisions orders are rehearsed."""

    def __init__(self, battle: Battle, player: Commander, left: list[int], orders: int) -> None:
        self._battle, self._player, self._left, self._orders = battle, player, left, orders

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        if self._left[0]:
            self._left[0] -= 1
            self._examine(decision, picture.battle)
        return self._player.decide(decision, picture, dice)

    def _examine(self, decision: Decision, known: Battle) -> None:
        where = f"{decision.asks}, unit {decision.unit}"
        before = _frames(self._battle, known)
        onward = Onward(
            answer=by_commander(RandomCommander()), until=lambda scene: True, seed=_SEED
        )
        for order in choices(known, decision)[: self._orders]:
            ends = [rehearse(known, decision, order, onward) for _ in range(2)]
            told = f"{where}: {order.verb}"
            assert known.segment is None or None not in ends, f"{told}: it does not go again"
            assert _frames(self._battle, known) == before, f"{told}: a rehearsal changed the battle"
            one, other = (None if end is None else end.battle.state.key_frame() for end in ends)
            assert one == other, f"{told}: two rehearsals with one seed end otherwise"


def _frames(*battles: Battle) -> list[object]:
    """Return all data of battles that a rehearsal must not change."""
    return [
        (battle.state.key_frame(), battle.digest.hexdigest(), battle.seed, _segment(battle))
        for battle in battles
    ]


def _segment(battle: Battle) -> object:
    segment = battle.segment
    if segment is None:
        return None
    return segment.start.key_frame(), [*segment.faces], [*segment.answers]
