"""Chapter 11 as play: over which edges a unit may leave, and which of them is its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.movement.leaving import EDGES, LeaveValidator, is_home, may_leave

Build = Callable[..., Battle]

SIZE = (100.0, 80.0)
MAN: dict[str, Any] = {"movement": "15G", "morale": 4}
BLOCK: dict[str, Any] = {**MAN, "members": 8, "files": 4, "formation": "ranked"}
LINE: dict[str, Any] = {**MAN, "members": 4, "files": 4, "formation": "open"}
BOB: dict[str, Any] = {"at": (50, 40), "side": "Bob"}


def edges(battle: Battle) -> list[str]:
    return [edge for edge in EDGES if may_leave(battle, 0, edge) is None]


@pytest.mark.rule("emlia.move.leave")
@pytest.mark.parametrize(
    ("unit", "at", "expected"),
    [
        # A man of 1 GSU goes 15 from where his boundary is.
        (MAN, (50, 64.5), ["north"]),
        (MAN, (50, 64.4), []),
        (MAN, (84.5, 30), ["east"]),
        (MAN, (84.4, 30), []),
        (MAN, (50, 15.5), ["south"]),
        (MAN, (50, 15.6), []),
        (MAN, (15.5, 30), ["west"]),
        (MAN, (15.6, 30), []),
        (MAN, (10, 10), ["south", "west"]),
        ({**MAN, "movement": "1G"}, (50, 79), ["north"]),
        ({**MAN, "movement": "1G"}, (50, 78.5), ["north"]),
        ({**MAN, "movement": "1G"}, (50, 78.4), []),
        ({**MAN, "put": {"move_used": 1}}, (10, 10), []),
        ({**MAN, "put": {"speed_share": 0.0}}, (10, 10), []),
        ({**MAN, "put": {"speed_share": 0.0}}, (50, 0.5), []),
        # A block of 4 by 2 faces north: ahead at full speed, back and aside at half of it, or
        # with a turn, which costs 3.75 for each 90 degrees.
        (BLOCK, (50, 64.1), ["north"]),
        (BLOCK, (50, 63.9), []),
        (BLOCK, (50, 8.4), ["south"]),
        (BLOCK, (50, 8.6), []),
        (BLOCK, (13.2, 30), ["west"]),
        (BLOCK, (13.3, 30), []),
        (BLOCK, (86.8, 30), ["east"]),
        (BLOCK, (86.7, 30), []),
        # Askew it turns before it goes.
        ({**BLOCK, "facing": 315}, (12.2, 30), ["west"]),
        ({**BLOCK, "facing": 315}, (50, 69.8), ["north"]),
        ({**BLOCK, "facing": 315}, (50, 67.6), []),
        # A line of 10 by 1 in open formation leaves as it faces, and does not turn away first.
        ({**LINE, "facing": 45}, (50, 62.5), ["north"]),
        ({**LINE, "facing": 0}, (50, 62.5), []),
    ],
)
def test_a_unit_leaves_over_an_edge_to_which_one_move_leads(
    field_of_battle: Build, unit: dict[str, Any], at: tuple[float, float], expected: list[str]
) -> None:
    battle = field_of_battle({**unit, "at": at}, BOB, size=SIZE)

    assert edges(battle) == expected


@pytest.mark.parametrize(
    ("order", "may"),
    [
        (Order(verb="leave-field", unit=0, number=2), True),
        (Order(verb="leave-field", unit=0, number=0), False),
        (Order(verb="leave-field", unit=0, number=4), False),
        (Order(verb="leave-field", unit=0, number=-2), False),
        (Order(verb="leave-field", unit=0), False),
        (Order(verb="leave-field", unit=1, number=2), False),
        (Order(verb="move", unit=0, number=2), False),
    ],
)
def test_only_an_edge_in_reach_is_a_way_off(
    field_of_battle: Build, order: Order, may: bool
) -> None:
    battle = field_of_battle({**MAN, "at": (50, 10)}, BOB, size=SIZE)

    assert (LeaveValidator(battle, 0).refusal(order) is None) == may


@pytest.mark.rule("emlia.scenario.own-lines")
@pytest.mark.parametrize(
    ("lines", "home"),
    [
        ("north", ["north"]),
        ("west", ["west"]),
        ((50.0, 90.0), ["north"]),
        ((50.0, 80.0), []),
        ((110.0, 40.0), ["east"]),
        ((100.0, 40.0), []),
        ((50.0, -1.0), ["south"]),
        ((50.0, 0.0), []),
        ((-1.0, 40.0), ["west"]),
        ((0.0, 40.0), []),
        ((120.0, 95.0), ["north", "east"]),
        ((40.0, 30.0), []),
    ],
)
def test_a_units_own_edge_is_that_of_its_lines_or_before_them(
    field_of_battle: Build, lines: Any, home: list[str]
) -> None:
    battle = field_of_battle({**MAN, "at": (50, 10), "lines": lines}, BOB, size=SIZE)

    assert [edge for edge in EDGES if is_home(battle, 0, edge)] == home
