"""Positions of models, contact, leaders and command."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import numpy as np

from emlia3d.battle.changes import Change, set_cells
from emlia3d.battle.decisions import Order, Procedure, decision_of
from emlia3d.battle.derived import Columns, Derived, FigureSource
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Setup
from emlia3d.geometry.arrays import Floats
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Turn
from emlia3d.rules.runolfsson.core import SLACK, TOUCH, is_within
from emlia3d.rules.runolfsson.events import NewLeader
from emlia3d.rules.runolfsson.terrain import is_parted, terrain_of
from emlia3d.rules.runolfsson.unit_set import Entry


class Models:
    """All models in their current positions.

    spots : (units, 2) float64, centres of bases, inches
    radius : (units,) float64
    there, side : (units,) whether each is on the field, and its side
    """

    def __init__(self, moment: Moment) -> None:
        units, figures = moment.state.units, moment.state.figures
        first = units.ints("first")
        self.spots: Floats = np.column_stack((figures.floats("x"), figures.floats("y")))[first]
        self.radius: Floats = units.floats("width") / 2
        self.there = units["present"] != 0
        self.side = units.ints("side").copy()

    def spot(self, unit: int) -> tuple[float, float]:
        """Return the centre of the base of a model."""
        x, y = self.spots[unit].tolist()
        return x, y

    def gap(self, one: int, other: int) -> float:
        """Return the gap between the bases of two models, inches."""
        (x, y), (u, v) = self.spot(one), self.spot(other)
        return hypot(x - u, y - v) - float(self.radius[one] + self.radius[other])

    def gaps(self, unit: int, spot: tuple[float, float] | None = None) -> Floats:
        """Return (units,) gaps between a model, at any position, and all models."""
        way = self.spots - (self.spots[unit] if spot is None else spot)
        off: Floats = np.hypot(way[:, 0], way[:, 1]) - self.radius - self.radius[unit]
        return off

    def foes(self, unit: int) -> list[int]:
        """Return the hostile models on the field."""
        return np.flatnonzero(self.there & (self.side != self.side[unit])).tolist()

    def of_side(self, side: int) -> list[int]:
        """Return the models of a side that are on the field."""
        return np.flatnonzero(self.there & (self.side == side)).tolist()


models_of = Derived(FigureSource(), Columns("present", "first", "side", "width"), make=Models)


def entry_of(setup: Setup, unit: int) -> Entry:
    """Return a model's entry in its unit set."""
    entry = setup.units[unit].entry
    assert isinstance(entry, Entry)
    return entry


def is_mindless(moment: Moment, unit: int) -> bool:
    """Return whether a model behaves as mindless in this turn."""
    slaughter = moment.state.battle.integer("kind", 0) == Turn.SENSELESS_SLAUGHTER
    return slaughter and not moment.state.units.value("free", unit)


def touching(moment: Moment, unit: int) -> list[int]:
    """Return the hostile models in contact with a model, without a tree between them."""
    models = models_of(moment)
    near = models.gaps(unit) <= TOUCH + SLACK
    trees = terrain_of(moment).trees
    spot = models.spot(unit)
    return [
        foe
        for foe in np.flatnonzero(near & models.there & (models.side != models.side[unit])).tolist()
        if not is_parted(spot, models.spot(foe), trees)
    ]


def nearest_foe(moment: Moment, unit: int) -> int | None:
    """Return the nearest hostile model; None if there is none."""
    gaps, foes = models_of(moment).gaps(unit), models_of(moment).foes(unit)
    return min(foes, key=lambda foe: (gaps[foe], foe), default=None)


def is_foe_within(moment: Moment, unit: int, limit: float) -> bool:
    """Return whether a hostile model is within a distance of a model."""
    gaps = models_of(moment).gaps(unit)
    return any(is_within(float(gaps[foe]), limit) for foe in models_of(moment).foes(unit))


# Units and their leaders


def is_character(setup: Setup, unit: int) -> bool:
    """Return whether a model is an individual character."""
    return entry_of(setup, unit).character


def unit_of(setup: Setup, unit: int) -> list[int]:
    """Return all models of a model's unit at the start of the game."""
    head = setup.leader_of(unit)
    return sorted((head, *setup.followers_of(head)))


def members_of(moment: Moment, unit: int) -> list[int]:
    """Return the models of the unit of a model that are on the field."""
    there = models_of(moment).there
    return [row for row in unit_of(moment.setup, unit) if there[row]]


@rule("runolfsson.leader.designate")
def first_leaders(setup: Setup) -> list[int]:
    """Return the leader of each model at the start; -1 for individual characters."""
    return [
        -1 if is_character(setup, unit) else setup.leader_of(unit)
        for unit in range(len(setup.units))
    ]


@rule("runolfsson.leader.replace")
def replace_leader(moment: Moment, unit: int) -> Procedure[None]:
    """Ask the player for another leader of a unit whose leader is lost or marked."""
    members, units = members_of(moment, unit), moment.state.units
    others = [row for row in members if row != unit]
    if units.integer("leader", unit) != unit or not others:
        return
    keep = (Order(verb="keep leader", unit=unit),)
    options = (*(Order(verb="name leader", unit=unit, target=row) for row in others), *keep)
    order = yield decision_of(moment, unit, "runolfsson.leader.replace", options)
    if order.target is None:
        return
    yield Event(
        facts=NewLeader(),
        unit=order.target,
        target=unit,
        because=("runolfsson.leader.replace",),
        changes=tuple(
            change
            for row in unit_of(moment.setup, unit)
            for change in set_cells("unit", row, leader=order.target)
        ),
    )


# Command


@rule("runolfsson.command.out")
def is_in_command(moment: Moment, unit: int) -> bool:
    """Return whether a model is in command at its position."""
    if is_character(moment.setup, unit):
        return True
    models, leader = models_of(moment), moment.state.units.integer("leader", unit)
    radius = entry_of(moment.setup, unit).command_radius
    # A leader is at a negative gap from itself, so it is in command.
    return bool(models.there[leader]) and is_within(models.gap(unit, leader), radius)


@rule("runolfsson.command.check-times")
def judge_command(moment: Moment, sides: Sequence[int]) -> list[Change]:
    """Return the changes that update command control of sides at this moment."""
    models, units = models_of(moment), moment.state.units
    return [
        change
        for side in sides
        for unit in models.of_side(side)
        if (now := is_in_command(moment, unit)) != bool(units.value("in_command", unit))
        for change in set_cells("unit", unit, in_command=int(now))
    ]


@rule("runolfsson.command.half-speed")
def speed_in_command(move: float, in_command: bool, to_the_leader: bool) -> float:
    """Return the inches that a model can move: half if out of command, except leaders."""
    return move if in_command or to_the_leader else move / 2


@rule("runolfsson.command.attack-minus")
def attack_command_modifier(in_command: bool) -> int:
    """Return the modifier of each attack die."""
    return 0 if in_command else -1


@rule("runolfsson.command.morale-minus")
def morale_command_modifier(in_command: bool) -> int:
    """Return the modifier of an individual morale die."""
    return 0 if in_command else -1
