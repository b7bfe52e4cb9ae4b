"""Heights count from one ground to another, never from map level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of

Build = Callable[..., Battle]

UNITS: tuple[dict[str, Any], ...] = (
    {"at": (40, 40), "members": 6, "files": 3},
    {"at": (100, 100), "members": 4, "files": 4, "formation": "ranked"},
    {"at": (60, 160), "side": "Bob", "members": 8, "files": 4},
    {"at": (100, 140), "side": "Bob", "on_height": 2.0},
    {"at": (150, 60), "side": "Bob", "height": 2, "put": {"taking_cover": 1}},
    {"at": (120, 120), "put": {"posture": 1}},
)
TERRAIN = [
    {"kind": "scrub", "box": (30, 60, 70, 90)},
    {"kind": "wall", "height": 1, "box": (90, 120, 130, 122)},
    {"kind": "tree", "box": (104, 110, 105, 111)},
    {"kind": "hedge", "box": (130, 50, 132, 110)},
]


@pytest.mark.rule("emlia.sight.raster-features")
def test_units_see_each_other_on_a_plateau_as_on_a_plain(field_of_battle: Build) -> None:
    every = np.arange(len(UNITS))
    plain = field_of_battle(*UNITS, terrain=TERRAIN, elevation_m=np.zeros((10, 10)))
    levels = sight_cache_of(plain).levels(every, every)
    assert {0, 1, 2} == set(levels.ravel().tolist())

    for metres in (18.3, -7.32):
        raised = field_of_battle(*UNITS, terrain=TERRAIN, elevation_m=np.full((10, 10), metres))

        assert sight_cache_of(raised).levels(every, every).tolist() == levels.tolist()
