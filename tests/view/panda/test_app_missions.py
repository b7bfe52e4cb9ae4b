"""Missions in the window: of the plan in hand, of a side, and on the small map."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from emlia3d.cli.game_file import begun
from emlia3d.cli.playing import sat_down
from emlia3d.scenario import load
from emlia3d.view.layout.chartkey import DASHED
from emlia3d.view.panda.app import App
from emlia3d.view.rules import Rules
from tests.view.panda.window_driver import Hand, opened

SOUTH = 0
LONGEST_S = 60.0


@pytest.fixture
def game(tmp_path: Path) -> Iterator[App]:
    """A window in which a person leads the South of the ridge."""
    made, file = load("ridge"), tmp_path / "ridge.battle.jsonl"
    battle = made.battle(1, 2)
    begun(made, file, 1, 2)
    known, game_thread = sat_down(file, battle, (SOUTH,), fog=True)
    app = opened(
        battle.setup,
        battle.state,
        known,
        rules=Rules(battle),
        game_thread=game_thread,
        size=(800, 450),
    )
    yield app
    app.close()


def wait(app: App, done: Callable[[], bool]) -> None:
    """Let frames go by until something is so."""
    end = time.monotonic() + LONGEST_S
    while not done():
        assert time.monotonic() < end, "the window never came to it"
        app.step(0.05)
        app.viewer.playback.seek(len(app.viewer.timeline))
        time.sleep(0.002)
    app.step(0.0)


def ask(app: App, what: str) -> None:
    """Wait for a question by a rule."""

    def is_asked() -> bool:
        entry = app.viewer.entry
        sheet = None if entry is None else entry.sheet
        return sheet is not None and sheet.question.decision.asks.startswith(what)

    wait(app, is_asked)


@pytest.mark.long
def test_the_proposed_plan_is_in_hand_and_drawn_and_enter_makes_it(game: App) -> None:
    ask(game, "command.plan")
    viewer = game.viewer
    assert viewer.entry is not None
    drawn = viewer.tasks()

    assert viewer.entry.order is not None
    assert viewer.entry.order.verb == "plan"
    assert any(task.text.startswith("the Infantry attacks") for task in drawn)
    key = dict(map(reversed, viewer.status().chart_key))
    assert key["limit of its advance"].startswith(DASHED), "the front has the same colour"
    assert len({*key.values()}) == len(key), "each row has a swatch of its own"

    assert viewer.press("enter")
    ask(game, "emlia.")
    assert viewer.tasks() == (), "no longer in hand"
    viewer.missions.next(viewer.course.in_fog_of)
    assert [task.text for task in viewer.tasks()] == [task.text for task in drawn]


def test_a_mission_is_given_with_keys_and_the_plan_is_drawn_with_it(game: App) -> None:
    ask(game, "command.plan")
    viewer = game.viewer
    assert viewer.entry is not None
    before = viewer.tasks()
    hold = next(
        row for row, text in enumerate(viewer.entry.sheet.phrases)  # type: ignore[union-attr]
        if text == "mission Infantry: hold"
    )  # fmt: skip

    viewer.press(str(hold + 1))
    assert viewer.tasks() == ()
    viewer.press("enter")
    wait(game, lambda: bool(viewer.tasks()))

    told = [task.text for task in viewer.tasks()]
    assert "the Infantry holds its position" in told
    assert told != [task.text for task in before]


@pytest.mark.long
def test_its_key_draws_a_side_s_missions_on_field_and_map_and_takes_them_away(game: App) -> None:
    ask(game, "command.plan")
    viewer = game.viewer
    viewer.press("enter")
    ask(game, "emlia.")
    hand = Hand(game)
    bare = game.image().astype(int)

    hand.press("'")
    game.step(0.1)
    drawn = game.image().astype(int)
    hand.press("'")
    game.step(0.1)
    again = game.image().astype(int)

    rect = game._mouse.layout.small_map
    assert rect is not None
    chart = (slice(round(rect.y), round(rect.y + rect.h)), slice(round(rect.x), None))
    changed = np.abs(drawn - bare).sum(axis=2) > 60
    assert changed[chart].sum() > 20, "fronts on the small map"
    assert changed.sum() > changed[chart].sum() + 200, "fronts on the ground"
    assert not viewer.tasks()
    assert (np.abs(again - bare).sum(axis=2) > 60)[chart].sum() == 0


def test_a_viewer_of_all_sides_sees_one_side_s_missions_after_the_other_s(game: App) -> None:
    overlay = game.viewer.missions

    told = [overlay.next(None) for _ in range(3)]
    own = [overlay.next(SOUTH) for _ in range(2)]

    assert told == [
        "missions of Southern brigade", "missions of Northern brigade", "no missions are shown",
    ]  # fmt: skip
    assert own == ["missions of Southern brigade", "no missions are shown"]
