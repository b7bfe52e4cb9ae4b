"""Emlia, chapter 15 as play: engagements seen from outside, each one unit of no side.

Holds `emlia.mixedeng.other`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from emlia3d.battle.derived import Derived, Pairs
from emlia3d.rules.emlia.play.situation.contact import engagement_of, is_ranked, skirmish_of
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.reach import reaches_of
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

EngagementKind = Literal["skirmish", "ranked combat", "mixed engagement"]


def fight_of(moment: Moment, unit: int, but: int = -1) -> tuple[int, ...]:
    """All units of the engagement that a unit stands in, friend and foe; () if it stands in none.

    but : one who looks at it from outside, though it may reach into it
    """
    fight = fights_of(moment).get(unit, ())
    if but not in fight:
        return fight
    # A unit that only reaches into it may be all that holds it together.
    rest = tuple(one for one in engagement_of(moment, unit, but) if one != but)
    return rest if len(rest) > 1 else ()


def _fights(moment: Moment) -> dict[int, tuple[int, ...]]:
    """Return the engagement of each unit that stands in one."""
    found: dict[int, tuple[int, ...]] = {}
    met = {unit for pair in moment.state.pairs["joined"] for unit in pair}
    met.update(reaches_of(moment).in_touch())
    for unit in on_field(moment):
        if unit in met and unit not in found:
            fight = engagement_of(moment, unit)
            if len(fight) > 1:
                found |= dict.fromkeys(fight, fight)
    return found


fights_of = Derived(reaches_of, Pairs("joined"), make=_fights)
"""By unit, the engagement that it stands in; units that stand in none are left out."""


@rule("emlia.mixedeng.other")
def kind_of(moment: Moment, unit: int) -> EngagementKind | None:
    """Return the type of the engagement that a unit stands in; None if it stands in none.

    There are no others than these three: another type would come with rules of its own for how it
    and they go together.
    """
    fight = fight_of(moment, unit)
    if not fight:
        return None
    if not any(is_ranked(moment, one) for one in fight):
        return "skirmish"
    return "mixed engagement" if any(skirmish_of(moment, one) for one in fight) else "ranked combat"
