"""Bases under figures, before any is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.apply import apply
from emlia3d.battle.changes import Fall
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.figures import figures_of
from emlia3d.view.moment.scene import BASE_THICKNESS
from tests.view.conftest import COLUMNS

ARCHERS, BANDITS, DRAGON = range(20), range(20, 26), 26
"""Figures of the units of these tests."""


def based(setup: Setup, **bases: Any) -> tuple[Setup, State]:
    """The setup with bases for some units by name, and its first state."""
    units = tuple(
        replace(
            unit,
            muster=replace(
                unit.muster,
                troops=replace(unit.muster.troops, base=bases.get(unit.name, "none")),
            ),
        )
        for unit in setup.units
    )
    there = replace(setup, units=units)
    heights = [feature.height for feature in setup.field.features]
    return there, State.mustered([unit.muster for unit in units], 2, heights, COLUMNS)


def test_troops_without_bases_have_none(setup: Setup, start: State) -> None:
    assert figures_of(setup, start).bases is None


def test_bases_are_as_large_as_the_room_of_a_figure(setup: Setup) -> None:
    figures = figures_of(*based(setup, bandits="round", dragon="square"))

    assert figures.bases is not None
    assert figures.bases.rows.tolist() == [*BANDITS, DRAGON]
    assert figures.bases.is_round.tolist() == [True] * 6 + [False]
    troops = setup.units[setup.unit_of("dragon")].muster.troops
    assert figures.bases.half_m[-1].tolist() == [troops.width, troops.depth]
    bandits = setup.units[setup.unit_of("bandits")].muster.troops
    across = max(bandits.width, bandits.depth)
    assert figures.bases.half_m[0].tolist() == [across, across]


def test_a_figure_stands_on_top_of_its_base(setup: Setup) -> None:
    bare, on_base = figures_of(*based(setup)), figures_of(*based(setup, dragon="round"))

    lifted = on_base.lift_m - bare.lift_m
    assert on_base.bases is not None
    thick = BASE_THICKNESS * 2 * on_base.bases.half_m.min()
    assert lifted[DRAGON] == pytest.approx(thick)
    assert np.delete(lifted, DRAGON).tolist() == [0.0] * 26


def test_who_has_fallen_has_no_base(setup: Setup) -> None:
    there, state = based(setup, bandits="round")
    apply(state, Event(facts=Unread(event="lost"), changes=(Fall(unit=1, figures=(20, 21)),)))

    figures = figures_of(there, state)

    assert figures.bases is not None
    assert figures.bases.rows.tolist() == [22, 23, 24, 25]
