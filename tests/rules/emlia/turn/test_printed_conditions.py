"""Chapters 9, 17 and 23: limits and defaults of conditions, notes, armies and restrictions."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from emlia3d.rules.emlia.preparation import (
    FORFEITS,
    Note,
    NoteTrigger,
    action_cells,
    actions_of,
    cells_of,
    occurrence_of,
)
from emlia3d.rules.emlia.unit_sets.army import ArmyList, Limit
from emlia3d.rules.emlia.unit_sets.initiative_conditions import (
    InitiativeCondition,
    MoraleCondition,
    Trigger,
    conduct_of,
)

NEAR = {"within": 15}
TABLES: dict[str, tuple[type[BaseModel], dict[str, Any]]] = {
    "trigger": (Trigger, {"in_sight": True}),
    "condition": (InitiativeCondition, {"when": NEAR, "do": "move away"}),
    "occurrence": (NoteTrigger, {"in_sight": True}),
    "note": (Note, {"when": [NEAR], "do": ["charge"]}),
    "limit": (Limit, {"entries": ["infantry"]}),
    "army": (ArmyList, {}),
}
"""Each table's model, and the minimum that it must contain."""

LIMITS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("trigger", "within", [0, 0.5, 1000.0], [-0.5, float("inf")]),
    ("trigger", "within_moves", [0, 0.5], [-0.5]),
    ("condition", "until", [0, 0.5], [-0.5]),
    ("condition", "until_moves", [0, 0.5], [-0.5]),
    ("occurrence", "who", [0, 7], [-1]),
    ("occurrence", "weapon", [0, 7], [-1]),
    ("limit", "least", [0, 3], [-1]),
    ("limit", "most", [0, 3], [-1]),
    ("limit", "least_share", [0, 0.5, 1], [-0.01, 1.01]),
    ("limit", "most_share", [0, 0.5, 1], [-0.01, 1.01]),
    ("army", "least", [0, 3], [-1]),
    ("army", "most", [0, 3], [-1]),
    ("army", "title", ["", "T" * 200], ["T" * 201]),
]
UNSAID: list[tuple[str, dict[str, Any]]] = [
    (
        "trigger",
        {
            "attacked": None, "shelter": None, "taking_cover": None, "in_the_open": None,
            "within": None, "within_moves": None, "members": None, "size": None,
        },
    ),
    ("condition", {"fast": False, "until": None, "until_moves": None, "unhindered": False}),
    ("occurrence", {"who": None, "does": None, "band": None, "weapon": 0}),
    (
        "limit",
        {"keywords": (), "least": 0, "most": None, "least_share": 0.0, "most_share": 1.0},
    ),
    (
        "army",
        {"title": "", "entries": None, "least": 0, "most": None, "limits": (), "sections": {}},
    ),
]  # fmt: skip


def read(table: str, **more: Any) -> Any:
    model, minimum = TABLES[table]
    return model.model_validate({**minimum, **more})


def wrong(table: str, **more: Any) -> set[str]:
    """The keys that are refused."""
    with pytest.raises(ValidationError) as refused:
        read(table, **more)
    return {str(part) for error in refused.value.errors() for part in error["loc"]}


@pytest.mark.parametrize(("table", "key", "fit", "unfit"), LIMITS)
def test_a_value_is_accepted_up_to_its_limits(
    table: str, key: str, fit: list[Any], unfit: list[Any]
) -> None:
    assert [getattr(read(table, **{key: value}), key) for value in fit] == fit
    for value in unfit:
        assert key in wrong(table, **{key: value})


@pytest.mark.parametrize(("table", "values"), UNSAID)
def test_a_key_that_is_not_printed_has_its_default(table: str, values: dict[str, Any]) -> None:
    found = read(table)

    assert {name: getattr(found, name) for name in values} == values


@pytest.mark.rule("emlia.attr.initiative-conditions")
@pytest.mark.parametrize("table", ["condition", "note"])
def test_a_condition_has_at_least_one_trigger_and_a_note_one_action(table: str) -> None:
    assert len(read(table, when=[NEAR]).when) == 1
    assert len(read(table, when=[NEAR, {"members": "more"}]).when) == 2
    assert "when" in wrong(table, when=[])
    assert "do" in wrong("note", do=[])


@pytest.mark.parametrize(
    ("about", "is_enough"),
    [
        ({"attacked": "at all"}, True),
        ({"in_sight": False}, True),
        ({"in_the_open": False}, True),
        ({"within": 0}, True),
        ({"within_moves": 0}, True),
        ({"members": "fewer"}, True),
        ({"size": "lower"}, True),
        ({"taking_cover": True}, False),
        ({}, False),
    ],
)
def test_a_trigger_says_something_of_an_enemy(about: dict[str, Any], is_enough: bool) -> None:
    for model, more in ((Trigger, {}), (NoteTrigger, {}), (NoteTrigger, {"who": 1})):
        if is_enough:
            assert model.model_validate({**about, **more}).is_about_an_enemy()
        else:
            with pytest.raises(ValidationError, match="a condition on an enemy"):
                model.model_validate({**about, **more})


@pytest.mark.parametrize("about", [{"does": "normal move"}, {"band": "short"}])
def test_an_action_or_a_range_band_is_enough_for_a_note(about: dict[str, Any]) -> None:
    assert NoteTrigger.model_validate(about).is_about_an_enemy()


@pytest.mark.parametrize(
    ("key", "value"), [("fast", True), ("unhindered", True), ("until", 3.0), ("until_moves", 2.0)]
)
@pytest.mark.parametrize(
    ("do", "fits"),
    [
        ("move away", {"fast", "unhindered", "until", "until_moves"}),
        ("move toward", {"fast", "unhindered", "until", "until_moves"}),
        ("move to cover", {"fast", "unhindered"}),
        ("move to concealment", {"fast", "unhindered"}),
        ("move to concealment or cover", {"fast", "unhindered"}),
        ("take cover", set()),
        ("charge", set()),
        ("attack", set()),
    ],
)
def test_a_pace_and_a_distance_go_with_moves(
    do: str, fits: set[str], key: str, value: object
) -> None:
    if key in fits:
        assert getattr(read("condition", do=do, **{key: value}), key) == value
    else:
        assert wrong("condition", do=do, **{key: value}) == {key}


@pytest.mark.parametrize(
    ("attacked", "is_refused"),
    [("from afar", False), ("hand to hand", True), ("at all", True), (None, True)],
)
def test_shelter_goes_with_an_attack_from_afar(attacked: str | None, is_refused: bool) -> None:
    for shelter in ("none", "cover"):
        if is_refused:
            assert "shelter" in wrong("trigger", attacked=attacked, shelter=shelter)
        else:
            assert read("trigger", attacked=attacked, shelter=shelter).shelter == shelter
    assert read("trigger", attacked=attacked).shelter is None


@pytest.mark.parametrize(
    ("act_as", "name"),
    [
        ("normal", "Normal"),
        ("shaken", "Shaken"),
        ("falling back", "Falling Back"),
        ("retreating", "Retreating"),
        ("routed", "Routed"),
    ],
)
def test_printed_morale_conditions_hold_from_the_lowest_to_the_highest_value(
    act_as: str, name: str
) -> None:
    printed = (MoraleCondition.model_validate({"morale": [-4, 2], "act_as": act_as}),)

    states = {morale: conduct_of(morale, printed).name for morale in range(-7, 8)}

    assert {morale for morale in range(-4, 3) if states[morale] == name} == {*range(-4, 3)}
    assert {states[morale] for morale in (*range(-7, -4), *range(3, 8))} == {"Normal"}


def test_the_first_printed_row_that_holds_counts_and_without_a_set_the_books_table() -> None:
    rows = [{"morale": [-7, 0], "act_as": "shaken"}, {"morale": [-7, -4], "act_as": "routed"}]
    printed = tuple(map(MoraleCondition.model_validate, rows))

    assert conduct_of(-7, printed).name == "Shaken"
    assert conduct_of(-7, ()).name == "Normal"
    assert [conduct_of(morale, None).name for morale in (-7, -4, -1, 0, 1)] == [
        "Routed", "Retreating", "Falling Back", "Shaken", "Normal",
    ]  # fmt: skip


def test_a_prepared_action_uses_up_what_it_does_on_orders() -> None:
    used: dict[tuple[str, ...], tuple[str, ...]] = {
        ("move",): ("normal move", "drop down", "stand up", "take cover"),
        ("primary",): ("charge", "aimed fire", "close combat"),
        ("primary", "move"): ("area volley", "concentrated volley"),
    }

    found = {name: tuple(kind.value for kind in FORFEITS[name]) for name in FORFEITS}

    assert found == {name: kinds for kinds, names in used.items() for name in names}


@pytest.mark.parametrize(
    "said",
    [
        {"does": "double pace"},
        {"does": "detect hidden", "who": 0},
        {"band": "short", "weapon": 0},
        {"band": "long", "weapon": 2, "who": 3},
        {"attacked": "at all", "taking_cover": False},
        {"attacked": "from afar", "shelter": "none"},
        {"attacked": "from afar", "shelter": "cover", "taking_cover": True},
        {"in_sight": False, "in_the_open": False},
        {"in_sight": True, "in_the_open": True},
        {"within": 0.0, "within_moves": 1.5},
        {"within": 12.25, "within_moves": 0.0, "members": "fewer", "size": "higher"},
        {"members": "more", "size": "lower"},
    ],
)
def test_a_trigger_of_a_note_is_the_same_after_it_was_kept_as_numbers(said: dict[str, Any]) -> None:
    occurrence = NoteTrigger.model_validate(said)

    assert occurrence_of(cells_of(occurrence)) == occurrence
    assert all(isinstance(cell, float) for cell in cells_of(occurrence).values())


@pytest.mark.parametrize(
    "actions",
    [("normal move",), ("charge",), ("take cover", "aimed fire"), ("charge", "normal move")],
)
def test_the_actions_of_a_note_keep_their_order_as_numbers(actions: tuple[Any, ...]) -> None:
    assert actions_of(action_cells(actions)) == actions
