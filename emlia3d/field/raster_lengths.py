"""Metres on the ground for the units of a reference system."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from emlia3d.field.raster import RasterFormatError

SPACINGS_M = 1e-6, 1e6
"""Metres between the centres of a raster lie within these."""

_MOST_LATITUDE = 85.0

_EARTH = 6_378_137.0
_LIKE_EARTH = 0.02
_FLATTENING = 1 / 298.257

_SPHEROID = re.compile(r'(?:SPHEROID|ELLIPSOID)\["[^"]*",([-+0-9.eE]+),([-+0-9.eE]+)')
_PSEUDO_MERCATOR = re.compile(
    r"Mercator[_ ]Auxiliary[_ ]Sphere|Pseudo[- _]?Mercator|EPSG.{1,3}3857", re.I
)


class Ellipsoid(NamedTuple):
    """Equatorial radius in metres, and flattening."""

    radius: float
    flattening: float

    @property
    def is_earth(self) -> bool:
        """True if it is about as large as the earth."""
        return abs(self.radius - _EARTH) <= _LIKE_EARTH * _EARTH

    @property
    def is_wgs84(self) -> bool:
        """True for WGS 84 and ellipsoids within a millimetre of it."""
        return abs(self.radius - _EARTH) < 1e-3 and abs(self.flattening - _FLATTENING) < 1e-8


class Lengths(NamedTuple):
    """Metres of a unit of a reference system, east and north, and what was assumed."""

    east: float
    north: float
    notes: tuple[str, ...] = ()


def ellipsoid_of(crs: str) -> Ellipsoid:
    """Return the ellipsoid of well-known text; that of WGS 84 if it names none."""
    found = _SPHEROID.search(crs)
    if found is None:
        return Ellipsoid(_EARTH, _FLATTENING)
    inverse = float(found[2])
    return Ellipsoid(float(found[1]), 1 / inverse if inverse else 0.0)


def lengths_at(crs: Any, north: float) -> Lengths:
    """Return the lengths of the units of a reference system.

    Parameters
    ----------
    crs : rasterio.crs.CRS
    north : float
        The northing, or the latitude, of the middle of the raster, in units of the system.

    Raises
    ------
    RasterFormatError
        Its units are neither angles nor lengths, or the raster lies too near a pole.
    """
    text = str(crs.to_wkt())
    ellipsoid = ellipsoid_of(text)
    if crs.is_geographic:
        return _of_angles(crs, ellipsoid, north)
    if not crs.is_projected:
        raise RasterFormatError("expected a reference system in degrees or in lengths on a map")
    try:
        metre = float(crs.linear_units_factor[1])
    except Exception as fault:  # rasterio raises its own errors for units that it does not know
        raise RasterFormatError("its reference system names no unit of length") from fault
    if _PSEUDO_MERCATOR.search(text):
        return _of_pseudo_mercator(ellipsoid, metre, north)
    return Lengths(metre, metre)


def metres_per_degree(latitude: float) -> tuple[float, float]:
    """Length of a degree of longitude and of latitude there, metres, to a millionth of one.

    The usual series for the WGS 84 ellipsoid, good to centimetres:
    111412.84 cos p - 93.5 cos 3p + 0.118 cos 5p and
    111132.92 - 559.82 cos 2p + 1.175 cos 4p - 0.0023 cos 6p.
    """
    p = math.radians(latitude)
    east = 111412.84 * math.cos(p) - 93.5 * math.cos(3 * p) + 0.118 * math.cos(5 * p)
    north = (
        111132.92 - 559.82 * math.cos(2 * p) + 1.175 * math.cos(4 * p) - 0.0023 * math.cos(6 * p)
    )
    return _rounded(east), _rounded(north)


def _of_angles(crs: Any, ellipsoid: Ellipsoid, north: float) -> Lengths:
    name, radians = crs.units_factor
    latitude = math.degrees(north * radians)
    if not abs(latitude) < _MOST_LATITUDE:
        raise RasterFormatError(
            f"lies at latitude {latitude:g}; degrees are read up to {_MOST_LATITUDE:g}"
        )
    if ellipsoid.is_wgs84:
        degree = metres_per_degree(latitude)
    else:
        degree = tuple(_rounded(length * math.pi / 180) for length in _radii(ellipsoid, latitude))  # type: ignore[assignment]
    share = math.degrees(radians)
    if abs(share - 1) < 1e-9:
        share = 1.0
    notes = [] if share == 1 else [f"angles in {name}s are converted to degrees"]
    if not ellipsoid.is_earth:
        notes.append(f"lengths fit an ellipsoid of radius {ellipsoid.radius / 1000:.1f} km")
    return Lengths(degree[0] * share, degree[1] * share, tuple(notes))


def _of_pseudo_mercator(ellipsoid: Ellipsoid, metre: float, north: float) -> Lengths:
    """Web Mercator draws the ellipsoid's latitudes like a sphere's."""
    latitude = math.degrees(math.atan(math.sinh(north * metre / ellipsoid.radius)))
    if not abs(latitude) < _MOST_LATITUDE:
        raise RasterFormatError(
            f"lies at latitude {latitude:g}; Web Mercator is read up to {_MOST_LATITUDE:g}"
        )
    across, along = _radii(ellipsoid, latitude)
    shrink = math.cos(math.radians(latitude))
    note = (
        f"Web Mercator stretches lengths; at latitude {latitude:.2f} a metre on it is taken as "
        f"{shrink:.4f} m"
    )
    return Lengths(
        _rounded(metre * across / ellipsoid.radius),
        _rounded(metre * along * shrink / ellipsoid.radius),
        (note,),
    )


def _radii(ellipsoid: Ellipsoid, latitude: float) -> tuple[float, float]:
    """Metres of a radian of longitude and of latitude."""
    p = math.radians(latitude)
    eccentric = ellipsoid.flattening * (2 - ellipsoid.flattening)
    w = math.sqrt(1 - eccentric * math.sin(p) ** 2)
    return ellipsoid.radius * math.cos(p) / w, ellipsoid.radius * (1 - eccentric) / w**3


def _rounded(length: float) -> float:
    """The last bits of a cosine differ between machines; what is made of it must not."""
    return round(length * 2**20) / 2**20
