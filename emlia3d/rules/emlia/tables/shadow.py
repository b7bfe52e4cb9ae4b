"""Emlia, chapter 19.3: the shadow in which an entity hides units from a taller observer.

All heights are above the datum, the lower of the two base elevations.

Holds `emlia.sight.shadow-length`, `emlia.sight.shadow-none`, `emlia.sight.shadow-partial`,
`emlia.sight.shadow-total-depth`, `emlia.sight.shadow-sparse`, `emlia.sight.shadow-distance`,
`emlia.sight.on-own-terrain`, `emlia.sight.from-shadow` and `emlia.sight.shadow.definition`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.rulebook import rule, rule_rows


class Given(NamedTuple):
    """A level of concealment and the rules that gave it."""

    level: Level
    because: tuple[str, ...]


@rule("emlia.sight.shadow-length")
@rule("emlia.sight.shadow.example-bandits")
def shadow_length(distance: float, height_taller: float, height_between: float) -> float:
    """Return how far behind the intervening entity its shadow reaches, in GSU.

    It starts from the distance of the taller to the entity, halved for each of 2, 4, 8, ... times
    the entity's height that the taller exceeds. Exactly twice is not more than twice.

    distance : GSU, from the taller to the intervening entity, nearest edges
    height_taller, height_between : height units above the datum; height_between > 0
    """
    assert height_between > 0
    reach, times = distance, 2.0
    while height_taller > times * height_between:
        reach, times = reach / 2, times * 2
    return reach


@rule("emlia.sight.shadow-none", "emlia.sight.on-own-terrain")
def has_shadow(distance: float, height_taller: float, height_between: float) -> bool:
    """Return whether a shadow exists: not if the taller is nearer than its height advantage.

    A distance equal to the advantage suffices. The hill that it stands on is at distance 0, and
    so hides nothing from it.
    """
    return distance >= height_taller - height_between


@rule("emlia.sight.shadow-total-depth")
def total_depth(length: float, size_shorter: float, height_between: float) -> float:
    """Return how far behind a solid entity of a shadow's length concealment is total, GSU.

    0 or less if the shorter one's size is the entity's height or more: it is never total.
    """
    return length * (1 - size_shorter / height_between)


@dataclass(frozen=True, slots=True)
class CastShadow:
    """A shadow behind one entity for one pair of observer and observed, GSU.

    length : how far it reaches
    total_depth : depth of total concealment behind a solid entity, and of partial behind a
        sparse one; 0 or less if there is none
    """

    length: float
    total_depth: float


def shadow_of(
    distance: float, height_taller: float, height_between: float, size_shorter: float
) -> CastShadow | None:
    """Return the shadow that an entity casts from the taller; None if there is none."""
    if not has_shadow(distance, height_taller, height_between):
        return None
    length = shadow_length(distance, height_taller, height_between)
    return CastShadow(length, total_depth(length, size_shorter, height_between))


def _is_deep(shadow: CastShadow, depth: float) -> bool:
    return shadow.total_depth > 0 and depth <= shadow.total_depth


@rule("emlia.sight.shadow.definition", "emlia.sight.shadow-distance")
@rule_rows("emlia.sight.shadow-partial", "emlia.sight.shadow-sparse")
def hidden_in(shadow: CastShadow | None, depth: float | None, solid: bool) -> Given:
    """Return the concealment from the taller of the shorter, *depth* GSU behind the entity.

    A solid one hides it totally in its depth and partly to its end; a sparse one hides it
    partly in its depth. The ends are in the shadow.

    depth : to its farthest member, nearest edges; None if it is beside or before the entity
    """
    if shadow is None:
        return Given(Level.NONE, ("emlia.sight.shadow-none",))
    if depth is None:
        return Given(Level.NONE, ("emlia.sight.shadow.definition",))
    if _is_deep(shadow, depth):
        if solid:
            return Given(Level.TOTAL, ("emlia.sight.shadow-total-depth",))
        return Given(Level.PARTIAL, ("emlia.sight.shadow-sparse",))
    if solid and depth <= shadow.length:
        return Given(Level.PARTIAL, ("emlia.sight.shadow-partial",))
    return Given(Level.NONE, ("emlia.sight.shadow-length",))


@rule("emlia.sight.from-shadow.exception")
def perch_is_hidden(
    height_perch: float, height_between: float, distance: float, depth: float | None, size: float
) -> bool:
    """Return whether a solid entity would totally hide what the observed stands on.

    Always if it is no taller than the entity; else if the observer stands within the total
    depth of the shadow that the entity casts from it.

    distance : of the hill or tower from the entity, GSU
    depth, size : of the observer behind the entity, and its size
    """
    if height_perch <= height_between:
        return True
    shadow = shadow_of(distance, height_perch, height_between, size)
    return shadow is not None and depth is not None and _is_deep(shadow, depth)


@rule_rows("emlia.sight.from-shadow.partial", "emlia.sight.from-shadow.total")
@rule_rows("emlia.sight.from-shadow.sparse", "emlia.sight.from-shadow.outside")
def seen_from(
    shadow: CastShadow | None, depth: float | None, solid: bool, perch_hidden: bool = True
) -> Given:
    """Return the concealment of the taller from the shorter, *depth* GSU behind the entity.

    In the shadow the taller is totally hidden where the observer itself is, because sight is
    mutual; else partly, and not at all if it stands on something that the observer can
    see. A sparse entity casts shadow only in its depth.

    perch_hidden : False if the observed stands on something that is not totally hidden
    """
    hidden = hidden_in(shadow, depth, solid)
    if hidden.level is Level.NONE:
        return Given(Level.NONE, ("emlia.sight.from-shadow.outside",))
    if hidden.level is Level.TOTAL:
        return Given(Level.TOTAL, ("emlia.sight.from-shadow.total",))
    if not perch_hidden:
        return Given(Level.NONE, ("emlia.sight.from-shadow.exception",))
    if not solid:
        return Given(Level.PARTIAL, ("emlia.sight.from-shadow.sparse",))
    return Given(Level.PARTIAL, ("emlia.sight.from-shadow.partial",))
