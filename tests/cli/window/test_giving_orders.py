"""Orders given in the window: on a picture buffer, with a mouse and keys that a test moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.view.actions.menu import ACT, GROUP
from emlia3d.view.actions.menu_pane import MENU
from tests.cli.window.table import Table


def test_the_unit_that_is_asked_about_is_chosen_and_its_orders_are_listed(table: Table) -> None:
    status = table.app.viewer.status()

    assert status.card is not None
    assert status.card.name == "archers"
    lines = status.orders.lines
    assert 1 < len(lines) <= 9
    assert lines[0].advised
    assert "shoot: 4 orders" in table.words
    assert len({line.kind for line in lines[1:]}) == len(lines) - 1, "each kind once"


def test_an_order_is_taken_in_hand_and_given(table: Table) -> None:
    table.take("aimed fire, without moving, at raiders with Longbow")
    in_hand = table.app.viewer.status().orders
    table.press("enter")
    table.wait()

    assert in_hand is not None
    assert in_hand.in_hand == "aimed fire, without moving, at raiders with Longbow"
    assert table.orders()[0] == "aim"


def test_a_letter_with_alt_opens_a_kind_and_escape_closes_it(table: Table) -> None:
    whole = table.words

    assert table.app.viewer.press("alt+s")
    card = table.app.viewer.status().orders
    assert card is not None
    assert card.part == "shoot (Esc: all)"
    assert {line.kind for line in card.lines} == {"shoot"}
    table.press("escape")
    assert table.words == whole


def test_the_advised_order_comes_first_with_its_reason(table: Table) -> None:
    sheet = table.entry.sheet
    table.press("1")
    card = table.app.viewer.status().orders

    assert table.entry.order == sheet.advice
    assert card.why == sheet.advice.why != ""
    table.press("enter")
    table.wait()
    assert table.orders()[0] == sheet.advice.verb


def test_all_pages_of_orders_are_reached_by_one_key(table: Table) -> None:
    table.app.viewer.press("alt+m")
    first = table.words
    table.press("0")
    second = table.words
    table.press("0")

    assert not set(first) & set(second)
    assert table.words == first


def test_an_order_is_given_with_the_mouse_alone(table: Table) -> None:
    table.hand.click_button(f"order:{table.words.index('shoot: 4 orders')}")
    table.hand.click_button("order:1")
    table.hand.click_button("order:give")
    table.wait()

    assert table.orders()[0] in {"aim", "fire"}


def test_an_order_is_given_by_the_menu(table: Table) -> None:
    viewer = table.app.viewer
    table.take("aimed fire, without moving, at raiders with Longbow")
    table.hand.click_button(MENU)
    viewer.scroll(MENU, 99)
    table.app.step(0.0)
    table.hand.click_button(f"{GROUP}6")
    viewer.scroll(MENU, 99)
    table.app.step(0.0)
    table.hand.click_button(f"{ACT}give")
    table.wait()

    assert table.orders()[0] == "aim"
    assert viewer.status().orders is not None, "the menu makes room for the orders again"


def test_escape_puts_the_order_in_hand_down_again(table: Table) -> None:
    table.press("1", "escape", "enter")

    assert table.entry.order is None
    assert table.orders() == []


def test_a_click_on_the_ground_shows_where_the_unit_would_end(table: Table) -> None:
    sight_overlay = table.entry.hand.sight_overlay()
    before = len(sight_overlay.marks)
    table.press("y")
    at = np.array([[60.0, 10.0, 0.0]])
    table.hand.click(*table.app._stage.project(at)[0])

    order = table.entry.order
    assert order is not None
    assert order.verb == "move"
    assert len(table.entry.hand.sight_overlay().marks) > before
    table.press("enter")
    table.wait()
    assert table.orders()[0] == "move"


def test_a_click_on_an_enemy_shows_what_may_be_done_to_him(table: Table) -> None:
    names = [unit.name for unit in table.app._setup.units]

    table.app.viewer.click(names.index("raiders"), None)

    assert table.words
    assert all("raiders" in text for text in table.words)


def test_what_may_not_be_done_is_shown_with_its_rule_and_cannot_be_given(table: Table) -> None:
    table.app.viewer.click(None, (60.0, 16.0))
    table.press("i", "i", "i", "i", "i", "i")
    card = table.app.viewer.status().orders
    table.press("enter")

    assert card is not None
    assert "(emlia." in card.refusal
    assert table.orders() == []


def test_the_odds_of_an_attack_come_while_the_window_goes_on(table: Table) -> None:
    table.take("aimed fire, without moving, at raiders with Longbow")

    def told() -> bool:
        card = table.app.viewer.status().orders
        return card is not None and "10 dice at +1" in card.odds

    table.wait(told)


def test_an_order_is_taken_back_and_another_given(table: Table) -> None:
    before = table.app.viewer.timeline.count
    table.take("aimed fire at raiders with Longbow")
    table.press("enter")
    table.wait()
    table.press("z")
    table.wait(lambda: table.entry.sheet is not None and not table.orders())
    shown = table.app.viewer.timeline.count
    table.take("aimed fire, without moving, at raiders with Longbow")
    table.press("enter")
    table.wait()

    assert shown == before
    assert table.orders()[0] == "aim"
    assert b'"back"' in table.game_thread.game.path.read_bytes()


def test_all_orders_since_the_moment_that_is_looked_at_are_taken_back(table: Table) -> None:
    before = table.app.viewer.timeline.count
    table.press("2", "enter")
    table.wait()
    table.press("l")
    table.wait()
    assert table.app.viewer.state.turn == 2

    table.press("space", "page_up", "page_up", "t")
    table.wait(lambda: table.entry.sheet is not None and not table.orders())

    assert table.app.viewer.timeline.count == before
    assert table.app.viewer.state.turn == 1
    table.press("t")
    assert table.orders() == []
    assert "nothing to undo" in table.app.viewer.status().notice


def test_the_doctrine_plays_the_turn_out_when_it_is_left_to_it(table: Table) -> None:
    table.press("l")
    table.wait()

    assert table.app.viewer.state.turn == 2


def test_one_may_look_back_and_is_asked_again_at_the_end(table: Table) -> None:
    table.press("page_up", ",")
    table.app.step(0.1)
    away = table.app.viewer.status().orders
    table.press("end")
    table.app.step(0.1)

    assert away is None
    assert table.app.viewer.status().orders is not None


def test_who_is_asked_may_ask_who_sees_whom_first(table: Table) -> None:
    names = [unit.name for unit in table.app._setup.units]
    table.press("v")
    table.app.viewer.click(names.index("raiders"), None)
    table.app.step(0.0)
    status = table.app.viewer.status()
    table.press("1", "escape")

    assert status.sight is not None
    assert (status.sight.observer[0], status.sight.target[0]) == ("archers", "raiders")
    assert status.sight.verdict
    assert table.entry.order is None, "keys are those of the tool while it is in hand"
    assert table.app.viewer.status().sight is None
    assert table.words


def test_the_tool_knows_no_enemy_of_whom_nobody_is_aware(table: Table) -> None:
    names = [unit.name for unit in table.app._setup.units]
    table.press("v")
    seen = set()
    for _ in names:
        table.press("n")
        seen.add(table.app.viewer.status().sight.target[0])

    assert "bandits" not in seen


def test_a_picture_of_the_question_is_kept(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)

    table.press("1", "f12")

    assert (tmp_path / "emlia3d-1.png").is_file()
    image = table.app.image()
    panel = table.app._mouse.layout.panels[-2]
    spot = image[int(panel.y) + 20 : int(panel.y) + 60, 30:200]
    assert spot.max() > 180, "light letters"
    assert np.median(spot) < 90, "on dark glass"
