"""Facts of events as records: named by their class, read by name, kept as written if none fits."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.events import Event, Mustered, Unread, from_json, kinds_by_name, to_json
from tests.battle.toy_events import EVENTS, Bumped, Marched, RanDown

KINDS = kinds_by_name(EVENTS)
BUMP = {"faces": [6, 1], "hits": 1, "force": 0.25, "hard": False, "aim": None}


def test_an_event_has_the_name_of_its_record_or_the_one_that_the_record_gives() -> None:
    assert Event(facts=Marched(why="")).name == "marched"
    assert Event(facts=RanDown(worn=1)).name == "ran_down"


def test_facts_are_read_as_the_record_of_their_event() -> None:
    event = from_json({"event": "bumped", "facts": BUMP}, KINDS)

    assert event.facts == Bumped(faces=(6, 1), hits=1, force=0.25, hard=False, aim=None)
    assert to_json(event)["facts"] == {**BUMP, "faces": (6, 1)}


@pytest.mark.parametrize(
    "changed",
    [{"hits": "1"}, {"hits": 1.0}, {"faces": 6}, {"hard": 0}, {"aim": 1}, {"more": 1}],
)
def test_facts_that_do_not_fit_their_record_are_kept_as_they_are_written(
    changed: dict[str, Any],
) -> None:
    body = {"event": "bumped", "facts": {**BUMP, **changed}}

    event = from_json(body, KINDS)

    told = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in body["facts"].items()
    }
    assert event.facts == Unread(event="bumped", facts=told)


def test_an_event_of_an_unknown_kind_is_kept_as_it_is_written() -> None:
    event = from_json({"event": "sang", "facts": {"song": "la"}}, KINDS)

    assert (event.name, event.facts.values()) == ("sang", {"song": "la"})


def test_what_may_happen_in_every_battle_is_read_without_its_rule_system() -> None:
    assert from_json({"event": "mustered"}).facts == Mustered()
    assert from_json({"event": "marched", "facts": {"why": ""}}).facts == Unread(
        event="marched", facts={"why": ""}
    )
