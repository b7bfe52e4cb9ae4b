"""Emlia in words: events as sentences, units as cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.words.event_text import card, tell
from emlia3d.scenario import load

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50), "name": "archers"}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "name": "bandits"}
ROLL = {"dice": 5, "modifier": -4, "successes": 2}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Event(name="turn begun", facts={"turn": 3}), "Turn 3 begins"),
        (Event(name="delayed", unit=0, facts={"timing": 1}), "archers waits until timing 1"),
        (Event(name="moved", unit=0), "archers moves"),
        (
            Event(name="fired", unit=0, target=1,
                  facts={"distance": 80.5, "band": "medium", **ROLL}),
            "archers fires at bandits at 80.5 GSU (medium): 2 of 5 dice at -4",
        ),
        (Event(name="disengaged", unit=0, target=1, facts=ROLL),
         "archers breaks free of bandits: 2 of 5 dice at -4"),
        (Event(name="could not disengage", unit=0, target=1, facts=ROLL),
         "archers cannot break free of bandits: 2 of 5 dice at -4"),
        (Event(name="kept busy", unit=0, facts={"enemies": ("bandits",), "members": (12,)}),
         "archers keeps 12 of bandits from striking free"),
        (Event(name="hewed", unit=0, facts={"feature": "gate", **ROLL}),
         "archers hews at gate: 2 of 5 dice at -4"),
        (Event(name="scenery damaged", facts={"feature": "gate", "points": 2}),
         "gate takes 2 damage"),
        (Event(name="scenery destroyed", facts={"feature": "gate"}), "gate is destroyed"),
        (
            Event(name="volley loosed", unit=0, facts={"distance": 60.0, **ROLL}),
            "archers looses a volley at 60 GSU: 2 of 5 dice at -4",
        ),
        (
            Event(name="volley fell", unit=0, facts={
                "drift": 7.0, "coverage": 3.0, "struck": ("bandits",), "hits": (4,)}),
            "the volley of archers falls 7 GSU off, 3 GSU across, on bandits (4)",
        ),
        (
            Event(name="volley fell", unit=0, facts={
                "drift": 7.0, "bearing": 90, "coverage": 3.0, "struck": (), "hits": ()}),
            "the volley of archers falls 7 GSU off at 90° (by d12, as the book's table is lost), "
            "3 GSU across, and hits nothing",
        ),
        (Event(name="harmed", unit=0, facts={"name": "pain", "near": "crystal", "hits": 3}),
         "pain: archers takes 3 hits"),
        (
            Event(name="volley fell", unit=0, facts={
                "drift": 0.0, "coverage": 6.0, "struck": (), "hits": ()}),
            "the volley of archers falls on the mark, 6 GSU across, and hits nothing",
        ),
        (
            Event(name="volley concentrated", unit=0, target=1,
                  facts={"distance": 60.0, "band": "medium", **ROLL}),
            "archers volleys at bandits at 60 GSU (medium): 2 of 5 dice at -4",
        ),
        (
            Event(name="struck", unit=0, target=1,
                  facts={"dice": 1, "modifier": 1, "successes": 0}),
            "archers strikes bandits: 0 of 1 die at +1",
        ),
        (
            Event(name="suffered", unit=1, facts={"lost": 2, "left": 8, "points": 2}),
            "bandits loses 2, 8 left",
        ),
        (
            Event(name="suffered", unit=1,
                  facts={"lost": 0, "left": 1, "points": 3, "vital": ("A wing is torn",)}),
            "bandits takes 3 damage; A wing is torn",
        ),
        (
            Event(name="shaken", unit=1, facts={"before": 1, "after": -2, "state": "Falling Back"}),
            "bandits loses heart: morale 1 to -2, Falling Back",
        ),
        (Event(name="encouraged", unit=0, target=0, facts=ROLL),
         "archers encourages its own men: 2 of 5 dice at -4"),
        (Event(name="reordered", unit=0, target=1, facts=ROLL),
         "archers brings back to order bandits: 2 of 5 dice at -4"),
        (Event(name="hid", unit=1, facts=ROLL), "bandits hides: 2 of 5 dice at -4"),
        (Event(name="failed to hide", unit=1, facts=ROLL),
         "bandits cannot hide: 2 of 5 dice at -4"),
        (Event(name="detected", unit=0, target=1, facts={"needed": 2, **ROLL}),
         "archers finds bandits: 2 of 5 dice at -4, 2 needed"),
        (Event(name="searched", unit=0, target=1, facts={"needed": 3, **ROLL}),
         "archers looks for bandits: 2 of 5 dice at -4, 3 needed"),
        (Event(name="searched", unit=0), "archers looks about and finds no enemy"),
        (Event(name="passed awareness", unit=0, target=1, facts=ROLL),
         "archers points out bandits to the friends near it: 2 of 5 dice at -4"),
        (Event(name="was not understood", unit=0, target=1, facts=ROLL),
         "archers cannot point out bandits to the friends near it: 2 of 5 dice at -4"),
        (Event(name="spotted", unit=1, facts={"by": ("archers", "scouts")}),
         "bandits is in the open and spotted by archers, scouts"),
        (Event(name="battle ended", facts={"winner": None, "level": "draw", "reason": "So it is."}),
         "A draw. So it is."),
        (Event(name="shone forth", unit=0, target=1), "archers shone forth bandits"),
    ],
    ids=lambda value: value.name if isinstance(value, Event) else "",
)  # fmt: skip
def test_an_event_is_told_in_a_sentence(
    event: Event, sentence: str, field_of_battle: Build
) -> None:
    assert tell(field_of_battle(ALICE, BOB), event) == sentence


def test_every_event_of_a_battle_has_a_sentence_of_its_own() -> None:
    battle = load("bandits").battle(seed=2)

    for event in battle.run():
        name = "" if event.unit is None else battle.setup.units[event.unit].name
        target = "" if event.target is None else battle.setup.units[event.target].name
        bare = " ".join(filter(None, (name, event.name, target)))
        told = tell(battle, event)
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
