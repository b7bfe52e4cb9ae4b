"""All ways that procedures of play can go, each with its exact chance.

The procedures are played on a fork of the battle, once for each face of every die. For a pool of
dice of which only the successes matter they are played once for each number of successes. So the
odds heed every rule of play that bears on them.
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
"""At most this many ways are played."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice of one purpose of which only the number of successes matters.

    success, failure : faces that succeed and fail, whatever the modifiers are
    chance : returns the chance of one die, from the first event after the roll that says it; None
        for an event that does not
    """

    success: int
    failure: int
    chance: Callable[[Event], Fraction | None]


Pools: TypeAlias = Mapping[str, Pool]
"""Pools by the slugs of the rules that roll them."""

AnswerFunction: TypeAlias = Callable[[Battle, Decision, int], Order]
"""Decides a question of the procedures; the number of the question on this way follows."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way that procedures can go.

    chance : of this way
    events : in their order
    decisions : each question with its answer, in their order
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
    """Yield every way that procedures can go that has any chance.

    While the caller holds a way, the state of *scene* is as the way leaves it. Afterwards it is as
    it was before.

    Parameters
    ----------
    scene
        A fork of the battle that nothing else uses.
    steps
        Each begins a procedure on *scene*; they are played one after another.
    answer
        Decides what they ask.
    pools
        Dice of which only the successes matter, by slug.
    most
        Number of ways, after which it gives up.

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
    """Play the procedures with these dice; return None as soon as the way has no chance."""
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
    """The path says nothing of a die, or of the successes of a pool.

    ways : that it can go
    """

    def __init__(self, ways: int) -> None:
        super().__init__()
        self.ways = ways


@dataclass(slots=True)
class _ChosenDice:
    """Dice that fall as a path says: successes of pools, and faces of other dice less 1.

    unsettled : slug, dice and successes of each pool of which no event has said the chance yet
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
        """Weigh the first pool without a chance, if the event says it."""
        if not self.unsettled:
            return
        why, count, wanted = self.unsettled[0]
        chance = self.pools[why].chance(event)
        if chance is not None:
            del self.unsettled[0]
            self.chance *= binomial(count, wanted, chance)


def by_commander(commander: Commander) -> AnswerFunction:
    """Return an answer to questions by a commander, from what the side that is asked knows."""

    def answer(scene: Battle, decision: Decision, asked: int) -> Order:
        dice = deciders_dice(scene.seed, scene.state.stretch, asked)
        picture = scene.system.picture(scene, decision.side)
        return commander.decide(decision.for_moment(picture.battle), picture, dice)

    return answer
