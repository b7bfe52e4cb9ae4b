"""Where a unit that leaves its skirmish starts and ends, and what keeps it there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.losses import Joined
from emlia3d.rules.emlia.play.retreat.leave_skirmish import slip_out_options, way_out
from emlia3d.rules.emlia.play.situation.contact import skirmish_of
from tests.made_up import made_up

Build = Callable[..., Battle]

pytestmark = pytest.mark.rule("emlia.skirmish.leave")


def man(x: float, y: float, side: str = "Alice", **more: Any) -> dict[str, Any]:
    return {"at": (x, y), "side": side, **more}


def joined(battle: Battle) -> Battle:
    """The battle after unit 2 has joined the skirmish of unit 0."""
    changes = (Pair(column="joined", a=2, b=0, value=1),)
    battle.happen(Event(facts=made_up(Joined), changes=changes))
    assert skirmish_of(battle, 0) == (0, 1, 2)
    return battle


def end_of(battle: Battle, degrees: int) -> tuple[float, float] | None:
    way = way_out(battle, 0, degrees)
    if way is None:
        return None
    x, y = way[1].middle
    return round(x, 1), round(y, 1)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(0, (100, 115)), (270, (85, 100)), (180, (100, 85)), (90, (117, 100))],
)
def test_a_man_ends_a_normal_move_from_the_edge_of_the_boundary(
    field_of_battle: Build, degrees: int, expected: tuple[float, float]
) -> None:
    battle = field_of_battle(man(100, 100), man(102, 100, "Bob"))

    assert end_of(battle, degrees) == pytest.approx(expected, abs=0.11)


def test_the_edge_of_the_field_cuts_the_way_short(field_of_battle: Build) -> None:
    battle = field_of_battle(man(8, 100), man(10, 100, "Bob"))

    assert end_of(battle, 270) == pytest.approx((0.5, 100), abs=0.1)


def test_a_way_that_ends_in_reach_of_an_enemy_is_none(field_of_battle: Build) -> None:
    units = man(100, 100), man(102, 100, "Bob")

    near = field_of_battle(*units, man(85, 101.9, "Bob"))
    far = field_of_battle(*units, man(85, 102.2, "Bob"))

    assert end_of(near, 270) is None
    assert end_of(far, 270) == pytest.approx((85, 100), abs=0.1)


def test_a_way_that_ends_on_a_friend_is_none(field_of_battle: Build) -> None:
    wall = {"kind": "building", "box": (90, 90, 97.4, 110), "height": 5}
    units = man(100, 100), man(102, 100, "Bob"), man(98.2, 100)

    assert end_of(joined(field_of_battle(*units)), 270) == pytest.approx((83.2, 100), abs=0.1)
    assert end_of(joined(field_of_battle(*units, terrain=[wall])), 270) is None


def test_a_unit_that_turns_for_all_its_movement_leaves_no_skirmish(field_of_battle: Build) -> None:
    close = {"members": 2, "files": 2, "formation": "close"}
    quick, slow = (
        field_of_battle(man(100, 100, movement=speed, **close), man(102.5, 100, "Bob"))
        for speed in ("24G", "2G")
    )

    assert end_of(quick, 180) is not None
    assert end_of(slow, 180) is None


@pytest.mark.parametrize(("speed", "leaves"), [("2G", False), ("2.25G", True)])
def test_a_unit_whose_turn_takes_exactly_its_movement_has_no_way_out(
    field_of_battle: Build, speed: str, leaves: bool
) -> None:
    """In close formation it turns by 180 degrees for 2 GSU, between two columns of its friends."""
    column = {"members": 7, "files": 1, "formation": "close"}
    battle = field_of_battle(
        man(100, 100, movement=speed, members=2, files=2, formation="close"),
        man(100, 101.75, "Bob"),
        man(97.5, 97, **column),
        man(102.5, 97, **column),
    )
    for friend in (2, 3):
        changes = (Pair(column="joined", a=friend, b=0, value=1),)
        battle.happen(Event(facts=made_up(Joined), changes=changes))
    assert skirmish_of(battle, 0) == (0, 1, 2, 3)

    assert (way_out(battle, 0, 180) is not None) is leaves


def test_a_way_out_is_a_normal_move_that_is_left(field_of_battle: Build) -> None:
    units = man(100, 100), man(102, 100, "Bob")

    fresh = field_of_battle(*units)
    tired = field_of_battle(man(100, 100, put={"move_used": 1}), units[1])

    assert [order.number for order in slip_out_options(fresh, 0)] == [*range(0, 360, 45)]
    assert [*slip_out_options(tired, 0)] == []
    assert [*slip_out_options(field_of_battle(man(100, 100), man(150, 100, "Bob")), 0)] == []
