"""What the window opens, writes down and keeps: battles, names, pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from panda3d.core import ButtonRegistry
from PIL import Image

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.view.panda.app import App
from emlia3d.view.window.opening import Found, Library, Opened
from emlia3d.view.window.unit_history import Recorded
from tests.view.panda.window_driver import SIZE, Hand, opened


@pytest.fixture
def browsing(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[App]:
    """A window from which the battle's end may be opened as a battle of its own, and a bad file."""

    def take(path: Path) -> Opened:
        if path.name == "bad.toml":
            raise Error("bad.toml:1: this is no scenario")
        other = replace(setup, title="Another quarrel", units=setup.units)
        return Opened(setup=other, state=start, events=story[:3], library=library)

    found = tuple(Found(Path(name), name, "") for name in ("good.toml", "bad.toml"))
    library = Library(look=lambda: found, take=take)
    app = opened(setup, start, story, library=library)
    app.step(0.0)
    yield app
    app.close()


def regions(app: App) -> int:
    """How many layers a window has that has shown one battle alone."""
    twin = App(app._setup, app.viewer.state, (), offscreen=True, size=SIZE)
    twin.step(0.0)
    count = twin.surface.output.get_num_active_display_regions()
    twin.close()
    return int(count)


def test_another_battle_is_opened_in_the_same_window_by_keys(browsing: App) -> None:
    hand, before = Hand(browsing), browsing.image().astype(int)
    hand.click_unit(0)
    browsing.viewer.like(replace(browsing.viewer.liking.settings, text_size=1.5))

    hand.press("insert")
    hand.press("enter")
    browsing.step(0.0)

    status = browsing.viewer.status()
    assert (status.title, status.steps, status.card) == ("Another quarrel", 3, None)
    assert status.text_size == 1.5, "the window is liked as before"
    assert browsing.surface.output.get_num_active_display_regions() == regions(browsing)
    changed = np.abs(browsing.image().astype(int) - before).sum(axis=2) > 30
    assert changed[:40].any(), "another title"
    assert changed.mean() < 0.4, "the same field, seen as at first"
    hand.click_unit(1)
    assert browsing.viewer.selected == 1, "mouse and keys go on"


def test_a_file_that_cannot_be_opened_is_one_line_in_the_window(browsing: App) -> None:
    hand = Hand(browsing)

    hand.press("6")
    hand.click_button("file:1")
    browsing.step(0.0)

    status = browsing.viewer.status()
    assert status.alarm == "bad.toml:1: this is no scenario"
    assert status.title == "A quarrel"


def test_a_click_finds_what_a_key_of_the_same_frame_has_opened(app: App, hand: Hand) -> None:
    hand.press("f7")
    row = dict(app._mouse.layout.buttons)["kind:2"]
    hand.press("escape")
    before = app.viewer.status().highlights

    hand.click_within_a_frame(row.x + row.w / 2, row.y + row.h / 2, after="f7")

    assert len(app.viewer.status().highlights) < len(before)


def test_a_name_is_written_by_letters_whatever_their_keys_do_else(
    setup: Setup, start: State, story: tuple[Event, ...], tmp_path: Path
) -> None:
    app = opened(setup, start, story, record=Recorded(tmp_path / "q.battle.jsonl"))
    hand = Hand(app)
    try:
        camera = app.steering.camera
        hand.press("f3")
        hand.write("wéq 1")
        hand.press("enter")
        hand.press("enter")
        assert app.viewer.marking.bookmarks.marks[0].name == "wéq 1"
        assert app.steering.camera == camera
    finally:
        app.close()


def test_a_window_keeps_a_picture(
    app: App, hand: Hand, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("pictures")
    monkeypatch.chdir(folder)

    hand.press("f12")
    hand.press("f12")

    assert sorted(path.name for path in folder.iterdir()) == ["emlia3d-1.png", "emlia3d-2.png"]
    assert app.viewer.status().notice == "saved emlia3d-2.png"


def test_a_picture_shows_what_a_key_of_the_same_frame_does(
    app: App, hand: Hand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = app.image().astype(int)

    for key in ("f1", "f12"):
        app.surface.input.press_button(ButtonRegistry.ptr().get_button(key))
        app.surface.input.release_button(ButtonRegistry.ptr().get_button(key))
    app.step(0.0)

    with Image.open(tmp_path / "emlia3d-1.png") as saved:
        differs = np.abs(np.asarray(saved).astype(int) - plain).max(axis=2) > 40
    assert differs.mean() > 0.1, "the list of keys lies over the field"


def test_a_battle_can_be_watched_while_it_is_fought(
    setup: Setup, start: State, story: tuple[Event, ...], app: App
) -> None:
    live = App(setup, start, iter(story), offscreen=True, size=SIZE)
    try:
        live.viewer.playback.toggle()
        for _ in range(2000):
            live.step(0.1)
            if live.viewer.playback.at_end:
                break
        assert live.viewer.playback.position.step == 7
    finally:
        live.close()
