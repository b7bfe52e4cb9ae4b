"""The selected order, which pointing at the ground completes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.questions.options import Place, refusal_of
from emlia3d.battle.setup import Setup
from emlia3d.force.facing import FULL_CIRCLE, facing_towards, unit_vector
from emlia3d.view.moment.scene import Mark, TintedArea, Tone
from emlia3d.view.orders.background_odds import BackgroundOdds
from emlia3d.view.orders.game_thread import QuestionSheet
from emlia3d.view.orders.order_preview import ghost_m, handle_marks, sight_overlay_of
from emlia3d.view.sight.sight_overlay import SightOverlay

STEP = 15 * 64
"""Angle of a key press for the facing at the end of a move, 64ths of a degree."""

SIXTH = FULL_CIRCLE // 6
"""That angle on a field of tiles, where units face neighbouring tiles."""

HANDLE_M = 3.0
"""Minimum distance of the handle from the front of a unit, metres."""


class OrderInHand:
    """The selected order of one question.

    sheet : the question; None without one
    order : the order; None if none is selected
    refusal : why it is illegal; "" if it is legal
    verb : of orders to a point on the ground; "" if the question has none
    """

    def __init__(self, setup: Setup, background_odds: BackgroundOdds) -> None:
        self._setup, self._background_odds = setup, background_odds
        self.sheet: QuestionSheet | None = None
        self.order: Order | None = None
        self.refusal = ""
        self.verb = ""
        self._place: Place | None = None
        self._facing: int | None = None
        self._sight_overlay: SightOverlay | None = None
        self._reach: tuple[Place, ...] = ()

    def begin(self, sheet: QuestionSheet | None) -> None:
        """Start with a question or none, without a selected order."""
        self.sheet = sheet
        self.verb = "" if sheet is None else next(iter(sheet.pointed), "")
        self.drop()

    def drop(self) -> None:
        """Clear the selection."""
        self.order, self.refusal = None, ""
        self._place, self._facing = None, None
        self._sight_overlay = None

    def take(self, order: Order) -> None:
        """Select an order without a point."""
        self.drop()
        self._hold(order)

    def _hold(self, order: Order) -> None:
        assert self.sheet is not None
        self.order, self._sight_overlay = order, None
        self.refusal = refusal_of(self.sheet.question.decision, order) or ""

    # Pointing

    def next_verb(self) -> None:
        """Use another kind of order for the same point."""
        if self.sheet is not None and self.sheet.pointed:
            verbs = self.sheet.pointed
            at = verbs.index(self.verb) if self.verb in verbs else -1
            self.point_with(verbs[(at + 1) % len(verbs)], self._place)

    def point_with(self, verb: str, place: Place | None) -> None:
        """Select the order with a verb to a point, GSU; None for no point yet."""
        self.verb = verb
        self.drop()
        if place is not None:
            self.point(place)

    def point(self, place: Place) -> None:
        """Select the order to a point on the ground, GSU."""
        sheet = self.sheet
        if sheet is None or not self.verb:
            return
        system, asked = sheet.question.battle.system, sheet.question
        self._place = place
        order = system.order_to(asked.battle, asked.decision, self.verb, place, self._facing)
        if order is None:
            self.order, self._sight_overlay = None, None
            self.refusal = "no path leads there"
        else:
            self._hold(order)

    @property
    def turning(self) -> str:
        """The effect of the keys for facing, in words; "" if the order has no facing."""
        if not self._has_tiles:
            return "turn at the end"
        return "" if self._end() is None else "turn by a sixth"

    @property
    def _has_tiles(self) -> bool:
        return self._setup.field.cells == "hexes"

    def _facing_near(self, facing: int) -> int:
        """Return the nearest facing that a unit can have, 64ths of a degree."""
        if not self._has_tiles:
            return facing % FULL_CIRCLE
        first = SIXTH // 2
        return (round((facing - first) / SIXTH) * SIXTH + first) % FULL_CIRCLE

    def turn(self, steps: int) -> None:
        """Turn the unit at the end of its move, clockwise for a positive number."""
        sheet = self.sheet
        if sheet is None or self.verb not in sheet.pointed:
            return
        units = sheet.question.battle.state.units
        row = sheet.unit
        assert row is not None, "a pointed order concerns a unit"
        legs = () if self.order is None else self.order.legs
        facing = legs[-1].facing if legs else units.integer("facing", row)
        self._facing = self._facing_near(facing + steps * (SIXTH if self._has_tiles else STEP))
        here = float(units.value("x", row)), float(units.value("y", row))
        self.point(here if self._place is None else self._place)

    def face_towards(self, place: Place) -> None:
        """Turn the unit at the end of its move towards a point, GSU."""
        end = self._end()
        if end is not None:
            facing = facing_towards(place[0] - end.x, place[1] - end.y)
            self._facing = self._facing_near(facing)
            self.point((end.x, end.y) if self._place is None else self._place)

    def turned(self, place: Place) -> Iterator[Mark]:
        """Yield the unit's block and handle at the end of its move if it faced a point, GSU."""
        end = self._end()
        if end is not None:
            facing = self._facing_near(facing_towards(place[0] - end.x, place[1] - end.y))
            yield from self._ghost(replace(end, facing=facing), "order")

    def _ghost(self, end: Leg, tone: Tone) -> Iterator[Mark]:
        """Yield the unit's block at the end of a move, with its handle."""
        assert self.sheet is not None
        assert self.sheet.unit is not None
        outline_m = ghost_m(self._setup, self.sheet.scene.state, self.sheet.unit, (end,))
        yield TintedArea(outline_m=outline_m, tone=tone)
        yield from handle_marks(self._setup, (end.x, end.y), self._handle_of(end), tone)

    def _end(self) -> Leg | None:
        """Return the end of the selected move."""
        sheet, order = self.sheet, self.order
        if sheet is None or order is None or order.unit != sheet.unit or not order.legs:
            return None
        return order.legs[-1] if order.verb in sheet.pointed else None

    def handle(self) -> Place | None:
        """Return the position of the handle for the facing at the end of a move, GSU.

        None without a selected move.
        """
        end = self._end()
        return None if end is None else self._handle_of(end)

    def _handle_of(self, end: Leg) -> Place:
        """Return the position of the handle for the end of a move, GSU."""
        assert self.sheet is not None
        assert self.sheet.unit is not None
        east, north = unit_vector(end.facing)
        corners = ghost_m(self._setup, self.sheet.scene.state, self.sheet.unit, (end,))
        wide_m = float(np.hypot(*(corners[0] - corners[1])))
        away = max(wide_m / 3, HANDLE_M) / self._setup.field.scale.metres_per_gsu
        return end.x + away * east, end.y + away * north

    # The overlay

    def sight_overlay(self) -> SightOverlay | None:
        """Return the overlay on the ground: reach, path, end and handle of the order."""
        sheet = self.sheet
        if sheet is None:
            return None
        reach = self._background_odds.reach(sheet, self.verb) if self.verb else ()
        if self._sight_overlay is None or reach is not self._reach:
            self._reach = reach
            state, units = sheet.question.battle.state, _units_of(sheet)
            sight_overlay = sight_overlay_of(
                self._setup, state, units, reach, self.order, bool(self.refusal)
            )
            end, handle = self._end(), self.handle()
            if end is not None and handle is not None:
                tone: Tone = "warning" if self.refusal else "order"
                grip = handle_marks(self._setup, (end.x, end.y), handle, tone)
                sight_overlay = replace(sight_overlay, marks=(*sight_overlay.marks, *grip))
            self._sight_overlay = sight_overlay
        return self._sight_overlay


def _units_of(sheet: QuestionSheet) -> set[int]:
    """Return the unit of the question, or all units from which to choose."""
    if sheet.unit is not None:
        return {sheet.unit}
    return {unit for order in sheet.orders for unit in order.actors}
