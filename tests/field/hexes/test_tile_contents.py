"""What tiles hold: levels of the ground, and the feature that hinders most."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import shapely

from emlia3d import load
from emlia3d.field import Feature, Field, Ground, Scale, feature_of
from emlia3d.field.hexes import HexBoard, TileContents, tile_contents
from emlia3d.scenario.shelves import scenario_files

SIZE = (12.5, 10.0)
BOARD = HexBoard.covering(SIZE)
HINDRANCE = {"scrub": 1, "forest": 2, "wall": 2, "building": 3}


def field_of(*features: Feature, rise: float = 0.0) -> Field:
    """A field whose ground rises to the east by *rise* metres each GSU, from 5 m in the west."""
    east = np.arange(126) * 0.1 - 0.05
    raster = np.tile(5 + rise * east, (100, 1))[:, :125]
    ground = Ground(elevation_m=raster, size=SIZE, cell=0.1)
    return Field(size=SIZE, scale=Scale(2.0, 1.0), ground=ground, features=features)


def piece(name: str, kind: str, outline: shapely.Polygon, height: float | None = None) -> Feature:
    return feature_of(name, kind, outline, height=height)


def contents(field: Field, **changed: object) -> TileContents:
    given = {"system": "tiled", "hindrance": HINDRANCE, "step": 2.0} | changed
    return tile_contents(field, BOARD, **given)  # type: ignore[arg-type]


def named(field: Field, found: TileContents) -> dict[tuple[int, int], str]:
    """The name of the feature of each tile that has one."""
    return {
        tuple(tile): field.features[row].name
        for tile, row in zip(BOARD.tiles.tolist(), found.features.tolist(), strict=True)
        if row >= 0
    }


def about(tile: tuple[int, int], radius: float) -> shapely.Polygon:
    east, north = BOARD.grid.centres(tile)
    return shapely.box(east - radius, north - radius, east + radius, north + radius)


def test_a_feature_is_in_the_tiles_whose_centres_it_covers() -> None:
    field = field_of(piece("wood", "forest", about((3, 2), 1.05)))
    centres = BOARD.grid.centres(BOARD.tiles)
    covered = shapely.covers(field.features[0].outline, shapely.points(centres))

    found = named(field, contents(field))

    assert sorted(found) == sorted(tuple(tile) for tile in BOARD.tiles[covered].tolist())
    assert len(found) == 7


def test_a_centre_on_the_border_of_a_feature_is_covered() -> None:
    # The centres of the first and the last tile lie on its western and eastern border.
    box = shapely.box(0.5, 0.0, 2.5, 1.0)
    field = field_of(piece("wood", "forest", box))

    assert sorted(named(field, contents(field))) == [(0, 0), (1, 0), (2, 0)]


def test_a_feature_smaller_than_a_tile_is_in_the_tile_of_its_centre() -> None:
    east, north = BOARD.grid.centres((4, 3))
    small = shapely.box(east + 0.2, north + 0.1, east + 0.3, north + 0.2)
    field = field_of(piece("rock", "wall", small))

    assert named(field, contents(field)) == {(4, 3): "rock"}


def test_of_two_features_the_more_hindering_one_counts_and_of_equals_the_first() -> None:
    field = field_of(
        piece("scrub", "scrub", about((3, 2), 0.3)),
        piece("house", "building", about((3, 2), 0.2)),
        piece("wood", "forest", about((3, 2), 0.3)),
        piece("wall", "wall", about((6, 2), 0.2)),
        piece("copse", "forest", about((6, 2), 0.2)),
    )

    assert named(field, contents(field)) == {(3, 2): "house", (6, 2): "wall"}


def test_a_kind_that_the_system_does_not_list_hinders_nothing() -> None:
    field = field_of(piece("road", "road", about((3, 2), 2)))

    assert (contents(field).features == -1).all()


def test_a_feature_is_what_the_file_says_for_the_system() -> None:
    house = dataclasses.replace(
        piece("house", "building", about((3, 2), 0.2)), as_={"tiled": "ruin", "other": "forest"}
    )
    field = field_of(house, piece("wood", "forest", about((3, 2), 0.2)))
    ruins = {"ruin": 1, **HINDRANCE}

    assert named(field, contents(field, hindrance=ruins)) == {(3, 2): "wood"}
    assert named(field, contents(field, hindrance=ruins, system="third")) == {(3, 2): "house"}


def test_levels_are_whole_steps_above_the_lowest_ground() -> None:
    field = field_of(rise=1.0)
    found = contents(field)
    east = BOARD.grid.centres(BOARD.tiles)[:, 0]

    # The raster is lowest 0.05 GSU from its western edge.
    assert found.levels.tolist() == np.floor((east - 0.05) / 2 + 1e-9).astype(int).tolist()
    assert set(found.levels.tolist()) == set(range(6))


def test_ground_on_a_step_is_of_the_upper_level() -> None:
    size = (4.0, 1.2)
    raster = np.full((6, 20), 0.3)
    raster[0, 0] = 0.0
    ground = Ground(elevation_m=raster, size=size, cell=0.2)
    field = Field(size=size, scale=Scale(1.0, 1.0), ground=ground)

    found = tile_contents(field, HexBoard.covering(size), system="tiled", hindrance={}, step=0.1)

    assert found.levels[1:].tolist() == [3, 3, 3]


def test_a_hill_raises_the_tiles_whose_centres_it_covers() -> None:
    hill = piece("hill", "hill", about((3, 2), 1.05), 4.0)
    top = piece("top", "hill", about((3, 2), 0.2), 3.0)
    field = field_of(hill, top)

    found = contents(field)

    levels = {tuple(t): n for t, n in zip(BOARD.tiles.tolist(), found.levels.tolist(), strict=True)}
    assert levels[3, 2] == 3
    assert sorted(levels.values())[-7:] == [2, 2, 2, 2, 2, 2, 3]
    assert sum(level > 0 for level in levels.values()) == 7


def test_a_feature_that_hinders_raises_no_ground_and_neither_does_one_that_is_gone() -> None:
    tower = piece("tower", "tower", about((3, 2), 0.3), 4.0)
    field = field_of(tower, piece("hill", "hill", about((6, 2), 0.3), 4.0))

    assert contents(field, hindrance={"tower": 1}).levels.max() == 2
    assert contents(field, hindrance={"tower": 1, "hill": 1}).levels.max() == 0
    gone = contents(field, hindrance={"tower": 1}, present=[False, False])
    assert gone.levels.max() == 0
    assert gone.features.max() == -1


def test_rises_are_the_differences_to_neighbours() -> None:
    field = field_of(piece("hill", "hill", about((3, 2), 0.3), 5.0))
    found = contents(field)
    row = int(BOARD.numbers((3, 2)))

    assert found.rises[row].tolist() == [-2] * 6
    assert found.rises[BOARD.neighbours[row, 0], 3] == 2
    assert found.rises[0].tolist() == [0] * 6


@pytest.mark.parametrize("step", [0.0, -1.0, float("nan")])
def test_a_level_has_a_height(step: float) -> None:
    with pytest.raises(ValueError, match="a level is above 0 height units high, not"):
        contents(field_of(), step=step)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(scenario_files()))
def test_each_bundled_field_has_tiles_that_hold_what_its_features_cover(name: str) -> None:
    field = load(name).setup.field
    across = max(1.0, max(field.size) / 150)
    board = HexBoard.covering(field.size, across)
    kinds = {feature.kind_for("tiled") for feature in field.features} - {"hill"}
    hindrance = {kind: rank for rank, kind in enumerate(sorted(kinds))}

    found = tile_contents(field, board, system="tiled", hindrance=hindrance, step=1.0)

    low = field.scale.heights_of_metres(field.ground.low_m)
    for tile in range(0, len(board), 37):
        east, north = board.grid.centres(board.tiles[tile])
        here = shapely.Point(east, north)
        inside = [
            (hindrance[feature.kind_for("tiled")], -row)
            for row, feature in enumerate(field.features)
            if feature.kind_for("tiled") in hindrance
            and (
                feature.outline.intersects(here)
                or board.grid.tiles_at(feature.outline.centroid.coords[0]).tolist()
                == board.tiles[tile].tolist()
            )
        ]
        assert found.features[tile] == (-max(inside)[1] if inside else -1)
        height = float(field.footing(east, north)) - low
        height += sum(
            feature.height
            for feature in field.features
            if feature.kind_for("tiled") == "hill" and feature.outline.intersects(here)
        )
        assert found.levels[tile] == int(np.floor(height + 1e-9))
