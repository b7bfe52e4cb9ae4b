"""Emlia, chapters 15.5 and 15.6: pushes and press hits."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.tables.engagement import RankedBlock
from emlia3d.rules.emlia.tables.pushing import (
    hold_hits,
    hold_shares,
    is_brink,
    is_swept_away,
    net_push,
    press_base_damage,
    press_number,
    push_direction,
    summed,
    unengaged_behind,
)

rule = pytest.mark.rule


def block(files, members):
    return RankedBlock(front=(0, 0), ahead=(0, 1), files=files, members=members, width=1, depth=1)


@rule("emlia.press.terrain")
@pytest.mark.parametrize(("height", "brink"), [(-2.0, True), (0.0, True), (0.25, False)])
def test_over_what_does_not_rise_above_the_ground_one_is_pressed_in(height, brink):
    assert is_brink(height) is brink


@rule("emlia.press.terrain")
@pytest.mark.parametrize(
    ("inside", "members", "lost"),
    [(0, 0, False), (0, 1, False), (1, 1, True), (1, 2, True), (1, 3, False), (2, 3, True)],
)
def test_a_unit_is_lost_over_a_brink_with_half_of_its_members(inside, members, lost):
    assert is_swept_away(inside, members) is lost


@rule("emlia.push.net")
@pytest.mark.parametrize(
    ("taken", "inflicted", "push"), [(3, 1, 2), (0, 3, 0), (11, 8, 3), (4, 4, 0)]
)
def test_the_successes_of_two_opponents_cancel(taken, inflicted, push):
    assert net_push(taken, inflicted) == push


@rule("emlia.push.direction")
@pytest.mark.parametrize(
    ("side", "way"),
    [
        (UnitEdge.FRONT, (0, -1)),
        (UnitEdge.REAR, (0, 1)),
        (UnitEdge.LEFT, (1, 0)),
        (UnitEdge.RIGHT, (-1, 0)),
    ],
)
def test_a_ranked_unit_is_pushed_straight_back_from_the_side_attacked(side, way):
    assert push_direction(side, (0, 1)) == way


@rule("emlia.push.example-ridiculous")
@rule("emlia.push.sum")
def test_the_unit_pushed_from_three_sides_hardly_moves():
    left, rear = net_push(3, 1), net_push(2, 0)
    assert (net_push(8, 11), net_push(11, 8), left, rear) == (0, 3, 2, 2)
    ahead = (0.0, 1.0)
    south_west = unit_vector(facing_of_degrees(225))
    pushes = [
        (3 * south_west[0], 3 * south_west[1]),
        (
            left * push_direction(UnitEdge.LEFT, ahead)[0],
            left * push_direction(UnitEdge.LEFT, ahead)[1],
        ),
        (
            rear * push_direction(UnitEdge.REAR, ahead)[0],
            rear * push_direction(UnitEdge.REAR, ahead)[1],
        ),
    ]
    east, north = summed(pushes)
    assert (east, north) == pytest.approx((-0.12, -0.12), abs=0.005)
    assert (east**2 + north**2) ** 0.5 == pytest.approx(0.17, abs=0.005)


@rule("emlia.push.hold")
@pytest.mark.parametrize(
    ("distance", "front", "hits"),
    [
        pytest.param(5, [5], (5, (2,)), id="from the front"),
        pytest.param(5, [], (5, ()), id="from the flank"),
        pytest.param(4.999999999, [5], (5, (2,)), id="rounded on the way"),
        pytest.param(5.9, [5], (5, (2,)), id="rounded down"),
        pytest.param(5, [4, 4], (5, (2, 0)), id="two pushers share half"),
        pytest.param(9, [4, 5], (9, (2, 2)), id="each its own half"),
        pytest.param(0.5, [2], (0, (0,)), id="hardly pushed"),
    ],
)
def test_who_holds_takes_a_hit_for_each_gsu_and_gives_half_to_the_front(distance, front, hits):
    assert hold_hits(distance, front) == hits


@rule("emlia.press.example-file")
@rule("emlia.press.number")
@pytest.mark.parametrize(
    ("files", "members", "engaged_subject", "press"),
    [
        pytest.param(1, 20, 1, 4, id="single file of twenty"),
        pytest.param(3, 18, 3, 12, id="three wide and six deep"),
        pytest.param(4, 20, 4, 16, id="four wide and five deep"),
        pytest.param(4, 20, 3, 12, id="four wide against three engaged"),
    ],
)
def test_a_deep_unit_presses_on_a_block_four_deep(files, members, engaged_subject, press):
    ours = block(files, members)
    engaged = np.arange(members) < files
    behind = unengaged_behind(ours, engaged, engaged)
    assert behind == members - files
    assert press_number(behind, files, engaged_subject, depth=4) == press


@rule("emlia.press.number")
def test_only_the_files_of_the_engaged_press_and_nobody_engaged_elsewhere():
    ours = block(3, 9)
    here = np.array([True, True, False, False, False, False, False, False, False])
    elsewhere = np.array([False, False, False, True, False, False, False, False, False])
    assert unengaged_behind(ours, here, here) == 4
    assert unengaged_behind(ours, here, here | elsewhere) == 3


@rule("emlia.press.base-damage")
@pytest.mark.parametrize(
    ("source", "subject", "damage"),
    [(1, 1, 0), (1.9, 1, 0), (2, 1, 1), (3, 1, 2), (4, 1, 2), (5, 1, 3), (8, 1, 3), (9, 1, 4),
     (1, 4, 0), (1, 5, None), (1, 0.5, 1)],
)  # fmt: skip
def test_a_giant_presses_harder_and_is_not_pressed(source, subject, damage):
    assert press_base_damage(source, subject) == damage


@rule("emlia.push.hold")
@pytest.mark.parametrize(
    ("taken", "distances", "shares"),
    [
        (4, (1, 3), (1, 3)),
        (1, (1, 3), (0, 1)),
        (5, (3, 1, 2), (3, 0, 2)),
        (3, (2, 2), (2, 1)),
    ],
)
def test_hits_of_holding_are_shared_by_how_far_each_pushed(
    taken: int, distances: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    """A remainder goes to the farthest pusher, of equals to the first."""
    assert hold_shares(taken, distances) == shares
