"""Observers of a question about a field: units, sides and points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from emlia3d.battle.questions.area import Observer
from emlia3d.battle.spare_rows import used_rows
from emlia3d.battle.unit_outlines import places_of
from emlia3d.errors import Error
from emlia3d.field.hexes import named_place
from emlia3d.scenario.file_model import MOST_HEIGHT
from emlia3d.scenario.messages import nearest, shown
from emlia3d.scenario.pairs import absent

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.field import Field
    from emlia3d.scenario.scenario import Scenario


def posts_of(scenario: Scenario, moment: Moment, words: Sequence[str]) -> list[Observer]:
    """Return the observers: named units, all units of named sides, and figures at points.

    words : names of units or sides, or points "x,y" or "x,y,h"; on a field of tiles, tiles

    Raises
    ------
    Error
        There is no word, or a word names nothing on the field.
    """
    if not words:
        raise Error(f"{scenario.name}: expected an observer: a unit, a side, or a point x,y")
    return list(dict.fromkeys(_posts(scenario, moment, words)))


def _posts(scenario: Scenario, moment: Moment, words: Sequence[str]) -> Iterator[Observer]:
    setup = moment.setup
    rows = {setup.units[row].name: row for row in used_rows(moment)}
    sides = {side.name: row for row, side in enumerate(setup.sides)}
    for word in words:
        if word in rows:
            ready = list(_leaves(moment, rows[word]))
            if not ready:
                raise Error(f"{scenario.name}: {absent(moment, rows[word])}")
            yield from ready
        elif word in sides:
            ready = list(_of_side(moment, sides[word]))
            if not ready:
                told = "yet" if moment.state.turn == 0 else "now"
                raise Error(f"{scenario.name}: no unit of {word} is on the field {told}")
            yield from ready
        elif is_place(word):
            yield _at_place(scenario, word)
        elif word in {feature.name for feature in setup.field.features}:
            told = f"{word} is terrain; expected a unit, a side or a point x,y"
            raise Error(f"{scenario.name}: {told}")
        else:
            told = f"unknown unit or side {shown(word)}; {nearest(word, [*rows, *sides])}"
            raise Error(f"{scenario.name}: {told}")


def _of_side(moment: Moment, side: int) -> Iterator[Observer]:
    """Yield the units of a side that are on the field."""
    for row, unit in enumerate(moment.setup.units):
        if unit.muster.parent < 0 and moment.state.units.integer("side", row) == side:
            yield from _leaves(moment, row)


def _leaves(moment: Moment, row: int) -> Iterator[Observer]:
    """Yield a unit that is on the field, or its parts."""
    setup = moment.setup
    if len(places_of(moment.state, row)):
        yield Observer(name=setup.units[row].name, unit=row)
        return
    for below, unit in enumerate(setup.units):
        if unit.muster.parent == row:
            yield from _leaves(moment, below)


def is_place(word: str) -> bool:
    """Return whether a word consists of numbers and commas, valid or not."""
    try:
        return len([float(part) for part in word.split(",")]) > 1
    except ValueError:
        return False


def _at_place(scenario: Scenario, word: str) -> Observer:
    numbers = [float(part) for part in word.split(",")]
    if not 2 <= len(numbers) <= 3 or not all(map(math.isfinite, numbers)):
        told = f"{word} is not a point: expected x,y or x,y,h"
        raise Error(f"{scenario.name}: {told}")
    on_height = numbers[2] if numbers[2:] else 0.0
    try:
        place = named_place(scenario.setup.field, word)
    except ValueError as fault:
        raise Error(f"{scenario.name}: {fault}") from None
    check_on_field(scenario, scenario.setup.field, place, word)
    if not 0 <= on_height <= MOST_HEIGHT:
        told = f"{word}: h is a number of height units above the ground, up to {MOST_HEIGHT}"
        raise Error(f"{scenario.name}: {told}")
    return Observer(name=word, place=place, on_height=on_height)


def check_on_field(scenario: Scenario, field: Field, place: tuple[float, float], word: str) -> None:
    """Raise Error if a point, written as *word*, is off the field."""
    east, north = field.size
    if not (0 <= place[0] <= east and 0 <= place[1] <= north):
        told = f"{word} is not on the field, which is {east:g} x {north:g} GSU"
        raise Error(f"{scenario.name}: {told}")
