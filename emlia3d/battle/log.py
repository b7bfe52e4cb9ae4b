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

import json
import os
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn, TextIO

from emlia3d.battle.apply import apply, close_stretch
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order, order_from_json, order_to_json
from emlia3d.battle.digest import line_of
from emlia3d.battle.events import Event, from_json, to_json
from emlia3d.battle.plain import is_whole
from emlia3d.battle.result import Result
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError, LogError

FORMAT = 1


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a battle file.

    number : counted from 1
    body : the JSON object
    """

    number: int
    text: str
    body: Mapping[str, Any]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A battle file as it was read.

    size : bytes of whole lines; what follows is part of a line that was never finished
    """

    path: Path
    header: Mapping[str, Any]
    lines: tuple[Line, ...] = field(repr=False)
    size: int

    @property
    def result(self) -> Result | None:
        """How the battle ended, if it did; LogError if its line says nothing of the kind."""
        if not self.lines or "result" not in self.lines[-1].body:
            return None
        body = self.lines[-1].body["result"]
        named = {field.name for field in fields(Result)}
        if not isinstance(body, dict) or set(body) != named:
            self._fail(self.lines[-1], "a result has a winner, a level and a reason")
        return Result(**body)

    def events(self) -> Iterator[Event]:
        """Every recorded event in its order; LogError for one that is none."""
        for line in self.lines:
            if "event" in line.body:
                yield self._event(line)

    def given(self) -> Iterator[tuple[int, Order]]:
        """Every recorded order with how many events had happened; LogError for one that is none."""
        happened = 0
        for line in self.lines:
            if "event" in line.body:
                happened += 1
            elif "order" in line.body:
                yield happened, self._order(line)

    def _last_boundary(self) -> int:
        """Where the last stretch was finished; -1 if none was."""
        return max((i for i, line in enumerate(self.lines) if "boundary" in line.body), default=-1)

    def _event(self, line: Line) -> Event:
        try:
            return from_json(line.body)
        except (ValueError, RecursionError) as flaw:
            self._fail(line, f"no event: {flaw}")

    def _order(self, line: Line) -> Order:
        try:
            return order_from_json(line.body)
        except ValueError as flaw:
            self._fail(line, f"no order: {flaw}")

    def fold(self, battle: Battle) -> tuple[Line, ...]:
        """Bring *battle* to the last boundary by the recorded events alone, without its rules.

        Returns the lines after it. Raises LogError where a line is wrong.
        """
        for _ in self.story(battle):
            pass
        rest = self.lines[self._last_boundary() + 1 :]
        if rest and rest[0].body.get("result"):
            self._check_digest(rest[0], battle)
        return rest

    def story(self, battle: Battle) -> Iterator[Order | Event]:
        """Every order and every event up to the last boundary; *battle* is as each event left it.

        Raises LogError where a line is wrong.
        """
        for line in self.lines[: self._last_boundary() + 1]:
            if "event" in line.body:
                event = self._event(line)
                with self._fitting(line):
                    battle.happen(event)
                yield event
            elif "order" in line.body:
                yield self._order(line)
            else:
                close_stretch(battle.state)
                self._check_boundary(line, battle)

    def orders(self, lines: Iterable[Line]) -> tuple[Order, ...]:
        """The orders among *lines*; LogError for one that is none."""
        return tuple(self._order(line) for line in lines if "order" in line.body)

    def replay(self, state: State) -> Iterator[tuple[Event, State]]:
        """Each event after it has been applied to *state*, the battle's first.

        Raises LogError for an event that does not fit.
        """
        for line in self.lines:
            if "event" in line.body:
                event = self._event(line)
                with self._fitting(line):
                    apply(state, event)
                yield event, state
            elif "boundary" in line.body:
                close_stretch(state)

    @contextmanager
    def _fitting(self, line: Line) -> Iterator[None]:
        try:
            yield
        except (ValueError, RecursionError) as flaw:
            self._fail(line, f"this event does not fit the battle: {flaw}")

    def _check_boundary(self, line: Line, battle: Battle) -> None:
        if line.body["boundary"] != battle.state.stretch:
            self._fail(line, f"this is boundary {battle.state.stretch} of the battle")
        self._check_digest(line, battle)

    def _check_digest(self, line: Line, battle: Battle) -> None:
        if line.body.get("digest") != battle.digest.hexdigest():
            self._fail(
                line,
                "the events before this line are not those that were recorded: their digest"
                " differs",
            )

    def _fail(self, line: Line, flaw: str) -> NoReturn:
        raise LogError(f"{self.path}:{line.number}: {flaw}") from None


def read(path: Path) -> Record:
    """Read a battle file; LogError, with the line, if it is none.

    A last line without its end was being written when the process died, and is left out.
    """
    try:
        raw = path.read_bytes()
    except OSError as flaw:
        raise LogError(f"{path}: cannot be read: {flaw.strerror}") from None
    size = raw.rfind(b"\n") + 1
    try:
        # Not splitlines: a text in a line may hold other characters that end lines elsewhere.
        texts = raw[:size].decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError:
        raise LogError(f"{path}: a battle file is UTF-8 text, this is not") from None
    header = _body(path, 1, texts[0]) if texts else {}
    if type(header.get("emlia3d")) is not int or header["emlia3d"] != FORMAT:
        raise LogError(f'{path}:1: a battle file begins with a header, {{"emlia3d":{FORMAT},...}}')
    lines: list[Line] = []
    for number, text in enumerate(texts[1:], start=2):
        line = _line(path, number, text)
        if "back" in line.body:
            del lines[_taken_back(path, line, lines) :]
            continue
        if lines and "result" in lines[-1].body:
            raise LogError(f"{path}:{number}: the battle ended in the line before")
        lines.append(line)
    return Record(path=path, header=header, lines=tuple(lines), size=size)


def _line(path: Path, number: int, text: str) -> Line:
    body = _body(path, number, text)
    if len({"event", "order", "boundary", "result", "back"} & set(body)) != 1:
        raise LogError(f"{path}:{number}: neither an order, an event, a boundary nor a result")
    return Line(number=number, text=text, body=body)


def _taken_back(path: Path, line: Line, lines: Sequence[Line]) -> int:
    """Which of the lines that stand is the order that *line* takes back."""
    first = line.body["back"]
    at = bisect_left(lines, first, key=lambda line: line.number) if is_whole(first) else len(lines)
    if at == len(lines) or lines[at].number != first or "order" not in lines[at].body:
        raise LogError(f"{path}:{line.number}: no order stands in line {first!r} to be taken back")
    return at


def _body(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        body = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise LogError(f"{path}:{number}: not a JSON object") from None
    if not isinstance(body, dict):
        raise LogError(f"{path}:{number}: not a JSON object")
    return body


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"JSON knows no {name}")


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
    return read(record.path)


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
