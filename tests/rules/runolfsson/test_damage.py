"""Effects of hits, critical hits, trees and walls that are destroyed."""

from __future__ import annotations

from typing import Any

import pytest
from shapely import box

from emlia3d.battle.battle import Battle
from emlia3d.rules.runolfsson.columns import Attacks
from emlia3d.rules.runolfsson.core import unsaved
from emlia3d.rules.runolfsson.damage import (
    apply_to_model,
    apply_to_piece,
    critical_result,
    halved,
    is_critical,
    is_destroyed,
    worn,
)
from emlia3d.rules.runolfsson.fire_line import ends_of
from emlia3d.rules.runolfsson.terrain import (
    hits_taken,
    saving_dice_of_piece,
    sections_of,
    terrain_of,
)
from tests.rules.carrying import Outcome, carry
from tests.rules.runolfsson.tables import cell, feature, put, table


def struck(coming: int, dice_at: int | None = None, tens: int = 0, **other: Any) -> Battle:
    """A model against which hits are to come."""
    battle = table({"at": [20, 20], **other}, {"at": [40, 40], "side": "Blue"})
    put(battle, 0, coming=coming, dice_at=coming if dice_at is None else dice_at, tens=tens)
    return battle


def effects(battle: Battle, *dice: int) -> Outcome:
    return carry(battle, apply_to_model(battle, 0), dice=dice)


@pytest.mark.rule("runolfsson.effect.single")
def test_a_model_of_one_hit_is_destroyed_by_one_that_is_not_saved() -> None:
    battle = struck(1, save=1)

    effects(battle, 4)

    assert cell(battle, 0, "present") == 0
    assert cell(battle, 0, "hits_left") == 0


@pytest.mark.rule("runolfsson.effect.absorption")
def test_a_model_of_two_hits_survives_one() -> None:
    battle = struck(1, hits=2)

    effects(battle)

    assert cell(battle, 0, "present") == 1
    assert not is_destroyed(2, 1)
    assert is_destroyed(2, 2)


@pytest.mark.rule("runolfsson.effect.two-hits")
def test_the_first_of_two_hits_halves_the_dice_for_good() -> None:
    battle = struck(1, hits=2, attack=4, save=3)

    effects(battle, 4, 4, 4)

    assert [cell(battle, 0, name) for name in ("attack", "save", "hits_left")] == [2, 1, 1]
    assert halved(3, 2) == (1.5, 1)


@pytest.mark.rule("runolfsson.effect.many-hits")
def test_each_hit_on_a_model_of_many_costs_a_die_of_each_kind() -> None:
    battle = struck(2, hits=5, attack=6, save=4)

    effects(battle, 4, 4, 4, 4)

    assert [cell(battle, 0, name) for name in ("attack", "save", "hits_left")] == [4, 2, 3]
    assert worn(1, 0, 3) == (0, 0)


def test_hits_that_are_all_saved_do_nothing_but_count_as_an_attack() -> None:
    battle = struck(1, save=3, dice_at=3)

    effects(battle, 5, 1, 1)

    assert cell(battle, 0, "was_hit") == 0
    assert cell(battle, 0, "attacks") == Attacks.SOME
    assert cell(battle, 0, "hits_left") == 1
    assert unsaved(1, (5, 1, 1)) == 0


def test_more_dice_than_saving_dice_are_many_attacks() -> None:
    battle = struck(0, save=3, dice_at=4)

    effects(battle)

    assert cell(battle, 0, "attacks") == Attacks.MANY
    assert [cell(battle, 0, name) for name in ("coming", "dice_at", "tens")] == [0, 0, 0]


# Critical hits


@pytest.mark.rule("runolfsson.crit.when")
def test_a_ten_on_a_model_of_many_hits_is_critical_even_if_it_is_saved() -> None:
    battle = struck(2, hits=5, save=2, tens=1)

    done = effects(battle, 9, 9, 5)

    assert done.named("critical hit")[0].facts.values() == {"face": 5, "result": "no effect"}
    assert is_critical(5, (10, 6))
    assert not is_critical(2, (10, 6))
    assert not is_critical(5, (9, 6))


@pytest.mark.rule("runolfsson.crit.table")
def test_the_table_of_critical_hits() -> None:
    assert [critical_result(face) for face in range(1, 7)] == [
        "no move", "no move", "no attack", "no attack", "no effect", "no effect",
    ]  # fmt: skip
    battle = struck(0, dice_at=1, hits=5, tens=2)

    effects(battle, 2, 3)

    assert cell(battle, 0, "no_move") == 1
    assert cell(battle, 0, "no_attack") == battle.state.turn + 1


# Trees and walls


@pytest.mark.rule("runolfsson.tree.target", "runolfsson.bush.as-tree")
@pytest.mark.parametrize("kind", ["tree", "shrub"])
def test_two_hits_that_are_not_saved_destroy_a_tree_or_a_bush(kind: str) -> None:
    tree = feature(kind, circle=[30, 20, 1])
    battle = table({"at": [20, 20]}, {"at": [40, 40], "side": "Blue"}, terrain=[tree])

    first = carry(battle, apply_to_piece(battle, 0, 1), dice=(4, 4))
    assert [saving_dice_of_piece(left) for left in (2, 1)] == [2, 1]
    assert not first.events[0].facts.values()["gone"]
    second = carry(battle, apply_to_piece(battle, 0, 1), dice=(4,))

    assert second.events[0].facts.values()["gone"]
    assert terrain_of(battle).pieces == []
    assert hits_taken(battle.state.features.integer("damage", 0), 0) == 2


@pytest.mark.rule("runolfsson.wall.target")
def test_a_section_of_a_wall_that_is_destroyed_leaves_a_gap_of_two_inches() -> None:
    wall = feature("wall", path=[[30, 10], [30, 20]], width=0.4)
    battle = table({"at": [20, 20]}, {"at": [40, 40], "side": "Blue"}, terrain=[wall])
    before = terrain_of(battle).pieces
    assert len(before) == 5

    carry(battle, apply_to_piece(battle, before[2].number, 2), dice=(1, 1))

    after = terrain_of(battle).pieces
    gone = before[2].outline.bounds
    assert [piece.section for piece in after] == [0, 1, 3, 4]
    assert gone[3] - gone[1] == pytest.approx(2.0, abs=0.01)
    assert [part.area for part in sections_of(box(0, 0, 0.4, 3))] == pytest.approx([0.6, 0.6])
    assert len(ends_of(battle)) == 2
