"""Emlia, chapter 4: the actions, as data.

Holds `emlia.action.block`, `emlia.action.basic-list` and the common part of all blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeAlias

from emlia3d.rules.emlia.tables.skills import SkillName
from emlia3d.rules.emlia.unit_sets.abilities import MOST_GRANTED
from emlia3d.rules.rulebook import rule, rule_rows


class ActionType(Enum):
    """The cost of an action: the unit's move, its primary action, or neither."""

    MOVE = "move"
    PRIMARY = "primary"
    FREE = "free"


Subject: TypeAlias = Literal[
    "self", "friend", "two friends", "enemy", "known enemies", "unknown enemy", "point"
]
"""The subject of an action. The source must be aware of any subject but "unknown enemy"."""

Need: TypeAlias = Literal["on orders", "unengaged", "close formation", "not double paced"]
"""A state that a unit must be in for an action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action, as in its block in the rulebook.

    name : as in the rulebook's list, in lower case
    kinds : the types of action as which it can be taken
    skill : of its check; None if there is no check
    improvised : whether a unit without the skill can try
    subject : its subject
    needs : required states of the source
    forfeits_move : whether the move action must be unused, and is used up
    because : the slug of its block
    """

    name: str
    kinds: tuple[ActionType, ...]
    skill: SkillName | None = None
    improvised: bool = False
    subject: Subject = "self"
    needs: tuple[Need, ...] = ()
    forfeits_move: bool = False
    because: str


_MOVE = (ActionType.MOVE,)
_PRIMARY = (ActionType.PRIMARY,)
_EITHER = (ActionType.MOVE, ActionType.PRIMARY)
_FREE = (ActionType.FREE,)

# fmt: off
BASIC: tuple[Action, ...] = (
    Action(name="double pace", kinds=_MOVE, because="emlia.move.double-pace"),
    Action(name="normal move", kinds=_MOVE, because="emlia.move.normal"),
    Action(name="drop down", kinds=_MOVE, because="emlia.move.drop-down"),
    Action(name="stand up", kinds=_MOVE, because="emlia.move.stand-up"),
    Action(name="take cover", kinds=_MOVE, because="emlia.move.take-cover"),
    Action(name="break ranks", kinds=_MOVE, because="emlia.form.break-ranks"),
    Action(name="conceal self", kinds=_EITHER, skill="stealth", because="emlia.aware.conceal-self"),
    Action(name="improve morale", kinds=_EITHER, skill="leadership", improvised=True,
           subject="friend", because="emlia.lead.improve"),
    Action(name="pass awareness", kinds=(*_EITHER, ActionType.FREE), skill="leadership",
           subject="enemy", because="emlia.aware.pass"),
    Action(name="aimed fire", kinds=_PRIMARY, skill="aimed fire", improvised=True,
           subject="enemy", needs=("unengaged",), because="emlia.fire"),
    Action(name="area volley", kinds=_PRIMARY, skill="volley fire", subject="point",
           needs=("on orders", "unengaged"), forfeits_move=True, because="emlia.volley"),
    Action(name="concentrated volley", kinds=_PRIMARY, skill="volley fire", subject="enemy",
           needs=("on orders", "close formation", "unengaged"), forfeits_move=True,
           because="emlia.conc"),
    Action(name="close combat", kinds=_PRIMARY, skill="close combat", improvised=True,
           subject="known enemies", because="emlia.melee"),
    Action(name="charge", kinds=_PRIMARY, subject="enemy", needs=("not double paced",),
           because="emlia.charge"),
    Action(name="disengage/distract", kinds=_PRIMARY, skill="close combat",
           subject="known enemies", because="emlia.disengage"),
    Action(name="ignore initiative", kinds=_FREE, skill="leadership", improvised=True,
           subject="friend", because="emlia.lead.ignore"),
    Action(name="reorder", kinds=_FREE, skill="leadership", subject="friend",
           because="emlia.lead.reorder"),
    Action(name="take command", kinds=_FREE, skill="leadership", improvised=True,
           subject="friend", because="emlia.lead.take-command"),
    Action(name="join units", kinds=_FREE, skill="leadership", improvised=True,
           subject="two friends", because="emlia.lead.join"),
    Action(name="split unit", kinds=_FREE, skill="leadership", improvised=True,
           subject="friend", because="emlia.lead.split"),
    Action(name="delay", kinds=_FREE, because="emlia.activate.delay"),
    Action(name="prepare actions", kinds=_FREE, because="emlia.prepare"),
    Action(name="detect hidden", kinds=_FREE, skill="alertness", subject="unknown enemy",
           because="emlia.aware.detect"),
)
# fmt: on
"""The core actions. Their order numbers the bits of the column "free_used"."""

_NUMBER = {action.name: number for number, action in enumerate(BASIC)}
_ALIASES = {"ignore morale": "ignore initiative"}


@rule("emlia.action.basic-list")
@rule_rows(
    *(
        f"emlia.action.basic-list.{name.replace('/', '-').replace(' ', '-')}"
        for name in (*_NUMBER, *_ALIASES)
    ),
)
@rule("emlia.action.block", "emlia.primary.basic")
def action(name: str) -> Action:
    """Return the core action with a name; raise KeyError for any other."""
    return BASIC[_NUMBER[_ALIASES.get(name, name)]]


def listing(name: str) -> str:
    """Return the slug of an action's row in the list, which states its cost."""
    return f"emlia.action.basic-list.{name.replace('/', '-').replace(' ', '-')}"


def free_bit(name: str) -> int:
    """Return the bit of an action in the column "free_used"."""
    return 1 << _NUMBER[_ALIASES.get(name, name)]


def granted_bit(number: int) -> int:
    """Return the bit of a unit's own action, by its number, in the column "free_used"."""
    return 1 << (len(BASIC) + number)


ALL_FREE_ACTIONS = (1 << (len(BASIC) + MOST_GRANTED)) - 1
"""Value of the column "free_used" when no free action is left."""
