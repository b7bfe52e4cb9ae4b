"""Emlia, chapter 21 as play: the resolution phase.

Until here nothing has changed but by units' own moves. Now, in this order: forced movement,
damage, morale, other effects, markers removed (`emlia.resolve.order`). All of it counts as
simultaneous.

Holds `emlia.resolve`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Append, Change, Clear, Pair, Set
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.columns import LOST, OWN, MoraleNote
from emlia3d.rules.emlia.events.turn import Resolved
from emlia3d.rules.emlia.play.acting import declaring
from emlia3d.rules.emlia.play.charges import preparing
from emlia3d.rules.emlia.play.charges.note_conditions import TriggerEvent
from emlia3d.rules.emlia.play.combat import scenery
from emlia3d.rules.emlia.play.engagement.pushes import in_order
from emlia3d.rules.emlia.play.morale import casualties, morale_update
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.situation.contact import contacts, joined_pairs
from emlia3d.rules.emlia.play.situation.prepared_notes import lapsed, prepared_notes_of
from emlia3d.rules.emlia.play.turn import activation, objectives
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


@rule("emlia.resolve.order", "emlia.resolve.deferred", "emlia.resolve.simultaneous")
def resolve(battle: Battle) -> Procedure[None]:
    """Apply all effects of this step."""
    outlook = morale_update.MoraleInputs(battle)
    before = _Unmoved.of(battle)
    moved = yield from forced.push(battle, outlook)
    yield from declaring.declare_forced(battle, in_order(battle, moved, int))
    yield from _answered(battle, before)
    yield from casualties.update_damage(battle, outlook)
    yield from scenery.batter(battle)
    yield from morale_update.update_morale(battle, outlook)
    yield from forced.run_together(battle, outlook)
    yield from objectives.captures(battle)
    yield _settled(battle, before)


@dataclass(frozen=True, slots=True)
class _Unmoved:
    """The positions before any unit was moved.

    places : of all units, by their rows
    pushes : their number; pushes made in the resolution wait for the next
    """

    places: forced.Places
    pushes: int

    @classmethod
    def of(cls, moment: Moment) -> _Unmoved:
        return cls(forced.places_of(moment), len(moment.state.lists["push"]))


def _answered(battle: Battle, before: _Unmoved) -> Procedure[None]:
    """Let forced moves trigger prepared actions at the end of the first step.

    Their hits count in this resolution; moves that they force wait for the next.
    """
    if forced.may_trigger(battle, before.places):
        yield from preparing.triggered(battle, TriggerEvent(), activation.carry_out)


def settle_turn(moment: Moment) -> Procedure[None]:
    """Record what is known only at the turn's end: units that were attacked and are unharmed."""
    outlook = morale_update.MoraleInputs(moment)
    outlook.turn_ends = True
    yield from morale_update.update_morale(moment, outlook)


@rule("emlia.resolve.remove-markers", "emlia.resolve.other-effects")
def _settled(moment: Moment, before: _Unmoved) -> Event:
    """Other effects; then markers go, and the step is over."""
    state = moment.state
    pushes = state.lists["push"]
    later = [
        {column.name: pushes.value(column.name, row) for column in pushes.columns}
        for row in range(before.pushes, len(pushes))
    ]
    waiting = {(row["attacker"], row["subject"]) for row in later}
    notes = state.lists["note"]
    changes: list[Change] = [
        Set(table="unit", row=unit, column=column, value=value)
        for unit, what in zip(notes["unit"].tolist(), notes["what"].tolist(), strict=True)
        if what == MoraleNote.REORDERED and state.units.value("present", unit)
        for column, value in _reordered(state.units.integer("leader", unit))
    ]
    for unit, what in zip(notes["unit"].tolist(), notes["what"].tolist(), strict=True):
        if what == MoraleNote.BROKE_APART and state.units.value("present", unit):
            changes.append(Set(table="unit", row=unit, column="disordered", value=1))
            changes += lapsed(moment, unit)
    changes += [Clear(table=name) for name in ("marker", "party", "push", "note")]
    if len(state.lists["battering"]):
        changes.append(Clear(table="battering"))
    changes += [Append(table="push", row=row) for row in later]
    changes += _notes_void(moment)
    pairs = state.pairs
    changes += [
        Pair(column=column, a=a, b=b, value=None)
        for column in ("fought", "front")
        for a, b in sorted(pairs[column])
        if not waiting & {(a, b), (b, a)}
    ]
    standing = joined_pairs(moment)
    changes += [
        Pair(column="joined", a=a, b=b, value=None)
        for a, b in sorted(pairs["joined"])
        if (a, b) not in standing
    ]
    touching = set(contacts(moment))
    changes += [
        Pair(column=column, a=a, b=b, value=None)
        for column in ("met", "barred")
        for a, b in sorted(pairs[column])
        if (a, b) not in touching and (b, a) not in touching
    ]
    changes += [
        Set(table="battle", row=0, column="acted", value=0),
        Set(
            table="battle",
            row=0,
            column="resolutions",
            value=state.battle.integer("resolutions", 0) + 1,
        ),
    ]
    return Event(
        facts=Resolved(),
        because=(
            "emlia.resolve.order",
            *_ending(notes["what"].tolist()),
            "emlia.resolve.remove-markers",
            "emlia.resolve.next-step",
        ),
        changes=tuple(changes),
        part_of_last=True,
    )


def _ending(notes: Sequence[int]) -> Iterator[str]:
    """Yield the rules of the other effects that were noted in this step."""
    if MoraleNote.REORDERED in notes:
        yield "emlia.disorder.cure"
    if MoraleNote.BROKE_APART in notes:
        yield "emlia.disorder.causes"


def _notes_void(moment: Moment) -> list[Change]:
    """Units in disorder lose their notes; when none waits any more all are thrown away."""
    units = moment.state.units
    changes = [
        change
        for unit in range(len(units))
        if units.value("disordered", unit)
        for change in lapsed(moment, unit)
    ]
    if len(moment.state.lists["prepared"]) and not prepared_notes_of(moment):
        changes.append(Clear(table="prepared"))
    return changes


def _reordered(leader: int) -> tuple[tuple[str, int], ...]:
    """Return a unit brought back to order; one that had lost its leader has a new one."""
    return (("disordered", 0), ("leader", OWN)) if leader == LOST else (("disordered", 0),)
