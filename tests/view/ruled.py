"""Rules for the view to ask, made of plain functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.no_rules import NoRules
from emlia3d.battle.setup import Setup
from emlia3d.view.rules import Rules

Answers = Callable[..., Any]


def ruled(setup: Setup, *, survey: Answers | None = None, **answers: Answers) -> Rules:
    """Return rules that answer by these functions, each named as the method of `System`.

    A function takes what the method does, with the state last in place of the battle first.

    survey : answers `Rules.seen_by`
    """

    def method(answer: Answers) -> Answers:
        return lambda system, battle, *asked: answer(*asked, battle.state)

    members: dict[str, Any] = {name: method(answer) for name, answer in answers.items()}
    if survey is not None:
        members["sight_area"] = NoRules.decline
    rules = Rules(Battle(setup, type("Made", (NoRules,), members)(), seed=0))
    if survey is not None:
        rules.seen_by = survey  # type: ignore[method-assign]
    return rules
