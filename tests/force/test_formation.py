"""Where members stand, and the outline round them."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, MultiPoint, Point, Polygon

from emlia3d.force import FULL_CIRCLE, Formation, FormationLayout, unit_vector
from emlia3d.force.formation import (
    block,
    boundary,
    centre,
    footprint_corners,
    footprints,
    front_of,
    places,
    snapped,
)

ROUNDED = 0.01  # sixteen corners, and places on a grid of 1/1024 GSU
ARC = 1 - math.cos(math.pi / 16)  # how far a sixteen-sided disc stays inside the round one

FACINGS = st.integers(0, FULL_CIRCLE - 1)
COORDINATES = st.floats(-1000, 1000)
DRILLS = st.builds(
    lambda formation, count, files, width, depth: FormationLayout(
        formation=formation, count=count, files=files, width=width, depth=depth
    ),
    formation=st.sampled_from(Formation),
    count=st.integers(1, 40),
    files=st.integers(1, 12),
    width=st.sampled_from([0.5, 1.0, 1.5, 4.0, 12.0]),
    depth=st.sampled_from([0.5, 1.0, 2.0, 6.0]),
)


def drill(formation: Formation = Formation.RANKED, **other: float) -> FormationLayout:
    """Twenty men in seven files, one GSU wide and deep, unless something else is said."""
    said = {"count": 20, "files": 7, "width": 1.0, "depth": 1.0} | other
    return FormationLayout(
        formation=formation,
        count=int(said["count"]),
        files=int(said["files"]),
        width=said["width"],
        depth=said["depth"],
    )


def ranks_of(spots: np.ndarray) -> list[list[float]]:
    """Figures that face north, rank after rank from the front: where each stands across."""
    return [
        sorted(spots[spots[:, 1] == y][:, 0].tolist())
        for y in sorted(set(spots[:, 1].tolist()), reverse=True)
    ]


def as_seen(spots: np.ndarray, x: float, y: float, facing: int) -> np.ndarray:
    """The places as (to the right, ahead) of a pose."""
    east, north = unit_vector(facing)
    off = spots - (x, y)
    return np.stack([off[:, 0] * north - off[:, 1] * east, off @ (east, north)], axis=1)


def test_twenty_men_of_seven_files_stand_in_ranks_of_seven_seven_and_six() -> None:
    spots = places(drill(), 0.0, 0.0, 0)

    assert ranks_of(spots) == [
        [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0],
        [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0],
        [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5],
    ]
    assert spots[:, 1].tolist() == [-0.5] * 7 + [-1.5] * 7 + [-2.5] * 6


def test_twenty_ranked_men_of_seven_files_fill_seven_by_three_gsu() -> None:
    twenty = drill()

    outline = boundary(twenty, 0.0, 0.0, 0, places(twenty, 0.0, 0.0, 0))

    assert outline.bounds == (-3.5, -3.0, 3.5, 0.0)
    assert outline.area == 21.0


@pytest.mark.parametrize(
    ("formation", "width", "step"),
    [
        (Formation.RANKED, 1.0, 1.0),
        (Formation.CLOSE, 1.0, 1.5),
        (Formation.CLOSE, 2.0, 3.0),
        (Formation.CLOSE, 4.0, 5.0),
        (Formation.OPEN, 1.0, 3.0),
        (Formation.OPEN, 5.0, 15.0),
        (Formation.OPEN, 6.0, 16.0),
    ],
    ids=[
        "ranked men touch",
        "close men leave half a man",
        "close giants may leave one GSU",
        "close monsters leave no more than one GSU",
        "open men leave two men",
        "open monsters may leave ten GSU",
        "open monsters leave no more than ten GSU",
    ],
)
def test_the_gap_between_figures_is_that_of_the_formation(
    formation: Formation, width: float, step: float
) -> None:
    spots = places(drill(formation, count=4, files=2, width=width, depth=width), 0.0, 0.0, 0)

    assert spots[1, 0] - spots[0, 0] == step
    assert spots[0, 1] - spots[2, 1] == step


def test_the_front_line_is_the_front_edge_of_the_first_rank() -> None:
    spots = places(drill(depth=3.0), 10.0, 20.0, 90 * 64)

    assert spots[0].tolist() == [8.5, 23.0], "the left man of the front rank, who faces east"
    assert spots[6].tolist() == [8.5, 17.0]
    assert spots[7].tolist() == [5.5, 23.0]


def test_fewer_men_than_files_stand_in_the_middle() -> None:
    assert places(drill(count=2), 0.0, 0.0, 0)[:, 0].tolist() == [-0.5, 0.5]


def test_a_unit_without_members_has_no_places_and_keeps_a_front() -> None:
    none = drill(count=0)

    assert places(none, 0.0, 0.0, 0).shape == (0, 2)
    assert (none.frontage, none.length) == (1.0, 1.0)
    assert boundary(drill(Formation.OPEN, count=0), 0.0, 0.0, 0, np.empty((0, 2))).is_empty


@given(drill=DRILLS, x=COORDINATES, y=COORDINATES, facing=FACINGS)
def test_places_are_on_the_grid_and_in_ranks_behind_the_front(
    drill: FormationLayout, x: float, y: float, facing: int
) -> None:
    spots = places(drill, x, y, facing)

    np.testing.assert_array_equal(spots * 1024, np.round(spots * 1024))
    across, ahead = as_seen(spots, x, y, facing).T
    assert len(spots) == drill.count
    assert np.all(np.abs(across) <= (drill.frontage - drill.width) / 2 + ROUNDED)
    assert np.all(ahead <= -drill.depth / 2 + ROUNDED)
    assert np.all(ahead >= -drill.length + drill.depth / 2 - ROUNDED)
    for rank in range(drill.ranks):
        members = slice(rank * drill.files, (rank + 1) * drill.files)
        assert abs(across[members].mean()) <= ROUNDED, "each rank is centred"


@given(drill=DRILLS, x=COORDINATES, y=COORDINATES, facing=FACINGS)
def test_the_block_is_as_wide_and_as_long_as_the_drill_says(
    drill: FormationLayout, x: float, y: float, facing: int
) -> None:
    corners = block(drill, x, y, facing)

    across, ahead = as_seen(corners, x, y, facing).T
    half, deep = drill.frontage / 2, -drill.length
    np.testing.assert_allclose(across, [-half, half, half, -half], atol=1e-6)
    np.testing.assert_allclose(ahead, [0, 0, deep, deep], atol=1e-6)


@given(drill=DRILLS, x=COORDINATES, y=COORDINATES, facing=FACINGS)
def test_the_front_of_a_middle_has_that_middle(
    drill: FormationLayout, x: float, y: float, facing: int
) -> None:
    front = front_of(drill, x, y, facing)

    assert all((part * 1024).is_integer() for part in front)
    assert centre(drill, *front, facing) == pytest.approx((x, y), abs=1 / 1024)
    middle = Polygon(block(drill, *front, facing)).centroid
    assert (middle.x, middle.y) == pytest.approx((x, y), abs=1 / 1024)


@given(st.floats(-(2**15), 2**15))
def test_snapping_goes_to_the_nearest_1024th(value: float) -> None:
    on_grid = snapped(value)

    assert (on_grid * 1024).is_integer()
    assert abs(on_grid - value) <= 1 / 2048
    assert snapped(on_grid) == on_grid


@given(drill=DRILLS, facing=FACINGS)
def test_an_outline_is_one_piece_and_holds_every_member(
    drill: FormationLayout, facing: int
) -> None:
    spots = places(drill, 3.0, 4.0, facing)

    outline = boundary(drill, 3.0, 4.0, facing, spots)

    assert isinstance(outline, Polygon)
    assert outline.is_valid
    shapely.prepare(outline)
    assert shapely.contains_xy(outline, spots[:, 0], spots[:, 1]).all()


@given(facing=FACINGS, count=st.integers(2, 20), width=st.sampled_from([1.0, 2.5]))
def test_an_open_boundary_is_the_hull_of_the_footprints(
    facing: int, count: int, width: float
) -> None:
    loose = drill(Formation.OPEN, count=count, files=5, width=width, depth=width)
    spots = places(loose, 0.0, 0.0, facing)
    round_hull = MultiPoint(spots).convex_hull.buffer(width / 2, quad_segs=64)

    outline = boundary(loose, 0.0, 0.0, facing, spots)

    assert outline.hausdorff_distance(round_hull) <= ARC * width / 2 + 1e-3
    assert outline.difference(round_hull.buffer(1e-3)).is_empty


def closed_by_hand(spots: np.ndarray, radius: float) -> Polygon:
    """Footprints, the links between members within 1 GSU of each other, closed by 1 GSU."""
    footprints = [Point(spot).buffer(radius + 1.0) for spot in spots]
    links = [
        LineString([a, b]).buffer(1.0)
        for a, b in combinations(spots, 2)
        if math.dist(a, b) - 2 * radius <= 1 + 1 / 512
    ]
    return shapely.union_all([*footprints, *links]).buffer(-1.0)


@settings(max_examples=30)
@given(
    facing=FACINGS,
    count=st.integers(2, 12),
    files=st.integers(1, 5),
    width=st.sampled_from([0.25, 1.0, 2.0, 4.0]),
)
def test_a_close_boundary_is_footprints_and_links_closed_by_one_gsu(
    facing: int, count: int, files: int, width: float
) -> None:
    if width == 4.0:  # the necks to a last rank between the files are as narrow as corners err
        count = files * max(count // files, 2)
    tight = drill(Formation.CLOSE, count=count, files=files, width=width, depth=width)
    spots = places(tight, 0.0, 0.0, facing)

    outline = boundary(tight, 0.0, 0.0, facing, spots)

    by_hand = closed_by_hand(spots, width / 2)
    assert outline.hausdorff_distance(by_hand) <= ARC * (2 + width / 2)


@given(
    facing=FACINGS,
    count=st.integers(2, 30),
    east=st.integers(-(2**20), 2**20),
    north=st.integers(-(2**20), 2**20),
)
def test_a_close_boundary_is_the_same_wherever_the_unit_stands(
    facing: int, count: int, east: int, north: int
) -> None:
    tight = drill(Formation.CLOSE, count=count, files=6)
    spots, off = places(tight, 0.0, 0.0, facing), np.array([east, north]) / 1024

    here = boundary(tight, 0.0, 0.0, facing, spots)
    there = boundary(tight, *off.tolist(), facing, spots + off)

    assert (shapely.get_coordinates(here) + off).tolist() == shapely.get_coordinates(there).tolist()


@pytest.mark.parametrize("formation", [Formation.OPEN, Formation.CLOSE])
def test_one_figure_alone_is_its_footprint(formation: Formation) -> None:
    alone = drill(formation, count=1, files=1, width=3.0, depth=2.0)

    outline = boundary(alone, 0.0, 1.0, 0, places(alone, 0.0, 1.0, 0))

    assert (outline.centroid.x, outline.centroid.y) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert len(outline.exterior.coords) == 17
    assert {round(math.hypot(*corner), 6) for corner in outline.exterior.coords} == {1.5}


def test_a_close_ring_of_footprints_keeps_its_hole() -> None:
    around = [
        (6 * math.sin(angle), 6 * math.cos(angle)) for angle in np.linspace(0, math.tau, 24)[:-1]
    ]
    ring = drill(Formation.CLOSE, count=len(around), files=5)

    outline = boundary(ring, 0.0, 0.0, 0, np.array(around))

    assert len(outline.interiors) == 1
    assert not outline.contains(Point(0, 0))


@given(drill=DRILLS, facing=FACINGS)
def test_neighbours_of_a_rank_are_one_spacing_apart(drill: FormationLayout, facing: int) -> None:
    front = places(drill, 0.0, 0.0, facing)[: drill.files]

    for a, b in pairwise(front.tolist()):
        assert math.dist(a, b) == pytest.approx(drill.spacing[0], abs=2 / 1024)


def test_footprints_of_many_units_at_once_are_those_of_each() -> None:
    rng = np.random.default_rng(4)
    drills = [
        FormationLayout(formation=formation, count=9, files=3, width=width, depth=depth)
        for formation in (Formation.RANKED, Formation.OPEN, Formation.CLOSE)
        for width, depth in ((0.8, 1.0), (1.5, 3.0))
    ]
    facings, counts = [0, 64 * 33, 64 * 180, 7, 64 * 290, 64 * 90], [3, 1, 0, 5, 2, 4]
    spots = rng.uniform(0, 500, (sum(counts), 2))

    points, offsets = footprints(drills, facings, counts, spots)

    each = np.split(spots, np.cumsum(counts)[:-1])
    expected = [
        corners
        for drill, facing, some in zip(drills, facings, each, strict=True)
        for corners in footprint_corners(drill, some, facing)
    ]
    assert len(offsets) == len(expected) + 1
    for start, end, corners in zip(offsets, offsets[1:], expected, strict=False):
        assert points[start:end].tolist() == [*corners.tolist(), corners[0].tolist()]
