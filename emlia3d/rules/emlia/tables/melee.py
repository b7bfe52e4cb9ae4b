"""Emlia, chapter 14.4: Close Combat.

Holds `emlia.melee.mod`, `emlia.melee.ranked-rows` and `emlia.melee.outnumber`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.emlia.basics.thresholds import is_outnumbered, is_outnumbered_times
from emlia3d.rules.emlia.basics.unit_edges import UnitEdge
from emlia3d.rules.emlia.tables.primary import Focus
from emlia3d.rules.rulebook import rule, rule_rows


@dataclass(frozen=True, slots=True)
class MeleeNumbers:
    """Numbers of members on each side that can attack each other.

    source : in ranked combat the members in reach of any enemy; in a skirmish all of the side
    subject : the members that they face, of all the units in reach
    """

    source: int
    subject: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlowFacts:
    """The facts that the modifier of Close Combat against one subject depends on.

    rough : the ground that the source stands in is rough for its own mode, or worse
    source_side : the side of a ranked source on which the enemy stands; None if it is not ranked
    on_multiple_fronts : a ranked source strikes enemies on different sides of it
    subject_side : the side of a ranked subject that is attacked; None if it is not ranked
    subject_fronts : number of sides on which a ranked subject is attacked
    subject_charged : the subject charged in its last activation
    already_engaged : the source came into contact in this activation, with an enemy that was
        engaged before this activation phase
    free_strike : a free strike against a unit that leaves the engagement
    """

    numbers: MeleeNumbers
    concealment: Level = Level.NONE
    cover: Level = Level.NONE
    rough: bool = False
    source_side: UnitEdge | None = None
    on_multiple_fronts: bool = False
    subject_side: UnitEdge | None = None
    subject_fronts: int = 1
    charged: bool = False
    subject_charged: bool = False
    already_engaged: bool = False
    double_paced: bool = False
    target_elevated: bool = False
    elevation: bool = False
    focus: Focus | None = None
    free_strike: bool = False
    all_unaware: bool = False


def _on_flank(side: UnitEdge | None) -> bool:
    return side is not None and side.is_flank


def _outnumbered(blow: BlowFacts) -> bool:
    return is_outnumbered(blow.numbers.subject, blow.numbers.source)


def _outnumbered_times(blow: BlowFacts, times: int) -> bool:
    return is_outnumbered_times(blow.numbers.subject, blow.numbers.source, times)


def _additional_fronts(blow: BlowFacts) -> int:
    return 0 if blow.subject_side is None else max(blow.subject_fronts - 1, 0)


def _focus_under_quarter(blow: BlowFacts) -> bool:
    return blow.focus is not None and blow.focus.under_quarter


def _focus_under_tenth(blow: BlowFacts) -> bool:
    return blow.focus is not None and blow.focus.under_tenth


# fmt: off
MODIFIERS: tuple[Row[BlowFacts], ...] = (
    Row("emlia.melee.mod.conc-partial",    -1, lambda blow: blow.concealment is Level.PARTIAL),
    Row("emlia.melee.mod.conc-total",      -2, lambda blow: blow.concealment is Level.TOTAL),
    Row("emlia.melee.mod.cover-partial",   -1, lambda blow: blow.cover is Level.PARTIAL),
    Row("emlia.melee.mod.cover-total",     -2, lambda blow: blow.cover is Level.TOTAL),
    Row("emlia.melee.mod.rough",           -1, lambda blow: blow.rough),
    Row("emlia.melee.mod.to-flank",        -1, lambda blow: _on_flank(blow.source_side)),
    Row("emlia.melee.mod.to-rear",         -2, lambda blow: blow.source_side is UnitEdge.REAR),
    Row("emlia.melee.mod.on-multiple-fronts", -1,
        lambda blow: blow.source_side is not None and blow.on_multiple_fronts),
    Row("emlia.melee.mod.from-flank",      +1, lambda blow: _on_flank(blow.subject_side)),
    Row("emlia.melee.mod.from-rear",       +2, lambda blow: blow.subject_side is UnitEdge.REAR),
    Row("emlia.melee.mod.from-multiple-fronts", +1, _additional_fronts),
    Row("emlia.melee.mod.outnumbered",     +1, _outnumbered),
    Row("emlia.melee.mod.outnumbered-2",   +1, lambda blow: _outnumbered_times(blow, 2)),
    Row("emlia.melee.mod.outnumbered-3",   +2, lambda blow: _outnumbered_times(blow, 3)),
    Row("emlia.melee.mod.charged",         +1, lambda blow: blow.charged),
    Row("emlia.melee.mod.subject-charged", +1, lambda blow: blow.subject_charged),
    Row("emlia.melee.mod.already-engaged", +1, lambda blow: blow.already_engaged),
    Row("emlia.melee.mod.double-paced",    -2, lambda blow: blow.double_paced),
    Row("emlia.melee.mod.target-elevated", -1, lambda blow: blow.target_elevated),
    Row("emlia.melee.mod.elevation",       +1, lambda blow: blow.elevation),
    Row("emlia.melee.mod.focus",           -1, lambda blow: blow.focus is not None),
    Row("emlia.melee.mod.focus-25",        -1, _focus_under_quarter),
    Row("emlia.melee.mod.focus-10",        -1, _focus_under_tenth),
    Row("emlia.melee.mod.free-strike",     +4, lambda blow: blow.free_strike),
    Row("emlia.melee.mod.all-unaware",      0, lambda blow: blow.all_unaware),
)
# fmt: on


@rule("emlia.melee.ranked-rows")
@rule_rows(*(row.slug for row in MODIFIERS))
def melee_modifier(blow: BlowFacts, rows: Sequence[Row[BlowFacts]] = MODIFIERS) -> Modified:
    """Return the sum and the rows of Close Combat that hold for the blow.

    If all targets are unaware, `emlia.melee.mod.all-unaware` is among them at 0: every die
    is an automatic success, and the armour bonus to hits is ignored.
    """
    return total(rows, blow)
