"""A block breaks its ranks where its men find room: on the field, beside others and terrain."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.force import Formation
from emlia3d.rules.emlia.play.engagement.ranks import broken_pose
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, reformed
from tests.rules.emlia import troops

Build = Callable[..., Battle]

STEP = 1 / 64
"""GSU by which the men keep back from others and from their own front line."""


def widest_with_room(battle: Battle, unit: int) -> Pose | None:
    """The pose in as many files as find room, by whole outlines alone."""
    pose = pose_of(battle, unit)
    field = shapely.box(0, 0, *battle.setup.field.size)
    others = shapely.union_all(obstacles_to(battle, unit))
    for files in range(pose.drill.files, 0, -1):
        end = reformed(pose, Formation.CLOSE, files)
        body = gone(end, pose.facing, -STEP).outline.buffer(-STEP)
        if field.covers(body) and not body.intersects(others):
            return end
    return None


@pytest.mark.rule("emlia.form.break-ranks")
@pytest.mark.parametrize("seed", range(60))
def test_ranks_are_broken_in_as_many_files_as_find_room(field_of_battle: Build, seed: int) -> None:
    chance = Random(seed)
    shape = chance.choice(
        [{}, {"base": (1.0, 2.0)}, {"base": (0.5, 0.5)}, {"base": (3.0, 2.0), "size": 3}]
    )
    files, ranks = chance.randint(1, 5), chance.randint(1, 3)
    facing = chance.choice([0, 90, 180, 270, 30])
    at = chance.choice([(30, 30), (30, 30), (30, 30), (4, 30), (56, 30), (30, 4), (30, 56)])
    block = troops.ranked(files, ranks, at, facing, **shape)
    block["members"] -= chance.randint(0, files - 1) if ranks > 1 else 0
    neighbours = [
        {"at": (at[0] + chance.uniform(-9, 9), at[1] + chance.uniform(-9, 9)), "members": 1,
         "formation": "close", "side": chance.choice(["Alice", "Bob"])}
        for _ in range(chance.randint(0, 5))
    ]  # fmt: skip
    rocks = [
        {"kind": "rock", "box": (x, y, x + 2, y + 2)}
        for x, y in (
            (at[0] + chance.uniform(-8, 6), at[1] + chance.uniform(-8, 6))
            for _ in range(chance.randint(0, 3))
        )
    ]
    battle = field_of_battle(block, *neighbours, terrain=rocks, size=(60.0, 60.0))

    assert broken_pose(battle, 0) == widest_with_room(battle, 0)


@pytest.mark.rule("emlia.form.break-ranks")
@pytest.mark.parametrize(
    ("front", "facing"),
    [((x, 30), 0) for x in (1.5, 2.0, 2.5, 30, 57.5, 58.0, 58.5)]
    + [((30, y), 90) for y in (0.5, 1.5, 2.0, 2.5, 30, 57.5, 58.0, 59.5)],
)
def test_no_man_breaks_ranks_over_the_edge(
    field_of_battle: Build, front: tuple[float, float], facing: int
) -> None:
    battle = field_of_battle(troops.ranked(3, 1, front, facing), size=(60.0, 60.0))

    assert broken_pose(battle, 0) == widest_with_room(battle, 0)


@pytest.mark.rule("emlia.form.break-ranks")
@pytest.mark.parametrize(
    ("gap", "has_room"),
    [(0.0, True), (0.25, True), (-1 / 32, True), (-1 / 16, False), (-0.5, False)],
)
def test_a_single_file_breaks_its_ranks_between_rocks_that_leave_it_its_width(
    field_of_battle: Build, gap: float, has_room: bool
) -> None:
    rocks: list[dict[str, Any]] = [
        {"kind": "rock", "box": (20, 20, 29.5 - gap, 40)},
        {"kind": "rock", "box": (30.5 + gap, 20, 40, 40)},
    ]
    battle = field_of_battle(troops.ranked(1, 3, (30, 30)), terrain=rocks, size=(60.0, 60.0))

    end = broken_pose(battle, 0)

    assert (end is not None) is has_room
