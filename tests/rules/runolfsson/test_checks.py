"""Checks of morale and effects of hits: every face, every threshold, and who is left out."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.runolfsson.columns import Attacks, Marker, Phase
from emlia3d.rules.runolfsson.contacts import is_in_command, judge_command, replace_leader
from emlia3d.rules.runolfsson.core import fraction, has_a_shot, joined, may_by_specials, total
from emlia3d.rules.runolfsson.damage import apply_to_model, is_critical
from emlia3d.rules.runolfsson.individual import individual_result, transition
from emlia3d.rules.runolfsson.morale import (
    average_unit_checks,
    cowardly_unit_checks,
    graded,
    morale_phase,
    unit_die,
)
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, move_to, put, set_phase, table

BLUE = {"side": "Blue"}

# Individual checks

TABLE = {
    -1: "RRRPPPPPPN",
    0: "RRPPPPPPNN",
    1: "RPPPPPPNNN",
}
"""By modifier the results of the faces 1 to 10: routed, pinned, none."""


@pytest.mark.rule("runolfsson.indiv.table")
@pytest.mark.parametrize("modifier", TABLE)
def test_each_face_has_its_result(modifier: int) -> None:
    found = [individual_result(face, modifier).name[0] for face in range(1, 11)]

    assert "".join(found) == TABLE[modifier]


@pytest.mark.rule("runolfsson.rally.transitions", "runolfsson.rally.free")
@pytest.mark.parametrize("before", Marker)
@pytest.mark.parametrize("after", Marker)
def test_a_check_says_what_it_makes_of_a_model(before: Marker, after: Marker) -> None:
    names = {Marker.PINNED: "pinned", Marker.ROUTED: "routed"}
    free = "unaffected" if before is Marker.NONE else "rallied"

    assert transition(before, after) == names.get(after, free)


# Thresholds


@pytest.mark.rule("runolfsson.morale.average")
@pytest.mark.parametrize(
    ("original", "threshold"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (7, 3), (10, 5), (13, 6)]
)
def test_an_average_unit_checks_from_half_its_hits_on(original: int, threshold: int) -> None:
    checks = [average_unit_checks(original, lost, True) for lost in range(original + 1)]

    assert checks == [lost >= threshold for lost in range(original + 1)]
    assert not any(average_unit_checks(original, lost, False) for lost in range(original + 1))


@pytest.mark.rule("runolfsson.morale.cowardly")
@pytest.mark.parametrize(
    ("original", "threshold"),
    [(1, 1), (2, 1), (3, 1), (4, 1), (6, 1), (7, 2), (10, 3), (13, 3), (14, 4), (20, 6)],
)
def test_a_cowardly_unit_checks_from_three_tenths_of_its_hits_on(
    original: int, threshold: int
) -> None:
    losses = range(original + 1)
    for attacked, near in ((True, False), (False, True), (True, True)):
        checks = [cowardly_unit_checks(original, lost, attacked, near) for lost in losses]
        assert checks == [lost >= threshold for lost in losses]
    assert not any(cowardly_unit_checks(original, lost, False, False) for lost in losses)


@pytest.mark.rule("runolfsson.unitcheck.die")
def test_the_die_of_a_unit_is_the_largest_that_fits() -> None:
    dice = {1: None, 2: 2, 3: 3, 4: 4, 5: 4, 6: 6, 7: 6, 8: 8, 9: 8, 10: 10, 11: 10, 12: 12}
    dice |= dict.fromkeys(range(13, 20), 12) | {20: 20, 21: 20, 40: 20}

    assert {models: unit_die(models) for models in dice} == dice


@pytest.mark.rule("runolfsson.morale.grade")
@pytest.mark.parametrize(
    ("base", "points"), [(0, (0, 0, 0)), (1, (2, 1, 0)), (12, (24, 12, 6)), (13, (26, 13, 6))]
)
def test_grades_double_and_halve_costs(base: int, points: tuple[int, int, int]) -> None:
    assert (graded(base, "fearless"), graded(base, "average"), graded(base, "cowardly")) == points


# Who checks


def squad(count: int, *others: Any, **each: Any) -> Battle:
    """A unit of Red in its first morale phase, far from all others."""
    models = [{"at": [10, 10], "name": "head", **each}]
    models += [{"at": [10 + 3 * n, 10], "group": "head", **each} for n in range(1, count)]
    battle = table(*models, *others, {"at": [40, 40], **BLUE})
    set_phase(battle, Phase.MORALE_ONE)
    return battle


def checks(battle: Battle, *dice: int) -> list[tuple[str, int | None, str]]:
    """Play a morale phase; return each check, its unit and its first rule."""
    done = carry(battle, morale_phase(battle), dice=dice)
    return [
        (event.name, event.unit, event.because[0].removeprefix("runolfsson."))
        for event in done.events
        if event.name.endswith("checked")
    ]


@pytest.mark.rule("runolfsson.character.average", "runolfsson.morale.average")
def test_a_character_that_is_hurt_makes_no_unit_check() -> None:
    battle = squad(1, hits=2, character=True)
    put(battle, 0, hits_left=1, was_hit=1, attacks=Attacks.SOME)
    assert checks(battle) == []

    put(battle, 0, attacks=Attacks.MANY)

    assert checks(battle, 9) == [("morale checked", 0, "character.average")]


@pytest.mark.rule("runolfsson.character.average", "runolfsson.morale.average")
@pytest.mark.parametrize("grade", ["average", "cowardly"])
def test_a_member_of_a_unit_makes_no_check_of_a_character(grade: str) -> None:
    battle = squad(3, grade=grade)
    put(battle, 1, attacks=Attacks.MANY)

    assert checks(battle) == []


@pytest.mark.rule("runolfsson.morale.once-per-turn", "runolfsson.morale.phase-one")
def test_a_model_that_has_checked_does_not_bar_those_after_it() -> None:
    battle = squad(3)
    for row in range(3):
        put(battle, row, marker=1, checked=1 if row == 0 else 0)

    assert checks(battle, 9, 9) == [
        ("morale checked", 1, "morale.phase-one"), ("morale checked", 2, "morale.phase-one"),
    ]  # fmt: skip
    assert [cell(battle, row, "checked") for row in range(3)] == [1, 1, 1]


@pytest.mark.rule("runolfsson.morale.cowardly", "runolfsson.morale.average")
@pytest.mark.parametrize("grade", ["average", "cowardly"])
@pytest.mark.parametrize("struck", [0, 1, 2])
def test_one_member_that_was_struck_is_enough(grade: str, struck: int) -> None:
    battle = squad(4, grade=grade)
    put(battle, 3, present=0, hits_left=0)
    put(battle, 2, hits_left=0)
    put(battle, struck, attacks=Attacks.SOME, was_hit=1)

    assert checks(battle, 2) == [("unit checked", 0, "unitcheck.die")]


@pytest.mark.rule("runolfsson.morale.cowardly")
@pytest.mark.parametrize(("foe", "near"), [((31, 10), False), ((26, 10), True), ((10, 17), True)])
def test_an_enemy_near_one_member_is_enough(foe: tuple[float, float], near: bool) -> None:
    """Members stand from x = 10 to x = 19; the limit is 6 inches from base to base."""
    battle = squad(4, {"at": [*foe], "character": True, **BLUE}, grade="cowardly")
    put(battle, 1, present=0, hits_left=0)

    assert [name for name, _, _ in checks(battle, *[1] * near)] == ["unit checked"] * near


@pytest.mark.rule("runolfsson.unitcheck.fail", "runolfsson.unitcheck.result")
def test_a_unit_that_fails_checks_by_its_members_in_their_order() -> None:
    battle = squad(4)
    put(battle, 0, present=0, hits_left=0)
    put(battle, 2, present=0, hits_left=0)
    put(battle, 1, was_hit=1)

    assert checks(battle, 3, 9, 9) == [
        ("unit checked", 1, "unitcheck.die"), ("morale checked", 1, "unitcheck.fail"),
        ("morale checked", 3, "unitcheck.fail"),
    ]  # fmt: skip
    assert cell(battle, 0, "unit_checked") == 1


# Leaders


@pytest.mark.rule("runolfsson.command.out")
@pytest.mark.parametrize(("off", "within"), [(6.0, True), (6.05, False)])
def test_each_model_is_judged_by_its_own_radius(off: float, within: bool) -> None:
    battle = squad(3, {"at": [4, 40], "character": True}, command_radius=6)
    move_to(battle, 2, (11 + off, 10))

    assert [is_in_command(battle, row) for row in (0, 1, 2, 3)] == [True, True, within, True]
    changes = judge_command(battle, [0, 1])
    assert [change.row for change in changes] == ([] if within else [2])  # type: ignore[union-attr]
    put(battle, 0, present=0)
    assert [is_in_command(battle, row) for row in (1, 2, 3)] == [False, False, True]


@pytest.mark.rule("runolfsson.leader.replace")
@pytest.mark.parametrize(("count", "unit", "asked"), [(1, 0, 0), (2, 0, 1), (2, 1, 0)])
def test_only_a_leader_of_others_is_replaced(count: int, unit: int, asked: int) -> None:
    battle = squad(count)

    done = carry(battle, replace_leader(battle, unit), *["keep leader"] * asked)

    assert [decision.unit for decision in done.asked] == [unit] * asked


# Effects of hits


@pytest.mark.rule("runolfsson.effect.two-hits", "runolfsson.effect.many-hits")
@pytest.mark.parametrize(
    ("hits", "lost", "left"),
    [
        (2, 1, (2.5, 1, 1)), (3, 1, (4, 2, 2)), (3, 2, (3, 1, 1)), (9, 4, (1, 0, 5)),
        (9, 7, (0, 0, 2)),
    ],
)  # fmt: skip
def test_a_model_is_worn_by_its_original_hits(
    hits: int, lost: int, left: tuple[float, int, int]
) -> None:
    battle = table({"at": [20, 20], "hits": hits, "attack": 5, "save": 3}, {"at": [40, 40], **BLUE})
    put(battle, 0, coming=lost, dice_at=9)

    carry(battle, apply_to_model(battle, 0), dice=(4, 4, 4))

    assert tuple(cell(battle, 0, name) for name in ("attack", "save", "hits_left")) == left
    assert cell(battle, 0, "was_hit") == 1


@pytest.mark.rule("runolfsson.crit.when")
@pytest.mark.parametrize(("hits", "critical"), [(1, False), (2, False), (3, True), (4, True)])
def test_only_models_of_more_than_two_hits_take_critical_hits(hits: int, critical: bool) -> None:
    assert is_critical(hits, (9, 10)) is critical
    assert not is_critical(hits, (9, 1))


# Dice


@pytest.mark.rule("runolfsson.dice.fractions")
@pytest.mark.parametrize(
    ("pools", "expected"),
    [
        ([], (0, 0)), ([(2.0, -1)], (0, 0)), ([(2.5, -1)], (0, -1)),
        ([(2.0, -3), (0.5, 0)], (0, 0)),
        ([(1e-6, -3), (0.5, -1), (0.5, 0)], (1, -1)), ([(0.75, 1), (0.75, 2)], (1, 1)),
    ],
)  # fmt: skip
def test_joined_dice_have_the_worst_modifier_of_the_fractions(
    pools: list[tuple[float, int]], expected: tuple[int, int]
) -> None:
    assert joined(pools) == expected
    assert [fraction(dice) for dice in (0.0, 1e-6, 2.5, 2.0 - 1e-7)] == [0, 0, 0.5, 0]


@pytest.mark.rule("runolfsson.dice.no-shot")
@pytest.mark.parametrize(
    ("pools", "shot"),
    [
        ([(1.0, 0), (0.5, 0)], True), ([(0.5, 0), (1.0, 0)], True), ([(0.5, 0), (0.25, 0)], False),
        ([(0.5, 3)], False), ([(0.0, 0), (0.0, 0)], False), ([(0.75, 0), (0.25, 0)], True),
    ],
)  # fmt: skip
def test_one_whole_die_is_a_shot(pools: list[tuple[float, int]], shot: bool) -> None:
    assert has_a_shot(pools) is shot


@pytest.mark.rule("runolfsson.mod.positive-cap", "runolfsson.mod.negative")
@pytest.mark.parametrize(
    ("modifiers", "sum_of_them"),
    [((), 0), ((0, 0), 0), ((1,), 1), ((1, 1), 2), ((1, 1, 1), 2), ((3, -1), 1), ((0, -1, 1), 0)],
)
def test_modifiers_of_nothing_add_nothing(modifiers: tuple[int, ...], sum_of_them: int) -> None:
    assert total(modifiers) == sum_of_them


@pytest.mark.rule("runolfsson.core.special-attributes")
def test_one_prohibition_and_one_permission_are_enough() -> None:
    assert not may_by_specials(True, [True], [False, True])
    assert may_by_specials(False, [False, True], [False])
    assert may_by_specials(True, [False], [])
