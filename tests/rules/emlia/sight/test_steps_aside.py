"""What would alter a sight is the same on a board that is turned."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin
from typing import Any

import pytest
from shapely import Polygon, affinity, box

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.questions import what_if
from emlia3d.rules.emlia.play.questions.what_if import alterations

Build = Callable[..., Battle]
MIDDLE = (100.0, 100.0)


def turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    """A place turned clockwise about the middle of the board."""
    turn, east, north = radians(degrees), x - MIDDLE[0], y - MIDDLE[1]
    return (
        MIDDLE[0] + east * cos(turn) + north * sin(turn),
        MIDDLE[1] - east * sin(turn) + north * cos(turn),
    )


def altered(build: Build, degrees: float) -> dict[tuple[str, str], tuple[float | None, str]]:
    """A guard south of a keep that is wider to the west, and a raider north of it."""
    keep = affinity.rotate(box(97, 96, 100.6, 100), -degrees, origin=MIDDLE)
    guard: dict[str, Any] = {
        "at": turned(100, 70, degrees), "facing": degrees, "name": "guard", "base": (1, 1),
    }  # fmt: skip
    raider = {
        "at": turned(100, 130, degrees), "facing": degrees + 180, "name": "raider", "side": "Bob",
        "base": (1, 1),
    }  # fmt: skip
    terrain = {"kind": "keep", "outline": Polygon(keep.exterior.coords), "height": 6}
    battle = build(guard, raider, terrain=[terrain])
    return {
        (each.who, each.what): (each.amount, each.verdict) for each in alterations(battle, 0, 1)
    }


@pytest.mark.parametrize("degrees", [90, 37])
def test_steps_left_and_right_are_to_the_left_and_right_of_the_other_unit(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch, degrees: float
) -> None:
    monkeypatch.setattr(what_if, "FARTHEST", 2)
    north = altered(field_of_battle, 0)

    found = altered(field_of_battle, degrees)

    assert set(found) == set(north)
    assert {key for key in north if key[1].startswith("step")} == {
        ("guard", "step right"), ("raider", "step left"),
    }  # fmt: skip
    for key, (amount, verdict) in north.items():
        assert found[key][1] == verdict
        assert found[key][0] == pytest.approx(amount, abs=0.11)


@pytest.mark.parametrize(
    ("farthest", "is_found"), [(2, True), (1, False)], ids=["far enough", "not so far"]
)
def test_amounts_are_told_in_tenths_up_to_the_farthest_that_is_looked_for(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch, farthest: int, is_found: bool
) -> None:
    """From 1.6 higher on the wall is less than half as high as the guard."""
    monkeypatch.setattr(what_if, "FARTHEST", farthest)
    wall = {"kind": "wall", "box": (80, 100, 120, 101), "height": 1.3, "body": "sparse"}
    guard = {"at": (100, 70), "name": "guard", "size": 1, "height": 1.5}
    battle = field_of_battle(
        guard, {"at": (100, 130), "name": "raider", "side": "Bob", "height": 1.5}, terrain=[wall]
    )

    higher = [each.amount for each in alterations(battle, 0, 1) if each.who == "guard"]

    assert (len([amount for amount in higher if amount is not None]) > 0) is is_found
    assert all(0 < amount <= farthest for amount in higher if amount is not None)


def test_a_unit_above_another_has_no_left_or_right(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(what_if, "FARTHEST", 1)
    battle = field_of_battle(
        {"at": (100, 100), "on_height": 9.0}, {"at": (100, 100), "side": "Bob", "on_height": 0.0}
    )

    assert not [each for each in alterations(battle, 0, 1) if each.what.startswith("step")]
