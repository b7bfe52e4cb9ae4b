"""Names of formations, sentences of the log, and the report of a battle."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.epic.events import (
    ActionTested,
    Broke,
    Destroyed,
    Fired,
    HitsAllocated,
    Moved,
    OverwatchEnded,
)
from emlia3d.rules.epic.report import paragraphs
from emlia3d.rules.epic.words import WORDS, formation_name
from tests.rules.epic.boards import board, random_board

TANKS = [
    {"name": f"Blue tanks {n}", "tile": [3 + n, 3], **({"in": "Blue tanks 1"} if n > 1 else {})}
    for n in (1, 2, 3)
]
LINE = [
    {"name": name, "side": "Red", "tile": [3 + n, 15], **({"in": "Red line 1"} if n else {})}
    for n, name in enumerate(("Red line 1", "Red line 2"))
]
SHOT = Fired(
    dice=4, modifier=0, successes=2, faces=(1, 2, 5, 6), value="AP", weapon="cannon", need=3,
    crossfire=False,
)  # fmt: skip


def battle_of(*more: dict[str, object]):  # type: ignore[no-untyped-def]
    return board(*TANKS, *LINE, *more)


def deeds_of(battle: Battle, story: Sequence[Order | Event], *, dice: bool) -> list[str]:
    """Return the paragraphs of a report."""
    found = paragraphs(battle, story, dice=dice)
    return [passage.text for passage in found if passage.rank == "deed"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Blue tanks 1", "Blue tanks 2"), "Blue tanks"),
        (("Blue engine",), "Blue engine"),
        (("first squad", "second squad"), "first squad's formation"),
        (("Blue 1", "Blue 2"), "Blue 1's formation"),
    ],
)
def test_a_formation_is_named_by_the_words_that_its_units_share(
    names: tuple[str, ...], expected: str
) -> None:
    units = [
        {"name": name, "tile": [3 + n, 3], **({"in": names[0]} if n else {})}
        for n, name in enumerate(names)
    ]
    assert formation_name(board(*units, *LINE).setup, len(names) - 1) == expected


def test_two_formations_with_the_same_words_are_named_by_their_leaders() -> None:
    other = {"name": "Blue tanks 9", "tile": [9, 3]}
    assert formation_name(battle_of(other).setup, 1) == "Blue tanks 1's formation"


def test_the_sentence_of_a_shot_names_its_target() -> None:
    battle = battle_of()
    told = WORDS.sentence(battle, Event(facts=SHOT, unit=1, others=(2,), target=3))
    assert told == "Blue tanks shoot cannon (AP) at Red line: 2/4 hits at 3"


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (HitsAllocated(hits=2, faces=(1, 6), unsaved=1),
         "Red line 1 saves 1 of 2 hits (rolls 1, 6)"),
        (HitsAllocated(hits=1, faces=(), unsaved=1), "Red line 1 has no save against 1 hit"),
        (Moved(how="follows up", tiles=1, to=(0, 0)), "Red line 1 follows up 1 tile"),
        (ActionTested(action="march", face=2, value=4, passed=True),
         "Red line begins March (rolls 2, needs 4 or less)"),
        (ActionTested(action="march", face=5, value=4, passed=False),
         "Red line fails its test for March (rolls 5, needs 4 or less)"),
        (Broke(), "Red line is broken"),
        (OverwatchEnded(), ""),
    ],
)  # fmt: skip
def test_sentences_of_the_log(facts, told: str) -> None:  # type: ignore[no-untyped-def]
    assert WORDS.sentence(battle_of(), Event(facts=facts, unit=3)) == told


def test_fire_on_overwatch_is_told() -> None:
    event = Event(facts=OverwatchEnded(), unit=0, because=("epic.overwatch.lasts",))
    assert WORDS.sentence(battle_of(), event) == "Blue tanks answer on overwatch"


def test_an_action_is_a_paragraph_in_which_units_share_sentences() -> None:
    battle = battle_of()
    moved = [Event(facts=Moved(how="moves", tiles=n, to=(0, 0)), unit=n) for n in (0, 1, 2)]
    lost = [Event(facts=Destroyed(cause="shooting"), unit=unit) for unit in (3, 4)]
    story = [
        Order(verb="advance", unit=0),
        Event(facts=ActionTested(action="advance", face=1, value=5, passed=True), unit=0),
        *moved, moved[0],
        Event(facts=SHOT, unit=0, target=3),
        Event(facts=HitsAllocated(hits=1, faces=(6,), unsaved=1), unit=3),
        *lost,
        Event(facts=ActionTested(action="hold", face=6, value=4, passed=False), unit=3),
    ]  # fmt: skip
    assert deeds_of(battle, story, dice=True) == [
        "The Blue tanks begin Advance (rolls 1, needs 5 or less). "
        "Three units of the Blue tanks move 0 to 2 tiles. Blue tanks 1 moves 0 tiles. "
        "The Blue tanks shoot at the Red line with cannon and score two hits (AP 3). "
        "Red line 1 and Red line 2 are destroyed.",
        "The Red line fails its test for Hold (rolls 6, needs 4 or less).",
    ]


def test_no_sentence_of_a_battle_has_an_open_mark_or_an_odd_number() -> None:
    battle = random_board(5).battle(5)
    told = [passage.text for passage in paragraphs(battle, battle.run(), dice=True)]
    assert len(told) > 10
    for text in told:
        assert not set(text) & set("<>{}")
        assert " 1 tiles" not in text
        assert text.count("..") == 0


def test_a_report_without_dice_leaves_rolls_and_values_out() -> None:
    tested = Event(facts=ActionTested(action="march", face=2, value=4, passed=True), unit=3)
    shot = Event(facts=SHOT, unit=0, target=3)
    (told,) = deeds_of(battle_of(), [tested, shot], dice=False)
    assert told.startswith("The Red line begins March. The Blue tanks shoot")
    assert told.endswith("score two hits.")
