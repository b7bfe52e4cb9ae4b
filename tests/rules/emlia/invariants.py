"""A battle of Emlia that looks at itself after each step, and says what ought not to be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event
from emlia3d.force import FigureCondition, Formation
from emlia3d.force.formation import centre
from emlia3d.rules.emlia.play.situation.going import going_of
from emlia3d.rules.emlia.play.situation.parts import is_mixed, on_field
from emlia3d.rules.emlia.play.situation.reach import gap_between
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

INSIDE = 1 / 32
"""GSU by which rounding may put outlines into one another."""

ROUNDED = 1 / 16
"""GSU that several legs, each rounded, may lead farther than they cost."""

PACES: Mapping[str, int] = MappingProxyType(
    {
        "moved": 1, "double paced": 2, "charged": 1, "charge fell short": 1, "fled": 2,
        "rolled on": 1, "turned to push": 0,
    }
)  # fmt: skip
"""By what happens to a unit, how many of its Normal Moves that may be.

Sources: emlia.move.normal, emlia.move.double-pace, emlia.charge.move, emlia.morale.routed,
emlia.mode.accel.must-move.
"""

FALLING_BACK: Mapping[str, int] = MappingProxyType({"Falling Back": 1, "Retreating": 2})
"""The same of "fell back", by the state of its morale."""

SLOW: Mapping[str, int] = MappingProxyType({"scrub": 2, "forest": 4})
"""What each GSU costs whoever walks in it, and is of size 1 or 2 (`emlia.terrain.examples`)."""

ROADS = ("road", "track", "bridge", "ford")
"""What leads through such ground."""

FORCED = ("pushed back", "borne along", "came back", "followed up")
"""What leads a unit no farther than pushes do (`emlia.push.sum`, `emlia.push.follow`)."""


UNPAID = (*FORCED, "aligned")
"""What no ground slows, as no movement pays for it (`emlia.align`)."""


class Watched(Battle):
    """A battle that fails as soon as something impossible has happened in it.

    What happens at once is one step: each event but those that are part of the one before it
    begins a new one. Bodies and moves are looked at after each event, places after each step.
    """

    def __init__(self, *fixed: object, **named: object) -> None:
        super().__init__(*fixed, **named)  # type: ignore[arg-type]  # those of a Battle
        self.told: list[Event] = []
        self._moved: set[int] = set()
        self._seen = np.zeros(len(self.state.units), dtype=np.bool_)

    @classmethod
    def play(cls, battle: Battle, run: Callable[[Battle], Iterable[Event]]) -> Watched:
        """Play the battle of the same setup and seed from its beginning; it, at its end."""
        seen = cls(battle.setup, battle.system, battle.seed)
        for _ in run(seen):
            pass
        seen.look_at_places()
        return seen

    def fork(self) -> Any:
        """Return the moment as an ordinary battle: a trial may put units anywhere."""
        twin = super().fork()
        twin.__class__ = Battle
        return twin

    def take_up(self, frame: str) -> None:
        """Go on from a key frame, as text."""
        self.state.restore(json.loads(frame))
        self._seen |= self.state.units["present"].astype(np.bool_)

    def happen(self, event: Event) -> None:
        """Look at what the last step has left, then let *event* be so, and look at that."""
        if not event.part_of_last:
            self.look_at_places()
        present = self.state.units["present"]
        if event.unit is not None and event.name not in {"activation ended", "arrived"}:
            assert present[event.unit], f"{event.name} by a unit that is gone"
        condition = self.state.figures["condition"].copy()
        movers = {change.unit for change in event.changes if isinstance(change, Place)}
        movers.intersection_update(on_field(self))
        before = {unit: middle_of(self, unit) for unit in sorted(movers)}
        start = {unit: situation_of(self).outline(unit) for unit in sorted(movers)}
        limits = {unit: farthest(self, event, unit) for unit in sorted(movers)}
        super().happen(event)
        self.told.append(event)
        self._seen |= self.state.units["present"].astype(np.bool_)
        check_bodies(self, self._seen)
        check_fallen(condition, self.state.figures["condition"])
        if event.unit is not None and "left" in event.facts.values():
            left = len(self.state.roster.standing(event.unit))
            assert event.facts.left == left, f"{event.name}: unit {event.unit}"
        for unit, middle in before.items():
            limit = limits[unit]
            if not self.state.units.value("present", unit):
                continue
            gone = float(np.hypot(*np.subtract(middle_of(self, unit), middle)))
            gone *= cost_of_ground(self, event, unit, start[unit])
            if limit is None:
                gone, limit = start[unit].distance(situation_of(self).outline(unit)), 0.0
            assert gone <= limit + ROUNDED, f"{event.name}: unit {unit} {gone:.2f} > {limit:g}"
        self._moved |= movers

    def look_at_places(self) -> None:
        """Fail where a unit that has been moved in this step stands where it may not."""
        moved, self._moved = self._moved, set()
        if moved:
            check_places(self, moved)


def check_bodies(battle: Battle, seen: NDArray[np.bool_]) -> None:
    """Members are as many as stand, and whoever has been on the field and is not has none.

    A unit is there as long as any of its subunits is.
    """
    units, roster = battle.state.units, battle.state.roster
    mustered = [unit.muster.members for unit in battle.setup.units]
    for unit in range(len(units)):
        assert len(roster.standing(unit)) == units.integer("members", unit)
        assert len(roster.figures_of(unit)) == units.integer("strength", unit)
        bodies = [*battle.setup.bodies_of(unit)]
        if mustered[unit]:
            assert units.ints("strength")[bodies].sum() == mustered[unit]
        below = np.flatnonzero(units.ints("parent") == unit).tolist()
        members = sum(units.integer("members", row) for row in (unit, *below))
        if seen[unit]:
            assert bool(members) == bool(units.value("present", unit)), f"unit {unit}"


def check_fallen(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> None:
    """Nobody is made and nobody comes back: who fell stays fallen, who left stays away."""
    assert len(before) == len(after)
    lost = before != FigureCondition.STANDING
    assert (before[lost] == after[lost]).all()


def farthest(battle: Battle, event: Event, unit: int) -> float | None:
    """How far the middle of a unit may be taken by what happens, GSU.

    By the largest number of its movement code; slower ground, formations, gears and wounds only
    take from that. None for what is no movement: where it was, some of it is still.
    """
    if event.name in FORCED:
        pushes = battle.state.lists["push"]
        pushed = sum(pushes.integer("successes", row) for row in range(len(pushes)))
        follows = "emlia.mixedeng.follow" in event.because
        return _speed(battle, unit) + 4 if follows else max(pushed, 4.0)
    if event.name == "aligned":
        return 2 * float(shapely.minimum_bounding_radius(situation_of(battle).outline(unit)))
    if event.name == "slipped away":
        # It leaves from any place within the skirmish's boundary.
        (east, north), _ = event.facts.path
        shifted = np.hypot(
            east - float(battle.state.units.value("x", unit)),
            north - float(battle.state.units.value("y", unit)),
        )
        # The turn about its middle has taken the front along.
        turn = shapely.minimum_bounding_radius(situation_of(battle).outline(unit))
        return _speed(battle, unit) + float(shifted) + 2 * float(turn)
    paces = PACES.get(event.name)
    if event.name == "fell back":
        paces = FALLING_BACK[str(event.facts.state)]
    return None if paces is None else paces * _speed(battle, unit)


def cost_of_ground(battle: Battle, event: Event, unit: int, start: shapely.Polygon) -> int:
    """What a GSU has cost a walker at least, who has never left a piece of slow ground."""
    entry, path = battle.setup.units[unit].entry, event.facts.values().get("path", ())
    assert isinstance(entry, Entry)
    walks = re.fullmatch(r"[\d.]+G", entry.movement or "") and not entry.abilities
    if event.name in UNPAID or not walks or entry.size > 2 or is_mixed(battle, unit):
        return 1
    shapes = [start, situation_of(battle).outline(unit), *map(shapely.Point, path)]
    went, cost = shapely.convex_hull(shapely.union_all(shapes)), 1
    for row, feature in enumerate(battle.setup.field.features):
        if not battle.state.features.value("present", row):
            continue
        if feature.kind in ROADS and feature.outline.intersects(went):
            return 1
        if feature.outline.covers(went):
            cost = max(cost, SLOW.get(feature.kind, 1))
    return cost


def _speed(battle: Battle, unit: int) -> float:
    """The largest number in the movement code of a unit, of the slowest of its subunits."""
    units, speeds = battle.state.units, []
    below = np.flatnonzero(units.ints("parent") == unit).tolist()
    for row in (unit, *below):
        entry = battle.setup.units[row].entry
        assert isinstance(entry, Entry)
        numbers = re.findall(r"[\d.]+(?=[A-Z])", re.sub(r"[\d./]+[AT]", "", entry.movement or "0G"))
        if units.integer("members", row):
            speeds.append(max(map(float, numbers)))
    return min(speeds)


def middle_of(battle: Battle, unit: int) -> tuple[float, float]:
    """The middle of the rectangle in which a unit, or the head of a mixed one, stands.

    About it a unit turns in place.
    """
    units = battle.state.units
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    return centre(battle.state.roster.drill(unit), x, y, units.integer("facing", unit))


def body_of(battle: Battle, unit: int) -> shapely.Geometry:
    """What of a unit is in others' way: a tight formation, or the men of an open one.

    The boundary of a mixed unit may have others within it (`emlia.entity.overlap`), so of that
    it is what its subunits take up.
    """
    situation, bodies = situation_of(battle), []
    for row in situation.parts(unit):
        outline, places = situation.alone(row)
        if battle.state.units.value("formation", row) != Formation.OPEN:
            bodies.append(outline.buffer(-INSIDE, join_style="mitre"))
            continue
        drill = battle.state.roster.drill(row)
        men = shapely.multipoints(places)
        bodies.append(men.buffer(min(drill.width, drill.depth) / 2 - INSIDE))
    return shapely.union_all(bodies)


def check_places(battle: Battle, moved: Iterable[int]) -> None:
    """No mover is off the field, in what he may not enter, or in a tight formation of others."""
    units, situation, here = battle.state.units, situation_of(battle), on_field(battle)
    field = shapely.box(0, 0, *battle.setup.field.size).buffer(INSIDE)
    bodies = {unit: body_of(battle, unit) for unit in here}
    for unit in sorted(set(here).intersection(moved)):
        assert field.covers(situation.outline(unit)), (
            f"{battle.setup.units[unit].name} is over the edge"
        )
        barred = going_of(battle, unit).barred
        assert not shapely.intersects(bodies[unit], barred).any(), f"unit {unit} is in terrain"
        for other in here:
            tight = {units.value("formation", u) for u in (unit, other)} != {Formation.OPEN}
            level = gap_between(situation, unit, other) == 0
            if unit != other and tight and level:
                assert not bodies[unit].intersects(bodies[other]), (unit, other)
