"""Chapter 4: the list of actions, and what a turn allows of them."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.actions import BASIC, ActionType, action, free_bit

M, P, F = ActionType.MOVE, ActionType.PRIMARY, ActionType.FREE


@pytest.mark.rule("emlia.action.basic-list")
@pytest.mark.parametrize(
    ("name", "kinds", "entry"),
    [
        pytest.param(name, kinds, entry, marks=pytest.mark.rule(f"emlia.action.basic-list.{key}"))
        for key, name, kinds, entry in [
            ("double-pace", "double pace", {M}, "emlia.move.double-pace"),
            ("normal-move", "normal move", {M}, "emlia.move.normal"),
            ("drop-down", "drop down", {M}, "emlia.move.drop-down"),
            ("stand-up", "stand up", {M}, "emlia.move.stand-up"),
            ("take-cover", "take cover", {M}, "emlia.move.take-cover"),
            ("break-ranks", "break ranks", {M}, "emlia.form.break-ranks"),
            ("conceal-self", "conceal self", {M, P}, "emlia.aware.conceal-self"),
            ("improve-morale", "improve morale", {M, P}, "emlia.lead.improve"),
            ("pass-awareness", "pass awareness", {M, P, F}, "emlia.aware.pass"),
            ("aimed-fire", "aimed fire", {P}, "emlia.fire"),
            ("area-volley", "area volley", {P}, "emlia.volley"),
            ("concentrated-volley", "concentrated volley", {P}, "emlia.conc"),
            ("close-combat", "close combat", {P}, "emlia.melee"),
            ("charge", "charge", {P}, "emlia.charge"),
            ("disengage-distract", "disengage/distract", {P}, "emlia.disengage"),
            ("ignore-initiative", "ignore initiative", {F}, "emlia.lead.ignore"),
            ("ignore-morale", "ignore morale", {F}, "emlia.lead.ignore"),
            ("reorder", "reorder", {F}, "emlia.lead.reorder"),
            ("take-command", "take command", {F}, "emlia.lead.take-command"),
            ("join-units", "join units", {F}, "emlia.lead.join"),
            ("split-unit", "split unit", {F}, "emlia.lead.split"),
            ("delay", "delay", {F}, "emlia.activate.delay"),
            ("prepare-actions", "prepare actions", {F}, "emlia.prepare"),
            ("detect-hidden", "detect hidden", {F}, "emlia.aware.detect"),
        ]
    ],
)
def test_a_core_action_is_of_the_type_that_the_list_gives(
    name: str, kinds: set[ActionType], entry: str
) -> None:
    found = action(name)

    assert set(found.kinds) == kinds
    assert found.because == entry


@pytest.mark.rule("emlia.action.block")
@pytest.mark.parametrize(
    ("name", "skill"),
    [
        ("aimed fire", "aimed fire"),
        ("area volley", "volley fire"),
        ("concentrated volley", "volley fire"),
        ("close combat", "close combat"),
        ("disengage/distract", "close combat"),
        ("conceal self", "stealth"),
        ("detect hidden", "alertness"),
        ("pass awareness", "leadership"),
        ("join units", "leadership"),
        ("charge", None),
        ("delay", None),
    ],
)
def test_a_block_names_the_skill_of_its_check(name: str, skill: str | None) -> None:
    assert action(name).skill == skill


@pytest.mark.rule("emlia.action.improvised-flag")
def test_only_the_blocks_that_say_so_can_be_improvised() -> None:
    improvised = {found.name for found in BASIC if found.improvised}

    assert improvised == {
        "aimed fire", "close combat", "ignore initiative", "improve morale", "join units",
        "split unit", "take command",
    }  # fmt: skip


def test_each_free_action_has_a_bit_of_its_own() -> None:
    bits = [free_bit(found.name) for found in BASIC]

    assert len(set(bits)) == len(BASIC)
    assert sum(bits) == 2 ** len(BASIC) - 1
