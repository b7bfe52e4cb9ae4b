"""The result of a battle."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a battle.

    winner : name of the side that wins; None for a draw or an undecided battle
    level : level of victory: "massacre", "major victory", "victory", "minor victory" or "draw"
    reason : the reason as a sentence
    """

    winner: str | None
    level: str
    reason: str
