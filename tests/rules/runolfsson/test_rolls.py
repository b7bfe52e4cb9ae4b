"""The dice of each rule: how many are rolled, of how many sides."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Procedure, advance
from emlia3d.battle.dice import Dice, Faces, SeededDice
from emlia3d.battle.events import Event
from emlia3d.rules.runolfsson.base_paths import waded
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.damage import apply_to_model, apply_to_piece
from emlia3d.rules.runolfsson.morale import check_unit
from emlia3d.rules.runolfsson.turn import begin_turn
from emlia3d.rules.runolfsson.victory import place_markers
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import feature, put, set_phase, table

SIDES = {
    "runolfsson.init.roll": 10,
    "runolfsson.super.roll": 10,
    "runolfsson.stream.when": 10,
    "runolfsson.hit.roll": 10,
    "runolfsson.hit.save": 10,
    "runolfsson.crit.table": 6,
    "runolfsson.tree.target": 10,
    "runolfsson.indiv.die": 10,
    "runolfsson.victory.objectives": 10,
}
"""Sides of the dice of the catalogue; those of a unit check depend on the unit."""


class SeenDice:
    """Dice that note the rules that roll them."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.seen = defaultdict[str, list[tuple[int, int]]](list)

    def roll(self, why: str, count: int, sides: int) -> Faces:
        self.seen[why].append((count, sides))
        return self.dice.roll(why, count, sides)


FOE = {"at": [40, 40], "side": "Blue"}


def rolled(
    battle: Battle, procedure: Procedure[Any], *answers: str
) -> dict[str, list[tuple[int, int]]]:
    """Play a procedure with dice of a seed; return the rolls, by the rule of each.

    answers : verbs; the first option is taken after them
    """
    spy = SeenDice(SeededDice(7, 0))
    battle.dice = spy
    verbs, order = [*answers], None
    while True:
        try:
            said = advance(procedure, order)
        except StopIteration:
            return dict(spy.seen)
        order = None
        if isinstance(said, Event):
            battle.happen(said)
        else:
            order = said.of(verbs.pop(0))[0] if verbs else said.options[0]


@pytest.mark.rule("runolfsson.init.roll", "runolfsson.super.roll")
def test_initiative_is_a_d10_a_side_and_super_initiative_one_more() -> None:
    battle = table({"at": [10, 10]}, FOE)

    seen = rolled(battle, begin_turn(battle), "try super initiative")

    assert set(seen["runolfsson.init.roll"]) == {(2, SIDES["runolfsson.init.roll"])}
    assert seen["runolfsson.super.roll"] == [(1, SIDES["runolfsson.super.roll"])]


@pytest.mark.rule("runolfsson.victory.objectives")
def test_markers_are_placed_after_a_d10_a_side() -> None:
    battle = table({"at": [10, 10]}, FOE, victory="objectives")

    seen = rolled(battle, place_markers(battle))

    assert set(seen["runolfsson.victory.objectives"]) == {(2, 10)}


@pytest.mark.rule("runolfsson.stream.when")
def test_a_stream_is_met_with_a_d10() -> None:
    battle = table({"at": [20, 20]}, FOE, terrain=[feature("stream", at=(22, 10, 40, 30))])

    seen = rolled(battle, waded(battle, 0, [(30, 20)], 6.0, "ground"))

    assert seen == {"runolfsson.stream.when": [(1, 10)]}


@pytest.mark.rule("runolfsson.hit.save", "runolfsson.crit.table")
@pytest.mark.parametrize(("coming", "save"), [(0, 4), (1, 4), (3, 4), (1, 0)])
def test_all_saving_dice_are_rolled_if_there_is_a_hit(coming: int, save: int) -> None:
    battle = table({"at": [20, 20], "hits": 9, "save": save}, FOE)
    put(battle, 0, coming=coming, dice_at=4, tens=2)

    seen = rolled(battle, apply_to_model(battle, 0))

    saves = {"runolfsson.hit.save": [(save, 10)]} if coming and save else {}
    assert seen == {**saves, "runolfsson.crit.table": [(1, 6), (1, 6)]}


@pytest.mark.rule("runolfsson.tree.target")
@pytest.mark.parametrize(("damage", "hits", "rolls"), [(0, 1, 2), (1, 1, 1), (0, 0, 0)])
def test_a_tree_saves_with_two_dice_and_with_one_once_it_is_hit(
    damage: int, hits: int, rolls: int
) -> None:
    battle = table({"at": [20, 20]}, FOE, terrain=[feature("tree", circle=[30, 30, 1])])
    if damage:
        carry(battle, apply_to_piece(battle, 0, damage), dice=(1, 1))

    seen = rolled(battle, apply_to_piece(battle, 0, hits))

    assert seen == ({"runolfsson.tree.target": [(rolls, 10)]} if rolls else {})


@pytest.mark.rule("runolfsson.unitcheck.die")
@pytest.mark.parametrize(
    ("models", "sides"), [(1, None), (2, 2), (3, 3), (5, 4), (6, 6), (9, 8), (11, 10), (13, 12)]
)
def test_a_unit_rolls_one_die_of_its_size(models: int, sides: int | None) -> None:
    squad = [{"at": [4, 4], "name": "head"}]
    squad += [{"at": [4 + 1.5 * n, 4], "group": "head"} for n in range(1, models)]
    battle = table(*squad, FOE)
    set_phase(battle, Phase.MORALE_ONE)

    seen = rolled(battle, check_unit(battle, 0))

    assert seen == ({"runolfsson.unitcheck.die": [(1, sides)]} if sides else {})


@pytest.mark.rule("runolfsson.unitcheck.die")
def test_a_unit_of_one_model_passes_without_a_die() -> None:
    battle = table({"at": [20, 20], "hits": 2}, FOE)
    put(battle, 0, hits_left=1)

    done = carry(battle, check_unit(battle, 0))

    assert done.events[0].facts.values() == {"sides": 1, "face": 0, "left": 1, "passed": True}
    assert done.value == []
