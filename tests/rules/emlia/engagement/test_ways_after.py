"""Where a ranked unit ends that goes after a skirmish, and where a unit ends that leaves one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.losses import Joined
from emlia3d.rules.emlia.play.engagement import follow_up
from emlia3d.rules.emlia.play.engagement.follow_up import blocks_touching, pursuit, realigned
from emlia3d.rules.emlia.play.engagement.pressing import press_of
from emlia3d.rules.emlia.play.retreat import leave_skirmish as slipping
from emlia3d.rules.emlia.play.situation.contact import (
    boundary_of,
    melee_of,
    skirmish_of,
)
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.made_up import made_up
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man, strike
from tests.rules.emlia.outcome import told

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

PIKE = {"name": "Pike", "base_damage": 1, "abilities": ("reach 2",)}


def block(files: int = 4, ranks: int = 3, **more: Any) -> dict[str, Any]:
    """Ranks of Alice's whose front line is at (100, 100), and who look north."""
    return troops.ranked(files, ranks, (100, 100), **more)


def pair(x: float, y: float, apart: tuple[float, float] = (2, 0)) -> tuple[Any, Any]:
    """A skirmish of one of Bob's men with one of Alice's."""
    return man(x, y, "Bob"), man(x + apart[0], y + apart[1])


@pytest.mark.rule("emlia.mixedeng.follow")
@pytest.mark.parametrize(
    ("gap", "gone"), [(1, 0), (2, 1), (9, 8), (16, 15), (16.25, None), (0.5, 0)]
)
def test_ranks_go_straight_on_until_the_skirmish_ahead_is_in_reach(
    field_of_battle: Build, gap: float, gone: float | None
) -> None:
    battle = field_of_battle(block(), *pair(99, 100.5 + gap))

    end = pursuit(battle, 0, (1, 2))

    if gone is None:
        assert end is None
    else:
        assert end is not None
        assert (end.x, end.y) == pytest.approx((100, 100 + gone), abs=0.07)
        assert end.facing == 0


@pytest.mark.rule("emlia.mixedeng.follow")
@pytest.mark.parametrize(("speed", "follows"), [("15G", True), ("12G", True), ("8G", False)])
def test_ranks_turn_to_a_skirmish_at_their_side_at_the_price_of_the_turn(
    field_of_battle: Build, speed: str, follows: bool
) -> None:
    """A quarter turn costs a quarter of the speed; 7.5 GSU are to be gone then."""
    # Ranks of 4 x 3 stand with their middle at (100, 98.5); turned, their front is at x 101.5.
    battle = field_of_battle(block(movement=speed), *pair(110.5, 98.5, (2, 0)))

    end = pursuit(battle, 0, (1, 2))

    assert (end is not None) is follows
    if end is not None:
        assert end.outline.distance(boundary_of(battle, (1, 2))) <= 1 + 1 / 256
        assert 45 <= end.facing / 64 <= 95


@pytest.mark.rule("emlia.mixedeng.follow")
def test_the_cheapest_way_is_taken(field_of_battle: Build) -> None:
    behind = field_of_battle(block(), *pair(99, 91))
    ahead = field_of_battle(block(), *pair(99, 106))
    right = field_of_battle(block(2, 2), *pair(107, 99, (0, -2)))
    left = field_of_battle(block(2, 2), *pair(93, 99, (0, -2)))

    ends = [pursuit(battle, 0, (1, 2)) for battle in (behind, ahead, right, left)]

    assert [round(end.facing / 64 / 90) % 4 for end in ends if end is not None] == [2, 0, 1, 3]


@pytest.mark.rule("emlia.mixedeng.follow", "emlia.move.blocked-by-object")
@pytest.mark.parametrize(("south", "follows"), [(104, False), (120, True)])
def test_ranks_do_not_follow_through_a_wall(
    field_of_battle: Build, south: float, follows: bool
) -> None:
    wall = {"kind": "building", "box": (60, south, 140, south + 0.5)}
    battle = field_of_battle(block(), *pair(99, 110), terrain=[wall])

    assert (pursuit(battle, 0, (1, 2)) is not None) is follows


@pytest.mark.rule("emlia.mixedeng.follow")
@pytest.mark.parametrize(
    ("units", "touching"),
    [
        ((man(99, 101.5, "Bob"), man(101, 101.5)), (0,)),
        ((man(99, 101.6, "Bob"), man(101, 101.6)), ()),
        ((man(99, 102.5, "Bob", weapons=(PIKE,)), man(101, 102.5)), (0,)),
        ((man(99, 101.5, "Bob"),), ()),
    ],
    ids=["in reach", "out of reach", "reached by a pike", "a unit alone"],
)
def test_ranks_touch_a_skirmish_if_either_reaches_the_other(
    field_of_battle: Build, units: tuple[Any, ...], touching: tuple[int, ...]
) -> None:
    battle = field_of_battle(block(), *units)

    assert blocks_touching(battle, tuple(range(1, 1 + len(units)))) == touching


@pytest.mark.rule("emlia.mixedeng.follow", "emlia.mixedeng.realign")
@pytest.mark.parametrize("answer", ["follow-up", "stand"])
def test_following_is_one_event_of_the_resolution(
    field_of_battle: Build, play: Play, answer: str
) -> None:
    battle = field_of_battle(block(), *pair(99, 104))

    events = play(battle, follow_up.follow_skirmish(battle, (1, 2), (0,), ()), answers=[answer])

    assert len(events) == (answer == "follow-up")
    for after in told(events, "followed up"):
        assert (after.unit, after.target, after.gesture, after.part_of_last) == (
            0,
            1,
            "march",
            True,
        )
        assert after.because == ("emlia.mixedeng.follow", "emlia.mixedeng.realign")
        assert situation_of(battle).outline(0).distance(boundary_of(battle, (1, 2))) <= 1 + 1 / 256


@pytest.mark.rule("emlia.mixedeng.no-follow")
@pytest.mark.parametrize("moved", [(), (0,)])
def test_ranks_that_were_moved_themselves_or_touch_already_are_not_asked(
    field_of_battle: Build, play: Play, moved: tuple[int, ...]
) -> None:
    far, near = (field_of_battle(block(), *pair(99, y)) for y in (104, 101.4))
    battle = far if moved else near

    assert play(battle, follow_up.follow_skirmish(battle, (1, 2), (0,), moved)) == []


@pytest.mark.rule("emlia.mixedeng.follow")
def test_each_block_is_asked_whatever_those_before_it_do(
    field_of_battle: Build, play: Play
) -> None:
    """One touches the skirmish already, one has moved, and the last may follow."""
    battle = field_of_battle(
        block(),
        *pair(99, 101.4),
        troops.ranked(4, 3, (108, 100)),
        troops.ranked(4, 3, (100, 108), 180),
    )

    events = play(
        battle, follow_up.follow_skirmish(battle, (1, 2), (0, 3, 4), (3,)), answers=["follow-up"]
    )

    assert [event.unit for event in events] == [4]


@pytest.mark.rule("emlia.mixedeng.realign")
@pytest.mark.parametrize(("at", "facing"), [((103.5, 103.5), 45), ((96.5, 103.5), 315)])
def test_ranks_turn_squarely_to_a_skirmish_aslant_if_more_reach_it_then(
    field_of_battle: Build, at: tuple[float, float], facing: int
) -> None:
    step = 1.2 if facing == 45 else -1.2
    foes = (man(*at, "Bob"), man(at[0] - step, at[1] + 1.2), man(at[0] + step, at[1] - 1.2, "Bob"))
    battle = field_of_battle(troops.ranked(4, 4, (100, 101)), *foes)

    end = realigned(battle, 0, pose_of(battle, 0), (1, 2, 3))

    assert end.facing / 64 == pytest.approx(facing, abs=12)
    assert end.outline.distance(boundary_of(battle, (1, 2, 3))) <= 1 + 1 / 256


@pytest.mark.rule("emlia.mixedeng.realign")
def test_ranks_stay_as_they_are_if_a_turn_brings_no_more_of_them_into_reach(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(block(), *pair(99, 101.5))
    pose = pose_of(battle, 0)

    assert realigned(battle, 0, pose, (1, 2)) == pose


# Leaving


@pytest.mark.rule("emlia.skirmish.leave")
@pytest.mark.parametrize(
    ("degrees", "end"),
    [
        (270, (85, 100)),
        (0, (100, 115)),
        (180, (100, 85)),
        (315, (100 - 10.6066, 110.6066)),
        (90, (103 + 15, 100)),
    ],
)
def test_a_unit_leaves_a_skirmish_by_a_normal_move_from_the_far_end_of_its_boundary(
    field_of_battle: Build, degrees: int, end: tuple[float, float]
) -> None:
    # The boundary reaches from x 99.5 to 103.5.
    fight = (man(100, 100), man(101.5, 100, "Bob"), man(103, 100))
    battle = field_of_battle(*fight)

    way = slipping.way_out(battle, 0, degrees)

    assert way is not None
    assert way[1].middle == pytest.approx(end, abs=0.03)
    assert way[1].facing == degrees * 64


@pytest.mark.rule("emlia.skirmish.leave")
@pytest.mark.parametrize(
    ("more", "degrees", "leaves"),
    [
        ((), 270, True),
        ((man(84, 100, "Bob"),), 270, False),
        ((man(84, 103, "Bob"),), 270, True),
        ((man(84, 103, "Bob", weapons=(PIKE,)),), 270, False),
    ],
    ids=["free", "into an enemy's reach", "past it", "into the reach of a pike"],
)
def test_no_unit_leaves_a_skirmish_into_the_reach_of_an_enemy(
    field_of_battle: Build, more: tuple[Any, ...], degrees: int, leaves: bool
) -> None:
    battle = field_of_battle(man(100, 100), man(101.5, 100, "Bob"), *more)

    assert (slipping.way_out(battle, 0, degrees) is not None) is leaves


@pytest.mark.rule("emlia.skirmish.leave")
def test_the_ways_out_are_those_of_the_compass_that_a_unit_may_take(field_of_battle: Build) -> None:
    free = field_of_battle(man(100, 100), man(101.5, 100, "Bob"))
    corner = field_of_battle(man(2, 100), man(3.5, 100, "Bob"))
    used = field_of_battle(man(100, 100, put={"move_used": 1}), man(101.5, 100, "Bob"))

    assert {order.number for order in slipping.slip_out_options(free, 0)} >= {
        0,
        45,
        135,
        180,
        225,
        270,
        315,
    }
    assert 0 in {order.number for order in slipping.slip_out_options(corner, 0)}
    assert list(slipping.slip_out_options(used, 0)) == []


@pytest.mark.rule("emlia.skirmish.leave", "emlia.move.normal")
def test_leaving_a_skirmish_uses_up_the_move(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(man(100, 100), man(101.5, 100, "Bob"))
    order = Order(verb="slip-out", unit=0, number=270)

    events = play(battle, slipping.slip_out(battle, 0, order), answers=["hold-back"])

    (away,) = told(events, "slipped away")
    units = battle.state.units
    assert (units.value("move_used", 0), units.value("moved", 0)) == (1, 1)
    assert away.because == ("emlia.skirmish.leave", "emlia.move.normal")
    assert away.facts.path[-1] == pytest.approx((84.5, 100), abs=0.05)
    assert skirmish_of(battle, 1) == ()


# Pressing


@pytest.mark.rule("emlia.press.number", "emlia.press.when")
@pytest.mark.parametrize(
    ("units", "body", "hits"),
    [
        # Two files of three are engaged with one man one rank deep.
        ((block(2, 3), man(100, 101.4, "Bob")), (1,), 1),
        ((block(2, 3), troops.theirs(2, 2, (100, 101))), (1,), 4),
        ((block(2, 2), troops.theirs(2, 2, (100, 101))), (1,), 2),
        ((block(2, 1), troops.theirs(2, 2, (100, 101))), (1,), None),
        # Who is at the flank is not pressed.
        ((block(2, 3), troops.theirs(2, 2, (102, 99), 270)), (1,), None),
        # A man in the rear rank who is engaged at the flank presses nobody ahead.
        ((block(2, 2), troops.theirs(2, 2, (100, 101)), man(101.9, 98.1, "Bob")), (1,), 1),
        # The pike of the ranks reaches him; he reaches nobody, and is still one man.
        ((block(2, 3, weapons=(PIKE,)), man(100, 102.9, "Bob")), (1,), 1),
        # Two whom the pikes reach are one as well: no more than one enemy is taken for engaged.
        (
            (
                block(2, 3, weapons=(PIKE,)),
                man(99.4, 102.4, "Bob"),
                man(100.6, 102.4, "Bob"),
            ),
            (1, 2),
            1,
        ),
        # Two who are engaged themselves are two.
        ((block(2, 3), man(99.4, 101.4, "Bob"), man(100.6, 101.4, "Bob")), (1, 2), 2),
        # Friends are in the body of a skirmish, and are not pressed alone.
        ((block(2, 3), man(100, 101.4)), (1,), None),
    ],
    ids=[
        "one man", "a block", "few behind", "nobody behind", "at the flank", "engaged elsewhere",
        "out of his reach", "two out of reach", "two", "a friend",
    ],
)  # fmt: skip
def test_press_hits_are_of_those_behind_the_engaged_for_each_rank_of_the_enemy(
    field_of_battle: Build, units: tuple[Any, ...], body: tuple[int, ...], hits: int | None
) -> None:
    battle = field_of_battle(*units)

    press = press_of(battle, 0, body)

    assert (None if press is None else press.hits) == hits
    if press is not None:
        assert (press.unit, press.subject, press.body, press.base_damage) == (0, 1, body, 0)
        half = press_of(battle, 0, body, 0.5)
        assert (0 if half is None else half.hits) == press.hits // 2


@pytest.mark.rule("emlia.skirmish.join-by-contact", "emlia.mixedeng.attack")
@pytest.mark.parametrize("joined", [True, False])
def test_ranks_that_have_joined_a_skirmish_are_struck_from_within_it(
    field_of_battle: Build, joined: bool
) -> None:
    # Bob's man in the middle of a line of Alice's; his ranks come to its boundary behind him.
    battle = field_of_battle(
        man(100, 100, members=11, files=11),
        man(100, 102, "Bob"),
        troops.theirs(4, 1, (92, 101.6)),
    )
    if joined:
        battle.happen(
            Event(facts=made_up(Joined), changes=(Pair(column="joined", a=2, b=1, value=1),))
        )

    assert (2 in melee_of(battle, 0).enemies) is joined
    assert situation_of(battle).distance(0, 2) > 1


@pytest.mark.rule("emlia.skirmish.shift", "emlia.mixedeng.attack")
@pytest.mark.parametrize(
    ("front", "subject", "shift"),
    [
        # Ranks in reach are pushed as in ranked combat; any that are not only belong to the melee.
        ((98, 101.25), 2, 0),
        ((92, 101.6), 1, 1),
    ],
)
def test_from_within_a_skirmish_only_ranks_in_reach_are_pushed(
    field_of_battle: Build, play: Play, front: tuple[float, float], subject: int, shift: int
) -> None:
    battle = field_of_battle(
        man(100, 100, members=11, files=11), man(100, 102, "Bob"), troops.theirs(4, 1, front)
    )
    joined = Pair(column="joined", a=2, b=1, value=1)
    battle.happen(Event(facts=made_up(Joined), changes=(joined,)))
    assert 2 in melee_of(battle, 0).enemies

    strike(battle, play, [12])

    rows = battle.state.lists["push"]
    found = [(rows.integer("subject", row), rows.value("shift", row)) for row in range(len(rows))]
    assert found == [(subject, shift)]
