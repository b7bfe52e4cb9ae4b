"""Groups of sight questions with the same reasons. One account explains all questions of a group.

A hundred thousand places behind one wall are hidden by the same rule, each at its own distance.
An account does not depend on the distances, only on the comparisons that they decide.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emlia3d.rules.emlia.kernels.corridor_obstacles import SOLID, CorridorHits
from emlia3d.rules.emlia.kernels.occlusion_levels import Ends, Occluders, occlusion_levels
from emlia3d.rules.emlia.play.sight.batch_sight import LIMITS, BatchSight
from emlia3d.rules.emlia.play.sight.sight_pairs import Flags, Floats, Numbers, SightLevels


def alike(
    batch_sight: BatchSight, glance: SightLevels, which: Numbers, ground: Floats
) -> Iterator[Numbers]:
    """Yield groups of questions that share an account.

    The corridors of a group contain the same bodies. In all of these corridors, the same rule
    applies to a body, and it alone gives the same level. It also fills the same class of the width:
    at least half, less than half, or nothing. The class that the ground fills is the same, too.

    glance : the result of a query that measures every body
    which : rows of questions in *glance*
    ground : (n, 2) fractions that the ground blocks for each question in *which*: up to the line to
        the target's top, and up to the line to half its height
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
    """Return which proportions are at least half, and which are above 0."""
    return shares >= LIMITS.half, shares > 0


def _of_rows(batch_sight: BatchSight, glance: SightLevels) -> list[Numbers]:
    """Return the facts about each body in each corridor on which the account depends."""
    found = glance.found
    solid = found.solid == SOLID
    upright, crouched = (_alone(batch_sight, found, glance.measures, down) for down in (0, 1))
    columns = found.rows, found.which, solid, upright, crouched, *_filled(found.fraction)
    return [np.asarray(column, dtype=np.intp) for column in columns]


def _alone(
    batch_sight: BatchSight, found: CorridorHits, measures: Floats, crouched: int
) -> Numbers:
    """Return the level that each body alone would give if it filled the corridor's width.

    crouched : whether taking cover counts
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
