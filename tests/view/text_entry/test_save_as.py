"""Saving the battle of a window under another name."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.files.bookmarks import Bookmark, bookmarks_path, change, read
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.panda.app import App
from emlia3d.view.window.unit_history import Recorded
from emlia3d.view.window.viewer import Viewer
from tests.view.panda.window_driver import Hand, opened

WHOLE = '{"emlia3d":1}\n{"event":"one"}\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "kept"
    kept.mkdir()
    path = kept / "quarrel.battle.jsonl"
    path.write_text(WHOLE + '{"event":"half', encoding="utf-8")
    return path


@pytest.fixture
def viewer(setup: Setup, start: State, story: tuple[Event, ...], file: Path) -> Viewer:
    viewer = Viewer(setup, start, story, record=Recorded(file))
    viewer.tick(0.0)
    return viewer


def _save(viewer: Viewer, name: str) -> None:
    viewer.lists.save_as()
    for letter in name:
        viewer.lists.letter(letter)
    viewer.press("enter")
    viewer.tick(0.0)


def test_whole_lines_are_copied_and_the_bookmarks_with_them(viewer: Viewer, file: Path) -> None:
    mark = Bookmark(events=1, name="The volley")
    change(bookmarks_path(file), lambda old: (mark,))

    _save(viewer, "mine.battle.jsonl")

    assert Path("mine.battle.jsonl").read_text(encoding="utf-8") == WHOLE
    assert read(bookmarks_path(Path("mine.battle.jsonl"))) == (mark,)
    assert viewer.status().notice == "saved as mine.battle.jsonl"
    assert viewer.status().prompt is None


def test_a_name_without_the_ending_gets_it(viewer: Viewer) -> None:
    _save(viewer, "mine")

    assert Path("mine.battle.jsonl").exists()
    assert not bookmarks_path(Path("mine.battle.jsonl")).exists(), "there are no bookmarks to copy"


def test_without_a_name_it_is_the_first_free_one_here(viewer: Viewer) -> None:
    _save(viewer, "")
    _save(viewer, "")

    assert Path("quarrel.battle.jsonl").exists()
    assert Path("quarrel-2.battle.jsonl").exists()


@pytest.mark.parametrize("name", ["there", "nowhere/mine"])
def test_a_file_that_cannot_be_written_is_said_and_the_name_can_be_mended(
    viewer: Viewer, name: str
) -> None:
    Path("there.battle.jsonl").write_text("mine\n", encoding="utf-8")

    _save(viewer, name)

    assert viewer.alarm.startswith(f"{name}.battle.jsonl: ")
    assert "\n" not in viewer.alarm
    prompt = viewer.status().prompt
    assert prompt is not None
    assert prompt.text == name
    assert Path("there.battle.jsonl").read_text(encoding="utf-8") == "mine\n"


def test_a_battle_file_that_is_gone_is_said(viewer: Viewer, file: Path) -> None:
    file.unlink()

    _save(viewer, "mine")

    assert viewer.alarm == f"{file}: cannot be read: No such file or directory"
    assert not Path("mine.battle.jsonl").exists()


def test_escape_saves_nothing(viewer: Viewer) -> None:
    viewer.lists.save_as()
    viewer.lists.letter("x")

    assert viewer.press("escape")
    assert viewer.status().prompt is None
    assert list(Path().glob("*.jsonl")) == []


def test_a_battle_without_a_file_is_not_saved(setup: Setup, start: State) -> None:
    viewer = Viewer(setup, start, ())

    viewer.lists.save_as()
    viewer.tick(0.0)

    assert viewer.status().prompt is None
    assert "no battle file" in viewer.status().notice


def test_by_keyboard_the_letters_are_the_name(
    setup: Setup, start: State, story: tuple[Event, ...], file: Path
) -> None:
    app: App = opened(setup, start, story, record=Recorded(file))
    hand = Hand(app)
    app.viewer.lists.save_as()
    hand.write("v my 9")
    hand.press("enter")

    assert Path("v my 9.battle.jsonl").read_text(encoding="utf-8") == WHOLE
    assert not app.viewer.tool.active
    app.close()
