"""Sight questions about a raster of elevations alone: no scenario, no troops and no rules.

`open_dem` reads a raster; `line_of_sight`, `viewshed`, `exposure` and `route` ask about it.
Places are given in the coordinate reference system (CRS) of the raster, heights and distances in
metres.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.dem.limits import Limits
    from emlia3d.dem.line import LineOfSight, Run, line_of_sight
    from emlia3d.dem.model import Curvature, ElevationModel, Station, open_dem
    from emlia3d.dem.paths import Exposure, exposure
    from emlia3d.dem.routes import Route, route
    from emlia3d.dem.viewshed_kinds import Show
    from emlia3d.dem.visible_ground import DemViewshed, viewshed

__all__ = [
    "Curvature",
    "DemViewshed",
    "ElevationModel",
    "Exposure",
    "Limits",
    "LineOfSight",
    "Route",
    "Run",
    "Show",
    "Station",
    "exposure",
    "line_of_sight",
    "open_dem",
    "route",
    "viewshed",
]

_HOMES = {
    **dict.fromkeys(["Curvature", "ElevationModel", "Station", "open_dem"], "emlia3d.dem.model"),
    **dict.fromkeys(["LineOfSight", "Run", "line_of_sight"], "emlia3d.dem.line"),
    **dict.fromkeys(["DemViewshed", "viewshed"], "emlia3d.dem.visible_ground"),
    **dict.fromkeys(["Exposure", "exposure"], "emlia3d.dem.paths"),
    **dict.fromkeys(["Route", "route"], "emlia3d.dem.routes"),
    "Limits": "emlia3d.dem.limits",
    "Show": "emlia3d.dem.viewshed_kinds",
}
__getattr__ = on_demand(__name__, _HOMES)
