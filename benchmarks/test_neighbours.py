"""Ten thousand units move and find their neighbours within 20 GSU, beside baselines.

Mesa's continuous spaces, which ask every pair, and a tree of SciPy's run where they are installed;
neither is part of any extra. All find the same neighbours before they are timed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.geometry import discs_within
from emlia3d.studies.baselines.neighbours import neighbours_by_grid, neighbours_by_tree

UNITS, SIDE, NEAR = 10_000, 1_000.0, 20.0
FEW = 100
"""Units that Mesa's space is asked about."""

Floats = NDArray[np.float64]
Way = Callable[[Floats, Floats], tuple[Any, Any]]


def places() -> tuple[Floats, Floats]:
    x, y = np.random.default_rng(1815).uniform(0, SIDE, (2, UNITS))
    return x, y


def ours(x: Floats, y: Floats) -> tuple[Any, Any]:
    near = discs_within(x, y, NEAR)
    return near.offsets, near.rows


def by_scipy() -> Way:
    tree_of = pytest.importorskip("scipy.spatial").cKDTree

    def search(x: Floats, y: Floats) -> tuple[Any, Any]:
        points = np.column_stack([x, y])
        pairs = tree_of(points).query_pairs(NEAR, output_type="ndarray")
        one, other = np.concatenate([pairs, pairs[:, ::-1]]).T
        order = np.lexsort((other, one))
        counts = np.bincount(one, minlength=len(x))
        return np.concatenate(([0], np.cumsum(counts))), other[order]

    return search


def seconds(step: Callable[[], object], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        step()
        best = min(best, time.process_time() - start)
    return best


def by_numba() -> Way:
    pytest.importorskip("numba")
    search = neighbours_by_grid()
    return lambda x, y: search(x, y, NEAR)


WAYS: dict[str, Callable[[], Way]] = {
    "shapely's tree": lambda: lambda x, y: neighbours_by_tree(x, y, NEAR),
    "a grid in numba": by_numba,
    "scipy's tree": by_scipy,
}


@pytest.mark.parametrize("name", WAYS)
def test_a_step_beside_baselines(one_core: None, ratio_lines: list[str], name: str) -> None:
    search, (x, y) = WAYS[name](), places()
    for found, theirs in zip(ours(x, y), search(x, y), strict=True):
        assert np.array_equal(found, theirs)

    # Moving is part of a step, and the same for all.
    mine = seconds(lambda: ours(x + 1.0, y - 1.0), 20)
    other = seconds(lambda: search(x + 1.0, y - 1.0), 3)

    ratio_lines.append(
        f"a step of {UNITS:,} units, {name}: {other / mine:.1f} ({mine * 1e3:.2f} ms here)"
    )


Step = Callable[[float], list[list[int]]]
"""Some agents go so far east, one after another, and say whom they have near."""


def mesas_space(x: Floats, y: Floats, asked: list[int]) -> Step:
    mesa = pytest.importorskip("mesa")
    space = pytest.importorskip("mesa.space").ContinuousSpace(SIDE + 2, SIDE + 2, False)
    model = mesa.Model()
    agents = [mesa.Agent(model) for _ in range(UNITS)]
    for agent, place in zip(agents, zip(x.tolist(), y.tolist(), strict=True), strict=True):
        space.place_agent(agent, place)
    number = {agent: row for row, agent in enumerate(agents)}

    def step(far: float) -> list[list[int]]:
        found = []
        for agent in map(agents.__getitem__, asked):
            space.move_agent(agent, (agent.pos[0] + far, agent.pos[1]))
            found.append([number[other] for other in space.get_neighbors(agent.pos, NEAR, False)])
        return found

    return step


def mesas_newer_space(x: Floats, y: Floats, asked: list[int]) -> Step:
    mesa = pytest.importorskip("mesa")
    continuous = pytest.importorskip("mesa.experimental.continuous_space")
    model, sides = mesa.Model(), [[0, SIDE + 2], [0, SIDE + 2]]
    space = continuous.ContinuousSpace(sides, torus=False, random=model.random, n_agents=UNITS)
    agents = [continuous.ContinuousSpaceAgent(space, model) for _ in range(UNITS)]
    for agent, place in zip(agents, np.column_stack([x, y]), strict=True):
        agent.position = place
    number = {agent: row for row, agent in enumerate(agents)}

    def step(far: float) -> list[list[int]]:
        found = []
        for agent in map(agents.__getitem__, asked):
            agent.position = agent.position + np.array([far, 0.0])
            found.append([number[other] for other in agent.get_neighbors_in_radius(NEAR)[0]])
        return found

    return step


SPACES = {"Mesa's continuous space": mesas_space, "Mesa's newer space": mesas_newer_space}


@pytest.mark.parametrize("name", SPACES)
def test_a_step_beside_mesa(one_core: None, ratio_lines: list[str], name: str) -> None:
    x, y = places()
    asked = random.Random(1).sample(range(UNITS), FEW)
    near = discs_within(x, y, NEAR)
    step = SPACES[name](x, y, asked)
    assert list(map(sorted, step(0.0))) == [near.neighbours_of(i).tolist() for i in asked]

    mine = seconds(lambda: ours(x + 1.0, y), 20)
    other = seconds(lambda: step(1 / 1024), 3) * UNITS / FEW

    ratio_lines.append(
        f"a step of {UNITS:,} units, {name}: {other / mine:.0f} ({other * 1e3:.0f} ms there)"
    )
