"""What is derived from an earlier layout of the field is what a fresh computation finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from shapely import Polygon

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change, Leave, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.sight.body_distances import BodyDistances
from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]

THREE: tuple[dict[str, Any], ...] = (
    {"at": (40, 40), "members": 6, "files": 3},
    {"at": (60, 80), "members": 4, "files": 4, "formation": "ranked"},
    {"at": (100, 120), "side": "Bob", "height": 2},
)
L_SHAPED = Polygon(((70, 70), (80, 70), (80, 72), (72, 72), (72, 80), (70, 80)))


def move(battle: Battle, unit: int, east: float, north: float) -> tuple[Change, ...]:
    pose = pose_of(battle, unit)
    return pose.at(pose.x + east, pose.y + north, pose.facing).changes(unit)


def feature(row: int, present: int) -> Change:
    return Set(table="feature", row=row, column="present", value=present)


def contents(scene: SightScene) -> Iterator[object]:
    bodies = scene.bodies
    yield scene.numbers, scene.row_of.tolist(), scene.convex.tolist(), len(bodies)
    yield bodies.base.tolist(), bodies.height.tolist(), bodies.solid.tolist()
    yield bodies.boxes.tolist(), bodies.to_centroids.tolist(), bodies.x.tolist(), bodies.y.tolist()


CHANGES: list[Callable[[Battle], tuple[Change, ...]]] = [
    lambda _: (),
    lambda battle: move(battle, 0, 5, 0),
    lambda battle: move(battle, 2, 0, -30),
    lambda _: (Leave(unit=0),),
    lambda _: (Leave(unit=1), Leave(unit=2)),
    lambda _: (feature(0, 0),),
    lambda _: (feature(1, 0), Leave(unit=0)),
    lambda battle: (Leave(unit=1), *move(battle, 2, 3, 3), feature(0, 0), feature(1, 0)),
]


@pytest.mark.parametrize("before", CHANGES)
@pytest.mark.parametrize("after", CHANGES)
def test_a_scene_takes_over_only_the_bodies_that_are_as_they_were(
    field_of_battle: Build,
    before: Callable[[Battle], tuple[Change, ...]],
    after: Callable[[Battle], tuple[Change, ...]],
) -> None:
    terrain = [
        {"kind": "rock", "height": 3, "box": (20, 60, 30, 66)},
        {"kind": "wall", "height": 2, "outline": L_SHAPED},
    ]
    battle = field_of_battle(*THREE, terrain=terrain)
    first, second = battle.fork(), battle.fork()
    first.happen(Event(facts=Unread(event="put"), changes=before(first)))
    second.happen(Event(facts=Unread(event="put"), changes=after(second)))

    found = SightScene(second, situation_of(second), SightScene(first, situation_of(first)))

    assert [*contents(found)] == [*contents(SightScene(second, situation_of(second)))]


@pytest.mark.parametrize("alone", [0, 2])
def test_a_scene_of_one_body_is_followed_by_one_of_several(
    field_of_battle: Build, alone: int
) -> None:
    battle = field_of_battle(*THREE)
    before = battle.fork()
    gone = tuple(Leave(unit=unit) for unit in range(3) if unit != alone)
    before.happen(Event(facts=Unread(event="put"), changes=gone))

    found = SightScene(battle, situation_of(battle), SightScene(before, situation_of(before)))

    assert [*contents(found)] == [*contents(SightScene(battle, situation_of(battle)))]
    assert found.name(2) == "unit 2"


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_distances_to_bodies_are_measured_again_when_either_has_moved(
    field_of_battle: Build, moved: int
) -> None:
    battle = field_of_battle(*THREE)
    every = [(unit, body) for unit in range(3) for body in range(3) if unit != body]
    units, bodies = np.array(every, dtype=np.intp).T
    gaps = BodyDistances()
    before = gaps.depth(SightScene(battle, situation_of(battle)), units, bodies)

    battle.happen(Event(facts=Unread(event="put"), changes=move(battle, moved, 7, 1)))
    gaps.forget(np.array([moved]))
    after = gaps.depth(SightScene(battle, situation_of(battle)), units, bodies)

    assert [moved in pair for pair in every] == (before != after).tolist()
    assert (
        after.tolist()
        == BodyDistances().depth(SightScene(battle, situation_of(battle)), units, bodies).tolist()
    )


def test_a_fork_looks_at_its_own_bodies_though_nothing_has_moved(field_of_battle: Build) -> None:
    battle = field_of_battle(*THREE)
    before = sight_cache_of(battle).scene

    fork = battle.fork()

    assert sight_cache_of(battle).scene is before
    assert sight_cache_of(fork).scene.moment is fork
    assert sight_cache_of(fork).scene.situation is situation_of(fork)
