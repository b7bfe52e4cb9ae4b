"""What a unit has a range for, for whoever looks at it."""

from __future__ import annotations

from emlia3d.battle.questions.ranges import Range, Ranger
from emlia3d.scenario import load


def test_riflemen_shoot_strike_and_move() -> None:
    battle = load("ridge").battle()
    unit = battle.setup.unit_of("2nd Southern Rifles")
    system = battle.system
    assert isinstance(system, Ranger)

    found = system.ranges(battle, unit)

    assert found == (
        Range(what="Rifle", limits=(40.0, 80.0, 140.0)),
        Range(what="close combat", limits=(1.0,), sighted=False),
        Range(what="a move", limits=(40.0,), sighted=False, over_ground=True),
    )


def test_who_takes_cover_moves_half_as_far() -> None:
    battle = load("ridge").battle()
    unit = battle.setup.unit_of("2nd Southern Rifles")
    system = battle.system
    assert isinstance(system, Ranger)
    changed = battle.state.copy()
    changed.units.writable("taking_cover")[unit] = 1
    battle.state = changed

    assert system.ranges(battle, unit)[-1].limits == (20.0,)
