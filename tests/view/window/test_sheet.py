"""Where the panels over the picture lie, and that none lies over another."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from emlia3d.battle.questions.highlights import HIGHLIGHTS
from emlia3d.view.layout.chartkey import key_of
from emlia3d.view.layout.panel import Layout, Rect, UnitCard, share_at
from emlia3d.view.orders.order_menu import MenuLine
from emlia3d.view.orders.ordercard import Curtain, OrderCard
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.highlights import KeyEvent
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import BookmarksCard, FilesCard, KindsCard, LogLine, Prompt
from tests.view.window.panels import ASKED, SIZES, STATUS, measure, words_of

DRAWERS = [
    KindsCard(rows=tuple((str(row), kind, 7, True) for row, kind in enumerate(HIGHLIGHTS, 1))),
    BookmarksCard(rows=(), chosen=None, file="x"),
    BookmarksCard(rows=(("A name " * 9, "turn 3, 44", "a note"),) * 40, chosen=30, file="x"),
    FilesCard(rows=(), chosen=0),
    FilesCard(rows=(("a-long-name" * 9 + ".toml", "A title " * 9),) * 40, chosen=39),
]


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("card_rows", [0, 5, 80])
def test_no_panel_lies_over_another(size: tuple[int, int], card_rows: int) -> None:
    card = UnitCard(name="archers", colour="#2a5caa", rows=(("a label", "a value"),) * card_rows)
    news = (LogLine(text="something happened to somebody " * 9),) * 6

    sheet = layout(replace(STATUS, card=card, news=news, alarm="no display"), size, measure)

    assert not [pair for pair in combinations(sheet.panels, 2) if _overlap(*pair)]


def test_the_news_covers_no_more_of_the_field_than_it_says() -> None:
    widths = []
    for words in ("Turn 2 begins", "archers fire at bandits at 24 GSU: 5 of 6", "a word " * 60):
        sheet = layout(replace(STATUS, news=(LogLine(text=words),)), (1280, 720), measure)
        panel = next(p for p in sheet.panels if p.x < 20 and 300 < p.y < 660 and p.w < 1280)
        said = max(measure(t.text, t.size, False) for t in sheet.texts if panel.holds(t.x, t.y))
        assert panel.w >= said + 10
        widths.append(panel.w)

    assert widths[0] < widths[1] < widths[2]
    assert widths[2] < 0.46 * 1280


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_size", [0.8, 1.0, 1.3, 1.6])
@pytest.mark.parametrize("what", ["card", "sight", "orders", "keys"])
def test_panels_keep_apart_and_letters_inside_whatever_their_size(
    size: tuple[int, int], text_size: float, what: str
) -> None:
    lines = tuple(
        MenuLine(kind="shoot", text=f"shoot at number {number} " * 5, order=number)
        for number in range(1, 10)
    )
    asked = OrderCard(
        question="What do the archers do? " * 3, asks="nobody.act", colour="#2a5caa", lines=lines,
        chosen=2, pages="0: more, 1 of 2", hint="click on the ground", in_hand="shoot",
        refusal="they are out of arrows", odds="4 dice at +1",
    )  # fmt: skip
    status = replace(STATUS, small_map=1.5, text_size=text_size, notice="saved a picture " * 9)
    status = {
        "card": status,
        "sight": replace(status, sight=replace(ASKED, text="Nothing stands there. " * 30)),
        "orders": replace(status, orders=asked),
        "keys": replace(status, help=True),
    }[what]

    sheet = layout(status, size, measure)

    assert not [pair for pair in combinations(sheet.panels, 2) if _overlap(*pair)]
    for text in sheet.texts:
        wide = measure(text.text, text.size, text.bold)
        left = text.x - {"left": 0.0, "centre": wide / 2, "right": wide}[text.align]
        assert left >= -1, text.text
        assert left + wide <= size[0] + 1, text.text
        assert 0 <= text.y - 0.7 * text.size < text.y <= size[1], text.text


def test_letters_are_as_large_as_they_are_liked_where_there_is_room() -> None:
    def title(text_size: float) -> int:
        status = replace(STATUS, text_size=text_size)
        sheet = layout(status, (1920, 1080), measure)
        return next(text.size for text in sheet.texts if text.text == "A quarrel")

    assert title(1.6) == pytest.approx(1.6 * title(1.0), abs=1)
    assert title(0.8) == pytest.approx(0.8 * title(1.0), abs=1)


def test_nothing_shines_through_panels_of_high_contrast() -> None:
    soft, stark = (
        layout(replace(STATUS, stark=wanted), (1280, 720), measure) for wanted in (False, True)
    )

    def panes(sheet: Layout) -> list[float]:
        corners = {(panel.x, panel.y) for panel in sheet.panels}
        return [shape.colour[3] for shape in sheet.shapes if shape.corners[0] in corners]

    assert min(panes(soft)) < 0.9
    assert panes(stark)[0] == 1.0
    pale = [min(text.colour[:3]) for text in stark.texts if text.text == "members"]
    assert min(pale) > 0.85


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", [0.4, 1.0, 3.0])
def test_the_small_map_has_the_fields_shape_and_lies_in_its_frame(
    size: tuple[int, int], shape: float
) -> None:
    sheet = layout(replace(STATUS, small_map=shape), size, measure)

    rect = sheet.small_map
    assert rect is not None
    assert rect.w / rect.h == pytest.approx(shape, rel=0.05)
    assert rect.x > size[0] / 2
    assert any(
        panel.holds(rect.x, rect.y) and panel.holds(rect.x + rect.w, rect.y + rect.h)
        for panel in sheet.panels
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text_size", [0.8, 1.6])
def test_the_key_of_the_ground_stands_beside_the_small_map_or_not_at_all(
    size: tuple[int, int], text_size: float
) -> None:
    key = key_of("slope", 2.0)
    for shape in (0.5, 4.0):
        status = replace(STATUS, small_map=shape, chart_key=key, text_size=text_size)
        sheet = layout(status, size, measure)

        assert not [pair for pair in combinations(sheet.panels, 2) if _overlap(*pair)]
        there = [text in words_of(sheet) for _, text in key]
        assert all(there) or not any(there)
        if text_size == 0.8 and size[0] > 640:
            assert all(there)


def test_the_small_map_is_put_away_behind_the_list_of_keys_and_the_curtain() -> None:
    status = replace(STATUS, small_map=1.0)
    curtain = Curtain(text="look away", colour="#2a5caa")

    assert layout(replace(status, help=True), (1280, 720), measure).small_map is None
    assert layout(replace(status, curtain=curtain), (1280, 720), measure).small_map is None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("argument", ["", "Nothing is between them. " * 60])
def test_no_panel_lies_over_another_while_the_sight_tool_is_used(
    size: tuple[int, int], argument: str
) -> None:
    sheet = layout(replace(STATUS, sight=replace(ASKED, text=argument)), size, measure)

    assert not [pair for pair in combinations(sheet.panels, 2) if _overlap(*pair)]
    panel = next(
        panel for panel in sheet.panels if panel.x > size[0] / 3 and panel.h > 0.11 * size[1]
    )
    inside = [text for text in sheet.texts if panel.holds(text.x, text.y)]
    assert any("archers" in text.text for text in inside)
    for text in sheet.texts:
        assert text.y <= size[1]


def test_the_small_map_stays_where_it_is_when_a_unit_is_selected() -> None:
    rows = tuple((f"label {number}", "value") for number in range(40))
    cards = (None, *(UnitCard(name="a", colour="#2a5caa", rows=rows[:n]) for n in (1, 12, 40)))

    maps = {
        layout(replace(STATUS, small_map=1.4, card=card), (1280, 720), measure).small_map
        for card in cards
    }

    assert len(maps) == 1
    assert None not in maps


def test_every_row_of_a_long_card_is_reached_by_scrolling() -> None:
    rows = tuple((f"label {number}", "value") for number in range(40))
    status = replace(
        STATUS, small_map=1.4, card=UnitCard(name="archers", colour="#2a5caa", rows=rows)
    )
    seen, first = set[str](), 0

    for _ in range(10):
        sheet = layout(replace(status, scrolled=(("card archers", first),)), (1280, 720), measure)
        seen |= set(words_of(sheet))
        (area,) = [area for area in sheet.scrolls if area.name == "card archers"]
        first = area.after(5)

    assert {label for label, _ in rows} <= seen
    assert sheet.scroll_at(area.rect.x + 5, area.rect.y + 5) == area
    up = next(rect for name, rect in sheet.buttons if name.startswith("scroll:"))
    assert area.rect.holds(up.x, up.y)


def test_a_button_is_found_where_it_is_drawn() -> None:
    sheet = layout(STATUS, (1280, 720), measure)

    for name, rect in sheet.buttons:
        assert sheet.button_at(rect.x + rect.w / 2, rect.y + rect.h / 2) == name
    assert {name for name, _ in sheet.buttons} >= {"play", "forward", "back", "help"}
    assert sheet.button_at(640, 360) is None


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("drawer", DRAWERS)
@pytest.mark.parametrize("sight", [None, ASKED])
def test_an_open_list_lies_over_no_other_panel(
    size: tuple[int, int], drawer: KindsCard | BookmarksCard, sight: SightCard | None
) -> None:
    prompt = Prompt(label="Name of the bookmark", text="The charge of the cuirassiers " * 9)

    sheet = layout(replace(STATUS, drawer=drawer, sight=sight, prompt=prompt), size, measure)

    assert not [pair for pair in combinations(sheet.panels, 2) if _overlap(*pair)]
    for text in sheet.texts:
        wide = measure(text.text, text.size, text.bold)
        left = text.x - {"left": 0.0, "centre": wide / 2, "right": wide}[text.align]
        assert left >= 0
        assert left + wide <= size[0] + 1, text


def test_what_weighs_most_has_its_sign_where_there_is_no_room_for_all() -> None:
    moments = tuple(KeyEvent(step, kind) for step in range(1, 400) for kind in ("volley", "push"))
    status = replace(STATUS, steps=400, highlights=(*moments, KeyEvent(200, "leader")))

    sheet = layout(status, (1280, 720), measure)

    marked = {name: rect for name, rect in sheet.buttons if name.startswith("mark:")}
    assert "mark:200" in marked
    assert 40 < len(marked) < 120
    assert not [pair for pair in combinations(marked.values(), 2) if _overlap(*pair)]


def test_a_sign_stands_under_its_step() -> None:
    status = replace(STATUS, highlights=(KeyEvent(4, "rout"),))

    sheet = layout(status, (1280, 720), measure)

    rect = dict(sheet.buttons)["mark:4"]
    assert share_at(sheet.timeline, rect.x + rect.w / 2) == pytest.approx(4 / 7, abs=0.005)


def test_a_panel_keeps_clicks_from_the_field() -> None:
    sheet = layout(STATUS, (1280, 720), measure)

    assert sheet.covers(640, 5)
    assert not sheet.covers(640, 360)


def test_a_place_on_the_timeline_is_a_share_of_the_battle() -> None:
    rail = Rect(100, 0, 400, 20)

    assert [share_at(rail, x) for x in (0, 100, 300, 500, 900)] == [0.0, 0.0, 0.5, 1.0, 1.0]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_message_that_fits_the_title_bar_moves_no_order(size: tuple[int, int]) -> None:
    asked = OrderCard(
        question="archers: what does it do?",
        asks="nobody.activate",
        colour="#2a5caa",
        lines=(MenuLine(kind="move", text="move", order=0),),
    )
    notices = ("", "orders are saved to a file", "a word " * 60)
    layouts = [
        layout(replace(STATUS, orders=asked, notice=notice), size, measure) for notice in notices
    ]
    quiet, short, long = (dict(found.buttons)["order:0"].y for found in layouts)

    assert notices[1] in words_of(layouts[1])
    assert quiet == short < long
