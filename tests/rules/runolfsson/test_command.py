"""Command, leaders, and the grades of units."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.errors import ScenarioError
from emlia3d.rules.runolfsson.columns import Phase
from emlia3d.rules.runolfsson.contacts import (
    attack_command_modifier,
    first_leaders,
    is_in_command,
    judge_command,
    morale_command_modifier,
    replace_leader,
    speed_in_command,
)
from emlia3d.rules.runolfsson.turn import next_phase
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, move_to, put, set_phase, table


def squad(*offs: float, **other: Any) -> Battle:
    """A leader at (10, 10), and members whose bases are so far east of its base."""
    members = [{"at": [11 + off, 10], "group": "head", **other} for off in offs]
    foe = {"at": [40, 40], "side": "Blue"}
    return table({"at": [10, 10], "name": "head", **other}, *members, foe)


@pytest.mark.rule("runolfsson.command.out")
@pytest.mark.parametrize(("off", "in_command"), [(6.0, True), (6.1, False)])
def test_a_model_is_out_of_command_beyond_the_radius(off: float, in_command: bool) -> None:
    battle = squad(2, command_radius=6)

    move_to(battle, 1, (11 + off, 10))

    assert is_in_command(battle, 1) is in_command


@pytest.mark.rule("runolfsson.command.out")
def test_leaders_and_characters_are_always_in_command_and_no_unit_is_without_leader() -> None:
    battle = table({"at": [5, 5], "character": True}, {"at": [40, 40], "side": "Blue"})
    led = squad(2)

    assert is_in_command(battle, 0)
    assert is_in_command(led, 0)
    put(led, 0, present=0)
    assert not is_in_command(led, 1)


@pytest.mark.rule("runolfsson.command.check-times")
def test_command_is_judged_anew_as_a_morale_phase_begins() -> None:
    battle = squad(2)
    set_phase(battle, Phase.STATIONARY)
    put(battle, 0, present=0)
    assert cell(battle, 1, "in_command") == 1

    carry(battle, next_phase(battle))

    assert battle.state.battle.integer("phase", 0) == Phase.MORALE_ONE
    assert cell(battle, 1, "in_command") == 0
    assert judge_command(battle, [0, 1]) == []


@pytest.mark.rule("runolfsson.command.half-speed")
def test_out_of_command_a_model_goes_half_but_for_its_leader() -> None:
    assert speed_in_command(6, in_command=False, to_the_leader=False) == 3
    assert speed_in_command(6, in_command=False, to_the_leader=True) == 6
    assert speed_in_command(6, in_command=True, to_the_leader=False) == 6


@pytest.mark.rule("runolfsson.command.attack-minus", "runolfsson.command.morale-minus")
def test_out_of_command_dice_have_minus_one() -> None:
    assert attack_command_modifier(True) == morale_command_modifier(True) == 0
    assert attack_command_modifier(False) == morale_command_modifier(False) == -1


@pytest.mark.rule("runolfsson.leader.designate")
def test_each_unit_has_one_leader_at_the_start() -> None:
    battle = squad(2, 4)

    assert first_leaders(battle.setup) == [0, 0, 0, 3]
    assert battle.state.units.ints("leader").tolist() == [0, 0, 0, 3]
    lone = table({"at": [5, 5], "character": True}, {"at": [40, 40], "side": "Blue"})
    assert first_leaders(lone.setup) == [-1, 1]


@pytest.mark.rule("runolfsson.leader.replace")
def test_a_pinned_leader_is_replaced_at_once() -> None:
    battle = squad(2, 4)
    put(battle, 0, marker=1)

    done = carry(battle, replace_leader(battle, 0), "name leader")

    assert [order.target for order in done.asked[0].of("name leader")] == [1, 2]
    assert battle.state.units.ints("leader").tolist() == [1, 1, 1, 3]


@pytest.mark.rule("runolfsson.leader.replace")
def test_the_post_may_be_left_and_followers_are_not_asked() -> None:
    battle = squad(2)

    assert carry(battle, replace_leader(battle, 0), "keep leader").events == []
    assert carry(battle, replace_leader(battle, 1)).asked == []


@pytest.mark.rule("runolfsson.command.out")
@pytest.mark.parametrize(("base", "off", "legal"), [
    (1, 7.0, True), (1, 7.1, False), (3, 8.0, True), (3, 8.1, False),
])  # fmt: skip
def test_a_unit_starts_within_its_command_radius_from_base_to_base(
    base: float, off: float, legal: bool
) -> None:
    models: list[dict[str, Any]] = [
        {"at": [10, 10], "name": "head"},
        {"at": [10 + off, 10], "group": "head", "command_radius": 6, "base": base},
        {"at": [40, 40], "side": "Blue"},
    ]
    if legal:
        assert is_in_command(table(*models), 1)
        return
    with pytest.raises(ScenarioError, match="expected at most 6 GSU from its leader"):
        table(*models)
