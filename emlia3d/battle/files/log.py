"""The battle file: one JSON object per line, written during play.

The first line is the header, which identifies the battle; orders and events follow in order. A
line ``{"boundary": n}`` closes each segment, with the digest of all events so far; at the end of a
turn it also contains a key frame. A finished battle ends with a ``{"result": ...}`` line. A line
``{"back": n}`` undoes the order in line n and everything after it. The battle continues from
there, and the undone lines stay in the file. A line ``{"routine": ...}`` gives units a routine
order; it is no part of play, and ends if the line before it is undone.

Every line is flushed at once, and the file is synced at each boundary, so a killed process loses at
most part of its last line. `resume` applies the events up to the last boundary, replays the orders
after it, and compares the resulting lines with the recorded ones. It appends only new lines. Files
are data: no content is executed, and no path leads out of the file's folder.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self, TextIO

from emlia3d.atomic_write import new_file
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.digest import line_of
from emlia3d.battle.events import Event, to_json
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.battle.files.orders import order_to_json
from emlia3d.battle.files.record import FORMAT, Record, RecordedLine
from emlia3d.battle.files.routine_lines import routine_to_json
from emlia3d.battle.questions.routines import Routine
from emlia3d.battle.result import Result
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError, LogError, unwritable


class BattleLog:
    """Writer of a battle file; a `Recorder` of the flow.

    path : the battle file
    expected : lines already in the file, which play must reproduce
    orders : the orders in *expected*
    lock : the lock on the file, released when the log is closed
    people : sides played by people; each of their orders is synced at once
    whole : False once a log that outlives a failed write has missed a line
    """

    def __init__(
        self,
        path: Path,
        stream: TextIO,
        battle: Battle,
        expected: Sequence[RecordedLine] = (),
        orders: Sequence[Order] = (),
        *,
        lock: FileLock | None = None,
    ) -> None:
        self.path = path
        self._stream = stream
        self._lock = lock
        self._battle = battle
        self._expected = deque(expected)
        self._orders = tuple(orders)
        self._turn = battle.state.turn
        self.people: frozenset[int] = frozenset()
        self.whole = True

    @classmethod
    def begin(
        cls,
        path: Path,
        header: Mapping[str, Any],
        battle: Battle,
        lines: Iterable[RecordedLine] = (),
    ) -> Self:
        """Begin a battle file and lock it.

        The file gets its name once its header is complete, so a file of that name can be resumed.

        Parameters
        ----------
        lines
            The first lines of the new file, from another record of the battle.

        Raises
        ------
        LogError
            If the file exists, because no record is ever overwritten, or if it cannot be written.
        """
        try:
            with new_file(path) as fresh:
                fresh.write(line_of({"emlia3d": FORMAT, **header}) + "\n")
                fresh.writelines(f"{line.text}\n" for line in lines)
                length = fresh.tell()
        except FileExistsError:
            raise LogError(
                f"{path}: there is a file already; resume it, or choose another name"
            ) from None
        except OSError as flaw:
            raise LogError(unwritable(path, flaw)) from None
        lock = FileLock(path)
        return cls(path, _opened(path, lock, length), battle, lock=lock)

    def order(self, side: int, order: Order) -> None:
        """Write an order."""
        self._write(line_of({**order_to_json(order), "side": side}))
        if side in self.people:
            self._sync()

    def event(self, event: Event) -> None:
        """Write an event."""
        self._write(line_of(to_json(event)))

    def boundary(self, state: State) -> None:
        """Close a segment with the digest and, at the end of a turn, a key frame."""
        body = {"boundary": state.stretch, "digest": self._battle.digest.hexdigest()}
        if state.turn != self._turn:
            self._turn = state.turn
            body["frame"] = state.key_frame()
        self._write(line_of(body))
        self._sync()

    def recorded_orders(self) -> Iterable[Order]:
        """Return the orders after the last boundary, which the flow repeats."""
        return self._orders

    def lacks_answer(self) -> bool:
        """Return whether the file already has the next line and that line is no order."""
        return bool(self._expected) and "order" not in self._expected[0].body

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error for an illegal order, with its line if it is recorded."""
        if not self._expected:
            return flaw
        number = self._expected[0].number
        return LogError(f"{self.path}:{number}: {flaw}; nothing was appended")

    def finish(self, result: Result) -> None:
        """Write the result."""
        body = {"result": asdict(result), "digest": self._battle.digest.hexdigest()}
        self._write(line_of(body))
        self._sync()

    def close(self) -> None:
        """Close the file and release its lock."""
        # Every line was flushed when written, which reported any error such as a full disk.
        with suppress(OSError):
            self._stream.close()
        if self._lock is not None:
            self._lock.close()

    def routine(self, side: int, units: Collection[int], routine: Routine | None) -> None:
        """Write a routine order of units."""
        self._append(line_of(routine_to_json(side, units, routine)))
        self._sync()

    def take_back(self, order: RecordedLine) -> FileLock | None:
        """Record the undo of *order* and of everything after it, and close the file.

        One more line marks the undone lines; none is erased. Returns the lock, still held, for
        `resume`.
        """
        self._expected.clear()
        self._write(line_of({"back": order.number}))
        self._sync()
        self._stream.close()
        return self._lock

    def _write(self, line: str) -> None:
        if self._expected:
            written = self._expected.popleft()
            if written.text != line:
                raise LogError(
                    f"{self.path}:{written.number}: this version plays the battle differently from"
                    " the record; nothing was appended"
                )
            return
        self._append(line)

    def _append(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except OSError as flaw:
            raise LogError(unwritable(self.path, flaw)) from None

    def _sync(self) -> None:
        try:
            os.fsync(self._stream.fileno())
        except OSError as flaw:
            raise LogError(unwritable(self.path, flaw)) from None


def resume(record: Record, battle: Battle, lock: FileLock | None = None) -> BattleLog:
    """Bring a new *battle* to the end of *record*; return the log that continues it.

    It cuts off an unfinished last line after all complete lines have been read.

    Parameters
    ----------
    lock
        The lock on the file, if this process already holds it.

    Raises
    ------
    LogError
        If the file cannot be resumed or written, if another process holds it, or if it changed
        after *record* was read.
    """
    lock = lock or FileLock(record.path)
    try:
        expected = record.fold(battle)
        orders = record.orders(expected)
        stream = _opened(record.path, lock, record.length)
        stream.truncate(record.size)
        stream.seek(0, os.SEEK_END)
    except BaseException:
        lock.close()
        raise
    return BattleLog(record.path, stream, battle, expected, orders, lock=lock)


def _opened(path: Path, lock: FileLock, length: int) -> TextIO:
    """Open a locked file of *length* bytes for appending; release the lock if that fails."""
    try:
        stream = path.open("r+", encoding="utf-8", newline="\n")
    except OSError as flaw:
        lock.close()
        raise LogError(unwritable(path, flaw)) from None
    if stream.seek(0, os.SEEK_END) != length:
        stream.close()
        lock.close()
        raise LogError(f"{path}: another process has written to it; start again")
    return stream
