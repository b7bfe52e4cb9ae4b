"""The turning points of a battle, which people look for in it afterwards."""

from __future__ import annotations

from typing import Literal, get_args

from emlia3d.battle.events import Gesture

Highlight = Literal[
    "volley", "charge", "melee", "push", "rout", "leader", "destroyed", "gone", "arrival"
]
"""A kind of event: shots, a charge, blows at arm's length, a unit pushed back, a unit that begins
to flee, one that has lost its leader, one wiped out or taken, one that leaves the field, one that
comes onto it."""

HIGHLIGHTS: tuple[Highlight, ...] = get_args(Highlight)

BY_GESTURE: dict[Gesture, Highlight] = {"shoot": "volley", "strike": "melee", "vanish": "gone"}
"""The highlight of an event whose rules do not name one."""
