"""Which events of Emlia are key events."""

from __future__ import annotations

from functools import cache

import pytest

from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Facts
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.battle.setup import Setup
from emlia3d.rules.emlia.events.combat import Fired, Struck, VolleyLoosed
from emlia3d.rules.emlia.events.engagement import PushedBack
from emlia3d.rules.emlia.events.losses import Destroyed, Shaken
from emlia3d.rules.emlia.events.movement import Arrived, Charged, LeftTheField, Moved
from emlia3d.rules.emlia.events.turn import Captured
from emlia3d.rules.emlia.report.highlights import highlights
from emlia3d.scenario.scenario import load
from tests.made_up import made_up


@cache
def ridge() -> Setup:
    return load("ridge").setup


@pytest.mark.parametrize(
    ("happened", "kind"),
    [
        (Fired, "volley"),
        (VolleyLoosed, "volley"),
        (Charged, "charge"),
        (Struck, "melee"),
        (PushedBack, "push"),
        (Destroyed, "destroyed"),
        (Captured, "destroyed"),
        (LeftTheField, "gone"),
        (Arrived, "arrival"),
    ],
)
def test_a_deed_is_a_turning_point_of_its_kind(happened: type[Facts], kind: Highlight) -> None:
    assert highlights(ridge(), Event(facts=made_up(happened), unit=1)) == (kind,)


def test_most_events_are_none() -> None:
    assert highlights(ridge(), Event(facts=made_up(Moved), unit=1)) == ()


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [(-6, -7, ("rout",)), (2, -7, ("rout",)), (2, -6, ()), (-7, -8, ())],
)
def test_a_unit_routs_once_when_its_morale_falls_to_minus_seven(
    before: int, after: int, kinds: tuple[Highlight, ...]
) -> None:
    event = Event(facts=made_up(Shaken, before=before, after=after), unit=1)

    assert highlights(ridge(), event) == kinds


def test_a_unit_wiped_out_with_the_leader_of_another_is_both() -> None:
    lost = Set(table="unit", row=3, column="leader", value=-2)
    given = Set(table="unit", row=3, column="leader", value=4)

    assert highlights(ridge(), Event(facts=made_up(Destroyed), unit=1, changes=(lost,))) == (
        "destroyed",
        "leader",
    )
    assert highlights(ridge(), Event(facts=made_up(Destroyed), unit=1, changes=(given,))) == (
        "destroyed",
    )


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("General Amory", ("destroyed", "leader")),
        ("Brigadier Hale", ("destroyed", "leader")),
        ("Bessing Regiment", ("destroyed",)),
    ],
)
def test_a_general_wiped_out_is_a_leader_lost(name: str, kinds: tuple[Highlight, ...]) -> None:
    """Although the general leads no unit but itself."""
    row = next(row for row, unit in enumerate(ridge().units) if unit.name == name)

    assert highlights(ridge(), Event(facts=made_up(Destroyed), unit=row)) == kinds
    assert highlights(ridge(), Event(facts=made_up(Moved), unit=row)) == ()
