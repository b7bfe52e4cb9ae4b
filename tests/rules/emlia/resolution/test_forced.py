"""Pushes: who moves whom, how far, and what a unit may do instead."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Side
from emlia3d.force import Formation
from emlia3d.force.formation import Drill
from emlia3d.rules.emlia.play.leadership.mixed import on_field, parts_of
from emlia3d.rules.emlia.play.movement.pose import Pose, pose_of
from emlia3d.rules.emlia.play.resolution import forced, phase
from emlia3d.rules.emlia.play.resolution.morale_update import Outlook
from emlia3d.rules.emlia.play.resolution.shoves import Shove, apart
from emlia3d.rules.emlia.play.sight.lie import lie_of
from tests.rules.emlia import troops

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


ranked = partial(troops.ranked, hits=9)
theirs = partial(troops.theirs, hits=9)


def told(events: Sequence[Any], name: str) -> list[Any]:
    return [event for event in events if event.name == name]


def pushed(
    battle: Battle,
    play: Play,
    scores: Sequence[tuple[int, int, int]],
    answers: Sequence[Any] = (),
    outlook: Outlook | None = None,
) -> list[Any]:
    """Pushes by (attacker, subject, successes), as blows would leave them, worked out."""
    for attacker, subject, successes in scores:
        row = {"attacker": attacker, "subject": subject, "successes": successes}
        battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))
    return play(battle, forced.push(battle, outlook or Outlook(battle)), answers=answers)


def spot(battle: Battle, unit: int) -> tuple[float, float]:
    pose = pose_of(battle, unit)
    return pose.x, pose.y


def two_lines(field_of_battle: Build, **more: Any) -> Battle:
    """Alice's line, facing north, and Bob's line before it."""
    return field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101), **more))


@pytest.mark.rule("emlia.push.net", "emlia.melee.success")
@pytest.mark.parametrize(("mine", "their", "moved"), [(3, 1, 2), (11, 8, 3), (3, 3, 0), (0, 0, 0)])
def test_successes_cancel_and_the_loser_is_pushed_by_the_rest(
    field_of_battle: Build, play: Play, mine: int, their: int, moved: int
) -> None:
    battle = two_lines(field_of_battle)
    scores = [(0, 1, mine), (1, 0, their)] if mine else []

    pushed(battle, play, scores, ["give-way", "stand"] if moved else [])

    assert spot(battle, 1) == (100, 101 + moved)
    assert spot(battle, 0) == (100, 100)


def test_who_is_pushed_off_what_he_stands_on_comes_down(field_of_battle: Build, play: Play) -> None:
    battle = two_lines(field_of_battle, on_height=1)

    pushed(battle, play, [(0, 1, 2)], ["give-way", "stand"])

    assert spot(battle, 1) == (100, 103)
    assert battle.state.units.value("on_height", 1) == 0


@pytest.mark.rule("emlia.push.direction")
@pytest.mark.parametrize(
    ("front", "facing", "end"),
    [((100, 101), 180, (100, 98)), ((97, 99), 90, (102, 100)), ((100, 97), 0, (100, 102))],
)
def test_a_ranked_unit_is_pushed_straight_back_from_the_side_attacked(
    field_of_battle: Build,
    play: Play,
    front: tuple[float, float],
    facing: int,
    end: tuple[float, float],
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(1, 1, front, facing))

    pushed(battle, play, [(1, 0, 2)], ["give-way", "stand"])

    assert spot(battle, 0) == end


@pytest.mark.rule("emlia.push.direction")
def test_a_unit_that_is_not_ranked_is_pushed_along_a_ranked_attacker_s_facing(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 1, (100, 100)), {"at": (101.5, 101.5), "side": "Bob"})

    pushed(battle, play, [(0, 1, 3)], ["stand"])

    assert spot(battle, 1)[0] == pytest.approx(101.5, abs=1e-3)
    assert spot(battle, 1)[1] == pytest.approx(102 + 3, abs=1e-3)


@pytest.mark.rule("emlia.push.sum", "emlia.forced.vector-sum")
def test_pushes_from_front_and_flank_are_one_move_aslant(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)),
        theirs(1, 1, (100, 101)),
        theirs(1, 1, (97, 99), 90),
    )

    events = pushed(battle, play, [(1, 0, 3), (2, 0, 4)], ["give-way", "stand", "stand"])

    assert events[0].facts["wanted"] == 5
    assert spot(battle, 0) == pytest.approx((104, 97), abs=0.05)


@pytest.mark.rule("emlia.push.hold")
@pytest.mark.parametrize(
    ("front", "facing", "hits"),
    [((100, 101), 180, [(0, 1, 5, 0), (1, 0, 2, 0)]), ((97, 99), 90, [(0, 1, 5, 0)])],
)
def test_who_holds_takes_a_press_hit_for_each_gsu_and_gives_half_to_a_pusher_in_front(
    field_of_battle: Build,
    play: Play,
    front: tuple[float, float],
    facing: int,
    hits: list[tuple[int, ...]],
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(2, 1, front, facing))

    pushed(battle, play, [(1, 0, 5)], ["hold"])

    markers = battle.state.lists["marker"]
    columns = ("subject", "attacker", "hits", "base_damage")
    assert [
        tuple(markers.integer(column, row) for column in columns) for row in range(len(markers))
    ] == hits
    assert spot(battle, 0) == (100, 100)


@pytest.mark.rule("emlia.push.hold", "emlia.resolve.order")
def test_the_hits_of_holding_become_damage_in_the_same_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = two_lines(field_of_battle, hits=1)
    row = {"attacker": 0, "subject": 1, "successes": 3}
    battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))

    play(battle, phase.resolve(battle), answers=["hold"])

    assert battle.state.units.integer("members", 1) == 8 - 3


@pytest.mark.rule("emlia.push.straight-ahead")
def test_a_ranked_unit_does_not_push_an_enemy_at_its_flank(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), {"at": (96.5, 99), "side": "Bob"})

    assert pushed(battle, play, [(0, 1, 3)], ["stand"]) == []


@pytest.mark.rule("emlia.melee.no-shift")
@pytest.mark.parametrize("fixed", [0, 1, 2])
def test_nothing_shifts_if_anything_in_the_combat_cannot_move_by_itself(
    field_of_battle: Build, play: Play, fixed: int
) -> None:
    units = [
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(1, 1, (97, 99), 90),
    ]  # fmt: skip
    units[fixed]["movement"] = None
    battle = field_of_battle(*units)

    assert pushed(battle, play, [(0, 1, 3)]) == []


@pytest.mark.rule("emlia.melee.success", "emlia.freestrike.who")
def test_who_is_out_of_reach_by_now_is_pushed_no_more(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 105)))

    assert pushed(battle, play, [(0, 1, 3)]) == []


@pytest.mark.rule("emlia.push.follow")
@pytest.mark.parametrize(("answer", "ahead"), [("follow-up", 2), ("stand", 0)])
def test_a_pusher_may_go_after_his_enemy_to_keep_contact(
    field_of_battle: Build, play: Play, answer: str, ahead: float
) -> None:
    battle = two_lines(field_of_battle)

    pushed(battle, play, [(0, 1, 2)], ["give-way", answer])

    assert spot(battle, 0) == (100, 100 + ahead)


@pytest.mark.rule("emlia.push.follow")
def test_a_ranked_pusher_whom_another_enemy_engages_stays(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(1, 1, (97, 99), 90)
    )

    pushed(battle, play, [(0, 1, 2)], ["give-way"])

    assert spot(battle, 0) == (100, 100)


@pytest.mark.rule("emlia.push.follow")
def test_a_pusher_that_was_moved_itself_does_not_follow(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(1, 1, (97, 99), 90)
    )

    events = pushed(battle, play, [(0, 1, 2), (2, 0, 1)], ["give-way", "give-way", "stand"])

    assert [event.name for event in events] == ["pressed", "pushed back", "pushed back"]
    assert spot(battle, 0) == (101, 100)


@pytest.mark.rule("emlia.forced.terrain", "emlia.morale.neg.terrain-stopped")
def test_a_wall_stops_a_push_and_costs_heart(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "building", "box": (80, 105, 120, 107)}
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101), morale=2), terrain=[wall]
    )
    row = {"attacker": 0, "subject": 1, "successes": 5}
    battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))

    play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    assert spot(battle, 1) == (100, 103)
    assert battle.state.units.integer("morale", 1) == 1


@pytest.mark.rule("emlia.forced.terrain", "emlia.terrain.forced")
def test_a_forced_move_pays_for_bad_ground(field_of_battle: Build, play: Play) -> None:
    scrub = {"kind": "scrub", "box": (80, 99, 120, 130)}
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), terrain=[scrub])

    pushed(battle, play, [(0, 1, 4)], ["give-way", "stand"])

    assert spot(battle, 1) == pytest.approx((100, 103), abs=0.01)


@pytest.mark.rule("emlia.forced.collision-order", "emlia.forced.terrain")
def test_a_push_stops_at_a_unit_that_is_not_moved_and_that_is_no_terrain(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), theirs(4, 2, (100, 104))
    )
    outlook = Outlook(battle)

    events = pushed(battle, play, [(0, 1, 5)], ["give-way", "stand"], outlook)

    assert told(events, "pushed back")[0].facts == {"distance": 1, "wanted": 5}
    assert outlook.terrain_stopped == set()


@pytest.mark.rule("emlia.forced.collision-order", "emlia.forced.simultaneous")
def test_two_units_that_are_pushed_the_same_way_do_not_stop_each_other(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(2, 1, (100, 100)),
        theirs(2, 2, (100, 101)),
        ranked(1, 1, (102, 103.5)),
        theirs(4, 2, (101, 104.5)),
    )

    pushed(battle, play, [(0, 1, 3), (2, 3, 3)], ["give-way", "give-way", "stand"])

    assert spot(battle, 1) == (100, 104)
    assert spot(battle, 3) == (101, 107.5)


@pytest.mark.rule("emlia.forced.collision-order", "emlia.forced.simultaneous")
def test_units_that_are_pushed_at_each_other_share_the_room_between_them(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(2, 1, (100, 100)),
        theirs(2, 2, (100, 101)),
        theirs(2, 2, (100, 106), 0),
        ranked(2, 1, (100, 107), 180),
    )

    events = pushed(
        battle, play, [(0, 1, 2), (3, 2, 2)], ["give-way", "give-way", "stand", "stand"]
    )

    back = [event.facts["distance"] for event in told(events, "pushed back")]
    assert back == pytest.approx([0.5, 0.5], abs=0.05)


@pytest.mark.rule("emlia.forced.collision-order", "emlia.move.leave")
def test_a_forced_move_stops_at_the_edge_of_the_field(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 195)), theirs(4, 2, (100, 196)))

    pushed(battle, play, [(0, 1, 5)], ["give-way", "stand"])

    assert spot(battle, 1) == pytest.approx((100, 198), abs=0.01)
    assert battle.state.units.value("present", 1) == 1


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
    row = {"attacker": 0, "subject": 1, "successes": 5}
    battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))

    play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    units = battle.state.units
    assert units.ints("morale")[:3].tolist() == [3, 1, 1]
    assert units.ints("disordered")[:3].tolist() == [0, 1, 1]
    formations = [Formation.RANKED, Formation.OPEN, Formation.OPEN]
    assert units.ints("formation")[:3].tolist() == formations
    rear = pose_of(battle, 1).outline.bounds[1]
    assert rear == pytest.approx(102, abs=0.01), "it does not spread back towards the pusher"
    west, _, east, _ = lie_of(battle).outline(1).bounds
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
    row = {"attacker": 0, "subject": 1, "successes": 5}
    battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))

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
    row = {"attacker": 0, "subject": 1, "successes": 5}
    battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))

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
    changes = tuple(
        Append(table="push", row={"attacker": a, "subject": b, "successes": 2})
        for a, b in ((0, 1), (3, 2))
    )
    battle.happen(Event(name="struck", changes=changes))

    play(battle, phase.resolve(battle), answers=["give-way", "give-way", "stand", "stand"])

    assert battle.state.units.ints("morale").tolist()[1:3] == [2, 2]


@pytest.mark.rule("emlia.forced.into-friend")
def test_a_friend_whom_the_push_does_not_reach_is_left_alone(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 1, (100, 100)), theirs(4, 1, (100, 101)), theirs(4, 1, (100, 105))
    )
    outlook = Outlook(battle)

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
    row = {"attacker": 0, "subject": 1, "successes": 3}
    battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))

    play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    assert battle.state.units.ints("morale")[:3].tolist() == [2 + gains, 1, 2 + gains]
    assert battle.state.units.integer("formation", 1) == Formation.RANKED


@pytest.mark.rule("emlia.forced.into-enemy")
def test_being_pushed_is_not_being_forced_into_the_pusher(
    field_of_battle: Build, play: Play
) -> None:
    battle = two_lines(field_of_battle)
    outlook = Outlook(battle)

    pushed(battle, play, [(0, 1, 3)], ["give-way", "follow-up"], outlook)

    assert outlook.forced_into_enemy == set()


@pytest.mark.rule("emlia.press.into-enemy")
def test_an_enemy_block_into_which_a_unit_is_pushed_presses_it_too(
    field_of_battle: Build, play: Play
) -> None:
    battle = before_an_enemy(field_of_battle)

    events = pushed(battle, play, [(0, 1, 3)], ["give-way", "stand"])

    presses = [(event.unit, event.target, event.facts["hits"]) for event in told(events, "pressed")]
    # Four files reach four men, two ranks deep: 4 behind the pusher, 8 behind the block met.
    assert presses == [(0, 1, 4), (2, 1, 8)]


@pytest.mark.rule("emlia.press.terrain")
@pytest.mark.parametrize(("push", "left"), [(3, 8), (4, 0)])
def test_who_is_pressed_into_deep_water_is_lost_once_half_of_him_is_in_it(
    field_of_battle: Build, play: Play, push: int, left: int
) -> None:
    river = {"kind": "river", "box": (80, 105.75, 120, 120)}
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), terrain=[river])
    row = {"attacker": 0, "subject": 1, "successes": push}
    battle.happen(Event(name="struck", changes=(Append(table="push", row=row),)))

    play(battle, phase.resolve(battle), answers=["give-way", "stand"])

    assert battle.state.units.integer("members", 1) == left


@pytest.mark.rule("emlia.press.terrain", "emlia.forced.terrain")
def test_who_is_pushed_by_no_ranked_unit_stops_at_the_bank(
    field_of_battle: Build, play: Play
) -> None:
    river = {"kind": "river", "box": (80, 103.5, 120, 120)}
    battle = field_of_battle(
        {"at": (100, 99.5), "members": 1}, theirs(4, 2, (100, 101)), terrain=[river]
    )
    outlook = Outlook(battle)

    pushed(battle, play, [(0, 1, 3)], ["give-way", "stand"], outlook)

    assert spot(battle, 1) == pytest.approx((100, 101.5), abs=0.01)
    assert outlook.terrain_stopped == {1}
    assert outlook.swept_away == {}


@pytest.mark.rule("emlia.forced.simultaneous", "emlia.push.sequence")
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_order_in_which_pushes_are_noted_never_changes_the_outcome(
    field_of_battle: Build, play: Play, order: tuple[int, ...]
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)),
        theirs(4, 2, (100, 101)),
        theirs(1, 1, (97, 99), 90),
        theirs(1, 2, (100, 97), 0),
    )
    scores = [(1, 0, 3), (2, 0, 4), (3, 0, 2)]

    pushed(battle, play, [scores[row] for row in order], ["give-way", *["stand"] * 3])

    assert spot(battle, 0) == pytest.approx((104, 99), abs=0.01)


@pytest.mark.rule("emlia.forced.collision-order", "emlia.forced.simultaneous")
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 359), st.integers(0, 12)),
        min_size=2,
        max_size=5,
    ),
    st.randoms(use_true_random=False),
)
def test_moves_that_cross_end_apart_and_in_whatever_order_they_are_named(
    moves: list[tuple[int, int, int, int]], shuffle: Any
) -> None:
    drill = Drill(formation=Formation.RANKED, count=6, files=3, width=1, depth=1)
    shoves = {
        row: Shove(Pose(4.0 * x, 4.0 * y, 0, drill), way * 64, distance, distance, False)
        for row, (x, y, way, distance) in enumerate(dict.fromkeys(moves))
    }
    mixed_up = list(shoves.items())
    shuffle.shuffle(mixed_up)

    alone = {row: row for row in shoves}

    out = apart(shoves, alone)

    assert apart(dict(mixed_up), alone) == out
    starts = {row: shove.start.outline.buffer(-1 / 16) for row, shove in shoves.items()}
    ends = {row: shove.end.outline.buffer(-1 / 16) for row, shove in out.items()}
    for a, b in itertools.combinations(out, 2):
        assert starts[a].intersects(starts[b]) or not ends[a].intersects(ends[b])
    assert all(out[row].distance <= shoves[row].distance for row in out)
