"""Emlia, chapters 19.1 and 19.2: the concealment of one body from another.

Holds `emlia.sight.case`, `emlia.sight.shadow.scope`, `emlia.sight.tall`, `emlia.sight.half`,
`emlia.sight.datum`, `emlia.sight.peek`, `emlia.sight.raster-ground`,
`emlia.sight.memberwise-combine`, `emlia.sight.memberwise-partial`,
`emlia.sight.memberwise-total`, `emlia.sight.visible` and `emlia.cover.implies-concealment`.
Fractions, distances and heights come as plain numbers; geometry finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from emlia3d.rules.emlia.basics.concealment import Level, Share, combined
from emlia3d.rules.emlia.basics.thresholds import half_or_more, in_reach
from emlia3d.rules.emlia.tables.cover import gives_taking_cover, stops
from emlia3d.rules.emlia.tables.shadow import (
    CastShadow,
    Given,
    hidden_in,
    perch_is_hidden,
    seen_from,
    shadow_of,
)
from emlia3d.rules.rulebook import rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """The observer or the observed.

    footing : its base elevation, height units above map level
    height, size : its own, posture included
    on_entity : it stands on something that could be seen by itself: a hill, a tower, or raster
        ground that is at least half a height unit above the other's footing
    """

    footing: float
    height: float
    size: float
    combat_range: float
    taking_cover: bool = False
    on_entity: bool = False

    @property
    def top(self) -> float:
        """Height units above map level."""
        return self.footing + self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """An entity in the sight corridor.

    top : height units above map level
    fraction : of the corridor's width that it takes up, 0 to 1
    to_observer, to_observed : GSU between nearest edges
    observer_depth, observed_depth : GSU to the farthest member; None: as to the nearest edge
    to_perch : GSU to what the observed stands on; None: as to the observed
    shades : the shorter of the two is behind it, seen from the taller
    hits : None if nothing destroys it
    """

    top: float
    solid: bool
    fraction: float
    to_observer: float
    to_observed: float
    observer_depth: float | None = None
    observed_depth: float | None = None
    to_perch: float | None = None
    shades: bool = True
    hits: int | None = None


class Case(Enum):
    """The rule that an intervening entity falls under, by the three heights."""

    NONE = "none"
    TALL = "tall"
    HALF = "half"
    SHADOW = "shadow"
    FROM_SHADOW = "from shadow"


@rule("emlia.sight.case", "emlia.sight.shadow.scope", "emlia.sight.tall")
def case(between: float, observer: float, observed: float) -> Case:
    """Return the rule of an intervening entity, from heights above the datum.

    At least as tall as both: it is tall. Lower than both: it counts from half the height of the
    taller. If exactly one of the two is taller, its shadow decides.
    """
    if between <= 0:
        return Case.NONE
    if observer <= between and observed <= between:
        return Case.TALL
    if observer > between and observed > between:
        return Case.HALF if 2 * between >= max(observer, observed) else Case.NONE
    return Case.SHADOW if observer > observed else Case.FROM_SHADOW


@rule("emlia.sight.datum")
def datum(observer_footing: float, observed_footing: float) -> float:
    """Return the datum of all heights in a sight question: the lower base elevation."""
    return min(observer_footing, observed_footing)


def above(height: float, base: float) -> float:
    """Return a height relative to *base*.

    Rounded to nine places, because rounding errors of sums on high ground would otherwise decide
    "at least half". A kernel takes the same steps.
    """
    return round((height - base) * 1e9) / 1e9


@rule("emlia.sight.peek")
def peeks(observer: Party, observed: Party, between: Between) -> bool:
    """Return whether the observer looks over a low entity within its own combat range.

    Not if the observed is within its own combat range of it too.
    """
    return in_reach(between.to_observer, observer.combat_range) and not in_reach(
        between.to_observed, observed.combat_range
    )


@dataclass(frozen=True, slots=True)
class Gives:
    """Effect of one entity, as if it filled the corridor's width.

    shadow : under the shadow rules; None if there is none
    """

    level: Level
    because: tuple[str, ...]
    shadow: CastShadow | None = None


def gives(observer: Party, observed: Party, between: Between) -> Gives:
    """Return the concealment that one entity gives the observed, and its shadow if any."""
    base = datum(observer.footing, observed.footing)
    height = above(between.top, base)
    eye, target = above(observer.top, base), above(observed.top, base)
    which = case(height, eye, target)
    shadow = None
    match which:
        case Case.NONE:
            given = Given(Level.NONE, ("emlia.sight.case",))
        case Case.TALL:
            level = Level.TOTAL if between.solid else Level.PARTIAL
            given = Given(level, ("emlia.sight.tall",))
        case Case.HALF:
            given = _half(observer, observed, between)
        case Case.SHADOW:
            shadow = shadow_of(between.to_observer, eye, height, observed.size)
            depth = _or(between.observed_depth, between.to_observed)
            given = hidden_in(shadow, depth if between.shades else None, between.solid)
        case Case.FROM_SHADOW:
            shadow = shadow_of(between.to_observed, target, height, observer.size)
            given = _from_shadow(observer, observed, between, base, shadow)
    shadowless = which in {Case.SHADOW, Case.FROM_SHADOW} and shadow is None
    if given.level is Level.NONE and not shadowless and _crouches_behind(observed, between):
        given = Given(Level.PARTIAL, ("emlia.cover.taking-cover",))
    return Gives(given.level, given.because, shadow)


@rule("emlia.sight.half")
def _half(observer: Party, observed: Party, between: Between) -> Given:
    if peeks(observer, observed, between):
        return Given(Level.NONE, ("emlia.sight.peek",))
    return Given(Level.PARTIAL, ("emlia.sight.half",))


def _from_shadow(
    observer: Party, observed: Party, between: Between, base: float, shadow: CastShadow | None
) -> Given:
    depth = _or(between.observer_depth, between.to_observer) if between.shades else None
    hidden = not observed.on_entity or perch_is_hidden(
        above(observed.footing, base),
        above(between.top, base),
        _or(between.to_perch, between.to_observed),
        depth,
        observer.size,
    )
    return seen_from(shadow, depth, between.solid, hidden)


def _crouches_behind(observed: Party, between: Between) -> bool:
    return observed.taking_cover and gives_taking_cover(
        between.to_observed, between.top - observed.footing, observed.height
    )


def _or(given: float | None, otherwise: float) -> float:
    return otherwise if given is None else given


@rule("emlia.sight.raster-ground")
def ground_shares(to_top: float, to_half: float) -> tuple[Share, Share]:
    """Return the ground of a raster as shares of the corridor, like any solid entity's.

    to_top : fraction in which the ground rises above the line to the top of the observed; half
        or more conceals it wholly
    to_half : the same for the line to half its height; half or more conceals it partly
    """
    return (Level.TOTAL, to_top), (Level.PARTIAL, max(to_half - to_top, 0.0))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The concealment of the observed from the observer.

    because : the rules that decided it
    gives : the level of each entity alone, in the order given
    tells : for each entity, whether it decided: it fills half of the
        width, or belongs to a group that does
    """

    level: Level
    because: tuple[str, ...]
    gives: tuple[Gives, ...]
    tells: tuple[bool, ...]


@rule(
    "emlia.sight.line",
    "emlia.sight.mutual",
    "emlia.sight.corridor.relative",
)
def conceal(
    observer: Party,
    observed: Party,
    between: Sequence[Between],
    ground: tuple[float, float] | None = None,
) -> Verdict:
    """Return the concealment of the observed by its boundary, from all entities in the corridor.

    ground : fractions for `ground_shares`; None on a flat board
    """
    given = tuple(gives(observer, observed, entity) for entity in between)
    shares = [(gave.level, entity.fraction) for gave, entity in zip(given, between, strict=True)]
    rocky = ground_shares(*ground) if ground else ()
    level = combined([*shares, *rocky])
    alone = any(gave >= level and half_or_more(fraction) for gave, fraction in (*shares, *rocky))
    grouped = bool(level) and not alone

    def bears(share: Share) -> bool:
        gave, fraction = share
        return gave >= level and (fraction > 0 if grouped else half_or_more(fraction))

    tells = tuple(map(bears, shares))
    because = [
        slug for gave, told in zip(given, tells, strict=True) if told for slug in gave.because
    ]
    if level and any(map(bears, rocky)):
        because.append("emlia.sight.raster-ground")
    if grouped:
        because.append("emlia.sight.group-level")
    return Verdict(level, tuple(dict.fromkeys(because)), given, tells)


@rule("emlia.cover.implies-concealment", "emlia.cover.per-attack")
def cover_of(
    between: Sequence[Between],
    verdict: Verdict,
    base_damage: int,
    ground: tuple[float, float] | None = None,
) -> Level:
    """Return the cover of the observed against one attack, by entities that stop it.

    verdict : of `conceal` for the same entities, whose level it never exceeds
    base_damage : with falloff at range applied
    ground : as for `conceal`; raster ground stops everything
    """
    shares = [
        (gave.level, entity.fraction)
        for gave, entity in zip(verdict.gives, between, strict=True)
        if stops(entity.hits, entity.solid, base_damage)
    ]
    return combined([*shares, *(ground_shares(*ground) if ground else ())])


def cover_because(
    between: Sequence[Between], verdict: Verdict, cover: Level, base_damage: int
) -> tuple[str, ...]:
    """Return the rules that decided the cover, besides its source.

    between, verdict : as for `cover_of`, whose result is *cover*
    """
    because = ["emlia.cover.implies-concealment"] if cover else []
    for entity, gave, tells in zip(between, verdict.gives, verdict.tells, strict=True):
        if tells and gave.level and not stops(entity.hits, entity.solid, base_damage):
            because.append("emlia.cover.per-attack")
            because += ["emlia.cover.not-solid"] if entity.solid else []
    return tuple(dict.fromkeys(because))


@rule("emlia.sight.memberwise-combine")
@rule("emlia.sight.memberwise-partial", "emlia.sight.memberwise-total")
def with_members(
    by_boundary: NDArray[np.uint8],
    by_member: NDArray[np.uint8],
    hides_wholly: NDArray[np.bool_] | bool = False,
) -> NDArray[np.uint8]:
    """Return (n,) levels of units: by boundary, or the minimum that every member has alone.

    by_member : (n,) that minimum, each member observed from the observer's whole boundary; none
        if only the boundary counts
    hides_wholly : (n,) each member of the observer is wholly concealed from the observed: units
        that cannot be seen do not see
    """
    levels = np.maximum(by_boundary, by_member)
    return np.where(hides_wholly, np.uint8(Level.TOTAL), levels)


@rule("emlia.sight.visible", "emlia.sight.levels")
def is_visible(concealment: Level) -> bool:
    """Return whether the observer sees the observed: unless its concealment is total."""
    return concealment < Level.TOTAL
