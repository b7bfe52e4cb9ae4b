"""Emlia, chapter 14: rules common to primary actions.

Holds `emlia.primary.elevation-row` and `emlia.primary.focus`.
"""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.rules.rulebook import rule

ELEVATION_STEP = 0.5
"""Minimum difference of base elevation for elevation, height units."""


@rule("emlia.primary.elevation-row")
def has_elevation(footing: float, other_footing: float, step: float = ELEVATION_STEP) -> bool:
    """Return whether a unit at *footing* has elevation over one at *other_footing*.

    Half a height unit is enough. Only the base elevation counts, not the unit's height.
    """
    return footing - other_footing >= step


@dataclass(frozen=True, slots=True)
class Focus:
    """An attack on one subunit: its members, and all members that could have been hit."""

    members: int
    among: int

    @property
    @rule("emlia.primary.focus")
    def under_quarter(self) -> bool:
        """True if the subunit is less than a quarter of the whole: exactly 25 % is not."""
        return 4 * self.members < self.among

    @property
    def under_tenth(self) -> bool:
        """True if the subunit is less than a tenth of the whole: exactly 1/10 is not."""
        return 10 * self.members < self.among
