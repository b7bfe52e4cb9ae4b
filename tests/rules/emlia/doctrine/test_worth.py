"""What the doctrine commander thinks a shot is worth, and what he has his men shoot at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.doctrine.appraisal import shot
from tests.rules.emlia.doctrine.staff import orders
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
SHOOTERS: dict[str, Any] = {**MUSKETEERS, "front": (100, 50), "put": {"move_used": 1}}


def test_no_volley_is_thrown_away_on_a_straggler_who_is_nearer_than_a_regiment(
    field_of_battle: Build, question: Ask
) -> None:
    straggler = {**FOOT, **BOB, "members": 1, "files": 1, "front": (90, 64)}
    regiment = {**FOOT, **BOB, "front": (110, 85)}
    battle = field_of_battle(SHOOTERS, straggler, regiment)

    assert shot(battle, Order(verb="fire", unit=0, target=1, number=0)).harm <= 1
    assert orders(battle, question).target == 2


def test_what_takes_twelve_points_to_destroy_is_lost_twelve_times_as_slowly(
    field_of_battle: Build,
) -> None:
    foe = {**FOOT, **BOB, "front": (100, 75)}
    men, guns = (
        shot(
            field_of_battle(SHOOTERS, {**foe, **more}),
            Order(verb="fire", unit=0, target=1, number=0),
        ).harm
        for more in ({}, {"damage_limit": 12})
    )

    assert men > 1
    assert guns == pytest.approx(men / 12)


def test_who_does_not_see_an_enemy_near_by_goes_on_until_he_does(
    field_of_battle: Build, question: Ask
) -> None:
    wood = {"kind": "forest", "height": 6, "box": (60, 55, 140, 65)}
    foe, scout = {**FOOT, **BOB, "front": (100, 68)}, {"at": (140, 90)}
    hidden, seen = (
        orders(
            field_of_battle({**MUSKETEERS, "front": (100, 50)}, foe, scout, terrain=terrain),
            question,
        )
        for terrain in ([wood], [])
    )

    assert (hidden.verb, hidden.why) == ("move", "closes to 9 GSU of unit 1, 18 GSU off")
    assert seen.verb != "move"
