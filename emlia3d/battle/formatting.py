"""Texts that need no rules: formatted numbers, and words for events, orders and decisions."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from emlia3d.battle.questions.captions import caption
from emlia3d.battle.questions.order_kinds import OrderKind, common_kind
from emlia3d.field import Field

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.events import Event
    from emlia3d.battle.moment import Moment

_LEAST = 0.0005
_DECIMAL = re.compile(r"\d+\.\d+")


def format_value(number: float) -> str:
    """Return a number with at most two decimal places."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rounded(text: str) -> str:
    """Return a text with its decimal fractions rounded: to integers from 10 on, else to tenths."""
    return _DECIMAL.sub(_rounded, text)


def _rounded(found: re.Match[str]) -> str:
    number = float(found[0])
    return format_value(round(number) if number >= 10 else round(number, 1))


def format_height(height: float) -> str:
    """Return a height with its unit, such as 1 height unit or 2.5 height units."""
    told = format_value(height)
    return f"{told} height unit{'' if told == '1' else 's'}"


def percent(share: float | Fraction) -> str:
    """Return a proportion from 0 to 1 as a percentage with at most one decimal place.

    Only exactly 0 and 1 become 0% and 100%.
    """
    if 0 < share < _LEAST:
        return "under 0.1%"
    if 1 - _LEAST <= share < 1:
        return "over 99.9%"
    return f"{float(share) * 100:.1f}".removesuffix(".0") + "%"


def known_ground(field: Field) -> str:
    """Return a sentence about the resolution of the ground's elevation."""
    ground, scale = field.ground, field.scale
    if ground.is_level:
        return "The ground is level."
    rows, columns = ground.elevation_m.shape
    return (
        f"The ground's elevation is known in {columns} x {rows} cells of {ground.cell:g} GSU "
        f"({scale.metres_of_gsu(ground.cell):g} m)."
    )


class Words:
    """Default words for events, orders and decisions, for systems without their own.

    A system's own words are an `emlia3d.rulekit.words.WordTable`.
    """

    __slots__ = ()

    def sentence(self, moment: Moment, event: Event) -> str:
        """Return a sentence for the log about an event just applied; "" to leave it out."""
        return caption(moment.setup, event)

    def reporter(self, moment: Moment) -> Callable[[Event], str]:
        """Return a function from an event just applied to its sentence in a report.

        The sentence "" leaves the event out.
        """
        return lambda event: self.sentence(moment, event)

    def phrase(self, moment: Moment, order: Order) -> str:
        """Return an order as an answer to choose."""
        setup, parts = moment.setup, [order.verb.replace("-", " ")]
        if order.target is not None and order.target != order.unit:
            parts.append(setup.units[order.target].name)
        if order.number is not None:
            parts.append(str(order.number))
        for x, y in (*((leg.x, leg.y) for leg in order.legs[-1:]), *filter(None, (order.point,))):
            parts.append(f"to {format_value(x)}, {format_value(y)}")
        words = " ".join(parts)
        who = ", ".join(setup.units[unit].name for unit in order.actors)
        return f"{who}: {words}" if who else words

    def kind(self, order: Order) -> OrderKind:
        """Return the kind of an order, by which a list is grouped."""
        return common_kind(order)

    def question(self, moment: Moment, decision: Decision) -> str:
        """Return a decision as a question to the player."""
        setup = moment.setup
        who = setup.sides[decision.side].name
        if decision.unit is not None:
            who = setup.units[decision.unit].name
        return f"{who}: select an order"
