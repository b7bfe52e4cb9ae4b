"""Small battles on random boards, and answers about them, come out as they are recorded.

Each line of ``golden/boards.txt`` is one board: its number, how often each event happens in a
battle on it, and digests of the events and of what the rules answer about its start (sight, odds,
ranges, ground). ``pytest --regenerate`` rewrites the lines; the commit says why they changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from emlia3d.battle.area import Grid, Post
from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import RandomCommander
from emlia3d.battle.setup import Setup
from emlia3d.errors import Error
from emlia3d.rules.emlia import SYSTEM
from tests.rules.emlia.random_boards import board_of
from tests.rules.emlia.random_play import Wanderer

GOLDEN = Path(__file__).with_name("golden") / "boards.txt"
BOARDS = range(2000, 2040)
CELL = 6.0
"""GSU, of the area that one unit looks over."""


def told(setup: Setup, number: int) -> str:
    """The line of a board."""
    answers = hashlib.sha256()
    for answer in answers_about(Battle(setup, SYSTEM, number)):
        answers.update(answer.encode())
    battle = Battle(setup, SYSTEM, number)
    commander = Wanderer() if number % 2 else RandomCommander()
    happened = Counter(event.name for event in battle.run([commander] * len(setup.sides)))
    counts = ", ".join(f"{name} {count}" for name, count in sorted(happened.items()))
    digests = battle.digest.hexdigest()[:16], answers.hexdigest()[:16]
    return f"{number} events {digests[0]} answers {digests[1]}: {counts}"


def answers_about(battle: Battle) -> Iterator[str]:
    """What the rules say of the units of a battle before its first turn."""
    next(battle.run())  # the opening alone
    sides, hostile = battle.state.units.ints("side"), battle.setup.hostile
    units = [row for row, unit in enumerate(battle.setup.units) if unit.muster.spare_for < 0]
    units = [row for row in units if battle.state.units.value("present", row)]
    for one in units:
        others = [other for other in units if other != one]
        yield from (SYSTEM.sight(battle, one, other, 2).digest for other in others)
        foes = [other for other in others if hostile(sides[one], sides[other])]
        yield answer_to(partial(SYSTEM.odds, battle, one, foes[0]))
        yield repr(SYSTEM.ranges(battle, one))
    spots = Grid.over(battle.setup.field.size, CELL).spots
    post = Post(name="the first unit", unit=units[0])
    for reverse in (False, True):
        looks = SYSTEM.sight_area(battle, post, spots, 1.0, reverse)
        yield f"{looks.levels.tobytes().hex()} {sorted(looks.because.items())}"


def answer_to(question: Callable[[], object]) -> str:
    """The answer, or why there is none."""
    try:
        return repr(question())
    except Error as refusal:
        return str(refusal)


@pytest.mark.parametrize("number", BOARDS)
def test_a_board_plays_and_answers_as_recorded(
    field_of_battle: Callable[..., Battle], number: int, regenerate: bool
) -> None:
    line = told(board_of(number, field_of_battle), number)

    lines = dict.fromkeys(GOLDEN.read_text("utf-8").splitlines()) if GOLDEN.exists() else {}
    recorded = {int(each.split()[0]): each for each in lines}
    if regenerate:
        recorded[number] = line
        text = "".join(f"{recorded[key]}\n" for key in sorted(recorded))
        GOLDEN.write_text(text, encoding="utf-8")
    assert line == recorded[number]
