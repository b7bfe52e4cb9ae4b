"""Comparison of a battle file with the battle that its scenario, its seed and its orders give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any, NoReturn

from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.digest import line_of
from emlia3d.battle.events import Event, to_json
from emlia3d.battle.files.orders import order_to_json
from emlia3d.battle.files.record import Record, RecordedLine
from emlia3d.battle.flow import NullRecorder
from emlia3d.battle.state import State
from emlia3d.errors import Error, IllegalOrderError, cut


@dataclass(frozen=True, slots=True)
class Difference:
    """The first line of a battle file that differs.

    line : number of the line, from 1; the last line of the file if play continues after it
    events : number of equal events before it
    """

    line: int
    events: int
    message: str


def verify(record: Record, battle: Battle) -> Difference | None:
    """Play *battle*, which has not begun, by the recorded orders; return the first difference.

    Commanders are not asked. A record that ends before its battle is compared up to its end.

    Raises
    ------
    LogError
        If a recorded order is invalid.
    """
    comparison = _Comparison(record, battle)
    try:
        for _ in battle.run([_NoOrders(comparison)] * len(battle.setup.sides), comparison):
            pass
        comparison.end()
    except _EndOfRecordError:
        return None
    except _DifferenceError as found:
        return found.difference
    return None


class _EndOfRecordError(Exception):
    """Raised when the record has no more lines."""


class _DifferenceError(Error):
    """Raised at the first difference."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.message)
        self.difference = difference


class _NoOrders:
    """Commander that is asked when no more order is recorded."""

    def __init__(self, comparison: _Comparison) -> None:
        self._comparison = comparison

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """Raise the difference, or the end of the record."""
        self._comparison.differ("decision", decision.asks)


class _Comparison(NullRecorder):
    """Recorder that compares each line with the record."""

    def __init__(self, record: Record, battle: Battle) -> None:
        self._record, self._battle = record, battle
        self._lines = iter(record.lines)
        self._next = next(self._lines, None)
        self._events = 0

    @override
    def recorded_orders(self) -> Iterator[Order]:
        return (order for _, order in self._record.given())

    @override
    def lacks_answer(self) -> bool:
        return self._next is not None and "order" not in self._next.body

    @override
    def order(self, side: int, order: Order) -> None:
        self._compare("order", order.verb, {**order_to_json(order), "side": side})

    @override
    def event(self, event: Event) -> None:
        self._compare("event", event.name, to_json(event))

    @override
    def boundary(self, state: State) -> None:
        body = {"boundary": state.stretch, "digest": self._battle.digest.hexdigest()}
        self._compare("boundary", str(state.stretch), body)

    @override
    def illegal(self, flaw: IllegalOrderError) -> Error:
        return _DifferenceError(self._difference(self._next, str(flaw)))

    def end(self) -> None:
        """Compare the result; raise the difference if the record goes on."""
        result = self._battle.result
        assert result is not None, "a battle that is over has a result"
        digest = self._battle.digest.hexdigest()
        self._compare("result", result.level, {"result": asdict(result), "digest": digest})
        if self._next is not None:
            self.differ("end", "")

    def differ(self, what: str, name: str) -> NoReturn:
        """Raise the difference between the next line and another line; see `_compare`."""
        if self._next is None:
            raise _EndOfRecordError
        recorded = _in_words(self._next.body)
        played = " ".join(filter(None, (what, name)))
        raise _DifferenceError(self._difference(self._next, _contrast(recorded, played)))

    def _compare(self, what: str, name: str, body: Mapping[str, Any]) -> None:
        """Compare the next line with *body*, a line of this kind and name."""
        line = self._next
        if line is None or _in_words(line.body) != cut(f"{what} {name}"):
            self.differ(what, name)
        # A key frame is not compared, because it follows from the events.
        recorded = {key: value for key, value in line.body.items() if key != "frame"}
        if line_of(recorded) != line_of(body):
            key, ours, theirs = _first_difference(recorded, body)
            message = f"{_in_words(line.body)}: {key}: {_contrast(_cut(ours), _cut(theirs))}"
            raise _DifferenceError(self._difference(line, message))
        self._events += what == "event"
        self._next = next(self._lines, None)

    def _difference(self, line: RecordedLine | None, message: str) -> Difference:
        last = self._record.lines[-1].number if self._record.lines else 1
        number = last if line is None else line.number
        return Difference(number, self._events, message)


def _contrast(recorded: str, played: str) -> str:
    return f"the file has {recorded}, the battle {played}"


def _in_words(body: Mapping[str, Any]) -> str:
    """Return the kind of a line, with the name of an event or the verb of an order."""
    kind = next(key for key in ("event", "order", "boundary", "result") if key in body)
    value = body[kind].get("level", "") if isinstance(body[kind], dict) else body[kind]
    return cut(f"{kind} {value}")


def _first_difference(recorded: Any, played: Any, place: str = "") -> tuple[str, Any, Any]:
    """Return the place of the first values that differ, with both; None for a missing one.

    Facts come first, because people understand them best.
    """
    if isinstance(recorded, dict) and isinstance(played, dict):
        keys = sorted({*recorded, *played}, key=lambda key: (key != "facts", key))
        pairs = [(f"{place}.{key}", recorded.get(key), played.get(key)) for key in keys]
    elif isinstance(recorded, list | tuple) and isinstance(played, list | tuple):
        both = enumerate(zip_longest(recorded, played))
        pairs = [(f"{place}[{number}]", ours, theirs) for number, (ours, theirs) in both]
    else:
        return place.removeprefix("."), recorded, played
    return next(
        _first_difference(ours, theirs, where)
        for where, ours, theirs in pairs
        if line_of({"": ours}) != line_of({"": theirs})
    )


def _cut(value: Any) -> str:
    return "none" if value is None else cut(line_of({"": value})[4:-1], 60)
