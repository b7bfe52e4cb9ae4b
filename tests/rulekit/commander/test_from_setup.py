"""The parts of an outlook that follow from the setup: brigades, places and their worth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.setup import Setup, VictoryCondition
from emlia3d.field import feature_of
from emlia3d.rulekit.commander.from_setup import (
    brigades_by_section,
    objectives_of,
    outlines_of,
    outlook_of,
    with_units,
)
from emlia3d.rulekit.commander.outlook import Brigade
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from tests.battle.toy_commander import LEVELS, LedTin, body_of
from tests.rulekit.commander import nursery
from tests.rulekit.commander.nursery import ALICE, BOB


def aim(side: str, level: str, **areas: tuple[str, ...]) -> VictoryCondition:
    return VictoryCondition(side=side, level=level, **areas)  # type: ignore[arg-type]


def worth(setup: Setup, side: int) -> dict[str, tuple[float, bool]]:
    """Return the worth of each place that counts, and whether the side is to take it."""
    return {each.name: (each.worth, each.takes) for each in objectives_of(setup, side, LEVELS)}


def test_a_place_is_worth_the_levels_of_victory_that_it_decides() -> None:
    """A place counts 1 for the lowest level, and one more for each higher one, for both sides."""
    assert worth(nursery.setup(), ALICE) == {"rug": (6.0, True), "box": (2.0, True)}


def test_a_place_that_is_to_be_denied_counts_for_the_enemy_alone() -> None:
    setup = replace(
        nursery.setup(),
        aims=(
            aim("Alice", "victory", controls=("rug",), denied=("box",)),
            aim("Bob", "minor victory", denied=("rug",)),
        ),
    )

    assert worth(setup, ALICE) == {"rug": (3.0, True)}
    assert worth(setup, BOB) == {"rug": (2.0, False), "box": (2.0, False)}


def test_the_objective_of_a_side_counts_one_more() -> None:
    setup = nursery.setup()
    alice, bob = setup.sides
    setup = replace(setup, sides=(replace(alice, objective="box"), bob), aims=setup.aims[:1])

    assert worth(setup, ALICE) == {"rug": (3.0, True), "box": (1.0, True)}
    assert worth(setup, BOB) == {"rug": (3.0, False)}


def test_aims_of_allies_do_not_count() -> None:
    setup = nursery.setup()
    alice, bob = setup.sides

    assert worth(replace(setup, sides=(replace(alice, allies=("Bob",)), bob)), BOB) == {
        "rug": (3.0, True), "box": (1.0, True),
    }  # fmt: skip


def test_brigades_are_the_sections_and_the_usual_ones_of_other_units() -> None:
    setup = nursery.setup()
    units = [replace(unit, section=()) if row in {0, 2} else unit
             for row, unit in enumerate(setup.units)]  # fmt: skip
    setup = replace(setup, units=tuple(units))

    named = brigades_by_section(setup, ALICE, lambda row: f"Row {row}")
    plain = brigades_by_section(setup, ALICE)

    assert [(each.name, each.units) for each in named] == [
        ("Row 0", (0,)), ("Row 2", (2,)), ("Guards", (4, 6)), ("Lancers", (8, 10, 12)),
        ("Sailors", (14,)),
    ]  # fmt: skip
    assert plain[0] == Brigade(name="Army", units=(0, 2))


def test_brigades_of_now_have_the_units_of_now_in_their_order() -> None:
    setup = nursery.setup()

    now = with_units(setup, brigades_by_section(setup, ALICE), [14, 6, 2])

    assert [(each.name, each.units) for each in now] == [
        ("Sailors", (14,)), ("Guards", (6, 2)), ("Lancers", ()),
    ]  # fmt: skip


def test_an_area_goes_before_a_feature_of_its_name() -> None:
    setup = nursery.setup()
    rug = setup.area("rug")
    features = (feature_of("rug", "marsh", rug.buffer(9)), feature_of("mat", "marsh", rug))
    setup = replace(setup, field=replace(setup.field, features=features))

    found = outlines_of(setup)

    assert found["rug"] is rug
    assert set(found) == {"rug", "box", "mat"}


def seen(setup: Setup, side: int) -> tuple[Battle, list[UnitProfile]]:
    battle = Battle(setup, LedTin(), 1)
    return battle, [body_of(battle, row) for row in range(len(setup.units))]


@pytest.mark.parametrize(("lines", "degrees"), [("south", 0), ("west", 90), ("east", 270)])
def test_a_side_looks_away_from_its_own_edge(lines: str, degrees: int) -> None:
    setup = nursery.setup()
    alice, bob = setup.sides
    setup = replace(setup, sides=(replace(alice, lines=lines), bob))
    battle, bodies = seen(setup, ALICE)

    found = outlook_of(battle, ALICE, brigades_by_section(setup, ALICE), bodies)

    assert found.frame.facing == degrees * 64
    assert found.objectives == (), "without levels no place decides"
    assert [body.unit for body in found.own] == [*range(0, 16, 2)]
    assert [body.unit for body in found.foes] == [*range(1, 16, 2)]


def test_rules_may_give_parts_of_an_outlook_themselves() -> None:
    battle, bodies = seen(nursery.setup(), BOB)

    found = outlook_of(
        battle, BOB, brigades_by_section(battle.setup, BOB), bodies, LEVELS, holds=True, turn=3
    )

    assert (found.holds, found.turn, found.turns) == (True, 3, 14)
    assert [each.name for each in found.objectives] == ["rug", "box"]
