"""Where flight leads that no terrain bars: straight home, over the own edge, or a little aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from shapely import Polygon

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.retreat.retreat_path import bearing_home, flight, way_home

Build = Callable[..., Battle]

WIDTH, DEPTH = 200.0, 120.0
EDGES = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
LINES = {"north": 0, "east": 90, "south": 180, "west": 270}


def fleeing(
    field_of_battle: Build, at: tuple[float, float], lines: Any, *others: Any, **more: Any
) -> Battle:
    """A man who goes 15 GSU, on a field of 200 x 120, and his own lines."""
    sides = [
        Side(name="Alice", colour="#2a5caa", lines=lines),
        Side(name="Bob", colour="#b03030", lines="north"),
    ]
    unit = {"at": at, "formation": "open", **more.pop("unit", {})}
    return field_of_battle(unit, *others, sides=sides, size=(WIDTH, DEPTH), **more)


@pytest.mark.rule("emlia.morale.lines", "emlia.scenario.own-lines")
@pytest.mark.parametrize("routed", [True, False])
@pytest.mark.parametrize("paces", [1, 2])
@pytest.mark.parametrize(
    ("at", "lines", "way"),
    [
        ((60, 60), "north", (0, 1)),
        ((60, 60), "south", (0, -1)),
        ((60, 60), "east", (1, 0)),
        ((60, 60), "west", (-1, 0)),
        # East of where the field would end if it were as wide as deep.
        ((110, 60), "east", (1, 0)),
        ((125, 60), "east", (1, 0)),
        ((165, 60), "east", (1, 0)),
        ((35, 60), "west", (-1, 0)),
        ((60, 85), "north", (0, 1)),
        ((60, 35), "south", (0, -1)),
        # Towards points, on the field and beyond it.
        ((60, 60), (60.0, 110.0), (0, 1)),
        ((60, 60), (150.0, 60.0), (1, 0)),
        ((60, 60), (96.0, 108.0), (0.6, 0.8)),
        ((60, 60), (24.0, 12.0), (-0.6, -0.8)),
        ((110, 60), (500.0, 60.0), (1, 0)),
    ],
)
def test_without_anything_in_the_way_a_unit_goes_straight_home(
    field_of_battle: Build,
    at: tuple[float, float],
    lines: Any,
    way: tuple[float, float],
    paces: int,
    routed: bool,
) -> None:
    battle = fleeing(field_of_battle, at, lines)

    end, leaves = flight(battle, 0, paces, routed)

    assert not leaves
    expected = (at[0] + 15 * paces * way[0], at[1] + 15 * paces * way[1])
    assert end.middle == pytest.approx(expected, abs=0.2)


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(
    ("at", "lines"),
    [
        ((0.5, 60), "north"),
        ((0.5, 60), "south"),
        ((WIDTH - 0.5, 60), "north"),
        ((60, 0.5), "east"),
        ((60, DEPTH - 0.5), "west"),
        ((60, DEPTH - 0.5), "east"),
    ],
)
def test_a_unit_that_touches_another_edge_flees_along_it(
    field_of_battle: Build, at: tuple[float, float], lines: str
) -> None:
    battle = fleeing(field_of_battle, at, lines, unit={"facing": LINES[lines]})

    end, leaves = flight(battle, 0, 1, False)

    assert not leaves
    east, north = EDGES[lines]
    assert end.middle == pytest.approx((at[0] + 15 * east, at[1] + 15 * north), abs=0.01)


@pytest.mark.rule("emlia.morale.lines", "emlia.move.leave")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize(
    ("away", "leaves"),
    [(5.0, True), (14.0, True), (15.25, True), (15.5, False), (15.75, False), (20.0, False)],
)
def test_a_unit_leaves_when_any_part_of_it_comes_over_its_edge(
    field_of_battle: Build, edge: str, away: float, leaves: bool
) -> None:
    """A man is 1 GSU deep: his front comes half a GSU farther than his middle."""
    at = {
        "north": (60, DEPTH - away), "south": (60, away),
        "east": (WIDTH - away, 60), "west": (away, 60),
    }[edge]  # fmt: skip
    battle = fleeing(field_of_battle, at, edge, unit={"facing": LINES[edge]})

    end, left = flight(battle, 0, 1, False)

    assert left is leaves
    east, north = EDGES[edge]
    assert end.middle == pytest.approx((at[0] + 15 * east, at[1] + 15 * north), abs=0.2)
    home = way_home(battle, 0, 1, routed=False)
    assert home is not None
    assert (home.leaves, home.end) == (left, end)


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(
    ("at", "point", "leaves"),
    [
        ((10, 60), (-5.0, 60.0), True),
        ((10, 60), (-100.0, 60.0), True),
        ((190, 60), (205.0, 60.0), True),
        ((60, 10), (60.0, -5.0), True),
        ((60, 110), (60.0, 125.0), True),
        # On the very edge is on the field, and nobody leaves over an edge that is not his own.
        ((10, 60), (0.0, 60.0), False),
        ((190, 60), (200.0, 60.0), False),
        ((60, 10), (60.0, 0.0), False),
        ((60, 110), (60.0, 120.0), False),
    ],
)
def test_only_lines_beyond_the_field_lead_off_it(
    field_of_battle: Build, at: tuple[float, float], point: tuple[float, float], leaves: bool
) -> None:
    battle = fleeing(field_of_battle, at, point)

    _, left = flight(battle, 0, 1, True)

    assert left is leaves


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize("off", ["west", "east"])
def test_the_straight_way_over_another_edge_is_no_way(field_of_battle: Build, off: str) -> None:
    # So near to the side that each way less than straight, but one, leads over it.
    at = (0.75, 60.0) if off == "west" else (199.25, 60.0)
    rocks = [{"kind": "rock", "box": (at[0] - 3, 50, at[0] + 3, 56)}]
    battle = fleeing(field_of_battle, at, "south", terrain=rocks)

    end, left = flight(battle, 0, 1, True)

    assert not left
    west, _, east, _ = end.outline.bounds
    assert 0 <= west <= east <= WIDTH


@pytest.mark.rule("emlia.morale.lines", "emlia.morale.not-closer")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize(
    ("ahead", "routed", "gain"),
    [
        # An enemy beside the way is no farther from it at the end.
        (30.0, True, 15.0),
        (30.0, False, 0.0),
        (-30.0, True, 15.0),
        (-30.0, False, 15.0),
    ],
)
def test_only_the_routed_run_home_towards_an_enemy(
    field_of_battle: Build, edge: str, ahead: float, routed: bool, gain: float
) -> None:
    east, north = EDGES[edge]
    foe = {"at": (100 + ahead * east, 60 + ahead * north), "side": "Bob"}
    battle = fleeing(field_of_battle, (100, 60), edge, foe)

    end, left = flight(battle, 0, 1, routed)

    assert not left
    x, y = end.middle
    assert (x - 100) * east + (y - 60) * north == pytest.approx(gain, abs=0.2)
    home = way_home(battle, 0, 1, routed=routed)
    assert (home is None) is (gain == 0)


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize(
    ("gap", "files", "home", "aside"),
    [
        # With more than half of the movement straight home no other way is looked at.
        (9.0, 12, 9.0, 0.0),
        (8.0, 12, 8.0, 0.0),
        # With less, past the end of a line 17.5 GSU wide: 60 degrees off, which leads half as far.
        (5.0, 12, 7.5, 13.0),
        # Aside it meets the line; where no way leads farther by 1 GSU it goes straight on.
        (2.0, 12, 2.0, 0.0),
        (5.0, 24, 5.0, 0.0),
    ],
)
def test_a_unit_that_is_stopped_soon_goes_aside(
    field_of_battle: Build, edge: str, gap: float, files: int, home: float, aside: float
) -> None:
    east, north = EDGES[edge]
    friends = {
        "at": (100 + (gap + 1) * east, 60 + (gap + 1) * north), "facing": LINES[edge],
        "formation": "close", "members": files, "files": files,
    }  # fmt: skip
    battle = fleeing(field_of_battle, (100, 60), edge, friends)

    end, left = flight(battle, 0, 1, False)

    x, y = end.middle
    assert not left
    assert (x - 100) * east + (y - 60) * north == pytest.approx(home, abs=0.2)
    assert abs((x - 100) * north - (y - 60) * east) == pytest.approx(aside, abs=0.2)


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(
    ("lines", "degrees"),
    [("north", 0), ("east", 90), ("south", 180), ("west", 270), ((100.0, 110.0), 0),
     ((150.0, 60.0), 90), ((130.0, 90.0), 45), ((70.0, 30.0), 225)],
)  # fmt: skip
def test_home_lies_at_right_angles_to_an_edge_and_straight_to_a_point(
    field_of_battle: Build, lines: Any, degrees: int
) -> None:
    battle = fleeing(field_of_battle, (100, 60), lines)

    assert bearing_home(battle, 0) == degrees * 64


@pytest.mark.rule("emlia.morale.lines", "emlia.move.leave")
@pytest.mark.parametrize("edge", EDGES)
def test_a_line_at_its_edge_turns_an_end_over_it_though_its_middle_gets_nowhere(
    field_of_battle: Build, edge: str
) -> None:
    """Rocks a fifth of a GSU before all but its left end: the least turn right brings that over."""
    east, north = EDGES[edge]
    x, y = {"north": (60, DEPTH - 1), "south": (60, 1), "east": (WIDTH - 1, 60), "west": (1, 60)}[
        edge
    ]
    corners = [
        (x + ahead * east + right * north, y + ahead * north - right * east)
        for ahead, right in ((0.7, -1), (0.7, 20), (1.0, 20), (1.0, -1))
    ]
    line = {"members": 5, "files": 5, "facing": LINES[edge]}
    rocks = [{"kind": "rock", "outline": Polygon(corners)}]
    battle = fleeing(field_of_battle, (x, y), edge, unit=line, terrain=rocks)

    end, leaves = flight(battle, 0, 1, False)

    assert leaves
    assert (end.facing / 64 - LINES[edge]) % 360 == 20


@pytest.mark.rule("emlia.morale.not-closer", "emlia.morale.retreating")
def test_a_long_open_line_goes_home_as_it_faces_if_its_turn_would_bring_it_closer(
    field_of_battle: Build,
) -> None:
    line = {"members": 20, "files": 20, "facing": 270, "put": {"morale": -4}}
    foe = {"side": "Bob", "formation": "open", "at": (190, 45), "facing": 270}
    alone = fleeing(field_of_battle, (60, 60), "north", unit=line)
    watched = fleeing(field_of_battle, (60, 60), "north", foe, unit=line)

    turned, _ = flight(alone, 0, 1, routed=False)
    end, _ = flight(watched, 0, 1, routed=False)

    assert turned.facing == 0
    assert end.facing == 270 * 64
    assert end.middle[1] - turned.middle[1] == pytest.approx(0, abs=1)
