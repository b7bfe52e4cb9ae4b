"""What is written in the panels over the picture, and how it is made to fit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from emlia3d.view.actions.key_list import key_sections
from emlia3d.view.actions.key_map import DEFAULT_KEYS
from emlia3d.view.layout.chartkey import DASHED, key_of
from emlia3d.view.layout.panel import Measure, shortened, wrapped
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import Prompt
from tests.view.window.panels import ASKED, SIZES, STATUS, measure, words_of


def test_a_key_names_every_class_of_slope_and_the_contours() -> None:
    words = [text for _, text in key_of("slope", 2.5)]

    assert words == [
        "under 3 degrees",
        "3 to 7 degrees",
        "7 to 12 degrees",
        "12 to 20 degrees",
        "20 to 30 degrees",
        "30 degrees and more",
        "water",
        "contours every 2.5 m",
    ]
    assert [text for _, text in key_of("relief", 0.0)] == ["water"]
    assert key_of("country", 2.5) == ()


def test_the_argument_and_its_rules_are_shown() -> None:
    words = words_of(layout(replace(STATUS, sight=ASKED), (1280, 720), measure))

    assert {"not seen", "nobody.sight", "total concealment", "35 GSU"} <= set(words)
    assert "Because the rock is in the way." in words


def test_the_sight_tool_says_what_to_do_next() -> None:
    card = SightCard(
        observer=("archers", "#2a5caa"), target=("", "#808080"), picks="target", note="Choose one"
    )

    words = words_of(layout(replace(STATUS, sight=card), (1280, 720), measure))

    assert {"archers", "select one", "Choose one"} <= set(words)


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
    words = words_of(layout(STATUS, (1280, 720), measure))

    assert "nobody.fire, " in words
    assert "nobody.fire.short" in words


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (1920, 1080)])
@pytest.mark.parametrize("text_size", [0.8, 1.0, 1.3, 1.6])
@pytest.mark.parametrize("lettering", [measure, width_px])
def test_help_tells_of_every_key_and_cuts_nothing(
    size: tuple[int, int], text_size: float, lettering: Measure
) -> None:
    status = replace(STATUS, help=True, text_size=text_size, notice="a notice")

    sheet = layout(status, size, lettering)

    words = words_of(sheet)
    told = " ".join(words)
    for _, rows in key_sections(DEFAULT_KEYS):
        for shown, said in rows:
            assert shown in words
            assert said in told
    panel = max(sheet.panels, key=lambda panel: panel.h)
    for text in sheet.texts:
        if panel.holds(text.x, text.y):
            assert text.x + lettering(text.text, text.size, text.bold) <= panel.x + panel.w
    if lettering is width_px and size[0] >= 1280:
        assert min(text.size for text in sheet.texts) >= 9


def test_the_end_of_what_is_written_is_in_sight() -> None:
    prompt = Prompt(label="Note", text="The charge of the cuirassiers " * 9 + "at last")

    words = words_of(layout(replace(STATUS, prompt=prompt), (640, 360), measure))

    assert any(text.endswith("at last_") for text in words)


def test_a_text_that_is_too_wide_is_cut_to_fit() -> None:
    cut = shortened("the quick brown fox", 100, 13, False, measure)

    assert cut.endswith("...")
    assert measure(cut, 13, False) <= 100 < measure("the quick brown fox", 13, False)


def test_a_long_text_is_broken_between_words() -> None:
    lines = wrapped("one two three four five six", 60, 10, measure, most=2)

    assert lines[0] == "one two"
    assert len(lines) == 2
    assert lines[1].endswith("...")


def test_a_broken_line_has_two_dashes_in_the_key_and_a_whole_one_a_chip() -> None:
    def chips(colour: str) -> int:
        shown = layout(replace(STATUS, chart_key=((colour, "a line"),)), (1280, 720), measure)
        bare = layout(replace(STATUS, chart_key=(("#010203", "a line"),)), (1280, 720), measure)
        return len(shown.shapes) - len(bare.shapes)

    assert (chips("#f6c945"), chips(f"{DASHED}#f6c945")) == (0, chips(f"{DASHED}#010203"))
    assert chips(f"{DASHED}#f6c945") > 0
