"""Emlia, chapters 6 and 10 as play: what becomes of the state where two units are one, or one two.

A mixed unit has one of everything that its head's row keeps; its subunits keep their figures,
wounds and weapons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.changes import Append, Belong, Change, Clear, Pair, Set
from emlia3d.force.table import Value
from emlia3d.rules.emlia.columns import OWN
from emlia3d.rules.emlia.play.situation.parts import entry_of, members_of_all, parts_of
from emlia3d.rules.emlia.play.situation.prepared_notes import lapsed
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_USED = ("move_used", "primary_used")
_HIGHEST = (
    "timing", "activated", "delayed", "activations", "acted_at", "double_paced", "moved",
    "charged", "strike_owed", "improved_at", "hurt_at", "casualties_at", "disordered", "commanded",
)  # fmt: skip
_LOWEST = ("taking_cover", "posture", "ignoring", "hid", "aligned", "leftover")
_SUMMED = ("strength_now", "lost_turn")
_OF_THE_WHOLE = (
    *_USED, *_HIGHEST, *_LOWEST, "lost_turn", "morale", "free_used", "rows_given", "resumes",
)  # fmt: skip
"""Columns that a part which comes to stand for itself takes over."""

_ROWS = {"marker": ("subject", "attacker"), "push": ("subject", "attacker"), "note": ("unit",)}
"""Columns of the lists that name units as wholes."""


def head_for(moment: Moment, one: int, other: int) -> int:
    """Return the row that stands for two joined units: the larger's, else the first's."""
    return other if members_of_all(moment, other) > members_of_all(moment, one) else one


@rule("emlia.mixed.timing-midturn")
def joined(moment: Moment, head: int, other: int, morale: int) -> list[Change]:
    """Return the changes that make *other* part of *head*: each stays where it stands.

    What either has used of its actions is used, and it has activated if either has; its leader is
    chosen afresh; both know what either knew; units that saw either see both. What *other* had
    prepared is void.

    head : stands for the two (`head_for`); other : stands for itself until now
    """
    units = moment.state.units
    pair = (head, other)
    cells: dict[str, Value] = {"morale": morale, "leader": OWN}
    cells |= {name: max(units.value(name, row) for row in pair) for name in _HIGHEST}
    cells |= {name: min(units.value(name, row) for row in pair) for name in _LOWEST}
    cells |= {name: sum(max(units.value(name, row), 0) for row in pair) for name in _SUMMED}
    active = [row for row in pair if units.value("activated", row)]
    for name in _USED:
        cells[name] = max((units.value(name, row) for row in active), default=0)
    for name, rows in (("free_used", active), ("rows_given", pair)):
        bits = 0
        for row in rows:
            bits |= units.integer(name, row)
        cells[name] = bits
    below = np.flatnonzero(units.ints("parent") == other).tolist()
    # A unit whose own members had fallen stood on the field for its subunits alone.
    gone = [] if units.value("members", other) else [other]
    return [
        *(Belong(unit=row, parent=head) for row in (*below, other)),
        *(Set(table="unit", row=row, column="present", value=0) for row in gone),
        *(Set(table="unit", row=head, column=name, value=cell) for name, cell in cells.items()),
        *lapsed(moment, other),
        *_known_to_both(moment, head, other),
        *_listed(moment, {other: head}),
    ]


def _known_to_both(moment: Moment, head: int, other: int) -> Iterator[Change]:
    """Yield the pairs of either unit with a third, as pairs of both."""
    for column, cells in moment.state.pairs.items():
        merged: dict[tuple[int, int], Value] = {}
        concerned = [pair for pair in sorted(cells) if head in pair or other in pair]
        for pair in concerned:
            key = (_as(pair[0], other, head), _as(pair[1], other, head))
            twin = (_as(pair[0], head, other), _as(pair[1], head, other))
            hides = column != "hidden" or (key in cells and twin in cells)
            if key[0] != key[1] and hides:
                merged[key] = max(cells[pair], merged.get(key, cells[pair]))
        yield from (
            Pair(column=column, a=a, b=b, value=None) for a, b in concerned if (a, b) not in merged
        )
        yield from (
            Pair(column=column, a=a, b=b, value=value)
            for (a, b), value in sorted(merged.items())
            if cells.get((a, b)) != value
        )


def _as(unit: int, one: int, other: int) -> int:
    return other if unit == one else unit


def _listed(moment: Moment, instead: Mapping[int, int]) -> Iterator[Change]:
    """Yield the lists with some units replaced; focused hits stay with their subunit."""
    for name, columns in _ROWS.items():
        rows = moment.state.lists[name]
        cells = [
            {column.name: rows.value(column.name, row) for column in rows.columns}
            for row in range(len(rows))
        ]
        changed = [
            {
                key: instead.get(int(cell), cell)
                if key in columns and not (key == "subject" and row.get("focused"))
                else cell
                for key, cell in row.items()
            }
            for row in cells
        ]
        if changed != cells:
            yield Clear(table=name)
            yield from (Append(table=name, row=row) for row in changed)


def parted(moment: Moment, unit: int, rows: Sequence[int]) -> tuple[int, list[Change]]:
    """Return the row of a new unit of some subunits of *unit*, and the changes.

    Both have all that the whole had, and a leader chosen as normal. Hits that the whole has taken
    in this step are still shared by all that were in it.
    """
    units, setup = moment.state.units, moment.setup
    new = max(rows, key=lambda row: (units.integer("members", row), -row))
    stay = [row for row in parts_of(moment, unit) if row not in rows]
    changes: list[Change] = [*still_shared(moment, unit, parts_of(moment, unit))]
    changes += [Belong(unit=row, parent=-1) for row in rows]
    changes += [Belong(unit=row, parent=new) for row in rows if row != new]
    for name in _OF_THE_WHOLE:
        cell = units.value(name, unit)
        changes.append(Set(table="unit", row=new, column=name, value=cell))
    for head, parts in ((unit, stay), (new, rows)):
        printed = max(entry_of(setup, row).timing or 0 for row in parts)
        members = sum(units.integer("members", row) for row in parts)
        cells = (
            ("timing", min(units.integer("timing", unit), printed)),
            ("strength_now", members),
            ("leader", OWN),
        )
        changes += [Set(table="unit", row=head, column=name, value=value) for name, value in cells]
    for column, between in moment.state.pairs.items():
        changes += [
            Pair(column=column, a=_as(a, unit, new), b=_as(b, unit, new), value=between[a, b])
            for a, b in sorted(between)
            if unit in (a, b)
        ]
    return new, changes


def still_shared(moment: Moment, unit: int, among: Sequence[int]) -> list[Change]:
    """Unfocused hits on a unit that is split as hits on all that were in it, by their rows."""
    rows = moment.state.lists["marker"]
    cells = [
        {column.name: rows.value(column.name, row) for column in rows.columns}
        for row in range(len(rows))
    ]
    mine = [
        row for row in cells
        if row["subject"] == unit and row["party"] < 0 and not row["focused"]
    ]  # fmt: skip
    if not mine:
        return []
    party = len(moment.state.lists["party"])
    for row in mine:
        row["party"] = party
    return [
        *(Append(table="party", row={"party": party, "unit": part}) for part in among),
        Clear(table="marker"),
        *(Append(table="marker", row=row) for row in cells),
    ]
