"""Words that need no rules: numbers as people read them, questions and orders in plain words."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from emlia3d.field import Field

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.setup import Setup

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


def plain_question(setup: Setup, decision: Decision) -> str:
    """Return a decision as a question to the player."""
    who = setup.sides[decision.side].name
    if decision.unit is not None:
        who = setup.units[decision.unit].name
    return f"{who}: what is to be done?"


def plain_phrase(setup: Setup, order: Order) -> str:
    """Return an order in words: its verb, whom and what it names, where it leads."""
    parts = [order.verb.replace("-", " ")]
    if order.target is not None and order.target != order.unit:
        parts.append(setup.units[order.target].name)
    if order.number is not None:
        parts.append(str(order.number))
    for x, y in (*((leg.x, leg.y) for leg in order.legs[-1:]), *filter(None, (order.point,))):
        parts.append(f"to {figure(x)}, {figure(y)}")
    return " ".join(parts)
