"""Assaults: fighters, unmodified dice, hits, support and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.core import hits as successes
from emlia3d.rules.epic.formations import (
    capacity_left,
    kind_of,
    rows_by_distance,
    units_of,
)
from emlia3d.rules.epic.movement import CHARGE_REACH, FormationMove
from emlia3d.rules.epic.shock import is_effective
from emlia3d.rules.epic.shooting import has_cover, spread_evenly
from emlia3d.rules.epic.sight import sees
from emlia3d.rules.epic.unit_set import Entry
from emlia3d.rules.rulebook import rule

Way = Literal["cc", "ff"]

CLOSE = 1
"""Tiles within which units fight with CC."""

COUNTERCHARGE_PART = 4
"""Length of a countercharge, relative to the speed."""


@dataclass(frozen=True, slots=True)
class Fighter:
    """A unit that fights.

    macro : whether its hits are macro-weapon hits
    """

    unit: int
    way: Way
    value: int
    macro: bool


@rule("epic.assault.charge")
def is_closed(gap: int) -> bool:
    """Return whether a unit is near enough to the other formation for an assault."""
    return gap <= CHARGE_REACH


def charge_reaches(moment: Moment, leader: int, target: int) -> bool:
    """Return whether some unit of a formation can end a charge within reach of another."""
    units = units_of(moment)
    rows, foes = units.of_formation(leader), units.of_formation(target)
    speeds = np.array([kind_of(moment, row).speed for row in rows])
    if not ((units.gaps(rows, foes).min(axis=1) - speeds) <= CHARGE_REACH).any():
        return False
    move = FormationMove(moment, leader, target=target)
    ends = move.ends(moment, move.order[0])
    return bool((move.gap_to_target(moment, ends.allowed) <= CHARGE_REACH).any())


@rule("epic.assault.countercharge")
def countercharge_tiles(speed: int, *, broken: bool) -> int:
    """Return the tiles of a countercharge: a quarter of the speed, at least 1; none if broken."""
    if broken or not speed:
        return 0
    return max(speed // COUNTERCHARGE_PART, 1)


@rule("epic.assault.who-fights")
def way_of_fighting(gap: int, *, seen: bool) -> Way | None:
    """Return the kind of attack of a unit.

    gap : to the nearest enemy of the assault
    seen : whether it sees an enemy within 4 tiles
    """
    if gap <= CLOSE:
        return "cc"
    return "ff" if gap <= CHARGE_REACH and seen else None


@rule("epic.assault.no-suppression")
def fighters_of(moment: Moment, rows: Sequence[int], foes: Sequence[int]) -> list[Fighter]:
    """Return the units that fight, regardless of Shock."""
    if not rows or not foes:
        return []
    gaps, seen = units_of(moment).gaps(rows, foes), sees(moment, rows, foes)
    found = []
    for at, row in enumerate(rows):
        near = bool((seen[at] & (gaps[at] <= CHARGE_REACH)).any())
        way = way_of_fighting(int(gaps[at].min()), seen=near)
        if way is not None:
            entry = kind_of(moment, row)
            found.append(Fighter(row, way, assault_value(entry, way), way in entry.macro))
    return found


@rule("epic.assault.no-modifiers")
def assault_value(entry: Entry, way: Way) -> int:
    """Return the value at or below which a unit hits, without modifiers."""
    return entry.cc if way == "cc" else entry.ff


@rule("epic.assault.roll")
def fight_hits(face: int, value: int) -> int:
    """Return the hits of the die of a fighting unit."""
    return successes((face,), value)


@rule("epic.assault.count", "epic.assault.worked-example")
def count_hits(faces: Sequence[int], fighters: Sequence[Fighter]) -> tuple[int, int]:
    """Return the normal hits and the macro-weapon hits of a side, before allocation."""
    hits = [fight_hits(face, each.value) for face, each in zip(faces, fighters, strict=True)]
    macro = sum(hit for hit, each in zip(hits, fighters, strict=True) if each.macro)
    return sum(hits) - macro, macro


@rule("epic.assault.allocate-valid")
def valid_targets(moment: Moment, rows: Sequence[int], foes: Sequence[int]) -> list[int]:
    """Return the units that can be hit, of any type: within 4 tiles of an enemy unit."""
    if not rows or not foes:
        return []
    gaps = units_of(moment).gaps(rows, foes).min(axis=1).tolist()
    return [row for row, gap in zip(rows, gaps, strict=True) if is_closed(gap)]


@rule("epic.assault.cover")
def counts_as_covered(moment: Moment, unit: int) -> bool:
    """Return whether a unit is in cover; not after a charge or countercharge."""
    return has_cover(moment, unit) and not moment.state.units.value("charged", unit)


@rule("epic.assault.allocate")
def allocate_hits(
    moment: Moment, hits: int, targets: Sequence[int], foes: Sequence[int]
) -> dict[int, int]:
    """Return the hits of each unit, spread evenly from the closest to the opposing formation."""
    order = rows_by_distance(moment, [r for r in targets if units_of(moment).there[r]], foes)
    return spread_evenly(hits, [(row, capacity_left(moment, row)) for row in order])


@rule("epic.assault.macro")
def rounds_of_hits(normal: int, macro: int) -> tuple[tuple[int, bool], ...]:
    """Return hits in the order of saves: macro-weapon hits last."""
    return (normal, False), (macro, True)


@rule("epic.assault.win-wiped")
def wiped_out(attackers: int, defenders: int) -> bool:
    """Return whether a side is destroyed, so that no result is rolled."""
    return not attackers or not defenders


@rule("epic.assault.win-driven")
def driven_off(gaps: Sequence[int]) -> bool:
    """Return whether no attacker is close enough to the defenders any more."""
    return not any(map(is_closed, gaps))


@rule("epic.assault.support")
def may_support(*, broken: bool, marched: bool) -> bool:
    """Return whether another formation may give supporting fire."""
    return is_effective(broken=broken) and not marched


@rule("epic.assault.result")
def result_bonus(killed: int, left: tuple[int, int], shock: tuple[int, int]) -> int:
    """Return the bonus of a side for the result.

    killed : enemy units
    left, shock : units left and Shock of its own side and of the enemy
    """
    more = left[0] > left[1]
    return (
        killed + more + (more and left[0] >= 2 * left[1]) + (not shock[0]) + (shock[1] > shock[0])
    )


@rule("epic.assault.result-tie")
def margin_of(totals: tuple[int, int], *, second: bool) -> int | None:
    """Return the margin of the attacker; None for a second round.

    second : whether it is the second round, in which the attacker loses a tie by 0
    """
    margin = totals[0] - totals[1]
    return None if not margin and not second else margin


@rule("epic.assault.loser")
def further_losses(margin: int, units: int, *, was_broken: bool) -> int:
    """Return the additional losses of the loser; a broken formation loses all units."""
    return units if was_broken else min(abs(margin), units)


@rule("epic.assault.winner")
def shock_of_winner(lost: int) -> int:
    """Return the Shock that the winner takes for its own losses in the assault."""
    return lost


@rule("epic.assault.broken-defender")
def may_countercharge(*, broken: bool) -> bool:
    """Return whether a defender can countercharge; a broken one only fights back."""
    return not broken
