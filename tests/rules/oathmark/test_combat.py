"""Dice, target numbers, hits and results of combat."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.oathmark.blocks import block_at
from emlia3d.rules.oathmark.combat import (
    BlockAttack,
    Fighter,
    at_least_one,
    attack_on,
    charge_dice,
    combat_rows,
    flank_dice,
    front_dice,
    hits,
    hits_by_table,
    hits_of,
    is_lower,
    losses_of,
    may_push_from_works,
    mod_activated,
    mod_disordered,
    mod_flank_attack,
    mod_full_ranks,
    mod_rear,
    mod_works,
    must_test_after_losses,
    ordinary_dice,
    plain_dice,
    pools_of,
    shielded,
    struck_facing,
    target_number,
    winner,
)
from emlia3d.rules.oathmark.core import BlockSide, total
from emlia3d.rules.oathmark.melee import fight
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, put, table

FRONT = {"struck": BlockSide.FRONT, "strikes": BlockSide.FRONT, "active": True, "full": 1}
BLUE = {"side": "Blue", "facing": 180}


def fighter(**other: Any) -> Fighter:
    """Return the active unit of a frontal combat."""
    return Fighter(**{**FRONT, **other})


def facing_off(one: dict[str, Any], other: dict[str, Any], **more: Any) -> Battle:
    """Return a battle in which two units stand front to front in contact."""
    depth = (one.get("depth", 25) + other.get("depth", 25)) / 2
    return table({"side": "Red", **one}, {**BLUE, "officer": (0, depth), **other}, **more)


def attack(
    battle: Battle, struck: BlockSide = BlockSide.FRONT, moved: float = 100.0, **other: Any
) -> BlockAttack:
    """Return an attack of the first unit on the second."""
    found = attack_on(battle, 0, 1, moved)
    return BlockAttack(**{
        "attacker": 0, "defender": 1, "struck": struck, "moved": moved,
        "over_works": found.over_works, **other,
    })  # fmt: skip


def entry(name: str, members: int, **other: Any) -> dict[str, Any]:
    """Return a unit of the unit set."""
    return {"type": f"oathmark/{name}", "members": members, **other}


@pytest.mark.rule("oathmark.combat.facing")
def test_the_place_of_the_officer_as_the_move_begins_decides() -> None:
    # The defender's centre is 12.5 mm behind its officer: (150, 100) in its frame.
    battle = table({**SOLDIER, "officer": (150, 87.5)}, {**SOLDIER, "side": "Blue"})

    assert struck_facing(*(block_at(battle.state, unit) for unit in (1, 0))) is BlockSide.RIGHT
    assert attack_on(battle, 0, 1, 0.0).struck is BlockSide.RIGHT


@pytest.mark.rule("oathmark.combat.dice-front")
def test_the_front_rank_gives_five_dice_at_most() -> None:
    assert front_dice(1, 5) == 5
    assert front_dice(1, 3) == 3
    assert front_dice(2, 5) == 5
    assert front_dice(2, 2) == 4
    assert front_dice(5, 1) == 5


@pytest.mark.rule("oathmark.combat.dice-flank")
def test_a_unit_struck_in_flank_counts_complete_ranks() -> None:
    assert flank_dice(1, 3) == 3
    assert flank_dice(2, 2) == 4
    battle = table(SOLDIER, {**SOLDIER, "side": "Blue", "members": 15, "officer": (300, 0)})
    assert plain_dice(battle, 1, BlockSide.LEFT) == 3
    assert plain_dice(battle, 0, BlockSide.FRONT) == 5


@pytest.mark.rule("oathmark.combat.dice-character")
def test_a_champion_is_left_out_of_the_dice_in_flank() -> None:
    soldiers = [(3, True), *[(1, False)] * 9]

    assert flank_dice(ordinary_dice(soldiers), 2) == 2
    assert ordinary_dice([(3, True)]) == 3


@pytest.mark.rule("oathmark.combat.dice-min")
def test_four_soldiers_struck_in_flank_have_one_die() -> None:
    assert at_least_one(0) == 1
    battle = table({**SOLDIER, "members": 4}, {**SOLDIER, "side": "Blue", "officer": (300, 0)})
    assert plain_dice(battle, 0, BlockSide.LEFT) == 1


@pytest.mark.rule("oathmark.combat.shielding")
def test_shielding_takes_dice_from_a_frontal_attacker() -> None:
    assert shielded(5, 1, BlockSide.FRONT) == 4
    assert shielded(5, 1, BlockSide.LEFT) == 5
    assert shielded(1, 2, BlockSide.FRONT) == 1


@pytest.mark.rule("oathmark.ability.core-set")
def test_brace_takes_a_level_off_a_charge() -> None:
    battle = facing_off(entry("human-cavalry", 5, depth=50, width=25), entry("orc-spearman", 15))
    own, _ = pools_of(battle, attack(battle, moved=INCH))

    # 5 dice for the front rank, 2 of Charge (3) against Brace, less Shielding (1).
    assert own.dice == 6
    assert charge_dice(3, 1, BlockSide.FRONT, INCH) == 2
    assert charge_dice(3, 1, BlockSide.LEFT, INCH) == 3
    assert charge_dice(3, 0, BlockSide.FRONT, INCH - 1) == 0


@pytest.mark.rule("oathmark.combat.target-number")
def test_a_target_number_is_defence_less_fight() -> None:
    assert target_number(9, 3, ()) == 6
    battle = facing_off(entry("human-linebreaker", 5), entry("orc-soldier", 5))
    assert pools_of(battle, attack(battle))[0].target == 6


@pytest.mark.rule("oathmark.combat.modifier-table")
def test_all_rows_that_hold_are_added() -> None:
    rows = combat_rows(fighter(full=3, disordered=True, lower=True, over_works=True))

    assert dict(rows) == {
        "oathmark.combat.mod-full-ranks": -2,
        "oathmark.combat.mod-disordered": 1,
        "oathmark.combat.mod-lower": 1,
        "oathmark.combat.mod-works": 1,
    }
    assert total(rows) == 1


@pytest.mark.rule("oathmark.combat.mod-full-ranks")
def test_ranks_after_the_first_help_towards_the_front() -> None:
    assert mod_full_ranks(fighter(full=3)) == -2
    assert mod_full_ranks(fighter(full=2)) == -1
    assert mod_full_ranks(fighter(full=3, struck=BlockSide.LEFT)) == 0
    assert mod_full_ranks(fighter(full=1, unit_of_one=True)) == 0


@pytest.mark.rule("oathmark.combat.mod-flank-attack")
def test_a_flank_attack_helps() -> None:
    flank = fighter(strikes=BlockSide.LEFT)

    assert mod_flank_attack(flank) == -1
    assert target_number(9, 2, combat_rows(flank)) == 6
    assert mod_flank_attack(fighter(active=False, strikes=BlockSide.LEFT)) == 0


@pytest.mark.rule("oathmark.combat.mod-activated")
def test_a_defender_that_acted_before_fights_worse() -> None:
    assert mod_activated(fighter(active=False, had_activated=True)) == 1
    assert mod_activated(fighter(active=False)) == 0
    assert mod_activated(fighter(had_activated=True)) == 0


def test_a_second_attack_in_a_turn_meets_a_unit_that_has_fought() -> None:
    battle = table(SOLDIER, {**SOLDIER, **BLUE, "officer": (0, 25)})
    carry(battle, fight(battle, attack(battle)), dice=[1] * 10)

    assert ("oathmark.combat.mod-activated", 1) in pools_of(battle, attack(battle))[1].rows


@pytest.mark.rule("oathmark.combat.mod-rear")
def test_the_rear_is_worse_than_a_flank() -> None:
    assert mod_rear(fighter(active=False, struck=BlockSide.REAR)) == 1
    assert mod_rear(fighter(active=False, struck=BlockSide.LEFT)) == 0


@pytest.mark.rule("oathmark.combat.mod-disordered")
def test_disordered_units_fight_worse() -> None:
    assert mod_disordered(fighter(disordered=True)) == 1
    battle = table(SOLDIER, {**SOLDIER, **BLUE, "officer": (0, 25)})
    for unit in (0, 1):
        put(battle, unit, disordered=1)

    for pool in pools_of(battle, attack(battle)):
        assert ("oathmark.combat.mod-disordered", 1) in pool.rows


@pytest.mark.rule("oathmark.combat.mod-lower")
def test_half_an_inch_makes_lower_ground() -> None:
    assert is_lower(10, 30)
    assert not is_lower(30, 10)
    assert not is_lower(10, 15)
    assert not is_lower(0, 12.7)


def test_a_hill_raises_the_unit_on_it() -> None:
    hill = {"kind": "hill", "outline": [[400, 610], [800, 610], [800, 800], [400, 800]],
            "height": 1}  # fmt: skip
    battle = table(SOLDIER, {**SOLDIER, **BLUE, "officer": (0, 25)}, terrain=[hill])

    own, foe = pools_of(battle, attack(battle))

    assert ("oathmark.combat.mod-lower", 1) in own.rows
    assert ("oathmark.combat.mod-lower", 1) not in foe.rows


@pytest.mark.rule("oathmark.combat.mod-works")
def test_an_attack_over_a_wall_is_harder() -> None:
    over = fighter(over_works=True)

    assert mod_works(over) == 1
    assert target_number(9, 3, combat_rows(over)) == 7
    assert mod_works(fighter(active=False, over_works=True)) == 0
    wall = {"kind": "wall", "outline": [[500, 620], [700, 620], [700, 630], [500, 630]]}
    battle = table(SOLDIER, {**SOLDIER, **BLUE, "officer": (0, 60)}, terrain=[wall])
    assert attack_on(battle, 0, 1, 10.0).over_works


@pytest.mark.rule("oathmark.combat.simultaneous")
def test_losses_do_not_reduce_the_dice_of_the_same_combat() -> None:
    battle = table({**SOLDIER, "members": 5}, {**SOLDIER, **BLUE, "members": 5, "officer": (0, 25)})

    # Four of five defenders fall, and they still roll five dice; their test fails.
    done = carry(
        battle,
        fight(battle, attack(battle)),
        "withdraw",
        dice=[7, 7, 7, 7, 1, *[1] * 5, 1, 1],
    )

    assert [done.facts("fought", number).dice for number in (0, 1)] == [5, 5]
    assert cell(battle, 1, "members") == 1


# Hits


@pytest.mark.rule("oathmark.combat.hit-table")
@pytest.mark.parametrize(
    ("target", "faces", "found"),
    [(6, [10, 6, 5, 1, 9], 3), (5, [10, 5], 3), (3, [8, 7, 2], 3), (0, [10, 5, 1], 6)],
)
def test_the_highest_row_that_a_die_reaches_counts(
    target: int, faces: list[int], found: int
) -> None:
    assert hits(faces, target) == found
    assert [hits_by_table(face, 3) for face in (2, 3, 8, 10)] == [0, 1, 2, 2]


@pytest.mark.rule("oathmark.combat.natural-ten")
def test_a_ten_always_hits() -> None:
    assert hits([10, 9], 14) == 1
    assert hits_of(10, 14) == 1


@pytest.mark.rule("oathmark.combat.casualties")
def test_wounds_are_carried_over() -> None:
    assert losses_of(3, figures=7, health=1, wounds=0) == (3, 0)
    assert losses_of(4, figures=3, health=3, wounds=0) == (1, 1)
    assert losses_of(2, figures=2, health=3, wounds=1) == (1, 0)
    assert losses_of(9, figures=2, health=1, wounds=0) == (2, 0)


@pytest.mark.rule("oathmark.combat.morale")
def test_only_a_unit_with_losses_tests() -> None:
    assert must_test_after_losses(2, present=True)
    assert not must_test_after_losses(0, present=True)
    battle = table(SOLDIER, {**SOLDIER, **BLUE, "officer": (0, 25)})

    done = carry(
        battle, fight(battle, attack(battle)), "withdraw", dice=[6, 6, 1, 1, 1, *[1] * 5, 9, 9]
    )

    assert [event.unit for event in done.named("morale tested")] == [1]


@pytest.mark.rule("oathmark.combat.winner")
def test_more_hits_win_even_against_fewer_figures() -> None:
    assert winner(4, 3) == 0
    assert winner(2, 3) == 1
    assert winner(2, 2) is None
    battle = table(SOLDIER, {**SOLDIER, **BLUE, "members": 2, "officer": (0, 25)})

    done = carry(battle, fight(battle, attack(battle)), dice=[6, 6, 6, 6, 1, 10, 1, 9, 9])

    assert done.facts("combat ended").winner == "unit 0"
    assert not done.named("pushed back")


@pytest.mark.rule("oathmark.combat.pushback-works")
def test_a_unit_in_works_is_pushed_back_only_if_it_fails_its_test() -> None:
    assert not may_push_from_works(in_works=True, failed=False)
    assert may_push_from_works(in_works=True, failed=True)
    assert may_push_from_works(in_works=False, failed=False)
    for faces, offered in (([9, 9], {"withdraw"}), ([1, 1], {"withdraw", "push back"})):
        battle = table(SOLDIER, {**SOLDIER, **BLUE, "officer": (0, 25)})
        done = carry(
            battle,
            fight(battle, attack(battle, over_works=True)),
            "withdraw",
            dice=[7, 7, 7, 1, 1, 6, 1, 1, 1, 1, 9, 9, *faces],
        )
        assert {order.verb for order in done.asked[0].options} == offered


@pytest.mark.rule("oathmark.combat.worked-example")
def test_linebreakers_attack_orc_soldiers() -> None:
    battle = facing_off(entry("human-linebreaker", 10), entry("orc-soldier", 15))

    done = carry(
        battle,
        fight(battle, attack(battle)),
        "push back",
        dice=[7, 10, 3, 5, 6, 2, 9, 10, 1, 7, 4, 8, 9],
    )

    ours, theirs = (done.facts("fought", number) for number in (0, 1))
    assert (ours.dice, ours.target_number, ours.successes) == (4, 5, 4)
    assert (theirs.dice, theirs.target_number, theirs.successes) == (5, 6, 3)
    assert [cell(battle, unit, "members") for unit in (0, 1)] == [7, 11]
    tests = [done.facts("morale tested", number) for number in (0, 1)]
    assert [(test.modifier, test.result) for test in tests] == [
        (-3, "is disordered"), (-3, "passes"),
    ]  # fmt: skip
    assert done.facts("combat ended").winner == "unit 0"
