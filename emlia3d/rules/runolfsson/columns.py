"""The columns of Runolfsson in the state."""

from __future__ import annotations

from enum import IntEnum

from emlia3d.force.table import Column
from emlia3d.rulekit.turn_events import ENDED, PHASE


class Phase(IntEnum):
    """A phase of a turn; 6, which the rulebook lacks, is the effects of the stationary attack."""

    BEFORE = 0
    INITIATIVE = 1
    FIRST_MOVE = 2
    SECOND_MOVE = 3
    SPECIALS = 4
    STATIONARY = 5
    MORALE_ONE = 7
    MOVING = 8
    MORALE_TWO = 9
    END = 10

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.lower().replace("_", " ")


class Marker(IntEnum):
    """The morale marker of a model."""

    NONE = 0
    PINNED = 1
    ROUTED = 2


class Turn(IntEnum):
    """A kind of turn: normal, or a choice of super initiative."""

    NORMAL = 0
    MAD_MINUTE = 1
    RUSH = 2
    HEAT_OF_BATTLE = 3
    HURRY_UP_AND_WAIT = 4
    SENSELESS_SLAUGHTER = 5
    WIDE_SPREAD_PANIC = 6

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.capitalize().replace("_", " ")


class Attacked(IntEnum):
    """Use of the attack of a turn, partial if a model divides its dice."""

    NO = 0
    PARTLY = 1
    YES = 2


class Attacks(IntEnum):
    """Attacks on a model since the last morale phase; MANY means more dice than it saves with."""

    NONE = 0
    SOME = 1
    MANY = 2


_YES = ("no", "yes")


def _unit(name: str, label: str, words: tuple[str, ...] = (), default: int = 0) -> Column:
    return Column(table="unit", name=name, label=label, words=words, default=default)


COLUMNS = (
    _unit("leader", "leader", default=-1),
    _unit("marker", "morale", tuple(marker.name.lower() for marker in Marker)),
    _unit("hits_left", "hits left"),
    Column(table="unit", name="attack", dtype="f8", label="attack dice"),
    _unit("save", "saving dice"),
    _unit("in_command", "in command", _YES, default=1),
    # Of this turn
    _unit("moved", "has moved", _YES),
    _unit("done", "has had its move", _YES),
    _unit("ran", "ran away", _YES),
    _unit("attacked", "has attacked", ("no", "in part", "yes")),
    Column(table="unit", name="spent", dtype="f8", label="attack dice used"),
    _unit("fired_on", "was picked as a target", _YES),
    _unit("free", "is not mindless", _YES),
    _unit("cloaked", "is cloaked", _YES),
    # Of this phase, until its effects are applied
    _unit("coming", "hits to come"),
    _unit("dice_at", "attack dice against it"),
    _unit("tens", "critical hits to come"),
    # Until the next morale phase
    _unit("attacks", "was attacked", tuple(attacks.name.lower() for attacks in Attacks)),
    _unit("was_hit", "was hit", _YES),
    # Turns
    _unit("checked", "last morale check in turn"),
    _unit("unit_checked", "last unit check in turn"),
    _unit("no_move", "may not move next", _YES),
    _unit("no_attack", "may not attack in turn"),
    Column(table="feature", name="damage", label="hits taken by each section"),
    Column(table="side", name="waiting", label="turns without the initiative"),
    Column(table="side", name="passed", label="has passed", words=_YES),
    PHASE,
    Column(table="battle", name="kind", label="kind of turn"),
    Column(table="battle", name="first", label="moves first"),
    Column(table="battle", name="to_act", label="acts next"),
    ENDED,
    Column(table="broken", name="side", label="attacked by"),
    Column(table="broken", name="piece", label="terrain feature and section"),
    Column(table="broken", name="hits", label="hits to come"),
    Column(table="smoke", name="x", dtype="f8", label="east"),
    Column(table="smoke", name="y", dtype="f8", label="north"),
    Column(table="marker", name="x", dtype="f8", label="east"),
    Column(table="marker", name="y", dtype="f8", label="north"),
)

THIS_TURN = ("moved", "done", "ran", "attacked", "spent", "free", "attacks", "was_hit")
"""Columns of units that are reset at the start of a turn."""
