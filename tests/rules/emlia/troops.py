"""Troops and weapons that tests of Emlia have in common."""

from __future__ import annotations

from typing import Any

SPEARS = {"name": "Spears", "base_damage": 1}
MUSKETS = {"name": "Muskets", "base_damage": 1, "range": (20, 40, 80), "use": ["aimed fire"]}
LONGBOW = {
    "name": "Longbow",
    "base_damage": 3,
    "volley_damage": 1,
    "range": (40, 80, 120),
    "coverage": {"start": 1, "increment": 1, "limit": 1, "per_weapon": True, "drift": 10},
}
AIMED_LONGBOW = {
    "name": "Longbow",
    "base_damage": 3,
    "range": (40, 80, 120),
    "abilities": ("large falloff 1",),
}
"""For aimed fire alone."""

FOOT: dict[str, Any] = {
    "members": 20, "files": 10, "formation": "ranked", "weapons": [SPEARS],
    "skills": {"close combat": "10/4"},
}  # fmt: skip
MUSKETEERS: dict[str, Any] = {
    **FOOT,
    "weapons": [SPEARS, MUSKETS],
    "skills": {"close combat": "5/4", "aimed fire": "10/4"},
}


def ranked(
    files: int, ranks: int, front: tuple[float, float], facing: int = 0, **more: Any
) -> dict[str, Any]:
    """Alice's men in ranks on cells of 1 x 1 GSU, the middle of their front line at `front`."""
    return {
        "formation": "ranked", "members": files * ranks, "files": files, "front": front,
        "facing": facing, **more,
    }  # fmt: skip


def theirs(
    files: int, ranks: int, front: tuple[float, float], facing: int = 180, **more: Any
) -> dict[str, Any]:
    """Bob's men in ranks, who look south."""
    return ranked(files, ranks, front, facing, side="Bob", **more)
