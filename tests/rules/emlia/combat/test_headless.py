"""Shots at a mixed unit of which only subunits are left whose rows stand for nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.combat.shooting import AIMED_FIRE, aims_of

Build = Callable[..., Battle]


@pytest.mark.rule("emlia.fire.at-skirmish")
def test_a_shot_at_a_fight_may_strike_who_alone_is_left_of_a_mixed_unit(
    field_of_battle: Build,
) -> None:
    bow = {"name": "Bow", "base_damage": 1, "range": (20, 40, 80), "use": ["aimed fire"]}
    archers = {"at": (50, 20), "weapons": [bow], "skills": {"aimed fire": "4"}}
    spears: dict[str, Any] = {"name": "spears", "side": "Bob", "at": (50, 51), "facing": 180}
    lady = {"name": "lady", "side": "Bob", "group": "spears", "at": (52, 51), "facing": 180}
    battle = field_of_battle(archers, {"at": (52, 50)}, spears, lady)
    stays = Set(table="unit", row=2, column="present", value=1)
    battle.happen(Event(facts=Unread(event="fell"), changes=(Fall(unit=2, figures=(2,)), stays)))

    orders = AIMED_FIRE.options(battle, 0)

    assert orders
    assert all(aims_of(battle, order) for order in orders)
