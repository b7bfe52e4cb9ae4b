"""All panels with the longest texts of bundled battles: each in its box, none over another."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, islice
from pathlib import Path

import pytest

from emlia3d.battle.questions.highlights import HIGHLIGHTS
from emlia3d.battle.questions.order_kinds import ORDER_KINDS
from emlia3d.cli.rules.pages import rule_page
from emlia3d.rules.catalogue import catalogue
from emlia3d.scenario import load
from emlia3d.view.actions.key_map import DEFAULT_KEYS
from emlia3d.view.actions.menu import GROUP, Menu, MenuCard
from emlia3d.view.actions.window_actions import GROUPS
from emlia3d.view.layout.chartkey import key_of
from emlia3d.view.layout.panel import Rect
from emlia3d.view.lookup.rulecard import RuleCard
from emlia3d.view.orders.context_menu import ContextCard
from emlia3d.view.orders.order_menu import MenuLine
from emlia3d.view.orders.ordercard import OrderCard
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.rules import Rules
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import BookmarksCard, FilesCard, HudState, KindsCard
from emlia3d.view.window.viewer import Viewer
from tests.view.window.panel_checks import check_inside, is_within, overlap

SIZES = [(1280, 720), (1920, 1080)]
TEXTS = [0.8, 1.0, 1.6]
FREE = 0.38, 0.68
"""The part of the width that stays free."""


@cache
def _longest() -> HudState:
    """A window in which the card, the log, the answer and the rule are the longest there are."""
    battle = load("ridge").battle()
    start = battle.fork().state
    events = tuple(islice(battle.run(), 120))
    viewer = Viewer(battle.setup, start, events, Rules(battle, rule_page))
    viewer.playback.seek(len(viewer.timeline))
    units = sorted(
        range(len(battle.setup.units)), key=lambda unit: -len(battle.setup.units[unit].name)
    )[:6]
    viewer.selected = units[0]
    status = viewer.status()
    answers = []
    for one, other in combinations(units, 2):
        viewer.tool.open(one, other)
        sight = viewer.sight()
        assert sight is not None
        answers.append(sight.card)
    sight_card = max(answers, key=lambda card: len(card.text) + 40 * len(card.rows))
    slug = max(catalogue("emlia"), key=lambda each: len(str(rule_page(each))))
    lines = tuple(
        MenuLine(kind=kind, text="aimed fire, without moving, at the raiders " * 3, order=row)
        for row, kind in enumerate(ORDER_KINDS[:9])
    )
    return replace(
        status,
        sight=sight_card,
        rule=RuleCard(slug=slug, page=rule_page(slug), pinned=True),
        orders=OrderCard(
            question="Northern brigade: what does it do? " * 3, asks=slug, colour="#2a5caa",
            lines=lines, pages="0: more, 1 of 3", hint="click on the ground: move",
            in_hand=lines[0].text, why="20 losses expected " * 5,
            part="move (Esc: all)", refusal="the move costs 31.8 GSU, there are 30 " * 3,
            odds="10 dice at +1 (75% each), 7.5 hits",
        ),
        chart_key=key_of("slope", 2.0),
        notice="saved a picture " * 9,
    )  # fmt: skip


def _menu(group: int) -> MenuCard:
    menu = Menu()
    menu.toggle()
    if group:  # the first one is open
        menu.press(f"{GROUP}{group}")
    card = menu.card(DEFAULT_KEYS, "")
    assert card is not None
    return card


LONGEST_GROUP = max(range(len(GROUPS)), key=lambda group: len(_menu(group).rows))
CASES = {
    "card": {"sight": None, "rule": None, "orders": None, "chart_key": ()},
    "card and key": {"sight": None, "rule": None, "orders": None},
    "card and rule": {"sight": None, "orders": None},
    "sight": {"rule": None, "orders": None, "chart_key": ()},
    "sight, rule and key": {"orders": None},
    "orders": {"sight": None, "rule": None, "chart_key": ()},
    "orders, rule and key": {"sight": None},
    "menu, rule and key": {"sight": None, "menu": _menu(LONGEST_GROUP)},
    "menu and sight": {"rule": None, "menu": _menu(LONGEST_GROUP)},
}
LISTS = {
    "no list": None,
    "kinds": KindsCard(rows=tuple((str(r), k, 7777, True) for r, k in enumerate(HIGHLIGHTS, 1))),
    "bookmarks": BookmarksCard(rows=(("A name " * 9, "turn 3, 44", "note"),) * 40, chosen=30,
                               file="x"),
    "files": FilesCard(rows=(("a-long-name" * 9 + ".toml", "A title " * 9),) * 40, chosen=39),
    "files and pictures": FilesCard(rows=(("a-long-name" * 9, "A title " * 9),) * 20, chosen=9,
                                    pictures=(Path("picture.png"), None) * 10),
}  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_size", TEXTS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("listed", LISTS)
def test_nothing_is_outside_its_panel_and_no_panel_over_another(
    size: tuple[int, int], text_size: float, case: str, listed: str
) -> None:
    status = replace(
        _longest(),
        text_size=text_size,
        drawer=LISTS[listed],
        **CASES[case],  # type: ignore[arg-type]
    )

    sheet = layout(status, size, width_px)

    assert not [pair for pair in combinations(sheet.panels, 2) if overlap(*pair)]
    for panel in sheet.panels:
        assert is_within(panel, Rect(0, 0, *size))
        if panel.w < size[0]:
            assert panel.x + panel.w <= FREE[0] * size[0] or panel.x >= FREE[1] * size[0]
    check_inside(sheet)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_size", TEXTS)
@pytest.mark.parametrize("at", [(0.55, 0.62), (0.8, 0.59), (0.7, 0.85), (0.99, 0.3)])
def test_the_menu_of_a_right_click_is_not_under_the_small_map(
    size: tuple[int, int], text_size: float, at: tuple[float, float]
) -> None:
    rows = tuple((kind, "advance to here, until changed " * 2) for kind in ORDER_KINDS[:4])
    click = at[0] * size[0], at[1] * size[1]
    card = ContextCard(title="Here", rows=rows, at=click)
    plain = replace(_longest(), sight=None, rule=None, orders=None, text_size=text_size)

    sheet = layout(replace(plain, context=card), size, width_px)

    menu = sheet.panels[-1]
    assert is_within(menu, Rect(0, 0, *size))
    assert sheet.small_map is not None
    assert not overlap(menu, sheet.small_map)
    check_inside(sheet)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_size", TEXTS)
def test_the_small_map_is_at_one_place_whatever_else_is_shown(
    size: tuple[int, int], text_size: float
) -> None:
    places = {
        layout(
            replace(_longest(), text_size=text_size, drawer=drawer, **change),  # type: ignore[arg-type]
            size,
            width_px,
        ).small_map
        for drawer in LISTS.values()
        for change in CASES.values()
    }

    assert len(places) == 1
    assert None not in places
