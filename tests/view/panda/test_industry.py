"""Storage tanks and works: as many as there is room for, inside their outline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import shapely

from emlia3d.scenario import load
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.scene import Patch, flat
from emlia3d.view.panda.land.bricks import ROOTED_M, Floats
from emlia3d.view.panda.land.solids import solids_of

MAPS = Path(__file__).parents[3] / "maps"
RING = np.array([[10.0, 10.0], [34.0, 10.0], [34.0, 18.0], [10.0, 18.0]])


def vertices(kind: str, ring: Floats = RING, height_m: float = 5.0) -> Floats:
    patch = Patch(kind=kind, outline_m=(ring,), height_m=height_m, seed=5)
    (body,) = solids_of(flat((50.0, 40.0), (patch,)))
    return np.asarray(body.vertices["place"], dtype=np.float64)


def test_three_tanks_stand_in_a_row_that_is_three_times_as_long_as_wide() -> None:
    place = vertices("storage-tank")

    tops = np.unique(place[place[:, 2] > 5.5].round(3), axis=0)
    assert tops.round(1).tolist() == [[14.0, 14.0, 5.6], [22.0, 14.0, 5.6], [30.0, 14.0, 5.6]]
    assert shapely.contains_xy(shapely.Polygon(RING), place[:, 0], place[:, 1]).all()
    assert place[:, 2].min() == -np.float32(ROOTED_M)


def test_one_tank_fills_a_tile() -> None:
    turn = np.arange(6) * np.pi / 3
    tile = np.column_stack((20 + 3.5 * np.sin(turn), 20 + 3.5 * np.cos(turn)))

    place = vertices("storage-tank", tile)

    off = np.hypot(place[:, 0] - 20, place[:, 1] - 20)
    assert 2.3 < off.max() < 3.03, "a tile is 3.03 m from its middle to an edge"


def test_a_chimney_stands_beside_the_hall_of_works_and_is_twice_as_high() -> None:
    place = vertices("works")

    hall, chimney = (place[keep] for keep in (place[:, 0] < 27, place[:, 0] > 28))
    assert hall[:, 2].max() == 5.0
    assert np.isclose(chimney[:, 2].max(), 10.5)
    assert np.ptp(chimney[:, :2], axis=0).max() < 2
    assert len(np.unique(hall[hall[:, 2] > 4.9].round(2), axis=0)) > 8, "the roof has teeth"
    assert shapely.contains_xy(shapely.Polygon(RING), place[:, 0], place[:, 1]).all()


def test_the_refinery_has_tanks_and_works() -> None:
    battle = load(MAPS / "refinery.toml").battle(seed=1)

    kinds = {patch.name: patch.kind for patch in terrain_of(battle.setup, battle.state).patches}

    assert (kinds["tank farm"], kinds["pump house"]) == ("storage-tank", "works")
