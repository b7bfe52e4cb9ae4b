"""Emlia in words: events as sentences, units as cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.events.awareness import (
    Detected,
    FailedToHide,
    Hid,
    LookedAbout,
    PassedAwareness,
    Searched,
    Spotted,
    WasNotUnderstood,
)
from emlia3d.rules.emlia.events.combat import (
    CouldNotDisengage,
    Disengaged,
    Fired,
    Hewed,
    KeptBusy,
    SceneryDamaged,
    SceneryDestroyed,
    Struck,
    VolleyConcentrated,
    VolleyFell,
    VolleyLoosed,
)
from emlia3d.rules.emlia.events.losses import Encouraged, Reordered, Shaken, Suffered
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.events.scheduled import Harmed
from emlia3d.rules.emlia.events.turn import BattleEnded, Delayed, TurnBegun
from emlia3d.rules.emlia.system import SYSTEM
from emlia3d.rules.emlia.words.card import card
from emlia3d.scenario import load
from tests.made_up import made_up

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50), "name": "archers"}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "name": "bandits"}
ROLL = {"dice": 5, "modifier": -4, "successes": 2}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Event(facts=TurnBegun(turn=3)), "Turn 3 begins"),
        (Event(facts=Delayed(timing=1), unit=0), "archers delays until timing 1"),
        (Event(facts=made_up(Moved), unit=0), "archers moves"),
        (
            Event(facts=made_up(Fired, distance=80.5, band="medium", **ROLL), unit=0, target=1),
            "archers delivers aimed fire at bandits, 80.5 GSU (medium): 2 of 5 dice at -4",
        ),
        (Event(facts=made_up(Disengaged, **ROLL), unit=0, target=1),
         "archers disengages from bandits: 2 of 5 dice at -4"),
        (Event(facts=made_up(CouldNotDisengage, **ROLL), unit=0, target=1),
         "archers fails to disengage from bandits: 2 of 5 dice at -4"),
        (Event(facts=KeptBusy(enemies=("bandits",), members=(12,)), unit=0),
         "archers keeps 12 of bandits from a free strike"),
        (Event(facts=made_up(Hewed, feature="gate", **ROLL), unit=0),
         "archers attacks gate: 2 of 5 dice at -4"),
        (Event(facts=made_up(SceneryDamaged, feature="gate", points=2)),
         "gate takes 2 damage"),
        (Event(facts=made_up(SceneryDestroyed, feature="gate")), "gate is destroyed"),
        (
            Event(facts=made_up(VolleyLoosed, distance=60.0, **ROLL), unit=0),
            "archers delivers an area volley at 60 GSU: 2 of 5 dice at -4",
        ),
        (
            Event(
                facts=made_up(VolleyFell, drift=7.0, coverage=3.0, struck=("bandits",), hits=(4,)),
                unit=0,
            ),
            "the volley of archers falls 7 GSU off, 3 GSU across, on bandits (4)",
        ),
        (
            Event(
                facts=made_up(VolleyFell, drift=7.0, bearing=90, coverage=3.0, struck=(), hits=()),
                unit=0,
            ),
            "the volley of archers falls 7 GSU off at 90° "
            "(by d12: the rulebook has no table), 3 GSU across, and hits nothing",
        ),
        (Event(facts=Harmed(name="pain", near="crystal", hits=3), unit=0),
         "pain: archers takes 3 hits"),
        (
            Event(facts=made_up(VolleyFell, drift=0.0, coverage=6.0, struck=(), hits=()), unit=0),
            "the volley of archers falls on the mark, 6 GSU across, and hits nothing",
        ),
        (
            Event(
                facts=made_up(VolleyConcentrated, distance=60.0, band="medium", **ROLL),
                unit=0, target=1,
            ),
            "archers delivers a concentrated volley at bandits, 60 GSU (medium): 2 of 5 dice at -4",
        ),
        (
            Event(facts=made_up(Struck, dice=1, modifier=1, successes=0), unit=0, target=1),
            "archers fights bandits in close combat: 0 of 1 die at +1",
        ),
        (
            Event(facts=Suffered(lost=2, left=8, points=2), unit=1),
            "bandits loses 2, 8 left",
        ),
        (
            Event(facts=Suffered(lost=0, left=1, points=3, vital=("A wing is torn",)), unit=1),
            "bandits takes 3 damage; A wing is torn",
        ),
        (
            Event(facts=Shaken(before=1, after=-2, state="Falling Back"), unit=1),
            "bandits loses morale: 1 to -2, Falling Back",
        ),
        (Event(facts=made_up(Encouraged, **ROLL), unit=0, target=0),
         "archers improves the morale of itself: 2 of 5 dice at -4"),
        (Event(facts=made_up(Reordered, **ROLL), unit=0, target=1),
         "archers reorders bandits: 2 of 5 dice at -4"),
        (Event(facts=made_up(Hid, **ROLL), unit=1), "bandits conceals itself: 2 of 5 dice at -4"),
        (Event(facts=made_up(FailedToHide, **ROLL), unit=1),
         "bandits fails to conceal itself: 2 of 5 dice at -4"),
        (Event(facts=made_up(Detected, needed=2, **ROLL), unit=0, target=1),
         "archers detects bandits: 2 of 5 dice at -4, 2 needed"),
        (Event(facts=made_up(Searched, needed=3, **ROLL), unit=0, target=1),
         "archers fails to detect bandits: 2 of 5 dice at -4, 3 needed"),
        (Event(facts=LookedAbout(), unit=0), "archers detects no enemy"),
        (Event(facts=made_up(PassedAwareness, **ROLL), unit=0, target=1),
         "archers passes awareness of bandits: 2 of 5 dice at -4"),
        (Event(facts=made_up(WasNotUnderstood, **ROLL), unit=0, target=1),
         "archers fails to pass awareness of bandits: 2 of 5 dice at -4"),
        (Event(facts=Spotted(by=("archers", "scouts")), unit=1),
         "bandits is spotted in the open by archers, scouts"),
        (Event(facts=BattleEnded(winner=None, level="draw", reason="So it is.")),
         "A draw. So it is."),
        (Event(facts=Unread(event="shone forth"), unit=0, target=1), "archers shone forth bandits"),
    ],
    ids=lambda value: value.name if isinstance(value, Event) else "",
)  # fmt: skip
def test_an_event_is_told_in_a_sentence(
    event: Event, sentence: str, field_of_battle: Build
) -> None:
    assert SYSTEM.tell(field_of_battle(ALICE, BOB), event) == sentence


def test_every_event_of_a_battle_has_a_sentence_of_its_own() -> None:
    battle = load("bandits").battle(seed=2)

    for event in battle.run():
        name = "" if event.unit is None else battle.setup.units[event.unit].name
        target = "" if event.target is None else battle.setup.units[event.target].name
        bare = " ".join(filter(None, (name, event.name, target)))
        told = SYSTEM.tell(battle, event)
        assert told != bare, event.name
        assert told or event.name in {
            "activated", "activation ended", "resolved",
            "prepared action due", "prepared actions ended",
        }  # fmt: skip


def test_a_card_says_what_a_unit_is_and_how_it_stands(field_of_battle: Build) -> None:
    company = {
        **ALICE, "members": 8, "files": 4, "formation": "ranked", "facing": 90,
        "states": ["prone"], "put": {"morale": -1, "disordered": 1, "damage": 2},
    }  # fmt: skip
    battle = field_of_battle(company, BOB)

    told = dict(card(battle, 0))

    assert told["side"] == "Alice"
    assert told["kind"] == "Human"
    assert told["strength"] == "8 of 8"
    assert told["morale"] == "-1 Falling Back"
    assert told["formation"] == "ranked, facing 90°"
    assert told["order"] == "disordered"
    assert told["damage"] == "2"
    assert told["posture"] == "prone"
    assert told["close combat"] == "5/2"


def test_a_card_says_who_is_hidden(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, {**BOB, "states": ["concealed", "prone"]})

    assert dict(card(battle, 1))["posture"] == "prone, hidden"


def test_a_card_leaves_out_what_is_not_so(field_of_battle: Build) -> None:
    told = dict(card(field_of_battle(ALICE, BOB), 0))

    assert not {"order", "damage", "posture", "weapon"} & set(told)
    assert told["morale"] == "+2 Normal"
