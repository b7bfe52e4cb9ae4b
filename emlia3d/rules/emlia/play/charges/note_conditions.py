"""Emlia, chapter 17 as play: whether the condition of a prepared note is met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Refusal
from emlia3d.rules.emlia.play.acting.triggers import concerned
from emlia3d.rules.emlia.play.combat.bands import bands_of, enemies_within
from emlia3d.rules.emlia.play.combat.targets import Subject, ranging
from emlia3d.rules.emlia.play.situation.prepared_notes import PreparedNote, prepared_notes_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.preparation import NoteTrigger
from emlia3d.rules.emlia.tables.equipment import Band

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True)
class TriggerEvent:
    """An occasion for notes: an action that a unit has completed, or forced moves.

    unit : the unit that acted; None for forced moves
    name : of the action in the list
    """

    unit: int | None = None
    name: str = ""


def in_prospect(moment: Moment) -> list[PreparedNote]:
    """Return the waiting notes, except notes for an enemy in a band that has none.

    Most notes wait for such an enemy, and every action would cause each to be examined.
    """
    bands, entry = bands_of(moment), situation_of(moment).entry

    def is_open(unit: int, occurrence: NoteTrigger) -> bool:
        if occurrence.band is None:
            return True
        found = bands.of(unit, entry(unit).ranged_weapons[occurrence.weapon])
        return bool(found) and min(found.values()) <= Band[occurrence.band.upper()]

    return [
        slip
        for slip in prepared_notes_of(moment)
        if any(is_open(slip.unit, occurrence) for occurrence in slip.note.when)
    ]


def may_be_revealed(moment: Moment, slip: PreparedNote, done: TriggerEvent) -> Refusal | None:
    """Return why a note may not be revealed: unmet by others' actions, or the unit cannot act."""
    units, unit = moment.state.units, slip.unit
    if not units.value("present", unit) or units.value("disordered", unit):
        return Refusal("emlia.prepare.expiry", "the note has lapsed")
    if done.unit == unit or units.value("preparing", unit):
        return Refusal("emlia.prepare.trigger", "a unit cannot trigger its own note")
    if any(_is_met(moment, unit, occurrence, done) for occurrence in slip.note.when):
        return None
    return Refusal("emlia.prepare.conditions", "its condition is not met")


def _is_met(moment: Moment, unit: int, occurrence: NoteTrigger, done: TriggerEvent) -> bool:
    who = occurrence.who
    if occurrence.does is not None:
        if done.name != occurrence.does or (who is not None and who != done.unit):
            return False
        if who is not None and _says_no_more(occurrence):
            return True
        who = done.unit
    about: tuple[int, ...] | None = None if who is None else (who,)
    if occurrence.band is not None:
        about = _in_band(moment, unit, occurrence, about)
    return about != () and bool(concerned(moment, unit, [occurrence], about))


def _says_no_more(occurrence: NoteTrigger) -> bool:
    """Return whether it asks for nothing but who does what, which may be a friend too."""
    named = {"who", "does"}
    return set(occurrence.model_dump(exclude_defaults=True)) <= named


def _in_band(
    moment: Moment, unit: int, occurrence: NoteTrigger, among: Sequence[int] | None
) -> tuple[int, ...]:
    """Return the enemies in the weapon band that an occurrence names, among some or all."""
    assert occurrence.band is not None
    weapon = situation_of(moment).entry(unit).ranged_weapons[occurrence.weapon]
    wanted = Band[occurrence.band.upper()]
    if among is None:
        return tuple(enemies_within(moment, unit, weapon, wanted))
    bands = [(one, ranging(moment, unit, Subject(one), weapon).band) for one in among]
    return tuple(one for one, band in bands if band is not None and band <= wanted)
