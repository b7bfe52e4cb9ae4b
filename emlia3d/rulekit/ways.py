"""All possible courses of procedures of play, with their exact probabilities.

The procedures are played on a fork of the battle, once for each face of every die. If only the
successes of a pool of dice matter, they are played once for each number of successes. Therefore the
odds follow every rule of play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.dice import Faces, deciders_dice
from emlia3d.battle.events import Event
from emlia3d.battle.flow import driven
from emlia3d.errors import Error
from emlia3d.rulekit.odds import binomial

MOST_WAYS = 20_000
"""Maximum number of ways that are played."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice of one purpose of which only the number of successes matters.

    success, failure : faces that succeed and fail with any modifier
    chance : returns the probability of one die from an event after the roll; None if the event does
        not state it
    """

    success: int
    failure: int
    chance: Callable[[Event], Fraction | None]


Pools: TypeAlias = Mapping[str, Pool]
"""Pools by the slugs of the rules that roll them."""

AnswerFunction: TypeAlias = Callable[[Battle, Decision, int], Order]
"""Answers a question of the procedures, given its number on this way."""


@dataclass(frozen=True, slots=True)
class Way:
    """One possible course of procedures.

    chance : its probability
    events : in order
    decisions : each question with its answer, in order
    """

    chance: Fraction
    events: tuple[Event, ...]
    decisions: tuple[tuple[Decision, Order], ...]


def all_ways(
    scene: Battle,
    steps: Sequence[Callable[[], Procedure[None]]],
    answer: AnswerFunction,
    pools: Pools | None = None,
    most: int = MOST_WAYS,
) -> Iterator[Way]:
    """Yield every possible course of procedures.

    While the caller uses a way, *scene* has the state at its end. Afterwards it has its original
    state.

    Parameters
    ----------
    scene
        A fork of the battle that nothing else uses.
    steps
        Each starts a procedure on *scene*; they are played in order.
    answer
        Answers their questions.
    pools
        Dice of which only the successes matter, by slug.
    most
        Maximum number of ways.

    Raises
    ------
    Error
        If there are more ways than *most*.
    """
    start = scene.state
    paths: list[tuple[int, ...]] = [()]
    played = 0
    try:
        while paths:
            path = paths.pop()
            scene.state = start.copy()
            try:
                way = _way(scene, steps, answer, _ChosenDice(path, pools or {}))
            except _UnchosenError as gap:
                way = None
                paths += [(*path, choice) for choice in reversed(range(gap.ways))]
            played += 1
            if played > most:
                raise Error(f"this can go in more than {most} ways, too many to count the odds")
            if way is not None:
                yield way
    finally:
        scene.state = start


def _way(
    scene: Battle,
    steps: Sequence[Callable[[], Procedure[None]]],
    answer: AnswerFunction,
    dice: _ChosenDice,
) -> Way | None:
    """Play the procedures with these dice; return None if the way is impossible."""
    scene.dice = dice
    events: list[Event] = []
    decisions: list[tuple[Decision, Order]] = []

    def decided(decision: Decision) -> Order:
        order = answer(scene, decision, len(decisions) + 1)
        decisions.append((decision, order))
        return order

    for begin in steps:
        for event in driven(begin(), decided):
            scene.happen(event)
            dice.settle(event)
            if not dice.chance:
                return None
            events.append(event)
    assert not dice.unsettled, f"no event says the chance of {dice.unsettled[0][0]}"
    return Way(dice.chance, tuple(events), tuple(decisions))


class _UnchosenError(Exception):
    """The path does not determine a die, or the successes of a pool.

    ways : number of possibilities
    """

    def __init__(self, ways: int) -> None:
        super().__init__()
        self.ways = ways


@dataclass(slots=True)
class _ChosenDice:
    """Dice that follow a path: the successes of pools, and the faces of other dice minus 1.

    unsettled : slug, dice and successes of each pool without a known probability
    """

    path: tuple[int, ...]
    pools: Pools
    used: int = 0
    chance: Fraction = Fraction(1)
    unsettled: list[tuple[str, int, int]] = field(default_factory=list)

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return the next faces of the path; the successes of a pool come first."""
        pool = self.pools.get(why)
        if pool is not None:
            wanted = self._next(count + 1)
            self.unsettled.append((why, count, wanted))
            return (pool.success,) * wanted + (pool.failure,) * (count - wanted)
        faces = tuple(self._next(sides) + 1 for _ in range(count))
        self.chance /= Fraction(sides) ** count
        return faces

    def _next(self, ways: int) -> int:
        if self.used == len(self.path):
            raise _UnchosenError(ways)
        self.used += 1
        return self.path[self.used - 1]

    def settle(self, event: Event) -> None:
        """Compute the probability of the first open pool, if the event states that of a die."""
        if not self.unsettled:
            return
        why, count, wanted = self.unsettled[0]
        chance = self.pools[why].chance(event)
        if chance is not None:
            del self.unsettled[0]
            self.chance *= binomial(count, wanted, chance)


def by_commander(commander: Commander) -> AnswerFunction:
    """Return a function that answers questions by a commander, from the knowledge of its side."""

    def answer(scene: Battle, decision: Decision, asked: int) -> Order:
        dice = deciders_dice(scene.seed, scene.state.stretch, asked)
        picture = scene.system.picture(scene, decision.side)
        return commander.decide(decision.for_moment(picture.battle), picture, dice)

    return answer
