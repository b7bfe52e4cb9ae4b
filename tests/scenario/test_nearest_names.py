"""A name that is not known: the nearest is suggested, or a few are listed."""

from __future__ import annotations

from emlia3d.scenario.messages import MOST_LISTED, nearest


def test_a_near_name_is_suggested_and_few_are_listed() -> None:
    assert nearest("archer", ["archers", "bandits"]) == "did you mean archers?"
    assert nearest("xyz", ["archers", "bandits"]) == "there are archers and bandits"
    assert nearest("xyz", ["archers"]) == "there is archers"
    assert nearest("xyz", []) == "there is none"


def test_many_names_are_counted() -> None:
    known = [f"rule-{number:03}" for number in range(MOST_LISTED + 1)]

    assert nearest("xyz", known) == f"there are {MOST_LISTED + 1}, such as rule-000"
    assert "rule-039" in nearest("xyz", known[:-1])
