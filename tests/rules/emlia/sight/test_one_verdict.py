"""`emlia3d sight` answers as the battle is played: every enemy is as concealed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.basics.concealment import DEGREES
from emlia3d.rules.emlia.play.questions.answer import answer
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.scenario import load
from tests.rules.emlia.recomputed import recomputed

QUICK = {"bandits": None, "cavemen": None, "cruisers": None, "duel": None, "landing": None}
OTHERS = {"castle": 4, "crossroads": None, "fieldday": None, "ford": 4, "remnants": None,
          "ridge": 4, "thieves": None}  # fmt: skip


def turns_of(battle: Battle) -> Iterator[int]:
    """Play a battle, and stop as the armies stand ready and at the end of each turn."""
    for event in battle.run():
        if event.name in {"mustered", "turn ended"}:
            yield battle.state.turn


def differences(battle: Battle) -> list[str]:
    """Return the pairs of enemies whose answer is another than play's verdict on all at once."""
    pairs = np.array(
        [(one, other) for one in on_field(battle) for other in enemies_of(battle, one)],
        dtype=np.intp,
    ).reshape(-1, 2)
    in_play = sight_cache_of(recomputed(battle))
    in_play.find(pairs)
    levels = in_play.levels_of(pairs)
    asked = recomputed(battle)
    return [
        f"turn {battle.state.turn}: {one} sees {other}: {told}, in play {DEGREES[level]}"
        for (one, other), level in zip(pairs.tolist(), levels.tolist(), strict=True)
        if (told := answer(asked, one, other, damage=0).concealment) != DEGREES[level]
    ]


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        *QUICK.items(),
        *(pytest.param(*battle, marks=pytest.mark.slow) for battle in OTHERS.items()),
    ],
)
def test_a_sight_question_is_answered_as_the_battle_is_played(name: str, turns: int | None) -> None:
    battle = load(name).battle(seed=1, turns=turns)

    found = [difference for _ in turns_of(battle) for difference in differences(battle)]

    assert found == []
