"""The ground and its features for the picture."""

from __future__ import annotations

import zlib

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field import Feature, Field
from emlia3d.view.moment.scale import outline_m
from emlia3d.view.moment.scene import DrawnGround, Patch
from emlia3d.view.moment.smoothing import drawn_smooth

DRAWN_AS = {
    "forest": "wood",
    "shrub": "scrub",
    "large-tree": "tree",
    "plough": "field",
    "earthwork": "wall",
}
"""Kinds of terrain that are drawn as another kind."""

DRAWN_ITSELF = {
    "ruin": "ruin",
    "ruins": "ruin",
    "works": "works",
    "storage-tank": "storage-tank",
}
"""Kinds of single rule systems that have their own drawing."""

GRID_GSU = 10.0
"""Grid spacing for judging distances on empty fields, GSU."""

MOUND_CELLS = 384
SLOPE = 0.5  # slope of a drawn hillside: steep, but still walkable


def terrain_of(setup: Setup, state: State, *, stated: bool = False) -> DrawnGround:
    """Return the current field, without destroyed features.

    stated : whether to draw the surface of sight rules, even if its cells are coarse
    """
    field = setup.field
    there = state.features["present"] != 0
    features = [feature for row, feature in enumerate(field.features) if there[row]]
    hills = [feature for feature in features if _is_mound(feature)]
    return DrawnGround(
        elevation_m=_elevation(field, hills, stated=stated).astype(np.float32, order="C"),
        size_m=_size_m(field),
        patches=tuple(_patch(field, feature) for feature in features if feature not in hills),
        look=field.look,
        grid_m=GRID_GSU * field.scale.metres_per_gsu,
    )


def _is_mound(feature: Feature) -> bool:
    return feature.look == "hill" and feature.height > 0


def _size_m(field: Field) -> tuple[float, float]:
    east, north = field.size
    metres = field.scale.metres_per_gsu
    return east * metres, north * metres


def _patch(field: Field, feature: Feature) -> Patch:
    return Patch(
        kind=DRAWN_ITSELF.get(feature.kind) or DRAWN_AS.get(feature.look, feature.look),
        outline_m=(outline_m(feature.outline, field.scale),),
        height_m=float(field.scale.metres_of_heights(feature.height)),
        name=feature.name,
        seed=zlib.crc32(feature.name.encode()),
    )


def _elevation(field: Field, hills: list[Feature], *, stated: bool) -> NDArray[np.float64]:
    """Return elevations at the centres of cells that cover the field, row 0 north, metres.

    It is the raster itself if it fits and its cells are small. Coarse cells are smoothed, and a
    raster that extends beyond the field is resampled. Hills of the scenario become mounds.
    """
    drawn = field.ground
    if not stated:
        drawn = drawn_smooth(drawn, field.scale.metres_per_gsu)
    raster = drawn.elevation_m
    rows, columns = raster.shape
    fits = np.allclose((columns * drawn.cell, rows * drawn.cell), field.size)
    if fits and not hills:
        return raster
    if hills:
        finer = max(1.0, MOUND_CELLS / max(rows, columns))
        rows, columns = round(rows * finer), round(columns * finer)
    east, north = field.size
    x = (np.arange(columns) + 0.5) * east / columns
    y = north - (np.arange(rows) + 0.5) * north / rows
    x, y = np.meshgrid(x, y)
    ground = drawn.elevations_m(x, y)
    for hill in hills:
        ground = ground + _mound(field, hill, x, y)
    return ground


def _mound(
    field: Field, hill: Feature, x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the height a hill adds at each point, metres: a slope at its outline, then level."""
    height_m = float(field.scale.metres_of_heights(hill.height))
    added = np.zeros(x.shape)
    inside = shapely.contains_xy(hill.outline, x, y)
    if not inside.any():
        return added
    depth = shapely.distance(hill.outline.boundary, shapely.points(x[inside], y[inside]))
    run_m = min(height_m / SLOPE, 0.6 * float(depth.max()) * field.scale.metres_per_gsu)
    share = np.clip(depth * field.scale.metres_per_gsu / run_m, 0.0, 1.0)
    added[inside] = height_m * share * share * (3.0 - 2.0 * share)
    return added
