"""Changes, events and orders as JSON and back; and what is none of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle import changes, events
from emlia3d.battle.changes import (
    Add,
    Append,
    Change,
    Clear,
    Fall,
    Fill,
    Leave,
    Pair,
    Place,
    Set,
)
from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.digest import EventDigest, line_of
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.files.orders import order_from_json, order_to_json

ROWS = st.integers(0, 2**40)
WHOLE = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=False, allow_infinity=False)
VALUES = WHOLE | REAL
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)

CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(Place, unit=ROWS, x=REAL, y=REAL, facing=WHOLE, formation=WHOLE, files=WHOLE),
    st.builds(Set, table=WORDS, row=ROWS, column=WORDS, value=VALUES),
    st.builds(Add, table=WORDS, row=ROWS, column=WORDS, value=VALUES),
    st.builds(Fill, table=WORDS, column=WORDS, value=VALUES),
    st.builds(Pair, column=WORDS, a=ROWS, b=ROWS, value=VALUES | st.none()),
    st.builds(Fall, unit=ROWS, figures=st.lists(ROWS).map(tuple)),
    st.builds(Leave, unit=ROWS),
    st.builds(Append, table=WORDS, row=st.dictionaries(WORDS, VALUES, max_size=3)),
    st.builds(Clear, table=WORDS),
)
FACTS = st.recursive(
    st.none() | st.booleans() | VALUES | WORDS,
    lambda facts: st.lists(facts, max_size=3).map(tuple),
    max_leaves=6,
)
EVENTS = st.builds(
    Event,
    facts=st.builds(Unread, event=WORDS, facts=st.dictionaries(WORDS, FACTS, max_size=4)),
    unit=ROWS | st.none(),
    target=ROWS | st.none(),
    others=st.lists(ROWS, max_size=3).map(tuple),
    gesture=st.sampled_from(["none", "turn", "march", "shoot", "vanish"]),
    because=st.lists(WORDS, max_size=3).map(tuple),
    changes=st.lists(CHANGES, max_size=4).map(tuple),
    part_of_last=st.booleans(),
)
LEGS = st.builds(
    Leg,
    step=st.sampled_from(["march", "turn", "wheel", "form"]),
    x=REAL,
    y=REAL,
    facing=WHOLE,
    formation=WHOLE,
    files=WHOLE,
)
ORDERS = st.builds(
    Order,
    verb=WORDS,
    unit=ROWS | st.none(),
    target=ROWS | st.none(),
    number=WHOLE | st.none(),
    units=st.lists(ROWS, max_size=3).map(tuple),
    point=st.none() | st.tuples(REAL, REAL),
    legs=st.lists(LEGS, max_size=3).map(tuple),
    why=WORDS,
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "set", "fall", "unit", "march"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)


def through_a_file(body: dict[str, Any]) -> dict[str, Any]:
    """What a reader of a battle file finds of *body*."""
    read: dict[str, Any] = json.loads(line_of(body))
    return read


@st.composite
def meddled(draw: st.DrawFn, bodies: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    """A body as it is written, with one part of it, however deep, made something else."""
    body = through_a_file(draw(bodies))
    place: Any = body
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from([*keys, "more"] if isinstance(place, dict) else keys))
        deeper = place.get(key) if isinstance(place, dict) else place[key]
        if not isinstance(deeper, dict | list) or not deeper or draw(st.booleans()):
            place[key] = draw(JSON)
            return body
        place = deeper


@given(CHANGES)
def test_a_change_comes_back_from_a_file(change: Change) -> None:
    assert changes.from_json(through_a_file(changes.to_json(change))) == change


@given(EVENTS)
def test_an_event_comes_back_from_a_file(event: Event) -> None:
    assert events.from_json(through_a_file(events.to_json(event))) == event


@given(ORDERS)
def test_an_order_comes_back_from_a_file_with_its_reason(order: Order) -> None:
    back = order_from_json(through_a_file(order_to_json(order)))

    assert back == order
    assert back.why == order.why


def test_an_order_for_another_reason_is_the_same_order() -> None:
    assert Order(verb="wait", why="tired") == Order(verb="wait", why="no idea")
    assert Order(verb="wait") != Order(verb="wait", unit=1)


@given(meddled(CHANGES.map(changes.to_json)))
def test_a_change_that_was_meddled_with_is_refused_or_plain(body: dict[str, Any]) -> None:
    try:
        change = changes.from_json(body)
    except ValueError:
        return
    assert changes.from_json(through_a_file(changes.to_json(change))) == change


@given(meddled(EVENTS.map(events.to_json)))
def test_an_event_that_was_meddled_with_is_refused_or_plain(body: dict[str, Any]) -> None:
    try:
        event = events.from_json(body)
    except ValueError:
        return
    assert events.from_json(through_a_file(events.to_json(event))) == event


@given(meddled(ORDERS.map(order_to_json)))
def test_an_order_that_was_meddled_with_is_refused_or_plain(body: dict[str, Any]) -> None:
    try:
        order = order_from_json(body)
    except ValueError:
        return
    assert order_from_json(through_a_file(order_to_json(order))) == order


SET = {"do": "set", "table": "unit", "row": 0, "column": "spring", "value": 1}


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        {"do": "burn"},
        {"do": ["set"]},
        {**SET, "colour": 1},
        {name: cell for name, cell in SET.items() if name != "row"},
        {**SET, "row": "0"},
        {**SET, "row": 0.0},
        {**SET, "row": True},
        {**SET, "row": 2**63},
        {**SET, "value": None},
        {**SET, "value": float("inf")},
        {**SET, "value": "1"},
        {**SET, "table": 1},
        {"do": "fall", "unit": 0, "figures": 3},
        {"do": "fall", "unit": 0, "figures": [1.5]},
        {"do": "append", "table": "bump", "row": [1]},
        {"do": "append", "table": "bump", "row": {"by": "me"}},
        {"do": "place", "unit": 0, "x": float("nan"), "y": 0, "facing": 0, "formation": 0,
         "files": 1},
    ],
)  # fmt: skip
def test_what_is_no_change_is_refused(body: Any) -> None:
    with pytest.raises(ValueError, match="change"):
        changes.from_json(body)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"event": 1},
        {"event": "fell", "colour": "red"},
        {"event": "fell", "unit": "bear"},
        {"event": "fell", "target": 1.0},
        {"event": "fell", "gesture": "dance"},
        {"event": "fell", "facts": ["one"]},
        {"event": "fell", "facts": {"deep": {"er": 1}}},
        {"event": "fell", "facts": {"hits": float("nan")}},
        {"event": "fell", "because": "tin.fall"},
        {"event": "fell", "because": [1]},
        {"event": "fell", "changes": {}},
        {"event": "fell", "changes": [1]},
        {"event": "fell", "part_of_last": 1},
    ],
)
def test_what_is_no_event_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"event|gesture|fact|change"):
        events.from_json(body)


LEG = {"step": "march", "x": 1.0, "y": 2, "facing": 0, "formation": -1, "files": -1}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"order": None},
        {"order": "wait", "colour": 1},
        {"order": "wait", "unit": "bear"},
        {"order": "wait", "number": 1.5},
        {"order": "wait", "units": 3},
        {"order": "wait", "units": ["bear"]},
        {"order": "wait", "why": 1},
        {"order": "lob", "point": [1]},
        {"order": "lob", "point": {"x": 1, "y": 2}},
        {"order": "lob", "point": [1, float("nan")]},
        {"order": "march", "legs": {"step": "march"}},
        {"order": "march", "legs": [1]},
        {"order": "march", "legs": [{**LEG, "step": "fly"}]},
        {"order": "march", "legs": [{**LEG, "step": ["march"]}]},
        {"order": "march", "legs": [{**LEG, "x": float("inf")}]},
        {"order": "march", "legs": [{**LEG, "facing": 1.5}]},
        {"order": "march", "legs": [{**LEG, "speed": 1}]},
    ],
)
def test_what_is_no_order_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"order|leg|move|point"):
        order_from_json(body)


def test_what_is_empty_is_left_out_of_a_line() -> None:
    assert events.to_json(Event(facts=Unread(event="rained"))) == {"event": "rained"}
    assert order_to_json(Order(verb="wait")) == {"order": "wait"}


def test_units_that_act_together_are_in_a_line() -> None:
    event = Event(facts=Unread(event="rained"), unit=2, others=(4, 3))

    assert events.to_json(event) == {"event": "rained", "unit": 2, "others": [4, 3]}
    assert order_to_json(Order(verb="fire", units=(4, 3))) == {"order": "fire", "units": [4, 3]}
    assert Order(verb="fire", units=(4, 3)) != Order(verb="fire", units=(3, 4))


def test_a_line_has_sorted_keys_no_blanks_and_letters_as_they_are() -> None:
    assert line_of({"b": [1, 2.5], "a": "Jos\u00e9"}) == '{"a":"Jos\u00e9","b":[1,2.5]}'


def test_a_line_holds_no_numbers_that_json_has_not() -> None:
    with pytest.raises(ValueError, match="JSON"):
        line_of({"x": float("nan")})


def test_the_digest_is_over_the_lines_of_events_in_their_order() -> None:
    rained, fell = Event(facts=Unread(event="rained")), Event(facts=Unread(event="fell"), unit=1)
    there, back = EventDigest(), EventDigest()

    lines = [there.add(rained), there.add(fell)]
    back.add(fell)
    back.add(rained)

    assert lines == ['{"event":"rained"}', '{"event":"fell","unit":1}']
    assert there.events == 2
    # printf '{"event":"rained"}\n{"event":"fell","unit":1}\n' | sha256sum
    assert there.hexdigest() == "ad226128d30595ae7904db07c6ebcec4fb1186cb132f6721881889f391b5a6c0"
    assert back.hexdigest() != there.hexdigest()
