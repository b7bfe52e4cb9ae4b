"""Emlia, chapter 20 as play: which rules decided hiding, searching and passing on.

The rows of modifier tables are not among them: they come with their figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change, Pair
from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.play.acting.check_reasons import check_because
from emlia3d.rules.emlia.play.sight.reasons import seen_because
from emlia3d.rules.emlia.play.situation.parts import is_mixed
from emlia3d.rules.emlia.tables.awareness import SearchFacts, threshold
from emlia3d.rules.emlia.tables.skills import Attempt, Check

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def hiding_because(
    moment: Moment,
    unit: int,
    tried: Attempt,
    check: Check,
    modifier: Modified,
    changes: Sequence[Change],
) -> Iterator[str]:
    """Yield the rules of a check of Conceal Self, with the changes that it makes."""
    yield "emlia.aware.conceal-self"
    yield from check_because(moment, unit, "conceal self", tried, check, modifier)
    if check.succeeded:
        yield "emlia.aware.conceal-self.count"
    if any(isinstance(change, Pair) for change in changes):
        yield "emlia.aware.state"


def search_because(  # noqa: PLR0913, PLR0917  searcher, subject, dice, result
    moment: Moment,
    unit: int,
    subject: int,
    search: SearchFacts,
    tried: Attempt,
    check: Check,
    modifier: Modified,
    exceeds: int,
) -> Iterator[str]:
    """Yield the rules of a check of Detect Hidden Entity.

    exceeds : what its successes must exceed
    """
    yield "emlia.aware.detect"
    yield from seen_because(moment, unit, subject, Level.NONE, 0)
    if exceeds > threshold(0, search.concealment):
        yield "emlia.aware.conceal-self.count"
    if search.arc is not Arc.FRONT:
        yield "emlia.aware.detect.arcs"
        yield "emlia.attr.sight-arcs"
    yield from check_because(moment, unit, "detect hidden", tried, check, modifier)
    if check.successes > exceeds:
        yield "emlia.aware.state"
        if is_mixed(moment, unit):
            yield "emlia.aware.shared-in-unit"


def passing_because(  # noqa: PLR0913  source, friends, dice, result
    moment: Moment,
    unit: int,
    friends: Sequence[int],
    tried: Attempt,
    check: Check,
    modifier: Modified,
    *,
    free: bool,
) -> Iterator[str]:
    """Yield the rules of a check of Pass Awareness.

    friends : units that become aware of the enemy
    """
    yield "emlia.aware.pass"
    if free:
        yield "emlia.aware.pass.free"
    yield from check_because(moment, unit, "pass awareness", tried, check, modifier)
    if friends:
        yield "emlia.lead.range"
        yield "emlia.aware.state"
    if any(is_mixed(moment, friend) for friend in friends):
        yield "emlia.aware.shared-in-unit"
