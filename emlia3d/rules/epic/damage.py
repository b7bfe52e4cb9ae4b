"""Saves, and units that are destroyed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Fall
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.epic.columns import NOT_CARRIED
from emlia3d.rules.epic.core import hits as successes
from emlia3d.rules.epic.core import modified, roll
from emlia3d.rules.epic.events import CrossedDanger, Damaged, Destroyed, HitsAllocated
from emlia3d.rules.epic.formations import capacity_left, cell, kind_of, units_of
from emlia3d.rules.epic.terrain import is_hit_by_terrain, terrain_of
from emlia3d.rules.epic.transport.carrying import dismount, landing_tiles
from emlia3d.rules.rulebook import rule


@rule("epic.save.roll")
def unsaved(hits: int, faces: tuple[int, ...], value: int) -> int:
    """Return the number of hits after saves: one die for each hit, no dice without a save."""
    return hits - successes(faces, value)


@rule("epic.save.macro")
def save_against(value: int, *, macro: bool) -> int:
    """Return the save against hits: none against macro-weapons."""
    return 0 if macro else value


def take_hits(
    battle: Battle,
    allocated: Mapping[int, int],
    *,
    cause: str,
    modifier: int = 0,
    macro: bool = False,
) -> Procedure[int]:
    """Apply hits to units, with saves; return the casualties.

    A point of damage of a War Engine also counts as a casualty.

    allocated : hits by unit
    cause : in words, for the event
    modifier : of saves
    """
    casualties = 0
    for unit, hits in allocated.items():
        save = modified(save_against(kind_of(battle, unit).save, macro=macro), modifier)
        faces = roll(battle.dice, "epic.save.roll", hits) if save > 0 else ()
        left = unsaved(hits, faces, save)
        yield Event(
            facts=HitsAllocated(hits=hits, faces=faces, unsaved=left),
            unit=unit,
            gesture="suffer" if left else "none",
            because=("epic.save.macro" if macro else "epic.save.roll",),
            part_of_last=True,
        )
        lost = min(left, capacity_left(battle, unit))
        casualties += lost
        if lost and lost < capacity_left(battle, unit):
            damage = battle.state.units.integer("damage", unit) + lost
            yield Event(
                facts=Damaged(left=capacity_left(battle, unit) - lost),
                unit=unit,
                because=("epic.warengine.damage",),
                changes=(cell(unit, "damage", damage),),
                part_of_last=True,
            )
        elif lost:
            casualties += yield from destroy(battle, unit, cause)
    return casualties


def destroy(battle: Battle, unit: int, cause: str) -> Procedure[int]:
    """Destroy a unit; its passengers save or are destroyed. Return the number of the latter.

    A unit that saves leaves the wreck to its tile or a free neighbour, if there is one.
    """
    units = units_of(battle)
    carried, wreck = units.carried_by(unit), int(units.number[unit])
    yield _destroyed(battle, unit, cause)
    lost = 0
    for row in carried:
        save = kind_of(battle, row).save
        faces = roll(battle.dice, "epic.transport.basic", 1) if save > 0 else ()
        left = unsaved(1, faces, save)
        yield Event(
            facts=HitsAllocated(hits=1, faces=faces, unsaved=left),
            unit=row,
            because=("epic.transport.basic",),
            part_of_last=True,
        )
        free = landing_tiles(battle, row, wreck)
        if left or not free.size:
            lost += 1
            yield _destroyed(battle, row, f"aboard {battle.setup.units[unit].name}")
        else:
            yield dismount(battle, row, int(free[0]))
    return lost


def _destroyed(battle: Battle, unit: int, cause: str) -> Event:
    """Return the event of a unit's destruction, with all its figures."""
    entry, state = kind_of(battle, unit), battle.state
    carried = units_of(battle).carrier[unit] != NOT_CARRIED
    figures = tuple(int(figure) for figure in np.sort(state.roster.standing(unit)))
    return Event(
        facts=Destroyed(cause=cause),
        unit=unit,
        gesture="suffer",
        changes=(
            cell(unit, "damage", entry.dc),
            *((cell(unit, "carrier", NOT_CARRIED),) if carried else ()),
            Fall(unit=unit, figures=figures),
            Add(
                table="side", row=state.units.integer("side", unit), column="destroyed",
                value=entry.points,
            ),
        ),
        part_of_last=True,
    )  # fmt: skip


def cross_danger(battle: Battle, unit: int, tiles: NDArray[np.int64]) -> Procedure[None]:
    """Test a unit that has entered or left tiles for dangerous terrain, once.

    tiles : their numbers
    """
    entry, terrain = kind_of(battle, unit), terrain_of(battle)
    if terrain.is_passed(entry.unit_type, "dangerous")[tiles].any():
        (face,) = roll(battle.dice, "epic.terrain.dangerous", 1)
        hit = is_hit_by_terrain(face)
        yield Event(
            facts=CrossedDanger(face=face, hit=hit),
            unit=unit,
            because=("epic.terrain.dangerous",),
            part_of_last=True,
        )
        if hit:
            yield from take_hits(battle, {unit: 1}, cause="dangerous terrain")
