"""Forms of the land that generated ground is made of: each changes the elevations before it.

Everything is ``+ - * /``, ``sqrt`` and integer hashing in a fixed order, so that the same words
give the same bits on every machine. A form looks at places on the field, not at cells: a finer
raster shows the same country.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from emlia3d.errors import quoted
from emlia3d.field.curves import (
    CentreGrid,
    Points,
    box,
    falloff,
    max_falloff,
    rounded,
    segment_distance,
    stepped,
)
from emlia3d.field.ground import Ground
from emlia3d.field.noise import Floats, fractal

# Contours wander by lumps of this share of a form's width.
_LUMP = 0.9

# Nothing is finer than the grid of places; noise counts its lattice in whole numbers of 64 bits.
_FINEST = 1 / 1024

# A spur is this much as wide as its ridge.
_SPUR_WIDTH = 0.6


class Landform(Protocol):
    """Base class of landforms."""

    def shaped(self, elevation_m: Floats, place: CentreGrid) -> Floats:
        """Return elevations with this landform added, metres."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Fractal:
    """Rolling ground.

    low_m, high_m : minimum and maximum of the heights that it adds
    feature : GSU from one rise to the next
    roughness : 0 for smooth ground, 1 for broken ground; the height of a layer
        relative to the one before it
    """

    seed: int = 0
    low_m: float = 0.0
    high_m: float = 10.0
    feature: float = 300.0
    roughness: float = 0.4

    def __post_init__(self) -> None:
        _above(0, feature=self.feature)
        _between(0, 1, roughness=self.roughness)
        _rising(self.low_m, self.high_m)

    def shaped(self, elevation_m: Floats, place: CentreGrid) -> Floats:
        """Return elevations with this landform added, metres."""
        layers = fractal(
            self.seed,
            place.x / self.feature,
            place.y / self.feature,
            octaves=_octaves(self.feature, place.cell),
            roughness=self.roughness,
        )
        low, high = layers.min(), layers.max()
        share = (layers - low) / (high - low) if high > low else np.zeros_like(layers)
        return elevation_m + (self.low_m + share * (self.high_m - self.low_m))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ridge:
    """High ground along a line, with spurs.

    line : points of the crest, GSU; it runs on as a smooth curve
    low_m, high_m : heights that it adds far away, and at its crest
    width : GSU from the crest to its foot
    crest : proportion of the height at each point of the line: below 1 at saddles, 0 where it ends
        in the plain; None for 1 everywhere
    spurs : lines that leave the crest; each falls from `spur` of the height to the foot
    wander : how far contours stray, as a share of the width
    furrow : how much of the height the flanks rise and fall by, in hollows and noses
    """

    line: Points
    seed: int = 0
    low_m: float = 0.0
    high_m: float = 30.0
    width: float = 120.0
    crest: tuple[float, ...] = ()
    spurs: tuple[Points, ...] = ()
    spur: float = 0.8
    wander: float = 0.5
    furrow: float = 0.3

    def __post_init__(self) -> None:
        _above(0, width=self.width)
        _rising(self.low_m, self.high_m)
        _between(0, 1, wander=self.wander, spur=self.spur, furrow=self.furrow)
        for points in (self.line, *self.spurs):
            _a_path(points)
        if self.crest and len(self.crest) != len(self.line):
            raise ValueError(
                f"crest: expected one share for each of the {len(self.line)} points of the line, "
                f"got {len(self.crest)}"
            )

    def shaped(self, elevation_m: Floats, place: CentreGrid) -> Floats:
        """Return elevations with this landform added, metres."""
        x, y = _strayed(self.seed, place, self.width, self.wander)
        main = rounded(
            [(*p, h) for p, h in zip(self.line, self.crest or [1.0] * len(self.line), strict=True)]
        )
        share = max_falloff(main, self.width, x, y, place)
        for points in self.spurs:
            last = len(points) - 1
            falling = [(*p, self.spur * (1 - k / last)) for k, p in enumerate(points)]
            rest = max_falloff(rounded(falling), self.width * _SPUR_WIDTH, x, y, place)
            # Not the greater of the two: that leaves a crease where a spur meets the flank.
            share = share + rest * (1 - share)
        furrows = _furrows(self.seed, place, self.width)
        height_m = self.high_m - self.low_m
        return elevation_m + self.low_m + share * (1 + self.furrow * furrows) * height_m


@dataclass(frozen=True, slots=True, kw_only=True)
class Hills:
    """Single rounded hills, or hollows where their height is below 0.

    hills : x, y, radius of the foot (GSU) and height (metres) of each
    """

    hills: tuple[tuple[float, float, float, float], ...]
    seed: int = 0
    wander: float = 0.3

    def __post_init__(self) -> None:
        _between(0, 1, wander=self.wander)
        for hill in self.hills:
            if len(hill) != 4 or not all(math.isfinite(figure) for figure in hill):
                raise ValueError("a hill is [x, y, radius, height_m]")
            _above(0, radius=hill[2])

    def shaped(self, elevation_m: Floats, place: CentreGrid) -> Floats:
        """Return elevations with this landform added, metres."""
        for number, (east, north, radius, height_m) in enumerate(self.hills):
            x, y = _strayed(self.seed + 16 * number, place, radius, self.wander)
            away = (x - east) * (x - east) + (y - north) * (y - north)
            elevation_m = elevation_m + height_m * falloff(away / (radius * radius))
        return elevation_m


@dataclass(frozen=True, slots=True, kw_only=True)
class Valley:
    """Low ground along a line.

    line : points of its bottom, GSU; it runs on as a smooth curve
    depth_m : depth of its bottom below the ground around it
    width : GSU from the bottom to the level ground
    """

    line: Points
    seed: int = 0
    depth_m: float = 10.0
    width: float = 120.0
    wander: float = 0.35

    def __post_init__(self) -> None:
        _above(0, width=self.width, depth_m=self.depth_m)
        _between(0, 1, wander=self.wander)
        _a_path(self.line)

    def shaped(self, elevation_m: Floats, place: CentreGrid) -> Floats:
        """Return elevations with this landform added, metres."""
        x, y = _strayed(self.seed, place, self.width, self.wander)
        bottom = rounded([(*point, 1.0) for point in self.line])
        return elevation_m - self.depth_m * max_falloff(bottom, self.width, x, y, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamBed:
    """The bed of a stream, which never runs uphill.

    path : straight segments from source to mouth, GSU
    width : width of the level bed, GSU
    depth_m : minimum depth of the bed below the ground along the path
    bank : width of each bank, GSU
    """

    path: Points
    width: float = 6.0
    depth_m: float = 1.5
    bank: float = 20.0

    def __post_init__(self) -> None:
        _above(0, width=self.width, depth_m=self.depth_m, bank=self.bank)
        _a_path(self.path)

    def shaped(self, elevation_m: Floats, place: CentreGrid) -> Floats:
        """Return elevations with this landform added, metres."""
        ground = Ground(elevation_m=elevation_m, size=place.size, cell=place.cell)
        line = stepped(self.path, place.cell)
        along = np.array(line)
        bed = np.minimum.accumulate(ground.elevations_m(along[:, 0], along[:, 1])) - self.depth_m
        carved = elevation_m.copy()
        reach = self.width / 2 + self.bank
        points = [(*point, float(level)) for point, level in zip(line, bed, strict=True)]
        for start, end in itertools.pairwise(points):
            rows, columns = box(place, start, end, reach)
            away, level = segment_distance(place.x[:, columns], place.y[rows], start, end)
            bank = np.maximum(np.sqrt(away) - self.width / 2, 0.0) / self.bank
            before = elevation_m[rows, columns]
            cut = before - (before - level) * falloff(bank * bank)
            carved[rows, columns] = np.minimum(carved[rows, columns], cut)
        return carved


def _strayed(seed: int, place: CentreGrid, width: float, wander: float) -> tuple[Floats, Floats]:
    """Return the places, each pulled aside by noise, so that what is drawn straight wanders."""
    lump = width * _LUMP
    x, y = place.x / lump, place.y / lump
    octaves = _octaves(lump, place.cell)
    east = fractal(seed, x, y, octaves=octaves, roughness=0.45)
    north = fractal(seed + 8, x, y, octaves=octaves, roughness=0.45)
    return place.x + east * (wander * width), place.y + north * (wander * width)


def _furrows(seed: int, place: CentreGrid, width: float) -> Floats:
    feature = width * 0.6
    return fractal(
        seed + 16,
        place.x / feature,
        place.y / feature,
        octaves=_octaves(feature, place.cell),
        roughness=0.45,
    )


def _octaves(feature: float, cell: float) -> int:
    """Layers of noise down to lumps of three cells, and eight at most."""
    count = 1
    while count < 8 and feature > 6 * cell:
        feature, count = feature / 2, count + 1
    return count


def _above(bound: float, **figures: float) -> None:
    for name, figure in figures.items():
        if not (math.isfinite(figure) and figure > bound):
            raise ValueError(f"{name}: expected a number above {bound:g}, got {quoted(figure)}")
        if figure - bound < _FINEST:
            raise ValueError(
                f"{name}: expected a number from {bound + _FINEST:g} up, got {quoted(figure)}"
            )


def _between(low: float, high: float, **figures: float) -> None:
    for name, figure in figures.items():
        if not low <= figure <= high:
            raise ValueError(f"{name} lies between {low:g} and {high:g}, not at {quoted(figure)}")


def _rising(low_m: float, high_m: float) -> None:
    if not (math.isfinite(low_m) and math.isfinite(high_m) and low_m < high_m):
        raise ValueError(
            f"low_m: expected a height below high_m, got {quoted(low_m)} and {quoted(high_m)}"
        )


def _a_path(points: Points) -> None:
    if len(points) < 2 or not all(
        len(point) == 2 and math.isfinite(point[0]) and math.isfinite(point[1]) for point in points
    ):
        raise ValueError("a line has at least two points: [[x, y], [x, y], ...]")
