"""What stands in corridors, as far as the answer can turn on it, against all that stands there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import affinity

from emlia3d.geometry import Bodies, ObstacleIndex, corridor_fractions
from emlia3d.rules.emlia.kernels.classify_occlusion import UnitHulls, classify_occlusion
from emlia3d.rules.emlia.kernels.corridor_obstacles import (
    ALWAYS,
    IF_SOLID,
    NEVER,
    SOLID,
    UNCERTAIN,
    CorridorHits,
    Obstacles,
    SightQueries,
    corridor_obstacles,
)
from emlia3d.rules.emlia.kernels.occlusion_levels import HALF as HALVES
from emlia3d.rules.emlia.kernels.occlusion_levels import NOTHING, TALL, Thresholds, height_cases
from emlia3d.rules.emlia.kernels.occlusion_levels import Ends as Party
from tests.rules.emlia.kernels.sight_cases import asked_of, bodies_of, obstacles_of

HALF = 0.5 - 1e-9
NEAR, FAR = shapely.box(-1, 0, 1, 1), shapely.box(-1, 20, 1, 21)
NOBODY = UnitHulls(np.empty((0, 2)), np.zeros(2, dtype=np.int32), np.zeros(1))


def scattered(seed: int, count: int = 60) -> tuple[Bodies, Obstacles, SightQueries]:
    """Boxes, rings and crooked shapes of all heights, and all who look at all both ways.

    Some are woods that are solid if they are thick, and some camouflage the observed.
    """
    rng = np.random.default_rng(seed)
    shapes: list[shapely.Geometry] = [
        affinity.rotate(shapely.box(x, y, x + wide, y + deep), turn, origin=(x, y))
        for x, y, wide, deep, turn in rng.uniform([0, 0, 1, 1, 0], [70, 60, 12, 9, 90], (count, 5))
    ]
    shapes[0] = shapely.box(20, -20, 25, 80).difference(shapely.box(21, 5, 24, 30))
    shapes[1] = shapely.Point(30, 30).buffer(12).difference(shapely.Point(30, 30).buffer(8))
    bodies = bodies_of(*shapes, height=rng.choice([0.0, 0.5, 1.0, 2.0, 3.0, 5.0], count))
    bodies = bodies.with_base(bodies.base, bodies.height, rng.random(count) < 0.7)
    obstacles = replace(
        obstacles_of(bodies, count),
        thickness=np.where(rng.random(count) < 0.2, 4.0, np.nan),
        camouflaged=rng.random((1, count)) < 0.1,
    )
    one, other = np.triu_indices(24, 1)
    ends = np.stack((one, other, other, one), axis=1).reshape(-1, 2)
    heights = rng.choice([1.0, 2.0, 4.0], (len(one), 2))
    asked = asked_of(ends, np.concatenate([heights, heights[:, ::-1]], axis=1).reshape(-1, 2))
    return bodies, obstacles, replace(asked, crouched=rng.random(len(asked)) < 0.1)


def rows_of(found: CorridorHits, question: int) -> list[tuple[int, float, int]]:
    """Row, fraction and case of each that is told of a question."""
    some = slice(*found.starts[question : question + 2].tolist())
    columns = found.rows[some], found.fraction[some], found.which[some]
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_all_that_stands_there_is_told_with_the_fractions_of_corridors(seed: int) -> None:
    bodies, obstacles, asked = scattered(seed)

    found = corridor_obstacles(bodies, obstacles, asked, HALF, every=True)

    everyone = np.arange(len(bodies))
    pair, row, fraction = corridor_fractions(bodies, everyone, everyone, everyone)
    for question, (one, other) in enumerate(asked.ends.tolist()):
        mine = pair == one * len(bodies) + other
        told = [(told_row, share) for told_row, share, _ in rows_of(found, question)]
        assert told == list(zip(row[mine].tolist(), fraction[mine].tolist(), strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_cases_are_those_of_the_heights(seed: int) -> None:
    bodies, obstacles, asked = scattered(seed)

    found = corridor_obstacles(bodies, obstacles, asked, HALF, every=True)

    ends = [
        Party(
            footing=end[:, 0], height=end[:, 1], size=end[:, 2], reach=end[:, 3],
            crouched=asked.crouched, perched=asked.perched,
        )
        for end in (asked.observers, asked.observed)
    ]  # fmt: skip
    cases = height_cases(found.starts, *ends, obstacles.tops[found.rows])
    assert found.which.tolist() == cases.tolist()


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_untold_changes_nothing(seed: int) -> None:
    bodies, obstacles, asked = scattered(seed)
    every = corridor_obstacles(bodies, obstacles, asked, HALF, every=True)

    found = corridor_obstacles(bodies, obstacles, asked, HALF)

    assert found.hidden.tolist() == every.hidden.tolist()
    for question, hidden in enumerate(found.hidden.tolist()):
        counts = [
            row for row in rows_of(every, question)
            if not hidden and (row[2] != NOTHING or asked.crouched[question])
        ]  # fmt: skip
        assert rows_of(found, question) == counts
    limits, ground = Thresholds(half=HALF, slack=0.0, crouch=1.0), np.zeros((len(asked), 2))
    levels = [
        classify_occlusion(bodies, obstacles, each, NOBODY, ground, limits)
        for each in (every, found)
    ]
    assert levels[0].levels.tolist() == levels[1].levels.tolist()
    assert {0, 1, 2} == set(levels[0].levels.tolist())
    assert found.hidden.sum() > 20
    assert len(found.rows) < 0.8 * len(every.rows)


@pytest.mark.parametrize("seed", range(6))
def test_of_who_is_hidden_in_part_anyhow_only_what_may_hide_him_wholly_is_told(seed: int) -> None:
    bodies, obstacles, asked = scattered(seed)
    anyhow = replace(asked, floors=np.full(len(asked), 1, dtype=np.uint8))
    every = corridor_obstacles(bodies, obstacles, asked, HALF)

    found = corridor_obstacles(bodies, obstacles, anyhow, HALF)

    limits, ground = Thresholds(half=HALF, slack=0.0, crouch=1.0), np.zeros((len(asked), 2))
    levels = [
        classify_occlusion(bodies, obstacles, each, NOBODY, ground, limits)
        for each in (every, found)
    ]
    wholly = [(each.levels == 2).tolist() for each in levels]
    assert wholly[0] == wholly[1]
    assert not set(found.which.tolist()) & {NOTHING, HALVES}
    assert len(found.rows) < 0.8 * len(every.rows)


@pytest.mark.parametrize("seed", range(3))
def test_who_hides_alone_is_told_wherever_there_is_one(seed: int) -> None:
    bodies, obstacles, asked = scattered(seed)
    every = corridor_obstacles(bodies, obstacles, asked, HALF, every=True)

    found = corridor_obstacles(bodies, obstacles, asked, HALF)

    for question in np.flatnonzero(every.hidden).tolist():
        some = slice(*every.starts[question : question + 2].tolist())
        alone = (every.which[some] == TALL) & (every.fraction[some] >= HALF)
        hides = every.rows[some][alone & (every.solid[some] == SOLID)]
        plain = hides[~obstacles.camouflaged[0, hides]].tolist()
        assert every.by[question] == max(plain, default=-1)
        assert found.by[question] in (plain or [-1]) or obstacles.camouflaged[0, hides].any()


def test_two_who_look_at_each_other_are_told_together_what_they_are_told_apart() -> None:
    bodies, obstacles, asked = scattered(7)
    order = np.argsort(asked.ends[:, 0], kind="stable")
    apart = SightQueries(**{name: getattr(asked, name)[order] for name in SightQueries.__slots__})

    found, expected = (corridor_obstacles(bodies, obstacles, each, HALF) for each in (asked, apart))

    place = np.argsort(order)
    for question in range(len(asked)):
        assert rows_of(found, question) == rows_of(expected, int(place[question]))
    assert found.hidden.tolist() == expected.hidden[place].tolist()
    assert found.by.tolist() == expected.by[place].tolist()


def test_any_number_of_threads_tells_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies, obstacles, asked = scattered(8)
    asked = SightQueries(
        **{n: np.concatenate([getattr(asked, n)] * 2) for n in SightQueries.__slots__}
    )
    monkeypatch.setenv("EMLIA3D_THREADS", "1")
    alone = corridor_obstacles(bodies, obstacles, asked, HALF)

    monkeypatch.setenv("EMLIA3D_THREADS", "3")
    found = corridor_obstacles(bodies, obstacles, asked, HALF)

    for name in ("starts", "rows", "fraction", "which", "solid", "hidden", "by", "touch"):
        assert getattr(found, name).tolist() == getattr(alone, name).tolist()


def test_a_screen_serves_bodies_that_come_into_the_scene_from_far_away() -> None:
    scene = bodies_of(shapely.box(0, 2, 2, 3), shapely.box(0, 0, 2, 1))
    obstacles = obstacles_of(scene, 1)
    far = shapely.box(3000, 4000, 3002, 4001)

    wider = scene.concat(bodies_of(far, shapely.box(0, 5, 2, 6)))

    asked = asked_of([(1, 2), (1, 3)], [(1.0, 1.0)] * 2)
    found = corridor_obstacles(wider, obstacles, asked, HALF, every=True)
    pair, row, fraction = corridor_fractions(wider, [1], [2, 3], [0])
    assert found.question.tolist() == pair.tolist()
    assert (found.rows.tolist(), found.fraction.tolist()) == (row.tolist(), fraction.tolist())
    assert 1 in pair


def test_what_is_passed_over_or_known_to_cover_all_would_be_measured_as_the_same() -> None:
    bodies, obstacles, asked = scattered(5, 150)
    careless = ObstacleIndex(bodies, np.arange(len(bodies)))
    for circles in (careless.blocks, careless.circles):
        circles[2][np.isfinite(circles[2])] = 1e6
        circles[3] = -np.inf

    found, expected = (
        corridor_obstacles(bodies, each, asked, HALF, every=True)
        for each in (obstacles, replace(obstacles, screen=careless))
    )

    assert found.starts.tolist() == expected.starts.tolist()
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.fraction.tolist() == expected.fraction.tolist()
    assert np.count_nonzero(found.fraction == 1) > 100


@pytest.mark.parametrize(
    ("height", "east", "camouflaged", "hidden", "by"),
    [
        (5.0, 0.0, False, True, 0),
        (5.0, -0.2, False, False, -1),
        (1.0, 1.0, False, False, -1),
        (5.0, 0.0, True, True, -1),
    ],
)
def test_what_is_as_tall_as_both_and_fills_half_hides_alone(
    height: float, east: float, camouflaged: bool, hidden: bool, by: int
) -> None:
    bodies = bodies_of(shapely.box(-1, 9, east, 10), NEAR, FAR, height=height)
    obstacles = obstacles_of(bodies, 1, camouflaged=camouflaged)

    found = corridor_obstacles(bodies, obstacles, asked_of([(1, 2)], [(2.0, 2.0)]), HALF)

    assert found.hidden.tolist() == [hidden]
    assert found.by.tolist() == [by]


def test_a_wood_just_as_thick_as_its_limit_is_left_open() -> None:
    bodies = bodies_of(shapely.box(-9, 5, 9, 15), NEAR, FAR)
    obstacles = obstacles_of(bodies, 1, thickness=10.0)

    found = corridor_obstacles(bodies, obstacles, asked_of([(1, 2)], [(2.0, 2.0)]), HALF)

    assert found.solid.tolist() == [UNCERTAIN]
    assert found.hidden.tolist() == [False]


def test_one_s_own_unit_is_not_in_the_way() -> None:
    bodies = bodies_of(shapely.box(-1, 9, 1, 10), NEAR, FAR)
    asked = replace(asked_of([(1, 2)], [(2.0, 2.0)]), own=np.zeros(1, dtype=np.int32))

    found = corridor_obstacles(bodies, obstacles_of(bodies, 1), asked, HALF, every=True)

    assert not len(found.rows)
    assert not found.hidden.any()


def test_two_who_touch_see_each_other_past_the_areas_alone_that_they_stand_in() -> None:
    bodies = bodies_of(shapely.box(-9, -9, 9, 9), NEAR, shapely.box(1, 0, 3, 1), FAR)
    asked = asked_of([(1, 2), (2, 1), (1, 3)], [(2.0, 2.0)] * 3)
    areas = np.array([0, 1, 2, 2]), np.zeros(2, dtype=np.int32)

    alone = corridor_obstacles(bodies, obstacles_of(bodies, 1), asked, HALF, every=True)
    found = corridor_obstacles(
        bodies, obstacles_of(bodies, 1), asked, HALF, areas=areas, every=True
    )

    assert alone.touch.tolist() == found.touch.tolist() == [True, True, False]
    assert alone.starts.tolist() == [0, 0, 0, 1]
    assert found.starts.tolist() == [0, 1, 2, 3]
    assert found.fraction[:2].tolist() == [1.0, 1.0]
    assert alone.hidden.tolist() == [False, False, True]
    assert found.hidden.all()


PLACES = st.tuples(st.integers(-12, 12), st.integers(-2, 30))


@settings(max_examples=100, deadline=None)
@given(place=PLACES, turn=st.integers(0, 359), camouflaged=st.booleans())
def test_what_counts_if_it_is_solid_counts_where_it_is_thick_or_camouflages(
    place: tuple[int, int], turn: int, camouflaged: bool
) -> None:
    wood = affinity.translate(affinity.rotate(shapely.box(-4, -2, 4, 2), turn), *place)
    bodies = bodies_of(wood, NEAR, FAR, height=0.1, solid=False)
    axis = shapely.LineString([NEAR.centroid, FAR.centroid])
    length = axis.intersection(wood).difference(NEAR).difference(FAR).length
    assume(abs(length - 3.0) > 1e-6)
    always, if_solid, never = (
        obstacles_of(bodies, 1, thickness=3.0, camouflaged=camouflaged, counts=each)
        for each in (ALWAYS, IF_SOLID, NEVER)
    )
    asked = asked_of([(1, 2)], [(0.1, 0.1)])

    found, some, none = (
        corridor_obstacles(bodies, each, asked, HALF, every=True)
        for each in (always, if_solid, never)
    )

    assume(UNCERTAIN not in some.solid)
    is_solid = camouflaged or length > 3.0
    assert some.rows.tolist() == (found.rows.tolist() if is_solid else [])
    assert not len(none.rows)


@pytest.mark.parametrize("row", [-1, 3])
def test_who_is_not_among_the_bodies_is_told_as_a_mistake(row: int) -> None:
    bodies = bodies_of(shapely.box(-1, 9, 1, 10), NEAR, FAR)

    with pytest.raises(IndexError, match="from 0 to 2"):
        corridor_obstacles(
            bodies, obstacles_of(bodies, 1), asked_of([(1, row)], [(2.0, 2.0)]), HALF
        )


def test_nothing_asked_is_nothing_told() -> None:
    bodies = bodies_of(shapely.box(-1, 9, 1, 10), NEAR, FAR)

    found = corridor_obstacles(bodies, obstacles_of(bodies, 1), asked_of([], []), HALF)
    bare = corridor_obstacles(
        bodies, obstacles_of(bodies, 0), asked_of([(1, 2)], [(2.0, 2.0)]), HALF
    )

    assert found.starts.tolist() == [0]
    assert bare.starts.tolist() == [0, 0]
    assert not bare.hidden.any()
    limits, ground = Thresholds(half=HALF, slack=0.0, crouch=1.0), np.array([[0.0, 1.0]])
    told = classify_occlusion(bodies, obstacles_of(bodies, 0), bare, NOBODY, ground, limits)
    assert told.levels.tolist() == [1]


def test_without_obstacles_nothing_stands_in_any_corridor_and_nothing_hides_anybody() -> None:
    bodies = bodies_of(shapely.box(0, 0, 1, 1), shapely.box(0, 9, 1, 10))
    asked = asked_of([(0, 1), (1, 0)], [(2.0, 2.0)] * 2)

    found = corridor_obstacles(bodies, obstacles_of(bodies, 0), asked, HALF)

    assert found.starts.tolist() == [0, 0, 0]
    assert (len(found.rows), len(found.fraction)) == (0, 0)
    assert found.by.tolist() == [-1, -1]
    assert not found.hidden.any()
    assert not found.touch.any()
