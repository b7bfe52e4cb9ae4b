"""Which events of Oathmark are key events."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event, Facts
from emlia3d.battle.questions.highlights import Highlight, key_events
from emlia3d.rules.oathmark.events import (
    Broken,
    Charged,
    Fought,
    Hurt,
    Moved,
    PushedBack,
    Shot,
)
from tests.made_up import made_up


@pytest.mark.parametrize(
    ("facts", "gesture", "kinds"),
    [
        (made_up(Shot), "shoot", ("volley",)),
        (made_up(Charged), "march", ("charge",)),
        (made_up(Fought), "strike", ("melee",)),
        (made_up(PushedBack), "march", ("push",)),
        (Broken(), "vanish", ("rout",)),
        (Hurt(hits=3, fallen=3, left=0), "suffer", ("destroyed",)),
        (Hurt(hits=3, fallen=3, left=1), "suffer", ()),
        (made_up(Moved), "march", ()),
    ],
)
def test_an_event_is_of_its_kind(facts: Facts, gesture: str, kinds: tuple[Highlight, ...]) -> None:
    assert key_events(Event(facts=facts, unit=0, gesture=gesture)) == kinds
