"""How a battle ended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Who won, by how much, and why.

    winner : the name of a side; None for a draw or where nothing was decided
    level : "massacre", "major victory", "victory", "minor victory" or "draw"
    reason : one sentence
    """

    winner: str | None
    level: str
    reason: str
