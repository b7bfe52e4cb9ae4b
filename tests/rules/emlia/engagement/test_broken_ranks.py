"""Chapter 15.5 as play: which press hits stay where units have broken their ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Procedure, advance
from emlia3d.rules.emlia.play.engagement.pressing import Press, apply_broken_ranks
from emlia3d.rules.emlia.play.engagement.pushes import BREAK_RANKS, GIVE_WAY, Push
from tests.rules.emlia import troops

Build = Callable[..., Battle]


def press(unit: int, subject: int) -> Press:
    return Press(unit, subject, (subject,), 0, 3)


def answered(procedure: Procedure[Any], verb: str) -> tuple[Any, list[int]]:
    """Play a procedure with one answer to all questions; its result, and the units asked."""
    asked, answer = [], None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration as end:
            return end.value, asked
        assert isinstance(said, Decision)
        assert [option.verb for option in said.options] == ["keep-ranks", "press"]
        assert {option.unit for option in said.options} == {said.unit}
        asked.append(said.unit)
        answer = next(option for option in said.options if option.verb == verb)


@pytest.mark.rule("emlia.push.break-ranks")
@pytest.mark.parametrize(
    ("broken", "verb", "stay", "asked", "break_too"),
    [
        # Unit 0 presses units 1 and 2; unit 1 presses unit 0.
        ((), "press", [(0, 1), (0, 2), (1, 0)], [], []),
        ((1,), "press", [(0, 1), (0, 2), (1, 0)], [0], [0]),
        ((1,), "keep-ranks", [(0, 2), (1, 0)], [0], []),
        # A choice for one of two enemies who broke their ranks is the choice for both.
        ((1, 2), "press", [(0, 1), (0, 2), (1, 0)], [0], [0]),
        ((1, 2), "keep-ranks", [(1, 0)], [0], []),
        # A unit that has broken its own ranks is not asked: it presses.
        ((0, 1), "keep-ranks", [(0, 1), (0, 2), (1, 0)], [], []),
        ((0,), "keep-ranks", [(0, 1), (0, 2)], [1], []),
        ((0,), "press", [(0, 1), (0, 2), (1, 0)], [1], [1]),
    ],
)
def test_pushers_of_a_unit_that_breaks_its_ranks_keep_theirs_or_press(
    field_of_battle: Build,
    broken: tuple[int, ...],
    verb: str,
    stay: list[tuple[int, int]],
    asked: list[int],
    break_too: list[int],
) -> None:
    battle = field_of_battle(
        troops.ranked(4, 3, (100, 100)),
        troops.theirs(2, 3, (99, 101)),
        troops.theirs(2, 3, (101, 101)),
    )
    found = [Push((unit,), choice=BREAK_RANKS if unit in broken else GIVE_WAY) for unit in range(3)]
    made = [press(0, 1), press(0, 2), press(1, 0)]

    (kept, breaking), those_asked = answered(apply_broken_ranks(battle, found, made), verb)

    assert [(one.unit, one.subject) for one in kept] == stay
    assert those_asked == asked
    assert breaking == break_too


@pytest.mark.rule("emlia.push.break-ranks")
def test_a_pusher_without_room_to_break_its_ranks_is_not_asked_and_presses_no_more(
    field_of_battle: Build,
) -> None:
    # In one file of one man, a rock before and behind him: there is no narrower or deeper form.
    rocks = [{"kind": "rock", "box": box} for box in ((90, 95, 99.4, 103), (100.6, 95, 110, 103))]
    battle = field_of_battle(
        troops.ranked(1, 3, (100, 100)), troops.theirs(1, 2, (100, 101)),
        terrain=[*rocks, {"kind": "rock", "box": (90, 90, 110, 97)}],
    )  # fmt: skip
    found = [Push((1,), choice=BREAK_RANKS)]

    (kept, breaking), asked = answered(apply_broken_ranks(battle, found, [press(0, 1)]), "press")

    assert (kept, breaking, asked) == ([], [], [])
