"""The part of a raster that a field uses: placed by an anchor, or by coordinates."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from emlia3d.field.georeference import Georeference
from emlia3d.field.scale import Scale

ANCHORS = {
    "south-west": (0.0, 0.0),
    "south": (0.5, 0.0),
    "south-east": (1.0, 0.0),
    "west": (0.0, 0.5),
    "centre": (0.5, 0.5),
    "east": (1.0, 0.5),
    "north-west": (0.0, 1.0),
    "north": (0.5, 1.0),
    "north-east": (1.0, 1.0),
}
"""Points of a rectangle, as shares of its width from the west and of its height from the south."""


class Placement(NamedTuple):
    """Position of a field on a raster.

    corner : of the field, GSU east and north of the raster's south-west corner
    georeference : of the field; None without one of the raster
    note : the part of the raster in use, in one line; None if that is all of it
    """

    corner: tuple[float, float]
    georeference: Georeference | None
    note: str | None


def placed(  # noqa: PLR0913  the properties of both, each by its name
    shape: tuple[int, int],
    cell_m: float,
    size: tuple[float, float],
    scale: Scale,
    *,
    georeference: Georeference | None = None,
    anchor: str = "south-west",
    at: tuple[float, float] | None = None,
) -> Placement:
    """Return the position of a field on a raster with square cells.

    shape : rows and columns of the raster
    size : of the field, east and north, GSU
    georeference : of the raster
    anchor : the point of the field that lies on the same point of the raster, to a whole cell
    at : coordinates of that point of the field in the raster's reference system, in place of the
        raster's point

    Raises
    ------
    ValueError
        Coordinates for a raster without a reference system.
    """
    east, north = ANCHORS[anchor]
    raster_m = shape[1] * cell_m, shape[0] * cell_m
    field_m = scale.metres_of_gsu(size[0]), scale.metres_of_gsu(size[1])
    if at is None:
        # Whole cells, so that the surface is not resampled.
        west_m = max(round(east * (raster_m[0] - field_m[0]) / cell_m), 0) * cell_m
        south_m = max(round(north * (raster_m[1] - field_m[1]) / cell_m), 0) * cell_m
    elif georeference is None:
        raise ValueError("at: expected a raster with a reference system, got one without")
    else:
        west_m = (at[0] - georeference.west) / georeference.east_per_m - east * field_m[0]
        south_m = (at[1] - georeference.south) / georeference.north_per_m - north * field_m[1]
    if georeference is not None:
        georeference = replace(
            georeference,
            west=georeference.west + west_m * georeference.east_per_m,
            south=georeference.south + south_m * georeference.north_per_m,
        )
    corner = scale.gsu_of_metres(west_m), scale.gsu_of_metres(south_m)
    note = None
    if max(raster_m[0] - field_m[0], raster_m[1] - field_m[1]) >= cell_m:
        if at is not None:
            start = f"from {west_m:,.0f} m east and {south_m:,.0f} m north of its south-west corner"
        elif "-" in anchor:
            start = f"from the {anchor} corner"
        else:
            start = "around its centre" if anchor == "centre" else f"at its {anchor} edge"
        note = (
            f"uses {field_m[0]:,.0f} x {field_m[1]:,.0f} m of {raster_m[0]:,.0f} x "
            f"{raster_m[1]:,.0f} m, {start}"
        )
    return Placement(corner, georeference, note)
