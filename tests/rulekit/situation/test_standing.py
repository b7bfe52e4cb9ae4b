"""Units as discs and rectangles: gaps, contacts, lines, arcs and moves by row."""

from __future__ import annotations

from typing import Any

import pytest
import shapely
from pydantic import BaseModel

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Leave, Place
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Setup, Side, UnitSetup
from emlia3d.field import Field, Ground, Scale
from emlia3d.force import Formation, Troops, UnitDeployment, facing_of_degrees
from emlia3d.force.facing import unit_vector
from emlia3d.geometry.footprints import Part
from emlia3d.geometry.free_moves import walls
from emlia3d.rulekit.situation.base_shapes import edge_of, standing_of
from tests.battle.toy_system import Tin

BLOCK, SCOUT, WALL, GUNNER = range(4)
"""A ranked block, a single figure, a ranked line behind it, and a single figure far off."""


class Entry(BaseModel):
    """Nothing."""


def unit(name: str, at: tuple[float, float], **other: Any) -> UnitSetup:
    muster = UnitDeployment(
        name=name,
        side=0,
        troops=Troops(model="foot_bow", width=1.0, depth=1.0),
        members=other.get("members", 1),
        at=at,
        facing=facing_of_degrees(other.get("facing", 0)),
        formation=other.get("formation", Formation.OPEN),
        files=other.get("files", 1),
    )
    return UnitSetup(muster=muster, entry=None, kind="tin/soldier")


@pytest.fixture
def battle() -> Battle:
    size = (60.0, 40.0)
    ranked = Formation.RANKED
    setup = Setup(
        title="Blocks",
        rules="tin",
        turns=1,
        field=Field(size=size, scale=Scale(metres_per_gsu=1.0), ground=Ground.flat(size)),
        sides=(Side(name="Alice", colour="#2a5caa"),),
        units=(
            unit("block", (20.0, 20.0), members=10, files=5, formation=ranked),
            unit("scout", (20.0, 25.0)),
            unit("wall", (20.0, 18.5), members=10, files=10, formation=ranked),
            unit("gunner", (50.0, 20.0)),
        ),
        numbers=None,
    )
    return Battle(setup, Tin(), 1)


def happen(battle: Battle, *changes: Any) -> None:
    battle.happen(Event(facts=Unread(event="made"), changes=changes))


def test_gaps_are_from_edge_to_edge(battle: Battle) -> None:
    standing = standing_of(battle)

    assert standing.gap(BLOCK, SCOUT) == 3.5
    assert standing.gap(SCOUT, BLOCK) == 3.5
    assert standing.gap(BLOCK, GUNNER) == 27.0
    assert standing.within(BLOCK, 27.0) == [WALL, SCOUT, GUNNER]
    assert standing.within(BLOCK, 3.0) == [WALL]
    assert standing.centre(SCOUT) == (20.0, 25.0)


def test_units_that_stand_flush_share_an_edge(battle: Battle) -> None:
    standing = standing_of(battle)

    assert standing.touching(BLOCK) == [WALL]
    assert standing.part_touched(BLOCK, WALL) is Part.REAR
    assert standing.part_touched(WALL, BLOCK) is Part.FRONT
    assert standing.part_touched(BLOCK, SCOUT) is Part.NONE
    assert standing.shared_edge(BLOCK, WALL) == 5.0


def test_a_line_names_whom_it_crosses_in_order(battle: Battle) -> None:
    standing = standing_of(battle)

    assert standing.crossed((20, 30), (20, 0)) == [SCOUT, BLOCK, WALL]
    assert standing.crossed((20, 0), (20, 30), ignored=[BLOCK]) == [WALL, SCOUT]
    assert standing.crossed((0, 19.5), (60, 19.5)) == [BLOCK], "the gunner is touched"
    assert standing.crossed((0, 19), (60, 19)) == [], "along the edge that two units share"
    assert standing.crossed((0, 1), (60, 1)) == []


def test_an_arc_names_what_lies_in_it(battle: Battle) -> None:
    """The quarter before the scout, as it would look south."""
    standing = standing_of(battle)
    left, right = unit_vector(facing_of_degrees(135)), unit_vector(facing_of_degrees(225))

    assert standing.in_arc((20, 25), left, right) == {SCOUT: 1, BLOCK: 2, WALL: 2}
    assert standing.in_arc((20, 20), left, right) == {BLOCK: 1, WALL: 1}


def test_a_straight_move_ends_at_the_first_unit(battle: Battle) -> None:
    standing = standing_of(battle)

    south, east, corner = standing.free_moves(SCOUT, [(20, 20), (30, 25), (28, 16.5)])

    assert (south.body, south.part) == (BLOCK, pytest.approx(0.7))
    assert east.is_whole
    assert corner.body == WALL
    (past,) = standing.free_moves(SCOUT, [(20, 20)], ignored=[BLOCK, WALL])
    assert past.is_whole


def test_the_edge_of_the_field_and_outlines_end_moves(battle: Battle) -> None:
    standing = standing_of(battle)
    outlines = walls([edge_of(battle.setup.field), shapely.box(52, 15, 53, 25)])

    off, into, short = standing.free_moves(GUNNER, [(50, -5), (54, 20), (50, 5)], outlines=outlines)

    assert (off.outline, off.part) == (0, pytest.approx(19.5 / 25))
    assert (into.outline, into.part) == (1, pytest.approx(1.5 / 4))
    assert short.is_whole


def test_places_are_those_of_the_moment(battle: Battle) -> None:
    before = standing_of(battle)
    assert standing_of(battle) is before

    happen(battle, Place(unit=SCOUT, x=20.0, y=26.5, facing=0, formation=0, files=1))
    happen(battle, Fall(unit=BLOCK, figures=(5, 6, 7, 8, 9)))

    after = standing_of(battle)
    assert before.gap(BLOCK, SCOUT) == 3.5
    assert after.gap(BLOCK, SCOUT) == 4.5
    assert after.touching(BLOCK) == [], "the second rank has fallen"


def test_who_has_left_is_nowhere(battle: Battle) -> None:
    happen(battle, Leave(unit=BLOCK))

    standing = standing_of(battle)

    assert BLOCK not in standing
    assert SCOUT in standing
    assert standing.within(SCOUT, 100) == [WALL, GUNNER]
    assert standing.crossed((20, 30), (20, 0)) == [SCOUT, WALL]
    with pytest.raises(KeyError):
        standing.gap(SCOUT, BLOCK)


def test_a_unit_can_be_tried_elsewhere(battle: Battle) -> None:
    standing = standing_of(battle)

    there = standing.with_unit_at(BLOCK, (20.0, 23.5), facing_of_degrees(90))

    assert there.touching(BLOCK) == [SCOUT]
    assert there.gap(BLOCK, SCOUT) == 0.0, "turned, it is 5 GSU from end to end"
    assert there.gap(BLOCK, WALL) == 2.0
    assert standing.gap(BLOCK, SCOUT) == 3.5
    fork = battle.fork()
    assert standing_of(fork) is standing
