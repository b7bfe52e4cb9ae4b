"""Commanders have an answer to every question of the rules."""

from __future__ import annotations

from emlia3d.battle.commanders import ASKS_FOR_PLAN
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.doctrine.plain_commander import ANSWERS

ACTS = {"emlia.activate.two-actions"}
"""The question for an action of a unit, which commanders answer by what each action is worth."""


def test_every_question_has_an_answer() -> None:
    assert SYSTEM.words.questions.keys() - ACTS == ANSWERS.keys()
    assert ASKS_FOR_PLAN in ANSWERS
