"""Orders by pointing, for a flyer that walks faster and a unit that has no room to move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Refusal
from emlia3d.force.facing import facing_of_degrees
from emlia3d.rules.emlia.play.movement.legs import plan
from emlia3d.rules.emlia.play.questions.pointing import grounds, order_to
from emlia3d.rules.emlia.play.turn.activation import ask

Build = Callable[..., Battle]
Asked = Callable[..., Decision]

MAN: dict[str, Any] = {"at": (50, 50), "morale": 4, "movement": "20G"}
BLOCK: dict[str, Any] = {**MAN, "members": 8, "files": 4, "formation": "ranked"}
BOB: dict[str, Any] = {"at": (150, 190), "side": "Bob", "facing": 180}


def test_a_flyer_that_walks_faster_reaches_as_far_as_it_walks(field_of_battle: Build) -> None:
    battle = field_of_battle({**MAN, "movement": "20G, 10F"}, BOB)

    first, *more_of_it = grounds(battle, 0, "move")

    assert more_of_it, "the ground is found little by little"
    assert first.bounds == pytest.approx((30, 30, 70, 70), abs=0.7)


@pytest.mark.parametrize("degrees", [0, 90])
def test_a_move_that_has_no_room_at_all_stays_refused_with_a_facing(
    field_of_battle: Build, question: Asked, degrees: int
) -> None:
    ring = [(40, 51.1, 60, 53), (40, 47, 60, 48.9), (46, 49, 47.9, 51), (52.1, 49, 54, 51)]
    terrain = [{"kind": "building", "box": edges, "height": 9} for edges in ring]
    battle = field_of_battle(BLOCK, BOB, terrain=terrain)
    asked = question(battle, ask(battle, 0))

    order = order_to(battle, asked, "move", (54, 58), facing_of_degrees(degrees))

    assert order == order_to(battle, asked, "move", (54, 58), None)
    assert order is not None
    assert isinstance(plan(battle, 0, order, 1), Refusal)
