"""A side's knowledge and its options as arrays of fixed size.

Every array is computed from the battle as the side knows it,
`emlia3d.battle.commanders.Picture.battle`, so it contains nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.force import CORE_UNIT_COLUMNS
from emlia3d.force.facing import unit_vector
from emlia3d.force.table import Table
from emlia3d.rulekit.words import WordTable

Floats32 = NDArray[np.float32]

LIMIT = 2.0**24
"""The largest number in an observation; up to it float32 represents every integer."""

DECISION = ("turns", "side", "asks", "unit", "options", "left_out")
SIDE = ("own", "enemy")
UNIT = (
    "known", "own", "enemy", "concerned", "east", "north", "facing_east", "facing_north",
    "members", "strength", "formation", "files",
)  # fmt: skip
OPTION = (
    "verb", "unit", "target", "number", "units", "legs", "has_place", "east", "north",
    "has_facing", "facing_east", "facing_north", "code",
)  # fmt: skip
NONE = -1.0
"""Stands for no unit, no number, or a word that the table of words lacks."""


class ObservationEncoder:
    """Encoder of what a side knows in a battle.

    features : the names of the columns of each array; "battle" is one row
    rows : the number of rows of the arrays "sides", "units" and "options"
    verbs, questions : the words that the numbers in the columns "verb" and "asks" stand for
    """

    def __init__(self, moment: Moment, most: int) -> None:
        state, words = moment.state, moment.system.words
        table = words if isinstance(words, WordTable) else WordTable()
        self.verbs, self.questions = tuple(table.orders), tuple(table.questions)
        self._verb = {verb: float(row) for row, verb in enumerate(self.verbs)}
        self._asks = {slug: float(row) for row, slug in enumerate(self.questions)}
        self._battle, self._side = _names(state.battle), _names(state.sides)
        self._unit = tuple(name for name in _names(state.units) if name not in CORE_UNIT_COLUMNS)
        self._size = moment.setup.field.size
        self.features: Mapping[str, tuple[str, ...]] = {
            "battle": (*DECISION, *self._battle),
            "sides": (*SIDE, *self._side),
            "units": (*UNIT, *self._unit),
            "options": OPTION,
        }
        self.rows = {"sides": len(state.sides), "units": len(state.units), "options": most}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each array, by its name."""
        return {
            name: (self.rows[name], len(columns)) if name in self.rows else (len(columns),)
            for name, columns in self.features.items()
        }

    def arrays(
        self,
        known: Moment,
        side: int,
        decision: Decision | None = None,
        options: Sequence[Order] = (),
        left_out: int = 0,
    ) -> dict[str, Floats32]:
        """Return new arrays of what a side knows.

        known : the battle as the side knows it
        decision : the decision that it must make; None if it need not decide now
        options : its options, at most as many as the array has rows
        left_out : number of options that *options* lacks
        """
        asks = NONE if decision is None else self._asks.get(decision.asks, NONE)
        unit = None if decision is None else decision.unit
        asked = (known.setup.turns, side, asks, _or_none(unit), len(options), left_out)
        battle = known.state.battle
        return {
            "battle": _rounded([*asked, *(battle.value(name, 0) for name in self._battle)]),
            "sides": self._sides(known, side),
            "units": self._units(known, side, unit),
            "options": self._options(options),
        }

    def _sides(self, known: Moment, side: int) -> Floats32:
        sides, own, enemy = known.state.sides, *_relations(known, side)
        return _columns([own, enemy, *(sides[name] for name in self._side)])

    def _units(self, known: Moment, side: int, concerned: int | None) -> Floats32:
        """Return a row for each unit: zeros for a unit that the side does not know of now."""
        units = known.state.units
        whose, (own, enemy) = units.ints("side"), _relations(known, side)
        here = (units["present"] != 0) & (units.ints("members") > 0)
        ahead = np.array([unit_vector(facing) for facing in units.ints("facing").tolist()])
        out = _columns(
            [
                here,
                own[whose],
                enemy[whose],
                np.arange(len(units)) == (-1 if concerned is None else concerned),
                units.floats("x") / self._size[0],
                units.floats("y") / self._size[1],
                *ahead.reshape(-1, 2).T,
                units["members"],
                units["strength"],
                units["formation"],
                units["files"],
                *(units[name] for name in self._unit),
            ]
        )
        out[~here] = 0.0
        return out

    def _options(self, options: Sequence[Order]) -> Floats32:
        out = np.zeros((self.rows["options"], len(OPTION)), dtype=np.float32)
        if options:
            out[: len(options)] = _rounded([self._option(order) for order in options])
        return out

    def _option(self, order: Order) -> tuple[float, ...]:
        last = order.legs[-1] if order.legs else None
        place = order.point if last is None else (last.x, last.y)
        ahead = (0.0, 0.0) if last is None else unit_vector(last.facing)
        east, north = (0.0, 0.0) if place is None else place
        return (
            self._verb.get(order.verb, NONE),
            _or_none(order.unit),
            _or_none(order.target),
            _or_none(order.number),
            len(order.actors),
            len(order.legs),
            place is not None,
            east / self._size[0],
            north / self._size[1],
            last is not None,
            *ahead,
            crc32(repr((order.verb, order.words, order.units, order.legs)).encode()) / 2**32,
        )


def _names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


def _or_none(number: int | None) -> float:
    return NONE if number is None else float(number)


def _relations(known: Moment, side: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which sides are *side* itself, and which are its enemies, each (sides,)."""
    rows = range(len(known.setup.sides))
    enemy = np.array([known.setup.hostile(side, row) for row in rows], dtype=np.bool_)
    return np.arange(len(rows)) == side, enemy


def _columns(columns: Iterable[NDArray[np.generic]]) -> Floats32:
    return _rounded(np.column_stack([column.astype(np.float64) for column in columns]))


def _rounded(values: Sequence[object] | NDArray[np.float64]) -> Floats32:
    """Return values as float32, none beyond `LIMIT`."""
    return np.clip(np.asarray(values, dtype=np.float64), -LIMIT, LIMIT).astype(np.float32)
