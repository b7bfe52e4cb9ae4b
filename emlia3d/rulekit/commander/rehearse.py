"""Rehearsals: an order is tried in a copy of the battle, and play goes on from it.

The stretch of play is gone through again from its start, with the faces that have been rolled and
the answers that have been given in it. Then the order is given, and all dice after it are not the
battle's own. So a commander learns nothing that its side does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.apply import close_stretch
from emlia3d.battle.decisions import Decision, Order, Procedure, advance
from emlia3d.battle.dice import Dice, Faces, SeededDice
from emlia3d.rulekit.ways import AnswerFunction

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

MOST_DECISIONS = 400
"""A rehearsal ends at the latest after this many decisions."""

Until = Callable[["Battle"], bool]
"""Returns true if a rehearsal ends here, at a boundary between two stretches."""


class DivergedError(Exception):
    """The stretch does not go again as it went, so that nothing can be rehearsed in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Onward:
    """The way on after an order.

    answer : decides for all sides, as `emlia3d.rulekit.ways.by_commander`
    until : is called at each boundary from the end of the stretch on; true to end there
    seed : of the dice; two rehearsals with one seed have the same dice
    most : decisions after which it ends within a stretch
    """

    answer: AnswerFunction
    until: Until
    seed: int
    most: int = MOST_DECISIONS


@dataclass(frozen=True, slots=True, eq=False)
class Rehearsal:
    """The end of a rehearsal.

    battle : the copy as it stands then
    decisions : made in it after the order
    """

    battle: Battle
    decisions: int


def rehearse(battle: Battle, decision: Decision, order: Order, onward: Onward) -> Rehearsal | None:
    """Return the battle after an order, played on in a copy until a boundary.

    Parameters
    ----------
    battle
        As the side knows it; it is left as it is.
    decision
        The question that is open.
    order
        An answer to it.
    onward
        The way on after the order.

    Returns
    -------
    Rehearsal
        None if the system keeps no segments (`System.rehearses`), or if the stretch does not go
        again as it went in this copy, as where the side does not know all of it.
    """
    if battle.segment is None:
        return None
    segment, scene = battle.segment, battle.fork()
    scene.state, scene.segment = segment.start.copy(), None
    scene.seed = onward.seed
    play = _Play(scene, onward)
    dice = _RepeatedDice(segment.faces, _other_dice(onward.seed, scene.state.stretch))
    try:
        play.again(dice, segment.answers, decision, order)
        while not play.is_over and not onward.until(scene):
            step = scene.system.next_step(scene)
            if step is None:
                break
            scene.dice = _other_dice(onward.seed, scene.state.stretch)
            play.on(step)
    except DivergedError:
        return None
    return Rehearsal(scene, play.made)


def to_end_of_turn(battle: Battle) -> Until:
    """Return whether the turn of a battle is over in a rehearsal, or the battle is."""
    turn = battle.state.turn
    return lambda scene: scene.state.turn > turn or scene.result is not None


def _other_dice(seed: int, stretch: int) -> SeededDice:
    """Return the dice of a rehearsal: the dice of a battle have another purpose."""
    return SeededDice(seed, stretch, purpose=_REHEARSAL)


_REHEARSAL = 2**63
"""A purpose of dice beyond the numbers of questions."""


class _Play:
    """Play in a copy of a battle.

    made : decisions after the order
    is_over : there are too many
    """

    def __init__(self, scene: Battle, onward: Onward) -> None:
        self.scene, self._onward = scene, onward
        self.made = 0
        self._pending: Order | None = None

    @property
    def is_over(self) -> bool:
        return self.made >= self._onward.most

    def again(
        self, dice: _RepeatedDice, answers: list[Order], open_one: Decision, order: Order
    ) -> None:
        """Go through a stretch again to an open decision, and on with an order."""
        self.scene.dice = dice
        step = self.scene.system.next_step(self.scene)
        if step is None:
            raise DivergedError
        for given in (*answers, None):
            asked = self._next_decision(step)
            if asked is None:
                raise DivergedError
            if given is None:
                _check_same(asked, open_one, dice)
            self._pending = order if given is None else given
        self.on(step)

    def _next_decision(self, step: Procedure[None]) -> Decision | None:
        """Let happen what a procedure says up to its next question; None at its end."""
        while True:
            # Also a procedure that ends has taken the answer to its last question.
            answer, self._pending = self._pending, None
            try:
                said = advance(step, answer)
            except StopIteration:
                return None
            if isinstance(said, Decision):
                return said
            self.scene.suppose(said.changes)

    def on(self, step: Procedure[None]) -> None:
        """Play a procedure to its end."""
        while (asked := self._next_decision(step)) is not None:
            self.made += 1
            if self.is_over:
                return
            self._pending = self._onward.answer(self.scene, asked, self.made)
        close_stretch(self.scene.state)


def _check_same(asked: Decision, open_one: Decision, dice: _RepeatedDice) -> None:
    same = (asked.side, asked.asks, asked.unit) == (open_one.side, open_one.asks, open_one.unit)
    if not same or dice.left:
        raise DivergedError


class _RepeatedDice:
    """The faces that have fallen in a stretch, then the faces of other dice."""

    def __init__(self, faces: list[Faces], others: Dice) -> None:
        self._faces, self._others, self._used = faces, others, 0

    @property
    def left(self) -> int:
        """The number of rolls that are still to be repeated."""
        return len(self._faces) - self._used

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return the next faces; DivergedError for a roll of other dice than there was."""
        if not self.left:
            return self._others.roll(why, count, sides)
        found = self._faces[self._used]
        if len(found) != count or max(found, default=1) > sides:
            raise DivergedError
        self._used += 1
        return found
