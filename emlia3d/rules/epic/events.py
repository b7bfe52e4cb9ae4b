"""The kinds of event of Epic."""

from __future__ import annotations

from emlia3d.battle.events import Facts, Rolled
from emlia3d.battle.plain_values import Whole
from emlia3d.rulekit import deployment
from emlia3d.rulekit.turn_events import BattleEnded, TurnEnded

Faces = tuple[Whole, ...]


class RoundBegan(Facts, frozen=True, kw_only=True):
    """A round has begun, and the sides have made their strategy rolls.

    turn : its number
    faces : the dice, that of the first side first, with rerolled ties of the first round
    scores : of the sides, with strategy ratings
    winner : name of the side that chooses
    """

    turn: Whole
    faces: Faces
    scores: tuple[Whole, ...]
    winner: str


class ActionPhaseBegan(Facts, frozen=True, kw_only=True):
    """The Action Phase has begun.

    first : name of the side that acts first
    """

    first: str


class EndPhaseBegan(Facts, frozen=True):
    """All formations have acted, so the End Phase has begun."""


class Retained(Facts, frozen=True, kw_only=True):
    """A side has retained the initiative.

    side : its name
    """

    side: str


class InitiativePassed(Facts, frozen=True, kw_only=True):
    """A side has passed the initiative.

    side : its name
    """

    side: str


class ActionTested(Facts, frozen=True, kw_only=True):
    """A formation has taken an action test.

    action : that was declared
    face : of the die
    value : at or below which it passes
    passed : whether it carries out the action; otherwise it takes 1 Shock and holds
    """

    action: str
    face: Whole
    value: Whole
    passed: bool


class ActionDone(Facts, frozen=True):
    """A formation has acted."""


class Moved(Facts, frozen=True, kw_only=True):
    """A unit has moved.

    how : "moves", "charges", "countercharges", "follows up" or "withdraws"
    tiles : that it entered
    to : q and r of its tile
    """

    how: str
    tiles: Whole
    to: tuple[Whole, ...]


class Mounted(Facts, frozen=True):
    """A unit has mounted a carrier, and is off the field until it dismounts."""


class Dismounted(Facts, frozen=True, kw_only=True):
    """A unit has dismounted, or has left the wreck of its carrier.

    to : q and r of its tile
    """

    to: tuple[Whole, ...]


class CrossedDanger(Facts, frozen=True, kw_only=True):
    """A unit has tested for dangerous terrain.

    face : of the die
    hit : whether it takes a hit
    """

    face: Whole
    hit: bool


class ShockTaken(Facts, frozen=True, kw_only=True):
    """A formation has taken Shock.

    amount : of Shock
    shock : its current Shock
    """

    amount: Whole
    shock: Whole


class Regrouped(Facts, frozen=True, kw_only=True):
    """A formation has regrouped.

    faces : of the dice
    shock : its remaining Shock
    """

    faces: Faces
    shock: Whole


class WentOnOverwatch(Facts, frozen=True):
    """A formation is on overwatch."""


class OverwatchEnded(Facts, frozen=True):
    """A formation is no longer on overwatch."""


class Fired(Rolled, frozen=True, kw_only=True):
    """A formation has fired weapons of one value at another formation.

    value : "AP", "AT" or "MW"
    weapon : the name of the weapon
    need : value at or below which a die hits
    crossfire : whether the target is caught in a crossfire
    """

    key_event = "volley"

    value: str
    weapon: str
    need: Whole
    crossfire: bool


class HitsAllocated(Facts, frozen=True, kw_only=True):
    """A unit has rolled its saves.

    hits : against it
    faces : of its saves; none against macro-weapons
    unsaved : hits that remain
    """

    hits: Whole
    faces: Faces
    unsaved: Whole


class Damaged(Facts, frozen=True, kw_only=True):
    """A War Engine has lost damage capacity.

    left : that remains
    """

    left: Whole


class Destroyed(Facts, frozen=True, kw_only=True):
    """A unit is destroyed.

    cause : in a word
    """

    key_event = "destroyed"

    cause: str


class Broke(Facts, frozen=True):
    """A formation is broken."""

    key_event = "rout"


class AssaultBegan(Facts, frozen=True):
    """A formation assaults another."""

    key_event = "melee"


class Fought(Rolled, frozen=True, kw_only=True):
    """Units of a formation have fought in an assault.

    how : "close combat", "firefight" or "supporting fire"
    """

    how: str


class AssaultRolled(Facts, frozen=True, kw_only=True):
    """Both sides have rolled for the result of an assault.

    faces : two dice of the attacker, then two of the defender
    bonuses : of the attacker and of the defender
    margin : by which the attacker wins; negative if the defender wins
    """

    faces: Faces
    bonuses: tuple[Whole, ...]
    margin: Whole


class AssaultWon(Facts, frozen=True, kw_only=True):
    """A formation has won an assault.

    reason : a sentence
    """

    reason: str


class Rallied(Facts, frozen=True, kw_only=True):
    """A formation has tried to rally.

    face : of the die
    value : at or below which it passes
    passed : whether it succeeded
    shock : its current Shock
    """

    face: Whole
    value: Whole
    passed: bool
    shock: Whole


EVENTS: tuple[type[Facts], ...] = (
    *deployment.EVENTS,
    RoundBegan, ActionPhaseBegan, EndPhaseBegan, Retained, InitiativePassed, ActionTested,
    ActionDone, Moved, Mounted, Dismounted, CrossedDanger, ShockTaken, Regrouped,
    WentOnOverwatch, OverwatchEnded, Fired, HitsAllocated, Damaged, Destroyed, Broke,
    AssaultBegan, Fought, AssaultRolled, AssaultWon, Rallied, TurnEnded, BattleEnded,
)  # fmt: skip
