"""Emlia, chapter 21.5 as play: friends in retreat who run through a unit, which it remembers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import shapely

from emlia3d.battle.changes import Change, Pair
from emlia3d.rules.emlia.play.combat.free_strike import swept
from emlia3d.rules.emlia.play.morale.morale_update import value_of
from emlia3d.rules.emlia.play.situation.contact import friends_of
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import RETREATS

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def run_through(moment: Moment, unit: int, path: Sequence[Pose]) -> list[Change]:
    """Return what friends remember of a unit at -4 or lower that moves through them.

    Source: emlia.morale.neg.friend-runs-through.
    """
    if moment.state.units.value("morale", unit) > RETREATS:
        return []
    friends, situation = friends_of(moment, unit), situation_of(moment)
    ground = swept(pose_of(moment, unit), path)
    shared = shapely.area(shapely.intersection(situation.outlines(friends), ground))
    value = value_of(moment, unit)
    return [
        Pair(column="ran_through", a=friend, b=unit, value=value)
        for friend, area in zip(friends, shared.tolist(), strict=True)
        if area > 0
    ]
