"""Bookmarks in a file beside the battle's."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.battle.files.bookmarks import Bookmark, bookmarks_path, change, read
from emlia3d.errors import FileError

CHARGE = Bookmark(events=852, name="The charge", note="Cuirassiers, “at last”")
ROUT = Bookmark(events=20, name="Rout")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return bookmarks_path(tmp_path / "ridge.battle.jsonl")


def test_bookmarks_lie_beside_the_battle_file(file: Path) -> None:
    assert file.name == "ridge.battle.jsonl.marks.jsonl"


def test_where_there_is_no_file_there_are_no_bookmarks(file: Path) -> None:
    assert read(file) == ()
    assert not file.exists()


def test_bookmarks_are_read_as_they_were_written_in_the_order_of_the_battle(file: Path) -> None:
    change(file, lambda marks: (*marks, CHARGE))
    change(file, lambda marks: (*marks, ROUT))

    assert read(file) == (ROUT, CHARGE)
    assert [path.name for path in file.parent.iterdir()] == [file.name], "nothing lies about"


def test_a_change_keeps_what_another_has_written_meanwhile(file: Path) -> None:
    change(file, lambda marks: (*marks, CHARGE))
    known = read(file)
    change(file, lambda marks: (*marks, ROUT))

    change(file, lambda marks: tuple(mark for mark in marks if mark not in known))

    assert read(file) == (ROUT,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ":1: not a JSON object"),
        ("[]\n", ":1: not a JSON object"),
        ('{"emlia3d":1}\n', ":1: a file of bookmarks begins with a header"),
        ('{"emlia3d_bookmarks":2}\n', ":1: a later version of emlia3d has written this"),
        ('{"emlia3d_bookmarks":1}\n{"events":1,"nam', ":2: not a JSON object"),
        ('{"emlia3d_bookmarks":1}\n\n', ":2: not a JSON object"),
        ('{"emlia3d_bookmarks":1}\n{"events":-1,"name":"a"}\n', ":2: events: expected 0 or more"),
        ('{"emlia3d_bookmarks":1}\n{"events":true,"name":"a"}\n', ":2: events: expected 0 or more"),
        ('{"emlia3d_bookmarks":1}\n{"events":1}\n', ":2: name and note are one line each"),
        ('{"emlia3d_bookmarks":1}\n{"events":1,"name":"a\\nb"}\n', ":2: name and note are one"),
        ('{"emlia3d_bookmarks":1}\n{"events":1,"name":"a","colour":1}\n', "and note, no colour"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_line_and_left_as_it_is(
    file: Path, text: str, told: str
) -> None:
    file.write_text(text)

    with pytest.raises(FileError) as flaw:
        change(file, lambda marks: (*marks, CHARGE))

    assert told in str(flaw.value)
    assert str(flaw.value).startswith(f"{file}:")
    assert "\n" not in str(flaw.value)
    assert file.read_text() == text


def test_a_folder_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        change(tmp_path / "gone" / "ridge.marks.jsonl", lambda marks: (*marks, ROUT))
