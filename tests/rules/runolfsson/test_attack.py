"""Attacks: targets, declarations, dice, and effects at the end of a phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.runolfsson.attack import (
    Joint,
    PossibleShot,
    apply_effects,
    declare,
    in_range,
    is_obliged,
    may_attack,
    may_divide,
    modifier,
    open_shots,
    piece_orders,
    standing_shots,
    who_picks,
)
from emlia3d.rules.runolfsson.attack_phase import pick_target, strike
from emlia3d.rules.runolfsson.columns import Attacked, Phase, Turn
from emlia3d.rules.runolfsson.running import attacks_in_moving_phase_only
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, ready, set_phase, table

BLUE = {"side": "Blue"}


def duel(distance: float = 10.0, **other: Any) -> Battle:
    """Two models whose centres are so far apart."""
    return ready({"at": [20, 20], **other}, {"at": [20 + distance, 20], **BLUE})


def shot(battle: Battle, attacker: int = 0, target: int = 1) -> PossibleShot:
    side = battle.state.units.integer("side", attacker)
    return next(
        found
        for found in standing_shots(battle, side)
        if (found.attacker, found.target) == (attacker, target)
    )


def targets(battle: Battle, side: int = 0) -> list[int]:
    return sorted(open_shots(battle, side))


@pytest.mark.rule("runolfsson.attack.two-phases")
def test_a_model_attacks_once_a_turn() -> None:
    battle = duel()
    assert may_attack(battle, 0)

    carry(battle, strike(battle, [(shot(battle), 4.0)], "x"), dice=(5, 5, 1, 1))

    assert cell(battle, 0, "attacked") == Attacked.YES
    assert not may_attack(battle, 0)
    set_phase(battle, Phase.MOVING)
    assert targets(battle) == []


@pytest.mark.rule("runolfsson.attack.two-phases")
def test_a_critical_hit_forbids_attacks_in_its_turn() -> None:
    battle = duel()

    put(battle, 0, no_attack=1)

    assert not may_attack(battle, 0)


@pytest.mark.rule("runolfsson.attack.ranged-needs")
@pytest.mark.parametrize(("distance", "legal"), [(25.0, True), (25.1, False)])
def test_a_target_at_the_range_may_be_fired_at(distance: float, legal: bool) -> None:
    assert (targets(duel(distance)) == [1]) is legal
    assert bool(in_range(np.array(distance - 1), np.array(24.0))) is legal


@pytest.mark.rule("runolfsson.attack.facing")
def test_a_target_behind_is_legal() -> None:
    for facing in (0, 90, 180, 270):
        assert targets(ready({"at": [20, 20], "facing": facing}, {"at": [30, 20], **BLUE})) == [1]


@pytest.mark.rule("runolfsson.attack.one-target")
def test_only_contact_with_several_or_a_special_divides_dice() -> None:
    far = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [30, 24], **BLUE})
    special = ready(
        {"at": [20, 20], "specials": ["multi targeting"]},
        {"at": [30, 20], **BLUE},
        {"at": [30, 24], **BLUE},
    )
    near = ready({"at": [20, 20]}, {"at": [21, 20], **BLUE}, {"at": [19, 20], **BLUE})

    assert not may_divide(far, shot(far))
    assert may_divide(special, shot(special))
    assert may_divide(near, shot(near))
    assert not may_divide(duel(1.0), shot(duel(1.0)))


def test_dice_that_are_left_serve_another_target_in_contact() -> None:
    battle = ready(
        {"at": [20, 20], "attack": 5},
        {"at": [21, 20], **BLUE},
        {"at": [19, 20], **BLUE},
        {"at": [20, 28], **BLUE},
    )

    def two(decision: Decision) -> Order:
        return next(order for order in decision.options if order.number == 2)

    def first(decision: Decision) -> Order:
        return decision.options[0]

    carry(battle, pick_target(battle, 0), first, first, two, dice=(5, 5))

    assert cell(battle, 0, "attacked") == Attacked.PARTLY
    assert targets(battle) == [2]
    carry(battle, pick_target(battle, 0), "attack", first, first, dice=(5, 5, 5))
    assert cell(battle, 0, "attacked") == Attacked.YES


@pytest.mark.rule("runolfsson.attack.declare-all")
def test_all_attackers_are_declared_before_any_die() -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [20, 23]})

    def both(decision: Decision) -> Order:
        assert decision.asks == "runolfsson.attack.declare-all"
        return decision.options[0]

    done = carry(battle, pick_target(battle, 0), "attack", both, dice=(1,) * 8)

    names = [event.name for event in done.events]
    assert names == ["picked", "attack made", "attack made"]
    assert done.events[0].actors == (0, 2)
    assert targets(battle) == []


@pytest.mark.rule("runolfsson.attack.declare-all")
def test_a_declaration_gives_each_model_all_its_dice() -> None:
    battle = duel()
    order = Order(verb="attack", target=1)

    done = carry(battle, declare(battle, 0, [shot(battle)], order), lambda d: d.options[0])

    assert done.value == [(shot(battle), 4.0)]


def test_a_joint_attack_takes_any_models_that_have_a_whole_die_together() -> None:
    tree = feature("tree", at=(24, 10, 25, 30))
    battle = ready(
        {"at": [20, 20], "attack": 1},
        {"at": [30, 20], **BLUE},
        {"at": [20, 23], "attack": 1},
        terrain=[tree],
    )
    joint = Joint(battle, tuple(open_shots(battle, 0)[1]), Order(verb="attack", target=1))

    alone, both = joint.by([0]), joint.by([0, 2])

    refusal = joint.refusal(alone)
    assert refusal is not None
    assert refusal.slug == "runolfsson.dice.no-shot"
    assert joint.refusal(both) is None
    assert joint.refusal(joint.by([0, 0])) is not None
    assert joint.refusal(joint.by([1])) is not None
    assert joint.refusal(replace(both, target=2)) is not None


def test_fractions_of_two_models_make_a_die_with_the_worst_modifier() -> None:
    tree = feature("tree", at=(24, 10, 25, 30))
    battle = ready(
        {"at": [20, 20], "attack": 3},
        {"at": [30, 20], **BLUE},
        {"at": [20, 23], "attack": 3},
        terrain=[tree],
    )
    put(battle, 2, in_command=0)

    done = carry(battle, pick_target(battle, 0), "attack", lambda d: d.options[0], dice=(5, 5, 5))

    rolls = [event.facts for event in done.named("attack made")]
    assert [(facts.dice, facts.modifier, facts.successes) for facts in rolls] == [
        (1, 0, 1), (1, -1, 0), (1, -1, 0),
    ]  # fmt: skip
    assert cell(battle, 1, "coming") == 1
    assert cell(battle, 1, "dice_at") == 3


@pytest.mark.rule("runolfsson.crit.once")
@pytest.mark.parametrize(
    ("attacks", "dice", "critical", "joined"),
    [
        ((4,), (10, 10), 1, []),
        ((3, 3), (10, 10, 5), 2, [1]),  # two models, an attack each
        ((3, 3), (10, 5, 10), 1, [1]),  # the joined die is of the first model as well
        ((3, 3), (5, 5, 10), 1, [1]),
        ((2, 1, 1), (10, 10), 2, [2]),  # the first model joins no die
    ],
)
def test_a_model_causes_one_critical_hit_with_its_dice_and_those_it_joins(
    attacks: tuple[int, ...], dice: tuple[int, ...], critical: int, joined: list[int]
) -> None:
    battle = ready(
        {"at": [30, 20], "hits": 5, **BLUE},
        *({"at": [20, 18 + 3 * row], "attack": attack} for row, attack in enumerate(attacks)),
        terrain=[feature("tree", at=(24, 10, 25, 30))],
    )

    done = carry(battle, pick_target(battle, 0), "attack", lambda d: d.options[0], dice=dice)

    assert cell(battle, 0, "tens") == critical
    rolls = done.named("attack made")
    assert [event.unit for event in rolls if event.facts.values()["joined"]] == joined


@pytest.mark.rule("runolfsson.attack.alternate")
def test_the_sides_pick_targets_in_turn() -> None:
    battle = ready(
        {"at": [20, 20]}, {"at": [20, 23]}, {"at": [30, 20], **BLUE}, {"at": [30, 23], **BLUE}
    )
    sides = []
    for _ in range(4):
        side = who_picks(battle)
        assert side is not None
        sides.append(side)
        carry(battle, pick_target(battle, side), "attack", lambda d: d.options[-1], dice=(1,) * 4)

    assert sides == [0, 1, 0, 1]
    assert who_picks(battle) is None


@pytest.mark.rule("runolfsson.attack.alternate")
def test_a_target_is_picked_once_and_a_side_that_has_passed_picks_none() -> None:
    battle = duel()
    put(battle, 1, fired_on=1)
    assert targets(battle) == []
    put(battle, 1, fired_on=0)
    put(battle, 0, fired_on=1)

    done = carry(battle, pick_target(battle, 0), "pass")

    assert [event.name for event in done.events] == ["passed"]
    assert who_picks(battle) is None


@pytest.mark.rule("runolfsson.attack.effects-at-end")
def test_a_model_that_will_die_still_attacks_with_all_its_dice() -> None:
    battle = duel()
    first = carry(battle, strike(battle, [(shot(battle), 4.0)], "x"), dice=(9,) * 4)
    assert cell(battle, 1, "present") == 1

    carry(battle, strike(battle, [(shot(battle, 1, 0), 4.0)], "x"), dice=(9,) * 4)
    carry(battle, apply_effects(battle))

    assert [event.name for event in first.events] == ["attack made"]
    assert cell(battle, 0, "present") == cell(battle, 1, "present") == 0


@pytest.mark.rule("runolfsson.attack.obligatory")
def test_a_mindless_model_attacks_the_nearest_target() -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [27, 20], **BLUE})
    assert targets(battle) == [1, 2]

    set_phase(battle, Phase.STATIONARY, Turn.SENSELESS_SLAUGHTER)

    assert targets(battle) == [2]
    assert is_obliged(battle, shot(battle, 0, 2))
    assert not is_obliged(battle, shot(battle, 0, 1))
    put(battle, 0, free=1)
    assert targets(battle) == [1, 2]


def test_modifiers_add_up_to_those_of_command_marker_edge_and_cloak() -> None:
    battle = duel()
    put(battle, 0, in_command=0, marker=1)
    put(battle, 1, cloaked=1)

    assert modifier(battle, shot(battle)) == -5
    assert modifier(battle, replace(shot(battle), edge=-1, close=True)) == -4


def test_a_cloak_helps_the_first_model_too() -> None:
    battle = table({"at": [30, 20], **BLUE}, {"at": [20, 20]})
    set_phase(battle, Phase.MOVING)
    plain = replace(shot(duel()), attacker=1, target=0)
    before = modifier(battle, plain)

    put(battle, 0, cloaked=1)

    assert modifier(battle, plain) < before


def test_an_attack_ends_a_cloak() -> None:
    battle = duel()
    put(battle, 0, cloaked=1)

    carry(battle, strike(battle, [(shot(battle), 4.0)], "x"), dice=(1,) * 4)

    assert cell(battle, 0, "cloaked") == 0


def test_fire_into_a_melee_hits_the_shooters_friends() -> None:
    battle = ready({"at": [20, 20], "attack": 5}, {"at": [30, 20], **BLUE}, {"at": [31, 20]})

    done = carry(battle, strike(battle, [(shot(battle), 5.0)], "x"), dice=(9, 9, 1, 9, 1))

    assert [(event.target, event.facts.values()["dice"]) for event in done.events] == [
        (1, 3),
        (2, 2),
    ]
    assert cell(battle, 1, "coming") == 2
    assert cell(battle, 2, "coming") == 1


@pytest.mark.rule("runolfsson.bush.as-tree")
@pytest.mark.parametrize("kind", ["tree", "shrub"])
def test_trees_bushes_and_walls_are_targets_of_their_own(kind: str) -> None:
    tree = feature(kind, circle=[26, 20, 1])
    wall = feature("wall", path=[[20, 26], [24, 26]], width=0.4)
    battle = ready({"at": [20, 20]}, {"at": [30, 40], **BLUE}, terrain=[tree, wall])

    orders = piece_orders(battle, 0)

    assert [order.number for order in orders] == [0, 31, 32]
    carry(battle, pick_target(battle, 0), orders[1], lambda d: d.options[0], dice=(9, 9, 9, 1))
    carry(battle, apply_effects(battle), dice=(1, 1))
    assert battle.state.features.ints("damage").tolist() == [0, 2]
    set_phase(battle, Phase.STATIONARY)
    put(battle, 0, attacked=0, spent=0.0)
    assert [order.number for order in piece_orders(battle, 0)] == [0, 32]


def test_what_is_said_of_running_away_is_what_the_phases_do() -> None:
    assert attacks_in_moving_phase_only(True)
    assert not attacks_in_moving_phase_only(False)
