"""Colours of the picture."""

from __future__ import annotations

from typing import TypeAlias

Colour: TypeAlias = tuple[float, float, float, float]
"""Red, green, blue and opacity, 0 to 1."""


def colour_of(text: str, alpha: float = 1.0) -> Colour:
    """Parse a colour "#rrggbb"."""
    red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue, alpha
