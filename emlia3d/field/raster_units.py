"""Units of the elevations in a raster, as files and users name them."""

from __future__ import annotations

import re
from typing import NamedTuple

from emlia3d.errors import quoted
from emlia3d.field.raster import RasterFormatError

FOOT_M = 0.3048
SURVEY_FOOT_M = 1200 / 3937

_NAMES: dict[float, tuple[str, ...]] = {
    1.0: ("m", "metre", "metres", "meter", "meters"),
    FOOT_M: ("ft", "foot", "feet", "international foot", "international feet"),
    SURVEY_FOOT_M: (
        "ftus", "us-ft", "us ft", "us survey foot", "us survey feet", "foot_us", "survey foot",
        "u.s. survey foot", "u.s. survey feet",
    ),
    1e-3: ("mm", "millimetre", "millimetres", "millimeter", "millimeters"),
    1e-2: ("cm", "centimetre", "centimetres", "centimeter", "centimeters"),
    1e-1: ("dm", "decimetre", "decimetres", "decimeter", "decimeters"),
    1e3: ("km", "kilometre", "kilometres", "kilometer", "kilometers"),
    0.9144: ("yd", "yard", "yards"),
}  # fmt: skip

METRES_OF = {name: metres for metres, names in _NAMES.items() for name in names}
"""Metres of a unit by each of its names, in small letters."""

_VERTICAL = re.compile(r'VERT(?:_CS|CRS)\[.*?\b(?:LENGTH)?UNIT\["([^"]*)",([-+0-9.eE]+)', re.DOTALL)


class Unit(NamedTuple):
    """The unit of elevations, and who states it: "the band", "the reference system"..."""

    name: str
    metres: float
    stated_by: str


def unit_named(name: str, stated_by: str) -> Unit:
    """Return the unit of a name.

    Raises
    ------
    RasterFormatError
        No unit of length has that name.
    """
    metres = METRES_OF.get(" ".join(name.lower().replace("_", " ").split()))
    metres = METRES_OF.get(name.strip().lower()) if metres is None else metres
    if metres is None:
        known = ", ".join(names[0] for names in _NAMES.values())
        raise RasterFormatError(
            f"{stated_by} states the unit of height {quoted(name)}; expected one of {known}"
        )
    return Unit(name, metres, stated_by)


def unit_of_vertical_axis(crs: str) -> Unit | None:
    """Return the unit of the heights of a compound reference system; None for any other.

    crs : well-known text
    """
    found = _VERTICAL.search(crs)
    if found is None:
        return None
    return Unit(found[1], float(found[2]), "the reference system")
