"""The pace of the window: the parts of a battle that are shown at once."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Pace: TypeAlias = Literal["unit", "phase", "turn"]

PACES: tuple[Pace, ...] = get_args(Pace)

PACE_WORDS: dict[Pace, str] = {
    "unit": "unit by unit",
    "phase": "a phase at once",
    "turn": "a turn at once",
}
