"""Battle reports as passages in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Rank = Literal["title", "turn", "step", "deed", "item"]
"""The kind of a passage: a heading (of the report, of a turn, of a part of a turn), a paragraph, or
a list item."""

Happening: TypeAlias = Order | Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A heading or paragraph of a report.

    turn : the turn that it reports; 0 before the first
    """

    rank: Rank
    text: str
    turn: int


def plain_report(
    moment: Moment, story: Iterable[Happening], say: Callable[[Event], str]
) -> Iterator[Passage]:
    """Yield a report by turns: the title, each turn, and a sentence for each event.

    moment : the battle, in which each event of *story* has just happened when it is yielded
    say : returns a sentence about an event; "" leaves the event out
    """
    yield Passage(rank="title", text=moment.setup.title, turn=0)
    turn = 0
    for one in story:
        if isinstance(one, Order):
            continue
        if moment.state.turn != turn:
            turn = moment.state.turn
            yield Passage(rank="turn", text=f"Turn {turn}", turn=turn)
        text = say(one)
        if text:
            yield Passage(rank="deed", text=text, turn=turn)
