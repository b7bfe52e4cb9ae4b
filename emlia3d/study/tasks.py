"""What is measured: each kernel, and a whole turn, put to armies of any size.

The same figures, ground and seed give the same work and the same result on any machine, which the
checksum shows. Nothing here looks at a clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.dice import SeededDice
from emlia3d.geometry import (
    Bodies,
    Surface,
    corridor_fractions,
    discs_within,
    lines_of_sight,
    viewshed,
)
from emlia3d.rules.emlia import Markers, Targets, allocate_hits, conceal_matrix, resolve_hits
from emlia3d.rules.emlia.play.sight.watch import watch_of
from emlia3d.rules.emlia.skills import roll_check, roll_checks
from emlia3d.scenario import Scenario
from emlia3d.scenario.mustering import FEWEST, MOST, armies
from emlia3d.study.rivals import corridor, ground, hits, neighbours

Result: TypeAlias = tuple[NDArray[Any], ...]

UNIT = 100
"""Figures of a unit on average."""
NEAR = 20.0
"""GSU within which neighbours are sought."""
DICE = 10
"""Dice of a check."""
EYE_M, TARGET_M = 2.0, 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Another way to the same result.

    needs : the library that it is made of; None for those that the program has anyway
    count : how much of the work it is given, counted as the task counts it
    make : what makes it ready, compiled where it is compiled; ImportError where it lacks a library
    agrees : whether its result is that of the kernel
    keeps : whether it keeps what it has found, so that it is made anew to be timed
    """

    name: str
    needs: str | None
    count: int
    make: Callable[[], Callable[[], Any]]
    agrees: Callable[[Any, Result], bool]
    keeps: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Work that is ready to be done, again and again.

    counted, count : what it is measured in, and how much of that there is
    fresh : what is put into `work`, made anew each time and not measured
    work : does it
    """

    counted: str
    count: int
    work: Callable[[Any], Result]
    fresh: Callable[[], Any] = lambda: None
    rivals: tuple[Rival, ...] = ()

    def once(self) -> Result:
        """Do it, from fresh."""
        return self.work(self.fresh())


def checksum(result: Result) -> str:
    """Sixteen digits that tell one result from another."""
    digest = hashlib.sha256()
    for column in result:
        digest.update(f"{column.dtype.str}{column.shape}".encode())
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()[:16]


class Armies:
    """Two armies of so many figures, and what is made of them once for several tasks.

    unit : figures of a unit on average, as far as there are two units and none is too large
    """

    def __init__(self, figures: int, *, hills: bool, seed: int = 0, unit: int = UNIT) -> None:
        self.figures = figures
        self.units = min(max(figures // unit, 2), figures // FEWEST)
        self.units = max(self.units, -(-figures // MOST))
        self.hills = hills
        self.dice = SeededDice(seed, figures, purpose=7)
        self.seed = seed

    @cached_property
    def scenario(self) -> Scenario:
        """The armies, ready to start."""
        return armies(self.figures, self.units, ground=self.hills, seed=self.seed)

    @cached_property
    def bodies(self) -> Bodies:
        """The boundaries of all units, and then all that may stand between."""
        setup = self.scenario.setup
        outlines = [unit.starts_in for unit in setup.units]
        outlines += [feature.outline for feature in setup.field.features]
        count = len(outlines)
        return Bodies(outlines, np.zeros(count), np.ones(count), np.ones(count, dtype=np.bool_))

    @cached_property
    def sides(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The units of either side, by number."""
        side = np.array([unit.muster.side for unit in self.scenario.setup.units])
        blue, red = (np.flatnonzero(side == which).astype(np.int32) for which in (0, 1))
        return blue, red

    @cached_property
    def surface(self) -> Surface:
        """The ground under them."""
        return self.scenario.setup.field.surface()

    def whole(self, low: int, high: int, count: int) -> NDArray[np.int32]:
        """So many whole numbers from low to high."""
        return (self.dice.faces(count, high - low + 1) + (low - 1)).astype(np.int32)

    def shares(self, count: int) -> NDArray[np.float64]:
        """So many numbers from 0 to 1."""
        return self.dice.faces(count, 2**30) / 2.0**30

    def places(self, count: int, up: float) -> NDArray[np.float64]:
        """(count, 3): places anywhere on the ground, so many height units above it."""
        rows, columns = self.surface.heights.shape
        x = self.surface.west + self.shares(count) * (columns - 1) * self.surface.cell
        y = self.surface.north - self.shares(count) * (rows - 1) * self.surface.cell
        return np.column_stack([x, y, self.surface.heights_at(x, y) + up])


def corridors(host: Armies) -> Task:
    """What stands in the sight corridors from every unit of one side to every one of the other."""
    mine, theirs = host.sides
    every = np.arange(len(host.bodies), dtype=np.int32)
    scene = corridor.Scene(host.bodies, mine, theirs, every)
    few = scene.some(min(3, len(mine)))

    def found(some: corridor.Scene) -> Result:
        return corridor_fractions(some.bodies, some.observers, some.targets, some.obstacles)

    def agrees(theirs: corridor.Found, _: Result) -> bool:
        pair, obstacle, fraction = found(few)
        ours = dict(zip((pair.astype(int) * len(every) + obstacle).tolist(), fraction, strict=True))
        others = dict(zip(theirs[0].tolist(), theirs[1], strict=True))
        return all(abs(ours.get(key, 0) - others.get(key, 0)) < 1e-4 for key in {**ours, **others})

    by_numpy = Rival(
        name="shapely and numpy", needs=None, count=few.pairs, agrees=agrees,
        make=lambda: lambda: corridor.by_numpy(few),
    )  # fmt: skip
    return Task(
        counted="corridors", count=scene.pairs, work=lambda _: found(scene), rivals=(by_numpy,)
    )


def concealment(host: Armies) -> Task:
    """How much every unit is concealed from every unit of the other side, by the rules."""
    mine, theirs = (side.tolist() for side in host.sides)

    def fresh() -> Battle:
        battle = host.scenario.battle(host.seed)
        next(battle.run())
        battle.beside.clear()
        return battle

    few = mine[: min(2, len(mine))], theirs[: min(10, len(theirs))]

    def by_pairs() -> Callable[[], NDArray[np.uint8]]:
        watch = watch_of(fresh())
        return lambda: np.array(
            [[watch.sighting(a, b).verdict.level for b in few[1]] for a in few[0]], dtype=np.uint8
        )

    one_by_one = Rival(
        name="pair by pair", needs=None, count=len(few[0]) * len(few[1]),
        make=by_pairs, keeps=True,
        agrees=lambda theirs, ours: bool((theirs == ours[0][: len(few[0]), : len(few[1])]).all()),
    )  # fmt: skip
    return Task(
        counted="pairs",
        count=len(mine) * len(theirs),
        fresh=fresh,
        work=lambda battle: (conceal_matrix(battle, mine, theirs),),
        rivals=(one_by_one,),
    )


def lines(host: Armies) -> Task:
    """Which of as many lines between two places as there are figures are clear of the ground."""
    a, b = host.places(host.figures, EYE_M), host.places(host.figures, TARGET_M)
    embree = Rival(
        name="Embree", needs="embreex", count=host.figures,
        make=lambda: ground.by_embree(host.surface, a, b),
        agrees=lambda theirs, ours: bool(np.mean(theirs == ours[0]) > 0.999),
    )  # fmt: skip
    return Task(
        counted="lines", count=host.figures,
        work=lambda _: (lines_of_sight(host.surface, a, b),),
        rivals=(embree,),
    )  # fmt: skip


def all_seen(host: Armies) -> Task:
    """All centres of the ground that the general in the middle sees."""
    surface = host.surface
    rows, columns = surface.heights.shape
    eye = np.array([
        surface.west + columns // 2 * surface.cell, surface.north - rows // 2 * surface.cell, 0.0
    ])  # fmt: skip
    eye[2] = surface.heights_at(eye[0], eye[1]) + EYE_M
    walk = Rival(
        name="compiled walk", needs="numba", count=rows * columns,
        make=lambda: ground.by_walk(surface, eye, TARGET_M),
        agrees=lambda theirs, ours: bool(np.mean(theirs == ours[0]) > 0.9999),
    )  # fmt: skip
    return Task(
        counted="centres", count=rows * columns,
        work=lambda _: (viewshed(surface, eye, TARGET_M).identity[0],),
        rivals=(walk,),
    )  # fmt: skip


def shared_hits(host: Armies) -> Task:
    """Who takes which hits on as many mixed units as there are figures, about thirty on each."""
    struck = _Struck(host)
    army, count = struck.army, host.figures
    members, rows, markers, groups = army
    sizes = np.diff(rows).astype(np.int64) * np.diff(groups)
    starts = np.concatenate(([0], np.cumsum(sizes)))

    def by_numba() -> Callable[[], Any]:
        share = hits.by_runs()
        return lambda: share(*army, starts, np.zeros(int(starts[-1]), dtype=np.int32))

    def taken(theirs: Any, ours: Result) -> bool:
        return bool(np.array_equal(theirs, ours[0][: len(theirs)]))

    return Task(
        counted="units", count=count,
        work=lambda _: (allocate_hits(members, rows, struck.damage, markers, groups),),
        rivals=(
            Rival(name="plain Python", needs=None, count=struck.few, agrees=taken,
                  make=lambda: lambda: hits.plainly(hits.marker_by_marker, army, struck.few)),
            Rival(name="numpy in lock step", needs=None, count=count, agrees=taken,
                  make=lambda: lambda: hits.in_lock_step(army)),
            Rival(name="numba by runs", needs="numba", count=count, agrees=taken,
                  make=by_numba),
        ),
    )  # fmt: skip


def harm(host: Armies) -> Task:
    """What the same hits come to: who takes them, the damage that they make, and the losses."""
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
        counted="units", count=host.figures, work=work,
        rivals=(
            Rival(name="unit by unit", needs=None, count=struck.few, agrees=same,
                  make=lambda: lambda: hits.harmed(struck.army, struck.hits, struck.damage,
                                                   struck.few)),
        ),
    )  # fmt: skip


class _Struck:
    """Mixed units of two to four subunits, and one to three groups of markers on each.

    hits : the attribute of each subunit; damage : the base damage of each group
    few : so many units are enough to time what goes one by one
    """

    def __init__(self, host: Armies) -> None:
        rows, groups = (
            np.concatenate(([0], np.cumsum(host.whole(low, high, host.figures)))).astype(np.int32)
            for low, high in ((2, 4), (1, 3))
        )
        members = host.whole(1, 59, int(rows[-1]))
        self.army: hits.Army = members, rows, host.whole(1, 29, int(groups[-1])), groups
        self.damage = np.concatenate([np.arange(n) for n in np.diff(groups)]).astype(np.int32)
        self.hits = host.whole(1, 3, len(members))
        self.few = min(host.figures, 1000)


def checks(host: Armies) -> Task:
    """As many skill checks as there are figures, of ten dice each."""
    count = host.figures
    dice, modifiers = np.full(count, DICE), host.whole(-5, 2, count)
    few = min(count, 2000)

    def one_by_one() -> NDArray[np.int64]:
        source = SeededDice(host.seed, 0)
        return np.array([
            roll_check("emlia.fire", DICE, modifier, source).successes
            for modifier in modifiers[:few].tolist()
        ])  # fmt: skip

    rival = Rival(
        name="one by one", needs=None, count=few, make=lambda: one_by_one,
        agrees=lambda theirs, ours: bool(np.array_equal(theirs, ours[0][:few])),
    )  # fmt: skip
    return Task(
        counted="checks", count=count,
        work=lambda _: (roll_checks("emlia.fire", dice, modifiers, SeededDice(host.seed, 0)),),
        rivals=(rival,),
    )  # fmt: skip


def steps(host: Armies) -> Task:
    """As many units as there are figures move, and find all others within 20 GSU."""
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
        search = neighbours.by_grid()
        return lambda: search(*moved(), NEAR)

    def same(theirs: neighbours.Found, ours: Result) -> bool:
        return bool(np.array_equal(theirs[0], ours[0]) and np.array_equal(theirs[1], ours[1]))

    return Task(
        counted="units", count=count, work=work,
        rivals=(
            Rival(name="shapely's tree", needs=None, count=count, agrees=same,
                  make=lambda: lambda: neighbours.by_tree(*moved(), NEAR)),
            Rival(name="grid in numba", needs="numba", count=count, agrees=same, make=by_grid),
        ),
    )  # fmt: skip


def turn(host: Armies) -> Task:
    """A whole turn of two doctrine commanders; the result is the digest of its events."""

    def work(battle: Battle) -> Result:
        battle.run_to_end()
        return (np.frombuffer(bytes.fromhex(battle.digest.hexdigest()), dtype=np.uint8),)

    return Task(
        counted="figures",
        count=host.figures,
        fresh=lambda: host.scenario.battle(host.seed, turns=1),
        work=work,
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """A task by name; on_level, on_hills : the grounds on which it is something of its own."""

    name: str
    make: Callable[[Armies], Task]
    on_level: bool = True
    on_hills: bool = True


KINDS = (
    Kind("corridors", corridors, on_hills=False),
    Kind("concealment", concealment),
    Kind("lines", lines, on_level=False),
    Kind("viewshed", all_seen, on_level=False),
    Kind("hits", shared_hits, on_hills=False),
    Kind("damage", harm, on_hills=False),
    Kind("dice", checks, on_hills=False),
    Kind("neighbours", steps, on_hills=False),
    Kind("turn", turn),
)
"""All that is measured, in the order in which it is told."""
