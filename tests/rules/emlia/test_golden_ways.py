"""Where ways lead in the middle of small battles is as it is recorded.

Each line of ``golden/ways.txt`` is a board and a digest for each subject, so that a change tells
which part of the rules answers otherwise. ``pytest --regenerate`` rewrites the lines; the commit
says why they changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from tests.rules.emlia.answers_of_ways import WAYS
from tests.rules.emlia.random_play import moment_of
from tests.rules.emlia.recorded import digests_of, recorded

GOLDEN = Path(__file__).with_name("golden") / "ways.txt"
BOARDS = (*range(2112, 2116), 2130, 2133)


@pytest.mark.long
@pytest.mark.parametrize("number", BOARDS)
def test_ways_lead_where_they_are_recorded_to_lead(
    field_of_battle: Callable[..., Battle], number: int, regenerate: bool
) -> None:
    battle = moment_of(number, field_of_battle)

    found = digests_of(battle, WAYS)

    assert found == recorded(GOLDEN, number, found, regenerate=regenerate)
