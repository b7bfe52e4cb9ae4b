"""Units that are forced into friends or enemies: what it costs, and whose they are then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Stand
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Side
from emlia3d.force import Formation
from emlia3d.force.formation import GRID
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.situation.parts import on_field, parts_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from tests.made_up import made_up
from tests.rules.emlia.outcome import told
from tests.rules.emlia.shoving import pushed, ranked, score, theirs, two_lines

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.forced.into-friend", "emlia.forced.into-friend.space")
@pytest.mark.rule("emlia.morale.neg.forced-into-friend", "emlia.morale.neg.friend-forced-into")
@pytest.mark.rule("emlia.morale.pos.forced-enemy-into-enemy")
def test_a_unit_forced_into_a_friend_costs_both_their_formation_their_order_and_heart(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 1, (100, 100), morale=2),
        theirs(4, 1, (100, 101), morale=2),
        theirs(4, 1, (100, 103), morale=2),
    )
    score(battle, [(0, 1, 5)])

    play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    units = battle.state.units
    assert units.ints("morale")[:3].tolist() == [3, 1, 1]
    assert units.ints("disordered")[:3].tolist() == [0, 1, 1]
    formations = [Formation.RANKED, Formation.OPEN, Formation.OPEN]
    assert units.ints("formation")[:3].tolist() == formations
    rear = pose_of(battle, 1).outline.bounds[1]
    assert rear == pytest.approx(102, abs=0.01), "it does not spread back towards the pusher"
    west, _, east, _ = situation_of(battle).outline(1).bounds
    assert (west, east) == pytest.approx((95, 105), abs=0.05), "and as far to either side"


@pytest.mark.rule("emlia.forced.into-friend", "emlia.mixed.timing-midturn")
def test_units_forced_into_each_other_are_one_mixed_unit_when_their_morale_is_settled(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 1, (100, 100)),
        theirs(4, 1, (100, 101), morale=4, put={"activated": 1}),
        theirs(4, 2, (100, 103), morale=1),
        theirs(4, 1, (160, 103)),
    )
    score(battle, [(0, 1, 5)])

    events = play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    units = battle.state.units
    (one,) = told(events, "ran together")
    assert (one.unit, one.target) == (2, 1)
    assert on_field(battle) == [0, 2, 3]
    assert parts_of(battle, 2) == (2, 1)
    # Each lost a point first: 3 and 0, and the higher of them less one.
    assert units.integer("morale", 2) == 2
    assert units.value("disordered", 2)
    assert units.value("activated", 2)


@pytest.mark.rule("emlia.forced.into-friend", "emlia.forced.simultaneous")
def test_a_unit_is_forced_into_a_friend_while_a_skirmish_elsewhere_shifts(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        {"at": (20, 100), "hits": 9},
        {"at": (22, 100), "side": "Bob", "hits": 9},
        ranked(4, 1, (100, 100)),
        theirs(4, 1, (100, 101)),
        theirs(4, 1, (100, 103)),
    )
    shift = {"attacker": 0, "subject": 1, "successes": 2, "shift": 1}
    battle.happen(Event(facts=made_up(Struck), changes=(Append(table="push", row=shift),)))
    north = Order(verb="shift", unit=0, number=0)

    events = pushed(battle, play, [(2, 3, 5)], [north, "give-way", "stand"])

    assert [event.unit for event in told(events, "forced into a friend")] == [3]


@pytest.mark.rule("emlia.forced.into-friend")
def test_allies_who_are_forced_into_each_other_stay_two_units(
    field_of_battle: Build, play: Play
) -> None:
    sides = (
        Side(name="Alice", colour="#000000"),
        Side(name="Bob", colour="#ffffff", lines="north", allies=("Carol",)),
        Side(name="Carol", colour="#777777", lines="north"),
    )
    battle = field_of_battle(
        ranked(4, 1, (100, 100)),
        theirs(4, 1, (100, 101)),
        ranked(4, 1, (100, 103), 180, side="Carol"),
        sides=sides, order=(12, 6, 1),
    )  # fmt: skip
    score(battle, [(0, 1, 5)])

    events = play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    assert told(events, "forced into a friend")
    assert on_field(battle) == [0, 1, 2]


@pytest.mark.rule("emlia.forced.into-friend")
def test_two_friends_forced_into_each_other_lose_one_point_of_morale_each(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(2, 1, (100, 100)),
        theirs(2, 2, (100, 101), morale=3),
        theirs(2, 2, (100, 106), 0, morale=3),
        ranked(2, 1, (100, 107), 180),
    )
    score(battle, [(0, 1, 2), (3, 2, 2)])

    play(battle, phase.resolve(battle), answers=["give-way", "give-way", "stand", "stand"])

    assert battle.state.units.ints("morale").tolist()[1:3] == [2, 2]


@pytest.mark.rule("emlia.forced.into-friend")
def test_a_friend_whom_the_push_does_not_reach_is_left_alone(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 1, (100, 100)), theirs(4, 1, (100, 101)), theirs(4, 1, (100, 105))
    )
    outlook = MoraleInputs(battle)

    pushed(battle, play, [(0, 1, 2)], ["give-way", "stand"], outlook)

    assert outlook.forced_into_friend == set()
    assert battle.state.units.ints("formation")[1:3].tolist() == [Formation.RANKED] * 2


def before_an_enemy(field_of_battle: Build, **more: Any) -> Battle:
    """Alice's line, Bob's before it, and 4 GSU behind that another of Alice's, facing it."""
    return field_of_battle(
        ranked(4, 2, (100, 100)),
        theirs(4, 2, (100, 101), morale=5, hits=99),
        ranked(4, 3, (100, 107), 180, **more),
    )


@pytest.mark.rule("emlia.forced.into-enemy", "emlia.morale.neg.forced-into-enemy")
@pytest.mark.rule("emlia.morale.pos.forced-enemy-into-friend", "emlia.morale.pos.enemy-forced-into")
@pytest.mark.parametrize(("disordered", "gains"), [(0, 1), (1, 0)])
def test_a_unit_forced_into_an_enemy_s_reach_loses_four_and_keeps_its_formation(
    field_of_battle: Build, play: Play, disordered: int, gains: int
) -> None:
    battle = before_an_enemy(field_of_battle, put={"disordered": disordered})
    score(battle, [(0, 1, 3)])

    play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    assert battle.state.units.ints("morale")[:3].tolist() == [2 + gains, 1, 2 + gains]
    assert battle.state.units.integer("formation", 1) == Formation.RANKED


@pytest.mark.rule("emlia.forced.into-enemy")
def test_being_pushed_is_not_being_forced_into_the_pusher(
    field_of_battle: Build, play: Play
) -> None:
    battle = two_lines(field_of_battle)
    outlook = MoraleInputs(battle)

    pushed(battle, play, [(0, 1, 3)], ["give-way", "follow-up"], outlook)

    assert outlook.forced_into_enemy == set()


@pytest.mark.rule("emlia.press.into-enemy")
def test_an_enemy_block_into_which_a_unit_is_pushed_presses_it_too(
    field_of_battle: Build, play: Play
) -> None:
    battle = before_an_enemy(field_of_battle)

    events = pushed(battle, play, [(0, 1, 3)], ["give-way", "stand"])

    presses = [(event.unit, event.target, event.facts.hits) for event in told(events, "pressed")]
    # Four files reach four men, two ranks deep: 4 behind the pusher, 8 behind the block met.
    assert presses == [(0, 1, 4), (2, 1, 8)]


@pytest.mark.rule("emlia.forced.into-friend")
@pytest.mark.parametrize(("y", "collides"), [(102.0, False), (103.5, True), (106.0, False)])
def test_a_friend_among_whom_a_unit_stood_before_is_not_one_it_is_forced_into(
    field_of_battle: Build, play: Play, y: float, collides: bool
) -> None:
    """Open units may mingle; the friend stands among the pushed, beyond it, or out of its way."""
    crowd = {"side": "Bob", "members": 4, "files": 4, "formation": "open", "hits": 9}
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), {**crowd, "at": (100, 101.4)}, {**crowd, "at": (101.5, y)}
    )

    events = pushed(battle, play, [(0, 1, 2)], ["stand"])

    assert bool(told(events, "forced into a friend")) is collides


@pytest.mark.rule("emlia.forced.into-friend", "emlia.forced.terrain")
def test_terrain_that_stops_a_unit_among_friends_forces_it_into_none_of_them(
    field_of_battle: Build, play: Play
) -> None:
    crowd = {"side": "Bob", "members": 4, "files": 4, "formation": "open", "hits": 9}
    wall = {"kind": "building", "box": (80, 103, 120, 106)}
    battle = field_of_battle(
        ranked(4, 2, (100, 100)),
        {**crowd, "at": (100, 101.4)},
        {**crowd, "at": (101.5, 102)},
        terrain=[wall],
    )

    events = pushed(battle, play, [(0, 1, 3)], ["stand"])

    assert [event.unit for event in told(events, "pushed back")] == [1]
    assert not told(events, "forced into a friend")


@pytest.mark.rule("emlia.forced.skirmish-absorbs")
@pytest.mark.parametrize(("x", "drawn"), [(98.0, False), (98.0625, True), (97.9, False)])
def test_a_skirmish_takes_in_no_unit_whose_edge_it_has_only_brushed(
    field_of_battle: Build, play: Play, x: float, drawn: bool
) -> None:
    """It goes 12 GSU north past a man 6 GSU ahead, and ends out of everyone's reach."""
    battle = field_of_battle(
        {"at": (99, 100), "hits": 9},
        {"at": (101, 100), "side": "Bob", "hits": 9},
        {"at": (x, 106), "hits": 9},
    )
    row = {"attacker": 0, "subject": 1, "successes": 12, "shift": 1}
    battle.happen(Event(facts=made_up(Struck), changes=(Append(table="push", row=row),)))

    north = Order(verb="shift", unit=0, number=0)
    events = play(battle, forced.push(battle, MoraleInputs(battle)), answers=[north])

    assert bool(told(events, "drawn into the fight")) is drawn


@pytest.mark.rule("emlia.forced.skirmish-absorbs")
@pytest.mark.parametrize(
    ("ranges", "drawn"), [((1, 1), False), ((3, 1), True), ((1, 3), True)],
    ids=["of neither", "of its unit", "of the other"],
)  # fmt: skip
def test_a_skirmish_takes_in_a_unit_within_the_longer_of_two_combat_ranges(
    field_of_battle: Build, play: Play, ranges: tuple[int, int], drawn: bool
) -> None:
    """It goes 3 GSU north; 2.5 GSU east of where it ends stands a man."""
    own, its = ranges
    battle = field_of_battle(
        {"at": (99, 100), "hits": 9},
        {"at": (101, 100), "side": "Bob", "hits": 9, "combat_range": own},
        {"at": (104.5, 103), "hits": 9, "combat_range": its, "side": "Bob"},
    )
    row = {"attacker": 0, "subject": 1, "successes": 3, "shift": 1}
    battle.happen(Event(facts=made_up(Struck), changes=(Append(table="push", row=row),)))

    north = Order(verb="shift", unit=0, number=0)
    events = play(battle, forced.push(battle, MoraleInputs(battle)), answers=[north])

    assert bool(told(events, "drawn into the fight")) is drawn


@pytest.mark.rule("emlia.skirmish.shift")
def test_a_skirmish_shifts_with_every_member_where_it_stands(field_of_battle, play) -> None:
    # The two have closed to 1 GSU; in the places of their formation they are 1.5 apart.
    pair = {"members": 2, "files": 2, "formation": "close", "at": (100, 100), "hits": 99}
    lone = {"side": "Bob", "at": (101.75, 100), "hits": 99, "formation": "close"}
    battle = field_of_battle(pair, lone)
    men = tuple(battle.state.roster.standing(0).tolist())
    stand = Stand(unit=0, figures=men, east=(99 * GRID, 100 * GRID), north=(100 * GRID,) * 2)
    push = {"attacker": 0, "subject": 1, "successes": 3, "shift": 1}
    battle.happen(Event(facts=made_up(Struck), changes=(stand, Append(table="push", row=push))))

    north = Order(verb="shift", unit=0, number=0)
    play(battle, forced.push(battle, MoraleInputs(battle)), answers=[north])

    assert situation_of(battle).places(0).tolist() == [[99, 103], [100, 103]]
    assert situation_of(battle).places(1).tolist() == [[101.75, 103]]
