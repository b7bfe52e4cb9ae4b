"""The columns of Oathmark in the state."""

from __future__ import annotations

from enum import IntEnum

from emlia3d.force.table import Column
from emlia3d.rulekit.commander import plan_record
from emlia3d.rulekit.deployment import WAITS
from emlia3d.rulekit.turn_events import ENDED, PHASE


class Phase(IntEnum):
    """A part of a turn."""

    BEFORE = 0
    LOOP = 1
    DEPLOYMENT = 2


_YES = ("no", "yes")

COLUMNS = (
    Column(table="unit", name="disordered", label="disordered", words=_YES),
    Column(table="unit", name="wounds", label="wounds of the next figure to fall"),
    Column(table="unit", name="crew", label="crew"),
    WAITS,
    Column(table="unit", name="activated", label="activated in this turn", words=_YES),
    Column(table="side", name="lost", dtype="f8", label="points lost"),
    PHASE,
    Column(table="battle", name="to_act", label="acts next"),
    ENDED,
    *plan_record.COLUMNS,
)
