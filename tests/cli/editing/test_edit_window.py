"""The editor's window: units, terrain, ground and sides by mouse; live sight."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from panda3d.core import MouseButton

from emlia3d.scenario import load
from emlia3d.view.editing.edit_panels import status_of
from emlia3d.view.moment.scene import Camera
from emlia3d.view.window.settings import Settings
from tests.cli.editing.edit_hand import EditHand, Open


def test_units_are_placed_moved_turned_copied_and_deleted_by_mouse(open_window: Open) -> None:
    hand = open_window()
    hand.look_down()
    hand.click_button("tool:unit")
    hand.click_button("choose:choice:3")
    hand.at((60, 40))
    hand.click_button("choose:side:1")
    hand.drag((120, 110), (110, 110))

    assert [unit["side"] for unit in hand.units] == ["South", "North"]
    assert [unit["facing"] for unit in hand.units] == [0, 270]
    assert hand.units[0]["at"] == pytest.approx([60, 40], abs=0.5)
    assert hand.units[0]["type"] == "emlia/spearmen"

    hand.click_button("tool:select")
    hand.drag((60, 40), (80, 50))
    handle = hand.session.turn_handle(("unit", 0))
    assert handle is not None
    hand.drag(handle, (100, 50))
    hand.click_button("copy")
    hand.click_button("set:members:-1")

    assert hand.units[0]["at"] == pytest.approx([80, 50], abs=1)
    assert hand.units[0]["facing"] == 90
    assert [unit["name"] for unit in hand.units] == ["Spearmen", "Spearmen 3", "Spearmen 2"]
    assert hand.units[1]["members"] == 29
    assert not hand.session.position.wrong

    hand.press("delete")

    assert [unit["name"] for unit in hand.units] == ["Spearmen", "Spearmen 2"]


@pytest.mark.long
def test_terrain_is_drawn_reshaped_and_deleted_by_mouse(open_window: Open) -> None:
    hand = open_window()
    hand.look_down()
    hand.click_button("tool:terrain")
    kinds = hand.edited.terrain_kinds()
    hand.click_button(f"choose:kind:{kinds.index('forest')}")
    for corner in ((50, 50), (80, 50), (80, 80), (50, 80)):
        hand.at(corner)
    hand.at((50, 50))
    hand.click_button("choose:shape:1")
    hand.drag((130, 60), (140, 60))
    hand.click_button("choose:shape:2")
    for corner in ((30, 100), (90, 110), (150, 100)):
        hand.at(corner)
    hand.click_button("finish")

    wood, copse, road = hand.edited.tables("terrain")
    assert np.allclose(wood["outline"], [[50, 50], [80, 50], [80, 80], [50, 80]], atol=0.6)
    assert copse["circle"] == pytest.approx([130, 60, 10], abs=0.6)
    assert len(road["path"]) == 3
    assert road["width"] == 3
    assert {feature.name for feature in hand.session.position.setup.field.features} == {
        "forest", "forest 2", "forest 3",
    }  # fmt: skip

    hand.click_button("tool:select")
    hand.at((60, 60))
    hand.drag((80, 80), (90, 90))
    hand.drag((65, 50), (65, 40))
    hand.drag((70, 65), (72, 67))

    outline = hand.edited.tables("terrain")[0]["outline"]
    expected = [[52, 52], [67, 42], [82, 52], [92, 92], [52, 82]]
    assert np.allclose(outline, expected, atol=1.5)

    hand.click_button("delete")

    assert len(hand.edited.tables("terrain")) == 2


def test_ground_is_raised_and_lowered_where_it_is_clicked(open_window: Open) -> None:
    hand = open_window()
    hand.look_down()
    ground = hand.session.position.setup.field.ground
    before = ground.elevations_m(np.array([150.0]), np.array([90.0]))[0]
    hand.click_button("tool:ground")
    hand.click_button("size:height_m:1")
    hand.at((150, 90))

    ground = hand.session.position.setup.field.ground
    after = ground.elevations_m(np.array([150.0]), np.array([90.0]))[0]
    assert after - before == pytest.approx(5, abs=0.5)

    hand.with_control("z")

    ground = hand.session.position.setup.field.ground
    assert ground.elevations_m(np.array([150.0]), np.array([90.0]))[0] == pytest.approx(before)


def test_name_tags_are_as_large_as_the_text_of_panels(bandits: EditHand) -> None:
    stage = bandits.app._stage
    before = stage.text_size

    bandits.press("f10")

    assert stage.text_size > before
    assert stage.text_size == bandits.app._liking.settings.text_size


def test_panels_show_a_formation_by_default_and_conditions_in_full(bandits: EditHand) -> None:
    def rows() -> dict[str, str]:
        panes = status_of(bandits.session, Settings()).right
        return {row.text: row.value for pane in panes for row in pane.rows}

    bandits.session.selected = ("unit", 2)
    bandits.app.step(0.1)
    assert rows()["formation"] == "open, by default"
    bandits.click_button("set:formation:1")
    assert rows()["formation"] == "open"

    bandits.click_button("tool:sides")
    assert {"if it denies camp to enemies", "if it controls camp"} <= set(rows())


def test_areas_sides_objectives_and_victory_are_changed_by_mouse(open_window: Open) -> None:
    hand = open_window()
    hand.look_down()
    hand.click_button("tool:area")
    hand.click_button("choose:shape:1")
    hand.drag((40, 120), (55, 120))
    hand.click_button("objective:0")
    hand.click_button("tool:sides")
    hand.click_button("turns:1")
    hand.click_button("side:lines:1")
    hand.click_button("side:add")
    hand.click_button("victory:controls:0")
    hand.click_button("victory:delete:0")

    sides = hand.edited.tables("side")
    victories = hand.edited.tables("victory")
    assert hand.edited.heading("turns") == 9
    assert sides[0]["objective"] == "area"
    assert [side["name"] for side in sides] == ["South", "North", "Side"]
    assert sides[1]["lines"] == "west"
    assert victories[-1]["controls"] == "area"
    assert len(victories) == 4
    assert not hand.session.position.wrong


def test_a_unit_off_the_field_is_drawn_where_it_is(bandits: EditHand) -> None:
    bandits.session.edit(lambda: bandits.edited.change("unit", 2, {"at": [-20, 40]}))
    bandits.app.step(0.1)

    outline = bandits.session.position.footprints["unit", 2][0]
    assert outline.mean(axis=0) == pytest.approx([-20, 40], abs=2)


def test_the_verdict_of_sight_changes_while_terrain_is_dragged(bandits: EditHand) -> None:
    bandits.click_button("tool:sight")
    for unit in (0, 1):
        units = bandits.session.position.state.units
        bandits.at((float(units.value("x", unit)), float(units.value("y", unit))))
    bandits.app.step(0.1)
    assert _degree(bandits) == "total"

    bandits.click_button("tool:select")
    bandits.at((60, 35))
    bandits.begin_drag((60, 35), (95, 20))
    text = bandits.edited.text
    for _ in range(3):
        bandits.app.step(0.1)

    assert _degree(bandits) == "none"
    assert bandits.edited.text == text

    bandits.let_go(MouseButton.one())
    bandits.app.step(0.1)

    assert bandits.edited.text != text
    assert _degree(bandits) == "none"

    bandits.with_control("z")
    bandits.app.step(0.1)

    assert _degree(bandits) == "total"


def _degree(hand: EditHand) -> str | None:
    sight = hand.session.sight.look(asked=False)
    assert sight is not None
    return sight.card.degree


def test_undo_and_redo_have_keys(bandits: EditHand) -> None:
    bandits.drag((26, 62), (40, 62))
    moved = bandits.edited.text

    bandits.with_control("z")
    assert bandits.edited.is_saved
    bandits.with_control("z")
    bandits.app.step(0.0)
    assert bandits.session.notice == "nothing to undo"
    bandits.with_control("shift", "z")
    assert bandits.edited.text == moved


def test_a_row_of_units_is_moved_as_one(open_window: Open, tmp_path: Path) -> None:
    text = load("bandits").path.read_text("utf-8")
    text = text.replace("at = [26, 62]", "at = [30, 62]\nrow = { count = 2, step = 14 }")
    text = text.replace('destroyed = "raiders"', 'destroyed = "raiders 1"')
    (tmp_path / "row.toml").write_text(text, "utf-8")
    hand = open_window("row.toml")
    hand.look_down()

    assert hand.session.position.units == (("unit", 0), ("unit", 1), ("unit", 2), ("unit", 2))
    units = hand.session.position.state.units
    x, y = float(units.value("x", 3)), float(units.value("y", 3))
    hand.drag((x, y), (x + 8, y - 6))

    assert hand.units[2]["at"] == pytest.approx([38, 56], abs=0.5)
    assert hand.units[2]["row"] == {"count": 2, "step": 14}
    assert len(hand.session.position.setup.units) == 4


def test_a_drag_on_empty_ground_moves_the_view(bandits: EditHand) -> None:
    before = bandits.app.steering.camera
    text = bandits.edited.text

    bandits.drag((90, 20), (80, 30))

    assert bandits.app.steering.camera != before
    assert bandits.edited.text == text


def test_no_tag_covers_the_handle_of_a_unit_even_behind_the_camera(bandits: EditHand) -> None:
    bandits.at((26, 62))
    bandits.app.step(0.1)
    handle = bandits.session.turn_handle(("unit", 2))
    assert handle is not None
    x, y = bandits.app.pixel_of(handle)

    boxes = bandits.app._stage.kept_free
    assert any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in boxes)

    bandits.app.steering.jump(Camera(eye=(60, 120, 20), look_at=(60, 200, 0)))
    for _ in range(3):
        bandits.app.step(0.1)
    assert bandits.session.selected == ("unit", 2)
