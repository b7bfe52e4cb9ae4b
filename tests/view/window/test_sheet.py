"""The panels over the picture."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from emlia3d.battle.highlights import HIGHLIGHTS
from emlia3d.view.orders.ordercard import Curtain, OrderCard
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.chartkey import key_of
from emlia3d.view.window.highlights import Moment
from emlia3d.view.window.keys import SECTIONS
from emlia3d.view.window.panel import (
    BookmarksCard,
    FilesCard,
    KindsCard,
    Layout,
    Measure,
    Prompt,
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
DRAWERS = [
    KindsCard(rows=tuple((str(row), kind, 7, True) for row, kind in enumerate(HIGHLIGHTS, 1))),
    BookmarksCard(rows=(), chosen=None, file="x"),
    BookmarksCard(rows=(("A name " * 9, "turn 3, 44", "a note"),) * 40, chosen=30, file="x"),
    FilesCard(rows=(), chosen=0),
    FilesCard(rows=(("a-long-name" * 9 + ".toml", "A title " * 9),) * 40, chosen=39),
]
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


def test_the_news_covers_no_more_of_the_field_than_it_says() -> None:
    widths = []
    for words in ("Turn 2 begins", "archers fire at bandits at 24 GSU: 5 of 6", "a word " * 60):
        sheet = layout(replace(STATUS, news=(Told(text=words),)), (1280, 720), measure)
        panel = next(p for p in sheet.panels if p.x < 20 and 300 < p.y < 660)
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
    lines = tuple((str(number), f"shoot at number {number} " * 5) for number in range(1, 10))
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
        there = [text in _words(sheet) for _, text in key]
        assert all(there) or not any(there)
        if text_size == 0.8 and size[0] > 640:
            assert all(there)


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


def test_the_small_map_is_put_away_behind_the_list_of_keys_and_the_curtain() -> None:
    status = replace(STATUS, small_map=1.0)
    curtain = Curtain(text="look away", colour="#2a5caa")

    assert layout(replace(status, help=True), (1280, 720), measure).small_map is None
    assert layout(replace(status, curtain=curtain), (1280, 720), measure).small_map is None


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


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (1920, 1080)])
@pytest.mark.parametrize("text_size", [0.8, 1.0, 1.3, 1.6])
@pytest.mark.parametrize("lettering", [measure, width_px])
def test_help_tells_of_every_key_and_cuts_nothing(
    size: tuple[int, int], text_size: float, lettering: Measure
) -> None:
    status = replace(STATUS, help=True, text_size=text_size, notice="a notice")

    sheet = layout(status, size, lettering)

    words = _words(sheet)
    told = " ".join(words)
    for _, rows in SECTIONS:
        for row in rows:
            assert row.shown in words
            assert row.meaning in told
    panel = max(sheet.panels, key=lambda panel: panel.h)
    for text in sheet.texts:
        if panel.holds(text.x, text.y):
            assert text.x + lettering(text.text, text.size, text.bold) <= panel.x + panel.w
    if lettering is width_px and size[0] >= 1280:
        assert min(text.size for text in sheet.texts) >= 9


def test_the_small_map_makes_way_for_a_card_that_does_not_fit_above_it() -> None:
    rows = tuple((f"label {number}", "value") for number in range(20))
    deeds = (("last", "shot at the bandits"), ("ordered", "shoot, as they are near"))

    short, long = (
        layout(replace(STATUS, small_map=1.4, card=card), (1280, 720), measure)
        for card in (
            UnitCard(name="archers", colour="#2a5caa", rows=rows[:5]),
            UnitCard(name="archers", colour="#2a5caa", rows=rows, deeds=deeds),
        )
    )

    assert {label for label, _ in (*rows, *deeds)} <= set(_words(long))
    assert short.small_map is not None
    assert long.small_map is not None
    assert long.small_map.x < short.small_map.x
    assert (long.small_map.w, long.small_map.h) == (short.small_map.w, short.small_map.h)
    assert not [pair for pair in combinations(long.panels, 2) if _overlap(*pair)]


def test_no_key_does_two_things() -> None:
    keys = [key for _, rows in SECTIONS for row in rows for key in row.acts]

    assert len(keys) == len(set(keys))


def test_a_button_is_found_where_it_is_drawn() -> None:
    sheet = layout(STATUS, (1280, 720), measure)

    for name, rect in sheet.buttons:
        assert sheet.button_at(rect.x + rect.w / 2, rect.y + rect.h / 2) == name
    assert {name for name, _ in sheet.buttons} >= {"toggle", "forward", "back", "help"}
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


def test_the_end_of_what_is_written_is_in_sight() -> None:
    prompt = Prompt(label="Note", text="The charge of the cuirassiers " * 9 + "at last")

    words = _words(layout(replace(STATUS, prompt=prompt), (640, 360), measure))

    assert any(text.endswith("at last_") for text in words)


def test_what_weighs_most_has_its_sign_where_there_is_no_room_for_all() -> None:
    moments = tuple(Moment(step, kind) for step in range(1, 400) for kind in ("volley", "push"))
    status = replace(STATUS, steps=400, highlights=(*moments, Moment(200, "leader")))

    sheet = layout(status, (1280, 720), measure)

    marked = {name: rect for name, rect in sheet.buttons if name.startswith("mark:")}
    assert "mark:200" in marked
    assert 40 < len(marked) < 120
    assert not [pair for pair in combinations(marked.values(), 2) if _overlap(*pair)]


def test_a_sign_stands_under_its_step() -> None:
    status = replace(STATUS, highlights=(Moment(4, "rout"),))

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


def test_a_text_that_is_too_wide_is_cut_to_fit() -> None:
    cut = shortened("the quick brown fox", 100, 13, False, measure)

    assert cut.endswith("...")
    assert measure(cut, 13, False) <= 100 < measure("the quick brown fox", 13, False)


def test_a_long_text_is_broken_between_words() -> None:
    lines = wrapped("one two three four five six", 60, 10, measure, most=2)

    assert lines[0] == "one two"
    assert len(lines) == 2
    assert lines[1].endswith("...")
