"""Ruins: walls of ragged height inside the outline, with gaps and rubble."""

from __future__ import annotations

import numpy as np
import shapely

from emlia3d.scenario import load
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.scene import Patch, flat
from emlia3d.view.panda.land.bricks import ROOTED_M
from emlia3d.view.panda.land.placing import place_all
from emlia3d.view.panda.land.solids import solids_of

RING = np.array([[10.0, 10.0], [34.0, 10.0], [34.0, 26.0], [10.0, 26.0]])
RUIN = Patch(kind="ruin", outline_m=(RING,), height_m=3.0, seed=5)


def test_walls_of_a_ruin_are_ragged_and_stand_inside_its_outline() -> None:
    (walls,) = solids_of(flat((50.0, 40.0), (RUIN,)))

    place = walls.vertices["place"].astype(float)
    tops = np.unique(place[place[:, 2] > 0, 2].round(2))
    assert shapely.contains_xy(shapely.Polygon(RING), place[:, 0], place[:, 1]).all()
    assert place[:, 2].min() == -np.float32(ROOTED_M)
    assert 2.0 < place[:, 2].max() < 3.0 * 1.4
    assert len(tops) > 20, "no long edge is level"
    assert tops.min() < 0.5, "some of it is down"


def test_rubble_lies_within_the_walls_of_a_ruin() -> None:
    (props,) = place_all(flat((50.0, 40.0), (RUIN,))).values()

    inside = shapely.contains_xy(shapely.Polygon(RING), props.rows[:, 0], props.rows[:, 1])
    assert props.name == "rock"
    assert len(props) > 20
    assert inside.all()
    assert props.heights().max() < 0.5


def test_ruins_of_every_system_are_drawn_as_ruins() -> None:
    battle = load("refinery").battle(seed=1)

    patches = terrain_of(battle.setup, battle.state).patches

    assert {patch.kind for patch in patches if "ruin" in patch.name} == {"ruin"}
