"""The ground that is shown for a move is in one piece, and holds the unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision
from emlia3d.rules.emlia.play.questions.pointing import grounds, reach_of
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
