"""Units that come of others: the rows that are kept for them, and how one is filled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Divide, Fall, Pair, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.questions.fog import SOMEBODY, redact
from emlia3d.battle.setup import Setup, UnitSetup
from emlia3d.battle.spare_rows import empty_row_for, ordinal, used_rows
from emlia3d.rulekit.knowledge import Knowledge
from tests.battle.toy_system import BEAR, GUARDS, LANCERS, SAILORS, Tin

PART = 4
"""The row of the first part of the guards."""


class Clay(Tin):
    """Tin soldiers who can be divided, twice."""

    def bodies(self, setup: Setup, unit: UnitSetup) -> int:
        return 3 if unit.muster.members > 1 else 1


@pytest.fixture
def clay(setup: Setup) -> Battle:
    return Battle(setup, Clay(), 7)


def divide(battle: Battle, *figures: int, unit: int = GUARDS, part: int = PART) -> None:
    change = Divide(unit=unit, part=part, figures=figures)
    battle.happen(Event(facts=Unread(event="divided"), unit=unit, changes=(change,)))


def test_rows_for_parts_come_after_all_others_and_are_empty(clay: Battle, setup: Setup) -> None:
    units = clay.state.units

    assert clay.setup.units[:4] == setup.units
    assert [unit.name for unit in clay.setup.units[4:]] == [
        "guards, 2nd part", "guards, 3rd part", "lancers, 2nd part", "lancers, 3rd part",
        "sailors, 2nd part", "sailors, 3rd part",
    ]  # fmt: skip
    for column in ("strength", "members", "present"):
        assert not units[column][4:].any()
    assert units.ints("side")[4:].tolist() == [0, 0, 0, 0, 1, 1]
    assert used_rows(clay) == [0, 1, 2, 3]


def test_no_rows_are_kept_where_nothing_can_be_divided(battle: Battle, setup: Setup) -> None:
    assert battle.setup is setup


def test_rows_are_kept_once(clay: Battle) -> None:
    assert Battle(clay.setup, Clay(), 7).setup is clay.setup


def test_a_part_takes_no_name_that_another_has(setup: Setup) -> None:
    taken = replace(setup.units[BEAR].muster, name="guards, 2nd part")
    units = (*setup.units[:BEAR], replace(setup.units[BEAR], muster=taken))

    battle = Battle(replace(setup, units=units), Clay(), 7)

    names = [unit.name for unit in battle.setup.units]
    assert len(set(names)) == len(names)


def test_figures_that_leave_are_another_unit(clay: Battle) -> None:
    roster, figures = clay.state.roster, clay.state.figures
    spots = figures["x"].copy(), figures["y"].copy()

    divide(clay, 2, 3, 6, 7, 10, 11)

    assert roster.standing(GUARDS).tolist() == [0, 1, 4, 5, 8, 9]
    assert roster.standing(PART).tolist() == [2, 3, 6, 7, 10, 11]
    assert figures.ints("slot")[[2, 3, 6, 7, 10, 11]].tolist() == [0, 1, 2, 3, 4, 5]
    assert figures.ints("slot")[[0, 1, 4, 5, 8, 9]].tolist() == [0, 1, 2, 3, 4, 5]
    for column in ("strength", "members"):
        assert clay.state.units.ints(column)[[GUARDS, PART]].tolist() == [6, 6]
    assert np.array_equal(figures["x"], spots[0])
    assert np.array_equal(figures["y"], spots[1])


def test_the_fallen_stay_with_the_unit_in_which_they_fell(clay: Battle) -> None:
    clay.happen(Event(facts=Unread(event="fell"), changes=(Fall(unit=GUARDS, figures=(8, 9)),)))

    divide(clay, 0, 1)

    units = clay.state.units
    assert units.ints("strength")[[GUARDS, PART]].tolist() == [10, 2]
    assert units.ints("members")[[GUARDS, PART]].tolist() == [8, 2]


def test_the_part_is_as_the_unit_is_and_stands_to_others_as_it_does(clay: Battle) -> None:
    units = clay.state.units
    clay.happen(
        Event(
            facts=Unread(event="put"),
            changes=(
                Set(table="unit", row=GUARDS, column="spring", value=3),
                Pair(column="bumped", a=GUARDS, b=BEAR, value=1),
                Pair(column="bumped", a=SAILORS, b=GUARDS, value=2),
            ),
        )
    )

    divide(clay, 0, 1)

    own = {"first", "strength", "members"}
    for column in units.columns:
        if column.name not in own:
            assert units.value(column.name, PART) == units.value(column.name, GUARDS), column.name
    bumped = clay.state.pairs["bumped"]
    assert bumped[PART, BEAR] == 1
    assert bumped[SAILORS, PART] == 2


def test_who_knows_of_both_learns_who_is_of_the_part_and_how_it_stands_to_others(
    clay: Battle,
) -> None:
    knowledge, unknown = Knowledge(clay, side=1), np.zeros(10, dtype=np.bool_)
    clay.happen(
        Event(
            facts=Unread(event="bumped"),
            changes=(Pair(column="bumped", a=GUARDS, b=BEAR, value=1),),
        )
    )
    knowledge.follow(clay.state, unknown, {})
    divide(clay, 0, 1)

    known = knowledge.follow(clay.state, unknown, {})

    assert known.state.pairs["bumped"] == {(GUARDS, BEAR): 1, (PART, BEAR): 1}
    assert known.state.roster.standing(PART).tolist() == [0, 1]


def test_a_part_can_be_divided_while_rows_are_left(clay: Battle) -> None:
    assert empty_row_for(clay, GUARDS) == PART
    divide(clay, 0, 1, 2, 3)
    assert empty_row_for(clay, PART) == PART + 1

    divide(clay, 2, 3, unit=PART, part=PART + 1)

    assert clay.state.units.ints("members")[[GUARDS, PART, PART + 1]].tolist() == [8, 2, 2]
    assert empty_row_for(clay, GUARDS) is None
    assert used_rows(clay) == [0, 1, 2, 3, PART, PART + 1]
    assert clay.setup.deployed_as(PART + 1) == GUARDS
    assert clay.setup.bodies_of(GUARDS) == (GUARDS, PART, PART + 1)


def test_the_last_of_a_part_to_fall_leaves_its_row_to_it(clay: Battle) -> None:
    divide(clay, 0, 1)

    clay.happen(Event(facts=Unread(event="fell"), changes=(Fall(unit=PART, figures=(0, 1)),)))

    assert clay.state.units.integer("strength", PART) == 2
    assert empty_row_for(clay, GUARDS) == PART + 1


UNFIT = {
    "all of it": Divide(unit=GUARDS, part=PART, figures=tuple(range(12))),
    "nobody": Divide(unit=GUARDS, part=PART, figures=()),
    "one twice": Divide(unit=GUARDS, part=PART, figures=(1, 1)),
    "one who has fallen": Divide(unit=GUARDS, part=PART, figures=(3,)),
    "others' men": Divide(unit=GUARDS, part=PART, figures=(12,)),
    "into a unit that has men": Divide(unit=GUARDS, part=LANCERS, figures=(1,)),
    "to the other side": Divide(unit=GUARDS, part=8, figures=(1,)),
    "into no unit": Divide(unit=GUARDS, part=10, figures=(1,)),
    "of no unit": Divide(unit=-1, part=PART, figures=(1,)),
}


@pytest.mark.parametrize("change", UNFIT.values(), ids=UNFIT)
def test_what_cannot_be_divided_so_is_not(clay: Battle, change: Divide) -> None:
    clay.happen(Event(facts=Unread(event="fell"), changes=(Fall(unit=GUARDS, figures=(3,)),)))
    frame = clay.state.key_frame()

    with pytest.raises(ValueError, match=r"\w"):
        clay.happen(Event(facts=Unread(event="divided"), changes=(change,)))

    assert clay.state.key_frame() == frame


def test_who_does_not_know_of_a_part_is_told_nothing_of_it(clay: Battle) -> None:
    knowledge = Knowledge(clay, side=1)
    unknown = np.isin(np.arange(10), [GUARDS, LANCERS, PART])
    divide(clay, 0, 1)

    seen = knowledge.follow(clay.state, unknown, {})

    assert seen.state.units.ints("strength")[[GUARDS, PART]].tolist() == [12, 0]
    assert len(seen.state.roster.standing(GUARDS)) == 0
    both = knowledge.follow(clay.state, np.zeros(10, dtype=np.bool_), {})
    assert both.state.units.ints("strength")[[GUARDS, PART]].tolist() == [10, 2]
    assert both.state.roster.standing(PART).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("hidden", "told"),
    [
        ({PART}, f"{SOMEBODY} leaves guards"),
        ({GUARDS}, f"guards, 2nd part leaves {SOMEBODY}"),
        ({GUARDS, PART}, f"{SOMEBODY} leaves {SOMEBODY}"),
    ],
)
def test_a_name_that_begins_anothers_is_not_taken_for_it(
    clay: Battle, hidden: set[int], told: str
) -> None:
    event = Event(facts=Unread(event="left"), unit=BEAR, target=PART)

    text = redact(clay.setup, clay.state, 1, hidden, event, "guards, 2nd part leaves guards")

    assert text == told


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
     (21, "21st"), (22, "22nd"), (33, "33rd"), (112, "112th")],
)  # fmt: skip
def test_parts_are_counted_by_ordinals(number: int, word: str) -> None:
    assert ordinal(number) == word
