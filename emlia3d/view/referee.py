"""What only a rule system can say, handed to the view as plain functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.events import Event
from emlia3d.battle.questions.answer import Answer
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.battle.questions.ranges import Range
from emlia3d.battle.state import State

Tell: TypeAlias = Callable[[Event, State], str]
"""An event in a sentence, from the event and the battle after it; "" for one not worth telling."""

Card: TypeAlias = Callable[[int, State], Sequence[tuple[str, str]]]
"""A unit as (label, value) rows."""

Ask: TypeAlias = Callable[[int, int, State], Answer]
"""What one unit sees of another as the battle stands; Error where the rules have no answer."""


@dataclass(frozen=True, slots=True)
class Lookout:
    """Who looks over the ground, and how it is found out what he sees.

    unit : by row, from where it stands; None for a man at *place*, GSU
    by_rules : by the rules of the battle, or else by straight lines past ground and bodies
    """

    unit: int | None
    place: tuple[float, float] = (0.0, 0.0)
    by_rules: bool = True


Survey: TypeAlias = Callable[[Lookout, NDArray[np.float64], float, State], NDArray[np.uint8]]
"""How much of a figure of some height is concealed at each of many places (n, 2) in GSU.

(n,) uint8: 0 nothing, 1 a part, 2 all of it; as seen by a lookout of the battle as it stands.
"""


Ranges: TypeAlias = Callable[[int, State], tuple[Range, ...]]
"""How far a unit can act as the battle stands."""

Grounds: TypeAlias = Callable[[int, State], Iterator[BaseGeometry]]
"""The ground on which a unit may end a move, GSU: a little more of it each time it is asked on.

Asked about anything else, it goes on no more.
"""

Known: TypeAlias = Callable[[int, State], State]
"""What a side knows of the battle as it stands, as a state of its own."""

Highlights: TypeAlias = Callable[[Event], Sequence[Highlight]]
"""What kinds of turning point an event is."""

Contacts: TypeAlias = Callable[[State], Sequence[tuple[int, int]]]
"""Who is at close quarters: (unit, enemy that it can strike)."""

Aware: TypeAlias = Callable[[int, int, State], bool]
"""Whether one unit knows of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Referee:
    """Everything that is asked of the rules; what is None is not known.

    known : what a side knows
    look_through : from now on all but `tell` is asked about states that this side knows, or with
        None about true ones; and of another course of the battle than before
    """

    tell: Tell | None = None
    card: Card | None = None
    sight: Ask | None = None
    survey: Survey | None = None
    ranges: Ranges | None = None
    grounds: Grounds | None = None
    known: Known | None = None
    highlights: Highlights | None = None
    contacts: Contacts | None = None
    aware: Aware | None = None
    look_through: Callable[[int | None], None] | None = None


NOBODY = Referee()
"""There are no rules here."""
