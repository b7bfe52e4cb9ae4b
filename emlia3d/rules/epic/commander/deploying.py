"""Deployment of the AI: slow formations first, each near its own objective."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.commander.places import CROWD, goal_of
from emlia3d.rules.epic.core import tiles_apart
from emlia3d.rules.epic.formations import kind_of, units_of
from emlia3d.rules.epic.movement import MoveEnds
from emlia3d.rules.epic.terrain import terrain_of
from emlia3d.rules.epic.unit_set import game_of

COVER = 1.5
"""Extra distance from its goal that cover is worth, tiles."""


def deploy(moment: Moment, decision: Decision) -> Order:
    """Return the formation to deploy, or the position of one of its units."""
    if decision.unit is None:
        return _slowest(moment, decision)
    assert isinstance(decision.validator, MoveEnds)
    return _place(moment, decision.unit, decision.validator)


def _slowest(moment: Moment, decision: Decision) -> Order:
    def speed(order: Order) -> tuple[int, int]:
        assert order.unit is not None
        rows = (order.unit, *moment.setup.followers_of(order.unit))
        # Passengers are as fast as their carriers.
        return max(kind_of(moment, row).speed for row in rows), order.unit

    why = "it is slow; faster formations deploy later, when more of the enemy is known"
    return replace(min(decision.options, key=speed), why=why)


def _place(moment: Moment, unit: int, ends: MoveEnds) -> Order:
    """Return the order to deploy as near as possible to an objective of few other formations."""
    units, objectives = units_of(moment), game_of(moment.setup).objectives
    verb = f"{ends.verb} all" if ends.rest else ends.verb
    if not objectives:
        return replace(ends.to(ends.front, verb), why="the front of the strip")
    taken = Counter(goal_of(moment, each) for each in units.formations(int(units.side[unit])))
    tiles = units.board.tiles[ends.allowed]
    gaps = tiles_apart(tiles[:, None, :], np.array(objectives)[None, :, :])
    crowd = [CROWD * taken[each] for each in objectives]
    goal = int((gaps.min(axis=0) + crowd).argmin())
    covered = terrain_of(moment).cover[ends.allowed] & (kind_of(moment, unit).unit_type == "INF")
    best = int(ends.allowed[np.lexsort((ends.allowed, gaps[:, goal] - COVER * covered))[0]])
    q, r = objectives[goal]
    return replace(ends.to(best, verb), why=f"near the objective at {q},{r}")
