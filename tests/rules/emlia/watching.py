"""A battle of Emlia that looks at itself after each step, and says what ought not to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event
from emlia3d.force import Condition, Formation
from emlia3d.rules.emlia.play.engagement.contact import gap_between
from emlia3d.rules.emlia.play.leadership.mixed import on_field
from emlia3d.rules.emlia.play.movement.going import going_of
from emlia3d.rules.emlia.play.sight.lie import lie_of

INSIDE = 1 / 32
"""GSU by which rounding may put outlines into one another."""


class Watched(Battle):
    """A battle that fails as soon as something impossible has happened in it.

    What happens at once is one step: each event but those that are part of the one before it
    begins a new one. Bodies are counted after each event, and places looked at after each step.
    """

    _moved: frozenset[int] = frozenset()

    @classmethod
    def play(cls, battle: Battle, run: Callable[[Battle], Iterable[Event]]) -> Watched:
        """Play the battle of the same setup and seed from its beginning; it, at its end."""
        seen = cls(battle.setup, battle.system, battle.seed)
        for _ in run(seen):
            pass
        seen.look_at_places()
        return seen

    def happen(self, event: Event) -> None:
        """Look at what the last step has left, then let *event* be so."""
        if not event.part_of_last:
            self.look_at_places()
        present = self.state.units["present"]
        if event.unit is not None and event.name != "activation ended":
            assert present[event.unit], f"{event.name} by a unit that is gone"
        super().happen(event)
        check_bodies(self)
        self._moved |= {c.unit for c in event.changes if isinstance(c, Place)}

    def look_at_places(self) -> None:
        """Fail where a unit that has been moved in this step stands where it may not."""
        moved, self._moved = self._moved, frozenset()
        if moved:
            check_places(self, moved)


def check_bodies(battle: Battle) -> None:
    """Members are as many as stand, and whoever is off the field has none."""
    units, condition = battle.state.units, battle.state.figures["condition"]
    for unit in range(len(units)):
        first = units.integer("first", unit)
        span = condition[first : first + units.integer("strength", unit)]
        assert np.count_nonzero(span == Condition.STANDING) == units.integer("members", unit)
        assert bool(units.integer("members", unit)) == bool(units.value("present", unit))


def body_of(battle: Battle, unit: int) -> shapely.Geometry:
    """What of a unit is in others' way: a tight formation, or the men of an open one."""
    if battle.state.units.value("formation", unit) != Formation.OPEN:
        return lie_of(battle).outline(unit).buffer(-INSIDE, join_style="mitre")
    drill = battle.state.roster.drill(unit)
    men = shapely.multipoints(lie_of(battle).places(unit))
    return men.buffer(min(drill.width, drill.depth) / 2 - INSIDE)


def check_places(battle: Battle, moved: Iterable[int]) -> None:
    """No mover is off the field, in what he may not enter, or in a tight formation of others."""
    units, lie, here = battle.state.units, lie_of(battle), on_field(battle)
    field = shapely.box(0, 0, *battle.setup.field.size).buffer(INSIDE)
    bodies = {unit: body_of(battle, unit) for unit in here}
    for unit in sorted(set(here).intersection(moved)):
        assert field.covers(lie.outline(unit)), battle.setup.units[unit].name
        assert not shapely.intersects(bodies[unit], going_of(battle, unit).barred).any()
        for other in here:
            tight = {units.value("formation", u) for u in (unit, other)} != {Formation.OPEN}
            level = gap_between(lie, unit, other) == 0
            if unit != other and tight and level:
                assert not bodies[unit].intersects(bodies[other]), (unit, other)
