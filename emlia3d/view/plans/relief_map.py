"""The ground on a map: tinted by height, shaded from the north-west, with contours."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from emlia3d.field import Field

LOW, HIGH, LEVEL = (214, 222, 186), (226, 208, 172), (224, 224, 196)
"""Tints of the lowest and the highest ground, and of a level field; red, green, blue."""

_SUN = np.array([-0.5, 0.5, 0.7071])
_STEEP, _MOST_STRETCHED = 0.35, 12.0
_CONTOURS = 9
_CONTOUR_DARK = 0.16

Pixels = NDArray[np.float64]


def relief_map(field: Field, size_px: tuple[int, int]) -> Pixels:
    """Return (rows, columns, 3) float64, 0 to 255: the whole field in *size_px* pixels."""
    width, height = size_px
    east, north = field.size
    x = (np.arange(width) + 0.5) * east / width
    y = north - (np.arange(height) + 0.5) * north / height
    ground = field.ground
    if ground.is_level:
        return np.broadcast_to(np.array(LEVEL, dtype=np.float64), (height, width, 3)).copy()
    elevation_m = ground.elevations_m(x[None, :], y[:, None])
    metres = field.scale.metres_per_gsu
    pixel_m = east / width * metres, north / height * metres
    return relief_of(elevation_m, (ground.low_m, ground.high_m), pixel_m)


def relief_of(
    elevation_m: Pixels, range_m: tuple[float, float], pixel_m: tuple[float, float]
) -> Pixels:
    """(rows, columns, 3) float64, 0 to 255: ground of these elevations, one for each pixel.

    range_m : the lowest and the highest elevation of the ground, different numbers
    pixel_m : metres of a pixel's width and height
    """
    low, high = range_m
    share = (elevation_m - low) / (high - low)
    tint = np.array(LOW) + share[..., None] * (np.array(HIGH, dtype=np.float64) - np.array(LOW))
    shaded = tint * _light(elevation_m, pixel_m)[..., None]
    shaded[_edges(np.floor(elevation_m / contour_step(high - low)))] *= 1 - _CONTOUR_DARK
    return np.asarray(np.clip(shaded, 0, 255))


def contour_step(range_m: float) -> float:
    """Return the metres between contours, a round number, for about nine contours."""
    return round_below(range_m / _CONTOURS * 1.6)


def round_below(most: float) -> float:
    """Return the largest 1, 2 or 5 times a power of ten up to *most*."""
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (5, 2, 1) if step * power <= most * (1 + 1e-9))


def _light(elevation_m: Pixels, pixel_m: tuple[float, float]) -> Pixels:
    """Return the light on the ground, with gentle slopes exaggerated."""
    south, east = np.gradient(elevation_m, pixel_m[1], pixel_m[0])
    slopes = np.hypot(south, east)
    stretch = min(_STEEP / max(float(np.percentile(slopes, 90)), 1e-9), _MOST_STRETCHED)
    normals = np.stack([-east * stretch, south * stretch, np.ones_like(east)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.asarray(0.45 + 0.75 * np.clip(normals @ _SUN, 0, 1))


def _edges(bands: Pixels) -> NDArray[np.bool_]:
    """Return where a band meets the next one."""
    edge = np.zeros(bands.shape, dtype=bool)
    edge[:, 1:] |= bands[:, 1:] != bands[:, :-1]
    edge[1:] |= bands[1:] != bands[:-1]
    return edge
