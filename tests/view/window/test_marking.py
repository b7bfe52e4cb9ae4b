"""Key events and bookmarks at the window."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.files.bookmarks import bookmarks_path, read
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.window.settings import Settings, SettingsStore
from emlia3d.view.window.status import BookmarksCard, KindsCard
from emlia3d.view.window.unit_history import Recorded
from emlia3d.view.window.viewer import Viewer
from tests.view.ruled import ruled


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "quarrel.battle.jsonl"


@pytest.fixture
def viewer(setup: Setup, start: State, story: tuple[Event, ...], file: Path) -> Viewer:
    viewer = Viewer(setup, start, story, record=Recorded(file))
    viewer.tick(0.0)
    return viewer


def _write(viewer: Viewer, words: str) -> None:
    for letter in words:
        viewer.lists.letter(letter)
    viewer.press("enter")
    viewer.tick(0.0)


def _bookmark(viewer: Viewer, step: int, name: str, note: str = "") -> None:
    viewer.playback.seek(step)
    viewer.marking.bookmarks.begin()
    _write(viewer, name)
    _write(viewer, note)


def test_without_rules_events_are_marked_by_what_they_look_like(viewer: Viewer) -> None:
    shown = viewer.status().highlights

    assert [(one.step, one.kind) for one in shown] == [(4, "volley"), (6, "melee"), (7, "gone")]


def test_the_rules_say_which_events_are_marked(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    rules = ruled(setup)
    rules.system.highlights = lambda setup, event: ("rout",) if event.name == "lost" else ()
    viewer = Viewer(setup, start, story, rules)
    viewer.tick(0.0)

    shown = viewer.status().highlights

    assert [(one.step, one.kind) for one in shown] == [(4, "rout")], "a part of the fourth step"


def test_one_jumps_from_one_turning_point_to_the_next_and_back(viewer: Viewer) -> None:
    steps = []
    for jump in (viewer.marking.forward, viewer.marking.forward, viewer.marking.back):
        jump()
        viewer.tick(0.0)
        steps.append(viewer.course.step)

    assert steps == [4, 6, 4]
    assert viewer.status().notice == "shots, 1 of 1"


def test_beyond_the_last_there_is_nothing_to_jump_to_and_that_is_said(viewer: Viewer) -> None:
    viewer.playback.seek(7)

    viewer.marking.forward()
    viewer.tick(0.0)

    assert viewer.course.step == 7
    assert "no key event" in viewer.status().notice


def test_only_kinds_that_are_wanted_are_marked_and_jumped_to(viewer: Viewer) -> None:
    viewer.marking.toggle("kinds")

    for key in ("0", "8"):
        assert viewer.press(key), "the list takes it"
    viewer.marking.forward()

    card = viewer.status().drawer
    assert isinstance(card, KindsCard)
    assert [kind for _, kind, _, wanted in card.rows if wanted] == ["gone"]
    assert [one.step for one in viewer.status().highlights] == [7]
    assert viewer.course.step == 7


def test_what_a_jump_leads_to_is_played_and_then_stands(viewer: Viewer) -> None:
    viewer.marking.forward()
    begun = viewer.playback.position
    viewer.tick(60.0)

    assert (begun.step, begun.alpha) == (4, 0.0)
    assert (viewer.playback.position.step, viewer.playback.position.alpha) == (4, 1.0)


def test_a_battle_that_is_fought_is_marked_as_it_goes(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    viewer = Viewer(setup, start, iter(story))
    while viewer.course.live:
        viewer.tick(0.0)
    viewer.tick(0.0)

    assert [one.step for one in viewer.status().highlights] == [4, 6, 7]


def test_what_is_taken_back_is_marked_no_longer(viewer: Viewer) -> None:
    viewer.course.cut(6)
    viewer.tick(0.0)

    assert [one.step for one in viewer.status().highlights] == [4]


def test_a_bookmark_is_named_noted_and_kept_beside_the_battle(viewer: Viewer, file: Path) -> None:
    _bookmark(viewer, 4, "The volley", "from the hill")

    (mark,) = read(bookmarks_path(file))
    assert (mark.events, mark.name, mark.note) == (5, "The volley", "from the hill")
    assert viewer.status().bookmarks == (4,)
    assert viewer.status().notice == "bookmark: The volley"


def test_a_bookmark_without_a_name_is_called_by_its_place(viewer: Viewer, file: Path) -> None:
    _bookmark(viewer, 6, "")

    assert read(bookmarks_path(file))[0].name == "Turn 2, step 6"


def test_while_a_name_is_written_keys_are_letters_of_it(viewer: Viewer, file: Path) -> None:
    viewer.marking.bookmarks.begin()

    assert viewer.press("space")
    assert not viewer.marking.steers("w")
    viewer.lists.letter("x")
    viewer.press("backspace")
    prompt = viewer.status().prompt
    assert prompt is not None
    assert prompt.text == ""
    assert viewer.press("escape")
    assert viewer.status().prompt is None
    assert not viewer.playback.playing
    assert read(bookmarks_path(file)) == ()


def test_bookmarks_are_listed_jumped_to_named_anew_and_taken_away(
    viewer: Viewer, file: Path
) -> None:
    for step in (6, 4):
        _bookmark(viewer, step, f"step {step}")
    viewer.marking.toggle("bookmarks")

    viewer.press("2")
    assert viewer.course.step == 6
    viewer.press("arrow_up")
    viewer.press("enter")
    assert viewer.course.step == 4
    viewer.press("tab")
    viewer.press("backspace")
    _write(viewer, "four")
    _write(viewer, "")
    viewer.press("arrow_down")
    viewer.press("delete")

    assert [mark.name for mark in read(bookmarks_path(file))] == ["step four"]
    card = viewer.status().drawer
    assert isinstance(card, BookmarksCard)
    assert card.rows == (("step four", "turn 1, 4", ""),)


def test_bookmarks_are_there_when_the_battle_is_opened_again(
    viewer: Viewer, setup: Setup, start: State, story: tuple[Event, ...], file: Path
) -> None:
    _bookmark(viewer, 4, "The volley")

    again = Viewer(setup, start, story, record=Recorded(file))

    assert again.status().bookmarks == (4,)


def test_a_bookmark_beyond_what_has_happened_is_kept_and_leads_nowhere(
    viewer: Viewer, setup: Setup, start: State, story: tuple[Event, ...], file: Path
) -> None:
    _bookmark(viewer, 7, "The flight")
    again = Viewer(setup, start, story[:6], record=Recorded(file))
    again.marking.toggle("bookmarks")

    again.press("1")
    again.tick(0.0)

    assert again.status().bookmarks == ()
    assert again.status().notice == "the battle has not reached that point"
    assert len(read(bookmarks_path(file))) == 1


def test_a_file_of_bookmarks_that_cannot_be_read_is_told_and_left_as_it_is(
    setup: Setup, start: State, story: tuple[Event, ...], file: Path
) -> None:
    bookmarks_path(file).write_text('{"emlia3d_bookmarks":9}\n')
    viewer = Viewer(setup, start, story, record=Recorded(file))
    viewer.tick(0.0)
    first = viewer.status().alarm
    viewer.dismiss()

    _bookmark(viewer, 4, "The volley")

    assert first == viewer.status().alarm
    assert "marks.jsonl:1: a later version" in first
    assert bookmarks_path(file).read_text() == '{"emlia3d_bookmarks":9}\n'
    assert viewer.status().prompt is not None, "what was written is not lost either"


def test_without_a_battle_file_there_is_nowhere_to_keep_bookmarks(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    viewer = Viewer(setup, start, story)

    viewer.marking.bookmarks.begin()
    viewer.tick(0.0)

    assert viewer.status().prompt is None
    assert "--save" in viewer.status().notice


def test_the_filter_of_key_events_is_kept_in_the_settings(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    kept: list[Settings] = []
    viewer = Viewer(setup, start, story, liking=SettingsStore(keep=kept.append))
    viewer.lists.toggle("kinds")

    viewer.press("1")
    again = Viewer(setup, start, story, liking=SettingsStore(kept[-1]))

    assert kept[-1].unmarked == ("volley",)
    assert "volley" not in again.marking.highlights.kinds
    assert "melee" in again.marking.highlights.kinds
