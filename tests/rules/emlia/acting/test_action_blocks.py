"""The skill, the subject and the requirements in the block of each core action."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.actions import action

# Name, skill of its check, whether it can be improvised, subject, whether it forfeits the move.
BLOCKS = (
    ("double pace", None, False, "self", False),
    ("normal move", None, False, "self", False),
    ("drop down", None, False, "self", False),
    ("stand up", None, False, "self", False),
    ("take cover", None, False, "self", False),
    ("break ranks", None, False, "self", False),
    ("conceal self", "stealth", False, "self", False),
    ("improve morale", "leadership", True, "friend", False),
    ("pass awareness", "leadership", False, "enemy", False),
    ("aimed fire", "aimed fire", True, "enemy", False),
    ("area volley", "volley fire", False, "point", True),
    ("concentrated volley", "volley fire", False, "enemy", True),
    ("close combat", "close combat", True, "known enemies", False),
    ("charge", None, False, "enemy", False),
    ("disengage/distract", "close combat", False, "known enemies", False),
    ("ignore initiative", "leadership", True, "friend", False),
    ("reorder", "leadership", False, "friend", False),
    ("take command", "leadership", True, "friend", False),
    ("join units", "leadership", True, "two friends", False),
    ("split unit", "leadership", True, "friend", False),
    ("delay", None, False, "self", False),
    ("prepare actions", None, False, "self", False),
    ("detect hidden", "alertness", False, "unknown enemy", False),
)


@pytest.mark.rule("emlia.action.block")
@pytest.mark.parametrize(
    ("name", "skill", "improvised", "subject", "forfeits"),
    [
        pytest.param(
            *block,
            marks=pytest.mark.rule(
                f"emlia.action.basic-list.{block[0].replace(' ', '-').replace('/', '-')}"
            ),
            id=block[0],
        )
        for block in BLOCKS
    ],
)
def test_the_block_of_a_core_action_is_as_in_the_book(
    name: str, skill: str | None, improvised: bool, subject: str, forfeits: bool
) -> None:
    found = action(name)

    assert (found.skill, found.improvised, found.subject) == (skill, improvised, subject)
    assert found.forfeits_move is forfeits
