"""A side's plan for a turn: one mission for each of its brigades.

The plan is an order in the battle file: the answer to `ASKS_FOR_PLAN`, in the form that `to_words`
writes. So resume, undo and replay keep it, and a player may give missions instead of orders.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec
from msgspec import Struct

from emlia3d.errors import cut

MissionKind = Literal[
    "hold", "attack", "support", "pin", "flank", "pursue", "screen", "reserve", "withdraw"
]
KINDS: tuple[MissionKind, ...] = get_args(MissionKind)

Spot = tuple[float, float]
"""East and north, GSU."""


class Mission(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Task of a brigade, this turn and until its plan changes.

    brigade : its name
    units : rows of its units, in line from left to right, then those behind the line
    kind : the task
    line : left and right end of the front that it is to form, as seen by its units: a line from
        west to east faces north
    limit : how far beyond its line its units may go for an attack, GSU
    target : row of the enemy unit that it is to attack, pin or pursue
    area : name of the place that it is to take or keep
    """

    brigade: str
    units: tuple[int, ...]
    kind: MissionKind
    line: tuple[Spot, Spot]
    limit: float = 0.0
    target: int | None = None
    area: str = ""


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side's plan.

    name : what it is called, for example "attack on the left"
    missions : one for each brigade, the main effort first
    """

    name: str
    missions: tuple[Mission, ...]

    @property
    def targets(self) -> set[int]:
        """The enemies that missions are aimed at."""
        return {each.target for each in self.missions if each.target is not None}

    def mission_of(self, unit: int) -> Mission | None:
        """Return the mission of a unit's brigade; None for a unit that is in none."""
        return next((each for each in self.missions if unit in each.units), None)


def to_words(plan: Plan) -> str:
    """Return the plan as an order carries it: JSON."""
    return msgspec.json.encode(plan).decode()


def from_words(words: str) -> Plan:
    """Return the plan that `to_words` wrote; ValueError for anything else."""
    try:
        return msgspec.json.decode(words, type=Plan)
    except msgspec.MsgspecError as flaw:
        raise ValueError(f"no plan: {cut(str(flaw))}") from None
