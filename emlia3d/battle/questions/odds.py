"""Possible outcomes of an attack: its checks, and the exact probability of each result.

The JSON document of an `Odds` has its fields as keys. It gives each probability as a number and, if
short enough to read, as the exact fraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import emlia3d

Spread: TypeAlias = Mapping[int, Fraction]
"""Possible values in ascending order, each with its probability."""

_READABLE = 10**9
"""Largest denominator of fractions that are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifierRow:
    """A table row that applies to a check, with its modifier *figure*."""

    name: str
    slug: str
    figure: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOdds:
    """A skill check: its dice, and their probability of success.

    modifier : the modifier of each die, the sum of *rows*
    chance : probability that one die succeeds; 1 if success is automatic
    expected : expected number of successes
    """

    unit: str
    target: str
    dice: int
    modifier: int
    rows: tuple[ModifierRow, ...] = ()
    chance: Fraction
    expected: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOutcome:
    """The possible outcomes for one unit in the resolution of the attack.

    points : points of damage
    lost : members lost
    destroyed : probability that no member is left
    morale : morale afterwards, if it is still on the field; its probabilities and *destroyed* sum
        to 1
    because : probability that each row of the morale tables applies, by slug
    """

    points: Spread
    lost: Spread
    destroyed: Fraction
    morale: Spread
    because: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The possible outcomes of one attack at one moment of a battle.

    action : the rule system's name of the attack
    weapon : the weapon; None if the attack is not made
    refusal : why the attack is illegal, with the slug of the rule; None if it is legal
    checks : all checks rolled, in order
    hits : the attacker's hits on the target and on units that share them
    fates : outcomes of the units affected, by name
    decisions : decisions made during the attack
    text : the answer in one paragraph
    """

    rules: str
    attacker: str
    target: str
    action: str
    weapon: str | None = None
    refusal: str | None = None
    checks: tuple[CheckOdds, ...] = ()
    hits: Spread = field(default_factory=dict)
    fates: Mapping[str, UnitOutcome] = field(default_factory=dict)
    decisions: tuple[str, ...] = ()
    text: str


def mean(spread: Spread) -> Fraction:
    """Return the expected value."""
    return sum((value * chance for value, chance in spread.items()), start=Fraction(0))


def merge_equal(chances: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """Return the total probability of each value, in ascending order."""
    out: dict[int, Fraction] = {}
    for value, chance in chances:
        out[value] = out.get(value, Fraction(0)) + chance
    return dict(sorted(out.items()))


def exact(chance: Fraction) -> str | None:
    """Return the fraction as text; None if it is too long to read."""
    return str(chance) if chance.denominator <= _READABLE else None


def to_json(odds: Odds) -> dict[str, Any]:
    """Return the odds as plain JSON values."""
    return {"program": emlia3d.__version__, **_plain(asdict(odds))}


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return {"chance": float(value), "exact": exact(value)}
    if isinstance(value, Mapping):
        if value and all(isinstance(key, int) for key in value):
            return [{"value": key, **_plain(chance)} for key, chance in value.items()]
        return {key: _plain(cell) for key, cell in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(cell) for cell in value]
    return value
