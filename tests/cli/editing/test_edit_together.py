"""Several things at once in the editor's window, units in tiles, and names that follow."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from emlia3d.field.hexes import board_of
from emlia3d.scenario import load
from emlia3d.scenario.checking import review
from tests.cli.editing.edit_hand import EditHand, Open


def places_of(hand: EditHand) -> list[tuple[float, float]]:
    return [(unit["at"][0], unit["at"][1]) for unit in hand.units]


def test_units_in_a_box_are_moved_together_and_keep_their_intervals(bandits: EditHand) -> None:
    before = places_of(bandits)
    with bandits.with_shift():
        bandits.drag((15, 70), (90, 38))
    assert bandits.session.selection.tables == (("unit", 1), ("unit", 2), ("area", 0))

    bandits.drag((26, 62), (30, 65))

    after = places_of(bandits)
    assert after[0] == before[0]
    assert np.subtract(after[1:], before[1:]) == pytest.approx(
        np.full((len(before) - 1, 2), [4, 3]), abs=0.6
    )
    assert bandits.edited.tables("area")[0]["circle"] == pytest.approx([64, 49, 12], abs=0.6)

    bandits.with_control("z")

    assert places_of(bandits) == before
    assert bandits.edited.is_saved


def test_clicks_with_shift_add_to_the_selection_and_take_away(bandits: EditHand) -> None:
    with bandits.with_shift():
        for place in ((26, 62), (60, 44), (60, 35)):
            bandits.at(place)
        assert bandits.session.selection.tables == (("unit", 2), ("unit", 1), ("terrain", 0))
        bandits.at((60, 44))

    assert bandits.session.selection.tables == (("unit", 2), ("terrain", 0))

    bandits.at((60, 35))

    assert bandits.session.selection.tables == (("terrain", 0),)


def test_a_group_is_turned_about_its_centre(bandits: EditHand) -> None:
    bandits.session.selection.set([("unit", 1), ("unit", 2)])
    bandits.app.step(0.1)
    (x, y), (u, v) = places_of(bandits)[1:3]
    facings = [unit["facing"] for unit in bandits.units[1:]]

    for _ in range(18):
        bandits.click_button("set:turn:1")

    # A quarter clockwise: what lay east of the centre lies south of it.
    east, north = (x - u) / 2, (y - v) / 2
    centre = (x + u) / 2, (y + v) / 2
    assert places_of(bandits)[1] == pytest.approx((centre[0] + north, centre[1] - east), abs=0.5)
    assert places_of(bandits)[2] == pytest.approx((centre[0] - north, centre[1] + east), abs=0.5)
    assert [unit["facing"] for unit in bandits.units[1:]] == [(each + 90) % 360 for each in facings]


def test_a_group_is_turned_by_the_handle_of_the_last_unit(bandits: EditHand) -> None:
    bandits.session.selection.set([("unit", 1), ("unit", 2)])
    handle = bandits.session.turn_handle(("unit", 2))
    before = places_of(bandits)
    assert handle is not None
    bandits.drag(handle, (handle[0] + 30, handle[1] + 20))

    after = places_of(bandits)
    apart = [np.hypot(*np.subtract(*each[1:3])) for each in (before, after)]
    assert after[1] != before[1]
    assert apart[1] == pytest.approx(apart[0], abs=0.1)


def test_a_group_is_copied_and_deleted_in_one_edit(bandits: EditHand) -> None:
    bandits.session.selection.set([("unit", 0), ("unit", 2), ("terrain", 0)])
    first = bandits.edited.text
    bandits.app.step(0.1)
    bandits.click_button("copy")

    assert bandits.session.selection.tables == (("terrain", 1), ("unit", 1), ("unit", 4))
    assert [unit["name"] for unit in bandits.units] == [
        "archers", "archers 2", "bandits", "raiders", "raiders 2",
    ]  # fmt: skip
    assert bandits.edited.tables("terrain")[1]["name"] == "rock 2"

    bandits.press("delete")

    assert [unit["name"] for unit in bandits.units] == ["archers", "bandits", "raiders"]
    bandits.with_control("z")
    bandits.with_control("z")
    assert bandits.edited.text == first


def test_the_ground_is_kept_while_units_move(open_window: Open, tmp_path: Path) -> None:
    hand = open_window()
    before = hand.session.position.setup.field.ground
    hand.session.edit(lambda: hand.edited.add("area", {"name": "a", "circle": [50, 50, 5]}))

    assert hand.session.position.setup.field.ground is before


@pytest.fixture
def tiled(open_window: Open, tmp_path: Path) -> EditHand:
    """A copy of the refinery, a field of tiles."""
    (tmp_path / "refinery.toml").write_bytes(load("refinery").path.read_bytes())
    hand = open_window("refinery.toml")
    hand.look_down()
    return hand


def test_units_of_a_field_of_tiles_go_from_tile_to_tile(tiled: EditHand) -> None:
    board = board_of(tiled.session.position.setup.field)
    unit = tiled.units[0]
    start = tuple(unit["at"])
    end = start[0] + 3.3, start[1] + 2.1
    tiled.session.press(start, 0, 0.3)
    tiled.session.release(end, moved=True)

    moved = tiled.session.scenario.tables("unit")[0]
    assert moved["tile"] == board.grid.tiles_at(end).tolist()
    assert moved["at"] == pytest.approx(board.grid.centres(moved["tile"]))
    assert not any("at" in unit for unit in tomllib.loads(tiled.edited.text)["unit"])
    assert not tiled.session.position.wrong

    facing = moved.get("facing", 30)
    tiled.session.selected = ("unit", 0)
    tiled.session.do("set:facing:1")

    assert tiled.units[0]["facing"] == (facing + 60) % 360
    tiled.session.selected = ("unit", 0)
    tiled.session.do("copy")
    assert not any("at" in unit for unit in tomllib.loads(tiled.edited.text)["unit"])
    assert tiled.units[1]["tile"] != tiled.units[0]["tile"]


def test_a_unit_is_placed_in_a_tile(tiled: EditHand) -> None:
    session = tiled.session
    session.tools.take("unit")
    east, north = session.position.setup.field.size
    place = east / 2 + 0.2, north / 2 + 0.1
    session.press(place, None, 0.3)
    session.release(place, moved=False)

    board = board_of(session.position.setup.field)
    placed = tiled.units[-1]
    assert placed["tile"] == board.grid.tiles_at(place).tolist()
    assert placed["facing"] % 60 == 30
    session.files.save()
    assert review(tiled.edited.path).diagnostics == ()


def test_a_new_name_is_changed_in_victory_conditions(bandits: EditHand) -> None:
    bandits.session.selected = ("unit", 2)
    bandits.app.step(0.1)
    bandits.click_button("rename:selected")
    for _ in "raiders":
        bandits.press("backspace")
    for letter in "riders":
        bandits.session.letter(letter)
    bandits.press("enter")

    assert bandits.units[2]["name"] == "riders"
    assert bandits.session.position.findings == ()
    assert "raiders" not in bandits.edited.text
