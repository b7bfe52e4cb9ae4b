"""Units at the start of a battle: on tiles, or not yet deployed."""

from __future__ import annotations

from collections.abc import Iterable

from emlia3d.battle.changes import Change
from emlia3d.battle.entries import Advice, Fault
from emlia3d.battle.setup import Setup
from emlia3d.field.hexes import HexBoard, board_of
from emlia3d.rules.epic.deployment.deployment_strips import SLUG, STRIP_ROWS, strip_along
from emlia3d.rules.epic.formations import cell, is_in_cohesion
from emlia3d.rules.epic.terrain import terrain_on
from emlia3d.rules.epic.transport.carrying import carried_at_start
from emlia3d.rules.epic.unit_set import entry_of, formation_of


def changes_of_waiting(setup: Setup) -> tuple[Change, ...]:
    """Return the changes that mark units that sides must deploy."""
    carried = carried_at_start(setup)
    return tuple(
        cell(row, "waits", 1)
        for row, unit in enumerate(setup.units)
        if not unit.placed and row not in carried
    )


def faults_of_tiles(setup: Setup, board: HexBoard) -> Iterable[Fault]:
    """Yield the errors of units on impassable tiles, and of formations.

    A formation must have tiles for all its units that are not carried, or for none.
    """
    terrain, carried = terrain_on(setup.field, board), carried_at_start(setup)
    tiles = board.grid.tiles_at([unit.muster.at for unit in setup.units])
    for row, unit in enumerate(setup.units):
        if not unit.placed:
            continue
        number = int(board.numbers(tiles[row]))
        if number >= 0 and terrain.is_passed(entry_of(setup, row).unit_type, "impassable")[number]:
            told = f"tile: {unit.name} cannot enter the terrain there"
            yield Fault(message=told, at=("unit", row, "tile"))
    for row, unit in enumerate(setup.units):
        if formation_of(setup, row) != row:
            continue
        rows = [each for each in (row, *setup.followers_of(row)) if each not in carried]
        missing = [each for each in rows if not setup.units[each].placed]
        if missing and len(missing) < len(rows):
            told = (
                f"tile is missing: expected [q, r], as for other units of {unit.name}'s formation"
            )
            yield Fault(message=told, at=("unit", missing[0]))
        elif not missing and not is_in_cohesion(tiles[rows]):
            told = f"tile: the formation of {unit.name} is out of cohesion"
            yield Fault(message=told, at=("unit", row, "tile"))


def advice_on_strips(setup: Setup) -> list[Advice]:
    """Return advice on units that start outside the strip of their side."""
    board, found = board_of(setup.field), []
    for row, unit in enumerate(setup.units):
        edge = str(setup.lines_of(row))
        number = board.numbers(board.grid.tiles_at(unit.muster.at))
        if unit.placed and not strip_along(board, edge)[number]:
            told = f"it starts outside the {STRIP_ROWS} rows of tiles nearest to the {edge} edge"
            found.append(Advice(slug=SLUG, told=told, about=("unit", unit.name)))
    return found
