"""Saves, and units that are destroyed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Fall
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.epic.core import hits as successes
from emlia3d.rules.epic.core import modified, roll
from emlia3d.rules.epic.events import Damaged, Destroyed, HitsAllocated
from emlia3d.rules.epic.formations import capacity_left, cell, kind_of
from emlia3d.rules.rulebook import rule


@rule("epic.save.roll")
def unsaved(hits: int, faces: tuple[int, ...], value: int) -> int:
    """Return the hits that saves leave, a die for each hit; without a save there are no dice."""
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
    """Let units take hits, each with its saves; return the casualties.

    A point of a War Engine's damage is a casualty, too.

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
            yield destroyed(battle, unit, cause)
    return casualties


def destroyed(battle: Battle, unit: int, cause: str) -> Event:
    """Return the event by which a unit is destroyed, with all its soldiers."""
    entry, state = kind_of(battle, unit), battle.state
    figures = tuple(int(figure) for figure in np.sort(state.roster.standing(unit)))
    return Event(
        facts=Destroyed(cause=cause),
        unit=unit,
        gesture="suffer",
        changes=(
            cell(unit, "damage", entry.dc),
            Fall(unit=unit, figures=figures),
            Add(
                table="side", row=state.units.integer("side", unit), column="destroyed",
                value=entry.points,
            ),
        ),
        part_of_last=True,
    )  # fmt: skip
