"""How far a giant goes over men so that it stands on none of them, by circles and by outlines."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from random import Random
from typing import Any

import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.force import Formation
from emlia3d.force.formation import footprint_corners
from emlia3d.rules.emlia.play.situation.free_places import farthest_corner, to_free_places
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.pose import Pose, gone, pose_of, radius_of

Build = Callable[..., Battle]

SLACK = 1 / 8
"""GSU by which a body may be in another, at most."""

GIANT: dict[str, Any] = {"at": (60, 40), "size": 8, "height": 8, "base": (4.0, 3.0)}


def bodies(pose: Pose) -> list[shapely.Geometry]:
    """What a unit takes up: each member of an open unit, the whole of any other."""
    if pose.drill.formation is Formation.OPEN:
        corners = footprint_corners(pose.drill, pose.own_places, pose.facing)
        return list(shapely.polygons(corners))
    return [pose.outline]


def meets(pose: Pose, others: list[shapely.Geometry], slack: float = 0.0) -> bool:
    own = [body.buffer(-slack, join_style="mitre") for body in bodies(pose)]
    return any(one.intersects(other) for one in own for other in others)


def farthest(
    battle: Battle, unit: int, way: int, distance: float, through: list[int], slack: float
) -> float:
    """The farthest free place, half a GSU at a time back from the end, by outlines alone."""
    start = pose_of(battle, unit)
    rows = [row for row in on_field(battle) if row not in (unit, *through)]
    near = [bodies(pose_of(battle, row)) for row in rows]
    # Whom it stands on already does not bar it.
    others = [body for men in near if not meets(start, men, SLACK) for body in men]
    step = distance
    while step > 0:
        if not meets(gone(start, way, step), others, slack):
            return step
        step -= 0.5
    return 0.0


@pytest.mark.parametrize("seed", range(60))
def test_a_giant_stops_where_it_stands_on_no_man(field_of_battle: Build, seed: int) -> None:
    chance = Random(seed)
    giant = {
        **GIANT, "members": chance.choice([1, 1, 3]), "files": 1,
        "formation": chance.choice(["open", "close"]),
    }  # fmt: skip
    men = [
        {"at": (chance.uniform(40, 80), chance.uniform(30, 75)), "members": count, "files": files,
         "facing": chance.randint(0, 359), "side": chance.choice(["Alice", "Bob"]),
         "formation": chance.choice(["open", "close", "ranked"] if count > 1 else ["open"])}
        for count, files in ((chance.randint(1, 9), 1) for _ in range(chance.randint(1, 6)))
    ]  # fmt: skip
    for unit in men:
        unit["files"] = chance.randint(1, unit["members"])
    battle = field_of_battle(giant, *men)
    way, distance = 64 * chance.choice([0, 0, 25, 315, 90, 180]), chance.uniform(3, 30)
    through = [1] if chance.random() < 0.2 else []

    found = to_free_places(battle, 0, pose_of(battle, 0), way, distance, through)

    narrow, wide = (farthest(battle, 0, way, distance, through, slack) for slack in (0.0, SLACK))
    assert narrow <= found <= wide


@pytest.mark.parametrize("movement", ["15G", "15F"])
@pytest.mark.parametrize("formation", ["open", "close"])
@pytest.mark.parametrize(
    ("ahead", "far", "goes"),
    [
        # Its footprint is a disc of 2 GSU, and one man of 1 GSU stands on its way.
        (20.0, 10.0, 10.0),
        (20.0, 18.5, 18.5),
        (20.0, 18.75, 18.25),
        (20.0, 21.25, 18.25),
        (20.0, 21.5, 21.5),
        (20.0, 30.0, 30.0),
        # No step is left between it and the man.
        (2.0, 2.0, 0.5),
        (1.5, 1.5, 0.0),
        (1.75, 0.5, 0.0),
        (30.0, 0.0, 0.0),
        (30.0, -1.0, 0.0),
    ],
)
def test_it_goes_back_half_a_gsu_at_a_time(
    field_of_battle: Build, movement: str, formation: str, ahead: float, far: float, goes: float
) -> None:
    """On the ground, or in flight where it would land."""
    man = {"at": (60, 40 + ahead), "side": "Bob", "formation": formation}
    battle = field_of_battle({**GIANT, "movement": movement}, man)

    assert to_free_places(battle, 0, pose_of(battle, 0), 0, far, ()) == goes


@pytest.mark.parametrize(
    ("mover", "other", "forced", "goes"),
    [
        # A man on a disc of 1 GSU passes between open men, and halts clear of them.
        ("open", "open", False, 9.0),
        # One who is forced mingles with them where he halts.
        ("open", "open", True, 10.0),
        # Whom he cannot pass at all is for the straight way to find.
        ("open", "close", False, 10.0),
        ("close", "open", False, 10.0),
    ],
)
def test_open_men_halt_among_each_other_only_when_forced(
    field_of_battle: Build, mover: str, other: str, forced: bool, goes: float
) -> None:
    battle = field_of_battle(
        {"at": (60, 40), "formation": mover}, {"at": (60, 50), "formation": other, "side": "Bob"}
    )

    assert to_free_places(battle, 0, pose_of(battle, 0), 0, 10.0, (), forced=forced) == goes


@pytest.mark.parametrize("far", [10.0, 10.5])
def test_it_halts_just_beside_a_block_whose_middle_it_passes(
    field_of_battle: Build, far: float
) -> None:
    """The block is 12 GSU long, and its flank 3 beside the way of a giant on a disc of 2."""
    ranks = {"members": 12, "files": 1, "formation": "ranked", "side": "Bob", "facing": 180}
    battle = field_of_battle(GIANT, {**ranks, "at": (63.5, 50)})

    assert to_free_places(battle, 0, pose_of(battle, 0), 0, far, ()) == far


@pytest.mark.parametrize(
    ("members", "files", "base", "corner", "turning"),
    [
        # Two ranks of four, and as two files of four after a right angle.
        (8, 4, (2.0, 2.0), hypot(4, 2) / 2, hypot(4, 2) / 2),
        # Riders in a line, and then one behind another, 8 GSU deep.
        (4, 4, (2.0, 4.0), hypot(4, 2) / 2, hypot(1, 8) / 2),
        (4, 1, (2.0, 4.0), hypot(1, 8) / 2, hypot(1, 8) / 2),
    ],
)
def test_how_far_from_its_middle_a_block_reaches(
    field_of_battle: Build,
    members: int,
    files: int,
    base: tuple[float, float],
    corner: float,
    turning: float,
) -> None:
    """As it stands, and however it turns."""
    unit = {"at": (50, 50), "members": members, "files": files, "formation": "ranked", "base": base}
    pose = pose_of(field_of_battle(unit), 0)

    assert farthest_corner(pose) == pytest.approx(corner)
    assert radius_of(pose.drill) == pytest.approx(turning)
