"""Events: what happened, to which unit, by which rules, and the changes made.

What happened is a record of facts. Each kind of event has a class of its own, a subclass of `Facts`
with the name of the event ("could not disengage" is a `CouldNotDisengage`); all but the few below
are declared by a rule system (`emlia3d.battle.system.System.events`). How a viewer that knows
no rules shows an event is said by its *gesture*.
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
from emlia3d.battle.plain import Number, Whole, is_number
from emlia3d.errors import cut, quoted

Fact: TypeAlias = int | float | str | bool | tuple["Fact", ...] | None

Point: TypeAlias = tuple[Number, Number]
"""A place on the field: east and north, GSU."""

Gesture = Literal["none", "turn", "march", "shoot", "strike", "suffer", "waver", "rally", "vanish"]
"""The look of an event: time passes, a unit moves, shoots at another, strikes another at
arm's length, takes losses, loses morale, gains morale, leaves the field; or nothing to see."""


class Facts(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts of one kind of event.

    The name of a subclass, or its `kind`, is the name of the event. Its docstring says in one
    sentence what happened, and names each fact with its meaning and unit on a line
    "fact : meaning". Facts are plain values (`Fact`). A fact that not every event of the
    kind has is None by default, and then not written to a battle file; so is a fact that a later
    version adds.
    """

    kind: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "kind" not in cls.__dict__:
            cls.kind = re.sub(r"(?<!^)(?=[A-Z])", " ", cls.__name__).lower()

    def are_known_to(self, side: str) -> bool:
        """Return whether a side of this name learns of the event if it knows the units."""
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
    """An event of an unknown kind.

    event : its name
    told : its facts by name, as written
    """

    event: str
    told: Mapping[str, Any] = {}

    @property
    def event_name(self) -> str:
        """The name of the event."""
        return self.event

    def values(self) -> dict[str, Any]:
        """Return the facts by name."""
        return dict(self.told)


class Mustered(Facts, frozen=True):
    """The armies stand where the scenario puts them."""


class Rolled(Facts, frozen=True, kw_only=True):
    """Base of events in which dice are rolled and some succeed.

    dice : number rolled
    modifier : added to each, or to what each must reach
    successes : dice that succeeded; a viewer shows as many hits
    figures : what each of the last rules of the event's `because` adds
    faces : each die as it fell, where the dice are few
    counts : how many dice fell on 1, 2, ... where they are many
    """

    dice: Whole
    modifier: Whole
    successes: Whole
    figures: tuple[Number, ...] | None = None
    faces: tuple[Whole, ...] | None = None
    counts: tuple[Whole, ...] | None = None


class FallOfShot(Facts, frozen=True, kw_only=True):
    """Base of events in which something falls on a circle of ground.

    aimed_at, fell_at : places on the field, GSU
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
    part_of_last : it belongs to the event before it; a viewer does not stop between
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
    """Return the rules to show for an event at a glance: its first, and each with a figure.

    The fact "figures" has a value for each of the last rules of an event. All rules are returned
    if it has none.
    """
    facts = event.facts
    if not isinstance(facts, Rolled) or facts.figures is None:
        return event.because
    with_figures = event.because[max(len(event.because) - len(facts.figures), 1) :]
    return (*event.because[:1], *with_figures)


Kinds: TypeAlias = Mapping[str, Sequence[type[Facts]]]
"""Kinds of event by name."""


def kinds_by_name(kinds: Iterable[type[Facts]]) -> Kinds:
    """Return kinds of event by the names of their events, with the core kinds."""
    found: dict[str, list[type[Facts]]] = {}
    for kind in chain(CORE_EVENTS, kinds):
        found.setdefault(kind.kind, []).append(kind)
    return found


_CORE_KINDS = kinds_by_name(())


def to_json(event: Event) -> dict[str, Any]:
    """Return the event as plain JSON values; what is empty is left out."""
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


class _Body(Struct, forbid_unknown_fields=True):
    """An event as it is written."""

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

    kinds : what may have happened (`kinds_by_name`); by default what may in every battle. Facts
        that fit no kind of that name, as in files of another version, are `Unread`.

    Raises
    ------
    ValueError
        It is no event.
    """
    try:
        read = msgspec.convert(body, _Body)
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


def _read_facts(read: _Body, kinds: Sequence[type[Facts]]) -> Facts:
    for kind in kinds:
        with suppress(msgspec.ValidationError):
            return msgspec.convert(read.facts, kind)
    return Unread(event=read.event, told={key: _fact(told) for key, told in read.facts.items()})


def _fact(value: Any) -> Fact:
    """Return a plain value, lists back to tuples."""
    if isinstance(value, list):
        return tuple(_fact(item) for item in value)
    if value is None or isinstance(value, str | bool) or is_number(value):
        return value
    raise ValueError(f"a fact is a plain value, not {quoted(value)}")
