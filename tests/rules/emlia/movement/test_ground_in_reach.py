"""The ground that is shown for a move is in one piece, and holds the unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision
from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.rules.emlia.play.movement.reachable_area import extents
from emlia3d.rules.emlia.play.questions.pointing import grounds, reach_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.turn.activation import ask

GIANT: dict[str, Any] = {"at": (100, 100), "size": 8, "height": 8, "movement": "30G"}
RANK: dict[str, Any] = {"side": "Bob", "facing": 180, "at": (100, 118), "members": 90, "files": 90}


def test_beyond_a_row_of_men_the_ground_is_left_out(
    field_of_battle: Callable[..., Battle], question: Callable[..., Decision]
) -> None:
    # A giant steps over men, but does not halt on them; their row parts the ground.
    battle = field_of_battle(GIANT, {**RANK, "formation": "ranked"})
    *_, ground = grounds(battle, 0)

    shown = shapely.Polygon(reach_of(battle, question(battle, ask(battle, 0)), "move"))

    parts = shapely.get_parts(ground)
    assert len(parts) > 1
    assert shown.covers(shapely.Point(100, 100))
    assert shown.area > 0.99 * max(part.area for part in parts)
    assert not shown.intersects(shapely.Point(100, 127))


@pytest.mark.parametrize("degrees", [0, 37])
@pytest.mark.parametrize(
    ("formation", "budget", "inside", "outside"),
    [
        # A quarter turn costs 3.75 of 15 GSU; aside and back a ranked unit goes at half its speed.
        (
            "ranked", 3.0,
            [(0, 2.9), (1.4, 0), (-1.4, 0), (0, -1.4)],
            [(0, 3.1), (1.6, 0), (-1.6, 0), (0, -1.6), (0.8, 0.8), (-0.8, -0.8)],
        ),
        # A quarter turn costs 1 GSU in close formation, and turned it may go any way.
        (
            "close", 0.5,
            [(0, 0.45), (0.23, 0), (-0.23, 0), (0, -0.23), (0.1, 0.1), (-0.1, -0.1)],
            [(0, 0.55), (0.3, 0), (-0.3, 0), (0, -0.3)],
        ),
    ],
)  # fmt: skip
def test_a_line_with_too_little_left_to_turn_goes_aside_as_it_faces(
    field_of_battle: Callable[..., Battle],
    degrees: int,
    formation: str,
    budget: float,
    inside: list[tuple[float, float]],
    outside: list[tuple[float, float]],
) -> None:
    line = {"at": (100, 100), "facing": degrees, "members": 10, "files": 10}
    battle = field_of_battle({**line, "formation": formation})

    ground = next(extents(battle, 0, budget))

    east, north = unit_vector(facing_of_degrees(degrees))
    (x, y), covers = pose_of(battle, 0).middle, []
    for right, ahead in (*inside, *outside):
        place = x + right * north + ahead * east, y - right * east + ahead * north
        covers.append(ground.covers(shapely.Point(place)))
    assert covers == [True] * len(inside) + [False] * len(outside)
