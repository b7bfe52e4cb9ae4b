"""Checks that every rule system must pass, for use in its tests.

Each check plays battles that the caller sets up, and raises AssertionError if the system violates a
requirement of the program. `check_system` runs all checks.

A system's tests need only this::

    def test_what_every_rule_system_must_pass():
        check_system(lambda: Battle(setup, SYSTEM, seed=1))
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from string import Formatter
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, TypeAlias

import numpy as np
from typing_extensions import override

from emlia3d.battle import events as recorded
from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander, Picture, RandomCommander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.events import CORE_EVENTS, Event, Mustered, Rolled, kinds_by_name
from emlia3d.battle.flow import NullRecorder
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.options import choices, refusal_of
from emlia3d.battle.state import State
from emlia3d.battle.system import System
from emlia3d.errors import IllegalOrderError, UnansweredError
from emlia3d.rulekit.commander.rehearsal_checks import check_rehearsals
from emlia3d.rulekit.words import WordTable

Begin: TypeAlias = Callable[[], Battle]
"""Returns a battle before its first event; the same battle each time."""

Players: TypeAlias = Callable[[], Sequence[Commander]]
"""Returns new commanders, one for each side, that decide the same way each time."""

SLUG = re.compile(r"[a-z0-9]+(\.[a-z0-9][a-z0-9-]*)+")
"""Pattern of the stable name of a rule."""


def check_system(begin: Begin, players: Players | None = None, *, most: int = 40) -> None:
    """Run all checks of a rule system in one battle, with rehearsals if it has them.

    begin : returns the battle; a small battle that uses many rules is best
    players : the commanders; None for random orders
    most : number of decisions to check, and of orders after which play restarts

    Raises
    ------
    AssertionError
        Names the fault, and the decision or event.
    """
    if players is None:

        def players() -> Sequence[Commander]:
            return [RandomCommander() for _ in begin().setup.sides]

    check_words(begin().system)
    check_events(begin, players)
    check_restarts(begin, players, most=most)
    check_orders(begin, players, most=most)
    check_pictures(begin, players, most=most)
    check_questions(begin, players)
    if begin().system.rehearses:
        check_rehearsals(begin, players, most=max(most // 2, 1))


def check_words(system: System) -> None:
    """Check a table of words: it has exactly the kinds of event, and its templates are valid.

    A system without a table passes, because it has the words of `Words`.
    """
    words = system.words
    if not isinstance(words, WordTable):
        return
    lacking = [kind.kind for kind in system.events if kind not in words.events]
    assert not lacking, f"there are no words for the events {lacking}"
    stale = [kind.kind for kind in words.events if kind not in {*system.events, *CORE_EVENTS}]
    assert not stale, f"there are words for {stale}, which are no events"
    for kind, entry in words.events.items():
        dice = ("rolled", "score") if issubclass(kind, Rolled) else ()
        known = {*kind.__struct_fields__, *dice, "unit", "units", "target", "object"}
        for phrase in (entry.log, entry.report):
            _check_fields(phrase, known, kind.kind)
    for verb, order_phrase in words.orders.items():
        _check_fields(order_phrase, {"unit", "units", "target", "object", "number"}, verb)
    for slug, question_phrase in words.questions.items():
        _check_fields(question_phrase, {"unit", "side"}, slug)


def _check_fields(phrase: object, known: set[str], where: str) -> None:
    """Check that a template has no unknown field."""
    if isinstance(phrase, str):
        names = {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}
        unknown = {name for name in names if re.split(r"[.\[]", name)[0] not in known}
        assert not unknown, f"the words for {where} have the unknown fields {sorted(unknown)}"


def check_events(begin: Begin, players: Players) -> None:
    """Check that events determine a battle, have declared kinds, and have sentences.

    The state is computed from the events, each parsed from its line of text, and compared.
    """
    battle = begin()
    kinds = kinds_by_name(battle.system.events)
    folded = begin().state
    for event in battle.run(players()):
        declared = event.name in kinds or isinstance(event.facts, Mustered)
        assert declared, f"{event.name} is no declared kind of event"
        for slug in event.because:
            assert SLUG.fullmatch(slug), f"{event.name}: {slug!r} is no rule's name"
        text = json.dumps(recorded.to_json(event))
        read = recorded.from_json(json.loads(text), kinds)
        assert read == event, f"{event.name} is not the same when it is read: {text}"
        apply(folded, read)
        _line(battle.system.tell(battle, event), event.name, empty=True)
        battle.system.highlights(battle.setup, event)
    folded.stretch = battle.state.stretch
    assert folded.key_frame() == battle.state.key_frame(), "the events do not make the state"
    assert battle.result is not None, "the battle is over and has no result"


def check_restarts(begin: Begin, players: Players, *, most: int = 40) -> None:
    """Check that play continues alike from each boundary and from each order within a segment.

    most : number of orders from which play restarts within their segment
    """
    whole = PlayRecord()
    _play(begin(), players, whole)
    orders = [place for place, line in enumerate(whole.lines) if line[0] == "order"]
    for stretch in range(len(whole.frames)):
        _check_goes_on(begin, players, whole, stretch, ())
    for place in orders[:: max(1, len(orders) // most)]:
        before = whole.lines[:place]
        ends = [at for at, line in enumerate(before) if line[0] == "boundary"]
        given = [line[1] for line in before[ends[-1] + 1 if ends else 0 :] if line[0] == "order"]
        _check_goes_on(begin, players, whole, len(ends), given)


def check_orders(begin: Begin, players: Players, *, most: int = 40) -> None:
    """Check the options: each is legal and has its own words; rules refuse other orders.

    most : number of decisions to check
    """

    def look(moment: Moment, decision: Decision, picture: Picture) -> None:
        where = f"{decision.asks}, unit {decision.unit}"
        assert SLUG.fullmatch(decision.asks), f"{decision.asks!r} is no rule's name"
        system = moment.system
        table = system.words if isinstance(system.words, WordTable) else None
        assert table is None or decision.asks in table.questions, f"{where}: no words ask it"
        _line(system.question(moment, decision), where)
        offered = choices(moment, decision)
        assert offered, f"{where}: there is nothing to choose"
        phrases: dict[str, Order] = {}
        for order in offered:
            refusal = refusal_of(decision, order)
            assert refusal is None, f"{where}: {order} is offered and refused: {refusal}"
            decision.check(order)
            phrase = system.phrase(moment, order)
            has_words = table is None or order.verb in table.orders
            assert has_words, f"{where}: there are no words for {order.verb}"
            _line(phrase, f"{where}: {order.verb}")
            other = phrases.setdefault(phrase, order)
            alike = replace(other, why="") == replace(order, why="")
            assert alike, f"{where}: {other} and {order} are both called {phrase!r}"
        _check_refusals(decision, offered[0], where)

    _watch(begin, players, look, most)


def check_pictures(begin: Begin, players: Players, *, most: int = 40) -> None:
    """Check that pictures change nothing and contain nothing hidden.

    Units that a side does not know are off the field in its picture, and no object that a commander
    gets has a reference to the true battle.

    most : number of decisions at which to check the pictures of all sides
    """

    def look(battle: Battle, decision: Decision, picture: Picture) -> None:
        before = battle.state.key_frame(), battle.digest.hexdigest()
        for unit in range(len(battle.setup.units)):
            battle.system.card(battle, unit)
        battle.fork().happen(Event(facts=Mustered()))
        for side in range(len(battle.setup.sides)):
            known = battle.system.picture(battle, side)
            for unit in battle.system.hidden_from(battle, side):
                there = known.battle.state.units.value("present", unit)
                name = battle.setup.units[unit].name
                assert not there, f"{name} is hidden from side {side} and is in its picture"
        after = battle.state.key_frame(), battle.digest.hexdigest()
        assert before == after, f"{decision.asks}: to look at a picture changed the battle"
        _check_no_way_to(battle, decision, picture)

    _watch(begin, players, look, most)


def check_questions(begin: Begin, players: Players, *, events: int = 20) -> None:
    """Check that the system answers or declines questions without changes.

    events : the number of events before the questions
    """
    battle = begin()
    for _ in islice(battle.run(players()), events):
        pass
    system, before = battle.system, battle.state.key_frame()
    here = [unit for unit in range(len(battle.setup.units)) if _is_here(battle, unit)]
    for unit in here:
        assert system.height(battle, unit) > 0, "a unit has no height"
        for label, value in system.card(battle, unit):
            _line(label, f"the card of unit {unit}")
            _line(value, f"the card of unit {unit}", empty=True)
        system.ranges(battle, unit)
    for one, other in ((a, b) for a in here for b in here if a != b):
        answer = system.sight(battle, one, other, 1)
        _line(answer.text.replace("\n", " "), f"sight from {one} to {other}")
        assert all(map(SLUG.fullmatch, answer.because)), f"{answer.because}: no rules' names"
        with suppress(UnansweredError):
            odds = system.odds(battle, one, other)
            assert sum(odds.hits.values()) in {0, 1}, "the chances of hits are not 1 together"
    assert battle.state.key_frame() == before, "a question changed the battle"


Look = Callable[[Battle, Decision, Picture], None]


class _Watcher:
    """Commander that checks each decision before it decides."""

    def __init__(self, commander: Commander, look: Callable[[Decision, Picture], None]) -> None:
        self._commander = commander
        self._look = look

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        self._look(decision, picture)
        return self._commander.decide(decision, picture, dice)


def _watch(begin: Begin, players: Players, look: Look, most: int) -> None:
    """Play a battle, and check at most *most* of its decisions."""
    whole = PlayRecord()
    _play(begin(), players, whole)
    every = max(1, sum(line[0] == "order" for line in whole.lines) // most)
    battle, seen = begin(), 0

    def at(decision: Decision, picture: Picture) -> None:
        nonlocal seen
        if seen % every == 0:
            look(battle, decision, picture)
        seen += 1

    for _ in battle.run([_Watcher(commander, at) for commander in players()]):
        pass
    assert seen, "no decision was made"


class PlayRecord(NullRecorder):
    """Orders and events in their order, and a key frame at each boundary.

    lines : ("order", order), ("event", event) or ("boundary", number of the segment)
    frames : the state after each segment, as JSON text
    """

    def __init__(self, orders: Iterable[Order] = ()) -> None:
        """Start the record; *orders* were given earlier in the segment in which play restarts."""
        self._orders = tuple(orders)
        self.lines: list[tuple[str, Any]] = []
        self.frames: list[str] = []

    @override
    def order(self, side: int, order: Order) -> None:
        self.lines.append(("order", order))

    @override
    def event(self, event: Event) -> None:
        self.lines.append(("event", event))

    @override
    def boundary(self, state: State) -> None:
        self.lines.append(("boundary", state.stretch))
        self.frames.append(json.dumps(state.key_frame()))

    @override
    def recorded_orders(self) -> Iterable[Order]:
        return self._orders


class _EnoughError(Exception):
    """Signal that the segment is complete."""


class _Follower(PlayRecord):
    """Recorder that ends play at the first boundary."""

    def boundary(self, state: State) -> None:
        super().boundary(state)
        raise _EnoughError


def _play(battle: Battle, players: Players, record: PlayRecord) -> None:
    for _ in battle.run(players(), record):
        pass


def _check_goes_on(
    begin: Begin, players: Players, whole: PlayRecord, stretch: int, given: Sequence[Order]
) -> None:
    """Check one segment of play, restarted at its beginning with some of its orders."""
    ends = [place for place, line in enumerate(whole.lines) if line[0] == "boundary"]
    first = ends[stretch - 1] + 1 if stretch else 0
    expected = whole.lines[first : ends[stretch] + 1]
    battle, again = begin(), _Follower(given)
    if stretch:
        battle.state.restore(json.loads(whole.frames[stretch - 1]))
    with suppress(_EnoughError):
        _play(battle, players, again)
    where = f"stretch {stretch}, after {len(given)} orders"
    for old, new in zip(expected, again.lines, strict=False):
        assert old == new, f"{where}: {new} instead of {old}"
    assert len(expected) == len(again.lines), f"{where}: {len(again.lines)} steps"
    assert again.frames == [whole.frames[stretch]], f"{where}: another state"


def _check_refusals(decision: Decision, offered: Order, where: str) -> None:
    """Check that rules refuse impossible orders."""
    unheard = replace(offered, verb="no-such-order")
    others = [unheard, replace(offered, unit=10**6), replace(unheard, unit=None)]
    for order in others:
        try:
            decision.check(order)
        except IllegalOrderError:
            pass
        else:
            raise AssertionError(f"{where}: {order} is allowed")
        refusal = None if decision.validator is None else decision.validator.refusal(order)
        if refusal is not None:
            assert SLUG.fullmatch(refusal.slug), f"{where}: {refusal.slug!r} is no rule's name"
            _line(refusal.reason, f"{where}: the refusal of {order.verb}")


def _check_no_way_to(battle: Battle, decision: Decision, picture: Picture) -> None:
    """Check that no reference leads from a commander to the true battle."""
    true = (battle, battle.state, battle.dice)
    cells = [battle.state.figures["x"], battle.state.units["x"]]
    for thing in reachable(decision, picture):
        leak = any(thing is one for one in true) or (
            isinstance(thing, np.ndarray) and any(np.shares_memory(thing, one) for one in cells)
        )
        assert not leak, f"{decision.asks}: the picture leads to the true battle"


def reachable(*start: object) -> Iterator[object]:
    """Yield all objects that can be reached from these by references, except modules."""
    heap, met = [*start], set[int]()
    while heap:
        thing = heap.pop()
        if id(thing) in met or isinstance(thing, (type, ModuleType, BuiltinFunctionType)):
            continue
        met.add(id(thing))
        yield thing
        if isinstance(thing, FunctionType):
            heap += [cell.cell_contents for cell in thing.__closure__ or ()]
        elif isinstance(thing, MethodType):
            heap += [thing.__self__, thing.__func__]
        elif isinstance(thing, np.ndarray):
            heap.append(thing.base)
        else:
            heap += gc.get_referents(thing)


def _is_here(moment: Moment, unit: int) -> bool:
    """Return whether a unit is on the field and not part of another unit."""
    units = moment.state.units
    return bool(units.value("present", unit)) and units.integer("parent", unit) < 0


def _line(text: str, where: str, *, empty: bool = False) -> None:
    """Check that a text is one nonempty, printable line."""
    assert empty or text.strip(), f"{where}: there are no words"
    assert "\n" not in text, f"{where}: more than one line: {text!r}"
