"""The bodies near a unit: a fast upper bound for how far it can move in a direction.

`emlia3d.rules.emlia.play.situation.allowance` finds the exact end of a move. A search over many
directions of one unit first uses the bound, which compares all of them with the same few bodies.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.force.facing import unit_vector
from emlia3d.force.formation import Formation
from emlia3d.geometry.lane import Barring
from emlia3d.rules.emlia.play.sight.awareness import unknown_to
from emlia3d.rules.emlia.play.situation.allowance import obstacles_to
from emlia3d.rules.emlia.play.situation.going import mode_of
from emlia3d.rules.emlia.play.situation.march import CLEARANCE
from emlia3d.rules.emlia.play.situation.pose import Pose, pose_of, radius_of
from emlia3d.rules.emlia.tables.modes import FLYING

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_CLOSE = 8.0
"""Distance from a unit's corners within which bodies are examined, GSU."""


class NearbyBodies:
    """The obstacles near a ranked unit on the ground, as it stands now.

    Only near bodies are examined, so the exact move may be shorter than the bound, never longer.
    Other units have no bound.
    """

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment, self._unit = moment, unit

    @cached_property
    def _bodies(self) -> Barring:
        moment, unit, pose = self._moment, self._unit, pose_of(self._moment, self._unit)
        ranked = pose.drill.formation is Formation.RANKED and not pose.parts
        if not ranked or mode_of(moment, unit) == FLYING:
            return Barring(np.empty(0, dtype=object))
        (x, y), far = pose.middle, radius_of(pose.drill) + _CLOSE
        box = shapely.box(x - far, y - far, x + far, y + far)
        hidden = unknown_to(moment, unit)
        return Barring(obstacles_to(moment, unit, hidden, within=box, passing=True))

    def room_before(self, pose: Pose, distance: float) -> float:
        """Return a bound for how far the unit gets straight on, at most *distance*."""
        half = pose.drill.frontage / 2 - 2 * CLEARANCE
        if not len(self._bodies) or half <= 0:
            return distance
        east, north = unit_vector(pose.facing)
        across, front = pose.x * north - pose.y * east, pose.x * east + pose.y * north
        # A little narrower than the lane of `march`: nothing is met here that is not met there.
        lane = np.array([(across - half, front, across + half, front + distance)])
        met: float = self._bodies.first_met(lane, east, north).item() - front
        return min(met, distance)
