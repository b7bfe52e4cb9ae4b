"""Sight questions that are answered for the same reasons, so that one account tells all of them.

Of a hundred thousand places behind one wall nearly all are hidden by the same rule, but each at
its own distance. What an account says does not turn on the distances, only on what they decide.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emlia3d.rules.emlia.kernels.corridor_obstacles import SOLID, CorridorHits
from emlia3d.rules.emlia.kernels.occlusion_levels import Ends, Occluders, occlusion_levels
from emlia3d.rules.emlia.play.sight.batch_sight import LIMITS, BatchSight
from emlia3d.rules.emlia.play.sight.lineup import Flags, Floats, Numbers, SightLevels


def alike(
    batch_sight: BatchSight, glance: SightLevels, which: Numbers, ground: Floats
) -> Iterator[Numbers]:
    """Yield questions, of these of a look at every body, that have one account between them.

    The same bodies stand in their corridors, under the same rule each, give the same level by
    itself, and fill half of the width in all of them, or less, or nothing; and so does the ground.

    ground : (n, 2) the fractions that it blocks, to the top and to half height, for each of *which*
    """
    found = glance.found
    counts = np.diff(found.starts)[which]
    facts = _of_rows(batch_sight, glance)
    to_top, to_half = ground[:, 0], np.maximum(ground[:, 1] - ground[:, 0], 0.0)
    own = [glance.levels[which], found.touch[which], *_filled(to_top), *_filled(to_half)]
    for count in np.unique(counts).tolist():
        some = np.flatnonzero(counts == count)
        rows = found.starts[which[some], None] + np.arange(count)
        table = np.column_stack(
            [*(column[some] for column in own), *(column[rows] for column in facts)]
        ).astype(np.int32)
        _, group = np.unique(table, axis=0, return_inverse=True)
        order = np.argsort(group.ravel(), kind="stable")
        bounds = np.flatnonzero(np.diff(group.ravel()[order])) + 1
        for places in np.split(order, bounds):
            yield which[some[places]]


def _filled(shares: Floats) -> tuple[Flags, Flags]:
    """Return which shares are half of a whole, and which are anything."""
    return shares >= LIMITS.half, shares > 0


def _of_rows(batch_sight: BatchSight, glance: SightLevels) -> list[Numbers]:
    """Return what the reasons turn on of each body in each corridor, in columns."""
    found = glance.found
    solid = found.solid == SOLID
    upright, crouched = (_alone(batch_sight, found, glance.measures, down) for down in (0, 1))
    columns = found.rows, found.which, solid, upright, crouched, *_filled(found.fraction)
    return [np.asarray(column, dtype=np.intp) for column in columns]


def _alone(
    batch_sight: BatchSight, found: CorridorHits, measures: Floats, crouched: int
) -> Numbers:
    """Return the level that each body gives as if it filled the corridor's width.

    crouched : whether those who take cover are taken to do so
    """
    asked, question = found.asked, found.question
    to_observer, to_observed, observer_depth, observed_depth, to_perch = measures
    observers, observed = (
        Ends(
            footing=figures[:, 0], height=figures[:, 1], size=figures[:, 2], reach=figures[:, 3],
            crouched=asked.crouched[question] & bool(crouched), perched=asked.perched[question],
        )
        for figures in (asked.observers[question], asked.observed[question])
    )  # fmt: skip
    facts = Occluders(
        top=batch_sight.tops(found.rows), solid=found.solid == SOLID,
        fraction=np.ones(len(found.rows)), to_observer=to_observer, to_observed=to_observed,
        observer_depth=observer_depth, observed_depth=observed_depth, to_perch=to_perch,
    )  # fmt: skip
    rows = len(found.rows)
    return occlusion_levels(
        np.arange(rows + 1), observers, observed, facts, np.zeros((rows, 2)), LIMITS
    ).astype(np.intp)
