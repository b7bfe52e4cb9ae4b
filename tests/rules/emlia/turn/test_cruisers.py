"""The battle of star cruisers that ships: gears, and fire returned in retreat."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.parts import entry_of
from emlia3d.scenario import load


class Drive(NamedTuple):
    """A Normal Move: whose, and his speed in the action before and in this one, GSU."""

    unit: int
    before: float
    now: float


@pytest.fixture(scope="module")
def fought() -> tuple[Battle, list[Drive]]:
    """A battle of three turns, and every Normal Move of it."""
    battle = load("cruisers").battle(seed=2, turns=3)
    drives = []
    speeds = battle.state.units.floats("last_speed").copy()
    for event in battle.run():
        now = battle.state.units.floats("last_speed").copy()
        if event.name == "moved" and event.unit is not None:
            drives.append(Drive(event.unit, float(speeds[event.unit]), float(now[event.unit])))
        speeds = now
    return battle, drives


def test_the_cruisers_find_and_hit_each_other(fought: tuple[Battle, list[Drive]]) -> None:
    battle, _ = fought

    assert battle.result is not None
    harmed = (battle.state.units.ints("damage") > 0) | (battle.state.units.ints("members") == 0)
    assert harmed.sum() >= 2


@pytest.mark.rule("emlia.mode.accel")
def test_no_commander_shifts_more_than_one_gear_at_once(
    fought: tuple[Battle, list[Drive]],
) -> None:
    battle, drives = fought
    tops = {"Star cruiser": (8, 16, 30), "Escort": (12, 24, 40)}

    def gear(unit: int, speed: float) -> int:
        steps = tops[entry_of(battle.setup, unit).name]
        return next(number for number, top in enumerate(steps) if speed <= top)

    shifts = {gear(drive.unit, drive.now) - gear(drive.unit, drive.before) for drive in drives}
    assert shifts <= {-1, 0, 1}
    assert len(shifts) > 1, "somebody sped up or slowed down"


@pytest.mark.rule("emlia.orders.example-cruiser")
def test_a_cruiser_prints_that_it_returns_fire_and_nothing_of_its_own_about_morale() -> None:
    """So at morale -4 it goes home at Double Pace and shoots at whoever shot at it."""
    setup = load("cruisers").setup
    cruiser = entry_of(setup, setup.unit_of("Black Harrow"))

    (condition,) = cruiser.initiative
    assert [trigger.attacked for trigger in condition.when] == ["from afar"]
    assert condition.do == "shoot"
    assert cruiser.morale_conditions is None
