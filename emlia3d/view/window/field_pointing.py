"""The mouse on the field: selection, groups, the context menu, moves by dragging."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from emlia3d.battle.questions.options import Place
from emlia3d.battle.questions.order_kinds import OrderKind
from emlia3d.battle.questions.routines import ROUTINE_WORDS, Routine, RoutineKind
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import Arrow, Mark, TintedArea
from emlia3d.view.orders.context_menu import ContextCard, ContextLine, ContextMenu
from emlia3d.view.sight.sight_overlay import SightOverlay

if TYPE_CHECKING:
    from emlia3d.view.orders.game_thread import QuestionSheet
    from emlia3d.view.orders.order_entry import OrderEntry
    from emlia3d.view.window.viewer import Viewer

Grip = Literal["", "asked", "group", "handle"]
"""Object of a drag: nothing, the unit of the question, a group, the handle of a ghost."""

_NO_MARKS = SightOverlay(marks=(), active=frozenset())

_STAYING: tuple[tuple[RoutineKind, OrderKind], ...] = (
    ("hold", "prepare"), ("fire", "shoot"), ("lead", "lead"),
)  # fmt: skip
"""Routine orders without a target point, each with the kind of its icon."""

_MOST_ORDERS = 4
"""Maximum number of orders about the player's own unit with which routine orders are also shown."""

_LEAST_M, _WIDE_M = 0.5, 1.6


class FieldPointing:
    """The pointer over the field of one window.

    group : units of the player's side, selected with Shift, by row
    menu : the context menu
    """

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self.group: tuple[int, ...] = ()
        self.menu = ContextMenu()
        self._asked: QuestionSheet | None = None
        self._grip: Grip = ""
        self._held: tuple[int, ...] = ()
        self._start: Place = (0.0, 0.0)
        self._goal: Place | None = None
        self._drawn: tuple[object, SightOverlay] | None = None

    @property
    def _entry(self) -> OrderEntry | None:
        """The order entry of a player without another active tool; None without one."""
        viewer = self._viewer
        return viewer.entry if viewer.tool_in_hand == "orders" else None

    @property
    def _sheet(self) -> QuestionSheet | None:
        """The shown question."""
        return None if self._viewer.entry is None else self._viewer.entry.sheet

    def _owns(self, entry: OrderEntry, unit: int) -> bool:
        return self._viewer.state.units.integer("side", unit) == entry.side

    # Clicks

    def click(self, unit: int | None, place: Place | None) -> None:
        """Select a unit, or give the current order about a unit or point."""
        viewer, entry = self._viewer, self._viewer.entry
        self.group = ()
        if entry is None or entry.sheet is None or viewer.tool.active:
            viewer.select(unit)
        elif unit is not None:
            if not entry.touch(unit):
                viewer.selected = unit
        elif place is not None:
            entry.hand.point(viewer.tiles.meant(place))

    def click_more(self, unit: int | None) -> None:
        """Add a unit of the player's side to the group, or remove it."""
        entry = self._entry
        if unit is None or entry is None:
            return
        if self._owns(entry, unit):
            self.group = tuple(sorted({*self.group} ^ {unit}))
        else:
            self._viewer.say("select only units of your own side")

    def close(self) -> bool:
        """Close the menu, otherwise clear the group; return whether there was either."""
        if self.menu.close():
            return True
        had, self.group = bool(self.group), ()
        return had

    # The context menu

    def context(self, unit: int | None, place: Place | None, at: tuple[float, float]) -> None:
        """Open the context menu of a unit, or otherwise of a point.

        at : position of the click, pixels from the top left
        """
        self._asked = self._sheet
        title = "Here" if unit is None else self._viewer.setup.units[unit].name
        self.menu.open(title, self._lines(unit, place), at)

    def card(self) -> ContextCard | None:
        """Return the open menu; another question closes it."""
        if self._asked is not self._sheet:
            self.menu.close()
        return self.menu.card()

    def _lines(self, unit: int | None, place: Place | None) -> Iterator[ContextLine]:
        viewer, entry = self._viewer, self._entry
        if unit is not None:
            if entry is not None:
                yield from self._with_unit(entry, unit)
            if unit != viewer.selected:
                yield ContextLine(text="select it", kind="other", act=partial(viewer.select, unit))
        elif entry is not None and place is not None:
            yield from self._at_place(entry, viewer.tiles.meant(place))

    def _at_place(self, entry: OrderEntry, place: Place) -> Iterator[ContextLine]:
        """Yield the orders with a point: of the unit of the question, and of the group."""
        sheet, viewer = entry.sheet, self._viewer
        for verb in () if sheet is None else sheet.pointed:
            words = f"{verb.replace('-', ' ')} here"
            kind: OrderKind = "shoot" if "volley" in verb else "move"
            yield ContextLine(text=words, kind=kind, act=partial(_point, entry, verb, place))
        chosen = viewer.selected
        units = self.group or (() if chosen is None else (chosen,))
        if units and all(self._owns(entry, unit) for unit in units):
            words = f"{self._named(units)}: {ROUTINE_WORDS['go']}, until changed"
            places = [self._place(unit) for unit in units]
            middle = np.mean(places, axis=0)
            by = place[0] - float(middle[0]), place[1] - float(middle[1])
            act = partial(self._send, entry, units, by)
            yield ContextLine(text=words, kind="move", act=act)

    def _with_unit(self, entry: OrderEntry, unit: int) -> Iterator[ContextLine]:
        """Yield the orders about a unit; for a unit of the player, also routine orders."""
        own, sheet = self._owns(entry, unit), entry.sheet
        if sheet is not None and unit != sheet.unit:
            for row in entry.concerning(unit)[: _MOST_ORDERS if own else None]:
                act = partial(_give, entry, row)
                yield ContextLine(text=sheet.phrases[row], kind=sheet.kinds[row], act=act)
        if not own:
            return
        units = self.group if unit in self.group else (unit,)
        who = f"{len(units)} units: " if len(units) > 1 else ""
        for kind, icon in _STAYING:
            words = f"{who}{ROUTINE_WORDS[kind]}, until changed"
            act = partial(entry.give_routine, units, Routine(kind=kind))
            yield ContextLine(text=words, kind=icon, act=act)
        if any(entry.thread.routines[each] is not None for each in units):
            act = partial(entry.give_routine, units, None)
            yield ContextLine(text=f"{who}ask me again", kind="other", act=act)

    def _named(self, units: Collection[int]) -> str:
        if len(units) == 1:
            return self._viewer.setup.units[next(iter(units))].name
        return f"{len(units)} units"

    def _send(self, entry: OrderEntry, units: Collection[int], by: Place) -> None:
        """Order units to advance in formation, by this offset east and north, GSU."""
        wide, high = self._viewer.setup.field.size
        for unit in units:
            east, north = self._place(unit)
            goal = min(max(east + by[0], 0.0), wide), min(max(north + by[1], 0.0), high)
            place = self._viewer.tiles.meant(goal)
            entry.give_routine((unit,), Routine(kind="go", place=place))

    def _place(self, unit: int) -> Place:
        units = self._viewer.state.units
        return float(units.value("x", unit)), float(units.value("y", unit))

    # Drags

    def grab(self, unit: int | None, *, handle: bool) -> bool:
        """Begin a drag of a unit, or of the handle of the current move; return whether one began.

        The object is the unit of the question, the group if the unit is in it, or another own unit.
        """
        entry = self._entry
        self._grip, self._held, self._goal = "", (), None
        if entry is None:
            return False
        if unit is not None:
            self._start = self._place(unit)
        sheet = entry.sheet
        if handle:
            self._grip = "handle"
        elif unit is None or not self._owns(entry, unit):
            return False
        elif unit in self.group:
            self._grip, self._held = "group", self.group
        elif sheet is not None and unit == sheet.unit and sheet.pointed:
            self._grip, self._held = "asked", (unit,)
        else:
            self._grip, self._held = "group", (unit,)
        return True

    def drag(self, place: Place | None) -> None:
        """Move the dragged object to a point on the ground, GSU; None for a point off it."""
        if place is not None:
            self._goal = place

    def drop(self) -> None:
        """End the drag: the unit of the question gets the current order, others a routine order.

        The path is computed now, because this can take longer than a frame.
        """
        entry, goal = self._entry, self._goal
        grip, held, start = self._grip, self._held, self._start
        self._grip, self._held, self._goal = "", (), None
        if entry is None or goal is None:
            return
        if grip == "group":
            self._send(entry, held, (goal[0] - start[0], goal[1] - start[1]))
        elif grip == "handle":
            entry.hand.face_towards(goal)
        else:
            entry.hand.point(self._viewer.tiles.meant(goal))

    # The overlay

    def sight_overlay(self, shown: SightOverlay | None) -> SightOverlay | None:
        """Return an overlay with the group, the dragged object, and the goals of routine orders."""
        viewer = self._viewer
        goals = {} if viewer.entry is None else self._goals(viewer.entry)
        if not (self.group or goals or self._goal):
            return shown
        moment = viewer.course.step, viewer.course.version, viewer.course.in_fog_of
        key = shown, self.group, self._held, self._goal, tuple(goals.items()), moment
        if self._drawn is None or self._drawn[0] != key:
            base = _NO_MARKS if shown is None else shown
            marks = *base.marks, *self._marks(goals)
            active = base.active | {*self.group, *self._held}
            self._drawn = key, replace(base, marks=marks, active=active)
        return self._drawn[1]

    def _goals(self, entry: OrderEntry) -> dict[int, Place]:
        """Return the goals of the units of the player, GSU."""
        goals = entry.thread.routines.goals()
        return {unit: goal for unit, goal in goals.items() if self._owns(entry, unit)}

    def _marks(self, goals: dict[int, Place]) -> Iterator[Mark]:
        """Yield the blocks of the group, the paths to *goals*, and the ghosts of dragged units."""
        setup, state = self._viewer.setup, self._viewer.state
        for unit in self.group:
            yield TintedArea(outline_m=block_m(setup, state, unit), tone="order")
        metres = setup.field.scale.metres_per_gsu
        for unit, goal in goals.items():
            if not state.units.value("present", unit):
                continue
            path_m = np.array([self._place(unit), goal]) * metres
            if float(np.hypot(*(path_m[1] - path_m[0]))) >= _LEAST_M:
                yield Arrow(path_m=path_m, tone="neutral", width_m=_WIDE_M)
        if self._goal is not None:
            yield from self._ghosts(self._goal)

    def _ghosts(self, goal: Place) -> Iterator[Mark]:
        """Yield the blocks of units dragged to a point, before their path is known."""
        setup, state, entry = self._viewer.setup, self._viewer.state, self._entry
        if self._grip == "handle" and entry is not None:
            yield from entry.hand.turned(goal)
            return
        by_m = np.subtract(goal, self._start) * setup.field.scale.metres_per_gsu
        for unit in self._held:
            yield TintedArea(outline_m=block_m(setup, state, unit) + by_m, tone="order")


def _point(entry: OrderEntry, verb: str, place: Place) -> None:
    """Give the order with a point; if it is refused, keep it as current, with the reason."""
    entry.hand.point_with(verb, place)
    entry.give()


def _give(entry: OrderEntry, row: int) -> None:
    """Give an order of the question by its row; if it is refused, keep it as current."""
    entry.take(row)
    entry.give()
