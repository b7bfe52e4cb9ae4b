"""The results of a battle that is over, at the window."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, islice

import numpy as np
import pytest

from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.statistics import BattleStatistics, statistics
from emlia3d.scenario import load
from emlia3d.view.layout.drafting import draft_of
from emlia3d.view.layout.panel import Rect
from emlia3d.view.panda.labels.lettering import width_px
from emlia3d.view.results.results_card import MOST_POINTS, ResultsCard, outcome_of
from emlia3d.view.results.results_sheet import POINT
from emlia3d.view.results.turn_charts import ChartLine, draw_chart
from emlia3d.view.rules import Rules
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import HudState
from emlia3d.view.window.viewer import Viewer
from tests.view.panda.window_driver import Hand, opened

PATIENCE_S = 60


def _played(name: str, seed: int = 3) -> tuple[Battle, Battle, list]:
    """A battle at its start, the same at its end, and its events."""
    battle = load(name).battle(seed)
    start = battle.fork()
    return start, battle, list(battle.run())


def _viewer(name: str) -> tuple[Viewer, Battle]:
    start, end, events = _played(name)
    return Viewer(start.setup, start.state, events, Rules(end)), end


def _counted(viewer: Viewer) -> ResultsCard:
    until = time.monotonic() + PATIENCE_S
    card = viewer.status().results
    while card is not None and card.counting:
        assert time.monotonic() < until, "the results are never counted"
        time.sleep(0.01)
        card = viewer.status().results
    assert card is not None
    return card


def _statistics(name: str) -> BattleStatistics:
    start, _, events = _played(name)

    def story() -> Iterator:
        for event in events:
            apply(start.state, event)
            yield event

    return statistics(start, story())


@pytest.mark.long
@pytest.mark.parametrize("name", ["duel", "landing", "kings-road", "scrapyard"])
def test_the_results_say_who_won_and_count_every_loss(name: str) -> None:
    viewer, end = _viewer(name)
    viewer.toggle_results()

    card = _counted(viewer)

    assert end.result is not None
    assert card.reason == end.result.reason
    assert card.outcome == outcome_of(end.result)
    assert (end.result.winner or "Draw") in card.outcome
    found = _statistics(name)
    assert len(card.units) == len(found.units)
    for unit, counted in zip(card.units, found.units, strict=True):
        start, left, *lost, inflicted = unit.counts
        assert (unit.name, start, left) == (counted.name, counted.strength, counted.left)
        assert sum(lost) + left + counted.departed == pytest.approx(start)
        assert inflicted == counted.inflicted
    rows = dict(card.rows)
    for column, luck in enumerate(found.luck):
        mine = [unit for unit in found.units if unit.side == luck.side]
        assert rows["figures at the start"][column] == f"{sum(unit.strength for unit in mine):,}"
        assert rows["figures at the end"][column] == f"{sum(unit.left for unit in mine):,}"
        assert rows["hits rolled"][column] == f"{luck.hits:,}"
        assert rows["hits expected"][column] == f"{luck.expected:,.1f}"
    for side in card.sides:
        assert side.strength[0] == 1.0
        assert len(side.strength) == len(side.morale) == end.state.turn + 1
        assert all(0 <= share <= 1 for share in side.strength)


@pytest.mark.long
def test_turning_points_are_the_key_events_of_those_kinds() -> None:
    viewer, _ = _viewer("scrapyard")
    viewer.tick(0.0)
    viewer.toggle_results()

    card = _counted(viewer)
    points = card.points

    marked = {
        one.step for one in viewer.marking.highlights.shown if one.kind in {"rout", "destroyed"}
    }
    assert marked
    assert {point.step for point in points} <= marked
    assert len(points) + card.more >= len(marked)
    assert len(points) == MOST_POINTS
    assert [point.step for point in points] == sorted(point.step for point in points)
    for point in points:
        assert viewer.timeline.turn(point.step) == point.turn


def test_results_open_by_themselves_when_a_battle_was_played_to_its_end() -> None:
    viewer, _ = _viewer("duel")
    viewer.playback.seek(len(viewer.timeline))
    viewer.tick(0.0)
    assert viewer.status().results is None, "one who only jumps to the end is not interrupted"

    viewer.playback.seek(len(viewer.timeline) - 1)
    viewer.playback.playing = True
    for _ in range(100):
        viewer.tick(0.1)
    assert viewer.status().results is not None

    viewer.dismiss()
    for _ in range(10):
        viewer.tick(0.1)
    assert viewer.status().results is None, "they open once"


def test_results_wait_for_the_end_of_a_battle_that_is_being_fought() -> None:
    battle = load("duel").battle(3)
    start = battle.fork().state
    viewer = Viewer(battle.setup, start, islice(battle.run(), 5), Rules(battle))

    viewer.toggle_results()

    assert viewer.status().results is None
    assert "when the battle is over" in viewer.notice
    viewer.close()


def test_a_battle_that_was_broken_off_has_no_winner() -> None:
    battle = load("kings-road").battle(3)
    start = battle.fork().state
    viewer = Viewer(battle.setup, start, list(islice(battle.run(), 40)), Rules(battle))
    viewer.toggle_results()

    card = _counted(viewer)

    assert card.outcome == "The battle was stopped"
    assert card.reason == ""


def test_another_course_of_the_battle_has_other_results() -> None:
    viewer, _ = _viewer("kings-road")
    viewer.toggle_results()
    whole = _counted(viewer)

    viewer.course.cut(40)
    viewer.timeline.close()
    viewer.tick(0.0)
    assert viewer.status().results is None
    viewer.toggle_results()

    assert _counted(viewer) != whole


@cache
def _status(name: str) -> HudState:
    """The window with the results of a battle."""
    viewer, _ = _viewer(name)
    viewer.toggle_results()
    _counted(viewer)
    return viewer.status()


@pytest.mark.long
@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("text_size", [0.8, 1.0, 1.6])
@pytest.mark.parametrize("name", ["duel", "landing", "scrapyard"])
def test_results_keep_within_their_panels(
    name: str, size: tuple[int, int], text_size: float
) -> None:
    sheet = layout(replace(_status(name), text_size=text_size), size, width_px)

    assert not [pair for pair in combinations(sheet.panels, 2) if _overlap(*pair)]
    window = Rect(0, 0, *size)
    assert all(_within(panel, window) for panel in sheet.panels)
    for text in sheet.texts:
        wide = width_px(text.text, text.size, text.bold)
        left = text.x - {"left": 0.0, "centre": wide / 2, "right": wide}[text.align]
        rect = Rect(left, text.y - 0.75 * text.size, wide, 0.75 * text.size)
        assert any(_within(rect, panel) for panel in sheet.panels), text
    for shape in sheet.shapes:
        xs, ys = zip(*shape.corners, strict=True)
        rect = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        assert any(_within(rect, panel) for panel in sheet.panels), shape


def test_a_chart_goes_from_the_first_turn_to_the_last_at_its_values() -> None:
    sheet = draft_of((1280, 720), width_px)
    rect = Rect(100, 100, 400, 120)
    line = ChartLine(name="South", colour="#2a5caa", values=(1.0, 0.5, None, 0.0))

    draw_chart(sheet, rect, [line], (0.0, 1.0), ("0", "100%"))

    markers = [np.mean(shape.corners, axis=0) for shape in sheet.shapes if _is_marker(shape)]
    x, y = np.array(markers[1::2]).T
    assert x[1] - x[0] == pytest.approx((x[2] - x[0]) / 3, abs=1)
    assert y[1] - y[0] == pytest.approx(y[2] - y[1], abs=1)
    assert y[0] < y[1] < y[2], "a loss goes down"


def test_a_chart_of_values_below_0_stays_in_its_place() -> None:
    sheet = draft_of((1280, 720), width_px)
    rect = Rect(100, 100, 400, 120)
    line = ChartLine(name="South", colour="#2a5caa", values=(5.0, -3.0, 0.0))

    draw_chart(sheet, rect, [line], (-3.0, 5.0), ("-3.0", "5.0"))

    corners = np.concatenate([shape.corners for shape in sheet.shapes])
    assert (corners >= (rect.x, rect.y)).all()
    assert (corners <= (rect.x + rect.w, rect.y + rect.h)).all()


def _is_marker(shape) -> bool:
    xs, ys = zip(*shape.corners, strict=True)
    return (
        max(xs) - min(xs) < 12
        and max(ys) - min(ys) < 12
        and len(shape.corners) == 4
        and (max(xs) - min(xs) > 3 and max(ys) - min(ys) > 3)
    )


@pytest.mark.long
def test_a_click_on_a_turning_point_shows_it() -> None:
    start, end, events = _played("scrapyard")
    app = opened(start.setup, start.state, events, rules=Rules(end), size=(1280, 720))
    hand = Hand(app)
    hand.press("9")
    card = _counted(app.viewer)
    app.step(0.0)

    hand.click_button(f"{POINT}{card.points[1].step}")

    assert app.viewer.playback.position.step == card.points[1].step
    assert app.viewer.status().results is None
    hand.press("9")
    assert app.viewer.status().results is not None
    hand.press("escape")
    assert app.viewer.status().results is None
    app.close()


def _within(inner: Rect, outer: Rect, slack: float = 1.5) -> bool:
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.x + inner.w <= outer.x + outer.w + slack
        and inner.y + inner.h <= outer.y + outer.h + slack
    )


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h
