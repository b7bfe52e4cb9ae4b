"""Questions about a position of a recorded battle: `--at TURN`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from emlia3d.battle.unit_outlines import places_of
from emlia3d.cli.opening import course_of
from emlia3d.cli.scenario.position import position_in
from emlia3d.view.session.timeline import Timeline
from tests.cli.conftest import Run

TURNS = 4


@pytest.fixture
def battle(run: Run, bandits: Path, tmp_path: Path) -> Path:
    """A recorded battle of four turns."""
    file = tmp_path / "first.battle.jsonl"
    told = run(
        ["battle", bandits, "--seed", "3", "--turns", str(TURNS), "--headless", "--save", file]
    )
    assert told.status == 0
    return file


@pytest.mark.parametrize("turn", range(TURNS + 1))
def test_a_position_is_the_one_that_view_shows(battle: Path, turn: int) -> None:
    course = course_of(str(battle))
    timeline = Timeline(course.battle.state, course.events)
    timeline.close()
    starts = timeline.turn_starts
    shown = timeline.moment(starts[turn] - 1 if turn < len(starts) else len(timeline))

    asked = position_in(str(battle), turn).position().state

    assert asked.turn == shown.turn == turn
    for table in ("units", "figures"):
        for axis in ("x", "y"):
            found = getattr(asked, table).floats(axis)
            np.testing.assert_array_equal(found, getattr(shown, table).floats(axis))
    np.testing.assert_array_equal(asked.units["morale"], shown.units["morale"])


def test_without_a_turn_a_battle_file_is_asked_about_its_last_position(battle: Path) -> None:
    last, without = (position_in(str(battle), at).position() for at in (TURNS, None))

    assert without.state.turn == TURNS
    for row in range(len(last.setup.units)):
        np.testing.assert_array_equal(places_of(without.state, row), places_of(last.state, row))


@pytest.mark.parametrize("rules", ["emlia", "true"])
def test_a_unit_that_moved_is_seen_from_its_new_place(
    run: Run, battle: Path, bandits: Path, rules: str
) -> None:
    words = ["sight", battle, "archers", "raiders", "--json", "--rules", rules]

    start = run(["sight", bandits, *words[2:]])
    of_file, later = run([*words, "--at", "0"]), run([*words, "--at", "2"])

    assert (start.status, of_file.status, later.status) == (0, 0, 0)
    assert of_file.out == start.out
    apart = json.loads(later.out)["distance"]
    now = position_in(str(battle), 2).position()
    rows = [[unit.name for unit in now.setup.units].index(name) for name in ("archers", "raiders")]
    middles = [places_of(now.state, row).mean(axis=0) for row in rows]
    assert apart < json.loads(start.out)["distance"]
    # Between boundaries, so less than between centres by at most the depths of both.
    assert 0 <= np.hypot(*(middles[0] - middles[1])) - apart < 8


def test_odds_are_those_of_the_position(run: Run, battle: Path, bandits: Path) -> None:
    words = ["archers", "raiders", "--action", "fire"]

    start, of_file = run(["odds", bandits, *words]), run(["odds", battle, *words, "--at", "0"])
    later = run(["odds", battle, *words, "--at", "2"])

    assert of_file.out == start.out
    assert later.out != start.out


@pytest.mark.parametrize("rules", ["emlia", "true"])
def test_a_viewshed_is_from_the_new_place(run: Run, battle: Path, rules: str) -> None:
    words = ["viewshed", battle, "raiders", "--cell", "2", "--json", "--rules", rules]

    documents = [json.loads(run([*words, "--at", str(turn)]).out) for turn in (0, 2)]

    assert documents[0]["digest"] != documents[1]["digest"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["sight", "bandits", "archers", "raiders", "--at", "1"],
         "--at: expected a battle file, got the scenario bandits"),
        (["odds", "bandits", "archers", "raiders", "--at", "1"],
         "--at: expected a battle file, got the scenario bandits"),
        (["viewshed", "bandits", "archers", "--at", "1"],
         "--at: expected a battle file, got the scenario bandits"),
        (["sight", "first.battle.jsonl", "archers", "raiders", "--at", "5"],
         "--at: expected a turn from 0 to 4, the last of first.battle.jsonl, got 5"),
        (["odds", "first.battle.jsonl", "archers", "nobody", "--at", "1"],
         'bandits.toml: unknown unit "nobody"'),
        (["sight", "dem.tif", "--from", "1,1", "--to", "2,2", "--at", "1"],
         "--at does not apply, because dem.tif is a raster"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("battle")
def test_what_has_no_such_position_is_one_line(run: Run, words, complaint) -> None:
    told = run(words)

    assert told.status == 2
    assert len(told.complaints) == 1
    assert complaint in told.err


def test_odds_between_turns_are_of_a_unit_with_all_its_actions(run: Run, battle: Path) -> None:
    told = run(["odds", battle, "archers", "raiders", "--action", "fire", "--at", "2"])

    # In turn 2 the archers fired, which was their primary action.
    assert told.status == 0
    assert "7 dice at -1" in told.out
