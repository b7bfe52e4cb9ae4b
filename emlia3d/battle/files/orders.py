"""Orders as lines of a battle file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import msgspec
from msgspec import Struct, structs

from emlia3d.battle.decisions import Leg, Order, Step
from emlia3d.battle.plain_values import Number, Whole
from emlia3d.errors import cut


def order_to_json(order: Order) -> dict[str, Any]:
    """Return the order as plain JSON values, without empty fields."""
    body: dict[str, Any] = {"order": order.verb}
    for name in ("unit", "target", "number"):
        if getattr(order, name) is not None:
            body[name] = getattr(order, name)
    if order.units:
        body["units"] = list(order.units)
    if order.point is not None:
        body["point"] = list(order.point)
    if order.legs:
        body["legs"] = [_leg_to_json(leg) for leg in order.legs]
    for name in ("words", "why"):
        if getattr(order, name):
            body[name] = getattr(order, name)
    return body


class _LegBody(Struct, kw_only=True, forbid_unknown_fields=True):
    """Leg in a battle file."""

    step: Step
    x: Number
    y: Number
    facing: Whole
    formation: Whole
    files: Whole
    mode: str = ""
    altitude: Number = 0.0


class _OrderBody(Struct, kw_only=True, forbid_unknown_fields=True):
    """Order in a battle file; the key "side" belongs to the line, not to the order."""

    order: str
    unit: Whole | None = None
    target: Whole | None = None
    number: Whole | None = None
    units: tuple[Whole, ...] = ()
    point: tuple[Number, Number] | None = None
    legs: tuple[_LegBody, ...] = ()
    words: str = ""
    why: str = ""
    side: Any = None


def order_from_json(body: Any) -> Order:
    """Return the order that `order_to_json` wrote; raise ValueError for other values."""
    try:
        read = msgspec.convert(body, _OrderBody)
    except msgspec.ValidationError as flaw:
        raise ValueError(f"no order: {cut(str(flaw))}") from None
    return Order(
        verb=read.order,
        unit=read.unit,
        target=read.target,
        number=read.number,
        units=read.units,
        point=read.point,
        legs=tuple(Leg(**structs.asdict(leg)) for leg in read.legs),
        words=read.words,
        why=read.why,
    )


_MAY_BE_LEFT_OUT = {"mode": "", "altitude": 0.0}
"""Fields of a leg that are written only if they differ from these defaults."""


def _leg_to_json(leg: Leg) -> dict[str, Any]:
    body = {field.name: getattr(leg, field.name) for field in fields(Leg)}
    return {name: cell for name, cell in body.items() if cell != _MAY_BE_LEFT_OUT.get(name)}
