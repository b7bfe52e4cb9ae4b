"""Events of a scenario file: when they happen, and what is told of one that is not right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from emlia3d.battle.setup import Occurrence
from emlia3d.rules.emlia.unit_sets.strike import HazardModel
from emlia3d.scenario import check, load

Write = Callable[..., Path]

HEAD = "[[victory]]"
GUN = (
    'strike = { volley_fire = "3", weapon = { name = "25pdr", base_damage = 5, '
    'range = [90, 120, 180], use = ["area volley"], '
    "coverage = { start = 6, increment = 2, limit = 10, drift = 10 } } }\n"
)


def with_event(write: Write, keys: str) -> Path:
    return write((HEAD, f'[[event]]\nname = "fate"\n{keys}\n{HEAD}'))


@pytest.mark.rule("emlia.scenario.events")
@pytest.mark.parametrize(
    ("turns", "found"),
    [
        ('"odd"', (1, 3, 5)),
        ('"even"', (2, 4, 6)),
        ('"every"', (1, 2, 3, 4, 5, 6)),
        ("[1, 2, 3]", (1, 2, 3)),
    ],
)
def test_an_event_happens_in_the_turns_that_it_names(
    turns: str, found: tuple[int, ...], write: Write
) -> None:
    (event,) = load(with_event(write, f"turns = {turns}\n{GUN}")).setup.occurrences

    assert isinstance(event, Occurrence)
    assert event.turns == found
    assert event.strike is not None


@pytest.mark.parametrize(
    ("keys", "where", "told"),
    [
        ('turns = "odd"', "[[event]]", "an event needs an effect"),
        ('turns = "ood"\nshakes = "hill"', "turns =", "did you mean odd?"),
        ('turns = 3\nshakes = "hill"', "turns =", "every, odd, even, or a list of turns, got 3"),
        ('turns = [7]\nshakes = "hill"', "turns =", "there is no turn 7, only 1 to 6"),
        ('turns = [1]\nshakes = "hlil"', "shakes =", "did you mean hill?"),
        ('turns = [1]\ndestroys = "hill"', "destroys =", "unknown terrain"),
        (
            'turns = [1]\nstrike = { volley_fire = "3", weapon = { name = "B", base_damage = 1 } }',
            "strike =",
            "needs coverage",
        ),
    ],
)
def test_an_event_that_is_not_right_is_told_with_its_line(
    keys: str, where: str, told: str, write: Write
) -> None:
    path = with_event(write, keys)
    rows = path.read_text(encoding="utf-8").split("\n")

    diagnostic = check(path)[0]

    wanted = max(number for number, row in enumerate(rows, start=1) if where in row)
    assert told in diagnostic.message
    assert diagnostic.line == wanted


@pytest.mark.parametrize(("key", "least"), [("within", 0), ("hits", 1), ("base_damage", 0)])
def test_each_figure_of_harm_has_a_least_value(key: str, least: int) -> None:
    usual = {"near": "fen", "within": 10, "hits": 3, "base_damage": 2}

    harm = HazardModel.model_validate({**usual, key: least})

    assert getattr(harm, key) == least
    with pytest.raises(ValidationError, match=key):
        HazardModel.model_validate({**usual, key: least - 1})
