"""A battle file as read: its header, and the lines that have not been undone.

Files are data: no content is executed, and no path leads out of the file's folder.
`emlia3d.battle.files.log` defines the lines and writes them.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn

from emlia3d.battle.apply import apply, close_stretch
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Kinds, from_json, kinds_by_name
from emlia3d.battle.files.orders import order_from_json
from emlia3d.battle.files.regular_file import regular
from emlia3d.battle.files.routine_lines import routine_from_json
from emlia3d.battle.plain_values import is_whole
from emlia3d.battle.questions.routines import BY_ROUTINE, Routine
from emlia3d.battle.result import Result
from emlia3d.battle.state import State
from emlia3d.errors import LogError, quoted

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedLine:
    """One line of a battle file.

    number : counted from 1
    body : the JSON object
    """

    number: int
    text: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A battle file as read.

    lines : the lines after the header that have not been undone
    routines : the lines with routine orders that have not been undone; play does not repeat them
    size : bytes of complete lines; any bytes after them are an unfinished line
    length : bytes of the file when it was read
    """

    path: Path
    header: Mapping[str, Any]
    lines: tuple[RecordedLine, ...] = field(repr=False)
    size: int
    length: int
    routines: tuple[RecordedLine, ...] = field(default=(), repr=False)

    @property
    def result(self) -> Result | None:
        """The battle's result; None if it has not ended. Raises LogError for an invalid line."""
        if not self.lines or "result" not in self.lines[-1].body:
            return None
        body = self.lines[-1].body["result"]
        named = {field.name for field in fields(Result)}
        if not isinstance(body, dict) or set(body) != named:
            self._fail(self.lines[-1], "a result has a winner, a level and a reason")
        return Result(**body)

    def events(self, kinds: Kinds | None = None) -> Iterator[Event]:
        """Yield every recorded event in order; raise LogError for an invalid event.

        kinds : the kinds of event for `emlia3d.battle.events.from_json`
        """
        for line in self.lines:
            if "event" in line.body:
                yield self._event(line, kinds)

    def given(self) -> Iterator[tuple[int, Order]]:
        """Return an iterator over (number of events before it, order); it may raise LogError."""
        return ((happened, self._order(line)) for happened, line in self.order_lines())

    def order_lines(self) -> Iterator[tuple[int, RecordedLine]]:
        """Yield (number of events before it, line) for every recorded order."""
        happened = 0
        for line in self.lines:
            if "event" in line.body:
                happened += 1
            elif "order" in line.body:
                yield happened, line

    def routine_orders(self, count: int) -> Iterator[tuple[tuple[int, ...], Routine | None]]:
        """Yield the units and the order of each routine order, in turn; None ends one.

        count : the number of units of the battle

        Raises LogError for an invalid line.
        """
        for line in self.routines:
            try:
                yield routine_from_json(line.body, count)
            except ValueError as flaw:
                self._fail(line, str(flaw))

    def is_chosen(self, order: RecordedLine) -> bool:
        """Return whether a person chose an order: it does not result from an earlier routine order.

        If the routine order answers the same decision, the order counts as chosen.
        """
        is_routine = str(order.body.get("why", "")).startswith(BY_ROUTINE)
        return not is_routine or any(line.number == order.number - 1 for line in self.routines)

    def _last_boundary(self) -> int:
        """Return the index of the last boundary among the lines; -1 without one."""
        return max((i for i, line in enumerate(self.lines) if "boundary" in line.body), default=-1)

    def _event(self, line: RecordedLine, kinds: Kinds | None = None) -> Event:
        try:
            return from_json(line.body, kinds)
        except (ValueError, RecursionError) as flaw:
            self._fail(line, str(flaw))

    def _order(self, line: RecordedLine) -> Order:
        try:
            return order_from_json(line.body)
        except ValueError as flaw:
            self._fail(line, str(flaw))

    def fold(self, battle: Battle) -> tuple[RecordedLine, ...]:
        """Apply the recorded events up to the last boundary to *battle*, without its rules.

        Returns the lines after that boundary. Raises LogError for an invalid line.
        """
        for _ in self.story(battle):
            pass
        rest = self.lines[self._last_boundary() + 1 :]
        if rest and rest[0].body.get("result"):
            self._check_digest(rest[0], battle)
        return rest

    def story(self, battle: Battle) -> Iterator[Order | Event]:
        """Yield the orders and events up to the last boundary; *battle* applies each event first.

        Raises LogError for an invalid line.
        """
        kinds = kinds_by_name(battle.system.events)
        for line in self.lines[: self._last_boundary() + 1]:
            if "event" in line.body:
                event = self._event(line, kinds)
                with self._fitting(line):
                    battle.happen(event)
                yield event
            elif "order" in line.body:
                yield self._order(line)
            else:
                close_stretch(battle.state)
                self._check_boundary(line, battle)

    def orders(self, lines: Iterable[RecordedLine]) -> tuple[Order, ...]:
        """Return the orders among *lines*; raise LogError for an invalid order."""
        return tuple(self._order(line) for line in lines if "order" in line.body)

    def replay(self, state: State) -> Iterator[tuple[Event, State]]:
        """Yield each event with *state*, the battle's first state, after it has been applied to it.

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
    def _fitting(self, line: RecordedLine) -> Iterator[None]:
        try:
            yield
        except (ValueError, RecursionError) as flaw:
            self._fail(line, f"this event does not fit the battle: {flaw}")

    def _check_boundary(self, line: RecordedLine, battle: Battle) -> None:
        if line.body["boundary"] != battle.state.stretch:
            self._fail(line, f"expected boundary {battle.state.stretch}")
        self._check_digest(line, battle)

    def _check_digest(self, line: RecordedLine, battle: Battle) -> None:
        if line.body.get("digest") != battle.digest.hexdigest():
            self._fail(
                line,
                "the events before this line were altered: their digest differs",
            )

    def _fail(self, line: RecordedLine, flaw: str) -> NoReturn:
        raise LogError(f"{self.path}:{line.number}: {flaw}") from None


def read_record(path: Path) -> Record:
    """Return the record of a battle file; raise LogError, with the line, if it is invalid.

    A last line without a line end is left out, because the process died while writing it.
    """
    try:
        raw = regular(path).read_bytes()
    except OSError as flaw:
        raise LogError(f"{path}: cannot be read: {flaw.strerror}") from None
    size = raw.rfind(b"\n") + 1
    try:
        # Not splitlines: a text may contain other characters that splitlines treats as line ends.
        texts = raw[:size].decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError as flaw:
        number = raw[: flaw.start].count(b"\n") + 1
        raise LogError(f"{path}:{number}: a battle file is UTF-8 text, this is not") from None
    header = _body(path, 1, texts[0]) if texts else {}
    if type(header.get("emlia3d")) is not int or header["emlia3d"] != FORMAT:
        raise LogError(f'{path}:1: a battle file begins with a header, {{"emlia3d":{FORMAT},...}}')
    lines: list[RecordedLine] = []
    routines: list[RecordedLine] = []
    for number, text in enumerate(texts[1:], start=2):
        line = _line(path, number, text)
        if "back" in line.body:
            del lines[_taken_back(path, line, lines) :]
            # A routine order of the question that is asked again is given again, if at all.
            last = lines[-1].number if lines else 1
            routines = [each for each in routines if each.number < last]
            continue
        if "routine" in line.body:
            routines.append(line)
            continue
        if lines and "result" in lines[-1].body:
            raise LogError(f"{path}:{number}: the battle ended in the line before")
        lines.append(line)
    return Record(
        path=path, header=header, lines=tuple(lines), size=size, length=len(raw),
        routines=tuple(routines),
    )  # fmt: skip


def _line(path: Path, number: int, text: str) -> RecordedLine:
    body = _body(path, number, text)
    if len({"event", "order", "boundary", "result", "back", "routine"} & set(body)) != 1:
        raise LogError(f"{path}:{number}: neither an order, an event, a boundary nor a result")
    return RecordedLine(number=number, text=text, body=body)


def _taken_back(path: Path, line: RecordedLine, lines: Sequence[RecordedLine]) -> int:
    """Return the index in *lines* of the order that *line* undoes."""
    first = line.body["back"]
    at = bisect_left(lines, first, key=lambda line: line.number) if is_whole(first) else len(lines)
    if at == len(lines) or lines[at].number != first or "order" not in lines[at].body:
        raise LogError(f"{path}:{line.number}: line {quoted(first)} has no order to undo")
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
