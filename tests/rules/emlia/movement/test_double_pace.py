"""Chapter 11 as play: the second part of a Double Pace, which may be any other move action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.rules.emlia.actions import ActionType
from emlia3d.rules.emlia.play.acting.actions import may_take
from emlia3d.rules.emlia.play.turn.activation import activate, options_of

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
ALICE: dict[str, Any] = {"at": (50, 50), "skills": {"leadership": "3", "aimed fire": "5"}}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
WALL: dict[str, Any] = {"kind": "wall", "box": (40, 62, 60, 64)}


def ahead(distance: float, start: float = 50.5) -> Order:
    leg = Leg(step="march", x=50, y=start + distance, facing=0)
    return Order(verb="move", unit=0, legs=(leg,))


@pytest.mark.rule("emlia.move.double-pace.second")
@pytest.mark.parametrize(
    ("second", "column"), [("drop-down", "posture"), ("take-cover", "taking_cover")]
)
def test_after_a_normal_move_comes_another_move_action_at_double_pace(
    second: str, column: str, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ALICE, BOB, terrain=[WALL])

    told = play(battle, activate(battle, 0), answers=[ahead(10), second, "done"])

    assert battle.state.units.value(column, 0) == 1
    assert battle.state.units.value("double_paced", 0) == 1
    assert "emlia.move.double-pace.second" in {slug for e in told for slug in e.because}


@pytest.mark.rule("emlia.move.double-pace.second")
def test_the_order_of_the_two_is_free(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({**ALICE, "states": ["prone"]}, BOB)

    play(battle, activate(battle, 0), answers=["stand-up", ahead(15), "done"])

    units = battle.state.units
    assert (units.value("posture", 0), units.value("double_paced", 0)) == (0, 1)
    assert units.value("y", 0) == 65.5


@pytest.mark.rule("emlia.move.double-pace")
@pytest.mark.rule("emlia.move.double-pace.second")
def test_two_normal_moves_one_after_the_other_are_a_double_pace_and_there_is_no_third(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ALICE, BOB)

    play(battle, activate(battle, 0), answers=[ahead(15), ahead(15, 65.5), ...])

    assert battle.state.units.value("y", 0) == 80.5
    assert battle.state.units.value("double_paced", 0) == 1
    assert may_take(battle, 0, "normal move", ActionType.MOVE) is not None


@pytest.mark.rule("emlia.move.double-pace.second")
def test_one_of_the_two_is_a_normal_move(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ALICE, BOB, terrain=[{**WALL, "box": (40, 52, 60, 54)}])
    offered: list[set[str]] = []

    def looked(decision: Any) -> Order:
        offered.append({order.verb for order in decision.options})
        return decision.options[-1]

    play(battle, activate(battle, 0), answers=["drop-down", lambda d: done(looked, d)])

    assert "move" in offered[0]
    assert not offered[0] & {"stand-up", "take-cover", "double-pace", "improve-morale"}


def done(looked: Callable[[Any], Order], decision: Any) -> Order:
    looked(decision)
    return Order(verb="done", unit=0)


@pytest.mark.rule("emlia.move.double-pace.second")
def test_its_own_check_suffers_from_the_double_pace(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({**ALICE, "put": {"morale": 1}}, BOB)

    told = play(
        battle, activate(battle, 0), [12, 12, 12], answers=[ahead(15), "improve-morale", ...]
    )

    event = next(e for e in told if "emlia.lead.improve" in e.because)
    assert "emlia.skill.total-modifier.double-paced" in event.because


@pytest.mark.rule("emlia.move.double-pace")
def test_after_a_check_there_is_no_second_part(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({**ALICE, "put": {"free_used": 1, "move_used": 1, "moved": 1}}, BOB)

    assert may_take(battle, 0, "drop down", ActionType.MOVE) is not None
    assert all(order.verb not in {"move", "drop-down"} for order in options_of(battle, 0))
