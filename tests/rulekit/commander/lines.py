"""Units, places and what a side knows of them, for the tests of plans."""

from __future__ import annotations

from typing import Any

from shapely import Polygon, box

from emlia3d.rulekit.commander.frame import Frame
from emlia3d.rulekit.commander.front import INTERVAL
from emlia3d.rulekit.commander.outlook import Brigade, Objective, Outlook
from emlia3d.rulekit.commander.unit_profile import UnitProfile

SPEED, WIDTH = 30.0, 32.0
NORTH = Frame(0)


def body(unit: int, x: float, y: float, **other: Any) -> UnitProfile:
    """Return a fit battalion that looks north, but for what is given."""
    usual: dict[str, Any] = {
        "unit": unit, "role": "line", "x": x, "y": y, "facing": 0, "width": WIDTH, "depth": 2.0,
        "speed": SPEED, "reach": 2 * SPEED, "bands": (30.0, 60.0, 100.0), "worth": 1.0,
        "is_fit": True, "is_broken": False, "is_engaged": False, "holds_formation": True,
    }  # fmt: skip
    return UnitProfile(**{**usual, **other})


def outlook(own: list[UnitProfile], foes: list[UnitProfile] | None = None, **other: Any) -> Outlook:
    """Return what a side knows that looks north on a field of 750 GSU a side."""
    usual: dict[str, Any] = {
        "own": tuple(own), "foes": tuple(foes or ()),
        "brigades": (Brigade(name="Foot", units=tuple(each.unit for each in own)),),
        "objectives": (), "frame": NORTH, "turn": 1, "turns": 12, "holds": False,
        "size": (750.0, 750.0), "rough": Polygon(), "places": {},
    }  # fmt: skip
    return Outlook(**{**usual, **other})


def objective(name: str, bounds: tuple[float, float, float, float], worth: float) -> Objective:
    """Return a place that the side is to take."""
    return Objective(name=name, outline=box(*bounds), worth=worth, takes=True)


def a_line(count: int, y: float = 100.0) -> list[UnitProfile]:
    """Return battalions side by side."""
    return [body(unit, 200 + unit * (WIDTH + INTERVAL), y) for unit in range(count)]
