"""Events: the facts, the units, the rules that decided them, and the changes made.

Each kind of event has its own subclass of `Facts`, which bears the name of the event ("could not
disengage" is a `CouldNotDisengage`). A rule system declares all kinds except the few below
(`emlia3d.battle.system.System.events`). The *gesture* of an event determines how a viewer without
rules shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Struct

from emlia3d.battle import changes as _changes
from emlia3d.battle.changes import Change
from emlia3d.battle.plain_values import Number, Whole, is_number
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.errors import cut, quoted

Fact: TypeAlias = int | float | str | bool | tuple["Fact", ...] | None

Point: TypeAlias = tuple[Number, Number]
"""A point on the field: east and north, GSU."""

Gesture = Literal["none", "turn", "march", "shoot", "strike", "suffer", "waver", "rally", "vanish"]
"""The look of an event: nothing visible, time passes, a unit moves, shoots at another, strikes
another at close quarters, takes losses, loses morale, gains morale, or leaves the field."""


class Facts(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts of one kind of event.

    The class name of a subclass, or its `kind`, is the name of the event. Its docstring states in
    one sentence what happened, and gives each fact a line "fact : meaning", with the unit. Facts
    are plain values (`Fact`). An optional fact, or one that a later version adds, is None by
    default. A battle file then omits it.
    A short log leaves out events whose kind is `routine`. A `key_event` is the kind of key event
    that each event of this kind is.
    """

    kind: ClassVar[str] = ""
    routine: ClassVar[bool] = False
    key_event: ClassVar[Highlight | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" not in cls.__dict__:
            cls.kind = re.sub(r"(?<!^)(?=[A-Z])", " ", cls.__name__).lower()

    def highlight(self) -> Highlight | None:
        """Return the kind of key event that it is; None to let the gesture decide."""
        return self.key_event

    def are_known_to(self, side: str) -> bool:
        """Return whether the side called *side* learns of the event if it knows the units."""
        return True

    @property
    def event_name(self) -> str:
        """The name of the event."""
        return self.kind

    def values(self) -> dict[str, Any]:
        """Return the facts by name; optional ones that are None are left out."""
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        optional = _optional(type(self))
        return {
            name: value for name, value in told.items() if value is not None or name not in optional
        }


@cache
def _optional(kind: type[Facts]) -> frozenset[str]:
    """Return the names of the optional facts."""
    return frozenset(field.name for field in msgspec.structs.fields(kind) if field.default is None)


class Unread(Facts, frozen=True):
    """Facts of an event of an unknown kind.

    event : the name of the event
    facts : the facts by name, as written
    """

    event: str
    facts: Mapping[str, Any] = {}

    @property
    def event_name(self) -> str:
        """The name of the event."""
        return self.event

    def values(self) -> dict[str, Any]:
        """Return the facts by name."""
        return dict(self.facts)


class Mustered(Facts, frozen=True):
    """The armies are deployed as in the scenario."""


class Rolled(Facts, frozen=True, kw_only=True):
    """Base of events in which dice are rolled and some succeed.

    dice : number of dice
    modifier : number that is added to each die, or to the value that each die must reach
    successes : number of dice that succeeded; pictures show this number of hits
    figures : modifiers by each of the last rules of the event's `because`
    faces : result of each die, for a small number of dice
    counts : numbers of dice with the results 1, 2, ..., for a large number of dice
    line : both ends of a line on the field that explains the result, GSU; pictures show it
    """

    dice: Whole
    modifier: Whole
    successes: Whole
    figures: tuple[Number, ...] | None = None
    faces: tuple[Whole, ...] | None = None
    counts: tuple[Whole, ...] | None = None
    line: tuple[Point, Point] | None = None


class FallOfShot(Facts, frozen=True, kw_only=True):
    """Base of events in which something falls on a circle of ground.

    aimed_at : the point at which the unit aimed, GSU
    fell_at : centre of the circle, GSU
    coverage : diameter of the circle, GSU
    """

    aimed_at: Point
    fell_at: Point
    coverage: Number


CORE_EVENTS: tuple[type[Facts], ...] = (Mustered,)
"""The kinds of event of every battle."""


class Event(Struct, frozen=True, kw_only=True):
    """One thing that happened.

    unit : the unit that acted or is affected; None without a unit
    target : the other unit, if any
    others : units that act together with `unit`, in the order that the rules give them
    because : slugs of the rules that decided it, in the order of their use
    part_of_last : whether it belongs to the event before it, so that a viewer does not stop between
        the two
    """

    facts: Facts
    unit: int | None = None
    target: int | None = None
    others: tuple[int, ...] = ()
    gesture: Gesture = "none"
    because: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    part_of_last: bool = False

    @property
    def actors(self) -> tuple[int, ...]:
        """The units that act: `unit`, then the others."""
        return self.others if self.unit is None else (self.unit, *self.others)

    @property
    def named(self) -> tuple[int, ...]:
        """The units that the event names: `actors`, then its target."""
        return self.actors if self.target is None else (*self.actors, self.target)

    @property
    def name(self) -> str:
        """The name of the event, its rule system's own ("fired", "routed")."""
        return self.facts.event_name


def chief_rules(event: Event) -> tuple[str, ...]:
    """Return the rules for a short display of an event: the first, and each rule with a value.

    The fact "figures" has a value for each of the last rules of an event. Without that fact, return
    all rules.
    """
    facts = event.facts
    if not isinstance(facts, Rolled) or facts.figures is None:
        return event.because
    with_figures = event.because[max(len(event.because) - len(facts.figures), 1) :]
    return (*event.because[:1], *with_figures)


Kinds: TypeAlias = Mapping[str, Sequence[type[Facts]]]
"""Kinds of event by name."""


def kinds_by_name(kinds: Iterable[type[Facts]]) -> Kinds:
    """Return these kinds of event and the core kinds, by the names of their events."""
    found: dict[str, list[type[Facts]]] = {}
    for kind in chain(CORE_EVENTS, kinds):
        found.setdefault(kind.kind, []).append(kind)
    return found


_CORE_KINDS = kinds_by_name(())


def to_json(event: Event) -> dict[str, Any]:
    """Return the event as plain JSON values, without empty fields."""
    body: dict[str, Any] = {"event": event.name}
    for name in ("unit", "target"):
        if getattr(event, name) is not None:
            body[name] = getattr(event, name)
    if event.others:
        body["others"] = list(event.others)
    if event.gesture != "none":
        body["gesture"] = event.gesture
    if facts := event.facts.values():
        body["facts"] = facts
    if event.because:
        body["because"] = list(event.because)
    if event.changes:
        body["changes"] = [_changes.to_json(change) for change in event.changes]
    if event.part_of_last:
        body["part_of_last"] = True
    return body


class _EventLine(Struct, forbid_unknown_fields=True):
    """Event in a battle file."""

    event: str
    unit: Whole | None = None
    target: Whole | None = None
    others: tuple[Whole, ...] = ()
    gesture: Gesture = "none"
    facts: dict[str, Any] = {}
    because: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    part_of_last: bool = False


def from_json(body: Any, kinds: Kinds | None = None) -> Event:
    """Return the event that `to_json` wrote.

    kinds : the possible kinds of event (`kinds_by_name`); by default the core kinds. Facts that fit
        no kind of that name, such as facts of another version's file, become `Unread`.

    Raises
    ------
    ValueError
        If *body* is not an event.
    """
    try:
        read = msgspec.convert(body, _EventLine)
    except msgspec.ValidationError as flaw:
        raise ValueError(f"no event: {cut(str(flaw))}") from None
    return Event(
        facts=_read_facts(read, (_CORE_KINDS if kinds is None else kinds).get(read.event, ())),
        unit=read.unit,
        target=read.target,
        others=read.others,
        gesture=read.gesture,
        because=read.because,
        changes=read.changes,
        part_of_last=read.part_of_last,
    )


def _read_facts(read: _EventLine, kinds: Sequence[type[Facts]]) -> Facts:
    for kind in kinds:
        with suppress(msgspec.ValidationError):
            return msgspec.convert(read.facts, kind)
    return Unread(event=read.event, facts={key: _fact(value) for key, value in read.facts.items()})


def _fact(value: Any) -> Fact:
    """Return a plain value from JSON, with tuples for lists; raise ValueError for other values."""
    if isinstance(value, list):
        return tuple(_fact(item) for item in value)
    if value is None or isinstance(value, str | bool) or is_number(value):
        return value
    raise ValueError(f"expected a plain value as a fact, got {quoted(value)}")
