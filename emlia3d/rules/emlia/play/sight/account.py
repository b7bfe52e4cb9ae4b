"""The concealment between two bodies and its reasons, read from the columns that play uses.

The kernels find the levels. The rules in words (`emlia3d.rules.emlia.tables.sight`) add
the level that each body alone gives, which bodies decide, and by which rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.kernels.corridor_obstacles import SOLID, SightQueries
from emlia3d.rules.emlia.kernels.occlusion_levels import FROM_SHADOW, SHADOW
from emlia3d.rules.emlia.play.sight.batch_sight import BatchSight
from emlia3d.rules.emlia.play.sight.ground_shares import ground_shares
from emlia3d.rules.emlia.play.sight.sight_bodies import surface_of
from emlia3d.rules.emlia.play.sight.sight_pairs import Numbers, SightEndpoints, SightLevels
from emlia3d.rules.emlia.tables.sight import Between, Party, Verdict, conceal, cover_of

MEMBERWISE = {
    Level.PARTIAL: ("emlia.sight.memberwise-partial", "emlia.sight.memberwise-combine"),
    Level.TOTAL: ("emlia.sight.memberwise-total", "emlia.sight.memberwise-combine"),
}
"""The rules by which members that are inspected one by one give a level."""

Ground = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The concealment of one unit from another, and the facts on which it depends.

    near, far : the observer and the observed
    numbers, between : the bodies in the corridor, ascending, and the facts about each
    grouped : for each of these, whether a unit of several members must lie in its shadow
    ground : fractions that the ground blocks; None if the board is level or the two touch
    verdict : by the boundaries
    level : after members are inspected one by one
    members : the minimum concealment of every member alone; None if it did not decide
    """

    near: Party
    far: Party
    numbers: tuple[int, ...]
    between: tuple[Between, ...]
    grouped: tuple[bool, ...]
    ground: Ground | None
    verdict: Verdict
    level: Level
    members: Level | None = None

    @property
    def by_boundary(self) -> Level:
        """The concealment before members are inspected one by one."""
        return self.verdict.level

    @property
    def because(self) -> tuple[str, ...]:
        """The rules that determined the level."""
        if self.level is self.by_boundary:
            return self.verdict.because
        return MEMBERWISE[self.level] if self.members is self.level else ("emlia.sight.mutual",)

    def cover(self, base_damage: int) -> Level:
        """Return the cover by the boundaries against an attack of this base damage."""
        return cover_of(self.between, self.verdict, base_damage, self.ground)


def accounts(
    batch_sight: BatchSight, endpoints: SightEndpoints, glance: SightLevels, which: Numbers
) -> Iterator[Account]:
    """Yield the account of each question in *which*, by the boundaries alone."""
    found, asked = glance.found, glance.found.asked
    surface = surface_of(batch_sight.moment)
    grounds: list[Ground | None] = [None] * len(which)
    if surface is not None:
        shares = ground_shares(surface, endpoints.bodies, asked, which).tolist()
        grounds = [(top, half) for top, half in shares]
    near, far = _parties(batch_sight, asked, which)
    ends = asked.units[which]
    touch = (found.touch[which].view(np.bool_) | (ends[:, 0] == ends[:, 1])).tolist()
    for place, question in enumerate(which.tolist()):
        rows = slice(*found.starts[question : question + 2].tolist())
        numbers = batch_sight.numbers(found.rows[rows])
        between, grouped = _between(batch_sight, glance, question, rows, numbers)
        ground = None if touch[place] else grounds[place]
        verdict = conceal(near[place], far[place], between, ground)
        yield Account(
            near=near[place], far=far[place], numbers=numbers, between=between, grouped=grouped,
            ground=ground, verdict=verdict, level=verdict.level,
        )  # fmt: skip


def _parties(
    batch_sight: BatchSight, asked: SightQueries, which: Numbers
) -> tuple[list[Party], list[Party]]:
    """Return the observers and the observed of some questions, in the form that the rules use."""
    crouched = batch_sight.crouched(asked.units[which]).tolist()
    perched = asked.perched[which].tolist()
    sides = asked.observers[which].tolist(), asked.observed[which].tolist()
    near, far = (
        [
            Party(
                footing=footing, height=height, size=size, combat_range=reach,
                taking_cover=down[side], on_entity=bool(side) and on,
            )
            for (footing, height, size, reach), down, on in zip(
                ends, crouched, perched, strict=True
            )
        ]
        for side, ends in enumerate(sides)
    )  # fmt: skip
    return near, far


def _between(
    batch_sight: BatchSight,
    glance: SightLevels,
    question: int,
    rows: slice,
    numbers: tuple[int, ...],
) -> tuple[tuple[Between, ...], tuple[bool, ...]]:
    """Return the bodies in one corridor, and which shadows must hold several members."""
    found, asked = glance.found, glance.found.asked
    tops, hits = batch_sight.tops(found.rows[rows]).tolist(), batch_sight.hits(numbers)
    measures, which = glance.measures[:, rows], found.which[rows]
    is_shadow, is_from = which == SHADOW, which == FROM_SHADOW
    depth = np.where(is_from, measures[2], measures[3])
    shades = ~((is_shadow | is_from) & np.isnan(depth))
    alone = asked.alone[question]
    grouped = (is_shadow & ~alone[1]) | (is_from & ~alone[0])
    columns = zip(
        tops, (found.solid[rows] == SOLID).tolist(), found.fraction[rows].tolist(),
        *measures.tolist(), shades.tolist(), is_shadow.tolist(), is_from.tolist(), hits,
        strict=True,
    )  # fmt: skip
    between = tuple(
        Between(
            top=top, solid=solid, fraction=fraction, to_observer=near, to_observed=far,
            observer_depth=near_depth if from_shadow and shade else None,
            observed_depth=far_depth if shadow and shade else None,
            to_perch=perch if from_shadow else None,
            shades=shade, hits=number,
        )
        for (
            top, solid, fraction, near, far, near_depth, far_depth, perch, shade, shadow,
            from_shadow, number,
        ) in columns
    )  # fmt: skip
    return between, tuple(grouped.tolist())
