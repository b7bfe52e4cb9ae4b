"""A battle of Tin: before its first event, played, and in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.setup import Setup, Side, UnitSetup
from emlia3d.battle.state import State
from emlia3d.field import Field, Ground, Scale, feature_of
from emlia3d.force import Formation, Troops, UnitDeployment, facing_of_degrees
from tests.battle.toy_system import Tin


def _unit(
    name: str, side: int, members: int, files: int, at: tuple[float, float], formation: Formation
) -> UnitSetup:
    muster = UnitDeployment(
        name=name,
        side=side,
        troops=Troops(model="foot_bow", width=1.0, depth=1.0),
        members=members,
        at=at,
        facing=facing_of_degrees(180 * side),
        formation=formation,
        files=files,
    )
    return UnitSetup(
        muster=muster, entry=None, kind="tin/soldier", states=("crouching",) if side else ()
    )


@pytest.fixture(scope="session")
def setup() -> Setup:
    """Three turns on the nursery floor: twelve and five against nine and one."""
    size = (60.0, 40.0)
    return Setup(
        title="Nursery \u2028 of Jos\u00e9\x85",  # two line ends that are none in a battle file
        rules="tin",
        turns=3,
        field=Field(
            size=size,
            scale=Scale(metres_per_gsu=0.5, metres_per_height=1.0),
            ground=Ground.flat(size),
            features=(feature_of("book", "rock", box(5, 5, 8, 9), height=0.5),),
        ),
        sides=(Side(name="Alice", colour="#2a5caa"), Side(name="Bob", colour="#b03030")),
        units=(
            _unit("guards", 0, 12, 4, (25.0, 12.0), Formation.RANKED),
            _unit("lancers", 0, 5, 5, (35.0, 12.0), Formation.OPEN),
            _unit("sailors", 1, 9, 5, (25.0, 24.0), Formation.CLOSE),
            _unit("bear", 1, 1, 1, (36.0, 25.0), Formation.OPEN),
        ),
        numbers=None,
    )


Fresh = Callable[..., Battle]


@pytest.fixture
def fresh(setup: Setup) -> Fresh:
    """A battle of Tin before its first event; ``fresh(seed)``, seed 7 where nothing is said."""
    return lambda seed=7: Battle(setup, Tin(), seed)


@pytest.fixture
def battle(fresh: Fresh) -> Battle:
    """One such battle."""
    return fresh()


@pytest.fixture
def state(battle: Battle) -> State:
    """The state of a battle before its first event."""
    return battle.state


@pytest.fixture
def played(fresh: Fresh) -> tuple[Battle, tuple[Event, ...]]:
    """A battle that is over, and all that happened in it."""
    over = fresh()
    return over, tuple(over.run())


@pytest.fixture
def whole(tmp_path: Path, battle: Battle) -> tuple[bytes, str]:
    """The file of a battle that nothing broke, and its digest."""
    path = tmp_path / "whole.battle.jsonl"
    written = BattleLog.begin(path, {"title": battle.setup.title, "seed": 7}, battle)
    for _ in battle.run(recorder=written):
        pass
    assert battle.result is not None
    written.finish(battle.result)
    written.close()
    return path.read_bytes(), battle.digest.hexdigest()


@pytest.fixture
def lines(whole: tuple[bytes, str]) -> list[bytes]:
    """Its lines, ends included."""
    return whole[0].splitlines(keepends=True)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[list[bytes]], Path]:
    """Lines as a battle file."""

    def written(lines: list[bytes]) -> Path:
        path = tmp_path / "other.battle.jsonl"
        path.write_bytes(b"".join(lines))
        return path

    return written
