"""Which events of Runolfsson are key events."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event, Facts
from emlia3d.battle.questions.highlights import Highlight, key_events
from emlia3d.rules.runolfsson.events import (
    AttackMade,
    Destroyed,
    LeftTable,
    MoraleChecked,
    Moved,
)
from tests.made_up import made_up


@pytest.mark.parametrize(
    ("facts", "gesture", "kinds"),
    [
        (made_up(AttackMade), "shoot", ("volley",)),
        (made_up(AttackMade), "strike", ("melee",)),
        (MoraleChecked(face=1, modifier=0, result="routed"), "waver", ("rout",)),
        (MoraleChecked(face=4, modifier=0, result="pinned"), "waver", ()),
        (Destroyed(), "suffer", ("destroyed",)),
        (LeftTable(), "vanish", ("gone",)),
        (made_up(Moved), "march", ()),
    ],
)
def test_an_event_is_of_its_kind(facts: Facts, gesture: str, kinds: tuple[Highlight, ...]) -> None:
    assert key_events(Event(facts=facts, unit=0, gesture=gesture)) == kinds
