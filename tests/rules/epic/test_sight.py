"""Terrain and lines of sight: the vectors of the catalogue, in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.epic.formations import put, units_of
from emlia3d.rules.epic.sight import (
    eyes_of,
    is_between,
    is_clear,
    sees,
    sight_between,
    tiles_between,
    tops,
)
from emlia3d.rules.epic.terrain import is_cliff, is_hit_by_terrain, passage, terrain_of
from tests.rules.epic.boards import board

Tile = tuple[int, int]
AT = (4, 8)
"""The tile from which the vectors are counted, so that all of them are on the board."""


def on(tile: Sequence[int]) -> Tile:
    return tile[0] + AT[0], tile[1] + AT[1]


def field(*terrain: tuple[str, Tile], engine: Tile | None = None) -> Battle:
    units = [{"tile": [0, 0]}, {"tile": [0, 18], "side": "Red"}]
    if engine is not None:
        units.append({"kind": "engine", "tile": [*on(engine)]})
    return board(*units, terrain=[(kind, [on(tile)]) for kind, tile in terrain])


def put_on(battle: Battle, unit: int, tile: Tile) -> None:
    battle.happen(Event(facts=Unread(event="put"), unit=unit, changes=(put(battle, unit, tile),)))


def clear(battle: Battle, start: Tile, end: Tile) -> bool:
    found = []
    for one, other in ((start, end), (end, start)):
        sight = sight_between(battle, on(one), on(other))
        found.append(bool(is_clear(sight.features, sight.obstructions)[0]))
    assert found[0] == found[1]
    return found[0]


VECTORS = [
    ((5, 0), [("forest", (2, 0))], None, True),
    ((5, 0), [("forest", (1, 0)), ("ruin", (3, 0))], None, False),
    ((5, 0), [("building", (4, 0))], None, False),
    ((5, 0), [], (3, 0), False),
    ((5, 0), [("forest", (0, 0)), ("forest", (5, 0)), ("forest", (2, 0))], None, True),
    ((2, -1), [("building", (1, 0))], None, True),
    ((2, -1), [("building", (1, 0)), ("building", (1, -1))], None, False),
    ((3, 1), [("forest", (1, 0)), ("forest", (1, 1))], None, True),
    ((3, 1), [("forest", (1, 0)), ("forest", (2, 1))], None, False),
    ((6, -2), [("forest", (2, 0)), ("forest", (3, 0))], None, True),
    ((4, -2), [("building", (3, -1))], None, True),
    ((4, -2), [("building", (2, -1))], None, False),
]


@pytest.mark.rule("epic.geometry.los-vectors", "epic.geometry.los-algorithm")
@pytest.mark.parametrize(("target", "terrain", "engine", "seen"), VECTORS)
def test_the_vectors_of_the_catalogue(
    target: Tile, terrain: list[tuple[str, Tile]], engine: Tile | None, seen: bool
) -> None:
    assert clear(field(*terrain, engine=engine), (0, 0), target) == seen


LINES = [
    ((4, 0), [{(1, 0)}, {(2, 0)}, {(3, 0)}]),
    ((6, -2), [{(1, 0)}, {(2, -1)}, {(3, -1)}, {(4, -1)}, {(5, -2)}]),
    ((2, -1), [{(1, -1), (1, 0)}]),
    ((3, 1), [{(1, 0)}, {(1, 1), (2, 0)}, {(2, 1)}]),
    ((5, -1), [{(1, 0)}, {(2, 0)}, {(3, -1)}, {(4, -1)}]),
]


@pytest.mark.rule("epic.los.line")
@pytest.mark.parametrize(("end", "expected"), LINES)
def test_the_tiles_between(end: Tile, expected: list[set[Tile]]) -> None:
    for one, other, order in (((0, 0), end, 1), (end, (0, 0), -1)):
        tiles = tiles_between(one, other).tiles.tolist()
        assert [{(q, r) for q, r in point} for point in tiles][::order] == expected


@pytest.mark.rule("epic.los.ends")
@pytest.mark.parametrize(("target", "seen"), [((3, 0), True), ((4, 0), True), ((5, 0), False)])
def test_tiles_at_the_ends_never_hinder(target: Tile, seen: bool) -> None:
    woods = [("forest", (q, 0)) for q in (3, 4, 5)]
    assert clear(field(*woods), (0, 0), target) == seen


@pytest.mark.rule("epic.los.features")
def test_two_features_block_and_one_does_not() -> None:
    assert is_clear([0, 1, 2, 3], [0, 0, 0, 0]).tolist() == [True, True, False, False]


@pytest.mark.rule("epic.los.obstructing")
def test_one_obstruction_blocks() -> None:
    assert is_clear([0, 0], [0, 1]).tolist() == [True, False]
    assert not clear(field(("building", (2, 0))), (0, 0), (4, 0))


@pytest.mark.rule("epic.los.war-engine")
def test_a_war_engine_blocks_and_other_units_do_not() -> None:
    obstructing, _ = tops(terrain_of(field()), [7])
    assert (obstructing[7], obstructing[8]) == (2, 0)
    units = [{"tile": [4, 8]}, {"kind": "tank", "tile": [6, 8]}, {"tile": [8, 8], "side": "Red"}]
    assert sees(board(*units), [0], [2]).all()
    units[1] = {"kind": "engine", "tile": [6, 8]}
    assert not sees(board(*units), [0], [2]).any()


@pytest.mark.rule("epic.los.elevation")
def test_tops_and_eyes_are_counted_in_levels() -> None:
    battle = field(("forest", (0, 0)), ("building", (1, 0)), engine=(3, 0))
    terrain = terrain_of(battle)
    obstructing, hindering = tops(terrain, [])
    wood, building, bare = terrain.board.numbers([on((0, 0)), on((1, 0)), on((2, 0))])

    assert (obstructing[wood], hindering[wood]) == (0, 1)
    assert obstructing[building] == 2
    assert (obstructing[bare], hindering[bare]) == (0, -np.inf)
    assert eyes_of(battle, [0, 2]).tolist() == [0.5, 1.5]


@pytest.mark.rule("epic.los.elevation")
def test_from_a_hill_only_what_is_higher_than_the_line_counts() -> None:
    wood, built = (field((kind, (2, 0))) for kind in ("forest", "building"))
    for battle, heights, seen in ((built, (2.5, 2.5), True), (built, (0.5, 2.5), False)):
        sight = sight_between(battle, on((0, 0)), on((4, 0)), heights)
        assert bool(is_clear(sight.features, sight.obstructions)[0]) == seen
    assert int(sight_between(wood, on((0, 0)), on((4, 0)), (1.5, 0.5)).features[0]) == 0
    assert tops(terrain_of(wood), [])[0].max() == 0


@pytest.mark.rule("epic.los.unit-pairs")
def test_sight_is_from_each_unit_to_units_of_the_formation() -> None:
    units = [{"tile": [4, 8]}, {"tile": [4, 10]}, {"tile": [9, 8], "side": "Red"}]
    battle = board(*units, terrain=[("building", [(6, 8)])])
    assert sees(battle, [0, 1], [2]).tolist() == [[False], [True]]


def test_kept_lines_of_sight_are_those_of_the_units_as_they_stand() -> None:
    dice = Random(5)
    kinds = ["building", "forest", "ruin", "scrub"]
    tiles = [(q, r) for r in range(18) for q in range(-(r // 2), 20 - r // 2)]
    places = dice.sample(tiles, 60)
    units = [{"kind": "engine" if n < 4 else "tank", "tile": places[n]} for n in range(12)]
    terrain = [(dice.choice(kinds), [each]) for each in places[12:]]
    battle = board(*units, {"side": "Red", "tile": dice.choice(places[12:])}, terrain=terrain)
    rows, passed = range(13), 0

    for _ in range(8):
        one, other = np.repeat(rows, 13), np.tile(rows, 13)
        eyes = eyes_of(battle, one.tolist()), eyes_of(battle, other.tolist())
        at = units_of(battle).tile
        sight = sight_between(battle, at[one], at[other], eyes)
        expected = is_clear(sight.features, sight.obstructions).reshape(13, 13)
        found = sees(battle, rows, rows)

        assert (found == expected).all()
        assert (sees(battle.fork(), rows, rows) == expected).all()
        passed += int(found.sum())
        free = dice.choice([each for each in tiles if each not in map(tuple, at.tolist())])
        put_on(battle, dice.randrange(13), free)
    assert 13 * 8 < passed < 13 * 13 * 8


@pytest.mark.rule("epic.geometry.primitives")
def test_a_line_passes_through_either_of_two_equal_tiles() -> None:
    battle = field()
    assert all(is_between(battle, (0, 0), (2, -1), {tile}) for tile in ((1, 0), (1, -1)))
    assert not is_between(battle, (0, 0), (2, -1), {(0, 0), (2, -1), (2, 0)})
    centres = terrain_of(battle).board.grid.centres([(0, 0), (1, 0)])
    assert np.hypot(*(centres[1] - centres[0])) == 1


@pytest.mark.rule("epic.terrain.table")
@pytest.mark.parametrize(
    ("terrain", "kind", "how"),
    [
        ("wood", "INF", "free"), ("wood", "AV", "dangerous"), ("jungle", "LV", "impassable"),
        ("jungle", "WE", "dangerous"), ("building", "INF", "free"),
        ("building", "AV", "impassable"), ("fortification", "WE", "impassable"),
        ("marsh", "INF", "dangerous"), ("river", "AV", "impassable"), ("river", "WE", "free"),
        ("cliff", "INF", "impassable"), ("open", "AV", "free"),
    ],
)  # fmt: skip
def test_the_terrain_table(terrain: str, kind: str, how: str) -> None:
    assert passage(terrain, kind) == how


@pytest.mark.rule("epic.terrain.dangerous")
def test_a_six_is_a_hit_of_dangerous_terrain() -> None:
    assert [is_hit_by_terrain(face) for face in range(1, 7)] == [False] * 5 + [True]


@pytest.mark.rule("epic.terrain.level")
def test_two_levels_between_neighbours_are_a_cliff() -> None:
    assert is_cliff(np.array([0, 1, 2, -1, -2])).tolist() == [False, False, True, False, True]
