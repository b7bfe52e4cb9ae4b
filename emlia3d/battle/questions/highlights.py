"""The key events of a battle, which people look for afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from emlia3d.battle.events import Event, Gesture

Highlight = Literal[
    "volley", "charge", "melee", "push", "rout", "leader", "destroyed", "gone", "arrival"
]
"""A kind of key event: shots, a charge, a melee, a unit pushed back, a unit that begins to flee,
one that loses its leader, one destroyed or captured, one that leaves the field, one that enters."""

HIGHLIGHTS: tuple[Highlight, ...] = get_args(Highlight)

HIGHLIGHT_WORDS: dict[Highlight, str] = {
    "volley": "shots",
    "charge": "charge",
    "melee": "close combat",
    "push": "pushed back",
    "rout": "rout",
    "leader": "leader lost",
    "destroyed": "destroyed",
    "gone": "off the field",
    "arrival": "arrival",
}
"""The name of each kind in words."""

BY_GESTURE: dict[Gesture, Highlight] = {"shoot": "volley", "strike": "melee", "vanish": "gone"}
"""The kind of key event by gesture, if the facts of an event do not say."""


def key_events(event: Event) -> tuple[Highlight, ...]:
    """Return the kind of key event that an event is by its facts or gesture; () for most."""
    kind = event.facts.highlight() or BY_GESTURE.get(event.gesture)
    return () if kind is None else (kind,)
