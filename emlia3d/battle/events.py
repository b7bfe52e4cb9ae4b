"""Events: what happened, to whom, by which rules, and the changes that it made.

An event's name is its rule system's own ("fired", "routed"); its facts are all that is needed
to explain it. How a viewer that knows no rules shows it is said by its *gesture*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from emlia3d.battle import changes as _changes
from emlia3d.battle.changes import Change
from emlia3d.battle.plain import is_number, is_row
from emlia3d.errors import cut, quoted

P = TypeVar("P")

Fact: TypeAlias = int | float | str | bool | tuple["Fact", ...] | None

Gesture = Literal["none", "turn", "march", "shoot", "strike", "suffer", "waver", "rally", "vanish"]
"""What an event looks like: time passes, a unit moves, shoots at another, strikes another at
arm's length, takes losses, loses heart, gains heart, leaves the field; or nothing to see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened.

    unit : who did it, or to whom it happened; None where no unit is meant
    target : the other unit, where there is one
    facts : names and plain values
    because : slugs of the rules that made it so, in the order in which they bore
    part_of_last : it belongs to the event before it; a viewer does not stop between
    """

    name: str
    unit: int | None = None
    target: int | None = None
    gesture: Gesture = "none"
    facts: Mapping[str, Fact] = field(default_factory=dict)
    because: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    part_of_last: bool = False


def chief_rules(event: Event) -> tuple[str, ...]:
    """Return the rules to show for an event at a glance: its first, and each with a figure.

    The fact "figures" has a value for each of the last rules of an event. All rules are returned
    if it has none.
    """
    figures = event.facts.get("figures")
    if not isinstance(figures, tuple):
        return event.because
    with_figures = event.because[max(len(event.because) - len(figures), 1) :]
    return (*event.because[:1], *with_figures)


def to_json(event: Event) -> dict[str, Any]:
    """The event as plain JSON values; what is empty is left out."""
    body: dict[str, Any] = {"event": event.name}
    for name in ("unit", "target"):
        if getattr(event, name) is not None:
            body[name] = getattr(event, name)
    if event.gesture != "none":
        body["gesture"] = event.gesture
    if event.facts:
        body["facts"] = dict(event.facts)
    if event.because:
        body["because"] = list(event.because)
    if event.changes:
        body["changes"] = [_changes.to_json(change) for change in event.changes]
    if event.part_of_last:
        body["part_of_last"] = True
    return body


def from_json(body: Mapping[str, Any]) -> Event:
    """The event that `to_json` wrote; ValueError for anything else."""
    known = {"event", "unit", "target", "gesture", "facts", "because", "changes", "part_of_last"}
    if set(body) - known:
        raise ValueError(f"an event has no {cut(', '.join(sorted(set(body) - known)))}")
    gesture = body.get("gesture", "none")
    if gesture not in get_args(Gesture):
        raise ValueError(f"no gesture is called {quoted(gesture)}")
    if not isinstance(body.get("event"), str):
        raise ValueError(f"an event has a name, not {quoted(body.get('event'))}")
    for name in ("unit", "target"):
        if not is_row(body.get(name)):
            raise ValueError(
                f"the {name} of an event is the number of a unit, not {quoted(body[name])}"
            )
    because: list[Any] = _part(body, "because", [])
    if not all(isinstance(slug, str) for slug in because):
        raise ValueError(f"an event is because of slugs, not of {quoted(because)}")
    facts: dict[str, Any] = _part(body, "facts", {})
    made: list[Any] = _part(body, "changes", [])
    return Event(
        name=body["event"],
        unit=body.get("unit"),
        target=body.get("target"),
        gesture=gesture,
        facts={name: _fact(value) for name, value in facts.items()},
        because=tuple(because),
        changes=tuple(_changes.from_json(change) for change in made),
        part_of_last=_part(body, "part_of_last", False),
    )


def _part(body: Mapping[str, Any], name: str, empty: P) -> P:
    """A part of an event that may be left out where it is *empty*."""
    part: P = body.get(name, empty)
    if type(part) is not type(empty):
        raise ValueError(f"the {name} of an event cannot be {quoted(part)}")
    return part


def _fact(value: Any) -> Fact:
    """A plain value, lists back to tuples."""
    if isinstance(value, list):
        return tuple(_fact(item) for item in value)
    if value is None or isinstance(value, str | bool) or is_number(value):
        return value
    raise ValueError(f"a fact is a plain value, not {quoted(value)}")
