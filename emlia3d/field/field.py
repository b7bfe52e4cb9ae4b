"""The field of a battle: its size, its scale, its ground, and the features on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from emlia3d.errors import quoted
from emlia3d.field.ground import Ground
from emlia3d.field.outline import FARTHEST, outline_of_points
from emlia3d.field.scale import Scale
from emlia3d.field.terrain import Feature
from emlia3d.geometry import Surface

Look: TypeAlias = Literal["country", "space"]
"""The setting of a field's picture."""

Cells: TypeAlias = Literal["none", "hexes"]
"""The cells that a field is divided into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The board: from (0, 0) in the south-west to `size` (east, north), GSU.

    Features can reach past the edges and can overlap; each rule system interprets this.

    look : "country" or "space"; it changes only pictures
    cells : "hexes" for a board of hexagonal tiles of 1 GSU (`emlia3d.field.hexes.board_of`)

    Raises
    ------
    ValueError
        A size that is not above 0 or beyond 2^15 GSU, ground of another size, or two features of
        one name.
    """

    size: tuple[float, float]
    scale: Scale
    ground: Ground
    features: tuple[Feature, ...] = ()
    look: Look = "country"
    cells: Cells = "none"

    def __post_init__(self) -> None:
        if not all(math.isfinite(length) and 0 < length <= FARTHEST for length in self.size):
            raise ValueError(f"a field is above 0 and up to {FARTHEST} GSU long and wide")
        if self.ground.size != self.size:
            raise ValueError("the ground is made for a field of another size")
        seen: set[str] = set()
        for feature in self.features:
            if feature.name in seen:
                raise ValueError(f"two features are called {quoted(feature.name)}")
            seen.add(feature.name)

    def feature_named(self, name: str) -> Feature:
        """Return the feature with a name.

        Raises
        ------
        KeyError
            If there is none.
        """
        for feature in self.features:
            if feature.name == name:
                return feature
        raise KeyError(name)

    def surface(self) -> Surface:
        """Return the raster in height units, for geometry; a new object at each call."""
        ground = self.ground
        heights = self.scale.heights_of_metres(ground.elevation_m)
        heights.flags.writeable = False
        return Surface(
            heights=heights,
            cell=ground.cell,
            west=ground.cell / 2,
            north=ground.size[1] - ground.cell / 2,
        )

    def measured_by(self, scale: Scale) -> Field:
        """Return the field in other units, with the same size and heights in metres.

        It has no cells, because tiles are of 1 GSU. Features are moved to the new grid; one that
        becomes empty is left out.
        """
        wider = self.scale.metres_per_gsu / scale.metres_per_gsu
        higher = self.scale.metres_per_height / scale.metres_per_height
        size = (self.size[0] * wider, self.size[1] * wider)
        features = []
        for feature in self.features:
            corners = shapely.get_coordinates(feature.outline)[:-1] * wider
            try:
                outline = outline_of_points(corners.tolist())
            except ValueError:
                continue
            features.append(replace(feature, outline=outline, height=feature.height * higher))
        ground = Ground(
            elevation_m=self.ground.elevation_m, size=size, cell=self.ground.cell * wider
        )
        return Field(
            size=size, scale=scale, ground=ground, features=tuple(features), look=self.look
        )

    def footing(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return heights of the raster at points, height units, in the broadcast shape of x and y.

        Features such as hills and river beds change these heights by the rules of each system.
        """
        return self.scale.heights_of_metres(self.ground.elevations_m(x, y))
