"""Lengths and heights of a coordinate reference system (CRS), from its PROJJSON description."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from emlia3d.field.length_units import METRES, Unit, unit_named
from emlia3d.field.raster import RasterFormatError

_FARTHEST_LATITUDE = 85

# Semi-major axis, metres, and inverse flattening of WGS 84. GRS 80 differs by 0.1 mm at the poles.
_WGS_84 = 6_378_137.0, 298.257223563

_EARTH_RADII_M = 6.3e6, 6.4e6

_WEB_MERCATOR = "popular visualisation pseudo mercator"
_MERCATORS = ("mercator (variant a)", "mercator (variant b)")

# Steps from a latitude on a sphere to that on an ellipsoid; each adds two decimals for the earth.
_LATITUDE_STEPS = 12


class Lengths(NamedTuple):
    """Metres in a unit of a CRS at a position, east and north, and a note about them or None."""

    east_m: float
    north_m: float
    note: str | None = None


def lengths_at(crs: Any, north: float) -> Lengths:
    """Return the metres in a unit of a CRS at a northing or latitude.

    crs : rasterio's CRS
    north : in the unit of the CRS

    Raises
    ------
    RasterFormatError
        The CRS has no known unit, or the place is too near to a pole.
    """
    if not (crs.is_geographic or crs.is_projected):
        raise RasterFormatError("expected a reference system in degrees or in lengths on a map")
    name, factor = _unit_of(crs)
    if crs.is_geographic:
        degrees = 1.0 if name == "degree" else math.degrees(factor)
        latitude = _checked(north * degrees)
        east, up = metres_per_degree(latitude, _ellipsoid(crs))
        return Lengths(east * degrees, up * degrees)
    conversion = _horizontal(crs).get("conversion") or {}
    method = str(conversion.get("method", {}).get("name", "")).casefold()
    if method == _WEB_MERCATOR:
        radius = (_ellipsoid(crs) or _WGS_84)[0]
        latitude = _checked(_latitude(north * factor / radius, 0.0))
        scale = _rounded(math.cos(math.radians(latitude)))
        note = f"Web Mercator: lengths are multiplied by cos(latitude {latitude:.4g}) = {scale:.4g}"
    elif method in _MERCATORS:
        latitude, scale = _mercator(conversion, _ellipsoid(crs) or _WGS_84, north * factor)
        note = f"Mercator: lengths are multiplied by {scale:.4g}, as at latitude {latitude:.4g}"
    else:
        return Lengths(factor, factor)
    return Lengths(factor * scale, factor * scale, note)


def _mercator(
    conversion: Mapping[str, Any], ellipsoid: tuple[float, float], north_m: float
) -> tuple[float, float]:
    """Return the latitude at a northing of the Mercator projection, and metres to one of the map.

    Source: EPSG Guidance Note 7-2, methods 9804 and 9805.
    """
    given = {one.get("name", "").casefold(): one for one in conversion.get("parameters", ())}
    radius, inverse = ellipsoid
    flat = 1 / inverse if inverse else 0.0
    eccentricity = math.sqrt(flat * (2 - flat))
    at_equator = float(given.get("scale factor at natural origin", {"value": 1.0})["value"])
    if "latitude of 1st standard parallel" in given:
        parallel = _degrees(given["latitude of 1st standard parallel"])
        at_equator = _parallel_radius(parallel, eccentricity)
    origin_m = _metres(given.get("false northing", 0.0))
    latitude = _checked(_latitude((north_m - origin_m) / (radius * at_equator), eccentricity))
    return latitude, _rounded(_parallel_radius(latitude, eccentricity) / at_equator)


def _latitude(isometric: float, eccentricity: float) -> float:
    """Return the latitude in degrees of an isometric latitude, which Mercator draws to scale."""
    found = 2 * math.atan(math.exp(isometric)) - math.pi / 2
    for _ in range(_LATITUDE_STEPS):
        aside = eccentricity * math.sin(found)
        stretch = ((1 + aside) / (1 - aside)) ** (eccentricity / 2)
        found = 2 * math.atan(math.exp(isometric) * stretch) - math.pi / 2
    return math.degrees(found)


def _parallel_radius(latitude: float, eccentricity: float) -> float:
    """Return the radius of a parallel, in radii of the equator."""
    p = math.radians(latitude)
    return math.cos(p) / math.sqrt(1 - (eccentricity * math.sin(p)) ** 2)


def _rounded(scale: float) -> float:
    """Return a scale without the last bits of a cosine, which differ between machines."""
    return round(scale * 2**40) / 2**40


def metres_per_degree(
    latitude: float, ellipsoid: tuple[float, float] | None = None
) -> tuple[float, float]:
    """Return the lengths of a degree of longitude and of latitude, metres, within a millionth.

    latitude : degrees
    ellipsoid : semi-major axis in metres and inverse flattening, 0 for a sphere; None for WGS 84

    For WGS 84 it is the usual series, good to centimetres:
    111412.84 cos p - 93.5 cos 3p + 0.118 cos 5p and
    111132.92 - 559.82 cos 2p + 1.175 cos 4p - 0.0023 cos 6p. For another ellipsoid it is the
    radius of curvature in the prime vertical, N cos p, and in the meridian, M.
    """
    p = math.radians(latitude)
    if ellipsoid is None or _is_wgs_84(ellipsoid):
        east = 111412.84 * math.cos(p) - 93.5 * math.cos(3 * p) + 0.118 * math.cos(5 * p)
        north = (
            111132.92
            - 559.82 * math.cos(2 * p)
            + 1.175 * math.cos(4 * p)
            - 0.0023 * math.cos(6 * p)
        )
    else:
        radius, inverse = ellipsoid
        flat = 1 / inverse if inverse else 0.0
        squared = flat * (2 - flat)
        w = 1 - squared * math.sin(p) ** 2
        east = math.radians(radius / math.sqrt(w) * math.cos(p))
        north = math.radians(radius * (1 - squared) / w**1.5)
    # A cosine's last bit differs between machines; the result must not.
    return round(east * 2**20) / 2**20, round(north * 2**20) / 2**20


def height_unit(crs: Any) -> Unit | None:
    """Return the unit of a CRS's vertical axis; None if it has no such axis.

    Raises
    ------
    RasterFormatError
        The axis points down, or its unit is unknown.
    """
    described = _described(crs)
    vertical = next((one for one in _parts(described) if one.get("type") == "VerticalCRS"), None)
    axes = _horizontal(crs).get("coordinate_system", {}).get("axis", [])[2:]
    if vertical is not None:
        axes = vertical.get("coordinate_system", {}).get("axis", [])
    if not axes:
        return None
    if str(axes[0].get("direction", "up")).casefold() == "down":
        raise RasterFormatError("expected heights, got depths: the vertical axis points down")
    unit = axes[0].get("unit", "metre")
    if isinstance(unit, str):
        return unit_named(unit)
    factor = unit.get("conversion_factor")
    if not _is_length(factor):
        raise RasterFormatError(f"expected a vertical axis with a known unit, got {unit!s:.60}")
    return Unit(str(unit.get("name", "units"))[:40], float(factor))


def horizontal_wkt(crs: Any) -> str:
    """Return a CRS without its vertical axis, as well-known text.

    Heights that were converted to metres do not fit a vertical axis in another unit.
    """
    horizontal = dict(_horizontal(crs))
    system = dict(horizontal.get("coordinate_system", {}))
    if len(_parts(_described(crs))) == 1 and len(system.get("axis", [])) <= 2:
        return str(crs.to_wkt())
    system["axis"] = system["axis"][:2]
    horizontal["coordinate_system"] = system
    horizontal.pop("id", None)
    return str(type(crs).from_user_input(json.dumps(horizontal)).to_wkt())


def is_earthly(crs: Any) -> bool:
    """Return whether a CRS, or none, is on a body with about the radius of the earth."""
    ellipsoid = None if crs is None else _ellipsoid(crs)
    return ellipsoid is None or _EARTH_RADII_M[0] <= ellipsoid[0] <= _EARTH_RADII_M[1]


def _unit_of(crs: Any) -> tuple[str, float]:
    try:
        name, factor = crs.units_factor
    except Exception as fault:  # rasterio has several errors for a CRS without units
        raise RasterFormatError("expected a reference system with units, got none") from fault
    if not _is_length(factor) or name == "unknown":
        raise RasterFormatError(f"expected a reference system with units, got {name!r:.60}")
    return str(name), float(factor)


def _is_length(factor: object) -> bool:
    return isinstance(factor, int | float) and math.isfinite(factor) and factor > 0


def _checked(latitude: float) -> float:
    if not abs(latitude) < _FARTHEST_LATITUDE:
        raise RasterFormatError(
            f"lies at latitude {latitude:g}; degrees are read up to {_FARTHEST_LATITUDE}"
        )
    return latitude


def _is_wgs_84(ellipsoid: tuple[float, float]) -> bool:
    return ellipsoid[0] == _WGS_84[0] and abs(ellipsoid[1] - _WGS_84[1]) < 1e-3


def _described(crs: Any) -> Mapping[str, Any]:
    """Return a CRS as PROJJSON; empty if PROJ has none for it."""
    try:
        found = crs.to_dict(projjson=True)
    except Exception:
        return {}
    return found if isinstance(found, Mapping) else {}


def _parts(described: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the simple systems that a compound or bound one consists of."""
    if "source_crs" in described:
        return _parts(described["source_crs"])
    if "components" in described:
        return [part for one in described["components"] for part in _parts(one)]
    return [described]


def _horizontal(crs: Any) -> Mapping[str, Any]:
    return _parts(_described(crs))[0]


def _ellipsoid(crs: Any) -> tuple[float, float] | None:
    """Return semi-major axis in metres and inverse flattening, 0 for a sphere; None if unknown."""
    found: Mapping[str, Any] = _horizontal(crs)
    while "base_crs" in found:
        found = found["base_crs"]
    body = (found.get("datum") or found.get("datum_ensemble") or {}).get("ellipsoid")
    if not body:
        return None
    if "radius" in body:
        return _metres(body["radius"]), 0.0
    long_m = _metres(body["semi_major_axis"])
    if "inverse_flattening" in body:
        return long_m, float(body["inverse_flattening"])
    short_m = _metres(body["semi_minor_axis"])
    return long_m, 0.0 if short_m == long_m else long_m / (long_m - short_m)


def _metres(length: Any) -> float:
    """Return a length of PROJJSON, which is a number or a value with its unit, in metres."""
    if not isinstance(length, Mapping):
        return float(length)
    unit = length.get("unit", "metre")
    factor = METRES.metres if isinstance(unit, str) else float(unit["conversion_factor"])
    return float(length["value"]) * factor


def _degrees(angle: Mapping[str, Any]) -> float:
    """Return an angle of PROJJSON, a value with its unit, in degrees."""
    unit = angle.get("unit", "degree")
    value = float(angle["value"])
    return value if isinstance(unit, str) else math.degrees(value * unit["conversion_factor"])
