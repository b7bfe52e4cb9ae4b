"""Convert a side's knowledge and decisions to JSON values, and answers to orders.

Each function takes a moment as a side knows it (`emlia3d.battle.commanders.Picture.battle`), so no
value reveals anything else. Units are named by their rows, which never change. Lengths are in
GSU, heights in height units, facings in degrees clockwise from north.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import shapely

from emlia3d.battle.files.orders import order_from_json, order_to_json
from emlia3d.battle.plain_values import is_whole
from emlia3d.battle.questions.options import refusal_of
from emlia3d.errors import cut, quoted
from emlia3d.force import CORE_UNIT_COLUMNS
from emlia3d.force.facing import degrees_of
from emlia3d.force.formation import FORMATIONS
from emlia3d.force.table import Column, Value

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.setup import VictoryCondition


def battle_data(moment: Moment, side: int) -> dict[str, Any]:
    """Return the facts that do not change during a battle.

    The list "units" has an item for each row, including rows that are reserved for parts of units.

    Parameters
    ----------
    side
        Row of the side.
    """
    setup, units = moment.setup, moment.state.units
    return {
        "rules": setup.rules,
        "title": setup.title,
        "turns": setup.turns,
        "side": side,
        "sides": [
            {
                "name": one.name,
                "enemy": setup.hostile(side, row),
                "stance": one.stance,
                **({} if one.objective is None else {"objective": one.objective}),
            }
            for row, one in enumerate(setup.sides)
        ],
        "field": {
            "size": list(setup.field.size),
            "metres_per_gsu": setup.field.scale.metres_per_gsu,
            "metres_per_height": setup.field.scale.metres_per_height,
        },
        "terrain": [
            {"name": one.name, "kind": one.kind, "height": one.height, "rings": _rings(one.outline)}
            for one in setup.field.features
        ],
        "areas": [{"name": one.name, "rings": _rings(one.outline)} for one in setup.areas],
        "victory": [_condition_data(aim) for aim in setup.aims],
        "units": [
            {
                "unit": row,
                "name": unit.name,
                "side": unit.muster.side,
                "kind": unit.kind,
                "strength": units.integer("strength", row),
            }
            for row, unit in enumerate(setup.units)
        ],
    }


def picture_data(moment: Moment) -> dict[str, Any]:
    """Return the current turn, and the units on the field that the side knows of."""
    units, features = moment.state.units, moment.state.features
    own = [column for column in units.columns if column.name not in CORE_UNIT_COLUMNS]
    return {
        "turn": moment.state.turn,
        "units": [
            _unit_data(moment, row, own)
            for row in range(len(units))
            if units.value("present", row) and units.value("members", row)
        ],
        "destroyed": [
            feature.name
            for row, feature in enumerate(moment.setup.field.features)
            if not features.value("present", row)
        ],
    }


def decision_data(moment: Moment, decision: Decision, options: Sequence[Order]) -> dict[str, Any]:
    """Return a decision with the orders that it offers.

    Parameters
    ----------
    options
        The orders by number, from `emlia3d.battle.questions.options.choices`.
    """
    return {
        "asks": decision.asks,
        "unit": decision.unit,
        "question": moment.system.question(moment, decision),
        "options": [
            {
                "option": number,
                **order_to_json(order),
                "phrase": moment.system.phrase(moment, order),
            }
            for number, order in enumerate(options)
        ],
    }


def order_of_answer(answer: Any, decision: Decision, options: Sequence[Order]) -> Order:
    """Return the order that an answer selects or contains.

    Parameters
    ----------
    answer
        The number of an option, an object with that number as "option", or an object that is an
        order in the form of a battle file. In an object, "why" is the commander's reason.
    options
        The orders that `decision_data` numbered.

    Raises
    ------
    ValueError
        If the answer has another form, or if the order is illegal.
    """
    if is_whole(answer):
        return _numbered(answer, options)
    if not isinstance(answer, dict):
        raise ValueError(f"expected the number of an option or an object, got {quoted(answer)}")
    if "option" not in answer:
        order = order_from_json({key: answer[key] for key in answer if key != "side"})
        refusal = refusal_of(decision, order)
        if refusal is not None:
            raise ValueError(f"the order {quoted(order.verb)} is refused: {refusal}")
        return order
    number, why = answer["option"], answer.get("why", "")
    if not is_whole(number) or not isinstance(why, str):
        raise ValueError(f'expected a number as "option" and a text as "why", got {quoted(answer)}')
    order = _numbered(number, options)
    return replace(order, why=cut(why)) if why else order


def _numbered(number: int, options: Sequence[Order]) -> Order:
    if not 0 <= number < len(options):
        raise ValueError(f"expected an option from 0 to {len(options) - 1}, got {quoted(number)}")
    return options[number]


def _unit_data(moment: Moment, row: int, own: Sequence[Column]) -> dict[str, Any]:
    """Return a unit on the field, at the centre of its front line.

    "values" has the cells of its system's columns that differ from the column's default.
    """
    units = moment.state.units
    values = {column: units.value(column.name, row) for column in own}
    return {
        "unit": row,
        "name": moment.setup.units[row].name,
        "side": units.integer("side", row),
        "members": units.integer("members", row),
        "at": [units.value("x", row), units.value("y", row)],
        "facing": degrees_of(units.integer("facing", row)),
        "formation": FORMATIONS[units.integer("formation", row)],
        "files": units.integer("files", row),
        "values": {
            column.name: _cell(column, value)
            for column, value in values.items()
            if value != column.default
        },
    }


def _cell(column: Column, value: Value) -> Value | str:
    """Return the word that a cell's number stands for, or the number."""
    is_word = isinstance(value, int) and 0 <= value < len(column.words)
    return column.words[int(value)] if is_word else value


def _condition_data(aim: VictoryCondition) -> dict[str, Any]:
    """Return the parts of a victory condition that are given."""
    parts = {field.name: getattr(aim, field.name) for field in fields(aim)}
    return {
        name: list(part) if isinstance(part, tuple) else part
        for name, part in parts.items()
        if part not in (None, (), 0, False)
    }


def _rings(outline: BaseGeometry) -> list[list[list[float]]]:
    """Return the outer rings of an outline, each as points [east, north]."""
    pieces = shapely.get_parts(outline)
    return [shapely.get_coordinates(shapely.get_exterior_ring(piece)).tolist() for piece in pieces]
