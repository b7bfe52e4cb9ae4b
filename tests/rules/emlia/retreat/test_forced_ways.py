"""Forced moves over the ground: what slows and stops them, and who shares the room between."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.force import Formation
from emlia3d.force.formation import FormationLayout
from emlia3d.rules.emlia.play.engagement.shoves import PushedMove, apart
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.situation.pose import Pose
from emlia3d.rules.emlia.play.turn import phase
from tests.rules.emlia.outcome import spot, told
from tests.rules.emlia.shoving import pushed, ranked, score, theirs

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.forced.terrain", "emlia.morale.neg.terrain-stopped")
def test_a_wall_stops_a_push_and_costs_heart(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "building", "box": (80, 105, 120, 107)}
    battle = field_of_battle(
        ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101), morale=2), terrain=[wall]
    )
    score(battle, [(0, 1, 5)])

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
    outlook = MoraleInputs(battle)

    events = pushed(battle, play, [(0, 1, 5)], ["give-way", "stand"], outlook)

    assert told(events, "pushed back")[0].facts.values() == {"distance": 1, "wanted": 5}
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

    back = [event.facts.distance for event in told(events, "pushed back")]
    assert back == pytest.approx([0.5, 0.5], abs=0.05)


@pytest.mark.rule("emlia.forced.collision-order", "emlia.move.leave")
def test_a_forced_move_stops_at_the_edge_of_the_field(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 195)), theirs(4, 2, (100, 196)))

    pushed(battle, play, [(0, 1, 5)], ["give-way", "stand"])

    assert spot(battle, 1) == pytest.approx((100, 198), abs=0.01)
    assert battle.state.units.value("present", 1) == 1


@pytest.mark.rule("emlia.press.terrain")
@pytest.mark.parametrize(("push", "left"), [(3, 8), (4, 0)])
def test_who_is_pressed_into_deep_water_is_lost_once_half_of_him_is_in_it(
    field_of_battle: Build, play: Play, push: int, left: int
) -> None:
    river = {"kind": "river", "box": (80, 105.75, 120, 120)}
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), terrain=[river])
    score(battle, [(0, 1, push)])

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
    outlook = MoraleInputs(battle)

    pushed(battle, play, [(0, 1, 3)], ["give-way", "stand"], outlook)

    assert spot(battle, 1) == pytest.approx((100, 101.5), abs=0.01)
    assert outlook.terrain_stopped == {1}
    assert outlook.swept_away == {}


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
    drill = FormationLayout(formation=Formation.RANKED, count=6, files=3, width=1, depth=1)
    shoves = {}
    for row, (x, y, way, distance) in enumerate(dict.fromkeys(moves)):
        pose = Pose(4.0 * x, 4.0 * y, 0, drill)
        shoves[row] = PushedMove(pose, way * 64, distance, distance, False, pose.outline)
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
