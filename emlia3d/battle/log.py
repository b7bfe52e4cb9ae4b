"""The battle file: one JSON object a line, written as things happen.

The first line is the header (what the battle is), then orders and events in their order. A
line ``{"boundary": n}`` closes each stretch; at each turn's end it carries the digest of all
events so far and a key frame. A finished battle ends with a ``{"result": ...}`` line.

Every line is written at once and the file is synced at each boundary, so a process that is
killed loses at most a part of its last line. `resume` folds to the last boundary, hands the
orders after it to the flow again and compares what comes out with what is written; only what
is new is appended. Files are data: nothing in one is executed or followed out of its folder.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from emlia3d.battle.apply import apply, close_stretch
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order, order_from_json, order_to_json
from emlia3d.battle.digest import line_of
from emlia3d.battle.events import Event, from_json, to_json
from emlia3d.battle.result import Result
from emlia3d.battle.state import State
from emlia3d.errors import LogError

FORMAT = 1


class BattleLog:
    """Writes a battle down; as a `Recorder` of the flow.

    expected : lines that are in the file already, which play must produce again
    """

    def __init__(
        self, path: Path, stream: TextIO, battle: Battle, expected: Iterable[tuple[int, str]] = ()
    ) -> None:
        self._path = path
        self._stream = stream
        self._battle = battle
        self._expected = deque(expected)
        self._turn = battle.state.turn
        self._orders = tuple(
            order_from_json(json.loads(line)) for _, line in self._expected if _is_order(line)
        )

    @classmethod
    def begin(cls, path: Path, header: Mapping[str, Any], battle: Battle) -> BattleLog:
        """A new battle file; LogError if one is there already, as nothing recorded is ever lost."""
        try:
            stream = path.open("x", encoding="utf-8", newline="\n")
        except FileExistsError:
            raise LogError(
                f"{path}: there is a file already; resume it, or choose another name"
            ) from None
        except OSError as flaw:
            raise LogError(f"{path}: cannot be written: {flaw.strerror}") from None
        log = cls(path, stream, battle)
        log._write(line_of({"emlia3d": FORMAT, **header}))
        log._sync()
        return log

    def order(self, side: int, order: Order) -> None:
        """Write down an order."""
        self._write(line_of({**order_to_json(order), "side": side}))

    def event(self, event: Event) -> None:
        """Write down an event."""
        self._write(line_of(to_json(event)))

    def boundary(self, state: State) -> None:
        """Close a stretch; at a turn's end with the digest and a key frame."""
        body: dict[str, Any] = {"boundary": state.stretch}
        if state.turn != self._turn:
            self._turn = state.turn
            body |= {"digest": self._battle.digest.hexdigest(), "frame": state.key_frame()}
        self._write(line_of(body))
        self._sync()

    def recorded_orders(self) -> Iterable[Order]:
        """The orders after the last boundary, for the flow to give again."""
        return self._orders

    def finish(self, result: Result) -> None:
        """Write down how it ended."""
        body = {"result": asdict(result), "digest": self._battle.digest.hexdigest()}
        self._write(line_of(body))
        self._sync()

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def _write(self, line: str) -> None:
        if self._expected:
            number, written = self._expected.popleft()
            if written != line:
                raise LogError(
                    f"{self._path}:{number}: this program plays the battle otherwise than it is"
                    " written here; nothing was appended"
                )
            return
        self._stream.write(line + "\n")
        self._stream.flush()

    def _sync(self) -> None:
        os.fsync(self._stream.fileno())


def _is_order(line: str) -> bool:
    return "order" in json.loads(line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a battle file, after the header.

    number : counted from 1
    body : the JSON object
    """

    number: int
    text: str
    body: Mapping[str, Any]


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
        """How the battle ended, if it did."""
        if self.lines and "result" in self.lines[-1].body:
            return Result(**self.lines[-1].body["result"])
        return None

    def events(self) -> Iterator[Event]:
        """Every recorded event in its order; LogError for one that is none."""
        for line in self.lines:
            if "event" in line.body:
                yield self._event(line)

    def _event(self, line: Line) -> Event:
        try:
            return from_json(line.body)
        except (ValueError, TypeError, KeyError) as flaw:
            raise LogError(f"{self.path}:{line.number}: no event: {flaw}") from None

    def fold(self, battle: Battle) -> deque[tuple[int, str]]:
        """Bring *battle* to the last boundary by the recorded events alone, without its rules.

        Returns the lines after it, (number, text). Raises LogError where a line is wrong.
        """
        last = max((i for i, line in enumerate(self.lines) if "boundary" in line.body), default=-1)
        for line in self.lines[: last + 1]:
            if "event" in line.body:
                event = self._event(line)
                try:
                    battle.happen(event)
                except (ValueError, IndexError, KeyError, AssertionError, TypeError) as flaw:
                    raise LogError(
                        f"{self.path}:{line.number}: this event does not fit the battle: {flaw!r}"
                    ) from None
            elif "boundary" in line.body:
                close_stretch(battle.state)
                digest = line.body.get("digest")
                if digest not in {None, battle.digest.hexdigest()}:
                    raise LogError(
                        f"{self.path}:{line.number}: the events before this line are not those"
                        " that were recorded: their digest differs"
                    )
        return deque((line.number, line.text) for line in self.lines[last + 1 :])

    def replay(self, state: State) -> Iterator[tuple[Event, State]]:
        """Each event after it has been applied to *state*, the battle's first."""
        for line in self.lines:
            if "event" in line.body:
                event = self._event(line)
                apply(state, event)
                yield event, state
            elif "boundary" in line.body:
                close_stretch(state)


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
        texts = raw[:size].decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise LogError(f"{path}: a battle file is UTF-8 text, this is not") from None
    bodies = [_body(path, number, text) for number, text in enumerate(texts, start=1)]
    if not bodies or bodies[0].get("emlia3d") != FORMAT:
        raise LogError(f'{path}:1: a battle file begins with a header, {{"emlia3d":{FORMAT},...}}')
    lines = (
        Line(number=number, text=text, body=body)
        for number, (text, body) in enumerate(zip(texts, bodies, strict=True), start=1)
    )
    header, *rest = lines
    return Record(path=path, header=header.body, lines=tuple(rest), size=size)


def _body(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        raise LogError(f"{path}:{number}: not a JSON object") from None
    if not isinstance(body, dict):
        raise LogError(f"{path}:{number}: not a JSON object")
    if number > 1 and not {"event", "order", "boundary", "result"} & set(body):
        raise LogError(f"{path}:{number}: neither an order, an event, a boundary nor a result")
    return body


def resume(record: Record, battle: Battle) -> BattleLog:
    """Take a fresh *battle* up where *record* ends; the log to go on with.

    Cuts off the part of a line that was never finished.
    """
    expected = record.fold(battle)
    stream = record.path.open("r+", encoding="utf-8", newline="\n")
    stream.truncate(record.size)
    stream.seek(0, os.SEEK_END)
    return BattleLog(record.path, stream, battle, expected)
