"""Emlia, chapters 14.2 and 14.3: Area Volley and Concentrated Volley.

Holds `emlia.volley.mod`, `emlia.volley.success`, `emlia.volley.drift`,
`emlia.volley.overhead-cover` and `emlia.conc.mod`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.force.formation import GRID
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.emlia.basics.thresholds import SHARE_TOLERANCE, half_or_more
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.rulebook import rule, rule_rows

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtPoint:
    """The facts that the modifier of an Area Volley depends on.

    concealment : of the point
    """

    band: Band
    concealment: Level = Level.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class AtUnit:
    """The facts that the modifier of a Concentrated Volley depends on.

    overhead : vertical cover of the subject
    cover : of the subject against this attack, as a level shot would find it
    """

    band: Band
    overhead: Level = Level.NONE
    concealment: Level = Level.NONE
    cover: Level = Level.NONE
    taking_cover: bool = False
    target_unaware: bool = False
    elevation: bool = False


# fmt: off
AREA_MODIFIERS: tuple[Row[AtPoint], ...] = (
    Row("emlia.volley.mod.point-partial", -1, lambda at: at.concealment is Level.PARTIAL),
    Row("emlia.volley.mod.point-total",   -3, lambda at: at.concealment is Level.TOTAL),
    Row("emlia.volley.mod.inside-short",   0, lambda at: at.band is Band.SHORT),
    Row("emlia.volley.mod.inside-medium",  0, lambda at: at.band <= Band.MEDIUM),
)
CONCENTRATED_MODIFIERS: tuple[Row[AtUnit], ...] = (
    Row("emlia.conc.mod.vertical-partial", -2, lambda at: at.overhead is Level.PARTIAL),
    Row("emlia.conc.mod.conc-partial",     -1, lambda at: at.concealment is Level.PARTIAL),
    Row("emlia.conc.mod.conc-total",       -3, lambda at: at.concealment is Level.TOTAL),
    Row("emlia.conc.mod.taking-cover",     -1, lambda at: at.taking_cover),
    Row("emlia.conc.mod.taking-cover-partial", -1,
        lambda at: at.taking_cover and at.cover is Level.PARTIAL),
    Row("emlia.conc.mod.inside-short",     -2, lambda at: at.band is Band.SHORT),
    Row("emlia.conc.mod.outside-medium",   -5, lambda at: at.band is Band.LONG),
    Row("emlia.conc.mod.unaware",          +1, lambda at: at.target_unaware),
    Row("emlia.conc.mod.elevation",        +1, lambda at: at.elevation),
)
# fmt: on


@rule_rows(*(row.slug for row in AREA_MODIFIERS))
def area_modifier(at: AtPoint, rows: Sequence[Row[AtPoint]] = AREA_MODIFIERS) -> Modified:
    """Return the sum and the rows of Area Volley that hold; range rows are 0."""
    return total(rows, at)


@rule_rows(*(row.slug for row in CONCENTRATED_MODIFIERS))
def concentrated_modifier(
    at: AtUnit, rows: Sequence[Row[AtUnit]] = CONCENTRATED_MODIFIERS
) -> Modified:
    """Return the sum and the rows of Concentrated Volley that hold."""
    return total(rows, at)


@dataclass(frozen=True, slots=True)
class Spread:
    """Drift of a volley's point and diameter of its area, GSU."""

    drift: float
    coverage: float


@rule("emlia.volley.success")
def spread_after(
    drift: float, start: float, increment: float, limit: float, on_drift: int, on_coverage: int
) -> Spread:
    """Return drift and coverage after spending successes.

    Each takes 1 off the drift, which is never below 0, or adds the increment to the coverage, up
    to the limit; a coverage that starts beyond the limit is cut to it.
    """
    return Spread(max(drift - on_drift, 0.0), min(start + increment * on_coverage, limit))


def useful_on_drift(
    drift: float, start: float, increment: float, limit: float, successes: int
) -> range:
    """Return the numbers of successes on drift that waste as few successes as possible."""
    wider = math.ceil((limit - start) / increment) if increment > 0 and limit > start else 0
    most = min(successes, math.ceil(drift))
    return range(min(max(successes - wider, 0), most), most + 1)


@rule("emlia.meta.lost-material")
def bearing_by(face: int) -> int:
    """Return the degrees clockwise from north that a d12 gives: 30 for each pip, north for 12.

    The book has a table of directions, which is lost.
    """
    return 30 * face % 360


@rule("emlia.volley.drift")
def strayed(point: Point, drift: float, face: int) -> Point:
    """Return where a volley falls: *drift* GSU from the point, in the direction of a d12's face."""
    east, north = unit_vector(facing_of_degrees(bearing_by(face)))
    x, y = point[0] + drift * east, point[1] + drift * north
    return round(x * GRID) / GRID, round(y * GRID) / GRID


@rule("emlia.volley.overhead-cover")
def overhead_cover(share: float, solid_share: float) -> Level:
    """Return the vertical cover of a body, from its shares under stopping bodies.

    solid_share : of it under what is solid; total if that is all of it
    share : of it under anything, solid or sparse; partial from half of it on
    """
    if solid_share >= 1 - SHARE_TOLERANCE:
        return Level.TOTAL
    return Level.PARTIAL if half_or_more(share) else Level.NONE
