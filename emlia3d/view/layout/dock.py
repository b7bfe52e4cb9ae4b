"""Docks for panes at the left and right, so that the centre stays free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.view.layout.drafting import Draft
from emlia3d.view.layout.pane import Pane, arranged, draw_pane, pane_height

GAP = 10
"""Distance of panes from each other and from the edges, design pixels."""

LEFT, RIGHT = 0.36, 0.30
"""Maximum width of a pane at the left and at the right, relative to the window."""


def left_width(sheet: Draft, design: float) -> float:
    """Return the width of a pane at the left that is *design* design pixels wide, pixels."""
    return min(float(sheet.px(design)), LEFT * sheet.width)


def right_width(sheet: Draft, design: float) -> float:
    """Return the width of a pane at the right that is *design* design pixels wide, pixels."""
    return min(float(sheet.px(design)), RIGHT * sheet.width)


@dataclass(frozen=True, slots=True)
class Dock:
    """One side of the window between the bars.

    right : whether it is the right side
    top, floor : its upper and lower edge, pixels
    """

    right: bool
    top: float
    floor: float

    def draw(self, sheet: Draft, upper: Sequence[Pane], lower: Sequence[Pane] = ()) -> float:
        """Draw panes from the top downwards, and others from the floor upwards.

        upper, lower : each from top to bottom
        Returns the upper edge of the lower panes, or the floor without any.
        If there is too little space, short panes stay complete and long ones share the rest.
        """
        panes, gap = [*upper, *lower], sheet.px(GAP)
        room = self.floor - self.top - gap * (len(panes) + 1)
        heights = shared(
            [pane_height(sheet, pane) for pane in panes],
            [pane.least(sheet) for pane in panes],
            room,
        )
        rows = [arranged(sheet, pane, high) for pane, high in zip(panes, heights, strict=True)]
        y = self.top + gap
        for pane, shown in zip(upper, rows, strict=False):
            draw_pane(sheet, pane, self._x(sheet, pane), y, shown)
            y += shown.height + gap if shown.height else 0
        y = self.floor
        for pane, shown in reversed([*zip(lower, rows[len(upper) :], strict=True)]):
            if shown.height:
                y -= shown.height + gap
                draw_pane(sheet, pane, self._x(sheet, pane), y, shown)
        return y

    def _x(self, sheet: Draft, pane: Pane) -> float:
        gap = sheet.px(GAP)
        return sheet.width - gap - pane.width if self.right else float(gap)


def shared(wanted: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """Return the heights of panes in a limited space, pixels.

    Panes that need less than an equal part get what they need. The others share the rest equally. A
    pane without its minimum height gets none, starting with the last one.
    """
    there = list(range(len(wanted)))
    while there:
        given = dict.fromkeys(there, 0.0)
        left, waiting = room, sorted(there, key=lambda at: wanted[at])
        while waiting:
            part = left / len(waiting)
            at = waiting.pop(0)
            given[at] = min(wanted[at], part)
            left -= given[at]
        starved = [at for at in there if given[at] < least[at]]
        if not starved:
            return [given.get(at, 0.0) for at in range(len(wanted))]
        there.remove(starved[-1])
    return [0.0] * len(wanted)
