"""Emlia, chapters 8 and 9 as play: which rules bore on the beginning and end of an activation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.changes import Append, Change, Pair
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.prepared_notes import prepared_notes_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def begun_because(moment: Moment, unit: int, changes: Sequence[Change]) -> Iterator[str]:
    """Yield the rules that bear on an activation as it begins, with the changes of that moment."""
    units, step = moment.state.units, moment.state.battle.integer("step", 0)
    yield "emlia.gloss.activation"
    if units.integer("timing", unit) < step:
        yield "emlia.orders.initiative-early"
    elif _others_wait(moment, unit, step):
        yield "emlia.time.order-in-step"
    timings = {situation_of(moment).entry(part).timing for part in parts_of(moment, unit)}
    if len(timings) > 1:
        yield "emlia.mixed.timing"
    if units.value("delayed", unit):
        yield "emlia.activate.delay-counts"
    if units.value("strike_owed", unit):
        yield "emlia.freestrike.cost"
    if units.value("disordered", unit):
        yield "emlia.disorder.effect"
    if any(isinstance(change, Append) and change.table == "note" for change in changes):
        yield "emlia.morale.activation-moment"
    if any(slip.unit == unit for slip in prepared_notes_of(moment)):
        yield "emlia.prepare.expiry"


def _others_wait(moment: Moment, unit: int, step: int) -> bool:
    """Return whether another side has a unit of this timing that has not activated."""
    units = moment.state.units
    waiting = (units.ints("present") != 0) & (units.ints("activated") == 0)
    others = units.ints("side") != units.integer("side", unit)
    due = (units.ints("timing") >= step) & (units.ints("parent") < 0)
    return bool(np.any(waiting & others & due))


def ended_because(moment: Moment, unit: int, changes: Sequence[Change]) -> Iterator[str]:
    """Yield the rules that bear on an activation as it ends, with the changes of that moment."""
    units = moment.state.units
    if any(isinstance(change, Append) and change.table == "note" for change in changes):
        yield "emlia.melee.outnumber"
    if any(isinstance(change, Pair) and change.column == "acquired" for change in changes):
        yield "emlia.aware.state"
    if units.value("aligned", unit):
        yield "emlia.align.cost"
