"""Lines of sight over heights, many at once, beside plain geometry of one line."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from shapely import LineString, Point, Polygon

from emlia3d.battle.battle import Battle
from emlia3d.rules.oathmark.blocks import Block, blocks_of, entry_of
from emlia3d.rules.oathmark.sight import Blockers, line_heights, line_heights_of
from tests.rules.oathmark.tables import HOME, INCH, SOLDIER, one_hill, piece, table

HEIGHT_UNIT = 1.83 / (1.6 / INCH)
"""Millimetres of a height unit."""

EYE, AIM = 25.4, 12.7
"""Heights of the ends of a line above the ground, mm."""

HILLS = {"low hill": ((-300, -40, -100, 120), 20.0), "high hill": ((80, 20, 200, 240), 60.0)}
"""Boxes from `HOME` and heights, mm."""

UNITS: tuple[dict[str, Any], ...] = (
    {**SOLDIER, "members": 5, "officer": (-200, 40), "facing": 30, "name": "on the hill"},
    {**SOLDIER, "members": 5, "officer": (20, 60), "facing": 75, "name": "on the flat"},
    {**SOLDIER, "members": 1, "base": [75, 75], "abilities": {"enormous": 1},
     "side": "Blue", "officer": (-20, -120), "name": "giant"},
    {**SOLDIER, "members": 1, "base": [50, 50], "abilities": {"large": 1},
     "side": "Blue", "officer": (140, 130), "name": "troll"},
)  # fmt: skip


def hilly() -> Battle:
    """Return a battle of four units, two of them on hills."""
    hills = [
        piece("hill", *edges, height=height / HEIGHT_UNIT, name=name)
        for name, (edges, height) in HILLS.items()
    ]
    return table(*UNITS, terrain=hills)


def outline(name: str) -> Polygon:
    """Return the outline of a hill."""
    (west, south, east, north), _ = HILLS[name]
    x, y = HOME
    return Polygon([(x + a, y + b) for a, b in
                    [(west, south), (east, south), (east, north), (west, north)]])  # fmt: skip


def ground(spot: tuple[float, float]) -> float:
    """Return the height of the ground at a place, mm."""
    return sum(high for name, (_, high) in HILLS.items() if outline(name).contains(Point(spot)))


def stoppers(
    battle: Battle, start: tuple[float, float], end: tuple[float, float]
) -> set[str] | None:
    """Return whatever stops one line; None if that hangs on less than a millimetre."""
    line, found = LineString([start, end]), set[str]()
    eye, aim = ground(start) + EYE, ground(end) + AIM
    bodies: list[tuple[str, Polygon, float, tuple[float, ...]]] = [
        (each["name"], Polygon(blocks_of(battle).of[row].footprints.corners()[0]),
         entry_of(battle.setup, row).height * INCH, (0.0, 0.5, 1.0))
        for row, each in enumerate(UNITS)
    ]  # fmt: skip
    bodies += [(name, outline(name), high, (0.0, 1.0)) for name, (_, high) in HILLS.items()]
    for name, shape, top, marks in bodies:
        part = line.intersection(shape)
        if part.is_empty:
            if line.distance(shape) < 1:
                return None
            continue
        if part.length < 1:
            return None
        first, last = (line.project(Point(spot)) for spot in part.coords)
        for mark in marks:
            at = (first + (last - first) * mark) / line.length
            spot = line.interpolate(at, normalized=True)
            if any(0 < spot.distance(outline(hill).exterior) < 1 for hill in HILLS if hill != name):
                return None
            stands = 0.0 if name in HILLS else ground((spot.x, spot.y))
            over = eye + (aim - eye) * at - stands - top
            if abs(over) < 1:
                return None
            if over < 0:
                found.add(name)
    return found


def test_many_lines_at_once_are_stopped_as_each_alone() -> None:
    battle, random = hilly(), Random(5)
    lines = [
        tuple((HOME[0] + random.uniform(-330, 260), HOME[1] + random.uniform(-220, 260))
              for _ in range(2))
        for _ in range(700)
    ]  # fmt: skip
    judged = [(each, stoppers(battle, each[0], each[1])) for each in lines]
    judged = [(each, found) for each, found in judged if found is not None]
    ends = np.array([each for each, _ in judged])

    by = Blockers(battle, -1, (), []).stopped(ends[:, 0], ends[:, 1])

    for name, (line, found) in zip(by.tolist(), judged, strict=True):
        assert (name in found) if found else name == "", (line, found, name)
    told = by.tolist()
    assert len(judged) > 400
    assert all(told.count(name) > 3 for name in (*HILLS, "", *(each["name"] for each in UNITS)))


@pytest.mark.rule("oathmark.geometry.elevation")
def test_heights_of_lines_rise_and_fall_with_the_ground_at_their_ends() -> None:
    lines, part = np.array([2, 0]), np.array([0.0, 0.25])
    heights = [np.array([100.0, 1.0, 50.8]), np.array([20.0, 2.0, 0.0])]

    # An eye 25.4 mm over 50.8; a quarter of the way from 125.4 down to 32.7.
    assert line_heights_of(heights, lines, part).tolist() == pytest.approx([76.2, 102.225])
    assert line_heights(50.8, 0.0, np.array([0.0, 0.5, 1.0])).tolist() == pytest.approx(
        [76.2, 44.45, 12.7]
    )


@pytest.mark.rule("oathmark.shoot.los-blockers")
@pytest.mark.parametrize(
    ("ability", "height", "side", "stops"),
    [
        ("fire over", {}, "Red", False), ("fire over", {}, "Blue", True),
        ("fire over", {"large": 1}, "Red", True), ("fire over", {"enormous": 1}, "Red", True),
        ("indirect fire", {"enormous": 1}, "Blue", False), ("aimed fire", {}, "Red", True),
    ],
)  # fmt: skip
def test_who_stops_the_lines_of_a_shooter(
    ability: str, height: dict[str, int], side: str, stops: bool
) -> None:
    shooter = {**SOLDIER, "members": 1, "abilities": {ability: 1}}
    other = {**SOLDIER, "side": side, "members": 1, "abilities": height, "officer": (0, 100)}
    battle = table(shooter, {**other, "name": "between"}, {**SOLDIER, "officer": (400, 0)})
    start, end = np.array([HOME]), np.array([(HOME[0], HOME[1] + 200)])

    (by,) = Blockers(battle, 0, (0,), []).stopped(start, end)
    (free,) = Blockers(battle, 0, (0, 1), []).stopped(start, end)

    assert by == ("between" if stops else "")
    assert free == ""


@pytest.mark.rule("oathmark.geometry.elevation")
@pytest.mark.parametrize(("south", "stopped_by"), [(145, "knoll"), (-145, "")])
def test_a_hill_adds_its_height_to_the_ground_below_it(south: int, stopped_by: str) -> None:
    # The knoll is 6 mm high, less than a line is over the plain, but it lies on a mound.
    relief = one_hill(120, 6)
    knoll = piece("hill", -100, south, 100, south + 20, height=6 / HEIGHT_UNIT, name="knoll")
    battle = table(SOLDIER, terrain=[knoll], field=relief)
    away = 300.0 if south > 0 else -300.0
    start, end = np.array([HOME]), np.array([(HOME[0], HOME[1] + away)])

    (by,) = Blockers(battle, 0, (0,), []).stopped(start, end)

    assert by == stopped_by


@pytest.mark.rule("oathmark.geometry.elevation")
@pytest.mark.parametrize(("farther", "stopped_by"), [(-1.0, ""), (0.0, ""), (1.0, "between")])
@pytest.mark.parametrize("bearing", [0, 90])
def test_a_line_that_touches_the_top_of_a_body_is_clear(
    farther: float, stopped_by: str, bearing: int
) -> None:
    # From 12.7 + 25.4 mm down to 12.7: half way the line is an inch high, as high as the body.
    mound = piece("hill", -30, -30, 30, 30, height=12.7 / HEIGHT_UNIT, name="mound")
    frame = Block(0, 0, bearing * 64, 1, 1, 25, 25)
    body = {**SOLDIER, "members": 1, "facing": bearing, "name": "between"}
    battle = table(
        {**SOLDIER, "members": 1}, {**body, "officer": frame.at(0, 100 - 12.5 + farther)},
        terrain=[mound],
    )  # fmt: skip
    x, y = frame.at(0, 200)

    (by,) = Blockers(battle, 0, (0,), []).stopped(
        np.array([HOME]), np.array([(HOME[0] + x, HOME[1] + y)])
    )

    assert by == stopped_by


@pytest.mark.rule("oathmark.geometry.elevation")
@pytest.mark.parametrize(("farther", "stopped_by"), [(-1.0, ""), (0.0, ""), (1.0, "knoll")])
def test_a_line_that_touches_the_top_of_a_hill_is_clear(farther: float, stopped_by: str) -> None:
    # The knoll is an inch high and ends where the line has come down to that.
    mound = piece("hill", -30, -30, 30, 30, height=12.7 / HEIGHT_UNIT, name="mound")
    knoll = piece("hill", -30, 50, 30, 100 + farther, height=25.4 / HEIGHT_UNIT, name="knoll")
    battle = table({**SOLDIER, "members": 1}, terrain=[mound, knoll])

    (by,) = Blockers(battle, 0, (0,), []).stopped(
        np.array([HOME]), np.array([(HOME[0], HOME[1] + 200)])
    )

    assert by == stopped_by
