"""Emlia, chapter 10: the modifiers of leadership actions.

Holds the tables of all leadership actions and the meaning of their rows (`emlia.lead.rows`).
Package `emlia3d.rules.emlia.play.leadership` plays the actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.rulebook import rule, rule_rows

WIDE = 20.0
"""Extent of a boundary, GSU, beyond which an open unit is hard to lead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadershipCheck:
    """The facts that the modifier of a leadership action depends on.

    With two subjects each fact is true if it is true of either, but `higher` only if true of both.

    source_morale : of the unit that the source leads or belongs to
    subject_start : the subject's starting morale
    value_lower : the source's army value is lower than the subject's
    partial, total : concealment of the source from a subject; never within one unit
    higher : the source stands above the subject
    ranked, open : the subject's formation; neither for a single character
    one_ranked : of two subjects one is ranked
    across : the greatest distance between two points of its boundary, GSU
    all_within : every member of the subject is within 20 GSU of the source
    """

    source_morale: int
    subject_morale: int
    subject_start: int
    value_lower: bool = False
    subject_unaware: bool = False
    partial: bool = False
    total: bool = False
    higher: bool = False
    ranked: bool = False
    one_ranked: bool = False
    open: bool = False
    across: float = 0.0
    all_within: bool = True


CONDITIONS: Mapping[str, Callable[[LeadershipCheck], bool]] = {
    "source-m4": lambda a: a.source_morale <= -4,
    "source-m7": lambda a: a.source_morale <= -7,
    "subject-over-start": lambda a: a.subject_morale > a.subject_start,
    "subject-m4": lambda a: a.subject_morale <= -4,
    "subject-m7": lambda a: a.subject_morale <= -7,
    "av-lower": lambda a: a.value_lower,
    "subject-unaware": lambda a: a.subject_unaware,
    "source-partial": lambda a: a.partial,
    "source-total": lambda a: a.total,
    "source-higher": lambda a: a.higher,
    "ranked": lambda a: a.ranked,
    "one-ranked": lambda a: a.one_ranked,
    "open-wide": lambda a: a.open and a.across > WIDE,
    "not-all-within": lambda a: not a.all_within,
}
"""Condition of each row by its key, common to all tables that have the row."""


def _table(slug: str, modifiers: Mapping[str, int]) -> tuple[Row[LeadershipCheck], ...]:
    return tuple(
        Row(f"{slug}.mod.{key}", modifier, CONDITIONS[key]) for key, modifier in modifiers.items()
    )


# fmt: off
IGNORE = _table("emlia.lead.ignore", {
    "source-m4": -5, "source-m7": -5,
    "subject-over-start": -5, "subject-m4": -2, "subject-m7": -3,
    "av-lower": -1, "subject-unaware": -5,
    "source-partial": -1, "source-total": -3, "source-higher": +1,
    "ranked": +1, "open-wide": -2, "not-all-within": -5,
})
IMPROVE = _table("emlia.lead.improve", {
    "source-m4": -5, "source-m7": -5,
    "subject-over-start": -5, "subject-m4": -2, "subject-m7": -3,
    "av-lower": -1, "subject-unaware": -5,
    "source-partial": -1, "source-total": -3, "source-higher": +1,
    "ranked": +1, "open-wide": -2, "not-all-within": -5,
})
JOIN = _table("emlia.lead.join", {
    "source-m4": -5, "source-m7": -5,
    "subject-m4": -2, "subject-m7": -3,
    "av-lower": -1, "subject-unaware": -5,
    "source-partial": -1, "source-total": -3, "source-higher": +1,
    "one-ranked": -1, "open-wide": -2, "not-all-within": -5,
})
SPLIT = _table("emlia.lead.split", {
    "source-m4": -5, "source-m7": -5,
    "subject-m4": -2, "subject-m7": -3,
    "av-lower": -1, "subject-unaware": -5,
    "source-partial": -1, "source-total": -3, "source-higher": +1,
    "open-wide": -2, "not-all-within": -5,
})
TAKE_COMMAND = _table("emlia.lead.take-command", {
    "source-m4": -5, "source-m7": -5,
    "subject-m4": -2, "subject-m7": -3,
    "av-lower": -4, "subject-unaware": -5,
    "source-partial": -1, "source-total": -3, "source-higher": +1,
    "ranked": +1, "open-wide": -2, "not-all-within": -5,
})
REORDER = _table("emlia.lead.reorder", {
    "source-m4": -5, "source-m7": -5,
    "subject-m4": -2, "subject-m7": -3,
    "av-lower": -1, "subject-unaware": -5,
    "source-partial": -1, "source-total": -3, "source-higher": +1,
    "ranked": +1, "open-wide": -2, "not-all-within": -5,
})
# fmt: on

TABLES: Mapping[str, tuple[Row[LeadershipCheck], ...]] = {
    "ignore initiative": IGNORE,
    "improve morale": IMPROVE,
    "join units": JOIN,
    "split unit": SPLIT,
    "take command": TAKE_COMMAND,
    "reorder": REORDER,
}
"""The table of each leadership action, by the action's name."""


@rule_rows(*(row.slug for table in TABLES.values() for row in table))
@rule("emlia.form.open.command")
def lead_modifier(appeal: LeadershipCheck, rows: Sequence[Row[LeadershipCheck]]) -> Modified:
    """Return the sum of the rows of a leadership action's table that hold."""
    return total(rows, appeal)


@rule("emlia.lead.join.morale")
def joined_morale(one: int, other: int) -> int:
    """Return the morale of a unit made of two: the higher, and 1 less if the other is lower."""
    return max(one, other) - (one != other)
