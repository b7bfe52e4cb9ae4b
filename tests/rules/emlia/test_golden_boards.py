"""Small battles on random boards, and answers about them, come out as they are recorded.

Each line of ``golden/boards.txt`` is one board: its number, how often each event happens in a
battle on it, and digests of the events, of what the rules answer about its start (sight, odds,
ranges), and of what they answer to a commander (orders in words, where a click leads, chances).
``pytest --regenerate`` rewrites the lines; the commit says why they changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Picture, RandomCommander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.questions.area import Grid, Observer
from emlia3d.battle.setup import Setup
from emlia3d.errors import Error
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia.random_boards import board_of
from tests.rules.emlia.random_play import Wanderer

GOLDEN = Path(__file__).with_name("golden") / "boards.txt"
BOARDS = range(2000, 2040)
CELL = 6.0
"""GSU, of the area that one unit looks over."""

EVERY = 9
"""A person looks so closely at one decision of so many."""

CLICKS = ((0, 0), (4, 1), (-3, 9), (-14, -6), (2.5, -2), (30, 22))
FACINGS = (64 * 90, None, 64 * 45, None, 64 * 300, None)
"""Where a person clicks, GSU from the unit, and how it shall face there, 64ths of a degree."""


def told(setup: Setup, number: int) -> str:
    """The line of a board."""
    answers = hashlib.sha256()
    for answer in answers_about(Battle(setup, SYSTEM, number)):
        answers.update(answer.encode())
    battle = Battle(setup, SYSTEM, number)
    asking = Asking(Wanderer() if number % 2 else RandomCommander())
    happened = Counter(event.name for event in battle.run([asking] * len(setup.sides)))
    counts = ", ".join(f"{name} {count}" for name, count in sorted(happened.items()))
    found = battle.digest.hexdigest(), answers.hexdigest(), asking.told.hexdigest()
    events, about, asked = (digest[:16] for digest in found)
    return f"{number} events {events} answers {about} asked {asked}: {counts}"


class Asking:
    """Asks the rules what a person's window asks, and leaves the decision to another commander."""

    def __init__(self, other: RandomCommander) -> None:
        self.other = other
        self.told = hashlib.sha256()
        self.decisions = 0

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        """What the other decides."""
        if self.decisions % EVERY == 0:
            for answer in answers_to(decision, picture.battle):
                self.told.update(answer.encode())
        self.decisions += 1
        return self.other.decide(decision, picture, dice)


def answers_to(decision: Decision, battle: Battle) -> Iterator[str]:
    """What the rules tell the person who decides."""
    yield SYSTEM.question(battle, decision)
    for order in (*decision.options, *SYSTEM.more(battle, decision)):
        yield SYSTEM.phrase(battle, order)
    for order in decision.options[-2:]:
        yield answer_to(partial(SYSTEM.odds_of, battle, order))
    unit = decision.unit
    if unit is None:
        return
    yield repr(SYSTEM.card(battle, unit))
    east, north = (float(way) for way in situation_of(battle).centre(unit))
    for verb in SYSTEM.pointed(battle, decision):
        rim = shapely.Polygon(SYSTEM.reach_of(battle, decision, verb))
        yield f"{rim.area:.1f} {np.round(rim.bounds, 1)}"
        for facing, (x, y) in zip(FACINGS, CLICKS, strict=True):
            place = east + x, north + y
            order = SYSTEM.order_to(battle, decision, verb, place, facing)
            refused = order and decision.validator and decision.validator.refusal(order)
            # As before orders could name units that act together.
            yield f"{order} {refused}".replace(", units=()", "")


def answers_about(battle: Battle) -> Iterator[str]:
    """What the rules say of the units of a battle before its first turn."""
    next(battle.run())  # the opening alone
    sides, hostile = battle.state.units.ints("side"), battle.setup.hostile
    units = [row for row, unit in enumerate(battle.setup.units) if unit.muster.spare_for < 0]
    units = [row for row in units if battle.state.units.value("present", row)]
    for one in units:
        others = [other for other in units if other != one]
        seen = (SYSTEM.sight(battle, one, other, 2) for other in others)
        yield from (replace(answer, text="").digest for answer in seen)
        foes = [other for other in others if hostile(sides[one], sides[other])]
        yield answer_to(partial(SYSTEM.odds, battle, one, foes[0]))
        yield repr(SYSTEM.ranges(battle, one))
    spots = Grid.over(battle.setup.field.size, CELL).spots
    post = Observer(name="the first unit", unit=units[0])
    for reverse in (False, True):
        looks = SYSTEM.sight_area(battle, post, spots, 1.0, reverse)
        yield f"{looks.levels.tobytes().hex()} {sorted(looks.because.items())}"


def answer_to(question: Callable[[], object]) -> str:
    """The answer, or why there is none."""
    try:
        return repr(question())
    except Error as refusal:
        return str(refusal)


@pytest.mark.long
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
