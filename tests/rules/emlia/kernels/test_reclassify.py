"""Levels from settled facts are those of the first look; columns that do not fit are refused."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import shapely

from emlia3d.rules.emlia.kernels.classify_occlusion import UnitHulls, classify_occlusion, reclassify
from emlia3d.rules.emlia.kernels.corridor_obstacles import NOT_SOLID, SOLID, UNCERTAIN, CorridorHits
from emlia3d.rules.emlia.kernels.occlusion_levels import (
    FROM_SHADOW,
    HALF,
    SHADOW,
    TALL,
    Ends,
    Occluders,
    Thresholds,
    height_cases,
    occlusion_levels,
)
from tests.rules.emlia.kernels.sight_cases import asked_of, bodies_of, obstacles_of

LIMITS = Thresholds(half=0.5, slack=0.0, crouch=1.0)
NO_RANKS = UnitHulls(np.empty((0, 2)), np.zeros(1, dtype=np.int32), np.empty(0))


def one_wall(
    case: int,
    footings: tuple[float, float],
    heights: tuple[float, float],
    solid: int,
    hidden: bool = False,
) -> tuple[list[int], list[int]]:
    """The level behind one wall of height 5 over the lower footing: at first, and settled."""
    lower = min(footings)
    bodies = bodies_of(
        shapely.box(-20, 4, 20, 5), shapely.box(-1, 0, 1, 1), shapely.box(-1, 6, 1, 7),
        height=5.0 + lower,
    )  # fmt: skip
    asked = asked_of([(1, 2)], [heights])
    asked.observers[:, 0], asked.observed[:, 0] = footings
    found = CorridorHits(
        asked=asked,
        starts=np.array([0, 1]),
        rows=np.zeros(1, dtype=np.int32),
        fraction=np.ones(1),
        which=np.array([case], dtype=np.uint8),
        solid=np.array([solid], dtype=np.uint8),
        hidden=np.array([hidden]),
        by=np.full(1, -1, dtype=np.int32),
        touch=np.zeros(1, dtype=np.bool_),
    )
    obstacles = obstacles_of(bodies, 1)
    ground = np.zeros((1, 2))
    first = classify_occlusion(bodies, obstacles, found, NO_RANKS, ground, LIMITS, every=True)
    settled = reclassify(obstacles, found, first.measures, ground, LIMITS)
    return first.levels.tolist(), settled.tolist()


@pytest.mark.parametrize(
    ("case", "footings", "heights"),
    [
        pytest.param(TALL, (0.0, 0.0), (2.0, 2.0), id="taller than both"),
        pytest.param(TALL, (3.0, 3.0), (2.0, 2.0), id="all 3 higher"),
        pytest.param(TALL, (0.0, 2.0), (2.0, 2.0), id="the observed stands higher"),
        pytest.param(TALL, (2.0, 0.0), (2.0, 2.0), id="the observer stands higher"),
        pytest.param(SHADOW, (0.0, 0.0), (6.0, 4.0), id="overlooked by the observer"),
        pytest.param(SHADOW, (4.0, 0.0), (2.0, 4.0), id="from a hill"),
        pytest.param(FROM_SHADOW, (0.0, 0.0), (4.0, 6.0), id="overlooked by the observed"),
        pytest.param(HALF, (0.0, 0.0), (8.0, 8.0), id="lower than both"),
    ],
)
def test_settled_levels_are_those_of_the_first_look(
    case: int, footings: tuple[float, float], heights: tuple[float, float]
) -> None:
    first, settled = one_wall(case, footings, heights, SOLID)

    assert settled == first


def test_a_hidden_body_stays_hidden_whatever_its_corridor_shows() -> None:
    _, settled = one_wall(TALL, (0.0, 0.0), (2.0, 2.0), NOT_SOLID, hidden=True)
    _, open_to_view = one_wall(TALL, (0.0, 0.0), (2.0, 2.0), NOT_SOLID)

    assert (settled, open_to_view) == ([2], [1])


@pytest.mark.parametrize("solid", [SOLID, NOT_SOLID])
def test_only_what_is_solid_hides_wholly(solid: int) -> None:
    assert UNCERTAIN not in (SOLID, NOT_SOLID)
    assert one_wall(TALL, (0.0, 0.0), (2.0, 2.0), solid)[1] == [2 if solid == SOLID else 1]


def ends(count: int) -> Ends:
    flags = np.zeros(count, dtype=np.bool_)
    ones = np.ones(count)
    return Ends(footing=0 * ones, height=ones, size=ones, reach=ones, crouched=flags, perched=flags)


def standing(count: int) -> Occluders:
    ones = np.ones(count)
    return Occluders(
        top=9 * ones, solid=ones.astype(np.bool_), fraction=ones, to_observer=ones,
        to_observed=ones, observer_depth=ones, observed_depth=ones, to_perch=ones,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("starts", "rows", "words"),
    [
        ([0, 1, 2], 2, None),
        ([0, 0, 0], 0, None),
        ([0, 1], 1, "needs 3 offsets from 0 to 1"),
        ([0, 1, 1, 1], 1, "needs 3 offsets from 0 to 1"),
        ([1, 1, 2], 2, "needs 3 offsets from 0 to 2"),
        ([0, 1, 1], 2, "needs 3 offsets from 0 to 2"),
        ([0, 1, 3], 2, "needs 3 offsets from 0 to 2"),
        ([0, 3, 2], 2, "must not fall"),
    ],
)
def test_offsets_begin_at_0_end_with_the_rows_and_never_fall(
    starts: list[int], rows: int, words: str | None
) -> None:
    tops = np.full(rows, 9.0)
    if words is None:
        # A body of 9 is taller than both ends of 1.
        assert height_cases(starts, ends(2), ends(2), tops).tolist() == [TALL] * rows
        return
    with pytest.raises(ValueError, match=words):
        height_cases(starts, ends(2), ends(2), tops)
    with pytest.raises(ValueError, match=words):
        occlusion_levels(starts, ends(2), ends(2), standing(rows), np.zeros((2, 2)), LIMITS)


@pytest.mark.parametrize("shape", [(1, 2), (3, 2), (2,), (2, 3)])
def test_the_ground_has_two_fractions_for_each_corridor(shape: tuple[int, ...]) -> None:
    words = re.escape(f"needs 2 rows of two shares, not {shape}")
    with pytest.raises(ValueError, match=words):
        occlusion_levels([0, 1, 2], ends(2), ends(2), standing(2), np.zeros(shape), LIMITS)


@pytest.mark.parametrize(
    "column",
    ["solid", "fraction", "to_observer", "to_observed", "observer_depth", "observed_depth",
     "to_perch"],
)  # fmt: skip
def test_a_column_of_another_length_is_refused(column: str) -> None:
    short = replace(standing(2), **{column: getattr(standing(1), column)})

    with pytest.raises(ValueError, match="a column needs 2 values"):
        occlusion_levels([0, 1, 2], ends(2), ends(2), short, np.zeros((2, 2)), LIMITS)
