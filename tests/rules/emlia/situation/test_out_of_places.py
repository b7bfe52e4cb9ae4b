"""Which members of a unit stand elsewhere than their formation puts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.situation.pose import keeps_places, out_of_places, pose_of, standing
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]

FOUR: dict[str, Any] = {"members": 4, "files": 2, "formation": "close"}


def put(battle: Battle, row: int, shift: list[tuple[float, float]]) -> np.ndarray[Any, Any]:
    """Put the members of a row beside their places; where they stand then."""
    usual = pose_of(battle, row).own_places
    spots = usual + np.array(shift)
    battle.happen(Event(facts=Unread(event="put"), changes=standing(battle, row, spots, usual)))
    return np.asarray(spots)


@pytest.mark.parametrize(
    ("shift", "is_out"),
    [
        ([(0, 0)] * 4, False),
        ([(0, 0), (0, 0), (0.5, 0), (0, 0)], True),
        ([(0, 0), (0, 0), (0, 0.5), (0, 0)], True),
        ([(0.5, 0.5)] * 4, True),
        ([(0.5, 0)] * 4, True),
    ],
)
def test_a_unit_is_out_of_its_places_if_any_member_is(
    field_of_battle: Build, shift: list[tuple[float, float]], is_out: bool
) -> None:
    battle = field_of_battle({**FOUR, "at": (50, 50)}, {**FOUR, "at": (80, 50)})

    spots = put(battle, 0, shift)

    found = out_of_places(battle, 0, pose_of(battle, 0))
    assert list(found) == [0] * is_out
    assert all(np.array_equal(each, spots) for each in found.values())
    assert keeps_places(battle, 0) is not is_out
    assert out_of_places(battle, 1, pose_of(battle, 1)) == {}
    assert np.array_equal(situation_of(battle).places(0), spots)


@pytest.mark.parametrize("moved", [(), (0,), (1,), (0, 1)])
def test_each_subunit_is_told_by_itself(field_of_battle: Build, moved: tuple[int, ...]) -> None:
    battle = field_of_battle(
        {**FOUR, "at": (50, 50), "name": "head"}, {**FOUR, "at": (60, 50), "group": "head"}
    )

    for row in moved:
        put(battle, row, [(0.5, 0.25)] * 4)

    assert tuple(out_of_places(battle, 0, pose_of(battle, 0))) == moved
