"""Many sight questions in columns: who stands at the ends of corridors, and what between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emlia3d.geometry import Bodies

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.intp]
Levels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Lineup:
    """Those who stand at the ends of corridors: units as a whole, or members of them alone.

    unit : (m,) to which unit it belongs
    row : (m,) its row in *bodies*
    footing : (m,) float64
    alone : (m,) bool, one member, be it the only one
    """

    bodies: Bodies
    unit: Numbers
    row: Numbers
    footing: Floats
    alone: Flags

    def outlines(self, places: Numbers) -> NDArray[np.object_]:
        """The boundaries of those who stand at these places of the line-up, as polygons."""
        return self.bodies.outlines(self.row[places])


@dataclass(frozen=True, slots=True)
class Corridors:
    """Sight questions: who looks at whom, by their places in a line-up, and what stands between.

    question : (k,) of each row, rising; number : its body; fraction : of the corridor's width
    """

    near: Numbers
    far: Numbers
    question: Numbers
    number: Numbers
    fraction: Floats

    def only(self, questions: Flags, rows: Flags) -> Corridors:
        """Some of the questions, with some of their rows."""
        place = np.cumsum(questions) - 1
        kept = rows & questions[self.question]
        return Corridors(
            self.near[questions],
            self.far[questions],
            place[self.question[kept]],
            self.number[kept],
            self.fraction[kept],
        )

    @property
    def starts(self) -> Numbers:
        """Where the rows of each question begin, and where the last ends."""
        return np.searchsorted(self.question, np.arange(len(self.near) + 1)).astype(np.intp)
