"""Which events of Oathmark are key events."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event, Facts
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.rules.oathmark.events import (
    Broken,
    Charged,
    Fought,
    Hurt,
    Moved,
    PushedBack,
    Shot,
    key_events,
)
from tests.made_up import made_up


@pytest.mark.parametrize(
    ("facts", "kinds"),
    [
        (made_up(Shot), ("volley",)),
        (made_up(Charged), ("charge",)),
        (made_up(Fought), ("melee",)),
        (made_up(PushedBack), ("push",)),
        (Broken(), ("rout",)),
        (Hurt(hits=3, fallen=3, left=0), ("destroyed",)),
        (Hurt(hits=3, fallen=3, left=1), ()),
        (made_up(Moved), ()),
    ],
)
def test_an_event_is_of_its_kind(facts: Facts, kinds: tuple[Highlight, ...]) -> None:
    assert key_events(Event(facts=facts, unit=0)) == kinds
