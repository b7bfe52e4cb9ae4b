"""Figures as they are handed over to be drawn, in which runs and in which lines: one pass each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d._ext import packing as _packing
from emlia3d.view.moment.scene import Figures

Floats: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.int32]

LATTICE_M = 1 / 512  # on which places are handed over; they are off by half of it at most


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Figures in runs of one team, body, size and lift, of 64 at most and 128 m across; r runs.

    starts : (r,) the first of each, rising from 0
    rows : (r, 8) as shaders read them: from where places count, east and north, now and a tick
        before; team and body; the bits of size and lift, float32; 0
    circles : (r, 4) float32, metres: the middle of its places now and a tick before, east and
        north, how far they reach from there, and how tall its figures are
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
    """Write figures into (n, 4) int32, and say in which runs they are.

    First its place, its steps of `LATTICE_M` east and north of where places of its run count, 16
    bits each, from the lowest; then the same a tick before; then its facing and the one before,
    65,536 to a turn, 16 bits each; then its run, 24 bits, its pose and the one before, 2 bits
    each, and its shade, 4 bits.

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
    """Lines of figures that stand shoulder to shoulder, and figures that do not stand.

    ends : (r, 2) int32, rows of the first and last of each line; a figure in no line is both
        ends of its own; run : (r,) int32, the one that the line is in
    lying, lying_run : (k,) int32, all others, and their runs
    """

    ends: Numbers
    run: Numbers
    lying: Numbers
    lying_run: Numbers


def ranks_of(figures: Figures, starts: Numbers, widths: Floats) -> FigureLines:
    """Return the lines in which figures stand, each in one run and all looking one way.

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
