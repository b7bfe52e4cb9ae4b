"""Events, columns and words for the end of a turn and of a battle, shared by rule systems."""

from __future__ import annotations

from emlia3d.battle.changes import set_cells
from emlia3d.battle.events import Event, Facts
from emlia3d.battle.moment import Moment
from emlia3d.battle.plain_values import Whole
from emlia3d.force.table import Column
from emlia3d.rulekit.words import EventWords, said

PHASE = Column(table="battle", name="phase", label="phase")
"""The phase of the turn; 0 before and after a turn."""

ENDED = Column(table="battle", name="ended", label="over", words=("no", "yes"))
"""1 once the battle is over."""


class TurnEnded(Facts, frozen=True, kw_only=True):
    """A turn is over.

    turn : its number
    """

    turn: Whole


class BattleEnded(Facts, frozen=True, kw_only=True):
    """The battle is over.

    reason : a sentence
    """

    reason: str


WORDS: dict[type[Facts], EventWords] = dict(
    (
        said(TurnEnded, "Turn {turn} ends", ""),
        said(BattleEnded, "{reason}", "{reason}", whole=True),
    )
)
"""The words for both events."""


def turn_ended(moment: Moment, *because: str) -> Event:
    """Return the event that ends a turn, citing these rules."""
    changes = set_cells("battle", 0, phase=0)
    facts = TurnEnded(turn=moment.state.turn)
    return Event(facts=facts, gesture="turn", because=because, changes=changes)


def battle_ended(reason: str, *because: str) -> Event:
    """Return the event that ends the battle, citing these rules."""
    changes = set_cells("battle", 0, ended=1)
    return Event(facts=BattleEnded(reason=reason), because=because, changes=changes)
