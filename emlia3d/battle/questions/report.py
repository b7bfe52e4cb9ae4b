"""A battle told as a report: passages in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

Rank = Literal["title", "turn", "step", "deed", "item"]
"""What a passage is: a heading (of all, of a turn, of a part of one), a paragraph, or one of a
list."""

Happening: TypeAlias = Order | Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A heading or a paragraph of a report.

    turn : in which it is; 0 before the first
    """

    rank: Rank
    text: str
    turn: int


@runtime_checkable
class Chronicler(Protocol):
    """A rule system that tells a battle as a report."""

    def chronicle(
        self, battle: Battle, story: Iterable[Happening], *, dice: bool
    ) -> Iterator[Passage]:
        """The report, told as the story goes on.

        battle : as it is when each event of the story has just happened
        story : orders and events, each order before what came of it
        dice : whether dice and modifiers are told too

        Raises ValueError for an event that does not say what one of its name should.
        """
        ...
