"""How much of a body an eye sees, against rays cast one by one, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, affinity, box

from emlia3d.geometry import Bodies, Surface, visible_shares

FAR = 1e4


def sine(slope: float) -> float:
    return slope / math.hypot(1, slope)


def stretches(eye, azimuth, shape) -> list[tuple[float, float]]:
    """From where to where a line on the map, from the eye on, lies in a shape."""
    way = math.sin(azimuth), math.cos(azimuth)
    line = shapely.LineString([eye[:2], (eye[0] + FAR * way[0], eye[1] + FAR * way[1])])
    parts = shapely.get_parts(shapely.intersection(line, shape))
    start = Point(eye[:2])
    found = [
        sorted(start.distance(Point(place)) for place in shapely.get_coordinates(part)[[0, -1]])
        for part in parts
        if part.length
    ]
    return [(near, far) for near, far in sorted(found)]


def steepest_ground(surface, eye, azimuth, limit) -> float:
    """Of the ground, sampled finely, from the eye to the limit."""
    away = np.linspace(0, limit, 600)[1:]
    heights = surface.heights_at(
        eye[0] + away * math.sin(azimuth), eye[1] + away * math.cos(azimuth)
    )
    return float(((heights - eye[2]) / away).max())


def ray(eye, azimuth, target, obstacles, surface) -> tuple[float, float]:
    """All of the target in one direction of the compass, and what is seen: sines of slopes."""
    shape, base, height = target
    whole = seen = 0.0
    own = -math.inf
    for begin, far in stretches(eye, azimuth, shape):
        near = max(begin, 1e-9)
        low, high = base - eye[2], base + height - eye[2]
        top = high / near if high >= 0 else high / far
        own = max(own, low / near)
        if surface is not None:
            spot = eye[0] + near * math.sin(azimuth), eye[1] + near * math.cos(azimuth)
            own = max(own, (float(surface.heights_at(*spot)) - eye[2]) / near)
        hidden = own
        for other, foot, tall in obstacles:
            rise = foot + tall - eye[2]
            for start, end in stretches(eye, azimuth, other):
                if start < near - 1e-9:
                    hidden = max(hidden, rise / (start if rise >= 0 else min(end, near)))
        if surface is not None:
            hidden = max(hidden, steepest_ground(surface, eye, azimuth, near))
        whole += max(0.0, sine(top) - sine(own))
        seen += max(0.0, sine(top) - sine(max(hidden, own)))
        own = max(own, top)
    return whole, seen


def by_rays(eye, target, obstacles, surface=None, rays=150) -> float:
    sums = np.zeros(2)
    corners = shapely.get_coordinates(target[0]) - eye[:2]
    bearings = np.arctan2(corners[:, 0], corners[:, 1])
    first, last = 0.0, math.tau
    if not shapely.contains_xy(target[0].convex_hull, *eye[:2]):
        middle = math.atan2(*(np.array(target[0].centroid.coords[0]) - eye[:2]))
        turned = (bearings - middle + math.pi) % math.tau - math.pi
        first, last = middle + turned.min(), middle + turned.max()
    for azimuth in first + (last - first) * (np.arange(rays) + 0.5) / rays:
        sums += ray(eye, azimuth, target, obstacles, surface)
    return sums[1] / sums[0] if sums[0] else 0.0


def share(eye, target, obstacles=(), surface=None, **options) -> float:
    shapes, base, height = zip(target, *obstacles, strict=True)
    bodies = Bodies(list(shapes), base, height, [True] * len(shapes))
    found = visible_shares(bodies, [eye], [0], range(1, len(shapes)), surface, **options)
    return float(found[0, 0])


def angle(west, east, south, low, high) -> float:
    """The solid angle of an upright rectangle south of which the eye is, at the origin."""

    def quarter(x, z):
        return math.atan2(x * z, south * math.sqrt(x * x + z * z + south * south))

    return quarter(east, high) - quarter(west, high) - quarter(east, low) + quarter(west, low)


TOWER = (box(-5, 100, 5, 110), 0.0, 20.0)


def test_a_body_in_the_open_is_seen_wholly() -> None:
    assert share((0, 0, 1), TOWER) == 1.0


def test_a_wall_as_high_as_the_eye_hides_all_below_the_eye() -> None:
    wall = (box(-50, 50, 50, 51), 0.0, 4.0)

    found = share((0, 0, 4), (box(-5, 100, 5, 100.5), 0.0, 8.0), [wall])

    assert found == pytest.approx(angle(-5, 5, 100, 0, 4) / angle(-5, 5, 100, -4, 4), abs=1e-12)


def test_a_wall_halfway_hides_twice_its_height_above_the_eye() -> None:
    wall = (box(-50, 50, 50, 51), 0.0, 5.0)

    found = share((0, 0, 0), TOWER, [wall])

    assert found == pytest.approx(angle(-5, 5, 100, 10, 20) / angle(-5, 5, 100, 0, 20), abs=1e-12)


def test_a_tower_over_a_wall_is_seen_above_the_line_past_its_far_edge() -> None:
    wall = (box(-500, 40, 500, 50), 0.0, 10.0)
    tower = (box(-5, 100, 5, 100.01), 0.0, 20.0)

    found = share((0, 0, 12), tower, [wall])

    assert found == pytest.approx(angle(-5, 5, 100, -4, 8) / angle(-5, 5, 100, -12, 8), abs=1e-12)


def test_a_wall_before_its_left_half_hides_just_that() -> None:
    wall = (box(-50, 50, 0, 51), 0.0, 50.0)

    assert share((0, 0, 1), TOWER, [wall]) == pytest.approx(0.5, abs=1e-12)


def test_what_is_exactly_as_high_as_eye_and_target_hides_all() -> None:
    rank = (box(-50, 50, 50, 51), 0.0, 1.0)

    assert share((0, 0, 1), (box(-5, 100, 5, 101), 0.0, 1.0), [rank]) == 0.0


def test_a_hill_between_hides_what_its_crest_is_above() -> None:
    crest = Surface(heights=np.array([[0.0], [10], [0]]), cell=50, west=0, north=100)
    target = (box(-5, 99, 5, 99.01), 0.0, 40.0)

    found = share((0, 0, 0), target, surface=crest)

    # The crest is 10 high at 50: just below 19.8 at 99.
    assert found == pytest.approx(angle(-5, 5, 99, 19.8, 40) / angle(-5, 5, 99, 0.2, 40), abs=1e-6)
    assert share((0, 0, 0), target, surface=crest, ground_hides=False) == 1.0


def test_an_even_slope_hides_nothing_of_what_stands_on_it() -> None:
    heights = np.repeat(np.arange(40.0)[:, None], 40, axis=1)
    slope = Surface(heights=heights, cell=10, west=0, north=400)
    man = (Point(200, 105).buffer(0.5, quad_segs=4), float(slope.heights_at(200, 105)), 1.8)

    for eye in ((200, 390), (200, 5), (30, 200), (390, 290)):
        foot = float(slope.heights_at(*eye))
        assert share((*eye, foot + 1.8), man, surface=slope) == 1.0


def test_two_bodies_that_hide_a_half_each_hide_all_together() -> None:
    left, right = (box(-50, 50, 0, 51), 0.0, 50.0), (box(0, 60, 50, 61), 0.0, 50.0)

    assert share((0, 0, 1), TOWER, [left, right]) == 0.0


def test_a_body_in_the_mouth_of_a_hollow_one_hides_only_its_back() -> None:
    cup = Polygon([(-20, 50), (20, 50), (20, 90), (10, 90), (10, 60), (-10, 60), (-10, 90),
                   (-20, 90)])  # fmt: skip
    plug = (box(-9, 70, 9, 75), 0.0, 5.0)

    from_front = share((0, 200, 1), (cup, 0.0, 5.0), [plug])

    assert share((0, 0, 1), (cup, 0.0, 5.0), [plug]) == 1.0
    assert from_front == pytest.approx(by_rays((0, 200, 1), (cup, 0, 5), [plug]), abs=3e-3)
    assert 0 < from_front < 1


def test_from_the_top_of_a_rock_its_own_edge_hides_what_is_near() -> None:
    rock = (box(-10, -10, 10, 10), 0.0, 8.0)
    near, far = ((box(-1, away, 1, away + 1), 0.0, 1.0) for away in (12, 200))

    assert share((0, 0, 9), near, [rock]) == 0.0
    assert share((0, 0, 9), far, [rock]) == 1.0


def test_what_is_right_below_the_eye_is_seen() -> None:
    plate = (box(-1, -1, 1, 1), 0.0, 1.0)
    upon = (box(-0.5, -1, 0, 1), 0.0, 3.0)

    assert share((0.25, 0.25, 5), plate) == 1.0
    assert share((0, 0.25, 5), (box(-1, -1, 1, 1), 0, 1), [(box(5, 5, 6, 6), 0, 9)]) == 1.0
    assert share((-4, 0.25, 5), plate, [upon]) == 1.0, "it stands on the plate, not before it"


def test_within_a_target_all_is_seen_and_within_an_obstacle_nothing() -> None:
    assert share((0, 105, 3), TOWER) == 1.0
    assert share((0, 0, 1), TOWER, [(box(-1, -1, 1, 1), 0.0, 3.0)]) == 0.0


def test_a_wood_round_the_target_hides_it_up_to_its_tops() -> None:
    wood = Point(0, 100).buffer(30)
    man = (Point(0, 100).buffer(0.5), 0.0, 2.0)

    assert share((0, 0, 10), man, [(wood, 0.0, 3.0)]) == 0.0
    grass = share((0, 0, 10), man, [(wood, 0.0, 0.5)])
    assert grass == pytest.approx(by_rays((0, 0, 10), man, [(wood, 0.0, 0.5)]), abs=1e-3)
    assert 0.7 < grass < 0.8


def test_bodies_without_area_and_what_has_no_height() -> None:
    screen = (shapely.LineString([(-50, 50), (0, 50)]), 0.0, 50.0)

    assert share((0, 0, 1), TOWER, [screen]) == pytest.approx(0.5, abs=1e-12)
    assert share((0, 0, 1), (Point(0, 9), 0.0, 3.0)) == 0.0
    assert share((0, 0, 1), TOWER, [(box(-50, 50, 50, 51), 0.0, 0.0)]) == 1.0


whole = st.integers(-12, 12)
heights = st.integers(0, 6)


@st.composite
def prisms(draw, least=0):
    """A convex or star-like outline with whole corners, somewhere; base and height."""
    x, y = draw(whole), draw(whole)
    corners = draw(
        st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=3, max_size=7,
                 unique=True)
    )  # fmt: skip
    turned = sorted(corners, key=lambda place: math.atan2(place[1] + 0.01, place[0] + 0.02))
    shape = Polygon([(x + a, y + b) for a, b in turned])
    assume(shape.is_valid and shape.area > 0.5)
    return shape, float(draw(heights)), float(draw(st.integers(least, 6)))


@st.composite
def scenes(draw):
    target = draw(prisms(least=1))
    obstacles = draw(st.lists(prisms(), max_size=4))
    eye = draw(whole) + 0.137, draw(whole) - 0.291, draw(st.integers(0, 9)) + 0.25
    assume(not any(shape.contains(Point(eye[:2])) for shape, *_ in [target, *obstacles]))
    return eye, target, obstacles


@st.composite
def grounds(draw):
    raster = draw(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4),
                           min_size=4, max_size=4))  # fmt: skip
    return Surface(heights=np.array(raster, dtype=float), cell=7.0, west=-10.0, north=10.0)


@settings(max_examples=25, deadline=None)
@given(scenes())
def test_shares_are_those_of_rays(scene) -> None:
    eye, target, obstacles = scene

    assert share(eye, target, obstacles) == pytest.approx(by_rays(eye, target, obstacles), abs=0.02)


@settings(max_examples=12, deadline=None)
@given(scenes(), grounds())
def test_shares_over_ground_are_those_of_rays(scene, surface) -> None:
    eye, target, obstacles = scene
    assume(float(surface.heights_at(*eye[:2])) < eye[2])

    assert share(eye, target, obstacles, surface) == pytest.approx(
        by_rays(eye, target, obstacles, surface), abs=0.02
    )


@settings(max_examples=60, deadline=None)
@given(scenes(), prisms(), grounds(), st.booleans())
def test_one_more_obstacle_never_raises_a_share(scene, more, surface, level) -> None:
    eye, target, obstacles = scene
    ground = None if level else surface

    before = share(eye, target, obstacles, ground)

    assert 0 <= before <= 1
    assert share(eye, target, [*obstacles, more], ground) <= before + 1e-9
    assert share(eye, target, [], None) == 1.0


@settings(max_examples=60, deadline=None)
@given(scenes(), grounds(), st.booleans())
def test_turning_mirroring_and_moving_a_scene_change_nothing(scene, surface, level) -> None:
    eye, target, obstacles = scene
    ground = None if level else surface
    before = share(eye, target, obstacles, ground)
    half_turned = Surface(heights=surface.heights[::-1, ::-1], cell=7.0, west=-11.0, north=11.0)
    mirrored = Surface(heights=surface.heights[::-1, ::-1].T, cell=7.0, west=-11.0, north=11.0)
    moved = Surface(heights=surface.heights, cell=7.0, west=190.0, north=-290.0)
    for matrix, other in (
        ([-1, 0, 0, -1, 0, 0], half_turned),
        ([0, 1, 1, 0, 0, 0], mirrored),
        ([1, 0, 0, 1, 200, -300], moved),
        *([([0, 1, -1, 0, 0, 0], None), ([-1, 0, 0, 1, 0, 0], None)] if level else []),
    ):
        a, b, c, d, e, f = matrix
        there = a * eye[0] + b * eye[1] + e, c * eye[0] + d * eye[1] + f, eye[2]
        again = share(
            there,
            (affinity.affine_transform(target[0], matrix), *target[1:]),
            [(affinity.affine_transform(shape, matrix), *up) for shape, *up in obstacles],
            None if level else other,
        )
        assert again == pytest.approx(before, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(scenes(), st.integers(1, 4))
def test_a_higher_eye_and_top_never_hide_more_behind_what_is_lower_than_both(scene, up) -> None:
    eye, (shape, base, height), obstacles = scene
    lower = [(other, 0.0, min(foot + tall, eye[2], base)) for other, foot, tall in obstacles]

    assert (
        share((*eye[:2], eye[2] + up), (shape, base, height + up), lower)
        >= share(eye, (shape, base, height), lower) - 1e-9
    )


@settings(max_examples=80, deadline=None)
@given(scenes())
def test_two_posts_see_each_other_or_neither_does(scene) -> None:
    eye, target, obstacles = scene
    spot = target[0].centroid.coords[0]
    ends = [(*eye[:2], eye[2]), (*spot, target[1] + target[2])]
    ends = [(x, y, z + 0.0625) for x, y, z in ends]
    line = shapely.LineString([end[:2] for end in ends])
    clear = [o for o in obstacles if not any(o[0].distance(Point(end)) < 0.5 for end in ends)]
    assume(line.length > 1)

    seen = [
        share(one, (Point(other).buffer(1e-6), other[2] - 1e-6, 1e-6), clear) > 0
        for one, other in (ends, ends[::-1])
    ]

    assert seen[0] == seen[1]


def test_many_eyes_and_targets_are_the_single_ones() -> None:
    rng = np.random.default_rng(5)
    shapes = [Point(*place).buffer(1) for place in rng.uniform(0, 60, (40, 2))]
    bodies = Bodies(shapes, np.zeros(40), rng.uniform(1, 4, 40), [True] * 40)
    eyes = np.column_stack([rng.uniform(0, 60, (9, 2)), np.full(9, 5.0)])

    together = visible_shares(bodies, eyes, range(10), range(5, 40))

    apart = [[visible_shares(bodies, [eye], [t], range(5, 40))[0, 0] for t in range(10)]
             for eye in eyes]  # fmt: skip
    assert together.tolist() == apart
    assert 0.2 < together.mean() < 1


def test_questions_that_cannot_be_asked() -> None:
    bodies = Bodies([box(0, 0, 1, 1)], [0], [-1], [True])

    assert visible_shares(Bodies([], [], [], []), np.empty((0, 3)), [], []).shape == (0, 0)
    with pytest.raises(ValueError, match="heights from 0"):
        visible_shares(bodies, [0, 0, 0], [0], [])
    with pytest.raises(ValueError, match="eyes"):
        visible_shares(bodies, [0, 0], [0], [])
    with pytest.raises(IndexError):
        visible_shares(Bodies([box(0, 0, 1, 1)], [0], [1], [True]), [9, 0, 0], [1], [])
