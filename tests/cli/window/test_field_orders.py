"""Orders given on the field with the mouse: right click, drags, groups, routine orders."""

from __future__ import annotations

import numpy as np
import pytest
from panda3d.core import KeyboardButton, MouseButton

from emlia3d.battle.files.record import read_record
from emlia3d.battle.questions.routines import Routine
from emlia3d.force.facing import degrees_of
from emlia3d.view.orders.context_menu import BUTTON
from tests.cli.window.table import Sit, Table, pixels


def row_of(table: Table, name: str) -> int:
    return [unit.name for unit in table.app._setup.units].index(name)


def place_of(table: Table, unit: int) -> tuple[float, float]:
    units = table.app.viewer.state.units
    return float(units.value("x", unit)), float(units.value("y", unit))


def right_click(table: Table, x: float, y: float) -> None:
    table.hand.point(x, y)
    table.hand.hold(MouseButton.three())
    table.hand.let_go(MouseButton.three())


def drag(table: Table, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press, move in four steps, and let go."""
    table.hand.point(*start)
    table.hand.hold(MouseButton.one())
    for share in (0.25, 0.5, 0.75, 1.0):
        table.hand.point(*(np.array(start) * (1 - share) + np.array(end) * share))
    table.hand.let_go(MouseButton.one())


def foot(table: Table, unit: int) -> tuple[float, float]:
    """Where a unit is picked in the window."""
    name = table.app._setup.units[unit].name
    banner = next(each for each in table.app._showing.scene.banners if each.text == name)
    ground = table.app._showing.scene.terrain.height(banner.x_m, banner.y_m)
    spot = np.array([[banner.x_m, banner.y_m, ground + banner.lift_m + 0.8]])
    x, y = table.app._stage.project(spot)[0]
    return float(x), float(y)


def menu(table: Table) -> list[str]:
    card = table.app.viewer.status().context
    return [] if card is None else [text for _, text in card.rows]


def test_a_right_click_on_the_ground_lists_what_leads_there_and_a_click_does_it(
    table: Table,
) -> None:
    table.press("y")
    right_click(table, *pixels(table, (60.0, 10.0)))
    lines = menu(table)
    table.hand.click_button(f"{BUTTON}:{lines.index('move here')}")
    table.wait()

    assert "archers: advance to here, until changed" in lines
    assert len(lines) <= 9
    assert table.orders()[0] == "move"
    assert not menu(table)


def test_a_right_click_on_an_enemy_lists_the_attacks_on_it(table: Table) -> None:
    table.press("h")
    right_click(table, *foot(table, row_of(table, "raiders")))
    lines = menu(table)
    table.press("1")
    table.wait()

    assert "raiders" in lines[0]
    assert table.orders()[0] in {"aim", "fire"}


def test_a_right_drag_turns_the_camera_and_opens_nothing(table: Table) -> None:
    before = table.app.steering.camera
    table.hand.point(600, 300)
    table.hand.hold(MouseButton.three())
    table.hand.point(700, 300)
    table.hand.let_go(MouseButton.three())

    assert not menu(table)
    assert table.app.steering.camera != before


def test_escape_and_a_click_elsewhere_close_the_menu_of_a_right_click(table: Table) -> None:
    table.press("y")
    right_click(table, *pixels(table, (60.0, 10.0)))
    opened = menu(table)
    table.press("escape")
    closed = menu(table)
    right_click(table, *pixels(table, (60.0, 10.0)))
    again = menu(table)
    table.hand.click(480.0, 60.0)

    assert opened
    assert not closed
    assert again == opened
    assert not menu(table)


def test_a_drag_from_the_unit_moves_its_ghost_and_the_handle_turns_it(table: Table) -> None:
    table.press("y")
    unit = row_of(table, "archers")
    x, y = place_of(table, unit)
    look = table.app.steering.camera
    drag(table, foot(table, unit), pixels(table, (x + 3.0, y)))
    moved = table.entry.order
    assert moved is not None
    end = moved.legs[-1]
    handle = table.entry.hand.handle()
    assert handle is not None
    drag(table, pixels(table, handle), pixels(table, (end.x + 30.0, end.y)))
    turned = table.entry.order
    table.press("escape")
    drag(table, foot(table, unit), pixels(table, (x + 3.0, y)))
    table.press("enter")
    table.wait()

    assert table.app.steering.camera == look, "neither drag moves the field"
    assert moved.verb == "move"
    assert end.x > x + 2.0
    assert turned is not None
    assert abs(degrees_of(turned.legs[-1].facing) - 90) < 15
    assert table.orders()[0] == "move"


def test_a_drag_beside_units_moves_the_field(table: Table) -> None:
    table.press("y")
    look = table.app.steering.camera
    drag(table, pixels(table, (60.0, 6.0)), pixels(table, (64.0, 10.0)))

    assert table.app.steering.camera != look
    assert table.entry.order is None


def test_a_unit_holds_until_it_is_asked_about_again(sit: Sit) -> None:
    table = sit("bandits", 0, turns=4)
    table.wait()
    unit = row_of(table, "archers")
    table.press("y")
    right_click(table, *foot(table, unit))
    lines = menu(table)
    table.press(str(1 + lines.index("hold, until changed")))
    table.wait(lambda: not table.app.viewer.course.live or table.app.viewer.state.turn >= 2)

    lines = read_record(table.game_thread.game.path).lines
    given = {line.body["order"] for line in lines if line.body.get("side") == 0}
    assert given == {"done"}
    assert table.entry.sheet is None


def test_fire_at_will_shoots_each_turn_and_undo_ends_it(sit: Sit) -> None:
    table = sit("bandits", 0, turns=2)
    table.wait()
    unit = row_of(table, "archers")
    table.entry.give_routine((unit,), Routine(kind="fire"))
    table.wait(lambda: table.app.viewer.state.turn >= 2)
    shots = [verb for verb in table.orders() if verb in {"aim", "fire"}]
    table.entry.undo()
    table.wait(lambda: table.entry.sheet is not None)

    assert shots
    assert table.game_thread.routines[unit] is None


def test_a_group_keeps_its_intervals_as_it_advances(sit: Sit) -> None:
    table = sit("kings-road", 0, turns=2, fog=False)
    table.wait()
    table.press("y")
    state = table.app.viewer.state
    units = [
        row for row in range(len(state.units))
        if state.units.integer("side", row) == 0 and state.units.value("present", row)
    ][:2]  # fmt: skip
    for unit in units:
        table.hand.hold(KeyboardButton.shift())
        table.hand.click(*foot(table, unit))
        table.hand.let_go(KeyboardButton.shift())
    group = table.app.viewer.pointing.group
    before = [np.array(place_of(table, unit)) for unit in units]
    start = foot(table, units[0])
    drag(table, start, (start[0], start[1] - 60.0))
    goals = table.game_thread.routines.goals()

    assert list(group) == units
    assert sorted(goals) == units
    shift = [np.array(goals[unit]) - place for unit, place in zip(units, before, strict=True)]
    assert np.allclose(shift[0], shift[1])
    assert shift[0][1] > 1.0
    assert table.entry.hand.order is None


@pytest.mark.long
def test_a_routine_order_is_carried_out_in_every_system(sit: Sit) -> None:
    for name in ("crossroads", "kings-road", "shallows"):
        table = sit(name, 0, turns=2, fog=False)
        table.wait()
        state = table.app.viewer.state
        own = [row for row in range(len(state.units)) if state.units.integer("side", row) == 0]
        places = {unit: place_of(table, unit) for unit in own}
        for unit, (x, y) in places.items():
            table.entry.give_routine((unit,), Routine(kind="go", place=(x + 5.0, y + 20.0)))
        while table.app.viewer.state.turn < 2:
            table.wait(
                lambda table=table: (
                    table.app.viewer.state.turn >= 2 or table.entry.sheet is not None
                )
            )
            table.press("k")
        moved = [unit for unit in own if place_of(table, unit) != places[unit]]

        assert moved, name
