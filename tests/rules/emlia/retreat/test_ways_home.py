"""Chapter 21.6 in play: units in retreat find their way home, and over which edge they leave."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.movement.closeness import is_closer
from emlia3d.rules.emlia.play.retreat.compulsion import obey
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia import troops

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Put = Callable[..., None]

HOUSE: dict[str, Any] = {"kind": "building", "box": (60, 80, 140, 90)}
"""80 GSU long, between the units of these tests and their lines in the south."""

FOE: dict[str, Any] = {"at": (100, 190), "side": "Bob", "facing": 180}
EDGES = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
"""Which way each edge lies, east and north."""


def line(x: float = 100, **more: Any) -> dict[str, Any]:
    """Twenty men in one rank that stand with their backs to the house."""
    return troops.ranked(20, 1, (x, 91.125), **more)


def sides(lines: Any) -> list[Side]:
    return [
        Side(name="Alice", colour="#2a5caa", lines=lines),
        Side(name="Bob", colour="#b03030", lines="north"),
    ]


def retreat(battle: Battle, play: Play, put: Put, morale: int, moves: int) -> list[Any]:
    """The events of so many activations in which nothing but low morale counts, until it is off."""
    told: list[Any] = []
    for _ in range(moves):
        if battle.state.units.value("present", 0):
            put(battle, 0, morale=morale, move_used=0, moved=0, double_paced=0, leftover=0)
            told += play(battle, obey(battle, 0))
    return told


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.retreating", "emlia.morale.routed")
@pytest.mark.parametrize(("morale", "paces"), [(-1, 1), (-4, 2), (-7, 2)])
def test_a_line_against_a_long_house_leaves_within_the_moves_that_the_way_round_takes(
    field_of_battle: Build, play: Play, put: Put, morale: int, paces: int
) -> None:
    battle = field_of_battle(line(), FOE, terrain=[HOUSE])
    # As a column 50 GSU along the house to its corner, then as a line 90 GSU to the south edge.
    # Each right angle costs a quarter of the speed of 15; with the last move it leaves.
    turns = 2 * 15 / 4
    needed = ceil((50 + 90 + turns + 2) / (15 * paces)) + 1

    told = retreat(battle, play, put, morale, needed)

    assert told[-1].name == "left the field"
    assert {event.name for event in told} <= {"fell back", "fled", "left the field"}


@pytest.mark.rule("emlia.morale.falling-back")
def test_on_its_way_round_the_line_stays_in_ranks_and_out_of_the_house(
    field_of_battle: Build, play: Play, put: Put
) -> None:
    battle = field_of_battle(line(), FOE, terrain=[HOUSE])
    house = box(60, 80, 140, 90).buffer(-0.01)

    for _ in range(6):
        retreat(battle, play, put, -1, 1)

        assert battle.state.units.integer("formation", 0) == 2
        assert not situation_of(battle).outline(0).intersects(house)


@pytest.mark.rule("emlia.morale.falling-back")
@pytest.mark.parametrize("formation", ["close", "open"])
def test_looser_formations_sidestep_along_a_house(
    field_of_battle: Build, play: Play, put: Put, formation: str
) -> None:
    crowd = {"members": 20, "files": 10, "formation": formation, "at": (100, 97)}
    battle = field_of_battle(crowd, FOE, terrain=[HOUSE])

    told = retreat(battle, play, put, -4, 9)

    assert told[-1].name == "left the field"


@pytest.mark.rule("emlia.morale.routed")
def test_a_line_leaves_a_yard_by_a_gap_that_takes_a_column_only(
    field_of_battle: Build, play: Play, put: Put
) -> None:
    yard = [
        {"kind": "building", "box": (70, 80, 97, 84)},
        {"kind": "building", "box": (103, 80, 130, 84)},
        {"kind": "building", "box": (66, 80, 70, 120)},
        {"kind": "building", "box": (130, 80, 134, 120)},
        {"kind": "building", "box": (66, 120, 134, 124)},
    ]
    battle = field_of_battle(troops.ranked(20, 1, (100, 100)), FOE, terrain=yard)

    told = retreat(battle, play, put, -7, 7)

    assert told[-1].name == "left the field"


@pytest.mark.rule("emlia.morale.lines")
def test_a_unit_in_a_pocket_goes_out_of_it_and_not_back_in(
    field_of_battle: Build, play: Play, put: Put
) -> None:
    pocket = [
        {"kind": "building", "box": (80, 80, 120, 84)},
        {"kind": "building", "box": (80, 84, 84, 125)},
        {"kind": "building", "box": (116, 84, 120, 125)},
    ]
    battle = field_of_battle({"at": (100, 88)}, FOE, terrain=pocket)

    told = retreat(battle, play, put, -7, 7)

    assert told[-1].name == "left the field"


@pytest.mark.rule("emlia.morale.falling-back")
def test_a_unit_that_is_walled_in_stays(field_of_battle: Build, play: Play, put: Put) -> None:
    walls = [
        {"kind": "building", "box": (85, 85, 115, 89)},
        {"kind": "building", "box": (85, 95, 115, 99)},
        {"kind": "building", "box": (81, 85, 85, 99)},
        {"kind": "building", "box": (115, 85, 119, 99)},
    ]
    battle = field_of_battle(troops.ranked(20, 1, (100, 90.125)), FOE, terrain=walls)

    retreat(battle, play, put, -4, 3)

    assert 85 < situation_of(battle).centre(0)[1] < 95
    assert 85 < situation_of(battle).centre(0)[0] < 115


@pytest.mark.rule("emlia.morale.not-closer")
def test_if_the_shorter_way_round_leads_closer_to_the_enemy_the_longer_one_is_taken(
    field_of_battle: Build, play: Play, put: Put
) -> None:
    beside = {**FOE, "at": (50, 95)}
    battle = field_of_battle(line(90), beside, terrain=[HOUSE])
    gaps = [situation_of(battle).distance(0, 1)]

    for _ in range(5):
        retreat(battle, play, put, -1, 1)
        gaps.append(situation_of(battle).distance(0, 1))

    assert gaps == sorted(gaps)
    assert situation_of(battle).centre(0)[0] > 115


@pytest.mark.rule("emlia.morale.not-closer")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("morale", [-1, -4])
def test_no_unit_in_retreat_ends_closer_to_an_enemy_on_its_way_home(
    field_of_battle: Build, play: Play, edge: str, morale: int
) -> None:
    east, north = EDGES[edge]
    foe = {"side": "Bob", "at": (100 + 20 * east, 100 + 20 * north)}
    unit = {"at": (100, 100), "put": {"morale": morale}}
    battle = field_of_battle(unit, foe, sides=sides(edge))
    before = situation_of(battle).distance(0, 1)

    play(battle, obey(battle, 0))

    assert situation_of(battle).distance(0, 1) >= before


@pytest.mark.rule("emlia.morale.not-closer")
def test_a_routed_unit_runs_closer_to_an_enemy_on_its_way_home(
    field_of_battle: Build, play: Play
) -> None:
    unit = {"at": (100, 100), "put": {"morale": -7}}
    battle = field_of_battle(unit, {"side": "Bob", "at": (100, 60)})

    play(battle, obey(battle, 0))

    assert situation_of(battle).distance(0, 1) < 39


@pytest.mark.rule("emlia.morale.lines", "emlia.scenario.own-lines")
@pytest.mark.parametrize("morale", [-1, -4, -7])
@pytest.mark.parametrize("edge", EDGES)
def test_a_unit_at_its_own_edge_leaves_over_it(
    field_of_battle: Build, play: Play, edge: str, morale: int
) -> None:
    east, north = EDGES[edge]
    unit = {"at": (100 + 95 * east, 100 + 95 * north), "put": {"morale": morale}}
    foe = {"side": "Bob", "at": (100 - 90 * east, 100 - 90 * north)}
    battle = field_of_battle(unit, foe, sides=sides(edge))

    (left,) = play(battle, obey(battle, 0))

    x, y = left.facts.path[-1]
    assert left.name == "left the field"
    assert "emlia.move.leave" in left.because
    assert not battle.state.units.value("present", 0)
    assert max((x - 100) * east, (y - 100) * north) > 100, "its front is over its own edge"
    assert abs((x - 100) * north) + abs((y - 100) * east) < 1, "by the straight way"


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize("edge", EDGES)
def test_a_unit_whose_lines_are_a_point_beyond_an_edge_leaves_over_that_edge(
    field_of_battle: Build, play: Play, edge: str
) -> None:
    east, north = EDGES[edge]
    unit = {"at": (100 + 95 * east, 100 + 95 * north), "put": {"morale": -1}}
    point = (100.0 + 150 * east, 100.0 + 150 * north)
    battle = field_of_battle(unit, {"side": "Bob", "at": (100, 100)}, sides=sides(point))

    (left,) = play(battle, obey(battle, 0))

    assert left.name == "left the field"
    assert not battle.state.units.value("present", 0)


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(("edge", "other"), [(a, b) for a in EDGES for b in EDGES if a != b])
def test_a_unit_beside_another_edge_than_its_own_stays_on_the_field(
    field_of_battle: Build, play: Play, put: Put, edge: str, other: str
) -> None:
    (ax, ay), (bx, by) = EDGES[edge], EDGES[other]
    start = (100 + 97 * bx, 100 + 97 * by)
    # A rock bars the straight way, so that the ways to both sides are looked at.
    rock = (start[0] + 4 * ax, start[1] + 4 * ay)
    bars = {"kind": "rock", "box": (rock[0] - 2, rock[1] - 2, rock[0] + 2, rock[1] + 2)}
    battle = field_of_battle({"at": start}, {**FOE, "at": (100, 100)}, sides=sides(edge),
                             terrain=[bars])  # fmt: skip

    retreat(battle, play, put, -7, 2)

    assert battle.state.units.value("present", 0)


@pytest.mark.rule("emlia.morale.not-closer")
def test_exactly_as_near_is_not_closer(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (100, 100)}, {"side": "Bob", "at": (100, 120)})

    assert not is_closer(battle, 0, pose_of(battle, 0))
    assert is_closer(battle, 0, gone(pose_of(battle, 0), 0, 0.5))


@pytest.mark.rule("emlia.morale.not-closer", "emlia.morale.falling-back")
def test_a_way_that_the_enemy_cuts_short_now_is_the_second_choice(
    field_of_battle: Build, play: Play
) -> None:
    """The shorter way east leads closer to an enemy; the one along its axis keeps away."""
    column = {"at": (100, 96), "facing": 90, "members": 12, "files": 1, "formation": "close"}
    friends = {"at": (109, 86.5), "members": 8, "files": 4, "formation": "ranked"}
    foes = [{**FOE, "at": (93, 71)}, {**FOE, "at": (111, 71)}]
    rock = {"kind": "rock", "box": (86, 87, 93, 91)}
    battle = field_of_battle({**column, "put": {"morale": -1}}, friends, *foes, terrain=[rock])

    play(battle, obey(battle, 0))

    assert pose_of(battle, 0).middle == (115, 96), "all of its 15 GSU"
