"""How far a push takes a unit: up to the edge, to others, and to whom it meets on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, Unread
from emlia3d.force import Formation
from emlia3d.force.facing import facing_of_degrees
from emlia3d.force.formation import FormationLayout
from emlia3d.rules.emlia.play.engagement.pushes import Push, Pusher
from emlia3d.rules.emlia.play.engagement.shoves import PushedMove, apart, shoves_of
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of, standing
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man

Build = Callable[..., Battle]
NORTH, EAST, SOUTH, WEST = (0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)


def push(way: tuple[float, float], far: float, *body: int, by: int = 0) -> Push:
    """A push of some units, so many GSU one way, by the unit of that number."""
    pusher = Pusher(unit=by, net=int(far), way=way, distance=far, presses=1)
    return Push(body=body, by=(pusher,))


def loose(x: float, y: float, side: str = "Bob", **more: Any) -> dict[str, Any]:
    return man(x, y, side, **{"formation": "open", **more})


@pytest.mark.rule("emlia.forced.vector-sum", "emlia.move.leave")
@pytest.mark.parametrize(
    ("at", "way", "far", "goes"),
    [
        ((100, 60), NORTH, 3.0, 3.0),
        # A sixteenth of a GSU and more is a move.
        ((100, 60), NORTH, 1 / 8, 1 / 8),
        ((100, 60), NORTH, 1 / 16, 1 / 16),
        ((100, 60), NORTH, 0.06, 0.0),
        ((100, 60), NORTH, 1 / 32, 0.0),
        # Each edge of a field of 200 x 120 ends it; a man of 1 GSU begins half a GSU from it.
        ((100, 118.5), NORTH, 3.0, 1.0),
        ((100, 118.5), SOUTH, 3.0, 3.0),
        ((100, 2.0), SOUTH, 3.0, 1.5),
        ((100, 2.0), NORTH, 3.0, 3.0),
        ((198.25, 60), EAST, 3.0, 1.25),
        ((198.25, 60), WEST, 3.0, 3.0),
        ((1.25, 60), WEST, 3.0, 0.75),
        ((1.25, 60), EAST, 3.0, 3.0),
        # Diagonally, to the edge that is met first.
        ((198.6, 60), (0.6, 0.8), 3.0, 1.5),
        ((1.4, 60), (-0.6, 0.8), 3.0, 1.5),
        ((100, 1.3), (0.6, -0.8), 3.0, 1.0),
        ((198.6, 118.7), (0.6, 0.8), 3.0, 1.0),
        ((199.75, 60), EAST, 3.0, 0.0),
    ],
)
def test_a_push_goes_as_far_as_it_is_long_and_ends_at_the_edge(
    field_of_battle: Build,
    at: tuple[float, float],
    way: tuple[float, float],
    far: float,
    goes: float,
) -> None:
    battle = field_of_battle(man(50, 60), loose(*at), size=(200.0, 120.0))

    shove = shoves_of(battle, push(way, far, 1), [1])[1]

    assert shove.distance == pytest.approx(goes, abs=0.02)
    assert (shove.wanted, shove.by_terrain) == (pytest.approx(far), False)


@pytest.mark.rule("emlia.forced.collision-order")
@pytest.mark.parametrize(
    ("pushed", "met", "moves_too", "goes"),
    [
        ("open", "open", False, 3.0),
        ("open", "close", False, 1.0),
        ("close", "open", False, 1.0),
        ("close", "close", False, 1.0),
        ("close", "close", True, 3.0),
    ],
)
def test_only_open_units_mingle_and_who_moves_itself_stops_nobody(
    field_of_battle: Build, pushed: str, met: str, moves_too: bool, goes: float
) -> None:
    battle = field_of_battle(
        man(50, 60),
        loose(100, 60, members=2, files=2, formation=pushed),
        loose(100, 62, members=2, files=2, formation=met),
    )

    shove = shoves_of(battle, push(NORTH, 3.0, 1), [1, 2] if moves_too else [1])[1]

    assert shove.distance == pytest.approx(goes, abs=0.1)
    assert not shove.by_terrain


@pytest.mark.rule("emlia.forced.terrain")
@pytest.mark.parametrize(
    ("wall", "unit", "goes", "by_terrain"),
    [
        (62.5, None, 2.0, True),
        (70.0, None, 3.0, False),
        (None, 61.5, 1.0, False),
        (62.5, 61.5, 1.0, False),
        (61.5, 62.5, 1.0, True),
    ],
)
def test_what_is_met_first_ends_a_push_and_terrain_is_told_from_units(
    field_of_battle: Build, wall: float | None, unit: float | None, goes: float, by_terrain: bool
) -> None:
    terrain = [{"kind": "building", "box": (90, wall, 110, wall + 2)}] if wall else []
    others = [man(100, unit + 0.5, "Bob", formation="close")] if unit else []
    battle = field_of_battle(
        man(50, 60), man(100, 60, "Bob", formation="close"), *others, terrain=terrain
    )

    shove = shoves_of(battle, push(NORTH, 3.0, 1), [1])[1]

    assert shove.distance == pytest.approx(goes, abs=0.05)
    assert shove.by_terrain is by_terrain


@pytest.mark.rule("emlia.skirmish.shift", "emlia.forced.terrain")
@pytest.mark.parametrize(
    ("walls", "guard", "goes", "by_terrain"),
    [
        ((), None, 3.0, (False, False)),
        ((99.0,), None, 2.0, (True, False)),
        ((103.0,), None, 2.0, (False, True)),
        ((99.0, 103.0), None, 2.0, (True, True)),
        # A wall that is farther than a unit which stops another of the skirmish ends nothing.
        ((99.0,), 104.0, 1.0, (False, False)),
        ((), 104.0, 1.0, (False, False)),
    ],
)
def test_a_skirmish_goes_as_far_as_the_first_of_it_that_is_stopped(
    field_of_battle: Build,
    walls: tuple[float, ...],
    guard: float | None,
    goes: float,
    by_terrain: tuple[bool, bool],
) -> None:
    terrain = [{"kind": "building", "box": (west, 62.5, west + 2, 65)} for west in walls]
    guards = [man(guard, 62, formation="close")] if guard else []
    battle = field_of_battle(
        loose(100, 60), loose(104, 60, "Alice"), man(50, 60), *guards, terrain=terrain
    )

    shoves = shoves_of(battle, push(NORTH, 3.0, 0, 1, by=2), [0, 1])

    assert [shoves[unit].distance for unit in (0, 1)] == pytest.approx([goes] * 2, abs=0.02)
    assert tuple(shoves[unit].by_terrain for unit in (0, 1)) == by_terrain


@pytest.mark.rule("emlia.skirmish.shift", "emlia.forced.terrain")
@pytest.mark.parametrize(
    ("astray", "body", "keeps"),
    [
        # Alone it takes the places of its formation; in a skirmish its members keep theirs.
        (True, (1,), False),
        (True, (1, 2), True),
        (False, (1,), True),
        (False, (1, 2), True),
    ],
)
def test_members_of_a_skirmish_keep_the_places_where_they_stand(
    field_of_battle: Build, astray: bool, body: tuple[int, ...], keeps: bool
) -> None:
    pair = {"members": 2, "files": 2, "formation": "close"}
    battle = field_of_battle(man(50, 60), man(100, 60, "Bob", **pair), man(104, 60))
    usual = pose_of(battle, 1).own_places
    spots = usual + np.array([[0, 0], [0.5, 2.0]]) * astray
    changes = standing(battle, 1, spots, usual)
    battle.happen(Event(facts=Unread(event="put"), changes=changes))

    shove = shoves_of(battle, push(NORTH, 2.0, *body), [1, 2])[1]

    where = situation_of(battle).outline(1) if keeps else pose_of(battle, 1).outline
    assert shove.outline.equals(where)
    assert situation_of(battle).outline(1).equals(pose_of(battle, 1).outline) is not astray


# Two that are moved into one place


def shove(
    x: float,
    way: int,
    distance: float,
    y: float = 0.0,
    formation: Formation = Formation.CLOSE,
    by_terrain: bool = True,
) -> PushedMove:
    """The move of a body of 2 x 2 GSU whose middle is at (x, y)."""
    drill = FormationLayout(formation=formation, count=4, files=2, width=1.0, depth=1.0)
    pose = Pose(x=x, y=y + 1, facing=0, drill=drill)
    outline = box(x - 1, y - 1, x + 1, y + 1)
    return PushedMove(pose, facing_of_degrees(way), distance, distance, by_terrain, outline)


ONLY = {0: 0, 1: 1, 2: 2}


@pytest.mark.rule("emlia.forced.collision-order", "emlia.forced.simultaneous")
@pytest.mark.parametrize(
    ("shoves", "body", "gone"),
    [
        # Towards each other over a gap of 4: who is to go farther is as much faster.
        ([shove(0, 90, 3), shove(6, 270, 3)], ONLY, (2.0, 2.0)),
        ([shove(0, 90, 4.5), shove(6, 270, 1.5)], ONLY, (3.0, 1.0)),
        ([shove(0, 90, 3), shove(6, 270, 1)], ONLY, (3.0, 1.0)),
        ([shove(0, 90, 1), shove(6, 270, 1)], ONLY, (1.0, 1.0)),
        # Into who does not get away in time, and behind who does.
        ([shove(0, 90, 6), shove(6, 90, 1)], ONLY, (4.8, 0.8)),
        ([shove(0, 90, 6), shove(6, 90, 2)], ONLY, (6.0, 2.0)),
        # Side by side, and one before the other, they touch and are in nobody's way.
        ([shove(0, 0, 4), shove(2, 0, 4)], ONLY, (4.0, 4.0)),
        ([shove(0, 90, 4), shove(2, 90, 4)], ONLY, (4.0, 4.0)),
        # They pass where they would not end.
        ([shove(0, 90, 12), shove(6, 270, 12)], ONLY, (12.0, 12.0)),
        # Across.
        ([shove(0, 90, 6), shove(6, 0, 6, y=-6)], ONLY, (4.0, 4.0)),
        # Two that are moved together stop together, and never stop each other.
        ([shove(0, 90, 3), shove(6, 270, 3), shove(0, 90, 3, y=10)], {0: 0, 1: 1, 2: 0},
         (2.0, 2.0, 2.0)),
        ([shove(0, 90, 3), shove(6, 270, 3), shove(0, 90, 3, y=10)], ONLY, (2.0, 2.0, 3.0)),
        ([shove(0, 90, 3), shove(6, 270, 3)], {0: 0, 1: 0}, (3.0, 3.0)),
        # Open units mingle.
        ([shove(0, 90, 3, formation=Formation.OPEN), shove(6, 270, 3, formation=Formation.OPEN)],
         ONLY, (3.0, 3.0)),
        ([shove(0, 90, 3), shove(6, 270, 3, formation=Formation.OPEN)], ONLY, (2.0, 2.0)),
        # The third is stopped by one that was stopped before it.
        ([shove(0, 90, 3), shove(6, 270, 3), shove(-6, 90, 8)], ONLY, None),
    ],
)  # fmt: skip
def test_moves_that_would_end_in_one_place_end_as_they_touch(
    shoves: list[PushedMove], body: dict[int, int], gone: tuple[float, ...] | None
) -> None:
    met = apart(dict(enumerate(shoves)), body)

    if gone is not None:
        assert [met[unit].distance for unit in met] == pytest.approx(list(gone), abs=0.08)
        free = [unit for unit in met if gone[unit] == shoves[unit].distance]
        assert [met[unit] for unit in free] == [shoves[unit] for unit in free]
    for unit, before in enumerate(shoves):
        # Terrain has not stopped whom another has.
        stopped = met[unit].distance < before.distance
        assert met[unit].by_terrain is not stopped
        assert (met[unit].wanted, met[unit].way) == (before.wanted, before.way)
    if gone is None:
        # Each ends where it touches the next: from 0 and 6 the first two end at 2 and 4.
        ends = [met[unit].start.x + (1, -1, 1)[unit] * met[unit].distance for unit in range(3)]
        assert ends[1] - ends[0] == pytest.approx(2, abs=0.1)
        assert ends[0] - ends[2] == pytest.approx(2, abs=0.1)


@pytest.mark.rule("emlia.forced.collision-order")
def test_the_push_of_ranks_takes_a_whole_block_with_its_rear(field_of_battle: Build) -> None:
    battle = field_of_battle(troops.ranked(4, 2, (100, 100)), troops.theirs(4, 3, (100, 101)))

    shove = shoves_of(battle, push(NORTH, 2.0, 1), [1])[1]

    assert shove.outline.bounds == pytest.approx((98, 101, 102, 104))
    assert (shove.end.x, shove.end.y, shove.end.facing) == (100, 103, facing_of_degrees(180))
