"""Levels of concealment and cover, and how several levels combine into one.

Holds `emlia.sight.levels`, `emlia.sight.group-level`, `emlia.sight.intervening` and
`emlia.sight.intervening-group`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

from emlia3d.rules.emlia.basics.thresholds import half_or_more
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.questions.answer import Degree


class Level(IntEnum):
    """Level of concealment or cover; a greater value conceals or covers more."""

    NONE = 0
    PARTIAL = 1
    TOTAL = 2


DEGREES: Mapping[Level, Degree] = {
    Level.NONE: "none",
    Level.PARTIAL: "partial",
    Level.TOTAL: "total",
}
"""Names of the levels in an answer."""

Share: TypeAlias = tuple[Level, float]
"""The level that an entity would give if it filled the corridor, and the fraction that it fills."""


@rule("emlia.sight.group-level", "emlia.sight.intervening", "emlia.sight.intervening-group")
def combined(shares: Iterable[Share]) -> Level:
    """Return the level that all entities of a corridor give together.

    An entity that fills half of the width or more gives its own level; smaller ones give it as a
    group if entities of that level or higher fill half together. An entity that would conceal
    nothing is in no group.
    """
    known = tuple(shares)
    for level in (Level.TOTAL, Level.PARTIAL):
        # A loop, because the rounding of Python's own `sum` differs between versions.
        filled = 0.0
        for gave, fraction in known:
            filled += fraction if gave >= level else 0.0
        if half_or_more(filled):
            return level
    return Level.NONE
