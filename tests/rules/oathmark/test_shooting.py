"""Shooting: range, priority, dice, target numbers and artillery."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.oathmark import artillery
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.combat import plain_dice
from emlia3d.rules.oathmark.core import BlockSide, Ranks, ranks_of, total
from emlia3d.rules.oathmark.losses import lose, loss_tests
from emlia3d.rules.oathmark.shooting import (
    Aim,
    bonus_of_shots,
    by_priority,
    in_range,
    maximum_range,
    mod_action,
    mod_cover,
    mod_disordered,
    mod_ranks,
    shielded_dice,
    shoot,
    shooting_dice,
    shooting_rows,
    shot_hits,
    target_number,
    volley_of,
)
from emlia3d.rules.oathmark.sight import aims_in_sight, aims_of
from tests.rules.carrying import carry
from tests.rules.oathmark.tables import INCH, SOLDIER, cell, piece, put, table

ARCHERS: dict[str, Any] = {"type": "oathmark/human-archer", "side": "Red", "members": 10}
ORCS: dict[str, Any] = {
    "type": "oathmark/orc-soldier", "side": "Blue", "members": 10, "facing": 180,
    "officer": (0, 300),
}  # fmt: skip
CATAPULT: dict[str, Any] = {
    "type": "oathmark/human-light-catapult", "side": "Red", "members": 1, "base": [50, 50],
}  # fmt: skip
FULL = Activity(full=True)


def volley(battle: Battle, actions: int = 0) -> Any:
    """Return the volley of the first unit at the second."""
    (aim, *_) = aims_in_sight(battle, 0)
    return volley_of(battle, 0, aim, actions)


@pytest.mark.rule("oathmark.shoot.sequence")
def test_only_the_shooters_roll() -> None:
    battle = table(ARCHERS, ORCS)
    (aim,) = aims_of(battle, 0, FULL)

    # Five dice less Shielding (1), for 9 - 2 - 1 = 6: two hits, and the test passes.
    done = carry(battle, shoot(battle, 0, aim, 0), dice=[6, 7, 1, 2, 9, 1])

    assert [event.name for event in done.events] == ["shot", "hurt", "morale tested"]
    assert done.facts("shot").dice == 4
    assert cell(battle, 1, "members") == 8


@pytest.mark.rule("oathmark.shoot.range")
@pytest.mark.parametrize(("inches", "reached"), [(20.0, True), (20.1, False)])
def test_the_range_counts_from_base_to_base(inches: float, reached: bool) -> None:
    battle = table(
        {**ARCHERS, "officer": (0, -300)}, {**ORCS, "officer": (0, inches * INCH + 25 - 300)}
    )

    assert in_range(inches * INCH, "bow") is reached
    assert bool(aims_in_sight(battle, 0)) is reached


@pytest.mark.rule("oathmark.shoot.range-table")
def test_each_weapon_has_its_range() -> None:
    weapons = (
        "bow", "elf bow", "sling", "light catapult", "heavy catapult", "ballista", "fire breath",
    )  # fmt: skip

    assert [maximum_range(weapon) for weapon in weapons] == [20, 22, 12, 32, 40, 30, 12]


@pytest.mark.rule("oathmark.shoot.priority")
def test_the_nearest_enemy_in_sight_is_shot_at() -> None:
    near, far = Aim(1, BlockSide.FRONT, 9 * INCH), Aim(2, BlockSide.FRONT, 14 * INCH)
    assert by_priority([near, far], free=False) == [near]
    assert by_priority([near, far], free=True) == [near, far]
    enemies = (
        {**ORCS, "officer": (-80, 9 * INCH + 25)}, {**ORCS, "officer": (80, 14 * INCH + 25)},
    )  # fmt: skip

    for kind, targets in (("archer", [1]), ("ranger", [1, 2])):
        battle = table({**ARCHERS, "type": f"oathmark/human-{kind}"}, *enemies)
        assert [aim.target for aim in aims_of(battle, 0, FULL)] == targets


@pytest.mark.rule("oathmark.shoot.dice")
def test_the_front_rank_gives_the_dice() -> None:
    assert shooting_dice(1, 5) == 5
    assert shooting_dice(1, 3) == 3
    assert shooting_dice(5, 1) == 5
    assert shooting_dice(1, 0) == 1
    battle = table(ARCHERS, {**SOLDIER, "side": "Blue", "facing": 180, "officer": (0, 300)})
    assert volley(battle).dice == 5


@pytest.mark.rule("oathmark.shoot.shielding")
def test_shielding_helps_in_front_and_flank() -> None:
    assert shielded_dice(5, 1, BlockSide.FRONT) == 4
    assert shielded_dice(5, 1, BlockSide.LEFT) == 4
    assert shielded_dice(5, 1, BlockSide.REAR) == 5


@pytest.mark.rule("oathmark.shoot.target-number")
def test_archers_at_orcs_need_six_in_the_open() -> None:
    battle = table(ARCHERS, ORCS)

    assert volley(battle).target == 6
    assert volley(battle, actions=1).target == 7
    in_woods = table(ARCHERS, ORCS, terrain=[piece("forest", -100, 280, 100, 400)])
    assert volley(in_woods, actions=1).target == 8
    assert target_number(9, 2, ()) == 7


@pytest.mark.rule("oathmark.shoot.modifier-table")
def test_all_rows_that_hold_are_added() -> None:
    rows = shooting_rows(3, 1, "heavy", disordered=True)

    assert dict(rows) == {
        "oathmark.shoot.mod-ranks": -2, "oathmark.shoot.mod-action": 1,
        "oathmark.shoot.mod-disordered": 1, "oathmark.shoot.mod-cover": 2,
    }  # fmt: skip
    assert total(rows) == 2


@pytest.mark.rule("oathmark.shoot.mod-ranks")
def test_ranks_of_shooters_help() -> None:
    assert mod_ranks(ranks_of(20, 5).full, unit_of_one=False) == -3
    assert mod_ranks(ranks_of(9, 5).full, unit_of_one=False) == 0


@pytest.mark.rule("oathmark.shoot.mod-action")
def test_an_action_before_the_shot_makes_it_harder_once() -> None:
    assert [mod_action(actions) for actions in (0, 1, 2)] == [0, 1, 1]


@pytest.mark.rule("oathmark.shoot.mod-disordered")
def test_disordered_shooters_need_more() -> None:
    assert mod_disordered(disordered=True) == 1
    battle = table(ARCHERS, ORCS)
    put(battle, 0, disordered=1)

    assert volley(battle).target == 7


@pytest.mark.rule("oathmark.shoot.mod-cover")
def test_the_heavier_cover_counts() -> None:
    assert [mod_cover(cover) for cover in ("none", "light", "heavy")] == [0, 1, 2]
    bank = piece("fortification", -100, 270, 100, 280)
    wood = piece("forest", -100, 285, 100, 400)
    for terrain, cover in (([wood], 1), ([bank], 2), ([bank, wood], 2)):
        rows = dict(volley(table(ARCHERS, ORCS, terrain=terrain)).rows)
        assert rows["oathmark.shoot.mod-cover"] == cover


def test_cover_counts_for_half_of_the_figures() -> None:
    for east, found in ((15.0, True), (-15.0, False)):
        bush = piece("bush", -100, 272, east, 280)
        rows = dict(volley(table(ARCHERS, ORCS, terrain=[bush])).rows)
        assert ("oathmark.shoot.mod-cover" in rows) is found


@pytest.mark.rule("oathmark.shoot.hit-table")
def test_shots_hit_by_the_table_of_combat() -> None:
    assert shot_hits([10, 7, 6, 2, 9], 7) == 3
    assert shot_hits([10], 14) == 1


@pytest.mark.rule("oathmark.shoot.casualties-morale")
def test_a_test_caused_by_shots_has_a_bonus() -> None:
    assert bonus_of_shots(shooting=True) == 1
    battle = table(ARCHERS, {**ORCS, "abilities": {}})
    (aim,) = aims_of(battle, 0, FULL)

    done = carry(battle, shoot(battle, 0, aim, 0), dice=[6, 6, 1, 1, 1, 9, 9])

    assert done.facts("morale tested").modifier == -1


# Artillery


@pytest.mark.rule("oathmark.artillery.process")
def test_a_catapult_that_moved_shoots_worse_and_has_no_ranks() -> None:
    assert artillery.ranks_for_bonus(3, artillery=True) == 1
    assert artillery.ranks_for_bonus(3, artillery=False) == 3
    battle = table(CATAPULT, {**ORCS, "members": 20})

    assert volley(battle).target == 9 - 3
    assert volley(battle, actions=1).target == 9 - 3 + 1
    assert volley(battle).dice == 1 + 4 - 1


@pytest.mark.rule("oathmark.artillery.dice")
def test_artillery_counts_the_ranks_of_its_target() -> None:
    ranks = ranks_of(18, 5)

    assert artillery.artillery_dice(ranks, BlockSide.FRONT) == 5
    assert artillery.artillery_dice(ranks, BlockSide.LEFT) == 7


@pytest.mark.rule("oathmark.artillery.dice-table")
def test_large_targets_give_more_dice() -> None:
    assert artillery.additional_dice(BlockSide.FRONT, large=True, enormous=False) == 2
    lone = Ranks(1, 1)
    assert artillery.artillery_dice(lone, BlockSide.FRONT, enormous=True) == 4
    assert artillery.artillery_dice(lone, BlockSide.REAR, enormous=True) == 6


@pytest.mark.rule("oathmark.artillery.unit-of-one")
def test_a_lone_captain_is_hard_to_hit() -> None:
    assert artillery.mod_unit_of_one(unit_of_one=True, large=False) == 5
    captain = {"type": "oathmark/human-captain", "side": "Blue", "members": 1, "officer": (0, 300)}
    giant = {
        "type": "oathmark/giant", "side": "Blue", "members": 1, "base": [75, 75], "facing": 180,
        "officer": (0, 300),
    }  # fmt: skip
    at_captain = volley(table(CATAPULT, {**captain, "facing": 180, "abilities": {}}))
    at_giant = volley(table(CATAPULT, giant))

    assert (at_captain.target, at_captain.dice) == (12, 2)
    assert (at_giant.target, at_giant.dice) == (10, 4)


@pytest.mark.rule("oathmark.artillery.melee-crew")
def test_the_crew_fights() -> None:
    assert artillery.crew_dice(1, 4) == 4
    heavy = {"type": "oathmark/orc-heavy-catapult", "side": "Red", "members": 1, "base": [50, 50]}
    battle = table(heavy, ORCS)

    assert plain_dice(battle, 0, BlockSide.FRONT) == 4
    carry(battle, lose(battle, 0, 2, "oathmark.core.die-d10"))
    assert plain_dice(battle, 0, BlockSide.FRONT) == 2


@pytest.mark.rule("oathmark.artillery.removed")
def test_an_engine_is_removed_with_the_last_of_its_crew() -> None:
    assert artillery.is_engine_removed(0, broken=False)
    assert artillery.is_engine_removed(2, broken=True)
    assert not artillery.is_engine_removed(1, broken=False)
    battle = table(CATAPULT, ORCS)

    carry(battle, lose(battle, 0, 3, "oathmark.core.die-d10"))

    assert cell(battle, 0, "present") == 0
    assert battle.state.sides.value("lost", 0) == 90


@pytest.mark.rule("oathmark.artillery.casualties")
def test_hits_kill_crew() -> None:
    assert artillery.crew_left(4, 2) == 2
    assert artillery.crew_left(2, 3) == 0
    battle = table(CATAPULT, ORCS)

    assert carry(battle, lose(battle, 0, 2, "oathmark.core.die-d10")).value == 2
    assert cell(battle, 0, "crew") == 1
    assert cell(battle, 0, "members") == 1


@pytest.mark.rule("oathmark.artillery.morale")
def test_a_test_caused_by_artillery_has_no_bonus() -> None:
    assert not artillery.counts_as_shooting(artillery=True)
    assert artillery.counts_as_shooting(artillery=False)
    battle = table(CATAPULT, {**ORCS, "abilities": {}})
    (aim,) = aims_of(battle, 0, FULL)

    done = carry(battle, shoot(battle, 0, aim, 0), dice=[6, 6, 1, 9, 9])

    assert done.facts("morale tested").modifier == -2
    assert not carry(battle, loss_tests(battle, [(1, 0)], 0)).events
