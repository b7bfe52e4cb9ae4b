"""Benchmarks of sight: corridors, ground in corridors, verdicts, silhouettes, lines and areas."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.geometry import (
    blocked_fractions,
    corridor_fractions,
    lines_of_sight,
    viewshed,
    visible_shares,
)
from emlia3d.rules.emlia import conceal_matrix
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.studies.baselines.corridors import BenchmarkScene, Found, fractions_by_numpy
from emlia3d.studies.baselines.rays import lines_by_embree, viewshed_by_walk
from emlia3d.studies.host import Baseline, Result, SyntheticArmies, Task, one_lap

EYE_M, TARGET_M, MAN_M = 2.0, 1.5, 1.8
EYES = 10
"""Number of a side's eyes in the benchmark of silhouettes."""


def corridors(host: SyntheticArmies) -> Task:
    """Return the task: find the obstacles in the sight corridors between units of both sides."""
    mine, theirs = host.sides
    every = np.arange(len(host.bodies), dtype=np.int32)
    scene = BenchmarkScene(host.bodies, mine, theirs, every)
    few = scene.some(min(3, len(mine)))

    def found(some: BenchmarkScene) -> Result:
        return corridor_fractions(some.bodies, some.observers, some.targets, some.obstacles)

    def agrees(theirs: Found, _: Result) -> bool:
        pair, obstacle, fraction = found(few)
        ours = dict(zip((pair.astype(int) * len(every) + obstacle).tolist(), fraction, strict=True))
        others = dict(zip(theirs[0].tolist(), theirs[1], strict=True))
        return all(abs(ours.get(key, 0) - others.get(key, 0)) < 1e-4 for key in {**ours, **others})

    by_numpy = Baseline(
        name="shapely and numpy", needs=None, count=few.pairs, agrees=agrees,
        make=lambda: lambda: fractions_by_numpy(few),
    )  # fmt: skip
    return Task(
        counted="corridors",
        count=scene.pairs,
        laps=one_lap(lambda _: found(scene)),
        baselines=(by_numpy,),
    )


def concealment(host: SyntheticArmies) -> Task:
    """Return the task: compute the concealment of every unit from every enemy by the rules."""
    mine, theirs = (side.tolist() for side in host.sides)

    def fresh() -> Battle:
        begun = host.scenario.battle(host.seed)
        next(begun.run())
        battle = host.scenario.battle(host.seed)
        battle.state = begun.state
        return battle

    few = mine[: min(2, len(mine))], theirs[: min(10, len(theirs))]

    def by_pairs() -> Callable[[], NDArray[np.uint8]]:
        watch = sight_cache_of(fresh())
        return lambda: np.array(
            [[watch.account(a, b).level for b in few[1]] for a in few[0]], dtype=np.uint8
        )

    one_by_one = Baseline(
        name="pair by pair", needs=None, count=len(few[0]) * len(few[1]),
        make=by_pairs, keeps=True,
        agrees=lambda theirs, ours: bool((theirs == ours[0][: len(few[0]), : len(few[1])]).all()),
    )  # fmt: skip
    return Task(
        counted="pairs",
        count=len(mine) * len(theirs),
        fresh=fresh,
        laps=one_lap(lambda battle: (conceal_matrix(battle, mine, theirs),)),
        baselines=(one_by_one,),
    )


def lines(host: SyntheticArmies) -> Task:
    """Return the task: find which lines, as many as figures, are clear of the ground."""
    a, b = host.places(host.figures, EYE_M), host.places(host.figures, TARGET_M)
    embree = Baseline(
        name="Embree", needs="embreex", count=host.figures,
        make=lambda: lines_by_embree(host.surface, a, b),
        agrees=lambda theirs, ours: bool(np.mean(theirs == ours[0]) > 0.999),
    )  # fmt: skip
    return Task(
        counted="lines", count=host.figures,
        laps=one_lap(lambda _: (lines_of_sight(host.surface, a, b),)),
        baselines=(embree,),
    )  # fmt: skip


def all_seen(host: SyntheticArmies) -> Task:
    """Return the task: find all ground centres that the general in the centre sees."""
    surface = host.surface
    rows, columns = surface.heights.shape
    eye = np.array([
        surface.west + columns // 2 * surface.cell, surface.north - rows // 2 * surface.cell, 0.0
    ])  # fmt: skip
    eye[2] = surface.heights_at(eye[0], eye[1]) + EYE_M
    walk = Baseline(
        name="compiled walk", needs="numba", count=rows * columns,
        make=lambda: viewshed_by_walk(surface, eye, TARGET_M),
        agrees=lambda theirs, ours: bool(np.mean(theirs == ours[0]) > 0.9999),
    )  # fmt: skip
    return Task(
        counted="centres", count=rows * columns,
        laps=one_lap(lambda _: (viewshed(surface, eye, TARGET_M).identity[0],)),
        baselines=(walk,),
    )  # fmt: skip


def shut_by_ground(host: SyntheticArmies) -> Task:
    """Return the task: compute how much of the corridors the ground blocks, from eye to eye."""
    mine, theirs = host.sides
    pairs = np.stack(np.meshgrid(mine, theirs, indexing="ij"), axis=-1).reshape(-1, 2)
    tops = host.surface.heights_at(*host.bodies.centroids.T) + EYE_M
    eyes, marks = tops[pairs].T

    return Task(
        counted="corridors", count=len(pairs),
        laps=one_lap(lambda _: (blocked_fractions(host.surface, host.bodies, pairs, eyes, marks),)),
    )  # fmt: skip


def silhouettes(host: SyntheticArmies) -> Task:
    """Return the task: compute the visible share of every enemy from a few eyes."""
    mine, theirs = host.sides
    seers = mine[:EYES]
    centres = host.bodies.centroids
    count = len(centres)
    surface = host.surface if host.hills else None
    feet = np.zeros(count) if surface is None else surface.heights_at(*centres.T)
    upright = host.bodies.with_base(feet, np.full(count, MAN_M), np.ones(count, dtype=np.bool_))
    eyes = np.column_stack([centres[seers], feet[seers] + EYE_M])
    # Each eye is inside a unit that would hide everything, so that unit is ignored; for the others
    # too.
    others = np.setdiff1d(np.arange(count), seers)
    return Task(
        counted="silhouettes", count=len(eyes) * len(theirs),
        laps=one_lap(lambda _: (visible_shares(upright, eyes, theirs, others, surface),)),
    )  # fmt: skip
