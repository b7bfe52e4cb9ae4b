"""Chapter 12 as play: whom a flyer meets on its way, by their heights and by where they halt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.allowance import straight
from emlia3d.rules.emlia.play.situation.pose import pose_of

Build = Callable[..., Battle]

BOB: dict[str, Any] = {"at": (10, 190), "side": "Bob", "facing": 180}


@pytest.mark.rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(
    ("height", "altitude", "far", "ended"),
    [
        # A giant 8 high passes over what is no higher than 2, on the ground as in the air.
        (2, 0, 20, ""),
        (2.1, 0, 9, "obstacle"),
        (8, 0, 9, "obstacle"),
        (3, 2.9, 9, "obstacle"),
        (3, 3, 20, ""),
        (3, 3.1, 20, ""),
    ],
)
def test_a_flyer_is_stopped_by_those_who_are_too_high_for_it(
    field_of_battle: Build, height: float, altitude: float, far: float, ended: str
) -> None:
    giant = {
        "front": (100, 100), "size": 8, "height": 8, "movement": "20F", "formation": "close",
        "put": {"on_height": altitude},
    }  # fmt: skip
    other = {"front": (100, 110), "height": height, "formation": "close"}
    battle = field_of_battle(giant, other, BOB)

    run = straight(battle, 0, pose_of(battle, 0), 0, 20)

    assert run.distance == pytest.approx(far, abs=0.02)
    assert run.cost == pytest.approx(far, abs=0.02)
    assert run.blocked_by == ended


@pytest.mark.parametrize(
    ("facing", "budget", "far", "cost", "ended"),
    [
        (0, 30, 20, 20, ""),
        (0, 20, 20, 20, ""),
        (0, 12, 12, 12, "movement"),
        # A close flyer goes at half speed where it does not face.
        (90, 30, 15, 30, "movement"),
        (90, 40, 20, 40, ""),
    ],
)
def test_a_flight_lasts_as_long_as_its_movement(
    field_of_battle: Build, facing: float, budget: float, far: float, cost: float, ended: str
) -> None:
    birds = {
        "at": (100, 100), "members": 4, "files": 2, "movement": "20F", "formation": "close",
        "facing": facing,
    }  # fmt: skip
    battle = field_of_battle(birds, BOB)

    run = straight(battle, 0, pose_of(battle, 0), 0, 20, budget)

    assert run.distance == pytest.approx(far, abs=0.01)
    assert run.cost == pytest.approx(cost, abs=0.02)
    assert run.blocked_by == ended
