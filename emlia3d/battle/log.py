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

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order, order_to_json
from emlia3d.battle.digest import line_of
from emlia3d.battle.events import Event, to_json
from emlia3d.battle.record import FORMAT, Line, Record, read_record
from emlia3d.battle.result import Result
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError, LogError


def _give_name(fresh: Path, path: Path) -> None:
    """Call a file by its name; FileExistsError, and nothing changed, if the name is taken."""
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        fresh.unlink()
        raise
    except OSError:
        fresh.rename(path)  # no links here, and the name was free a moment ago
    else:
        fresh.unlink()


class BattleLog:
    """Writes a battle down; as a `Recorder` of the flow.

    path : of the file
    expected : lines that are in the file already, which play must produce again
    orders : those among them
    people : sides whose orders are synced one by one, as nobody gives them a second time
    """

    def __init__(
        self,
        path: Path,
        stream: TextIO,
        battle: Battle,
        expected: Sequence[Line] = (),
        orders: Sequence[Order] = (),
    ) -> None:
        self.path = path
        self._stream = stream
        self._battle = battle
        self._expected = deque(expected)
        self._orders = tuple(orders)
        self._turn = battle.state.turn
        self.people: frozenset[int] = frozenset()

    @classmethod
    def begin(
        cls, path: Path, header: Mapping[str, Any], battle: Battle, lines: Iterable[Line] = ()
    ) -> BattleLog:
        """A new battle file; LogError if one is there already, as nothing recorded is ever lost.

        It gets its name when its header is whole, so whatever bears the name can be resumed.

        lines : of another record of the battle, that the new one begins with
        """
        fresh = path.with_name(f".{path.name}.new")
        try:
            if path.exists():
                raise FileExistsError
            log = cls(path, fresh.open("w", encoding="utf-8", newline="\n"), battle)
            try:
                log._write(line_of({"emlia3d": FORMAT, **header}))
                for line in lines:
                    log._write(line.text)
                log._sync()
                _give_name(fresh, path)
            except BaseException:
                log.close()
                raise
        except FileExistsError:
            raise LogError(
                f"{path}: there is a file already; resume it, or choose another name"
            ) from None
        except OSError as flaw:
            raise LogError(f"{path}: cannot be written: {flaw.strerror}") from None
        return log

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
        """The orders after the last boundary, for the flow to give again."""
        return self._orders

    def illegal(self, flaw: IllegalOrderError) -> Error:
        """The place of an order that was read; the flaw itself of one that was given just now."""
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
        """Let go of the file."""
        # Every line was flushed when it was written; what a full disk has not taken is told of.
        with suppress(OSError):
            self._stream.close()

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


def take_back(record: Record, order: Line) -> Record:
    """Take back an order of *record* and all that came after it; the record as it is then.

    Nothing is erased: a line more says what stands no longer.
    """
    try:
        with record.path.open("r+b") as stream:
            stream.truncate(record.size)
            stream.seek(0, os.SEEK_END)
            stream.write(line_of({"back": order.number}).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as flaw:
        raise LogError(f"{record.path}: cannot be written: {flaw.strerror}") from None
    return read_record(record.path)


def resume(record: Record, battle: Battle) -> BattleLog:
    """Take a fresh *battle* up where *record* ends; the log to go on with.

    Cuts off the part of a line that was never finished, once all that is whole has been read.
    """
    expected = record.fold(battle)
    orders = record.orders(expected)
    try:
        stream = record.path.open("r+", encoding="utf-8", newline="\n")
    except OSError as flaw:
        raise LogError(f"{record.path}: cannot be written: {flaw.strerror}") from None
    stream.truncate(record.size)
    stream.seek(0, os.SEEK_END)
    return BattleLog(record.path, stream, battle, expected, orders)
