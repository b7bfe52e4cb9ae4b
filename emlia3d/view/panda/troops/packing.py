"""Figures as they are handed over to be drawn, and where each run of them is: one pass over all."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d._ext import packing as _packing
from emlia3d.view.moment.scene import Figures

Floats: TypeAlias = NDArray[np.float32]


def pack(figures: Figures, heights: Floats, rows: Floats) -> Floats:
    """Write figures into (n, 8) float32, two rows of four each; how tall each is, (n,), metres.

    First its place, its facing in radians and its flags, then where it was and looked a tick
    before, and its size in sixty-fourths and lift in sixteenths of a metre. Flags and sizes are
    whole numbers below 2^24, which float32 holds exactly.

    heights : (models,) float32, natural, metres
    """
    count = len(figures)
    assert rows.shape == (count, 8)
    assert int(figures.model.max(initial=0)) < len(heights)
    tall = np.empty(count, np.float32)
    now = figures.x_m, figures.y_m, figures.facing_deg
    was = figures.was_x_m, figures.was_y_m, figures.was_facing_deg
    before = (own if old is None else old for own, old in zip(now, was, strict=True))
    pose = figures.pose, figures.pose if figures.was_pose is None else figures.was_pose
    numbers = (*now, *before, figures.size, figures.lift_m)
    looks = (*pose, figures.team, figures.model, figures.shade)
    columns = [_column(each, np.float32, count) for each in numbers]
    columns += [_column(each, np.uint8, count) for each in looks]
    _packing.pack(np.ascontiguousarray(heights), rows, tall, *columns)
    return tall


def bounds_of(figures: Figures, tall: Floats, starts: NDArray[np.int32]) -> Floats:
    """Between what the figures of each run are, now and a tick before, (7, runs) float32, metres.

    Least and greatest east, least and greatest north, greatest lift, least and greatest height.

    tall : (n,) height of each figure; starts : (runs,) the first of each, rising from 0
    """
    count = len(figures)
    bounds = np.empty((7, len(starts)), np.float32)
    was_x = figures.x_m if figures.was_x_m is None else figures.was_x_m
    was_y = figures.y_m if figures.was_y_m is None else figures.was_y_m
    columns = figures.x_m, figures.y_m, was_x, was_y, figures.lift_m, tall
    given = [_column(each, np.float32, count) for each in columns]
    _packing.bound(np.append(starts, np.int32(count)), bounds, *given)
    return bounds


def _column(values: NDArray[Any], kind: type[np.generic], count: int) -> NDArray[Any]:
    assert values.shape == (count,)
    return np.ascontiguousarray(values, kind)
