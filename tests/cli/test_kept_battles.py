"""Battles that a window has shown are kept: the last twenty, in the user's data folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from errno import ENOSPC
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from emlia3d.battle.events import Event
from emlia3d.battle.files import log
from emlia3d.battle.files.bookmarks import bookmarks_path
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.cli.opening import library_of
from emlia3d.cli.records.kept_battles import MOST_KEPT, file_to_keep, folder_of, picture_of
from emlia3d.errors import DisplayError

from .conftest import Run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return folder_of()


def _fill_the_folder(folder: Path) -> None:
    """Put more battles there than are kept; the numbers are their ages, from the oldest."""
    folder.mkdir(parents=True)
    for number in range(MOST_KEPT + 2):
        file = folder / f"duel-{number}.battle.jsonl"
        file.touch()
        os.utime(file, (number, number))


def test_it_lies_where_each_platform_keeps_data() -> None:
    home = Path("/home/somebody").absolute()
    known, data = {"HOME": str(home)}, str(Path("/elsewhere").absolute())

    assert folder_of(known, "linux") == home / ".local/share/emlia3d/battles"
    assert folder_of({**known, "XDG_DATA_HOME": data}, "linux") == Path(data, "emlia3d/battles")
    assert folder_of(known, "darwin") == home / "Library/Application Support/emlia3d/battles"
    assert folder_of({**known, "LOCALAPPDATA": data}, "win32") == Path(data, "emlia3d/battles")


def test_the_oldest_beyond_twenty_are_removed_with_their_bookmarks(folder: Path) -> None:
    _fill_the_folder(folder)
    for file in list(folder.iterdir()):
        bookmarks_path(file).touch()
        picture_of(file).touch()
    (folder / "notes.txt").touch()

    found = file_to_keep("maps/duel.toml")

    assert found == folder / "duel.battle.jsonl"
    left = sorted(file.name for file in folder.iterdir())
    assert len(list(folder.glob("*.battle.jsonl"))) == MOST_KEPT - 1
    assert "notes.txt" in left
    assert not any(name.startswith(("duel-0.", "duel-1.", "duel-2.")) for name in left)
    assert bookmarks_path(folder / "duel-3.battle.jsonl").exists()


@pytest.mark.long
def test_a_battle_in_a_window_is_kept_and_offered_later(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def watched(_: object, events: Iterable[Event], **_given: Any) -> None:
        for _event in events:
            pass

    monkeypatch.setattr("emlia3d.cli.drawing.has_window", lambda: True)
    monkeypatch.setattr("emlia3d.cli.drawing.show_in_window", watched)

    first = run(["battle", "duel", "--turns", "1"])
    second = run(["battle", "duel", "--turns", "1"])

    files = [folder / "duel.battle.jsonl", folder / "duel-2.battle.jsonl"]
    assert first.out.splitlines()[-1] == f"Kept in {files[0]}"
    assert second.out.splitlines()[-1] == f"Kept in {files[1]}"
    assert run(["battle", "--verify", *files]).status == 0
    assert set(files) <= {found.path for found in library_of(None).look()}


@pytest.mark.parametrize("draws", [True, False])
def test_a_kept_battle_has_a_small_picture_if_one_can_be_drawn(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, draws: bool
) -> None:
    def drawn(_battle: object, _last: object, file: Path, size: tuple[int, int]) -> None:
        if not draws:
            raise DisplayError("nothing here can draw")
        Image.new("RGB", size).save(file)

    monkeypatch.setattr("emlia3d.cli.drawing.has_window", lambda: True)
    monkeypatch.setattr("emlia3d.cli.drawing.show_in_window", lambda _, events, **__: list(events))
    monkeypatch.setattr("emlia3d.cli.records.kept_battles.draw_end", drawn)

    ran = run(["battle", "duel", "--turns", "1"])

    file = folder / "duel.battle.jsonl"
    assert ran.complaints == []
    assert ran.out.splitlines()[-1] == f"Kept in {file}"
    (found,) = (found for found in library_of(None).look() if found.path == file)
    assert found.picture == (picture_of(file) if draws else None)


def test_a_folder_that_cannot_be_written_does_not_stop_the_battle(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("a file lies here", encoding="utf-8")
    monkeypatch.setattr("emlia3d.cli.drawing.has_window", lambda: True)
    monkeypatch.setattr("emlia3d.cli.drawing.show_in_window", lambda _, events, **__: list(events))

    ran = run(["battle", "duel", "--turns", "1"])

    assert ran.status == 0
    assert ran.complaints == [f"{folder}: cannot be written: File exists; this battle is not saved"]
    assert "Kept" not in ran.out


@pytest.mark.long
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_disk_that_fills_up_does_not_stop_a_battle_that_is_merely_kept(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    seen: list[Event] = []
    monkeypatch.setattr("emlia3d.cli.drawing.has_window", lambda: True)
    monkeypatch.setattr(
        "emlia3d.cli.drawing.show_in_window", lambda _, events, **__: seen.extend(events)
    )
    whole = run(["battle", "duel", "--turns", "2"])
    events = list(seen)
    seen.clear()
    _fill_the_disk(monkeypatch, call, after=20 if call == "write" else 4)

    ran = run(["battle", "duel", "--turns", "2"])

    file = folder / "duel-2.battle.jsonl"
    assert ran.status == whole.status == 0
    assert seen == events
    assert ran.complaints == [
        f"{file}: cannot be written: {os.strerror(ENOSPC)}; the rest of this battle is not saved"
    ]
    assert "Kept" not in ran.out


def test_a_disk_that_fills_up_ends_a_battle_that_is_to_be_saved(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "duel.battle.jsonl"
    _fill_the_disk(monkeypatch, "fsync", after=4)

    ran = run(["battle", "duel", "--turns", "2", "--headless", "--save", file])

    assert ran.status == 2
    assert ran.complaints == [f"{file}: cannot be written: {os.strerror(ENOSPC)}"]


def test_a_disk_that_is_full_at_the_start_does_not_stop_the_battle(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    monkeypatch.setattr("emlia3d.cli.drawing.has_window", lambda: True)
    monkeypatch.setattr("emlia3d.cli.drawing.show_in_window", lambda _, events, **__: list(events))
    monkeypatch.setattr("emlia3d.battle.files.log.new_file", refused)

    ran = run(["battle", "duel", "--turns", "1"])

    file = folder / "duel.battle.jsonl"
    assert ran.status == 0
    assert ran.complaints == [
        f"{file}: cannot be written: {os.strerror(ENOSPC)}; this battle is not saved"
    ]


def test_a_scenario_whose_name_is_too_long_is_played_unkept(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert file_to_keep("a" * 250) is None
    assert "this battle is not saved" in capfd.readouterr().err


def test_a_folder_that_cannot_be_written_loses_no_old_battle(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill_the_folder(folder)
    monkeypatch.setattr(os, "access", lambda *_: False)

    assert file_to_keep("duel") is None
    assert len(list(folder.iterdir())) == MOST_KEPT + 2


def test_a_battle_that_another_window_records_is_not_removed(folder: Path) -> None:
    _fill_the_folder(folder)
    oldest = folder / "duel-0.battle.jsonl"

    with closing(FileLock(oldest)):
        file_to_keep("duel")

    assert oldest.exists()
    assert not (folder / "duel-1.battle.jsonl").exists()


def _fill_the_disk(monkeypatch: pytest.MonkeyPatch, call: str, after: int) -> None:
    """Let the writes, or the syncs, of battle files fail after some of them."""
    left = count(after, -1)

    def until_full(done: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*given: Any) -> Any:
            if next(left) <= 0:
                raise OSError(ENOSPC, os.strerror(ENOSPC))
            return done(*given)

        return tried

    if call == "fsync":
        monkeypatch.setattr(os, "fsync", until_full(os.fsync))
        return
    opened = log._opened

    def opened_to_fill(*given: Any) -> Any:
        stream: Any = opened(*given)
        stream.write = until_full(stream.write)
        return stream

    monkeypatch.setattr(log, "_opened", opened_to_fill)


@pytest.mark.long
def test_the_window_has_the_size_that_is_asked_for(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, Any]] = []

    def watched(_: object, __: object, events: Iterable[Event], **options: Any) -> None:
        given.append(options)
        list(events)

    monkeypatch.setattr("emlia3d.cli.drawing.has_window", lambda: True)
    monkeypatch.setattr("emlia3d.cli.drawing.view.watch", watched)

    for words in ([], ["--size", "1920x1080"], ["--size", "640x480", "--fullscreen"]):
        assert run(["battle", "duel", "--turns", "1", *words]).status == 0
    refused = run(["battle", "duel", "--size", "12"])

    assert [(one["size"], one["full_screen"]) for one in given] == [
        ((1280, 720), False), ((1920, 1080), False), ((640, 480), True),
    ]  # fmt: skip
    assert refused.status == 2
    assert "--size: expected width x height" in refused.err
