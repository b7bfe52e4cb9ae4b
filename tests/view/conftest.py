"""A small battle under rules of nobody: two sides, three units, a rock on a slope."""

from __future__ import annotations

import numpy as np
import pytest
from shapely import box

from emlia3d.battle.apply import apply
from emlia3d.battle.changes import Fall, Leave, Place, Set
from emlia3d.battle.events import Event, Mustered, Rolled, Unread
from emlia3d.battle.setup import Setup, Side, UnitSetup
from emlia3d.battle.state import State
from emlia3d.field import Field, Ground, Scale, feature_of
from emlia3d.force import Column, Formation, Troops, UnitDeployment, facing_of_degrees
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.events.movement import Fled
from tests.made_up import made_up

COLUMNS = (
    Column(table="unit", name="courage", label="courage", default=5),
    Column(table="unit", name="state", label="state", words=("steady", "shaken", "routed")),
    Column(table="unit", name="posture", label="posture", words=("upright", "prone")),
)


class Shot(Rolled, frozen=True):
    """A unit has shot."""


def _unit(
    name: str,
    side: int,
    members: int,
    files: int,
    at: tuple[float, float],
    facing: float,
    model: str,
    on_height: float = 0.0,
) -> UnitSetup:
    muster = UnitDeployment(
        name=name,
        side=side,
        troops=Troops(model=model, width=1.0, depth=1.0),
        members=members,
        at=at,
        facing=facing_of_degrees(facing),
        formation=Formation.RANKED,
        files=files,
        on_height=on_height,
    )
    return UnitSetup(muster=muster, entry=None, kind="test/foot")


@pytest.fixture(scope="session")
def setup() -> Setup:
    """120 x 80 GSU of 2 m: the ground climbs 1 m every 10 GSU to the north."""
    size = (120.0, 80.0)
    climb = np.repeat(np.arange(8.0)[::-1, None], 12, axis=1)
    field = Field(
        size=size,
        scale=Scale(metres_per_gsu=2.0, metres_per_height=1.83),
        ground=Ground(elevation_m=climb, size=size, cell=10.0),
        features=(
            feature_of("rock", "rock", box(60, 30, 66, 36), height=5.0),
            feature_of("grove", "forest", box(10, 50, 30, 70)),
        ),
    )
    return Setup(
        title="A quarrel",
        rules="nobody's",
        turns=3,
        field=field,
        sides=(Side(name="Alice", colour="#2a5caa"), Side(name="Bob", colour="#b03030")),
        units=(
            _unit("archers", 0, 20, 10, (60.0, 11.0), 0, "foot_bow"),
            _unit("bandits", 1, 6, 3, (60.0, 50.0), 180, "somebody"),
            _unit("dragon", 1, 1, 1, (90.0, 60.0), 270, "dragon", on_height=2.0),
        ),
        numbers=None,
    )


@pytest.fixture
def start(setup: Setup) -> State:
    """The state before the first event; a fresh one for each test."""
    return State.mustered(
        [unit.muster for unit in setup.units],
        len(setup.sides),
        [feature.height for feature in setup.field.features],
        COLUMNS,
    )


@pytest.fixture(scope="session")
def story() -> tuple[Event, ...]:
    """Two turns in seven steps, one of them in two parts."""
    return (
        Event(facts=Mustered()),
        Event(
            facts=Unread(event="turn_began"),
            gesture="turn",
            changes=(_set("battle", 0, "turn", 1),),
        ),
        Event(
            facts=Unread(event="marched"),
            unit=0,
            gesture="march",
            changes=(_place(0, 60.0, 20.0, 0, 10),),
        ),
        Event(
            facts=Shot(dice=3, modifier=0, successes=2, faces=(12, 6, 1)),
            unit=0,
            target=1,
            gesture="shoot",
            because=("nobody.fire", "nobody.fire.short"),
        ),
        Event(
            facts=Unread(event="lost"),
            unit=1,
            gesture="suffer",
            part_of_last=True,
            changes=(Fall(unit=1, figures=(20, 21)), _set("unit", 1, "state", 1)),
        ),
        Event(
            facts=Unread(event="turn_began"),
            gesture="turn",
            changes=(_set("battle", 0, "turn", 2),),
        ),
        Event(facts=made_up(Struck), unit=2, target=0, gesture="strike"),
        Event(facts=made_up(Fled), unit=1, gesture="vanish", changes=(Leave(unit=1),)),
    )


@pytest.fixture
def later(start: State, story: tuple[Event, ...]) -> State:
    """The state after the first volley, its losses included."""
    for event in story[:5]:
        apply(start, event)
    return start


def _set(table: str, row: int, column: str, value: float) -> Set:
    return Set(table=table, row=row, column=column, value=value)


def _place(unit: int, x: float, y: float, facing: int, files: int) -> Place:
    return Place(unit=unit, x=x, y=y, facing=facing, formation=Formation.RANKED, files=files)
