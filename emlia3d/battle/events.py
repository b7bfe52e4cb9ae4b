"""Events: what happened, to whom, by which rules, and the changes that it made.

An event's name is its rule system's own ("fired", "routed"); its facts are all that is needed
to explain it. How a viewer that knows no rules shows it is said by its *gesture*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from emlia3d.battle import changes as _changes
from emlia3d.battle.changes import Change

Fact: TypeAlias = int | float | str | bool | None | tuple["Fact", ...]

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
        raise ValueError(f"an event has no {', '.join(sorted(set(body) - known))}")
    gesture = body.get("gesture", "none")
    if gesture not in get_args(Gesture):
        raise ValueError(f"no gesture is called {gesture!r}")
    return Event(
        name=str(body["event"]),
        unit=body.get("unit"),
        target=body.get("target"),
        gesture=gesture,
        facts={name: _fact(value) for name, value in body.get("facts", {}).items()},
        because=tuple(body.get("because", ())),
        changes=tuple(_changes.from_json(change) for change in body.get("changes", ())),
        part_of_last=bool(body.get("part_of_last", False)),
    )


def _fact(value: Any) -> Fact:
    """Lists back to tuples."""
    return tuple(_fact(item) for item in value) if isinstance(value, list) else value
