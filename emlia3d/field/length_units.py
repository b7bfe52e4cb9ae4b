"""Units of height, by the words that rasters and coordinate reference systems use for them."""

from __future__ import annotations

import re
from typing import NamedTuple

from emlia3d.field.raster import RasterFormatError

SURVEY_FOOT_M = 1200 / 3937
"""Length of the US survey foot in metres."""


class Unit(NamedTuple):
    """A unit of length.

    name : name in the plural
    metres : metres in one unit
    """

    name: str
    metres: float


METRES = Unit("metres", 1.0)

_WORDS = {
    METRES: "m|metre|metres|meter|meters",
    Unit("feet", 0.3048): (
        "ft|foot|feet|international foot|international feet|foot international|feet international"
    ),
    Unit("US survey feet", SURVEY_FOOT_M): (
        "ftus|usft|us ft|ft us|foot us|us foot|us feet|feet us|us survey foot|us survey feet|"
        "survey foot|survey feet|foot us survey|u s survey foot|u s survey feet|u s foot|u s feet"
    ),
    Unit("kilometres", 1000.0): "km|kilometre|kilometres|kilometer|kilometers",
    Unit("decimetres", 0.1): "dm|decimetre|decimetres|decimeter|decimeters",
    Unit("centimetres", 0.01): "cm|centimetre|centimetres|centimeter|centimeters",
    Unit("millimetres", 0.001): "mm|millimetre|millimetres|millimeter|millimeters",
    Unit("yards", 0.9144): "yd|yard|yards",
    Unit("fathoms", 1.8288): "fathom|fathoms",
}

_UNITS = {word: unit for unit, words in _WORDS.items() for word in words.split("|")}


def unit_named(word: str) -> Unit:
    """Return the unit with a name; capitals, brackets and strokes make no difference.

    Raises
    ------
    RasterFormatError
        The word is not a known unit.
    """
    plain = " ".join(re.sub(r"[\W_]+", " ", word.casefold()).split())
    unit = _UNITS.get(plain)
    if unit is None:
        raise RasterFormatError(
            f"unit: expected m, km, dm, cm, mm, foot, US survey foot, yard or fathom, "
            f"got {word!r:.60}"
        )
    return unit
