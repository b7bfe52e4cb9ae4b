"""Targets: who may attack in which phase, who picks, in which order models are proposed."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.changes import Append, Set
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.runolfsson.attack import (
    PossibleShot,
    apply_effects,
    average_hits,
    declare,
    may_attack_now,
    modifier,
    open_shots,
    piece_name,
    standing_shots,
    who_picks,
    worth,
)
from emlia3d.rules.runolfsson.attack_phase import pick_target, strike
from emlia3d.rules.runolfsson.columns import Attacked, Phase, Turn
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.fire_line import ends_of, judge
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, feature, put, ready, set_phase, shot

BLUE = {"side": "Blue"}
TREE = feature("tree", circle=[26, 26, 1])
ROCK = feature("rock", circle=[10, 40, 1])
HEDGE = feature("tree", at=(24, 10, 25, 30))


# Who may attack

MAY: dict[tuple[Phase, Turn], dict[str, bool]] = {
    (Phase.STATIONARY, Turn.NORMAL): {"": True, "moved": False, "ran": False},
    (Phase.STATIONARY, Turn.MAD_MINUTE): {"": True, "moved": True, "ran": False},
    (Phase.STATIONARY, Turn.HEAT_OF_BATTLE): {"": True, "moved": False, "ran": False},
    (Phase.MOVING, Turn.NORMAL): {"": True, "moved": True, "ran": True},
    (Phase.MOVING, Turn.HEAT_OF_BATTLE): {"": True, "moved": True, "ran": True},
}


@pytest.mark.rule("runolfsson.phase.stationary-eligible", "runolfsson.phase.moving-eligible")
@pytest.mark.parametrize("when", MAY)
@pytest.mark.parametrize("what", ["", "moved", "ran"])
@pytest.mark.parametrize(
    ("attacked", "left"), [(Attacked.NO, True), (Attacked.PARTLY, True), (Attacked.YES, False)]
)
def test_who_may_attack_in_an_attack_phase(
    when: tuple[Phase, Turn], what: str, attacked: Attacked, left: bool
) -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE})
    set_phase(battle, *when)
    put(battle, 0, attacked=attacked, **({what: 1} if what else {}))

    assert may_attack_now(battle, 0) is (MAY[when][what] and left)


# Shots


@pytest.mark.rule("runolfsson.rock.block", "runolfsson.through.friendly")
def test_a_line_that_is_stopped_is_no_attack_even_within_range() -> None:
    rock = feature("rock", at=(24, 10, 25, 21))
    models = ({"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [20, 24]}, {"at": [24, 22.4]})
    battle = ready(*models, terrain=[rock])

    pairs = [(each.attacker, each.target) for each in standing_shots(battle, 0)]

    assert pairs == [(3, 1)], "model 3 is in the way of model 2"


@pytest.mark.rule("runolfsson.attack.ranged-needs")
@pytest.mark.parametrize(("reach", "gap", "close"), [(0, 0.05, True), (0, 0.1, None)])
def test_a_model_without_a_weapon_attacks_in_contact_alone(
    reach: float, gap: float, close: bool | None
) -> None:
    battle = ready({"at": [20, 20], "range": reach}, {"at": [21 + gap, 20], **BLUE})

    assert [each.close for each in standing_shots(battle, 0)] == ([] if close is None else [close])


def test_no_lines_are_judged_between_no_models() -> None:
    battle, none = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE}), np.zeros(0, dtype=np.int64)
    ends = ends_of(battle)

    assert len(judge(battle, ends, none, ends, none).multiplier) == 0
    put(battle, 1, present=0)
    assert standing_shots(battle, 0) == standing_shots(battle, 1) == ()


@pytest.mark.rule("runolfsson.special.core-set")
def test_a_cloak_of_the_last_model_is_none_of_a_tree() -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE})
    put(battle, 1, cloaked=1)

    assert modifier(battle, PossibleShot(0, -1, 1.0, 0, False, (), piece=0)) == 0
    assert modifier(battle, PossibleShot(0, 1, 1.0, 0, False, ())) == -2
    assert modifier(battle, PossibleShot(0, 1, 1.0, 0, True, ())) == 0


@pytest.mark.rule("runolfsson.op.trigger", "runolfsson.hit.roll")
@pytest.mark.parametrize(
    ("attack", "terrain", "hits"),
    [(4, [], 2.4), (4, [HEDGE], 1.2), (3, [HEDGE], 0.6), (1, [HEDGE], 0.0), (0, [], 0.0)],
)
def test_an_attack_is_worth_its_whole_dice_times_the_chance_to_hit(
    attack: int, terrain: list[Any], hits: float
) -> None:
    battle = ready({"at": [20, 20], "attack": attack}, {"at": [30, 20], **BLUE}, terrain=terrain)

    assert worth(battle, shot(battle)) == pytest.approx(hits)


@pytest.mark.parametrize("seed", range(3))
def test_average_hits_of_many_lines_are_those_of_each(seed: int) -> None:
    random = Random(seed)
    places = [[4 + 3 * east, 4 + 3 * north] for east in range(4) for north in range(4)]
    models = [
        {
            "at": at, "side": ("Red", "Blue")[row % 2], "attack": random.randrange(6),
            "range": random.choice([3, 6, 24]),
        }
        for row, at in enumerate(random.sample(places, 10))
    ]  # fmt: skip
    kinds = ("rock", "tree", "hill", "stream")
    terrain = [feature(kind, circle=[4 + 3 * n, 8, 1.2]) for n, kind in enumerate(kinds)]
    battle = ready(*models, terrain=terrain, size=(24, 24))
    for row in range(10):
        put(battle, row, in_command=random.randrange(2), marker=random.randrange(3))
    ends, places_of = ends_of(battle), models_of(battle)
    for side in (0, 1):
        pairs = [*product(places_of.of_side(side), places_of.of_side(1 - side))]
        one, other = (np.array(rows) for rows in zip(*pairs, strict=True))
        worths = {(s.attacker, s.target): worth(battle, s) for s in standing_shots(battle, side)}

        found = average_hits(battle, ends, one, ends, other)

        assert found.tolist() == pytest.approx([worths.get(pair, 0.0) for pair in pairs])
        assert found.any()


def test_average_hits_leave_cloaks_out() -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE})
    put(battle, 1, cloaked=1)
    put(battle, 0, cloaked=1)
    ends = ends_of(battle)

    for one, other in ((0, 1), (1, 0)):
        found = average_hits(battle, ends, np.array([one]), ends, np.array([other]))
        assert found.tolist() == pytest.approx([2.4])


# Who picks a target


@pytest.mark.rule("runolfsson.attack.alternate")
@pytest.mark.parametrize(
    ("terrain", "cells", "passed", "side"),
    [
        ([], {}, (), 0),
        ([], {}, (0,), 1),
        ([], {}, (0, 1), None),
        ([], {0: 2}, (), 0),  # one of two is enough
        ([], {0: 2, 1: 2}, (), 1),
        ([TREE, ROCK], {}, (0,), 1),
        ([TREE, ROCK], {0: 2, 1: 2}, (), 1),
        ([TREE, ROCK], {0: 2, 1: 2, 2: 2}, (), None),
        ([TREE, ROCK], {0: 2, 1: 2}, (1,), None),
        ([ROCK], {0: 2, 1: 2, 2: 2}, (), None),
    ],
)
def test_a_side_picks_if_a_model_of_it_may_attack_and_it_has_not_passed(
    terrain: list[Any], cells: dict[int, int], passed: tuple[int, ...], side: int | None
) -> None:
    battle = ready({"at": [20, 20]}, {"at": [20, 24]}, {"at": [30, 20], **BLUE}, terrain=terrain)
    for row, attacked in cells.items():
        put(battle, row, attacked=attacked)
    for row in passed:
        change = Set(table="side", row=row, column="passed", value=1)
        battle.happen(Event(facts=Unread(event="put"), changes=(change,)))

    assert who_picks(battle) == side


@pytest.mark.rule("runolfsson.tree.target")
@pytest.mark.parametrize("terrain", [[TREE], [ROCK, TREE], [TREE, ROCK]])
def test_a_tree_is_picked_where_no_enemy_is_in_range(terrain: list[Any]) -> None:
    models = ({"at": [20, 20], "range": 12}, {"at": [40, 40], "range": 3, **BLUE})
    battle = ready(*models, terrain=terrain)

    assert open_shots(battle, 0) == {}
    assert who_picks(battle) == 0
    assert who_picks(ready(*models)) is None


@pytest.mark.rule("runolfsson.attack.alternate")
def test_a_model_that_may_not_attack_does_not_bar_those_after_it() -> None:
    models = (
        {"at": [20, 20]},
        {"at": [20, 24]},
        {"at": [30, 20], **BLUE},
        {"at": [30, 24], **BLUE},
    )
    battle = ready(*models)
    put(battle, 0, attacked=2)
    put(battle, 2, fired_on=1)

    assert {
        target: [s.attacker for s in shots] for target, shots in open_shots(battle, 0).items()
    } == {3: [1]}


@pytest.mark.rule("runolfsson.attack.alternate")
def test_a_pass_is_noted_of_the_side_that_passes() -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE})

    carry(battle, pick_target(battle, 1), "pass")

    assert battle.state.sides.ints("passed").tolist() == [0, 1]
    assert battle.state.battle.integer("to_act", 0) == 0


@pytest.mark.rule("runolfsson.attack.alternate")
def test_a_target_that_is_picked_is_noted() -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 20], **BLUE})

    carry(battle, pick_target(battle, 0), "attack", lambda d: d.options[0], dice=(1,) * 4)

    assert battle.state.units.ints("fired_on").tolist() == [0, 1]


# Declarations


@pytest.mark.rule("runolfsson.attack.declare-all")
def test_all_are_proposed_and_then_fewer_the_best_last() -> None:
    attacks = (1, 4, 2)
    models = [{"at": [20, 18 + 3 * n], "attack": attack} for n, attack in enumerate(attacks)]
    battle = ready(*models, {"at": [30, 20], **BLUE})
    shots = open_shots(battle, 0)[3]
    asked: list[Decision] = []

    def last(decision: Decision) -> Order:
        asked.append(decision)
        return decision.options[-1]

    done = carry(battle, declare(battle, 0, shots, Order(verb="attack", target=3)), last)

    assert [order.actors for order in asked[0].options] == [(1, 2, 0), (1, 2), (1,)]
    assert [(each.attacker, dice) for each, dice in done.value] == [(1, 4.0)]


@pytest.mark.rule("runolfsson.attack.declare-all", "runolfsson.dice.no-shot")
def test_models_that_have_no_whole_die_are_not_proposed_alone() -> None:
    models = [{"at": [20, 18 + 3 * n], "attack": 1} for n in range(2)]
    battle = ready(*models, {"at": [30, 20], **BLUE}, terrain=[HEDGE])
    asked: list[Decision] = []

    def only(decision: Decision) -> Order:
        asked.append(decision)
        return decision.options[0]

    shots = open_shots(battle, 0)[2]
    carry(battle, declare(battle, 0, shots, Order(verb="attack", target=2)), only)

    assert [order.actors for order in asked[0].options] == [(0, 1)]


@pytest.mark.rule("runolfsson.close.divide", "runolfsson.effect.two-hits")
@pytest.mark.parametrize(("number", "used"), [(2, 2.5), (1, 1.0)])
def test_a_half_die_goes_with_all_the_others_alone(number: int, used: float) -> None:
    """A model of 5 dice that has lost the first of two hits has 2.5 dice left."""
    battle = ready({"at": [20, 20]}, {"at": [21, 20], **BLUE}, {"at": [19, 20], **BLUE})
    put(battle, 0, attack=2.5)

    def share(decision: Decision) -> Order:
        return next(order for order in decision.options if order.number == number)

    order = Order(verb="attack", target=1)
    procedure = declare(battle, 0, [shot(battle)], order)
    done = carry(battle, procedure, lambda d: d.options[0], share)
    carry(battle, strike(battle, done.value, "x"), dice=(1,) * number)

    assert [dice for _, dice in done.value] == [used]
    assert cell(battle, 0, "spent") == used
    assert cell(battle, 0, "attacked") == (Attacked.YES if number == 2 else Attacked.PARTLY)


# Pieces


def test_a_section_of_a_wall_has_the_name_of_its_wall() -> None:
    wall = feature("wall", path=[[20, 26], [24, 26]], width=0.4)
    battle = ready({"at": [20, 20]}, {"at": [30, 40], **BLUE}, terrain=[TREE, wall])

    assert [piece_name(battle, number) for number in (0, 31, 32)] == ["tree 0", "wall 1", "wall 1"]


@pytest.mark.rule("runolfsson.attack.effects-at-end", "runolfsson.tree.target")
@pytest.mark.parametrize(("counts", "damage"), [((1,), 1), ((1, 1), 2), ((0, 1), 1), ((0,), 0)])
def test_hits_on_a_tree_add_up_before_they_take_effect(
    counts: tuple[int, ...], damage: int
) -> None:
    battle = ready({"at": [20, 20]}, {"at": [30, 40], **BLUE}, terrain=[TREE])
    rows = [{"side": -1, "piece": 0, "hits": count} for count in counts]
    changes = tuple(Append(table="broken", row=row) for row in rows)
    battle.happen(Event(facts=Unread(event="put"), changes=changes))

    carry(battle, apply_effects(battle), dice=(1, 1) if damage else ())

    assert battle.state.features.ints("damage").tolist() == [damage]
