"""The expected losses from a unit's fire by distance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Columns, Rows
from emlia3d.rules.emlia.doctrine.appraisal import hits_for_a_loss
from emlia3d.rules.emlia.play.acting.checks import attempt_of, total_modifier
from emlia3d.rules.emlia.play.combat.shooting import falling
from emlia3d.rules.emlia.play.situation.arms import armed_for
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all
from emlia3d.rules.emlia.play.situation.situation import SITUATION, situation_of
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.tables.fire import FireFacts, fire_modifier
from emlia3d.rules.emlia.tables.skills import expected_successes
from emlia3d.rules.emlia.unit_sets.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

Floats = NDArray[np.float64]


def losses_at(
    moment: Moment, unit: int, target: int, gaps: Floats, *, forfeits_move: bool = False
) -> Floats:
    """Return (n,) the expected losses of a target from a unit's Aimed Fire at distances.

    Each subunit uses its first weapon. The target is in the open and aware.

    gaps : (n,) distances, GSU
    forfeits_move : whether the unit forfeits its move
    """
    losses, entry = np.zeros(len(gaps)), situation_of(moment).entry(target)
    known, key = _HITS(moment), (unit, forfeits_move)
    if key not in known:
        known[key] = list(_hits_of(moment, unit, forfeits_move))
    for one in known[key]:
        harm = one.hits / hits_for_a_loss(entry, falling(one.weapon, one.band))
        losses[(gaps > one.nearer) & (gaps <= one.far)] += harm
    most: Floats = np.minimum(losses, members_of_all(moment, target))
    return most


class _Hits(NamedTuple):
    """The hits that a subunit is expected to score between two distances, GSU."""

    weapon: Weapon
    band: Band
    nearer: float
    far: float
    hits: float


def _hits_of(moment: Moment, unit: int, forfeits_move: bool) -> Iterator[_Hits]:
    """Yield the hits of each subunit's first weapon in each of its bands."""
    for row, weapons in armed_for(moment, unit, "aimed fire"):
        weapon, tried = weapons[0], attempt_of(moment, row, "aimed fire")
        assert weapon.range is not None
        nearer = -np.inf
        for band in Band:
            far = weapon.range[band]
            shot = FireFacts(
                distance=far,
                short=weapon.range[Band.SHORT],
                medium=weapon.range[Band.MEDIUM],
                forfeits_move=forfeits_move,
            )
            total = total_modifier(moment, row, fire_modifier(shot), tried).total
            yield _Hits(weapon, band, nearer, far, float(expected_successes(tried.dice, total)))
            nearer = far


_Table = dict[tuple[int, bool], list[_Hits]]


def _forget(known: _Table, moment: Moment, rows: Sequence[int]) -> None:
    for unit in {*rows, *(head_of(moment, row) for row in rows)}:
        known.pop((unit, False), None)
        known.pop((unit, True), None)


_HITS = Rows(
    SITUATION,
    Columns("members", "strength", "damage", "aligned", "double_paced", "check_modifier"),
    start=lambda _: _Table(),
    renew=_forget,
)
"""By unit and whether it forfeits its move, as far as a commander has asked."""
