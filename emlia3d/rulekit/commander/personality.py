"""The personality of a commander: two values that change its plans under any rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from emlia3d.errors import Error

_FIGURE = re.compile(r"(?P<name>aggression|caution)=(?P<value>0|1|0?\.\d+|1\.0+)")

_MARKED = 0.25
"""Minimum difference of the two values for which the name of a plan mentions them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Personality:
    """Personality of a commander as two values from 0 to 1; 0.5 is average.

    aggression : how near its lines approach the enemy, and how soon it commits its units
    caution : how many units it keeps behind
    """

    aggression: float = 0.5
    caution: float = 0.5

    def __post_init__(self) -> None:
        """Raise Error for a value that is not from 0 to 1."""
        for name in ("aggression", "caution"):
            if not 0 <= getattr(self, name) <= 1:
                raise Error(f"{name}: expected a number from 0 to 1, got {getattr(self, name)}")

    @property
    def boldness(self) -> float:
        """The factor for how soon and from how far away the side acts; 1 if average."""
        return 0.5 + self.aggression

    @property
    def distance(self) -> float:
        """The factor for its fighting range; 1 if average."""
        return 1.5 - self.aggression

    @property
    def fear(self) -> float:
        """The factor for the price of its own losses; 1 if average."""
        return 0.5 + self.caution

    def one_in(self, usual: int) -> int:
        """Return n if one of n units is kept in reserve; *usual* is the n of average caution.

        The reserve is proportional to caution: with a usual quarter, it is 13% to 37%.
        """
        return round(usual * 1.05 / (0.55 + self.caution))

    @property
    def adverb(self) -> str:
        """The last word of a plan's name; "" if the personality is near average."""
        lean = self.caution - self.aggression
        if abs(lean) < _MARKED:
            return ""
        return "cautiously" if lean > 0 else "boldly"


PERSONALITIES: Mapping[str, Personality] = MappingProxyType(
    {
        "cautious": Personality(aggression=0.15, caution=0.85),
        "steady": Personality(),
        "bold": Personality(aggression=0.9, caution=0.15),
    }
)
"""Named personalities."""


def personality_of(words: str) -> Personality | None:
    """Parse a personality: a name such as "bold", or "aggression=0.8,caution=0.2".

    Return None for any other text.
    """
    if words in PERSONALITIES:
        return PERSONALITIES[words]
    figures = [_FIGURE.fullmatch(part) for part in words.split(",")]
    found = {match["name"]: float(match["value"]) for match in figures if match}
    return Personality(**found) if len(found) == len(figures) else None
