"""Armies for measuring have the figures and units that were asked for, and can fight."""

from __future__ import annotations

import pytest

from emlia3d.errors import Error
from emlia3d.scenario.synthetic_armies import armies


@pytest.mark.parametrize(
    ("figures", "units"), [(40, 2), (1000, 2), (1000, 11), (1500, 30), (20_000, 200)]
)
def test_armies_have_as_many_figures_and_units_as_were_asked_for(figures: int, units: int) -> None:
    setup = armies(figures, units, seed=3).setup

    strengths = [unit.muster.members for unit in setup.units]
    assert len(strengths) == units
    assert sum(strengths) == figures
    assert all(20 <= strength <= 500 for strength in strengths)
    assert {unit.muster.side for unit in setup.units} == {0, 1}


def test_the_same_figures_units_ground_and_seed_give_the_same_armies() -> None:
    assert armies(900, 9, ground=True, seed=5).text == armies(900, 9, ground=True, seed=5).text
    assert armies(900, 9, seed=5).text != armies(900, 9, seed=6).text


def test_armies_stand_on_level_or_on_raster_ground() -> None:
    level = armies(200, 4).setup.field.ground
    hilly = armies(200, 4, ground=True).setup.field.ground

    assert level.low_m == level.high_m
    assert hilly.high_m - hilly.low_m > 5


def test_armies_fight() -> None:
    events = [event.name for event in armies(400, 8, ground=True).battle(turns=2).run()]

    assert "moved" in events
    assert "fired" in events


@pytest.mark.parametrize(("figures", "units"), [(20, 1), (39, 2), (1001, 2)])
def test_armies_that_their_units_cannot_hold_are_refused(figures: int, units: int) -> None:
    with pytest.raises(Error, match="of 20 to 500"):
        armies(figures, units)
