"""Emlia, chapter 14.1: Aimed Fire.

Holds `emlia.fire.mod`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.tables import Modified, Row, total
from emlia3d.rules.emlia.tables.primary import Focus
from emlia3d.rules.rulebook import rule_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class FireFacts:
    """The facts that the modifier of Aimed Fire at one subject depends on.

    distance : GSU, as `emlia.elev.uphill` lengthens it
    short, medium : upper limits of the weapon's bands, GSU
    cover : of the subject against this attack; cover conceals as much
    focus : None if the attack is at the whole subject
    focus_skirmish : the focus is on a subunit of a skirmish
    """

    distance: float
    short: float
    medium: float
    concealment: Level = Level.NONE
    cover: Level = Level.NONE
    taking_cover: bool = False
    forfeits_move: bool = False
    elevation: bool = False
    target_unaware: bool = False
    double_paced: bool = False
    prepared: bool = False
    focus: Focus | None = None
    focus_skirmish: bool = False


def _in_partial_cover(shot: FireFacts) -> bool:
    return shot.cover is Level.PARTIAL


def _focus_under_quarter(shot: FireFacts) -> bool:
    return shot.focus is not None and shot.focus.under_quarter


def _focus_under_tenth(shot: FireFacts) -> bool:
    return shot.focus is not None and shot.focus.under_tenth


# fmt: off
MODIFIERS: tuple[Row[FireFacts], ...] = (
    Row("emlia.fire.mod.outside-medium", -2, lambda shot: shot.distance > shot.medium),
    Row("emlia.fire.mod.outside-short",  -2, lambda shot: shot.distance > shot.short),
    Row("emlia.fire.mod.conc-partial",   -2, lambda shot: shot.concealment is Level.PARTIAL),
    Row("emlia.fire.mod.conc-total",     -5, lambda shot: shot.concealment is Level.TOTAL),
    Row("emlia.fire.mod.cover-partial",  -3, _in_partial_cover),
    Row("emlia.fire.mod.taking-cover",   -1, lambda shot: shot.taking_cover),
    Row("emlia.fire.mod.taking-cover-partial", -1,
        lambda shot: shot.taking_cover and _in_partial_cover(shot)),
    Row("emlia.fire.mod.forfeit-move",   +2, lambda shot: shot.forfeits_move),
    Row("emlia.fire.mod.elevation",      +1, lambda shot: shot.elevation),
    Row("emlia.fire.mod.unaware",        +1, lambda shot: shot.target_unaware),
    Row("emlia.fire.mod.double-paced",   -2, lambda shot: shot.double_paced),
    Row("emlia.fire.mod.prepared",       -2, lambda shot: shot.prepared),
    Row("emlia.fire.mod.focus",          -2, lambda shot: shot.focus is not None),
    Row("emlia.fire.mod.focus-25",       -1, _focus_under_quarter),
    Row("emlia.fire.mod.focus-10",       -3, _focus_under_tenth),
    Row("emlia.fire.mod.focus-skirmish", -4, lambda shot: shot.focus_skirmish),
)
# fmt: on


@rule_rows(*(row.slug for row in MODIFIERS))
def fire_modifier(shot: FireFacts, rows: Sequence[Row[FireFacts]] = MODIFIERS) -> Modified:
    """Return the sum and the rows of Aimed Fire that hold for the shot.

    The general modifiers of every check, such as -4 for Double Pace, are added elsewhere.
    """
    return total(rows, shot)
