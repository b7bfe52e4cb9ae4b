"""The knowledge that a side plans with: its units, the known enemies, and the places that count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from shapely.geometry.base import BaseGeometry

from emlia3d.rulekit.commander.bodies import Body
from emlia3d.rulekit.commander.frame import Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """A place that decides a victory condition.

    worth : 1 for the lowest level of victory that it decides, one more for each higher level;
        the sum over all conditions that it decides
    takes : the side's own conditions ask for it; otherwise it is only to be denied to the enemy
    """

    name: str
    outline: BaseGeometry
    worth: float
    takes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Brigade:
    """Units that have one mission."""

    name: str
    units: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """Knowledge of a side at the beginning of a turn.

    frame : looks the way in which the side fights
    holds : the side keeps what it has and goes no farther
    size : of the field, GSU
    """

    own: tuple[Body, ...]
    foes: tuple[Body, ...]
    brigades: tuple[Brigade, ...]
    objectives: tuple[Objective, ...]
    frame: Frame
    turn: int
    turns: int
    holds: bool
    size: tuple[float, float]

    @cached_property
    def by_unit(self) -> dict[int, Body]:
        """The side's units by row."""
        return {body.unit: body for body in self.own}

    @cached_property
    def standing(self) -> tuple[Body, ...]:
        """The known enemies that neither retreat nor lead; if none stands, all but leaders."""
        fighting = tuple(foe for foe in self.foes if foe.role != "leader")
        return tuple(foe for foe in fighting if not foe.is_broken) or fighting
