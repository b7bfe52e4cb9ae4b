"""Emlia, chapter 6 as play: which units stand for themselves, and which are parts of another.

A subunit is a row of its own in the table of units, with its figures, hits and weapons. The one
whose row the others name as their parent is the *head*: its row stands for the mixed unit, which
is ordered, moved and shaken through it, even when its own figures have all fallen.

Holds `emlia.mixed.definition`, `emlia.mixed.acts-as-one`, `emlia.mixed.morale-value` and
`emlia.lead.leader.choice`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Columns, Derived
from emlia3d.rules.emlia.columns import OWN
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.setup import Setup


@rule("emlia.mixed.definition")
def head_of(moment: Moment, unit: int) -> int:
    """Return the row that stands for a row's unit: itself unless it is a part."""
    parent = moment.state.units.integer("parent", unit)
    return unit if parent < 0 else parent


def heads_of(moment: Moment, units: NDArray[np.integer]) -> NDArray[np.integer]:
    """(n,) the same of several rows."""
    parents = moment.state.units.ints("parent")[units]
    return np.where(parents < 0, units, parents)


@rule("emlia.mixed.acts-as-one", "emlia.mixed.sight", "emlia.entity.unit")
def on_field(moment: Moment) -> list[int]:
    """Return the units on the field by number, a mixed unit by its head."""
    return [*_abroad(moment).here]


def stand_for_themselves(moment: Moment) -> NDArray[np.bool_]:
    """(units,) which rows are these."""
    units = moment.state.units
    found: NDArray[np.bool_] = (units.ints("present") != 0) & (units.ints("parent") < 0)
    return found


@rule("emlia.scenario.forces", "emlia.scenario.many-sides")
def hostile_to(moment: Moment, side: int) -> list[int]:
    """Return the units on the field that are hostile to a side."""
    return [*_abroad(moment).hostile[side]]


class _Abroad(NamedTuple):
    """The units on the field.

    hostile : the units hostile to each side
    parts : the answer of `parts_of` for each row that stands for others
    """

    here: list[int]
    hostile: list[list[int]]
    parts: dict[int, tuple[int, ...]]


def _who(moment: Moment) -> _Abroad:
    here = np.flatnonzero(stand_for_themselves(moment)).tolist()
    return _Abroad(here, _hostile(moment, here), _parts(moment))


def _have_men(moment: Moment) -> NDArray[np.bool_]:
    return np.asarray(moment.state.units.ints("members") > 0)


def _hostile(moment: Moment, here: Sequence[int]) -> list[list[int]]:
    """Of some units, who is hostile to each side."""
    side, sides = moment.state.units.ints("side").tolist(), range(len(moment.setup.sides))
    foes = [[moment.setup.hostile(one, other) for other in sides] for one in sides]
    return [[unit for unit in here if foes[one][side[unit]]] for one in sides]


def _parts(moment: Moment) -> dict[int, tuple[int, ...]]:
    units = moment.state.units
    below, found = units.ints("parent"), dict[int, tuple[int, ...]]()
    if (below < 0).all():
        return found
    there = (units.ints("members") > 0) & (units["present"] != 0)
    for head in np.unique(below[below >= 0]).tolist():
        parts = np.flatnonzero((below == head) & there).tolist()
        found[head] = (head, *parts) if units.integer("members", head) else tuple(parts)
    return found


_HAVE_MEN = Derived(Columns("members"), make=_have_men, same=np.array_equal)
_abroad = Derived(Columns("present", "parent", "side"), _HAVE_MEN, make=_who)


@rule("emlia.mixed.origins", "emlia.gloss.subunit")
def parts_of(moment: Moment, unit: int) -> tuple[int, ...]:
    """Return the subunits that have members left, the own row first; of a plain unit itself.

    A row that is a part of another has no parts but itself.
    """
    return _abroad(moment).parts.get(unit, (unit,))


def is_mixed(moment: Moment, unit: int) -> bool:
    """Return whether a row stands for several subunits, or for others than its own members."""
    return parts_of(moment, unit) != (unit,)


def members_of_all(moment: Moment, unit: int) -> int:
    """Return the number of members of a unit, all its subunits together."""
    units = moment.state.units
    return sum(units.integer("members", part) for part in parts_of(moment, unit))


def members_of_each(moment: Moment, units: Sequence[int]) -> NDArray[np.int64]:
    """(n,) the same of several units."""
    found = moment.state.units.ints("members")[np.array(units, dtype=np.intp)].astype(np.int64)
    mixed = _abroad(moment).parts
    for place, unit in enumerate(units if mixed else ()):
        if unit in mixed:
            found[place] = members_of_all(moment, unit)
    return found


Choice = TypeVar("Choice")


def combination(choices: Sequence[tuple[int, Sequence[Choice]]], number: int) -> dict[int, Choice]:
    """Return the choice of each subunit, by row, in the combination with this number.

    choices : of each row in turn, at least one; the last row's change first
    """
    out = {}
    for row, some in reversed(choices):
        number, which = divmod(number, len(some))
        out[row] = some[which]
    return {row: out[row] for row, _ in choices}


def entry_of(setup: Setup, row: int) -> Entry:
    """Return the statistics of a subunit, or of a plain unit."""
    entry = setup.units[row].entry
    assert isinstance(entry, Entry)
    return entry


def is_led_from(moment: Moment, unit: int, row: int) -> bool:
    """Return whether a unit has a leader of its own in this subunit."""
    leader = moment.state.units.integer("leader", unit)
    return leader == row or (leader == OWN and leading_part(moment, unit) == row)


@rule("emlia.mixed.morale-value", "emlia.attr.morale")
def starting_morale(setup: Setup, rows: Sequence[int]) -> int:
    """Return the starting morale of a unit of these subunits: the largest's, first of equals.

    It has no other; casualties count over the whole of it.
    """
    largest = max(rows, key=lambda row: (setup.units[row].muster.members, -row))
    return entry_of(setup, largest).morale


@rule("emlia.lead.leader.choice")
def choices_of_leader(moment: Moment, rows: Sequence[int]) -> list[int]:
    """Return the subunits among which the controller chooses the one whose leader leads them all.

    The most Leadership dice, then the highest army value.
    """

    def worth(row: int) -> tuple[int, float]:
        entry = entry_of(moment.setup, row)
        skill = entry.skill("leadership")
        return (0 if skill is None else skill.dice, entry.army_value)

    best = max(map(worth, rows), default=None)
    return [row for row in rows if worth(row) == best]


def leading_part(moment: Moment, unit: int) -> int:
    """Return the subunit that a unit's own leader is one of; of a plain unit itself.

    Until its controller has chosen it is the first of equals.
    """
    parts = parts_of(moment, unit)
    chosen = moment.state.units.integer("leader", unit)
    if chosen in parts or len(parts) < 2:
        return chosen if chosen in parts else next(iter(parts), unit)
    return choices_of_leader(moment, parts)[0]
