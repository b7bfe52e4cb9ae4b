"""What the ground settles for a whole raster is what every corridor by itself says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.area import Grid, Observer, PointVisibility
from emlia3d.geometry import Bodies, Surface, blocked_fractions
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.area import sight_area
from emlia3d.rules.emlia.play.sight.fronts import hidden_from_front
from emlia3d.rules.emlia.play.sight.ground_first import (
    OPEN,
    PostStand,
    SettledByGround,
    Upright,
    levels_by_ground,
)
from emlia3d.rules.emlia.play.sight.sight_bodies import surface_of
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of

Build = Callable[..., Battle]
SIZE = 80
FEW = 1000
THINGS: list[dict[str, Any]] = [
    {"kind": "wall", "name": "wall", "box": (20, 50, 34, 51), "height": 1},
    {"kind": "forest", "name": "wood", "box": (50, 52, 64, 70), "height": 6},
    {"kind": "building", "name": "yard", "height": 4,
     "outline": shapely.Polygon(
         [(8, 8), (20, 8), (20, 20), (17, 20), (17, 11), (11, 11), (11, 20), (8, 20)])},
    {"kind": "stream", "name": "brook", "box": (0, 30, 80, 33)},
    {"kind": "hill", "name": "knoll", "box": (66, 10, 76, 18), "height": 2},
]  # fmt: skip
POSTS = {
    "on open ground": Observer(name="", place=(40.25, 41.5)),
    "above it": Observer(name="", place=(40.25, 41.5), on_height=7.0),
    "at the field's corner": Observer(name="", place=(0.125, 79.875)),
    "between the wings of a yard": Observer(name="", place=(14.0, 16.5)),
    "by the brook": Observer(name="", place=(60.0, 34.0)),
    "one man": Observer(name="watch", unit=0),
    "a man taking cover": Observer(name="guard", unit=1),
}


def hills(steep: float, seed: int = 5) -> np.ndarray:
    """Rough ground of as many cells as the field has GSU, metres."""
    rng, heights = np.random.default_rng(seed), np.zeros((SIZE, SIZE))
    for cells, tall in ((4, 6.0), (10, 2.5), (40, 0.6)):
        at = np.linspace(0, cells, SIZE)
        low = at.astype(int)
        part = (at - low) ** 2 * (3 - 2 * (at - low))
        steps = rng.normal(size=(cells + 2, cells + 2))
        rows = steps[low] * (1 - part[:, None]) + steps[low + 1] * part[:, None]
        heights += tall * (rows[:, low] * (1 - part) + rows[:, low + 1] * part)
    return steep * heights


def on_hills(field_of_battle: Build, steep: float) -> Battle:
    return field_of_battle(
        {"at": (44, 38), "name": "watch"},
        {"at": (30, 62), "name": "guard", "height": 0.5, "states": ["taking cover"]},
        {"at": (25, 30), "side": "Bob", "name": "line", "members": 8, "files": 8},
        {"at": (60, 44), "side": "Bob", "name": "mob", "members": 5, "formation": "open"},
        size=(SIZE, SIZE),
        terrain=THINGS,
        elevation_m=hills(steep),
    )


def place_by_place(battle: Battle, post: Observer, height: float, reverse: bool) -> PointVisibility:
    """The answer from corridors alone: so few places are not worth a pass over the raster."""
    spots = Grid.over((SIZE, SIZE), 1.0).spots
    parts = [
        sight_area(battle, post, spots[start : start + FEW], height, reverse)
        for start in range(0, len(spots), FEW)
    ]
    return PointVisibility(
        np.concatenate([part.levels for part in parts]),
        sum((part.because for part in parts), Counter()),
        sum((part.hides for part in parts), Counter()),
    )


@pytest.mark.long
@pytest.mark.parametrize("reverse", [False, True], ids=["sees", "seen"])
@pytest.mark.parametrize(("steep", "height"), [(0.3, 1.0), (1.0, 1.0), (1.0, 0.5), (0.3, 4.0)])
@pytest.mark.parametrize("post", POSTS)
def test_a_raster_at_once_is_what_each_corridor_says(
    field_of_battle: Build, post: str, steep: float, height: float, reverse: bool
) -> None:
    battle, spots = on_hills(field_of_battle, steep), Grid.over((SIZE, SIZE), 1.0).spots

    at_once = sight_area(battle, POSTS[post], spots, height, reverse)

    alone = place_by_place(battle, POSTS[post], height, reverse)
    assert at_once.levels.tolist() == alone.levels.tolist()
    assert (at_once.because, at_once.hides) == (alone.because, alone.hides)


FRONTS = {
    "a line": Observer(name="line", unit=2),
    "a mob in open formation": Observer(name="mob", unit=3),
}


@pytest.mark.long
@pytest.mark.parametrize("reverse", [False, True], ids=["sees", "seen"])
@pytest.mark.parametrize(("steep", "height"), [(1.0, 1.0), (2.0, 4.0)])
@pytest.mark.parametrize("post", FRONTS)
def test_ground_that_hides_a_whole_front_hides_each_corridor(
    field_of_battle: Build, post: str, steep: float, height: float, reverse: bool
) -> None:
    battle, spots = on_hills(field_of_battle, steep), Grid.over((SIZE, SIZE), 1.0).spots

    at_once = sight_area(battle, FRONTS[post], spots, height, reverse)

    alone = place_by_place(battle, FRONTS[post], height, reverse)
    assert at_once.levels.tolist() == alone.levels.tolist()
    assert (at_once.because, at_once.hides) == (alone.because, alone.hides)


def test_the_ground_hides_figures_from_a_front_without_their_corridors(
    field_of_battle: Build,
) -> None:
    battle = on_hills(field_of_battle, 2.0)
    situation, spots = sight_cache_of(battle).scene.situation, Grid.over((SIZE, SIZE), 1.0).spots
    front = PostStand(
        who=Upright(radius=4.5, height=1.0), place=situation.centre(2),
        footing=float(situation.footings[2]),
    )  # fmt: skip
    figure, footings = Upright(radius=0.5, height=1.0), situation.ground_at(spots)

    found = hidden_from_front(surface_of(battle), front, figure, spots, footings)
    few = hidden_from_front(surface_of(battle), front, figure, spots[:99], footings[:99])

    hidden = sight_area(battle, FRONTS["a line"], spots, 1.0, False).levels == Level.TOTAL
    assert (found.levels[hidden] == Level.TOTAL).mean() > 0.1
    assert not (found.levels[~hidden] == Level.TOTAL).any()
    assert set(few.levels.tolist()) == {OPEN}


def settled(battle: Battle, place: tuple[float, float], **changes: Any) -> SettledByGround:
    scene, ground = sight_cache_of(battle).scene, surface_of(battle)
    spots = Grid.over((SIZE, SIZE), 1.0).spots
    footings = scene.situation.ground_at(spots)
    footing = float(scene.situation.ground_at(np.array([place]))[0])
    man = Upright(radius=0.5, height=1.0)
    post = PostStand(who=changes.get("who", man), place=place, footing=footing)
    spots = changes.get("spots", spots)
    return levels_by_ground(ground, scene, post, man, spots, footings[: len(spots)], reverse=False)


def test_bare_ground_is_settled_nearly_everywhere(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (4, 4)}, size=(SIZE, SIZE), elevation_m=hills(0.3))

    levels = settled(battle, (40.25, 41.5)).levels

    assert (levels == OPEN).mean() < 0.2
    assert (levels == Level.TOTAL).mean() > 0.1
    assert (levels == Level.NONE).mean() > 0.1


def test_wide_corridors_and_places_between_centres_are_left_to_themselves(
    field_of_battle: Build,
) -> None:
    battle, spots = on_hills(field_of_battle, 0.3), Grid.over((SIZE, SIZE), 1.0).spots

    wide = settled(battle, (40.0, 40.0), who=Upright(radius=3.0, height=1.0))
    between = settled(battle, (40.0, 40.0), spots=spots + 0.25)

    assert set(wide.levels.tolist()) == set(between.levels.tolist()) == {OPEN}
    assert not wide.clear.any()
    assert not between.clear.any()


@pytest.mark.parametrize("steep", [0.3, 1.0])
def test_where_the_ground_is_clear_it_blocks_nothing_of_a_corridor(
    field_of_battle: Build, steep: float
) -> None:
    battle, place = on_hills(field_of_battle, steep), (40.25, 41.5)
    spots = Grid.over((SIZE, SIZE), 1.0).spots

    found = settled(battle, place)

    some = np.flatnonzero(found.clear)
    assert len(some) > 100
    assert (found.levels[some] == OPEN).any(), "bodies stand before some of them"
    ends = shapely.points(np.vstack([[place], spots[some]]))
    footings = sight_cache_of(battle).scene.situation.ground_at(shapely.get_coordinates(ends))
    plain = np.zeros(len(ends))
    bodies = Bodies(shapely.buffer(ends, 0.5).tolist(), plain, plain, plain)
    pairs = np.stack([np.zeros(len(some), dtype=int), np.arange(1, len(ends))], axis=1)
    marks = footings[1:, None] + [1.0, 0.5]
    shares = blocked_fractions(surface_of(battle), bodies, pairs, footings[0] + 1.0, marks)
    assert shares.max() == 0.0


def settled_behind_a_wall(
    wall: float, post: float, figure: Upright, away: float = 32.0
) -> set[int]:
    """What the ground settles of figures on the plain, of a front *post* height units high."""
    heights = np.zeros((65, 65))
    heights[:, 20:32] = wall
    plain = Surface(heights=heights, cell=1.0, west=0.0, north=64.0)
    front = PostStand(who=Upright(radius=1.0, height=1.0), place=(8.0, 32.0), footing=post - 1)
    spots = np.tile([[8.0 + away, 32.0]], (5000, 1))

    found = hidden_from_front(plain, front, figure, spots, np.zeros(len(spots)))

    return set(found.levels.tolist())


@pytest.mark.parametrize(("higher", "level"), [(0, OPEN), (-1e-4, Level.TOTAL)])
def test_a_figure_that_may_touch_the_ground_under_its_corridor_is_not_settled(
    higher: float, level: int
) -> None:
    """A corridor falls from 66 by 64 on 32 GSU, and so by 2 on the figure's radius."""
    figure = Upright(radius=1.0, height=2.0)

    assert settled_behind_a_wall(1000, 66 + higher, figure) == {level}


@pytest.mark.parametrize(
    ("wall", "level"), [(8.0, OPEN), (8 + 9 * 2.0**-30, OPEN), (8.000001, Level.TOTAL)]
)
def test_a_figure_whose_top_is_level_with_the_ground_before_it_is_not_settled(
    wall: float, level: int
) -> None:
    assert settled_behind_a_wall(wall, 8, Upright(radius=1.0, height=8.0)) == {level}


def test_low_figures_on_a_plain_hide_behind_no_ground_of_the_fronts_own() -> None:
    assert settled_behind_a_wall(0.0, 0.5, Upright(radius=1.0, height=0.5)) == {OPEN}


@pytest.mark.parametrize(("radius", "level"), [(3.0, Level.TOTAL), (4.0, OPEN)])
def test_a_wall_hides_figures_only_if_it_is_thicker_than_their_corridors(
    radius: float, level: int
) -> None:
    """Of 12 columns 2 times the radius and 2 cells are left out."""
    assert settled_behind_a_wall(1000, 8, Upright(radius=radius, height=8.0)) == {level}


CELL, OWN = 2.0, 4
"""GSU across a cell; cells by which high ground is narrowed on each side for a front of 3 GSU."""


@pytest.mark.parametrize(("beyond", "level"), [(0, OPEN), (1, Level.TOTAL)])
@pytest.mark.parametrize(
    ("figure", "ridge"),
    [
        ((30, 50), lambda more: (slice(None), slice(24, 34 + OWN + 1 + more))),
        ((30, 10), lambda more: (slice(None), slice(26 - OWN - more, 40))),
        ((10, 30), lambda more: (slice(26 - OWN - more, 40), slice(None))),
        ((50, 30), lambda more: (slice(20, 33 + OWN + 1 + more), slice(None))),
    ],
    ids=["east", "west", "north", "south"],
)  # fmt: skip
def test_the_ground_within_two_cells_of_a_front_is_its_own(
    figure: tuple[int, int], ridge: Callable[[int], tuple[slice, slice]], beyond: int, level: int
) -> None:
    """The front at column 30.25 and row 29.5 takes up 3.5 cells to each side.

    So its own are the columns 26 to 34 and the rows 26 to 33.
    """
    heights = np.zeros((60, 60))
    heights[ridge(beyond)] = 1000
    surface = Surface(heights=heights, cell=CELL, west=-10.0, north=120.0)
    place = (-10 + 30.25 * CELL, 120 - 29.5 * CELL)
    front = PostStand(who=Upright(radius=3.0, height=1.0), place=place, footing=7.0)
    spots = np.tile([[-10 + figure[1] * CELL, 120 - figure[0] * CELL]], (5000, 1))
    man = Upright(radius=0.5, height=2.0)

    found = hidden_from_front(surface, front, man, spots, np.zeros(len(spots)))

    assert set(found.levels.tolist()) == {level}


@pytest.mark.parametrize(("cells", "level"), [(16, OPEN), (17, Level.TOTAL)])
def test_figures_up_to_both_widths_away_are_left_to_their_corridors(cells: int, level: int) -> None:
    heights = np.zeros((65, 65))
    heights[:, 20:36] = 1000
    surface = Surface(heights=heights, cell=0.25, west=0.0, north=16.0)
    front = PostStand(who=Upright(radius=1.0, height=1.0), place=(5.0, 8.0), footing=7.0)
    spots = np.tile([[5.0 + 0.25 * cells, 8.0]], (5000, 1))

    found = hidden_from_front(
        surface, front, Upright(radius=1.0, height=8.0), spots, 0 * spots[:, 0]
    )

    assert set(found.levels.tolist()) == {level}


def test_without_ground_nothing_is_settled() -> None:
    front = PostStand(who=Upright(radius=1.0, height=1.0), place=(8.0, 32.0), footing=0.0)
    spots = np.zeros((5000, 2))

    found = hidden_from_front(None, front, Upright(radius=1.0, height=1.0), spots, spots[:, 0])

    assert set(found.levels.tolist()) == {OPEN}


@pytest.mark.parametrize(
    ("wall", "level"), [(8.0, OPEN), (8 + 9 * 2.0**-30, OPEN), (8.000001, Level.TOTAL)]
)
def test_of_single_men_too_only_what_no_rounding_can_change_is_settled(
    wall: float, level: int
) -> None:
    """The heights involved are 24 together; the line to the wall ends 2.3 times as much higher."""
    heights = np.zeros((65, 65))
    heights[:, 20:32] = wall
    surface = Surface(heights=heights, cell=1.0, west=0.0, north=64.0)
    man = Upright(radius=0.5, height=8.0)
    post = PostStand(who=man, place=(8.0, 32.0), footing=0.0)
    spots, nobody = np.tile([[40.0, 32.0]], (5000, 1)), cast("Any", SimpleNamespace(outlines=()))

    found = levels_by_ground(surface, nobody, post, man, spots, 0 * spots[:, 0], reverse=False)

    assert set(found.levels.tolist()) == {level}
