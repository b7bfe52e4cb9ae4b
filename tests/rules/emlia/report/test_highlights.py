"""Which events of Emlia are turning points."""

from __future__ import annotations

import pytest

from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event
from emlia3d.battle.questions.highlights import Highlight
from emlia3d.rules.emlia.report.highlights import highlights


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("fired", "volley"),
        ("volley loosed", "volley"),
        ("charged", "charge"),
        ("struck", "melee"),
        ("pushed back", "push"),
        ("destroyed", "destroyed"),
        ("captured", "destroyed"),
        ("left the field", "gone"),
        ("arrived", "arrival"),
    ],
)
def test_a_deed_is_a_turning_point_of_its_kind(name: str, kind: Highlight) -> None:
    assert highlights(Event(name=name, unit=1)) == (kind,)


def test_most_events_are_none() -> None:
    assert highlights(Event(name="moved", unit=1)) == ()


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [(-6, -7, ("rout",)), (2, -7, ("rout",)), (2, -6, ()), (-7, -8, ())],
)
def test_a_unit_routs_once_when_its_morale_falls_to_minus_seven(
    before: int, after: int, kinds: tuple[Highlight, ...]
) -> None:
    event = Event(name="shaken", unit=1, facts={"before": before, "after": after})

    assert highlights(event) == kinds


def test_a_unit_wiped_out_with_the_leader_of_another_is_both() -> None:
    lost = Set(table="unit", row=3, column="leader", value=-2)
    given = Set(table="unit", row=3, column="leader", value=4)

    assert highlights(Event(name="destroyed", unit=1, changes=(lost,))) == ("destroyed", "leader")
    assert highlights(Event(name="destroyed", unit=1, changes=(given,))) == ("destroyed",)
