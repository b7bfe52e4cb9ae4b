"""Deployment on a table that is longer than it is wide, along each of its edges."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.flow import opening_event
from emlia3d.rules.oathmark.battle_frame import DeploymentStrip, deploy_one
from emlia3d.scenario.scenario import from_text
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import INCH, SOLDIER, box, piece, text_of

SIZE = (1500.0, 1200.0)
STRIP = 9 * INCH
OFF = STRIP - 1
"""How far from their edge the foremost fronts are offered, mm."""

EDGES = ("south", "north", "west", "east")
FACING = {"south": 0, "west": 90 * 64, "north": 180 * 64, "east": 270 * 64}


def waiting(edge: str, *terrain: dict[str, Any], **unit: Any) -> Battle:
    """Return a battle in which the first unit waits, to be placed along an edge."""
    foe = {**SOLDIER, "side": "Blue", "facing": 180}
    text = text_of([{**SOLDIER, **unit}, foe], terrain, SIZE)
    text = text.replace('lines = "south"', f'lines = "{edge}"')
    lines = [line for line in text.splitlines() if not line.startswith("at =")]
    battle = from_text("\n".join(lines), "table").battle(seed=0)
    battle.happen(opening_event(battle))
    return battle


def spot(edge: str, along: float, off: float) -> tuple[float, float]:
    """Return a place by how far along an edge it is, and how far off it, mm."""
    east, north = SIZE
    return {
        "south": (along, off), "north": (along, north - off),
        "west": (off, along), "east": (east - off, along),
    }[edge]  # fmt: skip


def length(edge: str) -> float:
    """Return the length of an edge, mm."""
    return SIZE[0] if edge in {"south", "north"} else SIZE[1]


@pytest.mark.parametrize("edge", EDGES)
def test_the_strip_lies_along_the_whole_edge(edge: str) -> None:
    strip = DeploymentStrip(waiting(edge), 0)
    ends = [spot(edge, along, off) for along in (0.0, length(edge)) for off in (0.0, STRIP)]

    assert strip.edge == edge
    west, east = min(x for x, _ in ends), max(x for x, _ in ends)
    south, north = min(y for _, y in ends), max(y for _, y in ends)
    around = ((west, south), (east, south), (east, north), (west, north))
    assert strip.corners() == tuple(pytest.approx(corner) for corner in around)


@pytest.mark.rule("oathmark.battle.table")
@pytest.mark.parametrize("edge", EDGES)
def test_places_are_offered_from_the_middle_of_the_edge_outwards(edge: str) -> None:
    orders = [*DeploymentStrip(waiting(edge), 0).options()]

    # Twelve places along the edge, of which nine are offered, the middle first.
    numbers = (11, 13, 9, 15, 7, 17, 5, 19, 3)
    expected = [spot(edge, length(edge) * number / 24, OFF) for number in numbers]
    assert [(o.legs[0].x, o.legs[0].y) for o in orders] == [
        pytest.approx(place, abs=0.01) for place in expected
    ]
    assert {(o.verb, o.unit, o.legs[0].facing) for o in orders} == {("place", 0, FACING[edge])}


@pytest.mark.rule("oathmark.battle.table")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize(
    ("along", "off", "reason"),
    [
        # Ten figures are 125 mm wide and 50 deep.
        (200.0, 50.0, None), (200.0, 49.9, "strip"), (200.0, STRIP, None),
        (200.0, STRIP + 0.1, "strip"), (62.5, 100.0, None), (62.4, 100.0, "free"),
        (-62.5, 100.0, None), (-62.4, 100.0, "free"), (450.0, 100.0, "free"),
        (387.5, 100.0, None), (387.6, 100.0, "free"),
    ],
)  # fmt: skip
def test_a_unit_stands_with_each_base_in_the_strip(
    edge: str, along: float, off: float, reason: str | None
) -> None:
    # A rock stands on the strip from 450 to 500 mm along the edge.
    x, y = zip(spot(edge, 450, 60), spot(edge, 500, 90), strict=True)
    west, south, east, north = min(x), min(y), max(x), max(y)
    rock = {"kind": "rock", "outline": box(west - 600, south - 600, east - 600, north - 600)}
    strip = DeploymentStrip(waiting(edge, rock), 0)
    place = spot(edge, along if along > 0 else length(edge) + along, off)

    refused = strip.refusal(strip.to(place))

    told = {
        "strip": f"it is not within 9 inches of the {edge} edge",
        "free": "the position is not free",
    }
    assert (None if refused is None else refused.reason) == (reason and told[reason])


def test_the_ends_of_an_edge_are_offered_in_three_rows_if_its_middle_is_taken() -> None:
    # The rock leaves 200 mm at each end of the strip: room for the first and the last place.
    rock = piece("rock", 200 - 600, -600, 1300 - 600, -300)

    orders = [*DeploymentStrip(waiting("south", rock), 0).options()]

    # Ten figures are 50 mm deep.
    middle = (OFF + 50) / 2
    assert [(o.legs[0].x, o.legs[0].y) for o in orders] == [
        (pytest.approx(x, abs=0.01), pytest.approx(y, abs=0.01))
        for y in (OFF, middle, 50)
        for x in (1500 / 24, 1500 * 23 / 24)
    ]


def test_units_that_fill_the_strip_are_placed_along_its_edge() -> None:
    def fronts(depth: float) -> list[float]:
        unit = {"members": 1, "base": [100, depth]}
        return [o.legs[0].y for o in DeploymentStrip(waiting("south", **unit), 0).options()]

    # A base of 228 mm fits only if its rear is on the edge, one of 229 mm not at all.
    assert fronts(225.0) == pytest.approx([OFF] * 9, abs=0.01)
    assert fronts(228.0) == pytest.approx([228.0] * 9, abs=0.01)
    assert not fronts(229.0)


def test_a_facing_is_taken_as_given_or_looks_into_the_table() -> None:
    strip = DeploymentStrip(waiting("west"), 0)

    assert strip.to((100, 300)).legs[0].facing == 90 * 64
    assert strip.to((100, 300), 30 * 64).legs[0].facing == 30 * 64
    assert strip.to((100, 300), 400 * 64).legs[0].facing == 40 * 64
    (leg,) = strip.to((100.0001, 300.0001), 0).legs
    assert (leg.x, leg.y) == (100.0, 300.0)


@pytest.mark.parametrize("side", [0, 1])
def test_the_other_side_deploys_next(side: int) -> None:
    battle = waiting("south")

    carry(battle, deploy_one(battle, side), "place")

    assert battle.state.battle.integer("to_act", 0) == 1 - side


def test_the_other_side_deploys_next_after_a_unit_without_room() -> None:
    battle = waiting("south", piece("rock", -600, -600, 900, -400))

    done = carry(battle, deploy_one(battle, 0))

    assert [event.because for event in done.named("left out")] == [("oathmark.battle.table",)]
    assert battle.state.battle.integer("to_act", 0) == 1
