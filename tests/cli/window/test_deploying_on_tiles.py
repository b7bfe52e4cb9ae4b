"""Formations of Epic that are deployed in the window with the mouse."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.field.hexes import board_of
from emlia3d.scenario.scenario import MAPS
from tests.cli.window.table import Sit, pixels


@pytest.mark.long
def test_a_click_on_a_tile_places_a_formation_and_the_strip_is_shown(
    sit: Sit, tmp_path: Path
) -> None:
    text = (MAPS / "outpost.toml").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("tile =")]
    (tmp_path / "outpost.toml").write_text("\n".join(lines), "utf-8")
    table = sit(str(tmp_path / "outpost.toml"), 0)
    table.wait()
    assert table.words == ["deploy Blue line", "deploy Blue tanks", "deploy Blue engine"]

    table.take("deploy Blue line")
    table.press("enter")
    table.wait(lambda: table.entry.sheet is not None and table.entry.sheet.unit is not None)
    sheet = table.entry.sheet
    assert sheet is not None
    corners = sheet.scene.system.reach_of(sheet.scene, sheet.question.decision, "place all")
    grid = board_of(table.app._setup.field).grid
    east, north = grid.centres((4, 4)).tolist()
    table.hand.click(*pixels(table, (east, north)))
    table.press("enter")
    table.wait(lambda: table.entry.sheet is not None and table.entry.sheet is not sheet)

    assert max(y for _, y in corners) < 5
    assert table.orders()[-2:] == ["deploy", "place all"]
    units = table.game_thread.game.battle.state.units
    assert grid.tiles_at([(units.value("x", 0), units.value("y", 0))]).tolist() == [[4, 4]]
    assert all(units.value("present", row) for row in range(6))
