"""Where a unit in retreat goes past houses, friends and enemies is as it is recorded.

Each line of ``golden/homes.txt`` is a board and a digest. ``pytest --regenerate`` rewrites the
lines; the commit says why they changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from tests.rules.emlia.homeward_boards import homeward, homeward_of
from tests.rules.emlia.recorded import digests_of, recorded

GOLDEN = Path(__file__).with_name("golden") / "homes.txt"
BOARDS = (0, 4, 12, 15, 20, 25, 26, 32, 35, 39, 41, 45)


@pytest.mark.parametrize("number", BOARDS)
def test_a_unit_in_retreat_goes_where_it_is_recorded_to_go(
    field_of_battle: Callable[..., Battle], number: int, regenerate: bool
) -> None:
    battle = homeward_of(number, field_of_battle)

    found = digests_of(battle, (homeward,), most=1)

    assert found == recorded(GOLDEN, number, found, regenerate=regenerate)
