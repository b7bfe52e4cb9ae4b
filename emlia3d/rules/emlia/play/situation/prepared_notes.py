"""Notes of prepared actions as the state keeps them: who holds which, and who knows of it.

What a note says is in `emlia3d.rules.emlia.preparation`, how notes are written and carried out in
`emlia3d.rules.emlia.play.charges.preparing`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.derived import Derived, List
from emlia3d.rules.emlia.columns import NoteState
from emlia3d.rules.emlia.preparation import ACTION_CELLS, CELLS, Note, actions_of, occurrence_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_Cells = tuple[float, ...]
"""The columns of one row of a trigger or an action, in the order of the cell names."""


@dataclass(frozen=True, slots=True)
class PreparedNote:
    """A prepared note that waits.

    number : it has the rows of this number in the list "prepared"
    shown : its text is public
    """

    unit: int
    number: int
    note: Note
    shown: bool


def prepared_notes_of(moment: Moment) -> list[PreparedNote]:
    """Return all waiting notes in the order of their writing; cached until one changes."""
    return [*_SLIPS(moment)]


def _read(moment: Moment) -> list[PreparedNote]:
    rows = moment.state.lists["prepared"]
    when: dict[int, list[_Cells]] = {}
    heads: dict[int, int] = {}
    numbers, status = rows.ints("note").tolist(), rows.ints("status").tolist()
    triggers = zip(*(rows[name].tolist() for name in CELLS), strict=True)
    for row, (number, cells) in enumerate(zip(numbers, triggers, strict=True)):
        if status[row] != NoteState.SPENT:
            heads.setdefault(number, row)
            when.setdefault(number, []).append(cells)
    return [
        PreparedNote(
            unit=rows.integer("holder", row),
            number=number,
            note=_note(
                tuple(when[number]), tuple(float(rows.value(name, row)) for name in ACTION_CELLS)
            ),
            shown=status[row] == NoteState.SHOWN,
        )
        for number, row in heads.items()
    ]


_SLIPS = Derived(List("prepared"), make=_read)


@functools.lru_cache(maxsize=1024)
def _note(when: tuple[_Cells, ...], do: _Cells) -> Note:
    """Return the note that rows state; cached, because few distinct notes are read often."""
    return Note(
        when=tuple(occurrence_of(dict(zip(CELLS, cells, strict=True))) for cells in when),
        do=actions_of(dict(zip(ACTION_CELLS, do, strict=True))),
    )


def slips_known_to(moment: Moment, side: int) -> list[PreparedNote]:
    """Return the notes of a side's own units, and the notes shown to all."""
    owner = moment.state.units.ints("side")
    return [slip for slip in prepared_notes_of(moment) if slip.shown or owner[slip.unit] == side]


def status_changes(moment: Moment, number: int, status: NoteState) -> tuple[Change, ...]:
    """Return the changes that give a note another status."""
    numbers = moment.state.lists["prepared"].ints("note").tolist()
    return tuple(
        Set(table="prepared", row=row, column="status", value=status)
        for row, other in enumerate(numbers)
        if other == number
    )


@rule("emlia.prepare.expiry")
def lapsed(moment: Moment, unit: int) -> list[Change]:
    """Return the changes when a unit activates or falls into disorder: its notes lapse."""
    return [
        change
        for slip in prepared_notes_of(moment)
        if slip.unit == unit
        for change in status_changes(moment, slip.number, NoteState.SPENT)
    ]


def trigger_because(ready: int, forced: bool) -> tuple[str, ...]:
    """Return the rules by which one note of so many that are met comes now.

    forced : whether forced moves met it, and no action
    """
    several = ("emlia.prepare.several-units",) if ready > 1 else ()
    return (*several, *(("emlia.forced.triggers-prepared",) if forced else ()))
