"""What a sight answer looks like on the field: shadows where the rulebook puts them, and lines."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from emlia3d.battle.questions.answer import SightAnswer
from emlia3d.battle.state import State
from emlia3d.scenario import Scenario, load
from emlia3d.view.moment.scene import Overlay, Stroke
from emlia3d.view.sight.sight_overlay import SightOverlay, sight_overlay_of

VIOLET, GREY, NOTHING = "violet", "grey", "nothing"


@cache
def scenario(name: str) -> Scenario:
    return load(name)


@cache
def shown(name: str, observer: str, target: str) -> tuple[SightAnswer, SightOverlay]:
    asked = scenario(name)
    answer = asked.sight(observer, target)
    return answer, sight_overlay_of(asked.setup, state_of(name), answer)


def state_of(name: str) -> State:
    battle = scenario(name).battle()
    next(battle.run())
    return battle.state


def colour_at(overlay: Overlay, x_m: float, y_m: float) -> str:
    west, south, east, north = overlay.bounds_m
    rows, columns = overlay.picture.shape[:2]
    row = int((north - y_m) / (north - south) * rows)
    column = int((x_m - west) / (east - west) * columns)
    red, green, blue, alpha = (int(part) for part in overlay.picture[row, column])
    if alpha < 40:
        return NOTHING
    if blue > red + 20 > green + 20:
        return VIOLET
    return GREY if max(red, green, blue) - min(red, green, blue) < 25 else "another"


@pytest.mark.parametrize(
    ("behind", "colour"),
    [(1.0, VIOLET), (12.0, VIOLET), (24.5, VIOLET), (26.5, GREY), (27.5, GREY), (29.0, NOTHING)],
)
def test_the_rock_hides_wholly_to_25_and_partly_to_28_behind_it(behind: float, colour: str) -> None:
    _, sight_overlay = shown("bandits", "archers", "bandits")
    (overlay,) = sight_overlay.overlays

    assert colour_at(overlay, 60.0, 38.0 + behind) == colour


def test_the_shadow_lies_in_the_corridor_alone() -> None:
    _, sight_overlay = shown("bandits", "archers", "bandits")
    (overlay,) = sight_overlay.overlays

    assert colour_at(overlay, 69.0, 50.0) == NOTHING, "behind the rock, but beside the bandits"


def test_a_shadow_lies_before_the_rock_for_one_who_looks_up() -> None:
    """The bandits stand in the shadow from which they look."""
    _, sight_overlay = shown("bandits", "bandits", "archers")
    (overlay,) = sight_overlay.overlays

    assert colour_at(overlay, 60.0, 50.0) == VIOLET


def test_three_lines_run_from_top_to_top_and_change_colour_at_the_rock() -> None:
    _, sight_overlay = shown("bandits", "archers", "bandits")
    lines = [mark for mark in sight_overlay.marks if isinstance(mark, Stroke)]
    free = [line for line in lines if line.tone == "sight"]
    hidden = [line for line in lines if line.tone == "hidden"]

    assert len(free) == len(hidden) == 3
    for first, second in zip(free, hidden, strict=True):
        assert first.start[2] == pytest.approx(9 * 1.83)
        assert second.end[2] == pytest.approx(0.5 * 1.83)
        assert first.end == second.start
        assert first.end[1] == pytest.approx(32.0, abs=1e-6), "the rock's near face"


def test_a_line_that_nothing_hides_is_of_one_colour() -> None:
    answer, sight_overlay = shown("bandits", "archers", "raiders")

    assert answer.concealment == "none"
    tones = {mark.tone for mark in sight_overlay.marks if isinstance(mark, Stroke)}
    assert "sight" in tones
    assert "hidden" not in tones


def test_what_stands_in_the_way_is_named_with_its_share() -> None:
    _, sight_overlay = shown("bandits", "archers", "bandits")
    (tag,) = sight_overlay.tags

    assert tag.text == "rock"
    assert tag.subtext == "solid, height 5, 100% of the width"
    assert tag.emphasis == "active"
    assert tag.tall_m == pytest.approx(5 * 1.83, abs=0.6)


def test_a_body_is_framed_up_to_its_height() -> None:
    _, sight_overlay = shown("bandits", "archers", "bandits")
    frame = [
        mark for mark in sight_overlay.marks if isinstance(mark, Stroke) and mark.tone == "warning"
    ]

    ends = np.array([[line.start, line.end] for line in frame]).reshape(-1, 3)
    np.testing.assert_allclose(ends.min(axis=0), [48.0, 32.0, 0.0])
    np.testing.assert_allclose(ends.max(axis=0), [72.0, 38.0, 5 * 1.83])


def test_ground_that_blocks_is_named_and_the_dead_ground_behind_it_shaded() -> None:
    answer, sight_overlay = shown("ridge", "Carrow Regiment", "Isel Fusiliers")
    (overlay,) = sight_overlay.overlays

    assert answer.ground is not None
    assert answer.ground.blocked_share == 1.0
    assert [tag.subtext for tag in sight_overlay.tags if tag.text == "ground"] == [
        "blocks 100% of the width"
    ]
    assert colour_at(overlay, 442.0 * 2, 412.0 * 2) == VIOLET, "just before the target"
    assert colour_at(overlay, 423.0 * 2, 287.0 * 2) != VIOLET, "before the observer's feet"


def test_units_in_the_way_are_told_apart_from_others() -> None:
    answer, sight_overlay = shown("ridge", "Carrow Regiment", "Isel Fusiliers")
    names = [unit.name for unit in scenario("ridge").setup.units]

    between = {each.entity for each in answer.intervening} & set(names)
    assert between == {"1st Northern Jaegers"}
    assert {names[unit] for unit in sight_overlay.active} == between
