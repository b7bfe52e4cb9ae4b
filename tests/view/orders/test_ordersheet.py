"""The panel of orders, and the curtain."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from emlia3d.battle.questions.order_kinds import ORDER_KINDS
from emlia3d.view.layout.panel import Layout, Rect
from emlia3d.view.orders.order_menu import MenuLine
from emlia3d.view.orders.ordercard import Curtain, OrderCard
from emlia3d.view.orders.ordersheet import CURTAIN
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import LogLine
from tests.view.window.panels import SIZES, STATUS, measure

CARD = OrderCard(
    question="archers: what does it do? " * 3,
    asks="nobody.activate",
    colour="#2a5caa",
    lines=tuple(
        MenuLine(kind=kind, text="fire at the bandits with a Longbow " * 2, order=row)
        for row, kind in enumerate(ORDER_KINDS[:9])
    ),
    chosen=2,
    pages="0: more, 1 of 3",
    hint="click on the ground: move",
    in_hand="fire at the bandits " * 5,
    refusal="the move costs 31.8 GSU, there are 30 (nobody.move)" * 3,
    odds="10 dice at +1 (75% each), 7.5 hits",
)
NEWS = (LogLine(text="something happened to somebody " * 9, because=("nobody.fire",) * 9),) * 6


def laid_out(size: tuple[int, int], card: OrderCard = CARD) -> Layout:
    return layout(replace(STATUS, orders=card, news=NEWS), size, measure)


def overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h


@pytest.mark.parametrize("size", SIZES)
def test_the_panel_of_orders_lies_over_no_other(size: tuple[int, int]) -> None:
    sheet = laid_out(size)

    assert not [pair for pair in combinations(sheet.panels, 2) if overlap(*pair)]


@pytest.mark.parametrize("size", SIZES)
def test_every_button_of_the_panel_can_be_clicked_on(size: tuple[int, int]) -> None:
    sheet = laid_out(size)
    buttons = {name: rect for name, rect in sheet.buttons if name.startswith("order:")}

    assert {"order:0", "order:give", "order:back", "order:undo", "order:doctrine"} <= set(buttons)
    for name, rect in buttons.items():
        middle = rect.x + rect.w / 2, rect.y + rect.h / 2
        assert sheet.covers(*middle), name
        assert sheet.button_at(*middle) == name


def test_the_question_its_rule_the_refusal_and_the_odds_are_told() -> None:
    card = replace(CARD, question="archers?", refusal="too far (nobody.move)", in_hand="move")

    words = {text.text for text in laid_out((1280, 720), card).texts}

    assert {"archers?", "nobody.activate", "too far (nobody.move)", "move", CARD.odds} <= words


@pytest.mark.parametrize("size", SIZES)
def test_behind_a_curtain_nothing_is_told_but_who_is_to_sit_down(size: tuple[int, int]) -> None:
    curtain = Curtain(text="Bob: look away. Alice: sit down.", colour="#2a5caa")

    sheet = layout(replace(STATUS, orders=CARD, curtain=curtain), size, measure)

    assert " ".join(text.text for text in sheet.texts) == curtain.text
    assert sheet.panels == (Rect(0, 0, *size),)
    assert [name for name, _ in sheet.buttons] == [CURTAIN]
    assert max(shape.colour[3] for shape in sheet.shapes) == 1.0
    assert not sheet.timeline.holds(size[0] / 2, size[1] - 20)
