"""Emlia, chapter 21.5 as play: what a unit sees of its friends as its activation begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.play.morale.morale_update import value_of
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import friends_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import RETREATS
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@rule("emlia.morale.activation-moment")
def noted_by(moment: Moment, unit: int) -> list[tuple[MoraleNote, float]]:
    """Return the friends in sight that wavered, suffered or died since the last activation began.

    Dead units cannot be seen; their effect on units that saw them die is in `mourned`. Of
    several units that ran through this one only the most valued counts.
    """
    friends = friends_of(moment, unit)
    noted = [
        (what, value_of(moment, friend))
        for what, friend in (
            *_retreating(moment, unit, friends),
            *_suffering(moment, unit, friends),
        )
    ]
    mourned = moment.state.pairs["mourned"]
    noted += [
        (MoraleNote.FRIENDS_WIPED_OUT, mourned[pair]) for pair in sorted(mourned) if pair[0] == unit
    ]
    through = moment.state.pairs["ran_through"]
    ran = [through[pair] for pair in sorted(through) if pair[0] == unit]
    noted += [(MoraleNote.FRIEND_RAN_THROUGH, max(ran))] if ran else []
    return noted


def _retreating(moment: Moment, unit: int, friends: Sequence[int]) -> list[tuple[MoraleNote, int]]:
    """Return the nearest friend in sight if it retreats, and all of them if all do."""
    morale = moment.state.units.ints("morale")[list(friends)].tolist()
    low = [friend for friend, its in zip(friends, morale, strict=True) if its <= RETREATS]
    if not low:
        return []
    gaps = dict(zip(friends, situation_of(moment).distances(unit, friends), strict=True))
    by_distance = sorted(friends, key=lambda friend: (gaps[friend], friend))
    # The nearest of all is nearly always in sight, and then no other need be looked at.
    sight_cache_of(moment).look([unit], by_distance[:1])
    nearest = next((f for f in by_distance if is_aware(moment, unit, f)), None)
    if nearest not in low:
        return []
    noted = [(MoraleNote.NEAREST_FRIEND_RETREATING, nearest)]
    if not any(is_aware(moment, unit, f) for f in friends if f not in low):
        noted += [(MoraleNote.ALL_FRIENDS_RETREATING, f) for f in low if is_aware(moment, unit, f)]
    return noted


def _suffering(moment: Moment, unit: int, friends: Sequence[int]) -> list[tuple[MoraleNote, int]]:
    """Return the near friends in sight that lost members since the last activation began."""
    situation, units, near = situation_of(moment), moment.state.units, numbers_of(moment).near
    since = max(units.integer("acted_at", unit), 0)
    lost = units.ints("casualties_at")[list(friends)] >= since
    suffering = [
        friend
        for friend in compress(friends, lost)
        if in_reach(situation.distance(unit, friend), near)
    ]
    sight_cache_of(moment).look([unit], suffering)
    return [
        (MoraleNote.FRIENDS_CASUALTIES, friend)
        for friend in suffering
        if is_aware(moment, unit, friend)
    ]
