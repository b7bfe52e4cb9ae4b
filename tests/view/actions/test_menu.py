"""The menu: all actions by the mouse, or by arrows and Enter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.actions.key_map import DEFAULT_KEYS, KeyMap
from emlia3d.view.actions.menu import ACT, GROUP, Menu
from emlia3d.view.actions.menu_pane import MENU
from emlia3d.view.actions.window_actions import ACTIONS, GROUPS
from emlia3d.view.panda.app import App
from emlia3d.view.window.sheet import layout
from tests.view.panda.window_driver import Hand, opened
from tests.view.window.panels import SIZES, STATUS, measure, words_of


@pytest.fixture
def app(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[App]:
    app = opened(setup, start, story, size=(1280, 720))
    app.step(0.0)
    yield app
    app.close()


@pytest.fixture
def hand(app: App) -> Hand:
    return Hand(app)


def open_menu() -> Menu:
    menu = Menu()
    menu.toggle()
    return menu


def buttons(menu: Menu) -> list[str]:
    card = menu.card(DEFAULT_KEYS, "")
    assert card is not None
    return [row.button for row in card.rows]


def choose(hand: Hand, group: str, name: str) -> None:
    """Someone opens the menu and a group of it, and clicks on an action."""
    at = [title for title, _ in GROUPS].index(group)
    hand.click_button(MENU)
    if f"{ACT}{name}" not in dict(hand._app._mouse.layout.buttons):
        hand.click_button(f"{GROUP}{at}")
    hand.click_button(f"{ACT}{name}")


def test_every_action_but_what_the_mouse_does_itself_is_in_one_group() -> None:
    menu = open_menu()
    found = []
    for group in range(len(GROUPS)):
        if group:
            menu.press(f"{GROUP}{group}")
        found += [name.removeprefix(ACT) for name in buttons(menu) if name.startswith(ACT)]

    rest = [name for name, row in ACTIONS.items() if not (row.steers or row.by_mouse)]
    assert found == rest
    assert set(ACTIONS) - set(found) == {
        "menu", "tape_end",
        "pan_forward", "pan_back", "pan_left", "pan_right", "turn_left", "turn_right",
        "look_down", "look_ahead",
    }  # fmt: skip


def test_one_group_is_open_at_a_time_and_a_second_click_closes_it() -> None:
    menu = open_menu()
    menu.press(f"{GROUP}2")
    second = buttons(menu)
    menu.press(f"{GROUP}2")

    assert next(name for name in second if name.startswith(ACT)) == "act:overview"
    assert buttons(menu) == [f"{GROUP}{group}" for group in range(len(GROUPS))]


def test_the_open_group_is_remembered() -> None:
    menu = open_menu()
    menu.press(f"{GROUP}3")
    before = buttons(menu)
    menu.press(before[4])
    menu.toggle()

    assert buttons(menu) == before


def test_an_action_is_asked_for_once_and_closes_the_menu() -> None:
    menu = open_menu()

    assert menu.press("act:open")
    assert (menu.shown, menu.take(), menu.take()) == (False, "open", "")
    assert not menu.press("order:give")


def test_rows_have_the_keys_that_are_set_and_are_live_with_their_tool() -> None:
    menu = open_menu()
    menu.press(f"{GROUP}5")
    keys = KeyMap((("exchange", ("f8", "ctrl+x")),))

    away, there = menu.card(keys, ""), menu.card(keys, "sight")

    assert away is not None
    assert there is not None
    (row,) = (row for row in there.rows if row.button == "act:exchange")
    assert (row.keys, row.live) == ("F8, Ctrl+X", True)
    assert [one.button for one in away.rows if not one.live] == [
        f"{ACT}{name}" for name, action in ACTIONS.items() if action.tool == "sight"
    ]


def test_arrows_and_enter_choose_and_do(app: App, hand: Hand) -> None:
    hand.press("arrow_down")
    app._acts["menu"]()
    camera = app.steering.camera
    for key in ("arrow_up", "enter", "arrow_down", "enter", "arrow_down", "arrow_down"):
        hand.press(key)
    card = app.viewer.status().menu
    assert card is not None
    assert card.chosen is not None
    chosen = card.rows[card.chosen].button
    hand.press("enter")

    assert app.steering.camera == camera, "arrows do not move the camera meanwhile"
    assert chosen == "act:forward"
    assert app.viewer.course.step == 2
    assert app.viewer.status().menu is None


def test_every_live_action_is_done_by_the_mouse(app: App, hand: Hand) -> None:
    done: list[str] = []
    menu = app._acts["menu"]
    app._acts = {name: lambda name=name: done.append(name) for name in app._acts}  # type: ignore[misc]
    app._acts["menu"] = menu
    wanted = []
    for group, rows in GROUPS:
        for row in rows:
            name = getattr(row, "name", "")
            action = ACTIONS.get(name)
            if action and not (action.tool or action.steers or action.by_mouse):
                wanted.append(name)
                choose(hand, group, name)

    assert done == wanted
    assert len(done) > 35


def test_a_click_in_the_menu_acts_and_closes_it(app: App, hand: Hand) -> None:
    choose(hand, "Display", "larger")
    choose(hand, "Units and distances", "unit_forward")

    assert app.viewer.liking.settings.text_size == 1.15
    assert app.viewer.selected == 0
    assert app.viewer.status().menu is None


def test_an_action_without_its_tool_is_no_button(app: App, hand: Hand) -> None:
    hand.click_button(MENU)
    hand.click_button(f"{GROUP}5")
    dim = "act:exchange" in dict(app._mouse.layout.buttons)
    hand.click_button("act:sight")
    hand.click_button(MENU)

    assert not dim
    assert "act:exchange" in dict(app._mouse.layout.buttons)


@pytest.mark.parametrize("way", ["button", "field", "escape", "list"])
def test_the_menu_closes(app: App, hand: Hand, way: str) -> None:
    hand.click_button(MENU)
    assert app.viewer.status().menu is not None

    if way == "button":
        hand.click_button(MENU)
    elif way == "field":
        hand.click(640, 400)
    else:
        hand.press("escape" if way == "escape" else "f7")

    assert app.viewer.status().menu is None


def test_escape_closes_the_menu_before_what_lies_under_it(app: App, hand: Hand) -> None:
    app.viewer.select(0)
    hand.press("f1")
    hand.click_button(MENU)
    states = []
    for _ in range(3):
        hand.press("escape")
        status = app.viewer.status()
        states.append((status.menu is not None, status.help, app.viewer.selected))

    assert states == [(False, True, 0), (False, False, 0), (False, False, None)]


def test_the_row_under_the_cursor_stands_out(app: App, hand: Hand) -> None:
    hand.click_button(MENU)
    rect = dict(app._mouse.layout.buttons)["act:results"]
    hand.point(rect.x + 5, rect.y + 5)

    card = app.viewer.status().menu
    assert card is not None
    assert card.chosen is not None
    assert card.rows[card.chosen].button == "act:results"
    assert not card.by_keys


def test_the_menu_is_shown_over_help_and_results(app: App, hand: Hand) -> None:
    hand.press("f1")
    hand.click_button(MENU)

    assert "act:open" in dict(app._mouse.layout.buttons)
    hand.click_button(MENU)
    assert "Look from above" in [text.text for text in app._mouse.layout.texts]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_size", [0.8, 1.0, 1.6])
def test_all_rows_of_a_long_menu_can_be_scrolled_to(
    size: tuple[int, int], text_size: float
) -> None:
    menu = open_menu()
    menu.press(f"{GROUP}1")
    card = menu.card(DEFAULT_KEYS, "")
    assert card is not None
    seen, first, more = set[str](), 0, True

    while more:
        status = replace(STATUS, menu=card, text_size=text_size, scrolled=((MENU, first),))
        sheet = layout(status, size, measure)
        seen |= {name for name, _ in sheet.buttons}
        areas = [area for area in sheet.scrolls if area.name == MENU]
        more = bool(areas) and areas[0].first < areas[0].most
        first += 1

    assert {row.button for row in card.rows} <= seen


def test_a_row_chosen_by_keys_stays_in_sight() -> None:
    menu = open_menu()
    menu.press(f"{GROUP}1")
    for _ in range(30):
        menu.key("arrow_down")

    status = replace(STATUS, menu=menu.card(DEFAULT_KEYS, ""), text_size=1.6)
    words = words_of(layout(status, (1280, 720), measure))

    assert "Orders" in words
    assert "Battle" not in words
