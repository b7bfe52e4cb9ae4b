"""Whoever plays, and whatever he does, is never stuck: every question can be read and answered."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from emlia3d.battle.decisions import Order
from emlia3d.battle.game import Game, OrderUndoneError, PendingDecision
from emlia3d.battle.questions.options import refusal_of
from emlia3d.cli.game_file import begun
from emlia3d.scenario import load
from emlia3d.view.orders.game_thread import worked_out
from emlia3d.view.orders.order_preview import sight_overlay_of


class Whim:
    """Takes any order on offer, points anywhere, and now and then thinks better."""

    def __init__(self, seed: int) -> None:
        self._die = Random(seed)
        self.game: Game | None = None
        self.asked: set[str] = set()
        self.taken_back = 0

    def __call__(self, question: PendingDecision) -> Order:
        self.asked.add(question.decision.asks)
        sheet = worked_out(question)
        assert sheet.text
        assert len(set(sheet.phrases)) == len(sheet.phrases)
        assert not [words for words in sheet.phrases if "None" in words or "{" in words]
        assert self.game is not None
        back = self.game.choice_before(question.number)
        if back is not None and self._die.random() < 0.05:
            self.taken_back += 1
            self.game.take_back(back)
            raise OrderUndoneError
        order = self._pointed(question, sheet.pointed)
        if order is None:
            order = self._die.choice(sheet.orders)
            assert refusal_of(question.decision, order) is None
        return order

    def _pointed(self, question: PendingDecision, verbs: tuple[str, ...]) -> Order | None:
        """An order to a place near the unit, if it may be given."""
        battle, decision = question.battle, question.decision
        if not verbs or decision.unit is None or self._die.random() < 0.5:
            return None
        units = battle.state.units
        x, y = (float(units.value(name, decision.unit)) for name in ("x", "y"))
        place = x + self._die.uniform(-20, 20), y + self._die.uniform(-20, 20)
        facing = self._die.choice([None, self._die.randrange(360) * 64])
        order = battle.system.order_to(battle, decision, self._die.choice(verbs), place, facing)
        if order is None:
            return None
        refusal = refusal_of(decision, order)
        assert battle.system.phrase(battle, order)
        sight_overlay_of(
            battle.setup, battle.state, {decision.unit}, (), order, refused=bool(refusal)
        )
        return None if refusal else order


def play(name: str, seed: int, turns: int | None, file: Path) -> tuple[Game, Whim]:
    """Play a scenario to its end, everybody on a whim."""
    battle = begun(load(name), file, seed, turns)
    whim = Whim(seed)
    whim.game = Game(file, battle, range(len(battle.setup.sides)), whim)
    for _ in whim.game.run():
        pass
    whim.game.close()
    return whim.game, whim


def test_a_battle_is_played_to_its_end_on_a_whim(tmp_path: Path) -> None:
    game, whim = play("bandits", 3, 2, tmp_path / "whim.battle.jsonl")

    assert game.battle.result is not None
    assert "emlia.activate.two-actions" in whim.asked


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("name", "turns"), [("bandits", None), ("duel", 6), ("thieves", 3), ("castle", 2)]
)
def test_every_battle_that_ships_is_played_to_its_end_on_a_whim(
    tmp_path: Path, name: str, turns: int | None, seed: int
) -> None:
    game, whim = play(name, seed, turns, tmp_path / "whim.battle.jsonl")

    assert game.battle.result is not None
    assert len(whim.asked) > 1
    assert whim.taken_back
