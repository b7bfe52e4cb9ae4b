"""The kinds of event of Runolfsson."""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override

from emlia3d.battle.events import Facts, Point, Rolled
from emlia3d.battle.plain_values import Number, Whole
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.rulekit.turn_events import BattleEnded, TurnEnded

Faces = tuple[Whole, ...]


class TurnBegan(Facts, frozen=True, kw_only=True):
    """A turn has begun, and the sides have rolled for the initiative.

    turn : its number
    scores : of the sides, with bonuses
    faces : the dice, for each roll that of the first side first
    winner : name of the side that has the initiative
    """

    turn: Whole
    scores: tuple[Whole, ...]
    faces: Faces
    winner: str


class SuperInitiative(Facts, frozen=True, kw_only=True):
    """A side has rolled for super initiative.

    side : its name
    face : of the die
    success : whether it can choose the kind of turn
    """

    side: str
    face: Whole
    success: bool


class TurnChosen(Facts, frozen=True, kw_only=True):
    """The kind of the turn is known.

    turn : its kind
    first : name of the side that moves first
    """

    turn: str
    first: str


class PhaseBegan(Facts, frozen=True, kw_only=True):
    """A phase has begun.

    phase : its number in the book
    title : its name
    """

    phase: Whole
    title: str


class NewLeader(Facts, frozen=True):
    """A model is the leader of its unit in place of another."""


class Freed(Facts, frozen=True):
    """A side has picked a model that is not mindless in a turn of Senseless Slaughter."""


class MarkersPlaced(Facts, frozen=True, kw_only=True):
    """A side has placed an objective marker.

    side : its name
    at : centre, inches
    """

    side: str
    at: Point


class Moved(Facts, frozen=True, kw_only=True):
    """A model has moved.

    how : "moves", "jumps", "teleports", "runs away" or "routs"
    inches : length of its path
    """

    how: str
    inches: Number


class StoodStill(Facts, frozen=True):
    """A model does not move, or does not move farther."""


class MetStream(Facts, frozen=True, kw_only=True):
    """A model has rolled for a stream.

    face : of the die
    result : "swamped", "floundering" or "crosses"
    """

    face: Whole
    result: str


class LeftTable(Facts, frozen=True):
    """A model has run off the table."""


class SpecialUsed(Facts, frozen=True, kw_only=True):
    """A model has used a special.

    special : its name
    at : centre of smoke, inches
    """

    special: str
    at: Point | None = None


class Passed(Facts, frozen=True, kw_only=True):
    """A side has stopped attacking in this phase.

    side : its name
    """

    routine: ClassVar[bool] = True
    side: str


class Picked(Facts, frozen=True, kw_only=True):
    """A side has declared all its attacks on a target.

    side : its name
    piece : name of the terrain feature that is the target
    """

    side: str
    piece: str | None = None


class AttackMade(Rolled, frozen=True, kw_only=True):
    """A model has attacked.

    close : whether the two are in contact
    joined : whether the dice are joined from fractions of several models
    piece : name of the terrain feature that is the target
    """

    close: bool
    joined: bool
    piece: str | None = None


class Saved(Facts, frozen=True, kw_only=True):
    """A model has rolled its saving dice.

    hits : against it in the phase
    faces : saving dice
    unsaved : hits that remain
    """

    hits: Whole
    faces: Faces
    unsaved: Whole


class Hurt(Facts, frozen=True, kw_only=True):
    """A model has lost hits.

    lost, left : hits
    """

    lost: Whole
    left: Whole


class Destroyed(Facts, frozen=True):
    """A model is destroyed."""

    key_event = "destroyed"


class CriticalHit(Facts, frozen=True, kw_only=True):
    """A model has taken a critical hit.

    face : of the die
    result : "no move", "no attack" or "no effect"
    """

    face: Whole
    result: str


class PieceHit(Facts, frozen=True, kw_only=True):
    """A tree or a section of wall has rolled its saving dice.

    piece : name of the terrain feature
    faces : saving dice
    unsaved : hits that remain
    gone : whether it is destroyed
    """

    piece: str
    faces: Faces
    unsaved: Whole
    gone: bool


class UnitChecked(Facts, frozen=True, kw_only=True):
    """A unit has checked its morale.

    sides, face : of the die; 1 and 0 for a unit of one model, which does not roll
    left : models of the unit
    passed : whether it passes
    """

    sides: Whole
    face: Whole
    left: Whole
    passed: bool


class MoraleChecked(Facts, frozen=True, kw_only=True):
    """A model has checked its morale.

    face : of the die
    modifier : of the die
    result : "routed", "pinned", "unaffected" or "rallied"
    """

    face: Whole
    modifier: Whole
    result: str

    @override
    def highlight(self) -> Highlight | None:
        return "rout" if self.result == "routed" else None


EVENTS: tuple[type[Facts], ...] = (
    TurnBegan, SuperInitiative, TurnChosen, PhaseBegan, TurnEnded, BattleEnded, NewLeader, Freed,
    MarkersPlaced, Moved, StoodStill, MetStream, LeftTable, SpecialUsed, Passed, Picked, AttackMade,
    Saved, Hurt, Destroyed, CriticalHit, PieceHit, UnitChecked, MoraleChecked,
)  # fmt: skip
