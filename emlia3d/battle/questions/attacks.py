"""Attacks, their chances and morale, as rule systems read them for statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from emlia3d.battle.events import Rolled
from emlia3d.errors import cut

if TYPE_CHECKING:
    from emlia3d.battle.events import Event
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.setup import Setup

AttackKind: TypeAlias = Literal["shot", "blow"]
"""An attack from afar, or one at close quarters."""

MOST = 10**9
"""Maximum dice and hits of an attack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackRoll:
    """An attack as statistics count it.

    dice : number of dice; 0 for the effect of an attack whose dice are in another event
    hits : number of hits
    chances : probabilities that one die scores 0, 1, 2... hits; () if unknown
    struck : rows of the units that it hit, each with its hits, to credit their losses

    Raises ValueError for negative or impossibly large numbers, which only a damaged file has.
    """

    kind: AttackKind
    dice: int = 0
    hits: int = 0
    chances: Sequence[Fraction] = ()
    struck: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for number in (self.dice, self.hits, *(hits for _, hits in self.struck)):
            if not 0 <= number <= MOST:
                raise ValueError(f"expected 0 to {MOST} dice and hits, got {cut(str(number))}")

    @property
    def expected(self) -> Fraction:
        """The expected hits of all dice."""
        return self.dice * _moment_of(self.chances, 1)

    @property
    def variance(self) -> Fraction:
        """The variance of the hits of all dice, which are independent."""
        return self.dice * (_moment_of(self.chances, 2) - _moment_of(self.chances, 1) ** 2)


def _moment_of(chances: Sequence[Fraction], power: int) -> Fraction:
    """Return the mean of a power of the hits of one die."""
    return sum((hits**power * chance for hits, chance in enumerate(chances)), Fraction(0))


def rolled_attack(event: Event, chances: Sequence[Fraction] = ()) -> AttackRoll | None:
    """Return the attack of an event with dice that shoots or strikes; None for other events.

    chances : as of `AttackRoll`
    """
    if not isinstance(event.facts, Rolled) or event.gesture not in {"shoot", "strike"}:
        return None
    target, hits = event.target, event.facts.successes
    return AttackRoll(
        kind="shot" if event.gesture == "shoot" else "blow",
        dice=event.facts.dice,
        hits=hits,
        chances=chances,
        struck=() if target is None else ((target, hits),),
    )


class ReadsAttacks:
    """Base of rule systems whose events statistics count.

    morale_scale : what the numbers of `morale` mean, in words; "" if the rules know no morale
    """

    morale_scale: str = ""

    def attack(self, setup: Setup, event: Event) -> AttackRoll | None:
        """Return an event as an attack; None if it is no attack.

        By default each event with dice that shoots or strikes is one, of unknown chances.
        """
        del setup
        return rolled_attack(event)

    def morale(self, moment: Moment, unit: int) -> float | None:
        """Return the morale of a unit, higher is better; None if the rules have no morale."""
        del moment, unit
        return None
