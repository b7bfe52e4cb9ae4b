"""The board: its scale, its ground, and the terrain on it, before any rule and any troops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.field.elevation_rasters import (
        RASTER_ENDINGS,
        Elevation,
        elevation_in,
        fill_holes,
        read_elevation,
        read_raster,
    )
    from emlia3d.field.field import Field
    from emlia3d.field.georeference import NOWHERE, Georeference
    from emlia3d.field.geotiff import georeference_of
    from emlia3d.field.geotiff_writing import Category, can_write_geotiff, write_geotiff
    from emlia3d.field.ground import Ground
    from emlia3d.field.outline import (
        outline_of_circle,
        outline_of_path,
        outline_of_points,
        sample_points,
        snapped,
    )
    from emlia3d.field.placement import ANCHORS, placed
    from emlia3d.field.raster import Raster, Reading
    from emlia3d.field.raster_files import companions_of
    from emlia3d.field.relief import Relief, relief_faults, relief_of
    from emlia3d.field.scale import Scale
    from emlia3d.field.scattering import scatter
    from emlia3d.field.sibling_files import sibling_path
    from emlia3d.field.terrain import (
        KINDS,
        OTHER_NAMES,
        Feature,
        TerrainKind,
        feature_of,
        kind_named,
    )

__all__ = [
    "ANCHORS",
    "KINDS",
    "NOWHERE",
    "OTHER_NAMES",
    "RASTER_ENDINGS",
    "Category",
    "Elevation",
    "Feature",
    "Field",
    "Georeference",
    "Ground",
    "Raster",
    "Reading",
    "Relief",
    "Scale",
    "TerrainKind",
    "can_write_geotiff",
    "companions_of",
    "elevation_in",
    "feature_of",
    "fill_holes",
    "georeference_of",
    "kind_named",
    "outline_of_circle",
    "outline_of_path",
    "outline_of_points",
    "placed",
    "read_elevation",
    "read_raster",
    "relief_faults",
    "relief_of",
    "sample_points",
    "scatter",
    "sibling_path",
    "snapped",
    "write_geotiff",
]

_NAMES = {
    "elevation_rasters": (
        "RASTER_ENDINGS",
        "Elevation",
        "elevation_in",
        "fill_holes",
        "read_elevation",
        "read_raster",
    ),
    "field": ("Field",),
    "georeference": ("NOWHERE", "Georeference"),
    "geotiff": ("georeference_of",),
    "geotiff_writing": ("Category", "can_write_geotiff", "write_geotiff"),
    "ground": ("Ground",),
    "scattering": ("scatter",),
    "outline": (
        "outline_of_circle",
        "outline_of_path",
        "outline_of_points",
        "snapped",
        "sample_points",
    ),
    "placement": ("ANCHORS", "placed"),
    "raster": ("Raster", "Reading"),
    "raster_files": ("companions_of",),
    "relief": ("Relief", "relief_faults", "relief_of"),
    "scale": ("Scale",),
    "sibling_files": ("sibling_path",),
    "terrain": (
        "KINDS",
        "OTHER_NAMES",
        "Feature",
        "TerrainKind",
        "feature_of",
        "kind_named",
    ),
}
__getattr__ = on_demand(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _NAMES.items() for name in names},
)
