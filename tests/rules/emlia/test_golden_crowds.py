"""What the rules answer where units and terrain stand in each other's way is as it is recorded.

Each line of ``golden/crowds.txt`` is a board and a digest for each subject, so that a change tells
which part of the rules answers otherwise. ``pytest --regenerate`` rewrites the lines; the commit
says why they changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from tests.rules.emlia.answers import SUBJECTS
from tests.rules.emlia.answers_of_ways import WAYS
from tests.rules.emlia.random_play import moment_of
from tests.rules.emlia.recorded import digests_of, recorded

GOLDEN = Path(__file__).with_name("golden") / "crowds.txt"
CELL = 9
"""GSU across a square of these boards."""
BOARDS = (
    2201, 2204, 2205, 2214, 2215, 2224, 2228, 2235, 2236, 2240, 2241, 2251, 2254, 2259, 2260, 2263,
    2267, 2273, 2275, 2278, 2280, 2296,
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("number", BOARDS)
def test_the_rules_answer_in_a_crowd_as_recorded(
    field_of_battle: Callable[..., Battle], number: int, regenerate: bool
) -> None:
    battle = moment_of(number, field_of_battle, CELL)

    found = digests_of(battle, (*SUBJECTS, *WAYS), most=2)

    assert found == recorded(GOLDEN, number, found, regenerate=regenerate)
