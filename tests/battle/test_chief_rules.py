"""Which rules of an event are shown at a glance."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event, Fact, chief_rules
from emlia3d.rules.emlia.events.combat import Fired
from tests.made_up import made_up


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, ("shot", "range", "far", "near")),
        ({"figures": ()}, ("shot",)),
        ({"figures": (-2,)}, ("shot", "near")),
        ({"figures": (-2, 1)}, ("shot", "far", "near")),
        ({"figures": (-2, 1, 0, 0)}, ("shot", "range", "far", "near")),
    ],
)
def test_the_first_rule_and_those_with_figures_are_shown(
    facts: dict[str, Fact], expected: tuple[str, ...]
) -> None:
    event = Event(facts=made_up(Fired, **facts), because=("shot", "range", "far", "near"))

    assert chief_rules(event) == expected
