"""The columns of Epic in the state.

The values of a formation, such as its Shock, are in the row of its leader, even after the leader is
destroyed.
"""

from __future__ import annotations

from enum import IntEnum

from emlia3d.force.table import Column
from emlia3d.rulekit.deployment import WAITS
from emlia3d.rulekit.turn_events import ENDED, PHASE


class Phase(IntEnum):
    """A part of a round."""

    BEFORE = 0
    ACTION = 1
    END = 2
    DEPLOYMENT = 3


NOT_CARRIED = -1
"""Value of the carrier column without a carrier."""

_YES = ("no", "yes")


def _unit(name: str, label: str, words: tuple[str, ...] = ()) -> Column:
    return Column(table="unit", name=name, label=label, words=words)


COLUMNS = (
    _unit("morale", "formation", ("steady", "broken")),
    _unit("shock", "Shock"),
    _unit("overwatch", "on overwatch since round"),
    _unit("acted", "has acted", _YES),
    _unit("marched", "has marched", _YES),
    _unit("aim", "modifier of its shots"),
    _unit("rallied", "has tried to rally", _YES),
    _unit("charged", "has charged", _YES),
    _unit("damage", "damage"),
    _unit("capacity", "capacity for damage"),
    WAITS,
    Column(table="unit", name="carrier", label="carried by", default=NOT_CARRIED),
    Column(table="side", name="destroyed", dtype="f8", label="points lost"),
    PHASE,
    Column(table="battle", name="first", label="acts first"),
    Column(table="battle", name="holder", label="acts next"),
    Column(table="battle", name="may_retain", label="may retain", words=_YES),
    Column(table="battle", name="retained", label="has retained", words=_YES),
    Column(table="battle", name="lost_strategy", label="lost the last strategy roll", default=-1),
    ENDED,
)

THIS_ROUND = ("acted", "marched", "charged", "rallied")
"""Columns of units that are reset at the start of a round."""
