"""Emlia, chapter 14.6: Disengage/Distract.

Holds `emlia.disengage.mod` and `emlia.disengage.success`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.emlia.basics.thresholds import is_outnumbered, is_outnumbered_times
from emlia3d.rules.emlia.tables.melee import MeleeNumbers
from emlia3d.rules.rulebook import rule, rule_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class DisengageFacts:
    """The facts that the modifier of Disengage/Distract against one subject depends on.

    numbers : counted as in Close Combat
    concealment, cover : of the subject
    rough : the ground that the source stands in is rough for its own mode, or worse
    charged : the source charged this turn
    unaware : no subject is aware of the source
    """

    numbers: MeleeNumbers
    concealment: Level = Level.NONE
    cover: Level = Level.NONE
    rough: bool = False
    charged: bool = False
    unaware: bool = False


def _source_times(one: DisengageFacts, times: int) -> bool:
    return is_outnumbered_times(one.numbers.source, one.numbers.subject, times)


def _subject_times(one: DisengageFacts, times: int) -> bool:
    return is_outnumbered_times(one.numbers.subject, one.numbers.source, times)


# fmt: off
MODIFIERS: tuple[Row[DisengageFacts], ...] = (
    Row("emlia.disengage.mod.conc-partial",  +1, lambda one: one.concealment is Level.PARTIAL),
    Row("emlia.disengage.mod.conc-total",    +2, lambda one: one.concealment is Level.TOTAL),
    Row("emlia.disengage.mod.cover-partial", +2, lambda one: one.cover is Level.PARTIAL),
    Row("emlia.disengage.mod.cover-total",   +4, lambda one: one.cover is Level.TOTAL),
    Row("emlia.disengage.mod.rough",         -1, lambda one: one.rough),
    Row("emlia.disengage.mod.charged",       -4, lambda one: one.charged),
    Row("emlia.disengage.mod.source-outnumbered", -1,
        lambda one: is_outnumbered(one.numbers.source, one.numbers.subject)),
    Row("emlia.disengage.mod.source-outnumbered-2", -1, lambda one: _source_times(one, 2)),
    Row("emlia.disengage.mod.source-outnumbered-3", -2, lambda one: _source_times(one, 3)),
    Row("emlia.disengage.mod.subject-outnumbered", +1,
        lambda one: is_outnumbered(one.numbers.subject, one.numbers.source)),
    Row("emlia.disengage.mod.subject-outnumbered-2", +1, lambda one: _subject_times(one, 2)),
    Row("emlia.disengage.mod.subject-outnumbered-3", +2, lambda one: _subject_times(one, 3)),
    Row("emlia.disengage.mod.unaware",        0, lambda one: one.unaware),
)
# fmt: on


@rule_rows(*(row.slug for row in MODIFIERS))
def disengage_modifier(
    one: DisengageFacts, rows: Sequence[Row[DisengageFacts]] = MODIFIERS
) -> Modified:
    """Return the sum and the rows of Disengage/Distract that hold.

    If no subject is aware of the source, `emlia.disengage.mod.unaware` is among them at 0:
    every die is an automatic success.
    """
    return total(rows, one)


@rule("emlia.disengage.success")
def barred_by(members: int, successes: int) -> int:
    """Return the enemy members barred from free strikes: the source's members for each success."""
    return members * successes
