"""Contents of tiles: the level of the ground, and the feature that hinders most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.field.field import Field
from emlia3d.field.hexes.hex_board import HexBoard
from emlia3d.field.terrain import KINDS, Feature

_ROUNDING = 1e-9
"""Levels that the ground may be below a step and count as on it, because heights are rounded."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TileContents:
    """The ground and the terrain of each tile.

    levels : (tiles,) int64, whole steps of the ground above the lowest point of the field's raster
    features : (tiles,) int64, the most hindering feature, by its place in the field; -1: none
    """

    board: HexBoard
    levels: NDArray[np.int64]
    features: NDArray[np.int64]

    @property
    def rises(self) -> NDArray[np.int64]:
        """(tiles, 6), level of each neighbour minus the level of the tile, in the order of `SIDES`.

        It is 0 if there is no neighbour.
        """
        found = self.board.neighbours
        return np.where(found >= 0, self.levels[found] - self.levels[:, None], 0)


def tile_contents(
    field: Field,
    board: HexBoard,
    *,
    system: str,
    hindrance: Mapping[str, int],
    step: float,
    present: Sequence[bool] | None = None,
) -> TileContents:
    """Return the contents of the tiles of a board on a field, for a rule system.

    A feature is in a tile if it covers the tile's centre, or if its own centre is in the tile, so
    that a feature smaller than a tile counts. The most hindering feature in a tile counts; if two
    hinder as much, the first one does. The border of a feature is part of it.

    A feature that does not hinder and is stood on, such as a hill, raises the ground at the
    centres that it covers.

    system : the rule system whose kinds of terrain count
    hindrance : how much each kind hinders, by whole numbers; other kinds do not hinder
    step : the height of a level, height units
    present : whether each feature stands; all if None

    Raises
    ------
    ValueError
        A level whose height is not above 0.
    """
    if not step > 0:
        raise ValueError(f"a level is above 0 height units high, not {step:g}")
    features = field.features
    stands = [True] * len(features) if present is None else present
    kinds = [feature.kind_for(system) for feature in features]
    hinders = [on and kind in hindrance for on, kind in zip(stands, kinds, strict=True)]
    raises = [
        stands[row] and not hinders[row] and _is_stood_on(feature, kinds[row])
        for row, feature in enumerate(features)
    ]
    rows, tiles = _covered(board, [feature.outline for feature in features])
    heights = np.array([feature.height for feature in features], dtype=np.float64)
    east, north = board.grid.centres(board.tiles).T
    ground = field.footing(east, north) - field.scale.heights_of_metres(field.ground.low_m)
    is_raised = np.array(raises, dtype=bool)[rows]
    np.add.at(ground, tiles[is_raised], heights[rows[is_raised]])
    levels = np.floor(ground / step + _ROUNDING).astype(np.int64)

    own_rows, own_tiles = _with_their_centres(board, features)
    rows, tiles = np.concatenate((rows, own_rows)), np.concatenate((tiles, own_tiles))
    is_hindering = np.array(hinders, dtype=bool)[rows]
    rows, tiles = rows[is_hindering], tiles[is_hindering]
    # A feature is stronger the more it hinders, then the earlier it comes.
    amount = np.array([hindrance.get(kind, 0) for kind in kinds], dtype=np.int64)
    order = np.lexsort((-np.arange(len(features)), amount))
    strength = np.empty(len(features), dtype=np.int64)
    strength[order] = np.arange(len(features))
    strongest = np.full(len(board), -1)
    np.maximum.at(strongest, tiles, strength[rows])
    found = np.where(strongest >= 0, np.append(order, -1)[strongest], -1)
    return TileContents(board=board, levels=levels, features=found)


def _is_stood_on(feature: Feature, kind: str) -> bool:
    return KINDS.get(kind, feature.facts).stood_on and feature.height > 0


def _covered(
    board: HexBoard, outlines: Sequence[shapely.Polygon]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each outline with each tile whose centre it covers: rows of both, by outline."""
    if not outlines:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    points = np.array(shapely.points(board.grid.centres(board.tiles)), dtype=object)
    centres = shapely.STRtree(points)
    rows, tiles = centres.query(np.array(outlines, dtype=object), predicate="intersects")
    # The tree gives no order; sums of heights need one to be the same everywhere.
    order = np.lexsort((tiles, rows))
    return rows[order].astype(np.int64), tiles[order].astype(np.int64)


def _with_their_centres(
    board: HexBoard, features: Sequence[Feature]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each feature with the tile that its centre is in, if that is on the board."""
    middles = shapely.get_coordinates(shapely.centroid([each.outline for each in features]))
    tiles = board.numbers(board.grid.tiles_at(middles.reshape(-1, 2)))
    rows = np.flatnonzero(tiles >= 0)
    return rows, tiles[rows]
