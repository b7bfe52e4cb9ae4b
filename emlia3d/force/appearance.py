"""Columns and words of a rule system that pictures go by.

A system that declares a unit column of one of these names, with these words, has its units drawn
as they say. Pictures read two facts of events: `emlia3d.battle.events.Rolled` and
`emlia3d.battle.events.FallOfShot`. An event's gesture says how it is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

POSTURE = "posture"
"""Unit column whose words say how the figures of a unit hold themselves."""

POSTURES: Mapping[str, Literal["prone", "kneeling"]] = MappingProxyType(
    {"prone": "prone", "lying": "prone", "kneeling": "kneeling", "crouching": "kneeling"}
)
"""Words of the column `POSTURE`, with the pose of the figures; with any other word they stand."""

TAKING_COVER = "taking_cover"
"""Unit column of which any value but 0 makes the figures of a unit kneel."""

MOODS = ("state", "morale", "mood")
"""Unit columns of the spirits of a unit; the first that is declared stands on its tag."""

BROKEN = frozenset({"broken", "routed", "routing", "rout", "fleeing", "panicked", "demoralised"})
"""Words of such a column for a unit that fights no longer."""

LOWEST = -7.0
"""Value of such a column without words that is as bad as being broken."""

DAMAGE, CAPACITY = "damage", "capacity"
"""Unit columns of the damage of a single body, and of the damage that destroys it; 0 for none."""
