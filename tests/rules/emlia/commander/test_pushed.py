"""Whether a unit that is pushed holds or gives way, by what either costs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Decision
from emlia3d.rules.emlia.commander.pushed import ASKS, choice
from emlia3d.rules.emlia.play.engagement.pushes import choose, net_pushes, pushes
from emlia3d.rules.emlia.tables.damage import need
from tests.rules.emlia.troops import FOOT

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180, "front": (100, 51)}


def asked(battle: Battle, question: Ask, successes: int) -> Decision:
    """The question to unit 1, which unit 0 has pushed by so many successes."""
    row = {"attacker": 0, "subject": 1, "successes": successes, "shift": 0}
    battle.suppose([Append(table="push", row=row)])

    def procedure() -> Any:
        yield from choose(battle, (yield from pushes(battle)))

    decision = question(battle, procedure())
    assert decision.asks == ASKS
    return decision


@pytest.mark.parametrize(
    ("ranks", "push", "hits", "verb"),
    [
        # Ten press from the second rank, however short the push.
        pytest.param(2, 12, 1, "hold", id="the press costs as much as the push less 2 GSU"),
        pytest.param(2, 13, 1, "give-way", id="the push costs more"),
        pytest.param(2, 13, 2, "give-way", id="hits that are lighter for both change nothing"),
        pytest.param(1, 3, 1, "give-way", id="no rank presses"),
        pytest.param(1, 2, 1, "hold", id="a push so light that the place is worth more"),
    ],
)
def test_it_does_what_costs_less(
    field_of_battle: Build, question: Ask, ranks: int, push: int, hits: int, verb: str
) -> None:
    pusher = {**FOOT, "members": 10 * ranks, "files": 10, "front": (100, 50)}
    battle = field_of_battle(pusher, {**FOOT, **BOB, "hits": hits, "members": 10, "files": 10})
    assert need(hits, 0) == hits

    order = choice(battle, asked(battle, question, push))

    assert order.verb == verb


def test_the_pushes_of_both_are_set_off(field_of_battle: Build) -> None:
    battle = field_of_battle({**FOOT, "front": (100, 50)}, {**FOOT, **BOB})
    rows = [
        {"attacker": 0, "subject": 1, "successes": 7, "shift": 0},
        {"attacker": 1, "subject": 0, "successes": 4, "shift": 0},
    ]
    battle.suppose([Append(table="push", row=row) for row in rows])

    assert net_pushes(battle, 1) == {0: 3}
    assert net_pushes(battle, 0) == {}
