"""Benchmarks of fighting: hits, dice, neighbours, ways, and the longest of six turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.dice import SeededDice
from emlia3d.geometry import discs_within
from emlia3d.geometry.lane import Barring, extents
from emlia3d.rules.emlia import Markers, Targets, allocate_hits, resolve_hits
from emlia3d.rules.emlia.tables.skills import roll_check, roll_checks
from emlia3d.studies.baselines import hits, neighbours
from emlia3d.studies.baselines.lanes import lanes_by_tree
from emlia3d.studies.host import Baseline, Result, SyntheticArmies, Task, one_lap

NEAR = 20.0
"""Maximum distance of neighbours, GSU."""
NEXT, FAR = 0.5, 100.0
"""Minimum and maximum distance ahead of a unit for obstacles, GSU."""
DICE = 10
"""Dice of a check."""
TURNS = 6
"""Number of turns, of which the longest is measured."""


def shared_hits(host: SyntheticArmies) -> Task:
    """Return the task: allocate hits to as many mixed units as figures, about thirty hits each."""
    struck = _Struck(host)
    army, count = struck.army, host.figures
    members, rows, markers, groups = army
    sizes = np.diff(rows).astype(np.int64) * np.diff(groups)
    starts = np.concatenate(([0], np.cumsum(sizes)))

    def by_numba() -> Callable[[], Any]:
        allocate = hits.allocate_by_numba()
        return lambda: allocate(*army, starts, np.empty(int(starts[-1]), dtype=np.int32))

    def taken(theirs: Any, ours: Result) -> bool:
        return bool(np.array_equal(theirs, ours[0][: len(theirs)]))

    return Task(
        counted="units", count=count,
        laps=one_lap(lambda _: (allocate_hits(members, rows, struck.damage, markers, groups),)),
        baselines=(
            Baseline(name="marker by marker", needs=None, count=struck.few, agrees=taken,
                     make=lambda: lambda: hits.allocate_by_marker(army, struck.few)),
            Baseline(name="closed form in numpy", needs=None, count=count, agrees=taken,
                     make=lambda: lambda: hits.allocate_by_numpy(army)),
            Baseline(name="closed form in numba", needs="numba", count=count, agrees=taken,
                     make=by_numba),
        ),
    )  # fmt: skip


def harm(host: SyntheticArmies) -> Task:
    """Return the task: compute the results of hits: allocation, damage and losses."""
    struck = _Struck(host)
    members, rows, markers, groups = struck.army
    targets = Targets(members=members, offsets=rows, hits=struck.hits, limit=1)
    on_them = Markers(damage=struck.damage, hits=markers, offsets=groups)

    def work(_: object) -> Result:
        came = resolve_hits(targets, on_them)
        return came.taken, came.points, came.lost, came.carried

    def same(theirs: list[tuple[int, int, int]], ours: Result) -> bool:
        return theirs == list(zip(*(row[: len(theirs)].tolist() for row in ours[1:]), strict=True))

    return Task(
        counted="units", count=host.figures, laps=one_lap(work),
        baselines=(
            Baseline(name="unit by unit", needs=None, count=struck.few, agrees=same,
                  make=lambda: lambda: hits.harmed(struck.army, struck.hits, struck.damage,
                                                   struck.few)),
        ),
    )  # fmt: skip


class _Struck:
    """Mixed units of two to four subunits, each with one to three groups of hit markers.

    hits : hits attribute of each subunit; damage : base damage of each group
    few : number of units for timing sequential work
    """

    def __init__(self, host: SyntheticArmies) -> None:
        rows, groups = (
            np.concatenate(([0], np.cumsum(host.whole(low, high, host.figures)))).astype(np.int32)
            for low, high in ((2, 4), (1, 3))
        )
        members = host.whole(1, 59, int(rows[-1]))
        self.army: hits.Army = members, rows, host.whole(1, 29, int(groups[-1])), groups
        self.damage = np.concatenate([np.arange(n) for n in np.diff(groups)]).astype(np.int32)
        self.hits = host.whole(1, 3, len(members))
        self.few = min(host.figures, 1000)


def checks(host: SyntheticArmies) -> Task:
    """Return the task: roll one skill check of ten dice for each figure."""
    count = host.figures
    dice, modifiers = np.full(count, DICE), host.whole(-5, 2, count)
    few = min(count, 2000)

    def one_by_one() -> NDArray[np.int64]:
        source = SeededDice(host.seed, 0)
        return np.array([
            roll_check("emlia.fire", DICE, modifier, source).successes
            for modifier in modifiers[:few].tolist()
        ])  # fmt: skip

    baseline = Baseline(
        name="one by one", needs=None, count=few, make=lambda: one_by_one,
        agrees=lambda theirs, ours: bool(np.array_equal(theirs, ours[0][:few])),
    )  # fmt: skip
    return Task(
        counted="checks", count=count,
        laps=one_lap(
            lambda _: (roll_checks("emlia.fire", dice, modifiers, SeededDice(host.seed, 0)),)
        ),
        baselines=(baseline,),
    )  # fmt: skip


def steps(host: SyntheticArmies) -> Task:
    """Return the task: move as many units as figures, and find all others within 20 GSU."""
    count = host.figures
    side = 10.0 * count**0.5
    x, y = (side * host.shares(count) for _ in range(2))
    east, north = (6 * host.shares(count) - 3 for _ in range(2))

    def moved() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.clip(x + east, 0, side), np.clip(y + north, 0, side)

    def work(_: object) -> Result:
        near = discs_within(*moved(), NEAR)
        return near.offsets, near.rows

    def by_grid() -> Callable[[], neighbours.Found]:
        search = neighbours.neighbours_by_grid()
        return lambda: search(*moved(), NEAR)

    def same(theirs: neighbours.Found, ours: Result) -> bool:
        return bool(np.array_equal(theirs[0], ours[0]) and np.array_equal(theirs[1], ours[1]))

    return Task(
        counted="units", count=count, laps=one_lap(work),
        baselines=(
            Baseline(name="shapely's tree", needs=None, count=count, agrees=same,
                  make=lambda: lambda: neighbours.neighbours_by_tree(*moved(), NEAR)),
            Baseline(name="grid in numba", needs="numba", count=count, agrees=same, make=by_grid),
        ),
    )  # fmt: skip


def ways(host: SyntheticArmies) -> Task:
    """Return the task: find how far each unit can move straight north before an obstacle."""
    shapes = host.bodies.outlines(np.arange(len(host.bodies)))
    left, _, right, front = extents(shapes[: len(host.scenario.setup.units)], 0.0, 1.0).T
    # From slightly ahead of its front, so that it does not block itself.
    lanes = np.column_stack([left, front + NEXT, right, front + FAR])

    def work(_: object) -> Result:
        return (Barring(shapes).first_met(lanes, 0.0, 1.0),)

    def same(theirs: NDArray[np.float64], ours: Result) -> bool:
        return bool(np.allclose(theirs, ours[0][: len(theirs)], rtol=0, atol=1e-9))

    few = lanes[:100]
    return Task(
        counted="lanes", count=len(lanes), laps=one_lap(work),
        baselines=(
            Baseline(name="shapely's tree", needs=None, count=len(few), agrees=same,
                  make=lambda: lambda: lanes_by_tree(shapes, few)),
        ),
    )  # fmt: skip


def turn(host: SyntheticArmies) -> Task:
    """Return the task: play six turns between two doctrine commanders; its digest is the check."""

    def digest(battle: Battle) -> Result:
        return (np.frombuffer(bytes.fromhex(battle.digest.hexdigest()), dtype=np.uint8),)

    def laps(battle: Battle) -> Iterator[Result]:
        done = 0
        for _ in battle.run():
            if battle.state.turn > done + 1:
                done += 1
                yield digest(battle)
        yield digest(battle)

    return Task(
        counted="figures",
        count=host.figures,
        fresh=lambda: host.scenario.battle(host.seed, turns=TURNS),
        laps=laps,
    )
