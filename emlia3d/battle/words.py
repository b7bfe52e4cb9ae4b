"""Figures as people read them, the same in every explanation."""

from __future__ import annotations

from fractions import Fraction

from emlia3d.field import Field

_LEAST = 0.0005


def figure(number: float) -> str:
    """A number to two places, without idle zeros."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def percent(share: float | Fraction) -> str:
    """A share from 0 to 1 in tenths of a hundredth, never 0% or 100% for what is not."""
    if 0 < share < _LEAST:
        return "under 0.1%"
    if 1 - _LEAST <= share < 1:
        return "over 99.9%"
    return f"{float(share) * 100:.1f}".removesuffix(".0") + "%"


def known_ground(field: Field) -> str:
    """How finely the elevation of the ground is known, in a sentence."""
    ground, scale = field.ground, field.scale
    if ground.is_level:
        return "The ground is level."
    rows, columns = ground.elevation_m.shape
    return (
        f"The ground's elevation is known in {columns} x {rows} cells of {ground.cell:g} GSU "
        f"({scale.metres_of_gsu(ground.cell):g} m)."
    )
