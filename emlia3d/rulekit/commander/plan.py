"""A side's plan for a turn: one mission for each of its brigades.

The plan is an order in the battle file: the answer to `ASKS_FOR_PLAN`, in the form that `to_words`
writes. Therefore resume, undo and replay keep it, and a player can give missions instead of orders.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec
from msgspec import Struct

from emlia3d.errors import cut

MissionKind = Literal[
    "hold",
    "attack",
    "support",
    "pin",
    "flank",
    "pursue",
    "screen",
    "reserve",
    "withdraw",
    "assault",
]
KINDS: tuple[MissionKind, ...] = get_args(MissionKind)

Spot = tuple[float, float]
"""East and north, GSU."""


class Mission(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The mission of a brigade in this turn and until its plan changes.

    brigade : its name
    units : rows of its units in line from left to right, then of those behind the line
    kind : the task
    line : left and right end of the front that it should form, as seen by its units: a line from
        west to east faces north
    limit : how far beyond its line its units can go for an attack, GSU
    target : row of the enemy unit that it should attack, pin or pursue
    area : name of the position that it should take or hold
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

    name : in words, for example "attack on the left"
    missions : one for each brigade, the main effort first
    """

    name: str
    missions: tuple[Mission, ...]

    @property
    def targets(self) -> set[int]:
        """The enemies that are targets of missions."""
        return {each.target for each in self.missions if each.target is not None}

    def mission_of(self, unit: int) -> Mission | None:
        """Return the mission that contains a unit; None if no mission does."""
        return next((each for each in self.missions if unit in each.units), None)

    def has_assault_of(self, unit: int) -> bool:
        """Return whether the mission of a unit is an assault."""
        mission = self.mission_of(unit)
        return mission is not None and mission.kind == "assault"


def to_words(plan: Plan) -> str:
    """Return the plan as JSON text, for an order."""
    return msgspec.json.encode(plan).decode()


def from_words(words: str) -> Plan:
    """Parse the text of `to_words`; raise ValueError for any other text."""
    try:
        return msgspec.json.decode(words, type=Plan)
    except msgspec.MsgspecError as flaw:
        raise ValueError(f"no plan: {cut(str(flaw))}") from None
