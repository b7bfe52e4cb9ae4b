"""What the rules answer in the middle of small battles comes out as it is recorded.

Each line of ``golden/answers.txt`` is a board and a digest for each subject, so that a change
tells which part of the rules answers otherwise. ``pytest --regenerate`` rewrites the lines; the
commit says why they changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emlia3d.battle.battle import Battle
from tests.rules.emlia.answers import SUBJECTS
from tests.rules.emlia.random_play import moment_of
from tests.rules.emlia.recorded import digests_of, recorded

GOLDEN = Path(__file__).with_name("golden") / "answers.txt"
BOARDS = (2041, 2044, 2062, 2067, 2070, 2085, 2092, 2096)


@pytest.mark.long
@pytest.mark.parametrize("number", BOARDS)
def test_the_rules_answer_as_recorded_in_the_middle_of_a_battle(
    field_of_battle: Callable[..., Battle], number: int, regenerate: bool
) -> None:
    battle = moment_of(number, field_of_battle)

    found = digests_of(battle, SUBJECTS)

    assert found == recorded(GOLDEN, number, found, regenerate=regenerate)
