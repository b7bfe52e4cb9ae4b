"""Changes that would alter the answer to a sight question, found by asking again.

Each candidate is put to a copy of the battle, amounts from the smallest up, as a view through a gap
is lost again a step farther. Each result is checked again on a fresh copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.questions.answer import WhatIfChange
from emlia3d.force.formation import snapped
from emlia3d.rules.emlia.basics.concealment import DEGREES, Level
from emlia3d.rules.emlia.play.movement.manoeuvre import may_take_cover
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.free_space import FreeSpace
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

FARTHEST = 20
"""The largest change tried: height units up, GSU to either side."""

FINEST = 10
"""Number of parts of a height unit or a GSU in which amounts are reported."""

_POSTURES = (
    ("standing", "posture", 0),
    ("prone", "posture", 1),
    ("taking cover", "taking_cover", 1),
    ("leaving cover", "taking_cover", 0),
)


def alterations(moment: Moment, observer: int, observed: int) -> tuple[WhatIfChange, ...]:
    """For either unit the least height and the least step that alter the verdict, and postures."""
    found: list[WhatIfChange] = []
    for who, other in ((observer, observed), (observed, observer)):
        trial = _Trial(moment, observer, observed, who)
        found += trial.higher()
        found += trial.postures()
        found += trial.steps(other)
    return tuple(found)


class _Trial:
    """The question asked again with one unit otherwise than it is."""

    def __init__(self, moment: Moment, observer: int, observed: int, who: int) -> None:
        self.moment = moment
        self.pair = (observer, observed)
        self.who = who
        self.name = moment.setup.units[who].name
        self.now = level_on(moment, observer, observed)

    def higher(self) -> Iterator[WhatIfChange]:
        """Yield the least extra height on which the verdict differs."""
        pose, stands = pose_of(self.moment, self.who), self.moment.state.units.floats("on_height")
        rows = (self.who, *(row for row, _ in pose.parts))

        def raised(extra: float) -> tuple[Change, ...]:
            return tuple(
                Set(table="unit", row=row, column="on_height", value=float(stands[row]) + extra)
                for row in rows
            )

        yield from self._least_change("higher", raised)

    def postures(self) -> Iterator[WhatIfChange]:
        """Yield the postures that the unit may take in which the verdict differs."""
        for what, column, value in _POSTURES:
            if self.moment.state.units.integer(column, self.who) == value:
                continue
            if what == "taking cover" and may_take_cover(self.moment, self.who) is not None:
                continue
            change = Set(table="unit", row=self.who, column=column, value=value)
            level = self._asked(self.moment.fork(), (change,))
            if level is not self.now:
                yield WhatIfChange(who=self.name, what=what, amount=None, verdict=DEGREES[level])

    def steps(self, other: int) -> Iterator[WhatIfChange]:
        """Yield the least steps to the left and to the right, facing *other*, where it differs."""
        situation, pose = situation_of(self.moment), pose_of(self.moment, self.who)
        (x, y), (there_x, there_y) = situation.centre(self.who), situation.centre(other)
        east, north = there_x - x, there_y - y
        length = math.sqrt(east * east + north * north)
        if not length:
            return
        room = FreeSpace(self.moment, self.who)
        for what, turn in (("step left", -1.0), ("step right", 1.0)):
            sideways = turn * north / length, -turn * east / length

            def moved(amount: float, way: tuple[float, float] = sideways) -> tuple[Change, ...]:
                aside = snapped(pose.x + way[0] * amount), snapped(pose.y + way[1] * amount)
                return pose.at(*aside, pose.facing).changes(self.who)

            yield from self._least_change(what, moved, room)

    def _asked(self, scene: Moment, changes: tuple[Change, ...]) -> Level:
        scene.suppose(changes)
        return level_on(scene, *self.pair)

    def _least_change(
        self,
        what: str,
        with_amount: Callable[[float], tuple[Change, ...]],
        room: FreeSpace | None = None,
    ) -> Iterator[WhatIfChange]:
        """Yield the least amount for which the verdict differs; nothing if there is none.

        room : where the unit must find a place
        """
        scene = self.moment.fork()

        def alters(tenths: int) -> bool:
            changes = with_amount(tenths / FINEST)
            scene.suppose(changes)
            if room is not None and not room.holds(situation_of(scene).outline(self.who)):
                return False
            return level_on(scene, *self.pair) is not self.now

        tried = range(1, FARTHEST * FINEST + 1)
        least = next((tenths for tenths in tried if alters(tenths)), None)
        if least is None:
            return
        afresh = self.moment.fork()
        level = self._asked(afresh, with_amount(least / FINEST))
        if level is not self.now:
            note = (
                None if room is None else room.side_effects(situation_of(afresh).outline(self.who))
            )
            yield WhatIfChange(
                who=self.name,
                what=what,
                amount=least / FINEST,
                verdict=DEGREES[level],
                note=note,
            )
