"""The key events of a battle, which people look for afterwards."""

from __future__ import annotations

from typing import Literal, get_args

from emlia3d.battle.events import Gesture

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
"""The default kind of key event by gesture, for systems that do not define one."""
