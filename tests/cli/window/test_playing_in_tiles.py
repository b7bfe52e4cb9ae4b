"""A formation is played in a window: its reach and odds are shown before an order is given."""

from __future__ import annotations

import pytest
import shapely

from emlia3d.field.hexes import board_of
from emlia3d.view.moment.scene import TintedArea
from emlia3d.view.window.status import HudState
from tests.cli.window.table import Sit, Table

pytestmark = pytest.mark.long


def status(table: Table) -> HudState:
    found: HudState = table.app.viewer.status()
    return found


def give(table: Table, words: str) -> None:
    table.take(words)
    table.press("enter")
    table.wait()


def reach_m2(table: Table) -> float:
    """Wait for the reach on the ground, and return its area."""
    areas: list[float] = []

    def shown() -> bool:
        exhibit = table.entry.hand.sight_overlay()
        marks = () if exhibit is None else exhibit.marks
        rings = [
            mark.outline_m
            for mark in marks
            if isinstance(mark, TintedArea) and mark.tone == "neutral"
        ]
        areas[:] = [shapely.Polygon(ring).area for ring in rings]
        return bool(areas)

    table.wait(shown)
    return areas[0]


@pytest.fixture
def moving(sit: Sit) -> Table:
    """The player of Blue has declared the Advance of a line, and is asked where it goes."""
    table = sit("outpost", 0)
    table.wait()
    for words in ("act first", "act with Blue line", "Advance"):
        give(table, words)
    return table


def test_the_reach_is_of_the_formation_and_in_a_group_of_the_unit(moving: Table) -> None:
    setup = moving.app.viewer.setup
    tile_m2 = shapely.Polygon(board_of(setup.field).grid.corners((0, 0))).area
    tile_m2 *= setup.field.scale.metres_per_gsu**2

    together = reach_m2(moving) / tile_m2
    line = next(n for n, text in enumerate(moving.words, 1) if text.startswith("move:"))
    moving.press(str(line))
    alone = reach_m2(moving) / tile_m2
    hint = status(moving).orders.hint
    moving.press("escape")

    assert (together, alone) == pytest.approx((round(together), round(alone)), rel=1e-3)
    assert 20 < alone < together < 0.5 * len(board_of(setup.field)), "whole tiles, not the board"
    assert hint == "Click on the ground: move"
    assert status(moving).orders.hint == "Click on the ground: move all"


def test_the_odds_of_shots_are_shown_with_the_target(moving: Table) -> None:
    give(moving, "move all")
    moving.take("shoot at Red line")
    moving.wait(lambda: "hit" in status(moving).orders.odds)

    assert "dice at +0" in status(moving).orders.odds
