"""What odds say of checks, fates and costs, beside the rules of the book and all ways of play."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.ways import all_ways
from emlia3d.rules.oathmark.brigades import points_left
from emlia3d.rules.oathmark.odds import gain_of_shot
from emlia3d.rules.oathmark.shooting import shoot
from emlia3d.rules.oathmark.sight import aims_in_sight
from tests.rules.oathmark.tables import SOLDIER, put, table

SHOOTER: dict[str, Any] = {**SOLDIER, "members": 1, "weapon": "bow", "shoot": 2}
TARGET: dict[str, Any] = {
    **SOLDIER, "side": "Blue", "facing": 180, "members": 2, "officer": (0, 300), "defence": 5,
}  # fmt: skip
ENGINE: dict[str, Any] = {
    **TARGET, "members": 1, "base": [50, 50], "points": 30,
    "abilities": {"artillery": 1, "crew": 3},
}  # fmt: skip
GIANT: dict[str, Any] = {
    **TARGET, "members": 1, "tags": ["unit-of-one"], "health": 6, "points": 60,
}  # fmt: skip


def first(battle: Battle, decision: Decision, number: int) -> Order:
    """Return the first option."""
    return decision.options[0]


@pytest.mark.parametrize(
    ("defence", "figures", "chance", "each"),
    [
        # A target number of 6: faces 6 to 10 score once.
        (8, 1, Fraction(5, 10), Fraction(5, 10)),
        # Of 2, with faces 7 to 10 twice; of 0, with 5 to 9 twice and 10 three times.
        (4, 3, Fraction(9, 10), Fraction(13, 10)),
        (2, 5, Fraction(1), Fraction(17, 10)),
        # Of 18: a natural 10.
        (20, 5, Fraction(1, 10), Fraction(1, 10)),
    ],
)
def test_a_check_has_the_chance_of_a_die_and_the_hits_of_all(
    defence: int, figures: int, chance: Fraction, each: Fraction
) -> None:
    battle = table({**SHOOTER, "members": figures}, {**TARGET, "defence": defence})

    odds = battle.system.odds(battle, 0, 1)

    (check,) = odds.checks
    assert (check.unit, check.target, check.dice) == ("unit 0", "unit 1", figures)
    assert check.chance == chance
    assert check.expected == each * figures
    assert check.modifier == sum(row.figure for row in check.rows) == 0
    assert f"{float(each * figures):.1f} hits on average" in odds.text


def test_the_rows_of_a_check_add_up() -> None:
    # +1 for disorder, -2 for two complete ranks after the first: 7 - 1 = 6.
    battle = table({**SHOOTER, "members": 15}, {**TARGET, "defence": 9})
    put(battle, 0, disordered=1)

    (check,) = battle.system.odds(battle, 0, 1).checks

    assert [(row.slug, row.figure) for row in check.rows] == [
        ("oathmark.shoot.mod-ranks", -2), ("oathmark.shoot.mod-disordered", 1),
    ]  # fmt: skip
    assert (check.modifier, check.chance) == (-1, Fraction(5, 10))


@pytest.mark.long
@pytest.mark.parametrize("disordered", [0, 1])
@pytest.mark.parametrize("target", [TARGET, ENGINE, GIANT], ids=["figures", "engine", "giant"])
def test_fates_and_costs_are_those_of_play(target: dict[str, Any], disordered: int) -> None:
    battle = table(SHOOTER, {**target, "points": target.get("points", 10)})
    put(battle, 1, disordered=disordered)
    if target is GIANT:
        put(battle, 1, wounds=4)
    (aim,) = aims_in_sight(battle, 0)
    before, gone, state, cost = points_left(battle, 1), Fraction(0), dict[int, Fraction](), 0.0

    odds = battle.system.odds(battle, 0, 1)
    scene = battle.fork()
    for way in all_ways(scene, [lambda: shoot(scene, 0, aim, 0)], first, {}):
        cost += float(way.chance) * (before - points_left(scene, 1))
        if not scene.state.units.value("present", 1):
            gone += way.chance
            continue
        now = scene.state.units.integer("disordered", 1)
        state[now] = state.get(now, Fraction(0)) + way.chance

    fate = odds.fates["unit 1"]
    assert fate.destroyed == gone
    assert dict(fate.morale) == state
    if disordered:
        # Before, disorder has taken a fifth of what its points are worth.
        cost /= 0.8
    assert gain_of_shot(battle, 0, aim, 0) == pytest.approx(cost)


def test_points_left_count_wounds_crew_and_disorder() -> None:
    units = [{**TARGET, "points": 10, "members": 7}, ENGINE, GIANT]
    placed = [{**unit, "officer": (200 * n, 300)} for n, unit in enumerate(units)]
    battle = table(SHOOTER, *placed)
    put(battle, 2, crew=2)
    put(battle, 3, wounds=2)

    assert [points_left(battle, unit) for unit in (1, 2, 3)] == pytest.approx([70, 20, 40])
    put(battle, 1, disordered=1)
    assert points_left(battle, 1) == pytest.approx(56)
    put(battle, 1, present=0)
    assert points_left(battle, 1) == 0
