"""The battle file: one JSON object a line, written as things happen.

The first line is the header (what the battle is), then orders and events in their order. A
line ``{"boundary": n}`` closes each stretch, with the digest of all events so far; at each
turn's end it carries a key frame too. A finished battle ends with a ``{"result": ...}`` line.
``{"back": n}`` takes back the order in line n and all that came after it: the battle goes on
from there, and what was taken back stays in the file for anyone to read.

Every line is written at once and the file is synced at each boundary, so a process that is
killed loses at most a part of its last line. `resume` folds to the last boundary, hands the
orders after it to the flow again and compares what comes out with what is written; only what
is new is appended. Files are data: nothing in one is executed or followed out of its folder.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from emlia3d.atomic_write import new_file
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.digest import line_of
from emlia3d.battle.events import Event, to_json
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.battle.files.orders import order_to_json
from emlia3d.battle.files.record import FORMAT, Line, Record
from emlia3d.battle.result import Result
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError, LogError


class BattleLog:
    """Writes a battle file; a `Recorder` of the flow.

    path : of the file
    expected : lines that are in the file already, which play must produce again
    orders : orders among them
    lock : on the file; released when the log is closed
    people : sides played by people, whose orders are synced one by one
    """

    def __init__(
        self,
        path: Path,
        stream: TextIO,
        battle: Battle,
        expected: Sequence[Line] = (),
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

    @classmethod
    def begin(
        cls, path: Path, header: Mapping[str, Any], battle: Battle, lines: Iterable[Line] = ()
    ) -> BattleLog:
        """Begin a battle file and lock it.

        It gets its name when its header is whole, so whatever bears the name can be resumed.

        Parameters
        ----------
        lines
            Of another record of the battle, that the new one begins with.

        Raises
        ------
        LogError
            If the file exists, because nothing recorded is ever lost; if it cannot be written.
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
            raise LogError(f"{path}: cannot be written: {flaw.strerror}") from None
        lock = FileLock(path)
        return cls(path, _opened(path, lock, length), battle, lock=lock)

    def order(self, side: int, order: Order) -> None:
        """Write down an order."""
        self._write(line_of({**order_to_json(order), "side": side}))
        if side in self.people:
            self._sync()

    def event(self, event: Event) -> None:
        """Write down an event."""
        self._write(line_of(to_json(event)))

    def boundary(self, state: State) -> None:
        """Close a stretch with the digest; at a turn's end with a key frame too."""
        body = {"boundary": state.stretch, "digest": self._battle.digest.hexdigest()}
        if state.turn != self._turn:
            self._turn = state.turn
            body["frame"] = state.key_frame()
        self._write(line_of(body))
        self._sync()

    def recorded_orders(self) -> Iterable[Order]:
        """Return the orders after the last boundary, for the flow to give again."""
        return self._orders

    def lacks_answer(self) -> bool:
        """Return whether the next line of the file is there already and is no order."""
        return bool(self._expected) and "order" not in self._expected[0].body

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """Return the error with the place of a recorded order; *flaw* itself for a new order."""
        if not self._expected:
            return flaw
        number = self._expected[0].number
        return LogError(f"{self.path}:{number}: {flaw}; nothing was appended")

    def finish(self, result: Result) -> None:
        """Write down how it ended."""
        body = {"result": asdict(result), "digest": self._battle.digest.hexdigest()}
        self._write(line_of(body))
        self._sync()

    def close(self) -> None:
        """Close the file and release its lock."""
        # Every line was flushed when it was written; an error by a full disk is reported.
        with suppress(OSError):
            self._stream.close()
        if self._lock is not None:
            self._lock.close()

    def take_back(self, order: Line) -> FileLock | None:
        """Record that *order* and all that came after it is undone, and close the file.

        Nothing is erased: one more line marks the undone lines. Returns the lock, still held,
        for `resume`.
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
                    f"{self.path}:{written.number}: this program plays the battle otherwise than"
                    " it is written here; nothing was appended"
                )
            return
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except OSError as flaw:
            raise LogError(f"{self.path}: cannot be written: {flaw.strerror}") from None

    def _sync(self) -> None:
        os.fsync(self._stream.fileno())


def resume(record: Record, battle: Battle, lock: FileLock | None = None) -> BattleLog:
    """Take a fresh *battle* up where *record* ends; the log to go on with.

    Cuts off the part of a line that was never finished, once all that is whole has been read.

    Parameters
    ----------
    lock
        On the file, if this process holds it already.

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
    """Open a locked file of *length* bytes to append to; release the lock if that fails."""
    try:
        stream = path.open("r+", encoding="utf-8", newline="\n")
    except OSError as flaw:
        lock.close()
        raise LogError(f"{path}: cannot be written: {flaw.strerror}") from None
    if stream.seek(0, os.SEEK_END) != length:
        stream.close()
        lock.close()
        raise LogError(f"{path}: another process has written to it; start again")
    return stream
