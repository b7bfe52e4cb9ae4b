"""The result of a battle."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The winner, the level of victory, and the reason.

    winner : the name of a side; None for a draw or without a decision
    level : "massacre", "major victory", "victory", "minor victory" or "draw"
    reason : one sentence
    """

    winner: str | None
    level: str
    reason: str
