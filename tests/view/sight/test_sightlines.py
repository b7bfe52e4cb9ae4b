"""An answer by lines, as the window shows it: lines up to what stops them, and no corridor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import ImageColor

from emlia3d.battle.questions.answer import SightLine
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.scene import Stroke
from emlia3d.view.plans.lineplan import BEYOND, CLEAR, STOPPED, lines_picture, placed
from emlia3d.view.sight.sight_overlay import sight_overlay_of
from emlia3d.view.sight.sightcard import degree_of, rows_of, verdict_of
from emlia3d.view.sight.sightlines import LinedUp
from tests.view.sight.by_lines import ANSWER, STARTS


def test_a_line_is_drawn_up_to_what_stops_it_and_on_in_another_colour(
    setup: Setup, start: State
) -> None:
    shown = sight_overlay_of(setup, start, ANSWER)

    assert shown.overlays == ()
    tones = [mark.tone for mark in shown.marks if isinstance(mark, Stroke)]
    assert tones == ["sight"] * 3 + ["sight", "hidden"] * 2
    stopped, beyond = shown.marks[3:5]
    assert isinstance(stopped, Stroke)
    assert isinstance(beyond, Stroke)
    assert stopped.end == beyond.start
    assert stopped.end[:2] == pytest.approx((122.0, 60.0)), "the rock's southern edge, metres"
    assert beyond.end[:2] == pytest.approx((122.0, 96.0))


def test_an_answer_without_lines_has_one_from_centre_to_centre(setup: Setup, start: State) -> None:
    for seen, tone in ((True, "sight"), (False, "hidden")):
        answer = replace(ANSWER, lines=(), line_of_sight=seen)

        (mark,) = sight_overlay_of(setup, start, answer).marks

        assert isinstance(mark, Stroke)
        assert mark.tone == tone
        assert mark.start[0] == pytest.approx(120.0, abs=0.1)


def test_units_that_stop_a_line_are_marked(setup: Setup, start: State) -> None:
    line = SightLine(start=(60.0, 12.0), end=(90.0, 78.0), clear=False, stopped_by="dragon")
    by_ground = replace(line, stopped_by="the ground")

    shown = sight_overlay_of(setup, start, replace(ANSWER, lines=(line, by_ground)))

    assert shown.active == {setup.unit_of("dragon")}
    assert LinedUp(setup, start, replace(ANSWER, lines=(by_ground,))).lines[0].share == 0


def test_the_card_has_the_verdict_in_the_words_of_the_rules(setup: Setup) -> None:
    assert verdict_of(ANSWER) == "seen, 3 of the 5 in front"
    assert rows_of(ANSWER, setup.field.scale) == (
        ("distance", "35 GSU, 70 m"),
        ("clear lines", "3 of 5"),
        ("rock", "stops 2 lines"),
    )


@pytest.mark.parametrize(
    ("seen", "share", "degree"),
    [(True, 1.0, "none"), (True, None, "none"), (True, 0.6, "partial"), (False, 0.0, "total")],
)
def test_the_card_is_coloured_by_the_proportion_that_is_seen(
    seen: bool, share: float | None, degree: str
) -> None:
    assert degree_of(replace(ANSWER, line_of_sight=seen, degree=share)) == degree


def test_the_plan_draws_each_line(setup: Setup, start: State) -> None:
    picture = np.asarray(lines_picture(setup, start, ANSWER), dtype=np.int64)

    frame, _ = placed(LinedUp(setup, start, ANSWER))
    for row, x in enumerate(STARTS):
        for north, colour in (
            (20.0, CLEAR if row < 3 else STOPPED),
            (44.0, CLEAR if row < 3 else BEYOND),
        ):
            column, line = (round(part) for part in frame.at(x, north))
            around = picture[line - 2 : line + 3, column - 2 : column + 3].reshape(-1, 3)
            off = np.abs(around - ImageColor.getrgb(colour)).max(axis=1)
            assert off.min() < 24, (x, north)
