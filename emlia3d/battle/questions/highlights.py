"""What one looks for in a battle afterwards, and who fights and knows whom at a moment of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, get_args, runtime_checkable

from emlia3d.battle.events import Event

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

Highlight = Literal[
    "volley", "charge", "melee", "push", "rout", "leader", "destroyed", "gone", "arrival"
]
"""A kind of event: shots, a charge, blows at arm's length, a unit pushed back, a unit that begins
to flee, one that has lost its leader, one wiped out or taken, one that leaves the field, one that
comes onto it."""

HIGHLIGHTS: tuple[Highlight, ...] = get_args(Highlight)


@runtime_checkable
class Highlighter(Protocol):
    """A rule system that knows its turning points."""

    def highlights(self, event: Event) -> tuple[Highlight, ...]:
        """What kinds of turning point an event is; () for most."""
        ...

    def contacts(self, battle: Battle) -> Sequence[tuple[int, int]]:
        """Who is at close quarters as the battle stands: (unit, enemy that it can strike)."""
        ...

    def is_aware(self, battle: Battle, observer: int, observed: int) -> bool:
        """Whether one unit knows of another as the battle stands."""
        ...
