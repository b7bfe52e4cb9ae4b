"""Losses of figures, crews and units-of-one, their tests, and what the events say."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.oathmark.combat import (
    BlockAttack,
    Fighter,
    charge_dice,
    combat_rows,
    flank_dice,
    losses_of,
    must_test_after_losses,
)
from emlia3d.rules.oathmark.core import BlockSide, larger
from emlia3d.rules.oathmark.losses import (
    Casualties,
    casualties_of,
    lose,
    loss_tests,
    rows_after,
    take_test,
)
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, figures, officer, put, table

SLUG = "oathmark.combat.simultaneous"
FOE: dict[str, Any] = {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 450)}
ENGINE: dict[str, Any] = {
    **SOLDIER, "members": 1, "base": [50, 50], "points": 90,
    "abilities": {"artillery": 1, "crew": 3},
}  # fmt: skip
GIANT: dict[str, Any] = {
    **SOLDIER, "members": 1, "base": [75, 75], "health": 12, "points": 350,
    "tags": ["unit-of-one"],
}  # fmt: skip
TROLLS: dict[str, Any] = {**SOLDIER, "members": 3, "base": [50, 50], "health": 3, "points": 65}


def lost(battle: Battle) -> list[float]:
    """Return the points that each side has lost."""
    return battle.state.sides.floats("lost").tolist()


def test_the_larger_of_two_values_has_a_place() -> None:
    assert [larger(2, 1), larger(1, 2), larger(2, 2)] == [0, 1, None]


@pytest.mark.rule("oathmark.combat.casualties")
@pytest.mark.parametrize(
    ("given", "found"),
    [
        # Hits, figures, Health and wounds before: figures that fall, and wounds after.
        ((4, 3, 3, 0), (1, 1)), ((1, 3, 3, 1), (0, 2)), ((1, 3, 3, 2), (1, 0)),
        ((3, 3, 3, 1), (1, 1)), ((8, 3, 3, 0), (2, 2)), ((9, 3, 3, 0), (3, 0)),
        ((10, 3, 3, 0), (3, 0)), ((11, 3, 3, 2), (3, 0)), ((0, 3, 3, 2), (0, 2)),
    ],
)  # fmt: skip
def test_hits_cost_health_figure_by_figure(
    given: tuple[int, int, int, int], found: tuple[int, int]
) -> None:
    assert losses_of(*given) == found


@pytest.mark.rule("oathmark.combat.morale")
def test_one_point_lost_is_enough_for_a_test() -> None:
    assert must_test_after_losses(1, present=True)
    assert not must_test_after_losses(1, present=False)


@pytest.mark.parametrize(
    ("unit", "hits", "found"),
    [
        (SOLDIER, 4, Casualties(4, 6, 4, 0)), (SOLDIER, 12, Casualties(10, 0, 10, 0)),
        (TROLLS, 4, Casualties(1, 2, 1, 1)), (TROLLS, 2, Casualties(0, 3, 0, 2)),
        # Of a unit-of-one each point counts in a test, of a crew each figure.
        (GIANT, 3, Casualties(0, 1, 3, 3)), (GIANT, 12, Casualties(1, 0, 12, 0)),
        (ENGINE, 2, Casualties(2, 1, 2, 0)), (ENGINE, 5, Casualties(3, 0, 3, 0)),
    ],
)  # fmt: skip
def test_hits_are_counted_by_kind_of_unit(
    unit: dict[str, Any], hits: int, found: Casualties
) -> None:
    assert casualties_of(table(unit, FOE), 0, hits) == found


@pytest.mark.rule("oathmark.morale.modifier-table")
@pytest.mark.parametrize(
    ("unit", "losses", "rows"),
    [
        # Casualties; below one rank; two complete ranks, or one of large bases.
        (SOLDIER, (2, 10), [-2, 1]), (SOLDIER, (2, 9), [-2]), (SOLDIER, (2, 4), [-2, -1]),
        (TROLLS, (1, 3), [-1, 1]), (TROLLS, (1, 2), [-1, -1]),
        # A crew is a complete rank of large bases; a unit-of-one has no modifiers.
        (ENGINE, (2, 1), [-2, 1]), (GIANT, (3, 1), []),
    ],
)  # fmt: skip
def test_the_ranks_that_are_left_modify_a_test(
    unit: dict[str, Any], losses: tuple[int, int], rows: list[int]
) -> None:
    battle = table(unit, FOE)

    assert [value for _, value in rows_after(battle, 0, losses, 0)] == rows
    assert [value for _, value in rows_after(battle, 0, losses, 1)] == ([*rows, 1] if rows else [])
    put(battle, 0, disordered=1)
    assert sorted(value for _, value in rows_after(battle, 0, losses, 0)) == (
        sorted([*rows, -1]) if rows else []
    )


@pytest.mark.parametrize(
    ("unit", "hits", "facts", "points", "slug"),
    [
        (SOLDIER, 3, (3, 3, 7), 36.0, "oathmark.combat.casualties"),
        (SOLDIER, 12, (12, 10, 0), 120.0, "oathmark.combat.casualties"),
        (TROLLS, 2, (2, 0, 3), 0.0, "oathmark.combat.casualties"),
        (GIANT, 3, (3, 0, 1), 0.0, "oathmark.combat.casualties"),
        (GIANT, 12, (12, 1, 0), 350.0, "oathmark.combat.casualties"),
        (ENGINE, 2, (2, 2, 1), 0.0, "oathmark.artillery.casualties"),
        (ENGINE, 4, (4, 3, 0), 90.0, "oathmark.artillery.casualties"),
    ],
)  # fmt: skip
def test_losses_cost_points_and_are_told(
    unit: dict[str, Any], hits: int, facts: tuple[int, ...], points: float, slug: str
) -> None:
    battle = table({"points": 12, **unit}, FOE)

    done = carry(battle, lose(battle, 0, hits, SLUG))

    (event,) = done.named("hurt")
    assert tuple(event.facts.values().values()) == facts
    assert event.because == (slug, SLUG)
    assert event.part_of_last
    assert lost(battle) == [points, 0.0]
    assert cell(battle, 0, "present") == (1 if facts[-1] else 0)


def test_no_hits_are_no_event() -> None:
    battle = table(SOLDIER, FOE)

    done = carry(battle, lose(battle, 0, 0, SLUG))

    assert (done.value, done.events) == (0, [])


@pytest.mark.parametrize("bearing", [0, 90, 205])
@pytest.mark.parametrize(("members", "hits"), [(7, 2), (7, 3), (5, 1), (5, 4), (12, 8), (6, 5)])
def test_the_officer_keeps_its_place_as_figures_fall(members: int, hits: int, bearing: int) -> None:
    battle = table({**SOLDIER, "members": members, "facing": bearing}, FOE)

    carry(battle, lose(battle, 0, hits, SLUG))

    left = members - hits
    assert cell(battle, 0, "members") == left
    assert officer(battle, 0) == (0, 0)
    assert len({*figures(battle, 0)}) == left
    assert any(abs(x) < 0.01 and abs(y) < 0.01 for x, y in figures(battle, 0))


# Tests


@pytest.mark.rule("oathmark.morale.broken")
@pytest.mark.parametrize(
    ("unit", "points"), [({**SOLDIER, "points": 12}, 120.0), (ENGINE, 90.0), (TROLLS, 195.0)]
)
def test_a_unit_that_breaks_is_lost_with_all_its_points(
    unit: dict[str, Any], points: float
) -> None:
    battle = table(unit, FOE)
    put(battle, 0, disordered=1)

    done = carry(battle, take_test(battle, 0, "panic", (), "oathmark.morale.test"), dice=[1, 1])

    passed, fled = done.value
    assert not passed
    assert [row for row, _ in fled] == [0]
    assert lost(battle) == [points, 0.0]
    assert [event.because for event in done.named("broken")] == [("oathmark.morale.broken",)]


@pytest.mark.parametrize(
    ("disordered", "faces", "value", "result"),
    [
        (0, [5, 1], True, "passes"), (0, [4, 1], False, "is disordered"),
        (1, [5, 1], True, "passes"),
    ],
)  # fmt: skip
def test_a_test_tells_its_result(
    disordered: int, faces: list[int], value: bool, result: str
) -> None:
    battle = table(SOLDIER, FOE)
    put(battle, 0, disordered=disordered)

    done = carry(battle, take_test(battle, 0, "panic", (("x.y", 0), ("x.y", 0)), SLUG), dice=faces)

    assert done.value == (value, [])
    told = done.facts("morale tested")
    assert (told.cause, told.faces, told.modifier, told.result) == (
        "panic", tuple(faces), 0, result,
    )  # fmt: skip
    assert done.events[0].because == (SLUG, "x.y")
    assert cell(battle, 0, "disordered") == (1 if result == "is disordered" else disordered)


def test_tests_for_losses_tell_which_units_failed() -> None:
    battle = table(SOLDIER, {**FOE, "officer": (300, 0)}, FOE)
    put(battle, 1, disordered=1)

    # The first fails, the second breaks; the third has lost nothing.
    done = carry(battle, loss_tests(battle, [(0, 1), (1, 1), (2, 0)], 0), dice=[1, 1, 1, 1])

    failed, fled = done.value
    assert failed == {0, 1}
    assert [unit for unit, _ in fled] == [1]


def test_a_house_rule_for_units_of_one_leaves_others_as_they_are() -> None:
    battle = table(SOLDIER, FOE, field="[house]\nunit_of_one_tests_per_point = true")

    done = carry(battle, loss_tests(battle, [(0, 3)], 0), dice=[10, 1])

    assert len(done.named("morale tested")) == 1


# Small tables of combat


@pytest.mark.rule("oathmark.combat.dice-flank")
def test_complete_ranks_give_five_dice_at_most() -> None:
    assert [flank_dice(2, full) for full in (0, 1, 2, 3)] == [0, 2, 4, 5]


@pytest.mark.rule("oathmark.ability.core-set")
@pytest.mark.parametrize(
    ("charge", "brace", "dice"), [(0, 0, 0), (1, 0, 1), (1, 1, 0), (0, 1, 0), (3, 1, 2), (3, 2, 1)]
)
def test_brace_takes_at_most_all_of_a_charge(charge: int, brace: int, dice: int) -> None:
    assert charge_dice(charge, brace, BlockSide.FRONT, INCH) == dice
    for side in (BlockSide.LEFT, BlockSide.RIGHT, BlockSide.REAR):
        assert charge_dice(charge, brace, side, INCH) == charge
    assert charge_dice(charge, brace, BlockSide.REAR, INCH - 0.01) == 0


@pytest.mark.rule("oathmark.combat.modifier-table")
@pytest.mark.parametrize("active", [True, False])
def test_a_fresh_unit_of_one_rank_has_no_modifiers(active: bool) -> None:
    plain = Fighter(struck=BlockSide.FRONT, strikes=BlockSide.FRONT, active=active, full=1)

    assert combat_rows(plain) == ()


def test_each_unit_of_a_combat_has_the_other_for_its_enemy() -> None:
    met = BlockAttack(attacker=3, defender=5, struck=BlockSide.LEFT, moved=0.0, over_works=False)

    assert (met.enemy_of(3), met.enemy_of(5)) == (5, 3)
