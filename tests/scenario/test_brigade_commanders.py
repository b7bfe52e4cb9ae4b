"""Brigades of a side that have commanders of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emlia3d import maps
from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import ASKS_FOR_PLAN, BrigadeCommanders
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice, FixedDice
from emlia3d.scenario import check, load

WENDEL = (Path(maps.__file__).parent / "wendel.toml").read_text("utf-8")


def led_by(tmp_path: Path, brigades: str) -> Path:
    """Return a file of the battle of Wendel whose South has these commanders of brigades."""
    file = tmp_path / "wendel.toml"
    given = f'commander = "doctrine"\nbrigades = {brigades}\n'
    file.write_text(WENDEL.replace('commander = "doctrine"\n', given, 1), "utf-8")
    return file


class Noting:
    """A commander that notes the units that it is asked about."""

    def __init__(self) -> None:
        self.asked: list[int | None] = []

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Return the first option."""
        self.asked.append(decision.unit)
        return decision.options[0]


def test_the_commander_of_its_brigade_decides_about_a_unit() -> None:
    side, own = Noting(), Noting()
    both = BrigadeCommanders(side, {4: own})

    for unit in (None, 3, 4):
        decision = Decision(side=0, asks=ASKS_FOR_PLAN, unit=unit, options=(Order(verb="done"),))
        both.decide(decision, None, FixedDice(()))

    assert (side.asked, own.asked) == ([None, 3], [4])


def test_a_brigade_is_a_section_of_the_side_s_own_units(tmp_path: Path) -> None:
    """Both sides have a Cavalry Brigade."""
    scenario = load(str(led_by(tmp_path, '{"Cavalry Brigade" = "random"}')))
    battle = scenario.battle(seed=1)

    riders = {
        row for row in range(len(battle.setup.units))
        if battle.setup.section_of(row) == "Cavalry Brigade"
    }  # fmt: skip
    south, north = (battle.commander_of(side) for side in (0, 1))

    assert isinstance(south, BrigadeCommanders)
    assert set(south._units) == {row for row in riders if battle.setup.units[row].muster.side == 0}
    assert len(south._units) >= 3
    assert not isinstance(north, BrigadeCommanders)


def test_another_commander_of_the_side_replaces_them_all(tmp_path: Path) -> None:
    scenario = load(str(led_by(tmp_path, '{"Cavalry Brigade" = "random"}')))

    def brigades(commander: str) -> tuple[tuple[str, str], ...]:
        given = scenario.with_commanders({"Southern division": commander})
        return given.setup.sides[0].brigades

    assert brigades("doctrine") == (("Cavalry Brigade", "random"),)
    assert brigades("plain") == ()


@pytest.mark.long
def test_a_recorded_battle_is_led_in_the_same_way_again(tmp_path: Path) -> None:
    scenario = load(str(led_by(tmp_path, '{"Cavalry Brigade" = "random"}')))

    def digest(battle: Battle) -> str:
        battle.run_to_end()
        return battle.digest.hexdigest()

    usual = load("wendel").battle(seed=1, turns=2)

    first, second = (digest(scenario.battle(seed=1, turns=2)) for _ in range(2))

    assert first == second != digest(usual)


@pytest.mark.parametrize(
    ("brigades", "line", "mistake"),
    [
        (
            '{"Ashes Brigade" = "random"}', 39,
            'unknown section of the side\'s units "Ashes Brigade"; did you mean Ashe\'s',
        ),
        (
            '{"Artillery" = "doctrine:brave"}', 39,
            'unknown commander "doctrine:brave"; did you mean doctrine:bold?',
        ),
        ('{"Artillery" = 3}', 39, "sections of its units and their commanders, got 3"),
        ('"bold"', 39, "brigades"),
    ],
)  # fmt: skip
def test_a_wrong_brigade_or_commander_is_one_line_with_the_nearest(
    tmp_path: Path, brigades: str, line: int, mistake: str
) -> None:
    (found,) = check(led_by(tmp_path, brigades))

    assert found.line == line
    assert mistake in str(found)
