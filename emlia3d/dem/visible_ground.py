"""Viewsheds of a raster."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.dem.limits import Floats, Limits, offsets_m
from emlia3d.dem.model import Curvature, ElevationModel, Part, Station
from emlia3d.dem.viewshed_kinds import HIDDEN, NO_DATA, Show
from emlia3d.errors import Error
from emlia3d.geometry.horizon import min_visible_heights, visible_counts
from emlia3d.geometry.horizon import viewshed as viewshed_of

Marks = NDArray[np.bool_]
Progress = Callable[[float], None]

MAX_LAYER_CELLS = 1 << 30
"""Cells of all layers together, if each observer has one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DemViewshed:
    """The view of observers over all centres of a raster.

    target_m : height of the target above the ground, metres
    values : (layers, rows, columns), row 0 north; uint8 for levels and each, int32 for counts, else
        float32. Where the raster has no data: `NO_DATA`, -1 or NaN.
    visible : how many centres have a target of which something shows to an observer
    asked : how many centres have data
    """

    model: ElevationModel
    observers: tuple[Station, ...]
    target_m: float
    curvature: Curvature | None
    limits: Limits
    show: Show
    values: NDArray[Any]
    visible: int
    asked: int


def viewshed(  # noqa: PLR0913  the options of the question
    model: ElevationModel,
    observers: Sequence[Station],
    target_m: float = 0.0,
    *,
    show: Show = Show.LEVELS,
    curvature: Curvature | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> DemViewshed:
    """Return the view of observers over the ground.

    Parameters
    ----------
    model : ElevationModel
    observers : of Station
        From `ElevationModel.station`.
    target_m : float
        Height of the target above the ground, metres.
    show : Show
        The kind of values.
    curvature : Curvature, optional
        Lower the ground with distance; a plane earth without it.
    limits : Limits, optional
        Leave out what is beyond them.
    progress : optional
        Called with the proportion that is done, 0 to 1.

    Raises
    ------
    Error
        No observer, limits that leave nothing, or too many layers.

    Notes
    -----
    Exact on the surface of triangles between the centres of cells (`emlia3d.geometry.viewshed`).
    Memory does not grow with the number of observers, except with `Show.EACH`.
    """
    limits = limits or Limits()
    limits.check()
    if not observers:
        raise Error("expected an observer, got none")
    if not (math.isfinite(target_m) and target_m >= 0):
        raise Error(f"expected a target 0 m or more above the ground, got {target_m:g}")
    question = _ViewshedQuestion(
        model, tuple(observers), target_m, curvature, limits, progress or _silent
    )
    values, seen = _ANSWERS[show](question)
    asked = seen.size
    if model.holes is not None:
        values[..., model.holes] = no_data_of(values)
        seen &= ~model.holes
        asked -= int(model.holes.sum())
    return DemViewshed(
        model=model, observers=question.observers, target_m=target_m, curvature=curvature,
        limits=limits, show=show, values=values, visible=int(np.count_nonzero(seen)), asked=asked,
    )  # fmt: skip


ViewshedLayers = tuple[NDArray[Any], NDArray[np.bool_]]
"""Values, and which centres have a target of which something shows."""


class _Look:
    """The view of one observer over the raster within its maximum distance."""

    def __init__(self, question: _ViewshedQuestion, eye: Station) -> None:
        self._question, self._eye = question, eye
        model, limits = question.model, question.limits
        self.part = limits.part_of(model, eye)
        around = _with_centres_around(self.part, eye, model.shape)
        self._surface = model.seen_from(eye, question.curvature, around)
        self._inside = tuple(
            slice(of.start - whole.start, of.stop - whole.start)
            for of, whole in zip(self.part, around, strict=True)
        )
        self._mask = limits.mask(model, eye, self.part, self.angles)

    def sees(self, height: float) -> Marks:
        """Return where a point at a height above the ground is seen."""
        seen = viewshed_of(self._surface, self._eye.point, height).identity[0][self._inside]
        return np.asarray(seen if self._mask is None else seen & self._mask)

    def levels(self) -> NDArray[np.uint8]:
        """Return the concealment of an upright target."""
        top = self.sees(self._question.target_m)
        levels = np.subtract(HIDDEN, top, dtype=np.uint8)
        return np.subtract(levels, self.sees(0.0), dtype=np.uint8)

    def least(self) -> Floats:
        """Return the smallest heights that show, metres; infinite beyond the limits."""
        target = self._question.target_m
        least = min_visible_heights(self._surface, self._eye.point, target)[0][self._inside]
        if self._mask is not None:
            least[~self._mask] = math.inf
        return np.asarray(least)

    def angles(self) -> Floats:
        """Return the angles of the targets' tops above the horizontal, degrees."""
        question, eye = self._question, self._eye
        model = question.model
        east, north = offsets_m(model, eye, self.part)
        squared = east**2 + north**2
        tops = model.surface.heights[self.part] + (question.target_m - eye.z)
        if question.curvature is not None:
            tops -= question.curvature.drop((1.0, 1.0))[0] * squared
        return np.degrees(np.arctan2(tops, np.sqrt(squared)))


@dataclass(frozen=True, slots=True)
class _ViewshedQuestion:
    model: ElevationModel
    observers: tuple[Station, ...]
    target_m: float
    curvature: Curvature | None
    limits: Limits
    progress: Progress

    def looks(self) -> Iterator[_Look]:
        """Yield the view of each observer."""
        for done, eye in enumerate(self.observers, start=1):
            yield _Look(self, eye)
            self.progress(done / len(self.observers))

    def least(self) -> Floats:
        """Return the smallest height that shows to any observer."""
        least = np.full(self.model.shape, math.inf)
        for look in self.looks():
            np.minimum(least[look.part], look.least(), out=least[look.part])
        return least


def _levels(question: _ViewshedQuestion) -> ViewshedLayers:
    levels = np.full(question.model.shape, HIDDEN, dtype=np.uint8)
    for look in question.looks():
        np.minimum(levels[look.part], look.levels(), out=levels[look.part])
    return levels[None], levels < HIDDEN


def _counts(question: _ViewshedQuestion) -> ViewshedLayers:
    counts = np.zeros(question.model.shape, dtype=np.int32)
    if question.limits == Limits() and question.curvature is None:
        counts += visible_counts(
            question.model.surface,
            np.array([eye.point for eye in question.observers]),
            question.target_m,
            progress=question.progress,
        )
    else:
        for look in question.looks():
            counts[look.part] += look.sees(question.target_m)
    return counts[None], counts > 0


def _proportion(question: _ViewshedQuestion) -> ViewshedLayers:
    counts, seen = _counts(question)
    return (counts / len(question.observers)).astype(np.float32), seen


def _each(question: _ViewshedQuestion) -> ViewshedLayers:
    rows, columns = question.model.shape
    if len(question.observers) * rows * columns > MAX_LAYER_CELLS:
        raise Error(
            f"expected at most {MAX_LAYER_CELLS // (rows * columns)} observers with a layer each "
            f"on {columns} x {rows} cells, got {len(question.observers)}; count them instead"
        )
    layers = np.full((len(question.observers), rows, columns), HIDDEN, dtype=np.uint8)
    for layer, look in zip(layers, question.looks(), strict=True):
        layer[look.part] = look.levels()
    return layers, np.asarray((layers < HIDDEN).any(axis=0))


def _least(question: _ViewshedQuestion) -> ViewshedLayers:
    least = question.least()
    return least[None].astype(np.float32), least <= question.target_m


def _share(question: _ViewshedQuestion) -> ViewshedLayers:
    if question.target_m == 0:
        raise Error("expected a target above the ground to show a share of it, got 0 m")
    least = question.least()
    share = np.clip(1 - least / question.target_m, 0, 1).astype(np.float32)
    return share[None], least <= question.target_m


def _angle(question: _ViewshedQuestion) -> ViewshedLayers:
    angles = np.full(question.model.shape, np.nan, dtype=np.float32)
    for look in question.looks():
        shown = np.where(look.sees(question.target_m), look.angles(), np.nan)
        np.fmax(angles[look.part], shown.astype(np.float32), out=angles[look.part])
    return angles[None], ~np.isnan(angles)


_ANSWERS: dict[Show, Callable[[_ViewshedQuestion], ViewshedLayers]] = {
    Show.LEVELS: _levels,
    Show.COUNTS: _counts,
    Show.PROPORTION: _proportion,
    Show.EACH: _each,
    Show.LEAST: _least,
    Show.SHARE: _share,
    Show.ANGLE: _angle,
}


def _with_centres_around(part: Part, eye: Station, shape: tuple[int, int]) -> Part:
    """Return a part with the centres about an eye, so that its ground there is the same."""
    first, second = (
        slice(
            max(min(of.start, math.floor(at) - 1), 0), min(max(of.stop, math.ceil(at) + 2), count)
        )
        for of, at, count in zip(part, (eye.row, eye.column), shape, strict=True)
    )
    return first, second


def no_data_of(values: NDArray[Any]) -> float:
    """Return the value of cells without data in values of this kind."""
    if values.dtype == np.uint8:
        return NO_DATA
    return -1 if values.dtype.kind == "i" else math.nan


def _silent(_: float) -> None:
    """Report no progress."""
