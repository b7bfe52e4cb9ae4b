"""A viewshed of the ground, computed step by step: coarse, then finer.

The rules answer for points; this module selects points and times. It has no clock: the caller
passes the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field.hexes import board_of
from emlia3d.view.moment.scene import Overlay
from emlia3d.view.rules import ObserverSpec, Rules
from emlia3d.view.sight.corridor import PARTIAL, TOTAL
from emlia3d.view.sight.groundpicture import GroundPicture

Levels: TypeAlias = NDArray[np.uint8]
Places: TypeAlias = NDArray[np.float64]

STAGES, STAGES_BY_RULES = (36, 96, 240), (16, 40, 96)
"""Cells along the longer side of the field, for each stage.

The rules examine the whole corridor to each point, which takes much longer than a straight line.
"""

RESTS_S = (0.0, 0.15, 0.5)
"""Pauses without change before each stage begins."""

ALPHA_PARTIAL, ALPHA_TOTAL = 0.50, 0.62

_FIRST, _FIRST_BY_RULES, _LEAST, _MOST = 2048, 256, 64, 16384
_SLOW_S, _QUICK_S = 0.1, 0.04
_TEXELS, _COARSE_TEXELS = 512, 256
_EDGE = 4.0  # sharpness of borders between cells


@dataclass(frozen=True, slots=True)
class ViewshedQuery:
    """A viewshed query: the observer, the figure's height, and the step."""

    lookout: ObserverSpec
    height: float
    step: int


class GroundVisibility:
    """The viewshed of one observer.

    levels : (rows, columns) uint8, row 0 north, at the current resolution; None at first
    version : changes with `levels`
    """

    def __init__(self, setup: Setup, rules: Rules) -> None:
        self._size = setup.field.size
        self._metres = setup.field.scale.metres_per_gsu
        self._rules = rules
        self._board = board_of(setup.field) if setup.field.cells == "hexes" else None
        self._question: ViewshedQuery | None = None
        self._stage = 0
        self._done: list[Levels] = []
        self._rested_s = 0.0
        self._chunk = _FIRST_BY_RULES
        self._picture: tuple[int, Overlay] | None = None
        self.levels: Levels | None = None
        self.version = 0

    def tick(self, dt: float, question: ViewshedQuery, state: State) -> None:
        """Advance by *dt* seconds: answer a new query coarsely, refine an unchanged one."""
        if question != self._question:
            self._question, self._stage, self._done, self._rested_s = question, 0, [], 0.0
            self._chunk = _FIRST_BY_RULES if question.lookout.by_rules else _FIRST
            self._look(state, self._spots().shape[0])
            return
        self._rested_s += dt
        if not self.settled and self._rested_s >= RESTS_S[self._stage]:
            if dt > _SLOW_S:
                self._chunk = max(self._chunk // 2, _LEAST)
            elif dt < _QUICK_S:
                self._chunk = min(self._chunk * 2, _MOST)
            self._look(state, self._chunk)

    def settle(self, question: ViewshedQuery, state: State) -> None:
        """Answer the query immediately at the final resolution."""
        self.tick(0.0, question, state)
        while not self.settled:
            self._look(state, _MOST)

    @property
    def _stages(self) -> tuple[int, ...]:
        asked = self._question
        by_places = self._board is None and (asked is None or asked.lookout.by_rules)
        return STAGES_BY_RULES if by_places else STAGES

    @property
    def settled(self) -> bool:
        """True if the final resolution is reached."""
        return self._stage == len(self._stages)

    def level_at(self, place: tuple[float, float]) -> int | None:
        """Return the concealment at a point in GSU; None off the field or before it is known."""
        east, north = self._size
        x, y = place
        if self.levels is None or not (0 <= x < east and 0 < y <= north):
            return None
        rows, columns = self.levels.shape
        return int(self.levels[int((north - y) / north * rows), int(x / east * columns)])

    def shares(self) -> tuple[float, float, float]:
        """Return the shares of the field with no, partial and total concealment."""
        assert self.levels is not None, "look first"
        none, partial, total = np.bincount(self.levels.ravel(), minlength=3) / self.levels.size
        return float(none), float(partial), float(total)

    def overlay(self) -> Overlay:
        """Return the overlay of the ground: violet for total, grey for partial concealment."""
        assert self.levels is not None, "look first"
        if self._picture is None or self._picture[0] != self.version:
            east, north = self._size
            texels = _TEXELS if self.settled else _COARSE_TEXELS
            picture = GroundPicture((0.0, 0.0, east, north), self._metres, texels)
            shape = picture.columns, picture.rows
            some, whole = smooth(self.levels >= 1, shape), smooth(self.levels >= 2, shape)
            picture.stain(np.maximum(some - whole, 0.0), PARTIAL, ALPHA_PARTIAL)
            picture.stain(whole, TOTAL, ALPHA_TOTAL)
            self._picture = self.version, picture.overlay()
        return self._picture[1]

    def _shape(self) -> tuple[int, int]:
        """Rows and columns of the current stage."""
        cells = self._stages[self._stage]
        east, north = self._size
        longer = max(east, north)
        return max(round(cells * north / longer), 1), max(round(cells * east / longer), 1)

    def _spots(self) -> Places:
        """Centres of the cells of this stage, row by row from the north-west."""
        rows, columns = self._shape()
        east, north = self._size
        x = (np.arange(columns) + 0.5) * east / columns
        y = north - (np.arange(rows) + 0.5) * north / rows
        return np.column_stack([np.tile(x, rows), np.repeat(y, columns)])

    def _look(self, state: State, most: int) -> None:
        """Ask about this number of further points; show the stage when it is complete."""
        assert self._question is not None
        spots = self._spots()
        known = sum(len(part) for part in self._done)
        asked = spots[known : known + most]
        self._done.append(self._seen(self._question, asked, state))
        if known + len(asked) == len(spots):
            self.levels = np.concatenate(self._done).reshape(self._shape())
            self.version += 1
            self._stage, self._done = self._stage + 1, []

    def _seen(self, question: ViewshedQuery, spots: Places, state: State) -> Levels:
        """Return the concealment at points; on a field of tiles, of their tiles."""
        lookout, height = question.lookout, question.height
        if self._board is None or not lookout.by_rules:
            return self._rules.seen_by(lookout, spots, height, state)
        centres, on_board = self._board.centres_around(spots)
        found = np.zeros(len(spots), dtype=np.uint8)
        found[on_board] = self._rules.seen_by(lookout, centres[on_board], height, state)
        return found


def smooth(there: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.float32]:
    """Return a mask of another size, (columns, rows), with smooth borders."""
    soft = Image.fromarray(there.astype(np.float32)).resize(shape, Image.Resampling.BILINEAR)
    return np.clip((np.asarray(soft) - 0.5) * _EDGE + 0.5, 0.0, 1.0)
