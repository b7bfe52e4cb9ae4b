"""The position of a field on the earth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Georeference:
    """The position of a field's south-west corner on the earth, and the length of a metre there.

    crs : the coordinate reference system, as WKT
    west, south : of the corner, in its units
    east_per_m, north_per_m : its units to a metre on the field
    """

    crs: str
    west: float = 0.0
    south: float = 0.0
    east_per_m: float = 1.0
    north_per_m: float = 1.0

    def transform(
        self, west_m: float, north_m: float, cell_m: float
    ) -> tuple[float, float, float, float, float, float]:
        """Return the affine transform, a to f, of a raster with its north-west corner there.

        west_m, north_m : metres from the field's south-west corner
        cell_m : metres between centres
        """
        east, north = self.east_per_m, self.north_per_m
        return (
            cell_m * east, 0.0, self.west + west_m * east,
            0.0, -cell_m * north, self.south + north_m * north,
        )  # fmt: skip


NOWHERE = Georeference(
    crs='LOCAL_CS["a field",UNIT["metre",1],AXIS["Easting",EAST],AXIS["Northing",NORTH]]'
)
"""For a field without a position on the earth: metres from its south-west corner."""
