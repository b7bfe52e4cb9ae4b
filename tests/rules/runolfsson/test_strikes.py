"""Attacks as they are rolled: in a melee, at pieces of terrain, with divided dice."""

from __future__ import annotations

from fractions import Fraction

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.runolfsson import SYSTEM
from emlia3d.rules.runolfsson.attack import (
    Joint,
    declare,
    open_shots,
    shots_at_pieces,
    standing_shots,
    who_picks,
)
from emlia3d.rules.runolfsson.attack_phase import pick_target, strike
from emlia3d.rules.runolfsson.columns import Attacked, Phase
from emlia3d.rules.runolfsson.contacts import touching
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, ready, set_phase, shot

BLUE = {"side": "Blue"}
TREE = feature("tree", circle=[26, 26, 1])


def first(decision: Decision) -> Order:
    return decision.options[0]


@pytest.mark.rule("runolfsson.contact.fire-divided")
def test_a_close_attack_in_a_melee_is_not_divided() -> None:
    """Model 2 touches the target too, but only fire is divided among those in contact."""
    battle = ready({"at": [20, 20]}, {"at": [21, 20], **BLUE}, {"at": [22, 20]})

    done = carry(battle, strike(battle, [(shot(battle), 4.0)], "x"), dice=(9, 9, 9, 9))

    (made,) = done.named("attack made")
    facts = made.facts.values()
    assert (made.unit, made.target, made.gesture) == (0, 1, "strike")
    assert (facts["dice"], facts["successes"], facts["close"]) == (4, 4, True)
    assert [cell(battle, row, "coming") for row in range(3)] == [0, 4, 0]
    assert [cell(battle, row, "dice_at") for row in range(3)] == [0, 4, 0]


@pytest.mark.rule("runolfsson.contact.fire-divided")
@pytest.mark.parametrize("attack", [1, 2, 3])
def test_fire_into_a_melee_is_shared_by_whole_dice(attack: int) -> None:
    """The last model in contact may have no die at all, so that it is not attacked."""
    battle = ready(
        {"at": [20, 20], "attack": attack}, {"at": [30, 20], **BLUE}, {"at": [31, 20]},
        {"at": [30, 21]},
    )  # fmt: skip

    done = carry(battle, strike(battle, [(shot(battle), float(attack))], "x"), dice=(9,) * attack)

    shares = {1: [1, 0, 0], 2: [2, 0, 0], 3: [1, 1, 1]}[attack]
    assert [event.facts.values()["dice"] for event in done.events] == shares
    assert [event.target for event in done.events] == [1, 2, 3]
    assert [cell(battle, row, "dice_at") for row in (1, 2, 3)] == shares
    assert cell(battle, 0, "spent") == attack, "its dice are used once"


@pytest.mark.rule("runolfsson.tree.target")
def test_an_attack_on_a_tree_is_of_no_melee_elsewhere() -> None:
    """The last model of the table is in a melee; the tree is in none."""
    battle = ready({"at": [20, 20]}, {"at": [40, 40]}, {"at": [41, 40], **BLUE}, terrain=[TREE])
    (at_tree,) = [each for each in shots_at_pieces(battle, 0) if each.attacker == 0]

    done = carry(battle, strike(battle, [(at_tree, 4.0)], "x"), dice=(9, 9, 1, 1))

    (made,) = done.events
    facts = made.facts.values()
    assert (facts["dice"], facts["successes"], facts["piece"]) == (4, 2, "tree 0")
    assert made.target is None
    broken = battle.state.lists["broken"]
    assert (broken.ints("piece").tolist(), broken.ints("hits").tolist()) == ([0], [2])


@pytest.mark.rule("runolfsson.tree.target", "runolfsson.wall.target")
def test_attacks_on_pieces_name_the_piece_and_no_model() -> None:
    wall = feature("wall", path=[[20, 26], [24, 26]], width=0.4)
    rock = feature("rock", circle=[14, 26, 1])
    battle = ready(
        {"at": [20, 20]}, {"at": [30, 40], **BLUE}, {"at": [20, 16]}, terrain=[rock, TREE, wall]
    )

    found = list(shots_at_pieces(battle, 0))

    assert {each.target for each in found} == {-1}
    assert [(each.attacker, each.piece) for each in found] == [
        (row, piece) for row in (0, 2) for piece in (31, 62, 63) if (row, piece) != (2, 62)
    ]
    assert {each.target >= 0 and each.piece < 0 for each in standing_shots(battle, 0)} == {True}
    put(battle, 0, attacked=2)
    assert {each.attacker for each in shots_at_pieces(battle, 0)} == {2}


@pytest.mark.rule("runolfsson.attack.alternate")
def test_a_piece_is_picked_once_by_each_side() -> None:
    battle = ready({"at": [20, 20]}, {"at": [32, 30], **BLUE}, {"at": [23, 20]}, terrain=[TREE])
    order = Order(verb="attack piece", number=0)

    done = carry(
        battle, pick_target(battle, 0), order,
        lambda d: next(o for o in d.options if len(o.actors) == 1), dice=(1,) * 4,
    )  # fmt: skip

    picked = done.named("picked")[0]
    assert (picked.facts.values(), picked.target) == ({"side": "Red", "piece": "tree 0"}, None)
    assert "attack piece" not in [o.verb for o in _options(battle, 0)]
    assert "attack piece" in [o.verb for o in _options(battle, 1)]
    assert battle.state.battle.integer("to_act", 0) == 1


def _options(battle: Battle, side: int) -> tuple[Order, ...]:
    asked: list[Decision] = []

    def look(decision: Decision) -> Order:
        asked.append(decision)
        return decision.of("pass")[0]

    fork = battle.fork()
    carry(fork, pick_target(fork, side), look)
    return tuple(asked[0].options)


# Divided dice


@pytest.mark.rule("runolfsson.close.divide")
@pytest.mark.parametrize(("attack", "shares"), [(1, []), (2, [2, 1]), (4, [4, 3, 2, 1])])
def test_a_model_is_asked_for_a_share_only_of_several_dice(attack: int, shares: list[int]) -> None:
    battle = ready(
        {"at": [20, 20], "attack": attack}, {"at": [21, 20], **BLUE}, {"at": [19, 20], **BLUE}
    )
    order = Order(verb="attack", target=1)
    answers = [first, first] if shares else [first]

    done = carry(battle, declare(battle, 0, [shot(battle)], order), *answers)

    asked = [d for d in done.asked if d.asks == "runolfsson.close.divide"]
    assert [[o.number for o in d.options] for d in asked] == ([shares] if shares else [])
    assert done.value == [(shot(battle), float(attack))]


@pytest.mark.rule("runolfsson.close.divide", "runolfsson.attack.one-target")
def test_a_model_that_keeps_dice_back_has_attacked_in_part() -> None:
    battle = ready(
        {"at": [20, 20], "attack": 4}, {"at": [21, 20], **BLUE}, {"at": [19, 20], **BLUE}
    )

    carry(battle, strike(battle, [(shot(battle), 3.0)], "x"), dice=(1, 1, 1))
    assert (cell(battle, 0, "attacked"), cell(battle, 0, "spent")) == (Attacked.PARTLY, 3)
    carry(battle, strike(battle, [(shot(battle, 0, 2), 1.0)], "x"), dice=(1,))

    assert (cell(battle, 0, "attacked"), cell(battle, 0, "spent")) == (Attacked.YES, 4)


@pytest.mark.rule("runolfsson.attack.declare-all")
@pytest.mark.parametrize(
    "order",
    [
        Order(verb="attack together", target=1, unit=0, number=1),
        Order(verb="attack together", target=2, unit=0),
        Order(verb="attack together", unit=0),
        Order(verb="attack", target=1, unit=0),
        Order(verb="attack together", target=1),
        Order(verb="attack together", target=1, unit=0, units=(0,)),
        Order(verb="attack together", target=1, unit=0, units=(1,)),
        Order(verb="attack together", target=1, unit=0, point=(1.0, 1.0)),
    ],
)
def test_a_joint_attack_with_other_fields_is_refused(order: Order) -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [20, 23]})
    joint = Joint(battle, tuple(open_shots(battle, 0)[1]), Order(verb="attack", target=1))

    refusal = joint.refusal(order)

    assert joint.refusal(joint.by([0])) is joint.refusal(joint.by([2, 0])) is None
    assert refusal is not None
    assert refusal.slug == "runolfsson.attack.declare-all"


@pytest.mark.rule("runolfsson.attack.alternate")
def test_a_side_that_can_attack_nothing_picks_no_target() -> None:
    models = [{"at": [20, 20]}, {"at": [30, 20], "range": 5, **BLUE}]
    battle = ready(*models)
    assert who_picks(battle) == 0
    set_phase(battle, Phase.STATIONARY, to_act=1)
    assert who_picks(battle) == 0, "Blue has no target in range"

    put(battle, 0, attacked=2)

    assert who_picks(battle) is None
    assert who_picks(ready(*models, terrain=[TREE])) == 0


@pytest.mark.rule("runolfsson.attack.one-target")
def test_a_model_that_has_divided_its_dice_does_not_bar_others() -> None:
    """It touches one enemy alone by now, so the rest of its dice is lost."""
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [20, 23]})
    put(battle, 0, attacked=Attacked.PARTLY, spent=1.0)

    assert [each.attacker for each in open_shots(battle, 0)[1]] == [2]


@pytest.mark.rule("runolfsson.hit.roll")
def test_an_attack_names_its_target_and_how_it_is_made() -> None:
    battle = ready({"at": [20, 20], **BLUE}, {"at": [30, 20]}, {"at": [20, 21]})

    done = [
        carry(battle, strike(battle, [(shot(battle, row, 0), 4.0)], "x"), dice=(9, 1, 1, 1))
        for row in (1, 2)
    ]

    made = [event for each in done for event in each.named("attack made")]
    assert [(event.unit, event.target, event.gesture) for event in made] == [
        (1, 0, "shoot"), (1, 2, "shoot"), (2, 0, "strike"),
    ]  # fmt: skip


@pytest.mark.rule("runolfsson.core.d10")
def test_statistics_know_the_probability_of_a_hit() -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE})
    put(battle, 0, in_command=0)

    done = carry(battle, strike(battle, [(shot(battle), 4.0)], "x"), dice=(9, 9, 1, 1))

    roll = SYSTEM.attack(battle.setup, done.events[0])
    assert roll is not None
    assert roll.chances == (Fraction(5, 10), Fraction(5, 10))
    assert (roll.kind, roll.dice, roll.hits, roll.struck) == ("shot", 4, 2, ((1, 2),))


@pytest.mark.rule("runolfsson.core.terms-close")
@pytest.mark.parametrize(("base", "met"), [(1.0, True), (0.95, True), (0.94, False)])
def test_models_at_the_limit_of_contact_touch(base: float, met: bool) -> None:
    """Their centres are an inch apart."""
    battle = ready({"at": [20, 20], "base": base}, {"at": [21, 20], "base": base, **BLUE})

    assert touching(battle, 0) == ([1] if met else [])
    assert shot(battle).close is met
