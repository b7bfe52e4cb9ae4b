"""Activation rolls, and the actions that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from emlia3d.battle.changes import Change, set_cells
from emlia3d.rules.oathmark.core import BlockSide, reaches
from emlia3d.rules.rulebook import rule


@rule("oathmark.activation.nominate")
def may_be_activated(activated: Sequence[int], units: Iterable[int]) -> list[int]:
    """Return the units of a side that can be activated: each one once in a turn.

    activated : whether each unit has been activated
    """
    return [row for row in units if not activated[row]]


@rule("oathmark.activation.command", "oathmark.activation.dice-cap")
def dice_with_command(commands: int) -> int:
    """Return the number of dice with friendly Commands in reach: at most three."""
    return 3 if commands else 2


@rule("oathmark.activation.disordered")
def activation_modifier(*, disordered: bool) -> int:
    """Return the modifier of each die of an activation roll."""
    return -1 if disordered else 0


@rule("oathmark.activation.natural-ten")
def activates(face: int, modifier: int, activation: int) -> bool:
    """Return whether a die activates a unit; a 10 always does."""
    return reaches(face, modifier, activation)


@rule("oathmark.activation.roll")
def succeeds(faces: Iterable[int], activation: int, *, disordered: bool) -> bool:
    """Return whether a unit activates fully: with any of its dice."""
    modifier = activation_modifier(disordered=disordered)
    return any(activates(face, modifier, activation) for face in faces)


@rule("oathmark.activation.rally")
def stays_disordered(*, disordered: bool, success: bool) -> bool:
    """Return whether a unit is still disordered after its activation roll."""
    return disordered and not success


@rule("oathmark.activation.rally-one-action")
def has_two_actions(*, disordered: bool, success: bool) -> bool:
    """Return whether a unit takes two actions; a disordered unit does not, even if it rallies."""
    return success and not disordered


@rule("oathmark.activation.combat-counts")
def counted_as_activated(units: Iterable[int]) -> Iterator[Change]:
    """Yield the changes that mark units as activated after a fight."""
    for unit in units:
        yield from set_cells("unit", unit, activated=1)


# Actions


@rule("oathmark.action.two", "oathmark.activation.fail")
def actions_of(*, full: bool) -> int:
    """Return the number of actions of an activation: two, or one after a failed roll."""
    return 2 if full else 1


@dataclass(frozen=True, slots=True)
class Activity:
    """The actions of a unit in its activation.

    full : whether it can take two actions; otherwise one simple action
    actions, moves : number taken
    shot : whether it has shot
    in_woods : whether it has tested its morale for entering woods
    """

    full: bool
    actions: int = 0
    moves: int = 0
    shot: bool = False
    in_woods: bool = False

    @property
    def left(self) -> int:
        """The number of actions left."""
        return actions_of(full=self.full) - self.actions

    def after_move(self) -> Activity:
        """Return the activity after a move."""
        return replace(self, actions=self.actions + 1, moves=self.moves + 1)

    def after_shot(self) -> Activity:
        """Return the activity after a shooting attack."""
        return replace(self, actions=self.actions + 1, shot=True)


@rule("oathmark.action.attack-by-forward-move", "oathmark.action.simple")
def may_attack(way: BlockSide, *, full: bool) -> bool:
    """Return whether a move can end in contact: ahead, by a fully activated unit."""
    return full and way is BlockSide.FRONT


@rule("oathmark.action.shoot-once")
def may_shoot(activity: Activity, *, armed: bool) -> bool:
    """Return whether a unit can shoot in its activation: once, with a missile weapon."""
    return armed and not activity.shot and activity.left > 0


@rule("oathmark.action.special")
def has_special_action(abilities: Iterable[str], verb: str) -> bool:
    """Return whether a unit has a special action; the core set has none."""
    del abilities, verb
    return False
