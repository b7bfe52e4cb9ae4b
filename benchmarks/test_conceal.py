"""Emlia's sight verdict for whole armies, beside the rules put to one pair after another.

Each group is one scene; its rows do the same work, which the test before them shows. `ratio` in
the row of all at once is how many times as many pairs it settles in a second, on as many threads
as the row says.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Setup, Side, UnitSetup
from emlia3d.field import Field, Ground, Scale, feature_of
from emlia3d.force import Formation, UnitDeployment, facing_of_degrees
from emlia3d.rules.emlia import SYSTEM, conceal_matrix
from emlia3d.rules.emlia.basics.numbers import HouseNumbers
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

KINDS = ("forest", "orchard", "building", "wall", "hedge", "scrub")
# Units, features, the field's sides; who looks at all at once, and how many whom pair by pair.
SCENES = {
    "brigade": (200, 500, (1200.0, 800.0), 200, (2, 60)),
    "army": (1000, 2000, (3000.0, 2000.0), 40, (1, 100)),
}
pairs_per_second: dict[tuple[str, str], float] = {}


@lru_cache(maxsize=1)
def setup_of(name: str) -> Setup:
    """Two armies of twenty men a unit, facing anywhere, among scenery of nine corners."""
    units, features, size, *_ = SCENES[name]
    rng = np.random.default_rng(1815)
    entry = Entry.model_validate(
        {"name": "Human", "size": 1, "height": 1, "members": 20, "movement": "15G", "timing": 2,
         "hits": 1, "damage_limit": 1, "morale": 2, "arcs": (180, 45, 90), "army_value": 1}
    )  # fmt: skip
    scale = Scale()
    musters = [
        UnitDeployment(
            name=f"unit {row}",
            side=row % 2,
            troops=entry.troops(scale),
            members=20,
            at=tuple(np.round(rng.uniform(30, np.array(size) - 30) * 4) / 4),
            facing=facing_of_degrees(int(rng.integers(0, 360))),
            formation=Formation(int(rng.integers(0, 3))),
            files=int(rng.integers(4, 20)),
        )
        for row in range(units)
    ]
    scenery = [
        feature_of(
            name=f"feature {row}",
            kind=KINDS[row % len(KINDS)],
            outline=nine_corners(rng, rng.uniform(25, np.array(size) - 25)),
        )
        for row in range(features)
    ]
    return Setup(
        title=name,
        rules="emlia",
        turns=1,
        field=Field(size=size, scale=scale, ground=Ground.flat(size), features=tuple(scenery)),
        sides=(
            Side(name="Alice", colour="#2a5caa", lines="south"),
            Side(name="Bob", colour="#b03030", lines="north"),
        ),
        units=tuple(UnitSetup(muster=muster, entry=entry, kind="bench") for muster in musters),
        numbers=HouseNumbers(),
    )


def nine_corners(rng: np.random.Generator, middle: NDArray[np.float64]) -> shapely.Polygon:
    angles = 2 * np.pi * (np.arange(9) + rng.uniform(0, 0.9, 9)) / 9
    radii = rng.uniform(3, 20) * rng.uniform(0.5, 1, 9)
    return shapely.Polygon(middle + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1))


def fresh(name: str) -> Battle:
    return Battle(setup_of(name), SYSTEM, seed=1)


def at_once(battle: Battle, observers: int, targets: int) -> NDArray[np.uint8]:
    return conceal_matrix(battle, range(observers), range(targets))


def pair_by_pair(battle: Battle, observers: int, targets: int) -> NDArray[np.uint8]:
    watch = sight_cache_of(battle)
    return np.array(
        [
            [0 if one == other else watch.account(one, other).level for other in range(targets)]
            for one in range(observers)
        ],
        dtype=np.uint8,
    )


@pytest.mark.parametrize("name", SCENES)
def test_the_same_levels_are_found_at_once_and_pair_by_pair(name: str) -> None:
    observers, targets = SCENES[name][4]
    battle = fresh(name)

    assert (at_once(battle, observers, targets) == pair_by_pair(battle, observers, targets)).all()


@pytest.mark.parametrize("name", SCENES)
def test_levels_pair_by_pair(benchmark, name: str) -> None:
    observers, targets = SCENES[name][4]
    benchmark.group = f"who is how much concealed from whom: {name}"

    found = benchmark.pedantic(
        pair_by_pair, setup=lambda: ((fresh(name), observers, targets), {}), rounds=1
    )

    told(benchmark, found, ("pair by pair", name))


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("threads", [1, 2])
def test_levels_at_once(benchmark, monkeypatch, threads: int, name: str) -> None:
    monkeypatch.setenv("EMLIA3D_THREADS", str(threads))
    units, observers = SCENES[name][0], SCENES[name][3]
    benchmark.group = f"who is how much concealed from whom: {name}"

    found = benchmark.pedantic(
        at_once, setup=lambda: ((fresh(name), observers, units), {}), rounds=2
    )

    told(benchmark, found, (f"at once, {threads}", name))
    one_by_one = pairs_per_second.get(("pair by pair", name), math.nan)
    benchmark.extra_info["ratio"] = (
        pairs_per_second.get((f"at once, {threads}", name), 0) / one_by_one
    )


def told(benchmark, found: NDArray[np.uint8], key: tuple[str, str]) -> None:
    info = benchmark.extra_info
    info["pairs"], info["levels"] = found.size, np.bincount(found.ravel(), minlength=3).tolist()
    if benchmark.stats is not None:
        pairs_per_second[key] = found.size / benchmark.stats.stats.min
        info["pairs_per_second"] = round(pairs_per_second[key])
