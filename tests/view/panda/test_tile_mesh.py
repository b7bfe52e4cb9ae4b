"""The grid of tiles in pictures: where its lines are, and where they are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from panda3d.core import NodePath

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field.hexes import HexBoard
from emlia3d.view.camera.eyesight import eyesight
from emlia3d.view.moment.scene import Camera, DrawnGround, Scene, flat
from emlia3d.view.moment.tile_edges import drawn_tiles
from emlia3d.view.panda.app import App
from emlia3d.view.panda.land.groundsheet import RAISED_M
from emlia3d.view.panda.land.tile_mesh import TileMesh, tile_sizes_px
from emlia3d.view.panda.meshes import vertices_of
from emlia3d.view.panda.picture import draw_picture
from tests.view.panda.window_driver import Hand, opened

SIZE = (480, 270)
ABOVE = Camera(eye=(60.0, 40.0, 60.0), look_at=(60.0, 40.0, 0.0))
FAR = Camera(eye=(60.0, 40.0, 900.0), look_at=(60.0, 40.0, 0.0))


def scene(setup: Setup, across: float = 3.0) -> Scene:
    """Level ground of 240 x 160 m with a grid of tiles of 6 m."""
    field = setup.field
    tiles = drawn_tiles(field, HexBoard.covering(field.size, across))
    return Scene(terrain=flat((240.0, 160.0)), tiles=tiles)


def test_lines_are_drawn_along_the_edges_of_tiles(setup: Setup, display) -> None:
    whole = scene(setup)
    assert whole.tiles is not None

    there = draw_picture(whole, ABOVE, SIZE, display).astype(int)
    without = draw_picture(replace(whole, tiles=None), ABOVE, SIZE, display).astype(int)

    changed = np.abs(there - without).sum(axis=2)
    middles = whole.tiles.edges_m.mean(axis=1)
    spots = eyesight(ABOVE, SIZE).project(np.column_stack((middles, np.zeros(len(middles)))))
    inside = ((spots > 5) & (spots < np.array(SIZE) - 5)).all(axis=1)
    near = [
        changed[y - 1 : y + 2, x - 1 : x + 2].max()
        for x, y in np.round(spots[inside]).astype(int).tolist()
    ]
    assert inside.sum() > 100
    assert np.mean(np.array(near) > 12) > 0.95
    # Most of the picture is inside tiles, and stays as it was.
    assert np.mean(changed < 6) > 0.7


def test_tiles_that_are_small_in_the_picture_are_left_out(setup: Setup, display) -> None:
    whole = scene(setup, across=1.0)

    far = draw_picture(whole, FAR, SIZE, display)

    assert (far == draw_picture(replace(whole, tiles=None), FAR, SIZE, display)).all()


def test_a_tile_is_as_large_as_its_projection() -> None:
    sight = eyesight(ABOVE, SIZE)
    ends = sight.project(np.array([(60.0, 40.0, 0.0), (64.0, 40.0, 0.0)]))

    (below,) = tile_sizes_px(np.array([(60.0, 40.0, 0.0)]), 4.0, sight)
    (beside,) = tile_sizes_px(np.array([(660.0, 40.0, 0.0)]), 4.0, sight)

    assert below == pytest.approx(ends[1, 0] - ends[0, 0], rel=1e-6)
    # Ten times as far, at a flat angle.
    assert beside == pytest.approx(below * 60 / 603 * 60 / 603, rel=0.01)


def test_the_grid_lies_on_the_ground(setup: Setup) -> None:
    rows = np.linspace(0, 30, 16)[:, None] + np.linspace(0, 20, 24)[None]
    ground = DrawnGround(elevation_m=rows.astype(np.float32), size_m=(240.0, 160.0))
    root = NodePath("root")
    mesh = TileMesh(root, ground)

    mesh.show(scene(setup).tiles)

    places = np.concatenate(
        [
            vertices_of(path.node().get_geom(0))["place"]
            for path in root.find_all_matches("**/+GeomNode")
        ]
    )
    heights = ground.heights(places[:, 0], places[:, 1])
    assert len(places) > 1_000
    assert places[:, 2] == pytest.approx(heights + RAISED_M, abs=1e-3)
    mesh.show(None)
    assert not root.find_all_matches("**/+GeomNode")


def test_pieces_of_the_grid_disappear_one_by_one_with_distance(setup: Setup) -> None:
    root = NodePath("root")
    mesh = TileMesh(root, flat((240.0, 160.0)))
    mesh.show(scene(setup).tiles)
    pieces = list(root.find_all_matches("**/+GeomNode"))

    def visible(camera: Camera) -> int:
        mesh.update_for_camera(eyesight(camera, SIZE))
        return sum(not piece.is_hidden() for piece in pieces)

    assert visible(Camera(eye=(120.0, 80.0, 100.0), look_at=(120.0, 80.0, 0.0))) == len(pieces)
    assert 0 < visible(Camera(eye=(0.0, 0.0, 8.0), look_at=(240.0, 160.0, 0.0))) < len(pieces)
    assert visible(FAR) == 0


def test_an_action_lays_the_grid_over_the_field_of_a_window(app: App) -> None:
    before = app.image()

    app.act("tiles")
    app.step(0.1)

    assert app.viewer.tiles.is_shown
    assert (app.image() != before).any()
    assert app.viewer.notice == "tiles of 1 GSU"


def test_the_pointer_names_its_tile_on_a_field_of_tiles(setup: Setup, start: State) -> None:
    tiled = replace(setup, field=replace(setup.field, cells="hexes"))
    app = opened(tiled, start, ())
    try:
        app.step(0.0)
        Hand(app).point(320, 180)

        (told,) = (text for _, text in app.viewer.status().chart_key)
        assert told.startswith("tiles of 1 GSU; cursor in ")
    finally:
        app.close()
