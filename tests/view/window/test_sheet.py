"""The panels over the picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.keys import SECTIONS
from emlia3d.view.window.panel import (
    Layout,
    Rect,
    SideLine,
    Status,
    Told,
    UnitCard,
    share_at,
    shortened,
    wrapped,
)
from emlia3d.view.window.sheet import layout

STATUS = Status(
    title="A quarrel",
    turn="Turn 2 of 3",
    sides=(
        SideLine(name="Alice", colour="#2a5caa", left="20 of 20"),
        SideLine(name="Bob", colour="#b03030", left="5 of 7"),
    ),
    step=4,
    steps=7,
    turn_starts=(2, 5),
    playing=False,
    speed=1.0,
    news=(
        Told(text="Turn 1 begins"),
        Told(text="archers shoot at bandits: 2 hits", because=("nobody.fire", "nobody.fire.short")),
    ),
    card=UnitCard(name="archers", colour="#2a5caa", rows=(("members", "20 of 20"),) * 12),
)
ASKED = SightCard(
    observer=("archers", "#2a5caa"),
    target=("bandits", "#b03030"),
    picks="target",
    verdict="not seen",
    degree="total",
    rows=(("concealment", "total"), ("distance", "35 GSU")),
    text="Because the rock is in the way.",
    because=("nobody.sight",),
)
SIZES = [(640, 360), (1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]


def measure(text: str, size: int, bold: bool) -> float:
    return len(text) * size * (0.62 if bold else 0.56)


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h


def _words(sheet: Layout) -> list[str]:
    return [text.text for text in sheet.texts]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("card_rows", [0, 5, 80])
def test_no_panel_lies_over_another(size: tuple[int, int], card_rows: int) -> None:
    card = UnitCard(name="archers", colour="#2a5caa", rows=(("a label", "a value"),) * card_rows)
    news = (Told(text="something happened to somebody " * 9),) * 6

    sheet = layout(replace(STATUS, card=card, news=news, alarm="no display"), size, measure)

    assert not [pair for pair in combinations(sheet.panels, 2) if _overlap(*pair)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("argument", ["", "Nothing stands between them. " * 60])
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


def test_the_argument_and_its_rules_are_shown() -> None:
    words = _words(layout(replace(STATUS, sight=ASKED), (1280, 720), measure))

    assert {"not seen", "nobody.sight", "hidden wholly", "35 GSU"} <= set(words)
    assert "Because the rock is in the way." in words


def test_the_sight_tool_says_what_to_do_next() -> None:
    card = SightCard(
        observer=("archers", "#2a5caa"), target=("", "#808080"), picks="target", note="Choose one"
    )

    words = _words(layout(replace(STATUS, sight=card), (1280, 720), measure))

    assert {"archers", "choose one", "Choose one"} <= set(words)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys_shown", [False, True])
def test_every_text_lies_in_the_window(size: tuple[int, int], keys_shown: bool) -> None:
    sheet = layout(replace(STATUS, help=keys_shown), size, measure)

    for text in sheet.texts:
        wide = measure(text.text, text.size, text.bold)
        left = text.x - {"left": 0.0, "centre": wide / 2, "right": wide}[text.align]
        assert left >= 0
        assert left + wide <= size[0] + 1, text
        assert text.size <= text.y <= size[1], text


def test_texts_on_one_line_do_not_run_into_each_other() -> None:
    status = replace(STATUS, title="A very long title that goes on and on, " * 5)

    sheet = layout(status, (1280, 720), measure)

    spans = []
    for text in sheet.texts:
        if text.y < 32:
            wide = measure(text.text, text.size, text.bold)
            spans.append((text.x - (wide if text.align == "right" else 0), wide))
    spans.sort()
    assert all(a + wide <= b for (a, wide), (b, _) in pairwise(spans))


def test_the_slugs_of_the_newest_event_are_shown() -> None:
    assert "nobody.fire, nobody.fire.short" in _words(layout(STATUS, (1280, 720), measure))


def test_a_card_that_is_too_long_says_how_much_is_left_out() -> None:
    card = UnitCard(name="archers", colour="#2a5caa", rows=(("label", "value"),) * 80)

    words = _words(layout(replace(STATUS, card=card), (1280, 720), measure))

    assert f"and {80 - words.count('label')} more" in words


def test_help_lists_every_key() -> None:
    words = _words(layout(replace(STATUS, help=True), (1280, 720), measure))

    assert {row.shown for _, rows in SECTIONS for row in rows} <= set(words)


def test_a_button_is_found_where_it_is_drawn() -> None:
    sheet = layout(STATUS, (1280, 720), measure)

    for name, rect in sheet.buttons:
        assert sheet.button_at(rect.x + rect.w / 2, rect.y + rect.h / 2) == name
    assert {name for name, _ in sheet.buttons} >= {"toggle", "forward", "back", "help"}
    assert sheet.button_at(640, 360) is None


def test_a_panel_keeps_clicks_from_the_field() -> None:
    sheet = layout(STATUS, (1280, 720), measure)

    assert sheet.covers(640, 5)
    assert not sheet.covers(640, 360)


def test_a_place_on_the_timeline_is_a_share_of_the_battle() -> None:
    rail = Rect(100, 0, 400, 20)

    assert [share_at(rail, x) for x in (0, 100, 300, 500, 900)] == [0.0, 0.0, 0.5, 1.0, 1.0]


def test_a_text_that_is_too_wide_is_cut_to_fit() -> None:
    cut = shortened("the quick brown fox", 100, 13, False, measure)

    assert cut.endswith("...")
    assert measure(cut, 13, False) <= 100 < measure("the quick brown fox", 13, False)


def test_a_long_text_is_broken_between_words() -> None:
    lines = wrapped("one two three four five six", 60, 10, measure, most=2)

    assert lines[0] == "one two"
    assert len(lines) == 2
    assert lines[1].endswith("...")
