"""Sentences and options of Emlia read as English: verbs agree, and nothing is left dangling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.preparation import Note
from emlia3d.rules.emlia.words.event_text import _SENTENCES, tell
from emlia3d.rules.emlia.words.order_text import note_words, phrase

Build = Callable[..., Battle]

ROLL = {"dice": 5, "modifier": -4, "successes": 2, "distance": 60.0, "band": "medium"}


def battle_of(field_of_battle: Build, name: str, members: int) -> Battle:
    return field_of_battle(
        {"at": (50, 50), "name": name, "members": members},
        {"at": (50, 150), "side": "Bob", "name": "raiders", "members": 10},
    )


@pytest.mark.parametrize(
    ("name", "members", "verb"),
    [
        ("archers", 10, "fire"),
        ("Foot Guards", 10, "fire"),
        ("bowmen of the gate", 10, "fire"),
        ("The Watch", 10, "fires"),
        ("ogre", 1, "fires"),
        ("Wolves", 1, "fires"),
    ],
)
def test_the_verb_after_a_name_agrees_with_it(
    field_of_battle: Build, name: str, members: int, verb: str
) -> None:
    event = Event(name="fired", unit=0, target=1, facts=ROLL)

    told = tell(battle_of(field_of_battle, name, members), event)

    assert told == f"{name} {verb} at raiders at 60 GSU (medium): 2 of 5 dice at -4"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Event(name="left cover", unit=0), "archers leave their cover"),
        (Event(name="moved", unit=0), "archers move"),
        (Event(name="destroyed", unit=0), "archers are destroyed"),
        (Event(name="stood up", unit=0), "archers stand up"),
        (Event(name="dropped down", unit=0), "archers lie down"),
        (Event(name="captured", unit=1, target=0), "archers take raiders prisoner"),
        (Event(name="free strike", unit=1, target=0), "archers move within reach of raiders"),
        (Event(name="charge fell short", unit=0, target=1),
         "archers charge raiders and do not get there"),
        (Event(name="reordered", unit=0, target=0, facts=ROLL),
         "archers bring back to order their own men: 2 of 5 dice at -4"),
    ],
)  # fmt: skip
def test_verbs_and_pronouns_of_many_agree(field_of_battle: Build, event: Event, told: str) -> None:
    assert tell(battle_of(field_of_battle, "archers", 10), event) == told


def test_no_mark_of_a_verb_is_left_in_a_sentence(field_of_battle: Build) -> None:
    battle = battle_of(field_of_battle, "archers", 10)
    plain = 0
    for name in _SENTENCES:
        try:
            told = tell(battle, Event(name=name, unit=0, target=1, facts=ROLL))
        except (KeyError, TypeError):
            continue  # it needs facts of its own
        plain += 1
        assert "<" not in told

    assert plain > 40


def test_no_option_ends_in_a_blank(field_of_battle: Build) -> None:
    battle = battle_of(field_of_battle, "archers", 10)

    search = phrase(battle, Order(verb="detect-hidden", unit=0))
    at_one = phrase(battle, Order(verb="detect-hidden", unit=0, target=1))

    assert (search, at_one) == ("search for hidden enemies", "search for hidden enemies: raiders")


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
