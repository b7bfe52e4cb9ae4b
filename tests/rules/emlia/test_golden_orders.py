"""What comes of each order and each morale in the middle of small battles is as it is recorded.

Each line of ``golden/orders.txt`` is a board and a digest of the events for each verb and each
state of morale, so that a change tells what goes otherwise. ``pytest --regenerate`` rewrites the
lines; the commit says why they changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from tests.rules.emlia.played_orders import digests_of
from tests.rules.emlia.random_play import moment_of
from tests.rules.emlia.recorded import recorded

GOLDEN = Path(__file__).with_name("golden") / "orders.txt"
BOARDS = (
    *range(2100, 2105), *range(2106, 2112), 2120, 2122, 2124, 2135, 2137, 2140, 2142, 2147,
    2158, 2159, 2163, 2164,
)  # fmt: skip
"""Boards of which the orders have the most kinds of consequences among the first few dozen."""


@pytest.mark.long
@pytest.mark.parametrize("number", BOARDS)
def test_what_comes_of_an_order_is_as_recorded(
    field_of_battle: Callable[..., Battle], number: int, regenerate: bool
) -> None:
    found = digests_of(moment_of(number, field_of_battle))

    assert found == recorded(GOLDEN, number, found, regenerate=regenerate, separator="|")
