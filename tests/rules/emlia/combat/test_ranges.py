"""What a unit has a range for, for whoever looks at it."""

from __future__ import annotations

from collections.abc import Callable

from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.ranges import Range
from emlia3d.rules.emlia.play.combat.ranges import ranges
from emlia3d.scenario import load


def test_riflemen_shoot_strike_and_move() -> None:
    battle = load("ridge").battle()
    unit = battle.setup.unit_of("2nd Southern Rifles")
    system = battle.system

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
    changed = battle.state.copy()
    changed.units.writable("taking_cover")[unit] = 1
    battle.state = changed

    assert system.ranges(battle, unit)[-1].limits == (20.0,)


def test_the_farthest_weapon_comes_first_and_the_longest_arm_of_any_part_counts(
    field_of_battle: Callable[..., Battle],
) -> None:
    sling = {"name": "Sling", "base_damage": 1, "range": (10, 20, 40), "arc": 90}
    bow = {"name": "Bow", "base_damage": 1, "range": (20, 40, 60)}
    pike = {"name": "Pike", "base_damage": 1, "abilities": ("reach 2",)}
    battle = field_of_battle(
        {"at": (100, 100), "name": "first", "weapons": (sling,)},
        {"at": (101, 100), "group": "first", "weapons": (bow, pike)},
        {"at": (150, 100), "movement": None},
    )

    found = [
        (each.what, each.limits, [arc.arc_deg for arc in each.arcs]) for each in ranges(battle, 0)
    ]

    assert found == [
        ("Bow", (20, 40, 60), [360]), ("Sling", (10, 20, 40), [90]), ("close combat", (3.0,), []),
        ("a move", (15.0,), []),
    ]  # fmt: skip
    assert [each.what for each in ranges(battle, 2)] == ["close combat"]


def test_a_routed_unit_has_no_ranges() -> None:
    battle = load("ridge").battle()
    unit = battle.setup.unit_of("2nd Southern Rifles")
    changed = battle.state.copy()
    changed.units.writable("morale")[unit] = -6
    battle.state = changed
    retreating = battle.system.ranges(battle, unit)
    changed.units.writable("morale")[unit] = -7
    battle.state = changed.copy()

    assert retreating
    assert battle.system.ranges(battle, unit) == ()
