"""The comparisons of the rulebook, with their tolerances.

Holds `emlia.meta.thresholds`.
"""

from __future__ import annotations

from fractions import Fraction

from emlia3d.rules.rulebook import rule

REACH_TOLERANCE = 1 / 256
"""Tolerance of reach, GSU: positions are rounded to 1/1024, so bodies in contact can have a small
gap."""

SHARE_TOLERANCE = 1e-9
"""Tolerance for shares of a whole; fractions of a corridor come from divisions."""


@rule("emlia.meta.thresholds")
def in_reach(distance: float, reach: float) -> bool:
    """Return whether *distance* GSU is within *reach* GSU; exactly that far counts."""
    return distance <= reach + REACH_TOLERANCE


def half_or_more(share: float) -> bool:
    """Return whether a share of a whole is half or more: exactly half counts."""
    return share >= 0.5 - SHARE_TOLERANCE


def is_outnumbered(members: int, enemies: int) -> bool:
    """Return whether *enemies* exceed *members*; equal numbers do not count."""
    return enemies > members


def is_outnumbered_times(members: int, enemies: int, times: int) -> bool:
    """Return whether *members* are outnumbered *times*:1 or worse: exactly that counts."""
    return enemies > members and enemies >= times * members


def has_suffered(lost: float, strength: float, percent: int) -> bool:
    """Return whether *percent* of *strength* or more is lost: exactly that share counts."""
    return Fraction(lost) * 100 >= Fraction(strength) * percent and lost > 0
