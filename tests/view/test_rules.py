"""Rules answer about any moment, in any order, as such that are asked about it alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.scenario import load
from emlia3d.view.rules import Rules

Asked = tuple[int | None, State]


@pytest.fixture
def moments() -> list[State]:
    """Three moments of one course of a battle, and three of another."""
    found = []
    for seed in (1, 2):
        battle = load("bandits").battle(seed=seed)
        for _ in range(3):
            found.append(battle.state.copy())
            _ = [*itertools.islice(battle.run(), 15)]
    return found


def answers(ask: Callable[[], Rules], asked: list[Asked]) -> Iterator[Any]:
    """Yield what rules say of moments, each as a side knows it, or as it is."""
    for side, state in asked:
        rules = ask()
        rules.look_through(side)
        seen = state if side is None else rules.known(side, state)
        system, moment = rules.system, rules.at(seen)
        grounds = system.grounds(moment.fork(), 0)
        yield next(grounds).wkt
        yield [system.card(moment, unit) for unit in (0, 1, 2)]
        others = [unit for unit in (1, 2) if seen.units.value("present", unit)]
        yield [system.sight(moment, 0, unit, 0) for unit in others]
        yield [repr(band) for band in system.ranges(moment, 0)]
        yield [ground.wkt for ground in grounds]


def test_answers_do_not_depend_on_what_was_asked_before(moments) -> None:
    asked = [(side, state) for side, state in itertools.product((None, 0, None, 1), moments)]
    battle = load("bandits").battle()
    one = Rules(battle)

    assert [*answers(lambda: one, asked)] == [*answers(lambda: Rules(battle), asked)]


def test_sight_of_a_unit_that_is_off_the_field_in_a_picture_is_refused_in_one_line() -> None:
    battle = load("bandits").battle(seed=1)
    _ = [*itertools.islice(battle.run(), 15)]
    rules = Rules(battle)
    rules.look_through(0)
    seen = rules.known(0, battle.state)
    names = [unit.name for unit in battle.setup.units]
    away = [unit for unit in range(len(names)) if not seen.units.value("present", unit)]

    assert away
    for unit in away:
        with pytest.raises(Error, match=f"^{names[unit]} is not on the field at this moment$"):
            rules.system.sight(rules.at(seen), 0, unit, 0)
        with pytest.raises(Error, match=f"^{names[unit]} is not on the field at this moment$"):
            rules.system.sight(rules.at(seen), unit, 0, 0)
