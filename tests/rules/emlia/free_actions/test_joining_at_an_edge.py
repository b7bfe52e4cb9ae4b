"""Units that join where a formation would reach over the edge of the field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.free_actions import joining
from emlia3d.rules.emlia.play.situation.parts import parts_of
from emlia3d.rules.emlia.play.situation.pose import pose_of

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.lead.join")
@pytest.mark.parametrize(("y", "joined"), [(46, "close"), (1.25, "ranked")])
def test_joined_units_take_no_formation_that_reaches_over_the_edge(
    field_of_battle: Build, play: Play, y: float, joined: str
) -> None:
    """Each has room in two ranks of three; together, in four ranks, they have none."""
    officer = {"at": (60, y + 4), "skills": {"leadership": "3"}, "army_value": 2}
    ranks = {"members": 6, "files": 3, "formation": "ranked"}
    near = [{**ranks, "at": (60, y)}, {**ranks, "at": (64, y)}]
    foe = {"at": (60, 190), "side": "Bob", "facing": 180}
    battle = field_of_battle(officer, *near, foe)

    order = Order(verb="join-units", unit=0, target=1, number=2)
    play(battle, joining.join(battle, 0, order), dice=[12, 1, 1], answers=["choose-leader"])

    assert parts_of(battle, 2) == (2, 1)
    assert pose_of(battle, 2).drill.formation is Formation[joined.upper()]
