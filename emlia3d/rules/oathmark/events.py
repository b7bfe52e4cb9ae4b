"""The kinds of event of Oathmark."""

from __future__ import annotations

from typing_extensions import override

from emlia3d.battle.events import Facts, Rolled
from emlia3d.battle.plain_values import Number, Whole
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.rulekit import deployment
from emlia3d.rulekit.commander.asking import Ordered, Planned
from emlia3d.rulekit.turn_events import BattleEnded, TurnEnded

Faces = tuple[Whole, ...]


class TurnBegan(Facts, frozen=True, kw_only=True):
    """A turn has begun, and both sides have rolled for the initiative.

    turn : its number
    faces : the dice, two of the first side and two of the second, of each roll
    winner : name of the side that has the initiative
    """

    turn: Whole
    faces: Faces
    winner: str


class Activated(Facts, frozen=True, kw_only=True):
    """A unit has rolled for its activation.

    faces : the dice
    modifier : of each
    result : "two actions", "one simple action" or "rallies, one simple action"
    """

    faces: Faces
    modifier: Whole
    result: str


class Stopped(Facts, frozen=True):
    """A unit takes no more actions."""


class Moved(Facts, frozen=True, kw_only=True):
    """A unit has moved straight.

    how : "forward", "left", "right" or "back"
    inches : plan length
    """

    how: str
    inches: Number


class Turned(Facts, frozen=True, kw_only=True):
    """A unit has made a manoeuvre.

    how : "pivots", "wheels" or "faces about"
    """

    how: str


class Charged(Facts, frozen=True, kw_only=True):
    """A unit has moved into contact with an enemy, flush with one of its facings.

    facing : of the enemy
    inches : plan length of the move
    """

    key_event = "charge"
    facing: str
    inches: Number


class Fought(Rolled, frozen=True, kw_only=True):
    """A unit has rolled its dice in a combat.

    target_number : that a die needs for a hit
    """

    target_number: Whole


class Shot(Rolled, frozen=True, kw_only=True):
    """A unit has shot at an enemy.

    weapon : by name
    facing : of the target
    target_number : that a die needs for a hit
    """

    weapon: str
    facing: str
    target_number: Whole


class Hurt(Facts, frozen=True, kw_only=True):
    """A unit has taken hits.

    hits : that it took
    fallen : figures removed
    left : figures or crew left
    """

    hits: Whole
    fallen: Whole
    left: Whole

    @override
    def highlight(self) -> Highlight | None:
        return None if self.left else "destroyed"


class MoraleTested(Facts, frozen=True, kw_only=True):
    """A unit has taken a morale test.

    cause : "casualties", "panic" or "woods"
    faces : the dice
    modifier : of each
    result : "passes", "is disordered" or "breaks"
    """

    cause: str
    faces: Faces
    modifier: Whole
    result: str


class Broken(Facts, frozen=True):
    """A unit has broken and is removed."""

    key_event = "rout"


class PushedBack(Facts, frozen=True, kw_only=True):
    """A unit has moved back after a combat, or made room for one that has.

    how : "is pushed back", "steps back" or "makes room"
    inches : distance
    """

    key_event = "push"
    how: str
    inches: Number


class CombatEnded(Facts, frozen=True, kw_only=True):
    """A combat is over.

    winner : name of the unit with more hits; None in a tie
    """

    winner: str | None = None


EVENTS: tuple[type[Facts], ...] = (
    *deployment.EVENTS, TurnBegan, TurnEnded, Activated, Stopped, Moved, Turned,
    Charged, Fought, Shot, Hurt, MoraleTested, Broken, PushedBack, CombatEnded, BattleEnded,
    Planned, Ordered,
)  # fmt: skip
