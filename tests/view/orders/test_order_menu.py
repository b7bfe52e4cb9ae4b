"""The menu of orders: never more than nine lines, and every order within reach."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.decisions import Order
from emlia3d.battle.questions.order_kinds import KIND_LETTERS, ORDER_KINDS, OrderKind
from emlia3d.scenario import load
from emlia3d.view.orders.order_menu import MOST_LINES, OrderMenu

KINDS = st.lists(st.sampled_from(ORDER_KINDS), min_size=1, max_size=60)


def _menu(kinds: list[OrderKind], advised: int | None) -> OrderMenu:
    return OrderMenu([f"order {row}" for row in range(len(kinds))], kinds, advised)


def _reached(menu: OrderMenu) -> set[int]:
    """The orders on all pages of what is open."""
    found: set[int] = set()
    for _ in range(menu.pages):
        assert 0 < len(menu.lines()) <= MOST_LINES
        found |= {line.order for line in menu.lines() if line.order is not None}
        menu.turn_page()
    return found


@given(kinds=KINDS, data=st.data())
def test_every_order_is_reached_by_at_most_two_lines(
    kinds: list[OrderKind], data: st.DataObject
) -> None:
    advised = data.draw(st.none() | st.integers(0, len(kinds) - 1))
    menu = _menu(kinds, advised)
    found = _reached(menu)
    if len(set(kinds)) == 1:
        assert found == set(range(len(kinds)))
    if advised is not None:
        assert (menu.page, menu.lines()[0].order) == (0, advised)
        assert menu.lines()[0].advised

    for kind in dict.fromkeys(kinds):
        assert menu.open(kind)
        mine = _reached(menu)
        assert mine == {row for row, other in enumerate(kinds) if other == kind}
        found |= mine
        assert menu.back()

    assert found == set(range(len(kinds)))
    assert not menu.back()


def test_few_orders_are_listed_as_they_are() -> None:
    menu = _menu(["move", "shoot", "move", "end"], None)

    assert [line.order for line in menu.lines()] == [0, 1, 2, 3]


def test_many_are_listed_by_kind_the_likeliest_first() -> None:
    menu = _menu(["end", *["move"] * 8, "shoot", "shoot"], 0)

    assert [(line.kind, line.order) for line in menu.lines()] == [
        ("end", 0), ("shoot", None), ("move", None),
    ]  # fmt: skip
    assert [line.text for line in menu.lines()[1:]] == ["shoot: 2 orders", "move: 8 orders"]
    assert not menu.open("fight")


def test_orders_about_a_unit_can_be_shown_alone() -> None:
    menu = _menu(["move"] * 12, 3)

    menu.show_only([4, 5])

    assert [line.order for line in menu.lines()] == [4, 5]
    assert menu.back()
    assert menu.pages == 2


def test_letters_differ() -> None:
    assert len(set(KIND_LETTERS.values())) == len(ORDER_KINDS)


@pytest.mark.parametrize(
    ("name", "verbs"),
    [
        ("ridge", {"fire": "shoot", "double-pace": "move", "plan": "plan", "delay": "prepare",
                   "improve-morale": "lead", "detect-hidden": "search", "done": "end"}),
        ("kings-road", {"pivot": "move", "attack": "fight", "shoot": "shoot", "stop": "end"}),
        ("scrapyard", {"jump": "move", "fire": "shoot", "attack": "fight", "stay": "end"}),
    ],
)  # fmt: skip
def test_each_system_names_the_kinds_of_its_orders(name: str, verbs: dict[str, OrderKind]) -> None:
    system = load(name).battle().system

    assert {verb: system.words.kind(Order(verb=verb)) for verb in verbs} == verbs
