"""Emlia, chapter 10: what makes leading easy or hard.

Holds the tables of Improve Morale and Reorder, `emlia.lead.rows` and the choice of actions that
they share; the actions are played in `emlia3d.rules.emlia.play.rally`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.rules.emlia.levels import Level
from emlia3d.rules.emlia.tables import Modified, Row, total
from emlia3d.rules.rulebook import rule

WIDE = 20.0
"""GSU between two points of a boundary over which an open unit is hard to lead."""


@rule("emlia.lead.rows")
@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal:
    """Everything that the modifier of a leadership action depends on.

    source_morale : of the unit that the source leads or belongs to
    subject_start : the subject's starting morale
    value_lower : the source's army value is lower than the subject's
    concealment : of the source from the subject; none within one unit
    higher : the source stands above the subject
    ranked, open : the subject's formation; neither for a single character
    across : the greatest distance between two points of its boundary, GSU
    all_within : every member of the subject is within 20 GSU of the source
    """

    source_morale: int
    subject_morale: int
    subject_start: int
    value_lower: bool = False
    subject_unaware: bool = False
    concealment: Level = Level.NONE
    higher: bool = False
    ranked: bool = False
    open: bool = False
    across: float = 0.0
    all_within: bool = True


# fmt: off
IMPROVE: tuple[Row[Appeal], ...] = (
    Row("emlia.lead.improve.mod.source-m4",  -5, lambda a: a.source_morale <= -4),
    Row("emlia.lead.improve.mod.source-m7",  -5, lambda a: a.source_morale <= -7),
    Row("emlia.lead.improve.mod.subject-over-start", -5,
        lambda a: a.subject_morale > a.subject_start),
    Row("emlia.lead.improve.mod.subject-m4", -2, lambda a: a.subject_morale <= -4),
    Row("emlia.lead.improve.mod.subject-m7", -3, lambda a: a.subject_morale <= -7),
    Row("emlia.lead.improve.mod.av-lower",   -1, lambda a: a.value_lower),
    Row("emlia.lead.improve.mod.subject-unaware", -5, lambda a: a.subject_unaware),
    Row("emlia.lead.improve.mod.source-partial", -1, lambda a: a.concealment is Level.PARTIAL),
    Row("emlia.lead.improve.mod.source-total", -3, lambda a: a.concealment is Level.TOTAL),
    Row("emlia.lead.improve.mod.source-higher", +1, lambda a: a.higher),
    Row("emlia.lead.improve.mod.ranked",     +1, lambda a: a.ranked),
    Row("emlia.lead.improve.mod.open-wide",  -2, lambda a: a.open and a.across > WIDE),
    Row("emlia.lead.improve.mod.not-all-within", -5, lambda a: not a.all_within),
)

REORDER: tuple[Row[Appeal], ...] = (
    Row("emlia.lead.reorder.mod.source-m4",  -5, lambda a: a.source_morale <= -4),
    Row("emlia.lead.reorder.mod.source-m7",  -5, lambda a: a.source_morale <= -7),
    Row("emlia.lead.reorder.mod.subject-m4", -2, lambda a: a.subject_morale <= -4),
    Row("emlia.lead.reorder.mod.subject-m7", -3, lambda a: a.subject_morale <= -7),
    Row("emlia.lead.reorder.mod.av-lower",   -1, lambda a: a.value_lower),
    Row("emlia.lead.reorder.mod.subject-unaware", -5, lambda a: a.subject_unaware),
    Row("emlia.lead.reorder.mod.source-partial", -1, lambda a: a.concealment is Level.PARTIAL),
    Row("emlia.lead.reorder.mod.source-total", -3, lambda a: a.concealment is Level.TOTAL),
    Row("emlia.lead.reorder.mod.source-higher", +1, lambda a: a.higher),
    Row("emlia.lead.reorder.mod.ranked",     +1, lambda a: a.ranked),
    Row("emlia.lead.reorder.mod.open-wide",  -2, lambda a: a.open and a.across > WIDE),
    Row("emlia.lead.reorder.mod.not-all-within", -5, lambda a: not a.all_within),
)
# fmt: on


@rule(*(row.slug for row in IMPROVE))
def improve_modifier(appeal: Appeal, rows: Sequence[Row[Appeal]] = IMPROVE) -> Modified:
    """Sum of the rows of Improve Morale that hold."""
    return total(rows, appeal)


@rule(*(row.slug for row in REORDER))
def reorder_modifier(appeal: Appeal, rows: Sequence[Row[Appeal]] = REORDER) -> Modified:
    """Sum of the rows of Reorder that hold."""
    return total(rows, appeal)
