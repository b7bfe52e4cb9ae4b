"""Checks of the kit for rule systems on small random battles, and the battle that ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d import scenario
from emlia3d.battle.battle import Battle
from emlia3d.rulekit.testing import check_system
from tests.rules.emlia.transcript import transcript
from tests.rules.oathmark.boards import Eager, random_board


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_what_every_rule_system_must_pass(seed: int) -> None:
    check_system(lambda: random_board(seed).battle(seed), lambda: [Eager(), Eager()], most=15)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 203))
def test_two_hundred_boards_pass_too(seed: int) -> None:
    check_system(lambda: random_board(seed).battle(seed), lambda: [Eager(), Eager()], most=20)


def test_the_kings_road_is_played_to_its_end() -> None:
    battle = scenario.load("kings-road").battle(seed=2)
    names = {event.name for event in battle.run([Eager(), Eager()])}

    assert isinstance(battle, Battle)
    assert battle.result is not None
    assert battle.result.winner in {"Humans", "Orcs", None}
    assert {"charged", "fought", "shot", "hurt", "morale tested", "pushed back"} <= names


def test_the_kings_road_goes_as_it_always_went(
    regenerate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = Path(__file__).with_name("golden") / "kings-road.txt"

    found = list(transcript(scenario.load("kings-road").battle(seed=1), monkeypatch))

    if regenerate:
        recorded.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found == recorded.read_text("utf-8").splitlines()
