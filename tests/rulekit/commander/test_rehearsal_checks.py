"""The checks of rehearsals pass for a system that is right, and find what is wrong with others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.commanders import Commander, RandomCommander
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup, Side, UnitSetup
from emlia3d.field import Field, Ground, Scale
from emlia3d.force import Formation, Troops, UnitDeployment, facing_of_degrees
from emlia3d.rulekit.commander.rehearsal_checks import check_rehearsals
from tests.battle.toy_events import RanDown
from tests.battle.toy_system import Tin


class Trying(Tin):
    rehearses = True


class Counting(Trying):
    """Keeps a count outside the state, so that no stretch goes as it went."""

    def __init__(self) -> None:
        self.steps = 0

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        self.steps += 1
        step = super().next_step(battle)
        return None if step is None else _worn(step, self.steps)


def _worn(step: Procedure[None], steps: int) -> Procedure[None]:
    changes = (Set(table="unit", row=0, column="polish", value=float(steps)),)
    yield Event(facts=RanDown(worn=1), unit=0, because=("tin.worn",), changes=changes)
    yield from step


class Meddling(Trying):
    """Changes the state at hand, whichever battle asks."""

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        for other in self.battles:
            other.state.units.writable("polish")[1] += 1.0
        return super().next_step(battle)

    battles: list[Battle] = []  # noqa: RUF012  the tests put one in


@pytest.fixture(scope="module")
def setup() -> Setup:
    size = (60.0, 40.0)

    def unit(name: str, side: int, members: int, at: tuple[float, float]) -> UnitSetup:
        muster = UnitDeployment(
            name=name, side=side, troops=Troops(model="foot_bow", width=1.0, depth=1.0),
            members=members, at=at, facing=facing_of_degrees(180 * side),
            formation=Formation.CLOSE, files=3,
        )  # fmt: skip
        return UnitSetup(muster=muster, entry=None, kind="tin/soldier")

    return Setup(
        title="Nursery",
        rules="tin",
        turns=2,
        field=Field(size=size, scale=Scale(metres_per_gsu=0.5), ground=Ground.flat(size)),
        sides=(Side(name="Alice", colour="#2a5caa"), Side(name="Bob", colour="#b03030")),
        units=(unit("guards", 0, 6, (25.0, 12.0)), unit("sailors", 1, 5, (25.0, 24.0))),
        numbers=None,
    )


def players() -> list[Commander]:
    return [RandomCommander(), RandomCommander()]


@pytest.mark.parametrize("seed", range(4))
def test_a_system_that_is_right_passes(setup: Setup, seed: int) -> None:
    check_rehearsals(lambda: Battle(setup, Trying(), seed), players)


def test_a_system_that_does_not_rehearse_is_told(setup: Setup) -> None:
    with pytest.raises(AssertionError, match="Tin does not rehearse"):
        check_rehearsals(lambda: Battle(setup, Tin(), 1), players)


def test_a_system_with_a_memory_is_found_out(setup: Setup) -> None:
    with pytest.raises(AssertionError, match="two rehearsals with one seed end otherwise"):
        check_rehearsals(lambda: Battle(setup, Counting(), 1), players)


def test_a_system_that_changes_the_battle_is_found_out(setup: Setup) -> None:
    def begin() -> Battle:
        system = Meddling()
        battle = Battle(setup, system, 1)
        system.battles = [battle]
        return battle

    with pytest.raises(AssertionError, match="a rehearsal changed the battle"):
        check_rehearsals(begin, players)


class Forgetful(Trying):
    """Begins each stretch otherwise from the second time on."""

    def __init__(self) -> None:
        self.met: set[int] = set()

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        again = battle.state.stretch in self.met
        self.met.add(battle.state.stretch)
        return _nothing() if again else super().next_step(battle)


def _nothing() -> Procedure[None]:
    yield from ()


def test_a_stretch_that_does_not_go_again_is_found_out(setup: Setup) -> None:
    begin: Callable[[], Battle] = lambda: Battle(setup, Forgetful(), 1)  # noqa: E731

    with pytest.raises(AssertionError, match="it does not go again"):
        check_rehearsals(begin, players)
