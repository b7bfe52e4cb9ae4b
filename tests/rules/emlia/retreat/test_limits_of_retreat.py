"""Chapter 21.6 at its limits: slow units, the edge of the field, and places that others take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.losses import Joined
from emlia3d.rules.emlia.play.retreat import fallback_goals
from emlia3d.rules.emlia.play.retreat.compulsion import is_compelled, obey
from emlia3d.rules.emlia.play.retreat.leave_skirmish import slip_out_options
from emlia3d.rules.emlia.play.retreat.retreat_path import flight
from tests.made_up import made_up
from tests.rules.emlia.outcome import names
from tests.rules.emlia.shoving import pushed, ranked, theirs

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
FOE: dict[str, Any] = {"at": (100, 190), "side": "Bob", "facing": 180}


def man(x: float, y: float, morale: int = -1, **more: Any) -> dict[str, Any]:
    return {"at": (x, y), "put": {"morale": morale}, **more}


@pytest.mark.rule("emlia.morale.lines", "emlia.form.close.turn")
@pytest.mark.parametrize(
    ("y", "speed", "leaves"),
    [(0.7, "2G", False), (0.7, "2.5G", True), (0.7, "3G", True), (2.0, "2.5G", False)],
)
def test_a_close_unit_leaves_with_what_its_turn_of_2_gsu_has_left_it(
    field_of_battle: Build, y: float, speed: str, leaves: bool
) -> None:
    """It looks away from its lines in the south; half a GSU of it is before its middle."""
    pair = {"members": 2, "files": 2, "formation": "close"}
    battle = field_of_battle(man(100, y, movement=speed, **pair), FOE)

    assert flight(battle, 0, 1, routed=False)[1] is leaves


@pytest.mark.rule("emlia.morale.lines", "emlia.move.leave")
@pytest.mark.parametrize(("beyond", "leaves"), [(0.5, True), (-0.1, False)])
@pytest.mark.parametrize("routed", [True, False])
def test_a_unit_leaves_where_a_rock_stops_it_only_beyond_the_edge(
    field_of_battle: Build, beyond: float, leaves: bool, routed: bool
) -> None:
    rock = {"kind": "rock", "box": (80, -3, 120, -beyond)}
    battle = field_of_battle(man(100, 0.7, facing=180, formation="close"), FOE, terrain=[rock])

    assert flight(battle, 0, 1, routed)[1] is leaves


@pytest.mark.rule("emlia.morale.routed")
def test_a_routed_unit_ends_before_a_friend_that_stands_where_its_way_ends(
    field_of_battle: Build,
) -> None:
    line = {"at": (100, 70), "members": 40, "files": 40, "formation": "ranked"}
    battle = field_of_battle(man(100, 100, -7, facing=180), FOE, line)

    end, _ = flight(battle, 0, 2, routed=True)

    assert end.middle == pytest.approx((100, 71))


@pytest.mark.rule("emlia.morale.routed")
def test_a_routed_unit_before_a_deep_crowd_goes_the_little_way_that_is_free(
    field_of_battle: Build,
) -> None:
    crowd = {
        "at": (100, 79.3), "members": 300, "files": 30, "formation": "ranked", "size": 64,
    }  # fmt: skip
    battle = field_of_battle(man(100, 101, -7, facing=180, movement="14.95G"), FOE, crowd)

    end, _ = flight(battle, 0, 2, routed=True)

    # Of 29.9 GSU it tries 29 places.
    assert 101 - end.middle[1] == pytest.approx(29.9 / 29, abs=0.01)


@pytest.mark.rule("emlia.morale.routed")
def test_a_routed_unit_without_a_way_home_stays_and_seeks_no_friend(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "building", "box": (0, 80, 200, 84)}
    foe = {**FOE, "at": (100, 20)}
    friend = {"at": (100, 120)}
    routed, falling = (
        field_of_battle(man(100, 84.5, morale), foe, friend, terrain=[wall]) for morale in (-7, -1)
    )

    assert play(routed, obey(routed, 0)) == []
    assert names(play(falling, obey(falling, 0))) == ["fell back"]


@pytest.mark.rule("emlia.morale.falling-back")
@pytest.mark.parametrize(("speed", "goes"), [("1G", True), ("0.9G", False)])
def test_a_slow_unit_is_compelled_and_goes_to_a_friend_if_it_gets_a_gsu(
    field_of_battle: Build, speed: str, goes: bool
) -> None:
    battle = field_of_battle(man(100, 100, movement=speed, formation="open"), FOE, man(150, 100))

    assert is_compelled(battle, 0)
    assert (fallback_goals.friend_for(battle, 0, 2) is not None) is goes


@pytest.mark.rule("emlia.morale.not-closer", "emlia.skirmish.leave")
@pytest.mark.parametrize(("morale", "north"), [(0, False), (2, True)])
def test_a_shaken_unit_leaves_no_skirmish_towards_another_enemy(
    field_of_battle: Build, morale: int, north: bool
) -> None:
    """It has joined its friend, 2.5 GSU from the enemy; 1.5 GSU beyond its way waits another."""
    battle = field_of_battle(
        man(102.25, 100, morale),
        man(104, 100, 2),
        {"at": (105.75, 100), "side": "Bob"},
        {"at": (102.25, 118), "side": "Bob"},
    )
    joined = Pair(column="joined", a=0, b=1, value=1)
    battle.happen(Event(facts=made_up(Joined), changes=(joined,)))

    ways = {order.number for order in slip_out_options(battle, 0)}

    assert ways >= {180, 270}
    assert (0 in ways) is north


@pytest.mark.rule("emlia.forced.into-friend")
@pytest.mark.parametrize(
    ("files", "front"),
    [(4, (100, 104.0625)), (4, (104, 103)), (4, (96, 103))],
    ids=["just behind where it ends", "to its right", "to its left"],
)
def test_a_unit_that_ends_beside_a_friend_is_not_forced_into_it(
    field_of_battle: Build, play: Play, files: int, front: tuple[float, float]
) -> None:
    """It is pushed 2 GSU back: its rear, from 98 to 102, from 102 to 104."""
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 1, (100, 101)), theirs(files, 2, front)
    )

    events = pushed(battle, play, [(0, 1, 2)], ["give-way", "stand"])

    assert "pushed back" in names(events)
    assert not {"forced into a friend", "drawn into the fight"} & set(names(events))
