"""Packing of figures for drawing, and their runs and lines, in one pass each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d._ext import packing as _packing
from emlia3d.view.moment.scene import Figures

Floats: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.int32]

LATTICE_M = 1 / 512  # lattice of packed positions; the error is at most half of it


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Figures in runs of one team, body, size and lift, of 64 at most and 128 m across; r runs.

    starts : (r,) the first of each, ascending from 0
    rows : (r, 8) for shaders: origin of positions, east and north, now and one tick before; team
        and body; the bits of size and lift, float32; 0
    circles : (r, 4) float32, metres: centre of its positions now and one tick before, east and
        north, their radius, and the height of its figures
    """

    starts: Numbers
    rows: Numbers
    circles: Floats

    @property
    def models(self) -> NDArray[np.uint8]:
        """Of `MODELS`, (r,)."""
        return (self.rows[:, 4] >> 4).astype(np.uint8)

    @property
    def lifts_m(self) -> Floats:
        """Above the ground, (r,) float32, metres."""
        return self.rows[:, 6].view(np.float32)


def pack(figures: Figures, heights: Floats, rows: Numbers) -> Runs:
    """Write figures into (n, 4) int32, and return their runs.

    The four numbers contain: the position in steps of `LATTICE_M` east and north of the run's
    origin, 16 bits each, from the lowest; the position one tick before; the facing now and before,
    65,536 to a circle, 16 bits each; the run, 24 bits, the pose now and before, 2 bits each, and
    the shade, 4 bits.

    heights : (models,) float32, natural, metres
    """
    count = len(figures)
    assert rows.shape == (count, 4)
    assert count < 1 << 24
    assert int(figures.model.max(initial=0)) < len(heights)
    now = figures.x_m, figures.y_m, figures.facing_deg
    was = figures.was_x_m, figures.was_y_m, figures.was_facing_deg
    before = (own if old is None else old for own, old in zip(now, was, strict=True))
    pose = figures.pose, figures.pose if figures.was_pose is None else figures.was_pose
    numbers = (*now, *before, figures.size, figures.lift_m)
    looks = (*pose, figures.team, figures.model, figures.shade)
    columns = [_column(each, np.float32, count) for each in numbers]
    columns += [_column(each, np.uint8, count) for each in looks]
    starts, runs = np.empty(count, np.int32), np.empty((count, 8), np.int32)
    circles = np.empty((count, 4), np.float32)
    found = _packing.pack(np.ascontiguousarray(heights), rows, starts, runs, circles, *columns)
    return Runs(starts[:found], runs[:found], circles[:found])


@dataclass(frozen=True, slots=True, eq=False)
class FigureLines:
    """Lines of adjacent standing figures, and figures that do not stand.

    ends : (r, 2) int32, rows of the first and last figure of each line; a single figure is both
        ends of its own line; run : (r,) int32, run of the line
    lying, lying_run : (k,) int32, all others, and their runs
    """

    ends: Numbers
    run: Numbers
    lying: Numbers
    lying_run: Numbers


def ranks_of(figures: Figures, starts: Numbers, widths: Floats) -> FigureLines:
    """Return the lines of standing figures, each in one run with equal facings.

    starts : (r,) of the runs; widths : (models,) float32, natural, metres
    """
    count = len(figures)
    assert int(figures.model.max(initial=0)) < len(widths)
    floats = figures.x_m, figures.y_m, figures.facing_deg, figures.size
    looks = figures.pose, figures.model, figures.shade
    columns = [_column(each, np.float32, count) for each in floats]
    columns += [_column(each, np.uint8, count) for each in looks]
    ends, (run, lying, lying_run) = np.empty((count, 2), np.int32), np.empty((3, count), np.int32)
    lines, others = _packing.lines(
        np.ascontiguousarray(widths), starts, ends, run, lying, lying_run, *columns
    )
    return FigureLines(ends[:lines], run[:lines], lying[:others], lying_run[:others])


def _column(values: NDArray[Any], kind: type[np.generic], count: int) -> NDArray[Any]:
    assert values.shape == (count,)
    return np.ascontiguousarray(values, kind)
