"""How far what stands in corridors is from their ends, by the kernel and by shapely."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import affinity

from emlia3d.rules.emlia.kernels.classify_occlusion import Occlusion, UnitHulls, classify_occlusion
from emlia3d.rules.emlia.kernels.corridor_obstacles import (
    NOT_SOLID,
    NOT_TESTED,
    SOLID,
    UNCERTAIN,
    CorridorHits,
)
from emlia3d.rules.emlia.kernels.occlusion_levels import FROM_SHADOW, HALF, SHADOW, TALL, Thresholds
from tests.rules.emlia.kernels.sight_cases import asked_of, bodies_of, obstacles_of

LIMITS = Thresholds(half=0.5, slack=0.0, crouch=1.0)
PLACES = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
TURNS = st.integers(0, 359)


@st.composite
def outlines(draw: Any) -> shapely.Polygon:
    """A box, a disc, or a crooked outline with or without a hole, on the grid or turned off it."""
    kind = draw(st.sampled_from(["box", "disc", "crook", "ring"]))
    shape = {
        "box": shapely.box(-4, -2, 4, 2),
        "disc": shapely.Point(0, 0).buffer(5, quad_segs=6),
        "crook": shapely.Polygon([(-6, -3), (6, -3), (6, 4), (3, 4), (3, 0), (-3, 0), (-6, 4)]),
        "ring": shapely.box(-6, -5, 6, 5).difference(shapely.box(-3, -2, 3, 2)),
    }[kind]
    turned = affinity.rotate(shape, draw(TURNS), origin=(0, 0))
    return affinity.translate(turned, *draw(PLACES))


def looked_at(
    shapes: tuple[shapely.Polygon, ...],
    case: int,
    limit: float = math.nan,
    corners: NDArray[np.float64] | None = None,
) -> tuple[Occlusion, CorridorHits]:
    """What is found of body 0 between the other two, if it covered all and were such a case."""
    bodies = bodies_of(*shapes, height=3.5 if case == HALF else 5.0)
    heights = {TALL: (2.0, 2.0), HALF: (6.0, 6.0), SHADOW: (6.0, 4.0), FROM_SHADOW: (4.0, 6.0)}
    found = CorridorHits(
        asked=asked_of([(1, 2)], [heights[case]], crouched=True, alone=corners is None),
        starts=np.array([0, 1]),
        rows=np.zeros(1, dtype=np.int32),
        fraction=np.ones(1),
        which=np.array([case], dtype=np.uint8),
        solid=np.array([NOT_TESTED], dtype=np.uint8),
        hidden=np.zeros(1, dtype=np.bool_),
        by=np.full(1, -1, dtype=np.int32),
        touch=np.zeros(1, dtype=np.bool_),
    )
    places = np.empty((0, 2)) if corners is None else corners
    ranks = UnitHulls(places, np.array([0, len(places)], dtype=np.int32), np.array([0.5]))
    obstacles = obstacles_of(bodies, 1, thickness=limit)
    return classify_occlusion(bodies, obstacles, found, ranks, np.zeros((1, 2)), LIMITS), found


def thickness(body: shapely.Polygon, near: shapely.Polygon, far: shapely.Polygon) -> float:
    """How much of the axis lies in a body and in neither end, by shapely."""
    axis = shapely.LineString([near.centroid, far.centroid])
    return float(shapely.length(axis.intersection(body).difference(near).difference(far)))


def begins(body: shapely.Geometry, start: shapely.Point, end: shapely.Point) -> float:
    """How far from one place towards another a body begins, in GSU."""
    way = np.array([end.x - start.x, end.y - start.y])
    return float((shapely.get_coordinates(body) @ (way / np.hypot(*way))).min(initial=math.inf))


def is_before(
    body: shapely.Polygon, shorter: shapely.Polygon, taller: shapely.Polygon
) -> tuple[bool, bool]:
    """Whether the part of it in the hull of both begins before the shorter; and is near to it."""
    start, end = taller.centroid, shorter.centroid
    front = begins(shorter, start, end)
    within = shapely.convex_hull(shapely.union(shorter, taller)).intersection(body)
    last = max(begins(body, start, end), begins(within, start, end))
    away = -begins(body, end, start)
    close = abs(last - front) < 1e-6 or abs(begins(body, start, end) - front) < 1e-6
    if away <= front:
        return begins(body, start, end) < front, close or abs(away - front) < 1e-6
    return last < front, close


@settings(max_examples=100, deadline=None)
@given(body=outlines(), near=outlines(), far=outlines())
def test_distances_to_both_ends_are_shapely_s_to_the_last_bit(
    body: shapely.Polygon, near: shapely.Polygon, far: shapely.Polygon
) -> None:
    told, _ = looked_at((body, near, far), HALF)

    assert told.measures[:2, 0].tolist() == [body.distance(near), body.distance(far)]


@settings(max_examples=100, deadline=None)
@given(
    body=outlines(), near=outlines(), far=outlines(), limit=st.sampled_from([0.5, 4.0, 8.0]),
)  # fmt: skip
def test_woods_are_solid_where_shapely_s_chord_is_longer_than_their_limit(
    body: shapely.Polygon, near: shapely.Polygon, far: shapely.Polygon, limit: float
) -> None:
    assume(near.centroid.distance(far.centroid) > 0.5)

    told, found = looked_at((body, near, far), TALL, limit)

    length = thickness(body, near, far)
    assert told.is_open == (found.solid[0] == UNCERTAIN)
    if told.is_open:
        axis = affinity.scale(shapely.LineString([near.centroid, far.centroid]), 200, 200)
        edges = [shape.boundary for shape in (body, near, far)]
        on_edge = any(axis.buffer(1e-6).intersection(edge).length > 1e-3 for edge in edges)
        assert on_edge or abs(length - limit) < 1e-6
    else:
        assert found.solid[0] == (SOLID if length > limit else NOT_SOLID)
        assert told.levels[0] == (2 if length > limit else 1)


@settings(max_examples=150, deadline=None)
@given(body=outlines(), near=outlines(), far=outlines(), from_below=st.booleans())
def test_a_body_shades_the_shorter_only_if_it_begins_before_him(
    body: shapely.Polygon, near: shapely.Polygon, far: shapely.Polygon, from_below: bool
) -> None:
    assume(not near.intersects(far) and near.centroid != far.centroid)

    told, _ = looked_at((body, near, far), FROM_SHADOW if from_below else SHADOW)

    shorter, taller = (near, far) if from_below else (far, near)
    depth, unsure = told.measures[2 if from_below else 3, 0], told.unsure[0]
    before, close = is_before(body, shorter, taller)
    if unsure:
        assert close
    elif not close:
        assert (not math.isnan(depth)) == before
        assert not before or depth == shapely.distance(body, shorter)


@settings(max_examples=60, deadline=None)
@given(body=outlines(), members=st.lists(PLACES, min_size=3, max_size=6), turn=TURNS)
def test_a_shadow_must_reach_the_farthest_member(
    body: shapely.Polygon, members: list[tuple[int, int]], turn: int
) -> None:
    shorter = affinity.translate(shapely.box(-3, -3, 3, 3), 80, 0)
    taller = affinity.translate(shapely.box(-3, -3, 3, 3), -80, 0)
    places = np.array(members, dtype=np.float64) + 0.1 * turn

    told, _ = looked_at((body, taller, shorter), SHADOW, corners=places)

    farthest = shapely.distance(shapely.points(places), body).max()
    convex = shapely.convex_hull(body).area <= body.area * (1 + 1e-12)
    assert bool(told.unsure[0]) is not convex
    if convex:
        assert told.measures[3, 0] == max(farthest - 0.5, 0.0)


def test_what_stands_beside_the_shorter_and_begins_just_where_he_does_is_left_open() -> None:
    shapes = (shapely.box(0, 20, 2, 22), shapely.box(-1, 0, 1, 1), shapely.box(-3, 20, 3, 25))

    told, _ = looked_at(shapes, SHADOW)

    assert told.is_open
    assert told.unsure.all()
