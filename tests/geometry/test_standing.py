"""What stands in corridors, by the kernel and by shapely."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import affinity

from emlia3d.geometry import Asked, Bodies, Ends, Obstacles, Ranks, screened, solidity, standing
from emlia3d.geometry.standing import NO, OPEN, YES

HALF = 0.5 - 1e-9
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


def ends_of(tops: list[float]) -> Ends:
    height = np.array(tops)
    no = np.zeros(len(tops), dtype=np.bool_)
    return Ends(
        footing=np.zeros(len(tops)), height=height, size=height / 2, reach=height,
        crouched=~no, perched=no,
    )  # fmt: skip


def asked_of(near: float, far: float, fraction: float = 1.0, camouflaged: bool = False) -> Asked:
    """One question, from body 1 to body 2, in whose corridor body 0 stands."""
    return Asked(
        ends=np.array([[1, 2]], dtype=np.int32),
        observers=ends_of([near]),
        observed=ends_of([far]),
        starts=np.array([0, 1]),
        rows=np.zeros(1, dtype=np.int32),
        fraction=np.array([fraction]),
        camouflaged=np.array([camouflaged]),
    )


def bodies_of(*shapes: shapely.Polygon, height: float = 5.0, solid: bool = True) -> Bodies:
    return Bodies(list(shapes), np.zeros(len(shapes)), np.full(len(shapes), height),
                  np.full(len(shapes), solid))  # fmt: skip


def facts_of(
    shapes: tuple[shapely.Polygon, ...],
    near: float,
    far: float,
    corners: NDArray[np.float64] | None = None,
) -> tuple[Any, bool]:
    """The distances from body 0 to the two ends, for heights of these two; and what is unsure."""
    bodies, asked = bodies_of(*shapes), asked_of(near, far)
    is_convex = np.array([shapely.convex_hull(shapes[0]).area <= shapes[0].area * (1 + 1e-12)])
    obstacles = Obstacles(np.array([math.nan]), is_convex)
    found = screened(bodies, obstacles, asked, HALF)
    found.hidden[:] = False
    many = np.full((1, 2), -1 if corners is None else 0, dtype=np.int32)
    places = np.empty((0, 2)) if corners is None else corners
    ranks = Ranks(places, np.array([0, len(places)], dtype=np.int32), np.array([0.5]))
    facts, bears, unsure = standing(
        bodies, obstacles, asked, (ranks, many), np.zeros((1, 2)), found
    )
    assert bears.all()
    return facts, bool(unsure[0])


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
    facts, _ = facts_of((body, near, far), near=6.0, far=6.0)

    assert facts.to_observer[0] == shapely.distance(body, near)
    assert facts.to_observed[0] == shapely.distance(body, far)


@settings(max_examples=100, deadline=None)
@given(
    body=outlines(), near=outlines(), far=outlines(), limit=st.sampled_from([0.5, 4.0, 8.0]),
)  # fmt: skip
def test_woods_are_solid_where_shapely_s_chord_is_longer_than_their_limit(
    body: shapely.Polygon, near: shapely.Polygon, far: shapely.Polygon, limit: float
) -> None:
    assume(near.centroid.distance(far.centroid) > 0.5)
    obstacles = Obstacles(np.array([limit]), np.ones(1, dtype=np.bool_))

    found = screened(bodies_of(body, near, far), obstacles, asked_of(2.0, 2.0), HALF)

    length = thickness(body, near, far)
    if found.solid[0] == OPEN:
        axis = affinity.scale(shapely.LineString([near.centroid, far.centroid]), 200, 200)
        edges = [shape.boundary for shape in (body, near, far)]
        on_edge = any(axis.buffer(1e-6).intersection(edge).length > 1e-3 for edge in edges)
        assert on_edge or abs(length - limit) < 1e-6
    else:
        assert found.solid[0] == (YES if length > limit else NO)
        assert found.hidden[0] == (length > limit)
        assert found.by[0] == (0 if length > limit else -1)


@settings(max_examples=150, deadline=None)
@given(body=outlines(), near=outlines(), far=outlines(), from_below=st.booleans())
def test_a_body_shades_the_shorter_only_if_it_begins_before_him(
    body: shapely.Polygon, near: shapely.Polygon, far: shapely.Polygon, from_below: bool
) -> None:
    assume(not near.intersects(far) and near.centroid != far.centroid)
    heights = (4.0, 6.0) if from_below else (6.0, 4.0)

    facts, unsure = facts_of((body, near, far), *heights)

    shorter, taller = (near, far) if from_below else (far, near)
    depth = (facts.observer_depth if from_below else facts.observed_depth)[0]
    before, close = is_before(body, shorter, taller)
    if unsure:
        assert close
    elif not close:
        assert (not math.isnan(depth)) == before
        assert not before or depth == shapely.distance(body, shorter)


@settings(max_examples=100, deadline=None)
@given(body=outlines(), near=outlines(), far=outlines(), camouflaged=st.booleans())
def test_woods_of_any_height_are_solid_where_they_are_thick_or_camouflage(
    body: shapely.Polygon, near: shapely.Polygon, far: shapely.Polygon, camouflaged: bool
) -> None:
    bodies = bodies_of(body, near, far, height=0.1, solid=False)
    obstacles = Obstacles(np.array([3.0]), np.ones(1, dtype=np.bool_))
    length = thickness(body, near, far)
    assume(abs(length - 3.0) > 1e-6)

    found = solidity(
        bodies, obstacles, np.array([[1, 2]], np.int32), np.zeros(1, np.int32),
        np.array([camouflaged]),
    )  # fmt: skip

    assume(found[0] != OPEN)
    assert found.tolist() == [YES if camouflaged or length > 3.0 else NO]


@settings(max_examples=60, deadline=None)
@given(body=outlines(), members=st.lists(PLACES, min_size=3, max_size=6), turn=TURNS)
def test_a_shadow_must_reach_the_farthest_member(
    body: shapely.Polygon, members: list[tuple[int, int]], turn: int
) -> None:
    shorter = affinity.translate(shapely.box(-3, -3, 3, 3), 80, 0)
    taller = affinity.translate(shapely.box(-3, -3, 3, 3), -80, 0)
    places = np.array(members, dtype=np.float64) + 0.1 * turn

    facts, unsure = facts_of((body, taller, shorter), 6.0, 4.0, places)

    farthest = shapely.distance(shapely.points(places), body).max()
    convex = shapely.convex_hull(body).area <= body.area * (1 + 1e-12)
    assert unsure is not convex
    if convex:
        assert facts.observed_depth[0] == max(farthest - 0.5, 0.0)


@pytest.mark.parametrize(
    ("height", "fraction", "camouflaged", "hidden", "by"),
    [
        (5.0, 0.5, False, True, 0),
        (5.0, 0.4, False, False, -1),
        (1.0, 1.0, False, False, -1),
        (5.0, 0.5, True, True, -1),
    ],
)
def test_what_is_as_tall_as_both_and_fills_half_hides_alone(
    height: float, fraction: float, camouflaged: bool, hidden: bool, by: int
) -> None:
    shapes = (shapely.box(-1, 9, 1, 10), shapely.box(-1, 0, 1, 1), shapely.box(-1, 20, 1, 21))
    bodies = bodies_of(*shapes, height=height)
    obstacles = Obstacles(np.array([math.nan]), np.ones(1, dtype=np.bool_))

    found = screened(bodies, obstacles, asked_of(2.0, 2.0, fraction, camouflaged), HALF)

    assert found.hidden.tolist() == [hidden]
    assert found.by.tolist() == [by]


def test_a_wood_just_as_thick_as_its_limit_is_left_open() -> None:
    shapes = (shapely.box(-9, 5, 9, 15), shapely.box(-1, 0, 1, 1), shapely.box(-1, 20, 1, 21))
    obstacles = Obstacles(np.array([10.0]), np.ones(1, dtype=np.bool_))

    found = screened(bodies_of(*shapes), obstacles, asked_of(2.0, 2.0), HALF)

    assert found.solid.tolist() == [OPEN]
    assert found.hidden.tolist() == [False]


def test_what_stands_beside_the_shorter_and_begins_just_where_he_does_is_left_open() -> None:
    shapes = (shapely.box(0, 20, 2, 22), shapely.box(-1, 0, 1, 1), shapely.box(-3, 20, 3, 25))

    _, unsure = facts_of(shapes, 6.0, 4.0)

    assert unsure
