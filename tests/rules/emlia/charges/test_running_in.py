"""Charges of open and close units: each member runs along its own line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.charges import charging
from emlia3d.rules.emlia.play.charges.running_in import left_after
from emlia3d.rules.emlia.play.situation.contact import able_against
from emlia3d.rules.emlia.play.situation.pose import pose_of, turned
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.manoeuvres import is_linked
from tests.rules.emlia import troops

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

# Ten members in one line, 1 GSU across, 3 GSU from centre to centre; speed 15, combat range 1.
LOOSE: dict[str, Any] = {
    "at": (100, 50), "members": 10, "files": 10, "formation": "open",
    "skills": {"close combat": "1"},
}  # fmt: skip
SHORT = 1 / 16


def charged(battle: Battle, play: Play, target: int = 1) -> Any:
    """The event of a charge by unit 0, without the blows that follow it."""
    run = charging.charge(battle, 0, Order(verb="charge", unit=0, target=target))
    return play(battle, first(run))[0]


def first(procedure: Any) -> Any:
    yield next(procedure)


def gaps(battle: Battle, target: int = 1) -> Any:
    """From the edge of each member to the boundary of the target."""
    situation = situation_of(battle)
    return shapely.distance(
        shapely.points(situation.places(0)), situation.outline(target)
    ) - situation.radius(0)


@pytest.mark.rule("emlia.charge.move")
def test_more_than_the_nearest_members_of_an_open_line_reach_a_narrow_block(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LOOSE, troops.ranked(4, 4, (100, 57), side="Bob", facing=180))

    event = charged(battle, play)

    assert event.facts.reached
    # As one body the line has members in reach only where it faces the block: at x 98.5 and 101.5.
    able = able_against(battle, 0, 1)
    assert able.tolist() == [False] * 3 + [True] * 4 + [False] * 3
    assert gaps(battle)[able] == pytest.approx(1 - SHORT, abs=0.07)


@pytest.mark.rule("emlia.charge.move")
def test_each_member_runs_straight_at_what_is_nearest_to_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(LOOSE, {"at": (100, 64), "side": "Bob", "formation": "close"})
    start = pose_of(battle, 0)

    charged(battle, play)

    first_spots = turned(start, battle.state.units.integer("facing", 0)).places
    spots, goal = situation_of(battle).places(0), situation_of(battle).outline(1)
    nearest = shapely.get_coordinates(shapely.shortest_line(shapely.points(first_spots), goal))[
        1::2
    ]
    ran, whole = spots - first_spots, nearest - first_spots
    cross = ran[:, 0] * whole[:, 1] - ran[:, 1] * whole[:, 0]
    assert np.abs(cross / np.hypot(*whole.T)).max() < 1 / 256
    assert (np.hypot(*ran.T) <= 15 + 1 / 256).all()


@pytest.mark.rule("emlia.charge.move")
def test_who_meets_a_rock_on_his_own_line_halts_before_it(
    field_of_battle: Build, play: Play
) -> None:
    """The line halts at a corner of the block, but members at its end run farther, at an angle."""
    block = troops.ranked(4, 4, (100, 57), side="Bob", facing=225)
    rock = {"kind": "rock", "box": (104.5, 57.5, 105.5, 58.5), "height": 9}
    bare, battle = field_of_battle(LOOSE, block), field_of_battle(LOOSE, block, terrain=[rock])

    charged(bare, play)
    charged(battle, play)

    box = shapely.box(*rock["box"])
    on_it, at_it = (
        shapely.distance(shapely.points(situation_of(one).places(0)), box).min()
        for one in (bare, battle)
    )
    assert on_it < 0.1
    assert at_it > 0.5


@pytest.mark.rule("emlia.charge.move")
def test_members_who_meet_a_fellow_halt_and_touch_it(field_of_battle: Build, play: Play) -> None:
    column = {**LOOSE, "files": 2, "formation": "open"}
    battle = field_of_battle(column, {"at": (100, 64), "side": "Bob", "formation": "close"})

    charged(battle, play)

    spots = situation_of(battle).places(0)
    apart = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1)) + 9 * np.eye(10)
    assert apart.min() > 1 - 1 / 64
    assert (apart.min(axis=0) < 1 + 1 / 64).sum() > 2


@pytest.mark.rule("emlia.charge.move")
def test_no_member_runs_farther_than_a_normal_move(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(LOOSE, troops.ranked(4, 4, (100, 66), side="Bob", facing=180))
    start = pose_of(battle, 0)

    charged(battle, play)

    ran = np.hypot(*(situation_of(battle).places(0) - start.places).T)
    assert ran.max() == pytest.approx(15, abs=0.01)
    assert left_after(battle, 0, start, 1) == pytest.approx(15 - ran, abs=0.01)


@pytest.mark.rule("emlia.charge.move", "emlia.terrain.rough")
def test_slow_ground_holds_up_the_members_on_whose_line_it_lies(
    field_of_battle: Build, play: Play
) -> None:
    block = troops.ranked(4, 4, (100, 57), side="Bob", facing=180)
    scrub = {"kind": "scrub", "box": (106, 40, 130, 70)}
    battle = field_of_battle(LOOSE, block, terrain=[scrub])
    start = pose_of(battle, 0).places

    charged(battle, play)

    spots = situation_of(battle).places(0)
    ran = np.hypot(*(spots - start).T)
    assert spots[-1, 0] > 106
    assert (ran[0] > 8.5, ran[-1]) == (True, pytest.approx(7.5, abs=0.01))


@pytest.mark.rule("emlia.charge.move")
def test_a_close_unit_stays_in_formation(field_of_battle: Build, play: Play) -> None:
    block = troops.ranked(30, 30, (100, 60), side="Bob", facing=150)
    battle = field_of_battle({**LOOSE, "formation": "close"}, block)

    charged(battle, play)

    situation = situation_of(battle)
    assert able_against(battle, 0, 1).sum() > 1
    assert is_linked(situation.places(0), situation.radius(0), Formation.CLOSE)


@pytest.mark.rule("emlia.charge.move")
def test_a_member_does_not_run_onto_a_friend_who_stands_on_its_line(
    field_of_battle: Build, play: Play
) -> None:
    block = troops.ranked(4, 4, (100, 57), side="Bob", facing=180)
    friend = {"at": (108, 53.2), "formation": "open"}
    battle = field_of_battle(LOOSE, block, friend)

    charged(battle, play)

    discs = shapely.buffer(shapely.points(situation_of(battle).places(0)), 0.5 - 1 / 64)
    assert not shapely.intersects(discs, situation_of(battle).outline(2)).any()
    assert able_against(battle, 0, 1).sum() > 1


@pytest.mark.rule("emlia.charge.move")
def test_a_ranked_unit_charges_as_one_block(field_of_battle: Build, play: Play) -> None:
    block = troops.ranked(40, 40, (100, 64), side="Bob", facing=165)
    battle = field_of_battle(troops.ranked(10, 10, (100, 50)), block)

    charged(battle, play)

    assert (situation_of(battle).places(0) == pose_of(battle, 0).places).all()


@pytest.mark.rule("emlia.charge.move")
@pytest.mark.parametrize("members", [2, 3])
def test_few_members_run_in_on_one_enemy_each_along_its_own_line(
    field_of_battle: Build, play: Play, members: int
) -> None:
    """The nearest comes into reach, and the others halt where they touch it."""
    line = {**LOOSE, "members": members, "files": members}
    battle = field_of_battle(line, {"at": (100, 60), "side": "Bob", "formation": "close"})

    charged(battle, play)

    spots, far = situation_of(battle).places(0), gaps(battle)
    nearest = int(np.argmin(far))
    assert far[nearest] == pytest.approx(1 - SHORT, abs=0.02)
    apart = np.delete(np.hypot(*(spots - spots[nearest]).T), nearest)
    assert apart == pytest.approx(np.ones(members - 1), abs=0.02)


@pytest.mark.rule("emlia.charge.move")
def test_a_wall_behind_a_line_hinders_no_member(field_of_battle: Build, play: Play) -> None:
    wall = {"kind": "building", "box": (80, 45, 120, 49.5), "height": 5}
    block = troops.ranked(4, 4, (100, 57), side="Bob", facing=180)
    walled = field_of_battle(LOOSE, block, terrain=[wall])
    open_field = field_of_battle(LOOSE, block)

    for battle in (walled, open_field):
        charged(battle, play)

    assert situation_of(walled).places(0).tolist() == situation_of(open_field).places(0).tolist()
    assert able_against(walled, 0, 1).sum() == 4
