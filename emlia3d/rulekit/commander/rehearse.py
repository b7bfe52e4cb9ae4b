"""Rehearsals: play an order in a copy of the battle, and continue from there.

The current segment of play is repeated from its start, with the faces and answers that it had. Then
the order is given, and all later dice differ from the dice of the battle. Therefore a commander
learns nothing that its side does not know.
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
"""Maximum number of decisions in a rehearsal."""

Until = Callable[["Battle"], bool]
"""Returns whether a rehearsal ends here, at a boundary between two segments."""


class DivergedError(Exception):
    """The repeated segment took another course, so nothing can be rehearsed in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Onward:
    """How a rehearsal continues after the order.

    answer : decides for all sides, like `emlia3d.rulekit.ways.by_commander`
    until : called at each boundary from the end of the segment on; true ends the rehearsal
    seed : of the dice; two rehearsals with the same seed have the same dice
    most : maximum number of decisions, after which it ends within a segment
    """

    answer: AnswerFunction
    until: Until
    seed: int
    most: int = MOST_DECISIONS


@dataclass(frozen=True, slots=True, eq=False)
class Rehearsal:
    """The end of a rehearsal.

    battle : the copy at the end
    decisions : number of decisions after the order
    """

    battle: Battle
    decisions: int


def rehearse(battle: Battle, decision: Decision, order: Order, onward: Onward) -> Rehearsal | None:
    """Play an order in a copy of the battle until a boundary, and return the end.

    Parameters
    ----------
    battle
        As the side knows it; it does not change.
    decision
        The open question.
    order
        An answer to it.
    onward
        How to continue after the order.

    Returns
    -------
    Rehearsal
        None if the system stores no segments (`System.rehearses`), or if the repeated segment takes
        another course in this copy, for example because the side does not know all of it.
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
    """Return a function that ends a rehearsal when the turn or the battle is over."""
    turn = battle.state.turn
    return lambda scene: scene.state.turn > turn or scene.result is not None


def _other_dice(seed: int, stretch: int) -> SeededDice:
    """Return the dice of a rehearsal, which differ from the dice of the battle by their purpose."""
    return SeededDice(seed, stretch, purpose=_REHEARSAL)


_REHEARSAL = 2**63
"""Purpose of the dice, above all numbers of questions."""


class _Play:
    """Play in a copy of a battle.

    made : number of decisions after the order
    is_over : whether there were too many
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
        """Repeat a segment up to an open decision, then continue with an order."""
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
        """Run a procedure up to its next question, and return it; None at the end."""
        while True:
            # A procedure that ends has also used the answer to its last question.
            answer, self._pending = self._pending, None
            try:
                said = advance(step, answer)
            except StopIteration:
                return None
            if isinstance(said, Decision):
                return said
            self.scene.suppose(said.changes)

    def on(self, step: Procedure[None]) -> None:
        """Run a procedure to its end."""
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
    """Dice that repeat the faces of a segment, then continue with other dice."""

    def __init__(self, faces: list[Faces], others: Dice) -> None:
        self._faces, self._others, self._used = faces, others, 0

    @property
    def left(self) -> int:
        """The number of rolls left to repeat."""
        return len(self._faces) - self._used

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return the next faces; raise DivergedError if the original roll had other dice."""
        if not self.left:
            return self._others.roll(why, count, sides)
        found = self._faces[self._used]
        if len(found) != count or max(found, default=1) > sides:
            raise DivergedError
        self._used += 1
        return found
