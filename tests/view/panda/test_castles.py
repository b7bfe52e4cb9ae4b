"""Castles as a picture shows them: who stands on a wall, and what the wall is built of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import emlia3d
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Unread
from emlia3d.view.moment.base_heights import lift_m
from emlia3d.view.moment.figures import figures_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.scene import DrawnGround, Patch
from emlia3d.view.panda.land.solids import solids_of

MAP = Path(__file__).parents[3] / "maps" / "castle.toml"
WALL_M, TOWER_M = 2 * 1.83, 4 * 1.83


def test_who_stands_on_a_wall_or_a_tower_is_drawn_on_top_of_it() -> None:
    setup = emlia3d.load(MAP).setup
    battle = emlia3d.load(MAP).battle()
    rows = [setup.unit_of(name) for name in ("bowmen of the hill", "springald", "household")]

    lifts = [lift_m(setup, battle.state, row) for row in rows]
    drawn = figures_of(setup, battle.state).lift_m[battle.state.figures.ints("unit") == rows[0]]

    assert lifts == pytest.approx([WALL_M, TOWER_M, 0.0])
    assert drawn == pytest.approx(WALL_M)


def test_a_wall_that_is_broken_lifts_nobody() -> None:
    battle = emlia3d.load(MAP).battle()
    names = [feature.name for feature in battle.setup.field.features]
    gone = Set(table="feature", row=names.index("east wall"), column="present", value=0)
    battle.happen(Event(facts=Unread(event="broken"), changes=(gone,)))

    assert lift_m(battle.setup, battle.state, battle.setup.unit_of("bowmen of the hill")) == 0


def patch(kind: str, height_m: float) -> DrawnGround:
    ring = np.array([[10.0, 10.0], [40.0, 10.0], [40.0, 16.0], [10.0, 16.0]])
    wall = Patch(kind=kind, outline_m=(ring,), height_m=height_m, seed=3)
    return DrawnGround(
        elevation_m=np.zeros((8, 8), np.float32), size_m=(80.0, 80.0), patches=(wall,)
    )


def test_a_wall_has_battlements_on_its_long_sides_and_a_level_walk() -> None:
    (mesh,) = solids_of(patch("rampart", 4.0))
    places = mesh.vertices["place"].reshape(-1, 3)
    high = places[places[:, 2] > 4.2]

    assert places[:, 2].max() == pytest.approx(5.6)
    assert sorted(set(np.round(high[:, 1].astype(float), 2))) == [10.0, 10.45, 15.55, 16.0]
    assert (high[:, 0].min(), high[:, 0].max()) == pytest.approx((10, 40), abs=1)


def test_nothing_of_a_castle_reaches_beyond_its_outline_by_more_than_a_plank() -> None:
    for kind in ("rampart", "tower", "keep", "gate"):
        (mesh,) = solids_of(patch(kind, 8.0))
        places = mesh.vertices["place"].reshape(-1, 3)
        assert places[:, 0].min() > 9.9
        assert places[:, 1].max() < 16.1


def test_a_castle_is_drawn_as_it_stands_on_the_map() -> None:
    battle = emlia3d.load(MAP).battle()

    kinds = [each.kind for each in terrain_of(battle.setup, battle.state).patches]

    assert (kinds.count("tower"), kinds.count("gate"), kinds.count("keep")) == (4, 1, 1)
