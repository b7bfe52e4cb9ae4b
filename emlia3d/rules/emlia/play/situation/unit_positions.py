"""Positions of all units in columns, for questions about many units at once.

The position of one unit is in `emlia3d.rules.emlia.play.situation.situation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.derived import Rows
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.situation.situation import SITUATION, situation_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from emlia3d.battle.moment import Moment

    Floats = NDArray[np.float64]


_BEGUN = 2.0
"""GSU that may be farther apart than the cells between them are many."""


class UnitPositions:
    """The positions of all units, a row each, computed again for units that moved.

    boxes : (units, 4) float64, GSU, west, south, east and north of the boundary; NaN off the field
    centres : (units, 2) float64, GSU, the middle of the boundary; NaN off the field
    rooms : (units, 2) float64, GSU, front and depth of its own ranks and files
    """

    def __init__(self, moment: Moment) -> None:
        units = len(moment.state.units)
        self._moment = moment
        self.boxes = np.full((units, 4), np.nan)
        self.centres = np.full((units, 2), np.nan)
        self.rooms = np.zeros((units, 2))

    def forked(self, moment: Moment) -> UnitPositions:
        """Return a copy for another battle at the same moment."""
        twin = UnitPositions(moment)
        twin.boxes, twin.centres = self.boxes.copy(), self.centres.copy()
        twin.rooms = self.rooms.copy()
        return twin

    def renew(self, moment: Moment, rows: Sequence[int]) -> None:
        """Find the positions of these units again."""
        situation, changed = situation_of(moment), np.array(rows, dtype=np.intp)
        outlines = situation.outlines(changed)
        self.boxes[changed] = shapely.bounds(outlines)
        middles, there = shapely.get_coordinates(shapely.centroid(outlines), return_index=True)
        self.centres[changed] = np.nan
        self.centres[changed[there]] = middles
        drills = map(moment.state.roster.drill, changed.tolist())
        self.rooms[changed] = [(drill.frontage, drill.length) for drill in drills]

    def near(self, box: tuple[float, float, float, float], reach: float = 0.0) -> NDArray[np.bool_]:
        """Return (units,) whether a unit's box is within *reach* of a box in either direction.

        No unit within reach is left out, touching counts; the caller excludes the others.
        """
        west, south, east, north = box
        boxes = self.boxes
        found: NDArray[np.bool_] = boxes[:, 0] <= east + reach
        found &= boxes[:, 2] >= west - reach
        found &= boxes[:, 1] <= north + reach
        found &= boxes[:, 3] >= south - reach
        return found

    def about(self, unit: int, others: Iterable[int], reach: float) -> list[int]:
        """Return the units that may be within reach of a unit; no unit within reach is left out.

        On a board, partly covered first and last cells count as whole cells.
        """
        near = self.near(tuple(self.boxes[unit].tolist()), reach + _BEGUN).tolist()
        return [other for other in others if near[other]]

    def at_least(self, units: Sequence[int], others: Sequence[int]) -> Floats:
        """(units, others) float64, GSU that each is at least from each, on a board too."""
        west, south, east, north = self.boxes[list(others)].T
        a, b, c, d = self.boxes[list(units)].T[:, :, None]
        across = np.maximum(np.maximum(west - c, a - east), 0.0)
        along = np.maximum(np.maximum(south - d, b - north), 0.0)
        # From square to square a step may lead to both sides at once, and counts as one.
        steps_aslant = numbers_of(self._moment).cells == "squares"
        gaps = np.maximum(across, along) if steps_aslant else np.sqrt(across**2 + along**2)
        return np.asarray(gaps - _BEGUN)


whereabouts_of = Rows(SITUATION, start=UnitPositions, renew=UnitPositions.renew, forks=True)
"""The whereabouts of all units at this moment."""


def within(moment: Moment, unit: int, others: Iterable[int], reach: float) -> dict[int, float]:
    """Return the units within *reach* of one unit, with their distances, GSU."""
    about = whereabouts_of(moment).about(unit, others, reach)
    gaps = situation_of(moment).distances(unit, about)
    return {other: gap for other, gap in zip(about, gaps, strict=True) if gap <= reach}
