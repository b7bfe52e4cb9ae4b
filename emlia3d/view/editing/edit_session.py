"""The editor: a scenario, the active tool, the selection, and the actions of mouse and keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from emlia3d.errors import Error
from emlia3d.view.editing.edit_drag import (
    Dragged,
    DragKind,
    EditDrag,
    Steps,
    facing_of,
    place_of,
)
from emlia3d.view.editing.edit_files import EditFiles
from emlia3d.view.editing.edit_selection import EditSelection, inside_box
from emlia3d.view.editing.edit_shapes import (
    bearing,
    handles_of,
    holds,
    outline_of_table,
    shape_key,
)
from emlia3d.view.editing.edit_sight import EditSight
from emlia3d.view.editing.edit_table_actions import TableActions
from emlia3d.view.editing.edit_tools import EditTools
from emlia3d.view.editing.edited_scenario import EditedScenario, Place, TableRef

NOTICE_S = 4.0
REST_S = 0.15
"""Time for which the cursor must rest before a dragged object is evaluated, seconds."""
HANDLE_AHEAD = 6.0
"""Minimum distance of the handle for turning ahead of a unit's centre, GSU."""
HANDLE_SIZES = 2.5
"""Minimum distance of that handle in sizes of a handle, so that it is not on the unit."""
LEAST_RADIUS = 1.0
USUAL_RADIUS = 10.0


class EditSession:
    """A scenario in the editor's window.

    scenario : the text, its review and its file; position : the part that can be shown
    tools : the active tool; sight : the sight question about two units
    selection : the selected tables; drag : in progress; box_from : corner of a selection rectangle,
        GSU
    files : saving and playing; notice, alarm : a message, an error; "" for none
    scrolled : the first row shown of each pane that was scrolled
    cursor : the point under it; pressed : the point where the button was pressed; GSU
    slack : tolerance for hits of a handle; handle_gsu : tolerance in the centre of the picture; GSU
    """

    def __init__(self, scenario: EditedScenario) -> None:
        self.scenario = scenario
        self.tools = EditTools()
        self.files = EditFiles(scenario)
        self.position = scenario.position()
        self.sight = EditSight(self.position)
        self.actions = TableActions(self)
        self.selection = EditSelection()
        self.box_from: Place | None = None
        self.drag: EditDrag | None = None
        self.cursor: Place | None = None
        self.pressed: Place | None = None
        self.slack = self.handle_gsu = 1.0
        self.scrolled: dict[str, int] = {}
        self.notice = self.alarm = ""
        self._notice_left_s = self._rest_s = 0.0

    @property
    def selected(self) -> TableRef | None:
        """The table that was selected last; assign it to select only that table."""
        return self.selection.last

    @selected.setter
    def selected(self, ref: TableRef | None) -> None:
        self.selection.set(() if ref is None else (ref,))

    @property
    def steps(self) -> Steps:
        """The positions and facings that units can have: any, or only on tiles."""
        place = self.scenario.place_for_unit
        return Steps(place, 30.0, 60.0) if self.scenario.has_tiles else Steps(place)

    def table(self, ref: TableRef) -> Mapping[str, Any]:
        """Return the data of a table; empty if there is none."""
        tables = self.scenario.tables(ref[0])
        return tables[ref[1]] if ref[1] < len(tables) else {}

    def say(self, notice: str) -> None:
        """Show a message for a short time."""
        self.notice, self._notice_left_s = notice, NOTICE_S

    def edit(self, change: Callable[[], object]) -> bool:
        """Make an edit; return whether it succeeded. If not, show the error and keep the text."""
        try:
            change()
        except Error as fault:
            self.alarm = str(fault)
            return False
        self.alarm = ""
        self._follow_text()
        return True

    def _follow_text(self) -> None:
        """Review and show the current text."""
        self.position = self.scenario.position()
        self.sight.follow(self.position)
        self.selection.set(filter(self.table, self.selection.tables))

    def tick(self, dt: float) -> None:
        """Advance by *dt* seconds."""
        self.files.tick(dt)
        if self.files.notice:
            self.say(self.files.notice)
            self.files.notice = ""
        if self.files.alarm:
            self.alarm, self.files.alarm = self.files.alarm, ""
        self._notice_left_s -= dt
        if self._notice_left_s <= 0:
            self.notice = ""
        if self.drag is not None and self.cursor is not None and self.sight.chosen:
            self._rest_s += dt
            if self._rest_s >= REST_S:
                self._rest_s = -math.inf
                self.sight.try_out(self.scenario.position_if(self.drag.changes(self.cursor)))

    # Mouse

    def press(
        self, place: Place | None, unit: int | None, slack: float, *, more: bool = False
    ) -> bool:
        """Press the left button on the field; return whether a tool uses the drag.

        more : whether to add to the selection, singly or with a rectangle
        unit : the row of the unit under the cursor
        slack : tolerance for hits of a handle, GSU
        """
        self.cursor = place
        self.slack = slack
        if place is None:
            return False
        tool = self.tools.tool
        if tool == "select" and more:
            self.box_from = place
            return True
        if tool == "select":
            return self._take_hold(place, unit)
        if tool == "unit" or (tool in {"terrain", "area"} and self.tools.shape == "circle"):
            self.pressed = place
            return True
        return False

    def _take_hold(self, place: Place, unit: int | None) -> bool:
        """Begin to drag a handle, the selected object, or a unit."""
        ref = None if unit is None else self.position.units[unit]
        if self.selected is not None:
            handle = self._handle_at(self.selected, place)
            if handle is not None:
                kind: DragKind = "turn" if self.selected[0] == "unit" else "handle"
                self._begin_drag(kind, place, handle)
                return True
            if any(self._is_over(each, place) for each in self.selection.tables):
                self._begin_drag("move", place)
                return True
        if ref is None:
            ref = self._unit_at(place)
        if ref is None:
            return False
        self.selected = ref
        self._begin_drag("move", place)
        return True

    def _begin_drag(self, kind: DragKind, place: Place, handle: int = 0) -> None:
        things = tuple(
            Dragged(table=ref, before=self.table(ref),
                    footprints=self.position.footprints.get(ref, ()))
            for ref in self.selection.tables
        )  # fmt: skip
        self.drag = EditDrag(
            kind=kind, things=things, start=place, handle=handle, slack=self.slack,
            steps=self.steps,
        )  # fmt: skip

    def move(self, place: Place | None) -> None:
        """Move the cursor to a point of the ground; None if it is off the ground."""
        if place != self.cursor:
            self._rest_s = 0.0
        self.cursor = place

    def release(self, place: Place | None, *, moved: bool, unit: int | None = None) -> None:
        """Release the left button.

        moved : whether the cursor has moved since it was pressed
        unit : the row of the unit under the cursor
        """
        place = self.cursor if place is None else place
        drag, pressed, corner = self.drag, self.pressed, self.box_from
        self.drag = self.pressed = self.box_from = None
        self.sight.try_out(None)
        if place is None:
            return
        if drag is not None:
            if moved:
                self.edit(lambda: self.scenario.change_all(drag.changes(place)))
            elif self.selection.is_group:
                self.selected = self._thing_at(place)
        elif corner is not None:
            self._select_more(corner, place, moved, unit)
        elif pressed is not None:
            self._release_tool(pressed, place, moved)
        elif not moved:
            self._click(place, unit)

    def _select_more(self, corner: Place, place: Place, moved: bool, unit: int | None) -> None:
        """Add the object at a point to the selection, or all objects in a rectangle."""
        if moved:
            size = self.position.setup.field.size
            inside = inside_box(self.scenario.tables, (corner, place), size)
            self.selection.set([*self.selection.tables, *inside])
            return
        ref = None if unit is None else self.position.units[unit]
        ref = self._thing_at(place) if ref is None else ref
        if ref is not None:
            self.selection.switch(ref)

    def _release_tool(self, pressed: Place, place: Place, moved: bool) -> None:
        if self.tools.tool == "unit":
            self.actions.place_unit(pressed, bearing(pressed, place) if moved else None)
            return
        radius = math.dist(pressed, place) if moved else USUAL_RADIUS
        self.actions.add_shape({"circle": [*pressed, max(radius, LEAST_RADIUS)]})

    def _click(self, place: Place, unit: int | None) -> None:
        tool = self.tools.tool
        if tool == "select":
            self.selected = self._thing_at(place)
        elif tool == "sight" and unit is not None:
            self.sight.pick(unit)
        elif tool == "ground":
            tools = self.tools
            self.edit(lambda: self.scenario.raise_ground(place, tools.radius, tools.height_m))
        elif tool in {"terrain", "area"}:
            self._draw(place)

    def _draw(self, place: Place) -> None:
        """Add a corner, or finish the shape at its first or last corner."""
        drawn = self.tools.drawn
        closed = self.tools.shape == "outline" and len(drawn) >= 3
        ends = [drawn[0]] if closed else []
        ends += drawn[-1:]
        if any(math.dist(end, place) <= self.slack for end in ends):
            self.finish()
        else:
            drawn.append(place)

    def finish(self) -> None:
        """Add the shape that was drawn."""
        drawn, shape = self.tools.drawn, self.tools.shape
        if not drawn:
            return
        least = 3 if shape == "outline" else 2
        if len(drawn) < least:
            self.say(f"it needs at least {least} corners")
            return
        width = {"width": self.tools.width} if shape == "path" else {}
        if self.actions.add_shape({shape: [list(corner) for corner in drawn], **width}):
            self.tools.drawn = []

    # Objects at a point

    def turn_handle(self, ref: TableRef) -> Place | None:
        """Return the position of the handle for turning a unit, GSU; None if it has none."""
        values = self.table(ref)
        at = place_of(values)
        if at is None or ref[0] != "unit" or "outline" in values:
            return None
        outlines = self.position.footprints.get(ref, ())
        reach = max((math.dist(at, corner) for ring in outlines for corner in ring), default=0.0)
        angle = math.radians(facing_of(values))
        far = max(reach * 1.15, HANDLE_AHEAD, HANDLE_SIZES * self.handle_gsu)
        return at[0] + far * math.sin(angle), at[1] + far * math.cos(angle)

    def place_of_selected(self) -> Place | None:
        """Return the centre of the selected object, GSU; None if it has no valid position."""
        if self.selected is None:
            return None
        values = self.table(self.selected)
        outline = outline_of_table(values, self.position.setup.field.size)
        if self.selected[0] == "unit" or outline is None:
            return place_of(values)
        low, high = outline.min(axis=0), outline.max(axis=0)
        return float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2

    def _handle_at(self, ref: TableRef, place: Place) -> int | None:
        turn = self.turn_handle(ref)
        handles = [turn] if turn is not None else handles_of(self.table(ref))
        if turn is None and (ref[0] == "unit" or self.selection.is_group):
            return None
        near = [
            (math.dist(handle, place), number)
            for number, handle in enumerate(handles)
            if math.dist(handle, place) <= self.slack
        ]
        return min(near)[1] if near else None

    def _is_over(self, ref: TableRef, place: Place) -> bool:
        if ref[0] == "unit":
            outlines = self.position.footprints.get(ref, ())
            at = place_of(self.table(ref))
            near = at is not None and math.dist(at, place) <= self.slack
            return near or any(holds(outline, place, self.slack) for outline in outlines)
        values = self.table(ref)
        if shape_key(values) is None:
            return False
        outline = outline_of_table(values, self.position.setup.field.size)
        return outline is not None and holds(outline, place, self.slack)

    def _unit_at(self, place: Place) -> TableRef | None:
        for row in range(len(self.scenario.tables("unit"))):
            if self._is_over(("unit", row), place):
                return "unit", row
        return None

    def _thing_at(self, place: Place) -> TableRef | None:
        """Return the unit at a point, or else the smallest feature or area."""
        unit = self._unit_at(place)
        if unit is not None:
            return unit
        found = []
        for kind in ("terrain", "area"):
            for row, values in enumerate(self.scenario.tables(kind)):
                outline = outline_of_table(values, self.position.setup.field.size)
                if outline is not None and holds(outline, place, self.slack / 2):
                    low, high = outline.min(axis=0), outline.max(axis=0)
                    found.append((float((high - low).prod()), (kind, row)))
        return min(found)[1] if found else None

    # Keys and buttons

    def letter(self, letter: str) -> None:
        """Type a letter of a name."""
        self.files.letter(letter)

    def do(self, action: str) -> bool:
        """Carry out an action of a key or a button; return whether the editor has it."""
        kind, _, what = action.partition(":")
        if kind == "tool":
            self.tools.take(what)
        elif kind == "scroll":
            first, _, pane = what.partition(":")
            self.scrolled[pane] = int(first)
        elif kind == "prompt":
            self.files.key(what)
        elif action in {"undo", "redo"}:
            self._step(action)
        elif action == "save":
            self.files.save()
        elif action == "save_as":
            self.files.save_as()
        elif action == "play":
            self.files.begin_play()
        elif action == "finish":
            self.finish()
        elif action == "drop":
            self._drop()
        else:
            return self.actions.do(action)
        return True

    def _step(self, action: str) -> None:
        if self.tools.drawn and action == "undo":
            self.tools.drawn.pop()
            return
        done = self.scenario.undo() if action == "undo" else self.scenario.redo()
        self._follow_text()
        if not done:
            self.say(f"nothing to {action}")

    def _drop(self) -> None:
        """Close the first of: alarm, drag, unfinished shape, selection, tool."""
        if self.alarm:
            self.alarm = ""
        elif self.drag or self.pressed or self.box_from:
            self.drag = self.pressed = self.box_from = None
            self.sight.try_out(None)
        elif self.tools.drawn:
            self.tools.drawn = []
        elif self.selected is not None:
            self.selected = None
        else:
            self.tools.take("select")
