"""Possible outcomes of an attack: its checks, and the exact probability of each result.

As a JSON document an `Odds` has its fields as keys. A probability is a number there and, if
readable, the exact fraction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import emlia3d

Spread: TypeAlias = Mapping[int, Fraction]
"""Each value that can come, from the least to the greatest, with its chance."""

_READABLE = 10**9
"""Largest denominator of fractions that are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifierRow:
    """A row of a table that holds for a check, and what it adds."""

    name: str
    slug: str
    figure: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOdds:
    """A skill check: its dice, and the chance of each.

    modifier : of each die; the rows of the tables together
    chance : that one die succeeds; 1 where success is automatic
    expected : successes on average
    """

    unit: str
    target: str
    dice: int
    modifier: int
    rows: tuple[ModifierRow, ...]
    chance: Fraction
    expected: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOutcome:
    """The possible outcomes for one unit in the resolution of the attack.

    points : of damage
    lost : members
    destroyed : probability that no member is left
    morale : afterwards, if it is still on the field; the probabilities with *destroyed* add to 1
    because : probability that each row of the morale tables counts, by slug
    """

    points: Spread
    lost: Spread
    destroyed: Fraction
    morale: Spread
    because: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The possible outcomes of one attack, as the battle stands.

    action : the rule system's name for it
    weapon : None if the attack is not made
    refusal : why the attack may not be made, with the slug of the rule; None if it may
    checks : all checks rolled, in their order
    hits : the attacker's, on the target and on units that share them
    decisions : decisions made on the way
    text : the answer in one paragraph
    """

    rules: str
    attacker: str
    target: str
    action: str
    weapon: str | None
    refusal: str | None
    checks: tuple[CheckOdds, ...]
    hits: Spread
    fates: Mapping[str, UnitOutcome]
    decisions: tuple[str, ...]
    text: str


def mean(spread: Spread) -> Fraction:
    """Return the value that comes on average."""
    return sum((value * chance for value, chance in spread.items()), start=Fraction(0))


def gathered(chances: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """Return the chance of each value, equal ones added up, by value."""
    out: dict[int, Fraction] = {}
    for value, chance in chances:
        out[value] = out.get(value, Fraction(0)) + chance
    return dict(sorted(out.items()))


def exact(chance: Fraction) -> str | None:
    """Return the fraction in digits; None if it is too long to read."""
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
