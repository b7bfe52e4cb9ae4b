"""Keys of actions: default ones, chosen ones, and their names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.view.actions.key_map import DEFAULT_KEYS, KeyMap
from emlia3d.view.actions.key_names import CONTROL, KEYS, key_of, key_words
from emlia3d.view.actions.window_actions import ACTIONS, GROUPS, WindowAction
from emlia3d.view.camera.steering import STEERING
from emlia3d.view.window.hints import EVERY, hints_of
from tests.view.window.panels import STATUS

NAMED = st.sampled_from(KEYS) | st.sampled_from(KEYS).map(CONTROL.__add__)


def test_no_default_key_is_of_two_actions_at_once() -> None:
    assert [*DEFAULT_KEYS.shared()] == []
    assert [*DEFAULT_KEYS.hidden()] == []


def test_every_action_has_a_name_of_its_own_and_keys_that_exist() -> None:
    rows = [row for _, rows in GROUPS for row in rows if isinstance(row, WindowAction)]

    assert len(rows) == len(ACTIONS) > 50
    assert all(row.keys for row in rows)
    assert {key_of(key) for row in rows for key in row.keys} == {
        key for row in rows for key in row.keys
    }


def test_the_motions_of_the_table_are_those_of_the_camera() -> None:
    assert tuple(name for name, row in ACTIONS.items() if row.steers) == STEERING


@given(NAMED)
def test_a_key_may_be_called_as_it_is_shown(key: str) -> None:
    assert key_of(key) == key
    assert key_of(key_words(key)) == key
    assert key_of(key_words(key).upper()) == key


@pytest.mark.parametrize(
    "text", ["", "ctrl+", "ctrl+ctrl+o", "alt+o", "f13", "f0", "ß", "ee", "mouse1", "page down up"]
)
def test_what_is_no_key_has_no_name(text: str) -> None:
    assert key_of(text) is None


@given(st.text())
def test_any_text_is_a_known_key_or_none(text: str) -> None:
    found = key_of(text)

    assert found is None or found.removeprefix(CONTROL) in KEYS


def test_a_chosen_key_takes_the_place_of_the_default_ones() -> None:
    keys = KeyMap((("open", ("ctrl+p", "f9")), ("smaller", ())))

    opens = keys.action("ctrl+p", "")
    assert opens is not None
    assert opens.name == "open"
    assert keys.action("ctrl+o", "") is keys.action("6", "") is None
    assert [keys.first(name) for name in ("open", "smaller", "larger")] == ["Ctrl+P", "", "F10"]
    assert keys.shown(ACTIONS["open"]) == "Ctrl+P, F9"


def test_a_key_is_of_the_action_of_the_tool_in_hand() -> None:
    def named(tool: str) -> str | None:
        found = DEFAULT_KEYS.action("enter", tool)  # type: ignore[arg-type]
        return None if found is None else found.name

    assert [named(tool) for tool in ("", "sight", "tape", "orders")] == [
        None, None, "tape_end", "give",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "shared"),
    [
        ((("open", ("h",)),), [("open", "overview", "h")]),
        ((("exchange", ("space",)),), [("play", "exchange", "space")]),
        ((("exchange", ("tab",)),), [("other_unit", "exchange", "tab")]),
        ((("exchange", ("j",)),), []),
        ((("open", ("h",)), ("overview", ("home",))), []),
    ],
)
def test_a_key_is_shared_only_where_two_actions_may_mean_it_at_once(
    chosen: tuple[tuple[str, tuple[str, ...]], ...], shared: list[tuple[str, str, str]]
) -> None:
    assert [*KeyMap(chosen).shared()] == shared


def test_a_digit_is_no_key_of_an_order() -> None:
    assert [*KeyMap((("give", ("g", "4")),)).hidden()] == [("give", "4")]


def test_every_hint_names_actions_of_the_table() -> None:
    inputs = [each for hints in EVERY for each, _ in hints]
    named = {name for each in inputs if isinstance(each, tuple) for name in each}

    assert named <= set(ACTIONS)


def test_hints_name_the_keys_that_are_set_and_leave_out_actions_without_one() -> None:
    keys = KeyMap((("ranges", ("f8",)), ("sight", ()), ("follow_unit", ("ctrl+g",))))

    hints = hints_of(replace(STATUS, keys=keys))

    assert ("F8", "its ranges") in hints
    assert ("Ctrl+G", "follow it") in hints
    assert "its sight" not in [words for _, words in hints]
