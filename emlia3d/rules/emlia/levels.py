"""How much of something is hidden or protected.

Holds `emlia.sight.levels`.
"""

from __future__ import annotations

from enum import IntEnum

from emlia3d.rules.rulebook import rule


@rule("emlia.sight.levels")
class Level(IntEnum):
    """A level of concealment or of cover; in their order, so that the greater is the more."""

    NONE = 0
    PARTIAL = 1
    TOTAL = 2
