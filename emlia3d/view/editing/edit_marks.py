"""The marks of the editor on the ground: the selection, handles, drags, areas and errors."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.editing.edit_drag import place_of
from emlia3d.view.editing.edit_session import EditSession
from emlia3d.view.editing.edit_shapes import handles_of, outline_of_table
from emlia3d.view.editing.edited_scenario import Place, TableRef
from emlia3d.view.moment.scene import Arrow, Mark, Ring, TintedArea, Tone

HANDLE_PX, MIDDLE_PX = 6.0, 3.5
"""Radii of handles, pixels."""
WRONG_PX = 16.0
LEAST_MARK_M = 0.2


def edit_marks(session: EditSession, metre_px: float) -> tuple[Mark, ...]:
    """Return the marks of the session.

    metre_px : pixels per metre at the target of the camera, for handles
    """
    return tuple(_Marks(session, max(metre_px, 1e-6)).all())


class _Marks:
    """Builder of the marks of a session."""

    def __init__(self, session: EditSession, metre_px: float) -> None:
        self._session = session
        self._metre_px = metre_px
        field = session.position.setup.field
        self._size, self._metres = field.size, field.scale.metres_per_gsu

    def all(self) -> Iterator[Mark]:
        """Yield all marks, from bottom to top."""
        session = self._session
        for row in range(len(session.scenario.tables("area"))):
            ref = ("area", row)
            if ref not in {*session.selection.tables, *session.position.wrong}:
                yield from self._outlines(ref, "neutral")
        for ref in sorted(session.position.wrong):
            yield from self._wrong(ref)
        yield from self._selected()
        yield from self._tool()

    def _outlines(self, ref: TableRef, tone: Tone) -> Iterator[Mark]:
        """Yield the outlines of a table."""
        outlines = self._session.position.footprints.get(ref, ())
        if ref[0] != "unit":
            outline = outline_of_table(self._session.table(ref), self._size)
            outlines = () if outline is None else (outline,)
        for each in outlines:
            yield self._tinted(each, tone)

    def _wrong(self, ref: TableRef) -> Iterator[Mark]:
        yield from self._outlines(ref, "melee")
        at = place_of(self._session.table(ref)) if ref[0] == "unit" else None
        if at is not None:
            yield self._ring(at, WRONG_PX, "melee")

    def _selected(self) -> Iterator[Mark]:
        """Yield the marks of the selection, or of the selection after the current drag."""
        session = self._session
        drag, cursor = session.drag, session.cursor
        if drag is not None and cursor is not None:
            for outline in drag.ghost(cursor, self._size):
                yield self._tinted(outline, "order")
            if drag.kind == "turn":
                yield from self._arrow([drag.centre, cursor])
            return
        for ref in session.selection.tables:
            yield from self._outlines(ref, "order")
        if session.selected is not None:
            yield from self._handles(session.selected)
        if session.box_from is not None and cursor is not None:
            (x, y), (u, v) = session.box_from, cursor
            if x != u and y != v:
                yield self._tinted(np.array([(x, y), (u, y), (u, v), (x, v)], np.float64), "order")

    def _handles(self, ref: TableRef) -> Iterator[Mark]:
        """Yield the handles of the object that was selected last."""
        session = self._session
        turn = session.turn_handle(ref)
        if turn is not None:
            at = place_of(session.table(ref))
            if at is not None:
                yield from self._arrow([at, turn])
            yield self._ring(turn, HANDLE_PX, "order")
            return
        if ref[0] == "unit" or session.tools.tool != "select" or session.selection.is_group:
            return
        values = session.table(ref)
        corners = len(values.get("outline") or values.get("path") or (0, 0))
        for number, place in enumerate(handles_of(values)):
            yield self._ring(place, HANDLE_PX if number < corners else MIDDLE_PX, "order")

    def _tool(self) -> Iterator[Mark]:
        """Yield the marks of the active tool."""
        session, tools = self._session, self._session.tools
        cursor, pressed = session.cursor, session.pressed
        for place in tools.drawn:
            yield self._ring(place, HANDLE_PX, "order")
        ends = [cursor] if cursor is not None and tools.drawn else []
        if tools.drawn and len(tools.drawn) + len(ends) >= 2:
            yield from self._arrow([*tools.drawn, *ends])
        if cursor is None:
            return
        if tools.tool == "ground":
            yield Ring(x_m=cursor[0] * self._metres, y_m=cursor[1] * self._metres,
                       radius_m=tools.radius * self._metres, tone="order")  # fmt: skip
        elif pressed is not None and tools.tool == "unit":
            yield from self._arrow([pressed, cursor])
            yield self._ring(pressed, HANDLE_PX, "order")
        elif pressed is not None:
            radius = max(math.dist(pressed, cursor), 0.1) * self._metres
            yield Ring(x_m=pressed[0] * self._metres, y_m=pressed[1] * self._metres,
                       radius_m=radius, tone="order")  # fmt: skip

    def _tinted(self, outline: NDArray[np.float64], tone: Tone) -> TintedArea:
        return TintedArea(outline_m=outline * self._metres, tone=tone)

    def _ring(self, place: Place, radius_px: float, tone: Tone) -> Ring:
        return Ring(x_m=place[0] * self._metres, y_m=place[1] * self._metres,
                    radius_m=radius_px / self._metre_px, tone=tone)  # fmt: skip

    def _arrow(self, places: list[Place]) -> Iterator[Mark]:
        """Yield an arrow along points; none if it has no length."""
        path = np.array(places, np.float64) * self._metres
        apart = np.hypot(*np.diff(path, axis=0).T)
        keep = np.concatenate([[True], apart > LEAST_MARK_M])
        if keep.sum() >= 2:
            yield Arrow(path_m=path[keep], tone="order", width_m=4.0 / self._metre_px)
