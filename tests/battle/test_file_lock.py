"""One process writes to a battle file at a time; nothing is lost however it ends."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from emlia3d.atomic_write import new_file
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.files import file_lock, log
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.battle.game import Game, OrderUndoneError, PendingDecision
from emlia3d.errors import LogError

HEADER = {"title": "Nursery", "seed": 7}

Fresh = Callable[[], Battle]

_HOLD = """
import sys
from pathlib import Path
from emlia3d.battle.files.file_lock import FileLock
sys.argv = ["/usr/bin/emlia3d", "battle"]
lock = FileLock(Path(sys.stdin.readline().strip()))
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def file(tmp_path: Path, fresh: Fresh) -> Path:
    path = tmp_path / "game.battle.jsonl"
    BattleLog.begin(path, HEADER, fresh()).close()
    return path


@contextmanager
def held_by_another(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold the lock of a file."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdin.write(f"{path}\n")
        other.stdin.flush()
        assert other.stdout.readline() == "held\n"
        yield other
        other.kill()


def test_a_second_process_is_told_in_one_line_who_holds_the_file(file: Path, fresh: Fresh) -> None:
    with held_by_another(file) as other, pytest.raises(LogError) as refused:
        log.resume(read_record(file), fresh())

    told = f"{file}: in use by process {other.pid} (emlia3d battle), close it first"
    assert str(refused.value) == told


def test_a_file_in_use_can_be_read(file: Path) -> None:
    with held_by_another(file):
        assert read_record(file).header["seed"] == 7


def test_a_file_is_locked_while_it_is_written_and_free_after(file: Path, fresh: Fresh) -> None:
    written = log.resume(read_record(file), fresh())
    with pytest.raises(LogError, match=f"in use by process {os.getpid()} "):
        log.resume(read_record(file), fresh())
    written.close()

    log.resume(read_record(file), fresh()).close()

    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is of POSIX")
def test_a_process_that_is_killed_holds_nothing(file: Path, fresh: Fresh) -> None:
    with held_by_another(file) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()

        log.resume(read_record(file), fresh()).close()

    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("note", ["", "1\n2", "\x1b[2J" * 50, "x" * 10_000])
def test_an_odd_note_is_not_repeated(file: Path, note: str) -> None:
    lock = FileLock(file)
    file.with_name(f".{file.name}.lock").write_text(note, "utf-8")

    with pytest.raises(LogError, match="in use by another process, close it first"):
        FileLock(file)
    lock.close()


@pytest.mark.skipif(os.name != "posix", reason="a link needs rights elsewhere")
def test_a_note_that_is_a_link_is_not_written_through(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "diary.txt"
    other.write_text("dear diary", "utf-8")
    file.with_name(f".{file.name}.lock").symlink_to(other)

    FileLock(file).close()

    assert other.read_text("utf-8") == "dear diary"


def test_where_there_are_no_locks_a_battle_is_written_without_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(file_lock, "_lock", refuse)

    FileLock(file).close()


def test_a_file_that_changed_after_it_was_read_is_not_cut(file: Path, fresh: Fresh) -> None:
    record = read_record(file)
    written = log.resume(read_record(file), battle := fresh())
    next(battle.run(recorder=written))
    written.close()
    whole = file.read_bytes()

    with pytest.raises(LogError, match="another process has written to it"):
        log.resume(record, fresh())

    assert file.read_bytes() == whole
    log.resume(read_record(file), fresh()).close()


def test_taking_back_never_lets_go_of_the_file(file: Path, fresh: Fresh) -> None:
    reached: list[int] = []

    def ask(asked: PendingDecision) -> Order:
        with pytest.raises(LogError, match="in use by process"):
            FileLock(file)
        reached.append(asked.number)
        if reached.count(4) == 1 and asked.number == 4:
            game.take_back(2)
            raise OrderUndoneError
        return asked.decision.options[0]

    game = Game(file, fresh(), [0, 1], ask)
    list(game.run())
    game.close()

    assert reached[:8] == [0, 1, 2, 3, 4, 2, 3, 4]
    FileLock(file).close()


def test_of_two_that_begin_one_file_the_second_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.battle.jsonl"
    with ExitStack() as late:
        late.enter_context(new_file(path)).write("second\n")
        with new_file(path) as first:
            first.write("first\n")
        with pytest.raises(FileExistsError):
            late.close()

    assert path.read_text("utf-8") == "first\n"
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("taken", [True, False])
def test_without_links_a_name_that_is_taken_is_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, taken: bool
) -> None:
    def refuse(self: Path, target: Path) -> None:
        if taken:
            self.write_text("first\n", "utf-8")
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / "x.battle.jsonl"
    try:
        with new_file(path) as second:
            second.write("second\n")
    except FileExistsError:
        pass

    assert path.read_text("utf-8") == ("first\n" if taken else "second\n")
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_what_a_killed_process_left_blocks_nothing(tmp_path: Path, fresh: Fresh) -> None:
    path = tmp_path / "x.battle.jsonl"
    left = tmp_path / f".{path.name}.{os.getpid()}.new"
    left.write_text("left", "utf-8")

    BattleLog.begin(path, HEADER, fresh()).close()

    assert read_record(path).header["seed"] == 7
    assert left.read_text("utf-8") == "left"
