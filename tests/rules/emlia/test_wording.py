"""Sentences and options of Emlia read as English: verbs agree, and nothing is left dangling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.combat import Fired, FreeStrike
from emlia3d.rules.emlia.events.losses import Destroyed, Reordered
from emlia3d.rules.emlia.events.movement import (
    ChargeFellShort,
    DroppedDown,
    LeftCover,
    Moved,
    StoodUp,
)
from emlia3d.rules.emlia.events.turn import Captured, FirstDrawn
from emlia3d.rules.emlia.preparation import Note
from emlia3d.rules.emlia.system import SYSTEM
from emlia3d.rules.emlia.words.orders import note_words
from emlia3d.rules.emlia.words.phrases import WORDS
from tests.made_up import made_up

Build = Callable[..., Battle]

ROLL = {"dice": 5, "modifier": -4, "successes": 2}


def battle_of(field_of_battle: Build, name: str, members: int) -> Battle:
    return field_of_battle(
        {"at": (50, 50), "name": name, "members": members},
        {"at": (50, 150), "side": "Bob", "name": "raiders", "members": 10},
    )


@pytest.mark.parametrize(
    ("name", "members", "verb"),
    [
        ("archers", 10, "deliver"),
        ("Foot Guards", 10, "deliver"),
        ("bowmen of the gate", 10, "deliver"),
        ("The Watch", 10, "delivers"),
        ("ogre", 1, "delivers"),
        ("Wolves", 1, "delivers"),
    ],
)
def test_the_verb_after_a_name_agrees_with_it(
    field_of_battle: Build, name: str, members: int, verb: str
) -> None:
    event = Event(facts=made_up(Fired, distance=60.0, band="medium", **ROLL), unit=0, target=1)

    told = SYSTEM.tell(battle_of(field_of_battle, name, members), event)

    assert told == f"{name} {verb} aimed fire at raiders, 60 GSU (medium): 2 of 5 dice at -4"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Event(facts=LeftCover(), unit=0), "archers leave their cover"),
        (Event(facts=made_up(Moved), unit=0), "archers move"),
        (Event(facts=made_up(Destroyed), unit=0), "archers are destroyed"),
        (Event(facts=StoodUp(), unit=0), "archers stand up"),
        (Event(facts=DroppedDown(), unit=0), "archers drop down"),
        (Event(facts=Captured(), unit=1, target=0), "archers take raiders prisoner"),
        (Event(facts=FreeStrike(), unit=1, target=0), "archers move within reach of raiders"),
        (Event(facts=made_up(ChargeFellShort), unit=0, target=1),
         "archers charge raiders, and fall short"),
        (Event(facts=made_up(Reordered, **ROLL), unit=0, target=0),
         "archers reorder themselves: 2 of 5 dice at -4"),
    ],
)  # fmt: skip
def test_verbs_and_pronouns_of_many_agree(field_of_battle: Build, event: Event, told: str) -> None:
    assert SYSTEM.tell(battle_of(field_of_battle, "archers", 10), event) == told


def test_no_mark_of_a_verb_is_left_in_a_sentence(field_of_battle: Build) -> None:
    battle = battle_of(field_of_battle, "archers", 10)
    plain = 0
    for kind in WORDS.events:
        facts = made_up(kind, order=("north",)) if kind is FirstDrawn else made_up(kind)
        told = SYSTEM.tell(battle, Event(facts=facts, unit=0, target=1))
        plain += bool(told)
        assert "<" not in told

    assert plain > 70


def test_no_option_ends_in_a_blank(field_of_battle: Build) -> None:
    battle = battle_of(field_of_battle, "archers", 10)

    search = SYSTEM.phrase(battle, Order(verb="detect-hidden", unit=0))
    at_one = SYSTEM.phrase(battle, Order(verb="detect-hidden", unit=0, target=1))

    assert (search, at_one) == ("detect hidden enemies", "detect hidden enemies: raiders")


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"in_sight": True, "band": "medium"}, "enemy in sight, medium range"),
        ({"in_sight": False, "within": 15}, "enemy not in sight, within 15 GSU"),
        (
            {"who": 1, "within": 7.5, "taking_cover": False},
            "raiders with it not taking cover, within 7.5 GSU",
        ),
        ({"does": "Charge"}, "enemy completes Charge"),
    ],
)
def test_a_trigger_is_told_in_plain_words(field_of_battle: Build, when, words: str) -> None:
    note = Note.model_validate({"when": [when], "do": ["aimed fire"]})

    told = note_words(battle_of(field_of_battle, "archers", 10), note)

    assert told == f"aimed fire when {words}"
