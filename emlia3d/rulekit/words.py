"""The words of a rule system: a table of phrases for its events, its orders and its questions.

A system has one `WordTable` as its attribute `words`. The log, the report, the list of orders, and
play in text and in the window take their words from it by the methods of `Words` that it overrides.
`Words` lies in `emlia3d.battle.formatting`, because `emlia3d.battle.system.System` needs it.

A phrase is a template or a function. A template has fields in braces, and marks verbs and pronouns
of its subject <thus>, in the singular; they take the number of the unit: "{unit} <fires> at
{target}" becomes "archers fire at raiders".

- In all templates, `unit` and `target` are the names of the units. For events and orders, `units`
  lists all units that act together; if there are several, marked words are in the plural. If an
  event has no unit, marked words have the number of the side in its facts (`side`, `first` or
  `winner`).
- The phrase of an event can have each fact of the event as a field, in the forms of `str.format`:
  "{distance:g}". `target` is the name of the terrain feature in the fact "feature" if the event has
  no other unit. `object` is `target`, or the unit itself. For events with dice (`Rolled`), `rolled`
  gives their number, the modifier and the successes, and `score` the successes as hits.
- The phrase of an order can have `object` and `number`, that of a question `side`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from typing_extensions import override

from emlia3d.battle.events import Event, Facts, Mustered, Rolled
from emlia3d.battle.formatting import Words
from emlia3d.battle.questions.order_kinds import OrderKind
from emlia3d.rulekit.action_names import NamedAction
from emlia3d.rulekit.english import Names, ReportNames, agreed, counted, is_plural, listed, sentence

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.moment import Moment

F = TypeVar("F", bound=Facts)

EventPhrase: TypeAlias = str | Callable[[Event, F, Names], str]
"""A template, or a function of an event, its facts, and the names of units and places."""

OrderPhrase: TypeAlias = "str | Callable[[Moment, Order], str]"
QuestionPhrase: TypeAlias = "str | Callable[[Moment, Decision], str]"


@dataclass(frozen=True, slots=True)
class EventWords:
    """The words for one kind of event.

    log : a sentence of the log; "" for none. If a template begins with "{target}", its marked words
        have the number of the target
    report : the words that follow the unit's name in a report; "" if the report omits the event;
        None if the report uses the sentence of the log
    whole : whether `report` is a complete sentence instead
    """

    log: EventPhrase[Any]
    report: EventPhrase[Any] | None = None
    whole: bool = False


def said(
    kind: type[F], log: EventPhrase[F], report: EventPhrase[F] | None = None, *, whole: bool = False
) -> tuple[type[Facts], EventWords]:
    """Return an entry of a table of events; see `EventWords`."""
    return kind, EventWords(log, report, whole)


def does(kind: type[F], words: EventPhrase[F]) -> tuple[type[Facts], EventWords]:
    """Return an entry whose log sentence is the unit's name with the words of the report."""

    def log(event: Event, facts: F, names: Names) -> str:
        return f"{names.unit(event.unit)} {_said(words, event, names)}"

    return kind, EventWords(log, words)


MUSTERED: Mapping[type[Facts], EventWords] = dict([said(Mustered, "The armies stand ready", "")])
"""The words for the first event of every battle."""


@dataclass(frozen=True, slots=True)
class WordTable(Words):
    """The phrases of a rule system.

    An event without an entry, as in a file of another version, appears by its name. Orders and
    questions without an entry get the words of `Words`.

    events : by kind of event
    orders : by verb
    questions : by the slug of the rule that asks
    kinds : of verbs for which `emlia3d.battle.questions.order_kinds` does not apply
    actions : the actions whose orders and events share a name
    """

    events: Mapping[type[Facts], EventWords] = field(default_factory=dict)
    orders: Mapping[str, OrderPhrase] = field(default_factory=dict)
    questions: Mapping[str, QuestionPhrase] = field(default_factory=dict)
    kinds: Mapping[str, OrderKind] = field(default_factory=dict)
    actions: tuple[NamedAction, ...] = ()

    @override
    def kind(self, order: Order) -> OrderKind:
        return self.kinds.get(order.verb) or Words.kind(self, order)

    def words_for(self, event: Event) -> EventWords | None:
        """Return the entry of an event's kind; None if there is none."""
        return self.events.get(type(event.facts)) or MUSTERED.get(type(event.facts))

    @override
    def sentence(self, moment: Moment, event: Event) -> str:
        entry, names = self.words_for(event), Names(moment.setup)
        if entry is None:
            parts = names.unit(event.unit), event.name, target_of(event, names)
            return " ".join(filter(None, parts))
        log = entry.log
        by_target = isinstance(log, str) and log.startswith("{target}")
        words = _said(log, event, names)
        if event.others and isinstance(log, str) and "{units}" in log:
            return agreed(words, many=True)
        if by_target:
            return _in_number(names, event.target, words)
        return _in_number(names, event.unit, words, many=_is_of_many(event))

    @override
    def reporter(self, moment: Moment) -> Callable[[Event], str]:
        names = ReportNames(moment.setup)

        def report(event: Event) -> str:
            entry, words = self.words_for(event), self.report(event, names)
            if words is None:
                told = self.sentence(moment, event)
            elif words and entry is not None and not entry.whole:
                actors = listed(map(names.unit, event.actors or (None,)))
                told = f"{actors} {_in_number(names, event.unit, words, many=bool(event.others))}"
            else:
                told = _in_number(names, event.unit, words, many=_is_of_many(event))
            return sentence(told) if told else ""

        return report

    def report(self, event: Event, names: Names) -> str | None:
        """Return the words of a report for an event, with marks; None if there are none."""
        entry = self.words_for(event)
        if entry is None or entry.report is None:
            return None
        return _said(entry.report, event, names)

    @override
    def phrase(self, moment: Moment, order: Order) -> str:
        words = self.orders.get(order.verb)
        if words is None:
            return Words.phrase(self, moment, order)
        if not isinstance(words, str):
            return words(moment, order)
        names = Names(moment.setup)
        unit, target = names.unit(order.unit), names.unit(order.target)
        itself = "itself" if order.target == order.unit else target
        units = listed(map(names.unit, order.actors))
        return words.format(
            unit=unit, units=units, target=target, object=itself, number=order.number
        )

    @override
    def question(self, moment: Moment, decision: Decision) -> str:
        words = self.questions.get(decision.asks)
        if words is None:
            return Words.question(self, moment, decision)
        if not isinstance(words, str):
            return words(moment, decision)
        side = moment.setup.sides[decision.side].name
        unit = side if decision.unit is None else moment.setup.units[decision.unit].name
        return words.format(side=side, unit=unit)


def _in_number(names: Names, unit: int | None, words: str, *, many: bool = False) -> str:
    """Return words with their marks resolved."""
    return agreed(words, many=many) if many or unit is None else names.agreed(unit, words)


def _is_of_many(event: Event) -> bool:
    """Return whether an event without a unit is about a side with a plural name."""
    names = (getattr(event.facts, fact, "") for fact in ("side", "first", "winner"))
    return event.unit is None and is_plural(next(filter(None, names), ""))


def _said(phrase: EventPhrase[Any], event: Event, names: Names) -> str:
    if isinstance(phrase, str):
        return phrase.format_map(_Fields(event, names))
    return phrase(event, event.facts, names)


class _Fields:
    """The fields of an event's template; each is computed only if the template has it."""

    def __init__(self, event: Event, names: Names) -> None:
        self._event = event
        self._names = names

    def __getitem__(self, name: str) -> Any:
        event, names = self._event, self._names
        match name:
            case "unit" | "units":
                actors = (event.unit,) if name == "unit" else event.actors
                return listed(map(names.unit, actors))
            case "target":
                return target_of(event, names)
            case "object":
                return object_of(event, names)
            case "rolled" if isinstance(event.facts, Rolled):
                return rolled(event.facts)
            case "score" if isinstance(event.facts, Rolled):
                return score(event.facts)
        return getattr(event.facts, name)


def target_of(event: Event, names: Names) -> str:
    """Return the name of an event's other unit, or else of its terrain feature."""
    feature: str | None = getattr(event.facts, "feature", None)
    if event.target is None and feature is not None:
        return names.named(feature)
    return names.unit(event.target)


def object_of(event: Event, names: Names) -> str:
    """Return the name of an event's other unit, or words for the unit itself, with marks."""
    if event.unit is not None and event.unit == event.target:
        return "<itself>"
    return names.unit(event.target)


def rolled(rolled: Rolled) -> str:
    """Return a roll in words: "2 of 5 dice at -4"."""
    dice = "1 die" if rolled.dice == 1 else f"{rolled.dice} dice"
    return f"{rolled.successes} of {dice} at {rolled.modifier:+d}"


def score(rolled: Rolled) -> str:
    """Return successes as hits, with the verb marked: "<scores> two hits"."""
    hits = counted(rolled.successes, "hit")
    return f"<scores> {hits}" if rolled.successes else "<hits> nothing"
