"""Chapter 20: what a side knows of the battle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.sight.sight_bodies import surface_of

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}
WALL = {"kind": "rock", "box": (0, 100, 100, 102), "height": 20}


@pytest.mark.rule("emlia.aware.picture")
def test_an_enemy_whom_no_unit_is_aware_of_is_not_in_the_picture(field_of_battle: Build) -> None:
    hidden = field_of_battle(ALICE, BOB, terrain=[WALL])
    open_field = field_of_battle(ALICE, BOB)

    assert SYSTEM.picture(hidden, 0).known == []
    assert SYSTEM.picture(open_field, 0).known == [1]


@pytest.mark.rule("emlia.aware.picture")
def test_one_unit_that_sees_him_is_enough(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB, {"at": (150, 100)}, terrain=[WALL])

    picture = SYSTEM.picture(battle, 0)

    assert picture.own == [0, 2]
    assert picture.known == [1]


@pytest.mark.rule("emlia.aware.picture")
def test_who_has_left_the_field_is_in_nobodys_picture(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB)

    battle.happen(Event(facts=Unread(event="left"), unit=1, changes=(Leave(unit=1),)))

    assert SYSTEM.picture(battle, 0).known == []
    assert SYSTEM.picture(battle, 1).own == []


@pytest.mark.rule("emlia.aware.picture")
def test_a_side_knows_the_true_ground_which_is_kept_once(field_of_battle: Build) -> None:
    slope = np.add.outer(np.zeros(21), np.arange(21.0))
    battle = field_of_battle(ALICE, BOB, elevation_m=slope)

    pictures = [SYSTEM.picture(battle, side) for side in (0, 1)]

    assert surface_of(battle) is not None
    assert all(surface_of(each.battle) is surface_of(battle) for each in pictures)
