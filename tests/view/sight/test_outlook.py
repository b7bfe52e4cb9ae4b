"""What is seen of the ground: coarse at once, finer while nothing changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field.hexes import board_of
from emlia3d.view.rules import ObserverSpec
from emlia3d.view.sight.ground_view import STAGES, GroundVisibility, ViewshedQuery
from emlia3d.view.sight.sighttool import SightTool
from tests.view.ruled import ruled

FROM_ARCHERS = ViewshedQuery(ObserverSpec(0, by_rules=False), 1.0, 0)


class Surveyor:
    """Sees nothing north of 40 and a part of what lies east of 60; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[ObserverSpec, int, float]] = []

    def __call__(
        self, lookout: ObserverSpec, spots: NDArray[np.float64], height: float, state: State
    ) -> NDArray[np.uint8]:
        self.asked.append((lookout, len(spots), height))
        x, y = spots.T
        return np.where(y > 40, 2, np.where(x > 60, 1, 0)).astype(np.uint8)


@pytest.fixture
def surveyor() -> Surveyor:
    return Surveyor()


@pytest.fixture
def outlook(setup: Setup, surveyor: Surveyor) -> GroundVisibility:
    return GroundVisibility(setup, ruled(setup, survey=surveyor))


def rest(
    outlook: GroundVisibility, question: ViewshedQuery, state: State, seconds: float = 0.05
) -> None:
    for _ in range(2000):
        outlook.tick(seconds, question, state)
        if outlook.settled:
            return


def test_a_new_question_is_answered_coarsely_at_once(
    outlook: GroundVisibility, start: State
) -> None:
    outlook.tick(0.0, FROM_ARCHERS, start)

    assert outlook.levels is not None
    assert outlook.levels.shape == (24, 36), "80 x 120 GSU"


def test_it_becomes_finer_only_while_nothing_changes(
    outlook: GroundVisibility, start: State
) -> None:
    for x in range(12):
        outlook.tick(0.1, ViewshedQuery(ObserverSpec(None, (float(x), 10.0), False), 1.0, 0), start)
    assert outlook.levels is not None
    assert outlook.levels.shape[1] == STAGES[0]

    rest(outlook, ViewshedQuery(ObserverSpec(None, (11.0, 10.0), False), 1.0, 0), start)

    assert outlook.levels.shape[1] == STAGES[-1]


def test_the_pace_alters_nothing_but_the_time_it_takes(
    setup: Setup, surveyor: Surveyor, start: State
) -> None:
    found = []
    for seconds in (0.01, 0.05, 0.2):
        outlook = GroundVisibility(setup, ruled(setup, survey=surveyor))
        rest(outlook, FROM_ARCHERS, start, seconds)
        assert outlook.levels is not None
        found.append(outlook.levels)

    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_slow_frames_make_for_smaller_bites(
    outlook: GroundVisibility, surveyor: Surveyor, start: State
) -> None:
    rest(outlook, FROM_ARCHERS, start, 0.2)

    assert max(count for _, count, _ in surveyor.asked[1:]) <= 2048 / 2


def test_the_rules_are_asked_about_fewer_places(
    outlook: GroundVisibility, surveyor: Surveyor, start: State
) -> None:
    by_rules = ViewshedQuery(ObserverSpec(0), 1.0, 0)
    rest(outlook, by_rules, start)

    assert surveyor.asked[0][1] == 16 * 11
    assert outlook.levels is not None
    assert outlook.levels.shape == (64, 96)


def test_rows_run_from_the_north_and_columns_from_the_west(
    outlook: GroundVisibility, start: State
) -> None:
    rest(outlook, FROM_ARCHERS, start)

    assert outlook.level_at((100.0, 60.0)) == 2
    assert outlook.level_at((100.0, 20.0)) == 1
    assert outlook.level_at((20.0, 20.0)) == 0
    assert outlook.level_at((121.0, 20.0)) is None
    assert outlook.shares() == pytest.approx((0.25, 0.25, 0.5))


def test_what_is_hidden_is_laid_on_the_ground_and_what_is_seen_is_left_free(
    outlook: GroundVisibility, start: State
) -> None:
    rest(outlook, FROM_ARCHERS, start)
    overlay = outlook.overlay()
    rows, columns = overlay.picture.shape[:2]

    def at(x: float, y: float) -> list[int]:
        found = overlay.picture[int((80 - y) / 80 * rows), int(x / 120 * columns)]
        return [int(part) for part in found]

    assert overlay.bounds_m == (0.0, 0.0, 240.0, 160.0)
    assert at(20, 20)[3] == 0
    red, green, blue, alpha = at(100, 20)
    assert max(red, green, blue) - min(red, green, blue) < 20
    assert alpha > 100
    red, green, blue, alpha = at(100, 60)
    assert blue > red > green
    assert alpha > 120


@pytest.fixture
def tool(setup: Setup, surveyor: Surveyor) -> SightTool:
    tool = SightTool(setup, ruled(setup, survey=surveyor))
    tool.open(0)
    return tool


def test_the_ground_is_shown_from_the_unit_then_from_the_pointer_then_not(
    tool: SightTool, surveyor: Surveyor, start: State
) -> None:
    tool.point((70.0, 30.0))
    shown = []
    for _ in range(4):
        tool.tick(0.0, start, 0)
        shown.append(tool.look(start, 0).ground is not None)
        tool.next_vantage()

    assert shown == [False, True, True, False]
    assert [lookout for lookout, _, _ in surveyor.asked] == [
        ObserverSpec(0),
        ObserverSpec(None, (70.0, 30.0)),
    ]


def test_a_pointer_off_the_field_leaves_the_view_from_the_unit(
    tool: SightTool, surveyor: Surveyor, start: State
) -> None:
    tool.vantage = "pointer"
    tool.point(None)
    tool.tick(0.0, start, 0)

    assert surveyor.asked[-1][0] == ObserverSpec(0)


def test_another_height_and_another_measure_are_asked_for(
    tool: SightTool, surveyor: Surveyor, start: State
) -> None:
    tool.next_vantage()
    tool.tick(0.0, start, 0)
    tool.taller(1)
    tool.other_measure()
    tool.tick(0.0, start, 0)

    first, second = ((lookout, height) for lookout, _, height in surveyor.asked)
    assert first == (ObserverSpec(0), 1.0)
    assert second == (replace(ObserverSpec(0), by_rules=False), 2.0)


def test_the_panel_says_how_much_is_seen_and_what_lies_under_the_pointer(
    tool: SightTool, start: State
) -> None:
    tool.next_vantage()
    tool.other_measure()
    tool.point((100.0, 20.0))
    tool.tick(0.0, start, 0)

    rows = dict(tool.look(start, 0).card.ground)
    assert [rows[words] for words in ("seen", "seen in part", "hidden")] == ["25%", "25%", "50%"]
    assert rows["under the cursor"] == "seen in part"
    assert rows["height of a figure"] == "1"


def test_a_unit_that_has_left_sees_no_ground(
    tool: SightTool, surveyor: Surveyor, start: State
) -> None:
    tool.next_vantage()
    start.units.writable("present")[0] = 0
    tool.tick(0.0, start, 0)

    assert not surveyor.asked
    assert tool.look(start, 0).ground is None


def test_on_a_field_of_tiles_the_rules_are_asked_about_tiles(setup: Setup, start: State) -> None:
    tiled = replace(setup, field=replace(setup.field, cells="hexes"))
    board = board_of(tiled.field)

    def survey(
        lookout: ObserverSpec, spots: NDArray[np.float64], height: float, state: State
    ) -> NDArray[np.uint8]:
        numbers = board.numbers(board.grid.tiles_at(spots))
        assert np.abs(spots - board.grid.centres(board.tiles[numbers])).max() < 1e-9
        return (numbers % 3).astype(np.uint8)

    outlook = GroundVisibility(tiled, ruled(tiled, survey=survey))
    outlook.settle(ViewshedQuery(ObserverSpec(0, by_rules=True), 1.0, 0), start)

    for number in range(0, len(board), 101):
        east, north = board.grid.centres(board.tiles[number]).tolist()
        assert outlook.level_at((east, north)) == number % 3
    assert outlook.level_at((0.01, 0.01)) == 0
