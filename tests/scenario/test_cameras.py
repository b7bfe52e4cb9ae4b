"""``[cameras]``: the views that a scenario names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.setup import Viewpoint
from emlia3d.scenario import check, load, shipped

Write = Callable[..., Path]

VICTORY = '[[victory]]\nside = "Alice"'


def with_camera(write: Write, keys: str) -> Path:
    return write((VICTORY, f"[cameras.hill]\n{keys}\n\n{VICTORY}"))


def test_a_camera_looks_from_a_place_at_a_place_on_the_ground_or_above_it(write: Write) -> None:
    path = with_camera(write, "from = [10, 20, 6]\nat = [30, 40]\nangle = 50")

    assert load(path).setup.viewpoints == (
        Viewpoint(name="hill", eye=(10, 20, 6), look_at=(30, 40, 0), angle_deg=50),
    )


def test_a_camera_may_follow_a_unit(write: Write) -> None:
    path = with_camera(write, 'unit = "archers"')

    assert load(path).setup.viewpoints == (Viewpoint(name="hill", unit="archers"),)


@pytest.mark.parametrize(
    ("keys", "where", "told"),
    [
        ("from = [10, 20, 6]", "[cameras.hill]", "needs from and at"),
        ('unit = "archers"\nat = [1, 2]', "[cameras.hill]", "or unit"),
        ('unit = "archrs"', "unit =", "did you mean archers?"),
        ("from = [10]\nat = [30, 40]", "from =", "height units above the ground"),
        ("from = [10, 20]\nat = [30, 40]\nangle = 180", "angle =", "from 5 to 120"),
        ("form = [10, 20]\nat = [30, 40]", "form =", "did you mean from?"),
    ],
)
def test_a_camera_that_is_wrong_is_told_with_its_line(
    keys: str, where: str, told: str, write: Write
) -> None:
    path = with_camera(write, keys)
    rows = path.read_text(encoding="utf-8").split("\n")

    (diagnostic,) = check(path)

    assert told in diagnostic.message
    assert rows[(diagnostic.line or 0) - 1].startswith(where)


def test_what_ships_is_seen_from_a_hill_by_a_general_and_by_a_ranker() -> None:
    for name, _, _ in shipped():
        named = [point.name for point in load(name).setup.viewpoints]
        assert named == ["overview", "general", "ranker"], name
