"""What would alter the answer to a sight question: looked for by asking again.

Each candidate is put to a copy of the battle. A row of steps finds where the verdict first
differs, halving narrows it down, and what is reported was asked itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import shapely

from emlia3d.battle.answer import Alteration
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change, Place, Set
from emlia3d.battle.events import Event
from emlia3d.field import KINDS
from emlia3d.force.formation import snapped
from emlia3d.rules.emlia.levels import DEGREES, Level
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.sight.watch import level_on

if TYPE_CHECKING:
    from shapely import Polygon

FARTHEST = 20.0
"""How far is looked: height units up, GSU to either side."""

FINEST = 1 / 16
"""Amounts are told to this, height units or GSU."""

_RISE, _STEP = 0.5, 1.0

# Less than this lies between two bodies that stand shoulder to shoulder; square GSU.
_TOUCH = 1 / 16

_POSTURES = (
    ("standing", "posture", 0),
    ("prone", "posture", 1),
    ("taking cover", "taking_cover", 1),
    ("leaving cover", "taking_cover", 0),
)


def alterations(battle: Battle, observer: int, observed: int) -> tuple[Alteration, ...]:
    """For either unit the least height and the least step that alter the verdict, and postures."""
    found: list[Alteration] = []
    for who, other in ((observer, observed), (observed, observer)):
        trial = _Trial(battle, observer, observed, who)
        found += trial.higher()
        found += trial.postures()
        found += trial.steps(other)
    return tuple(found)


class _Trial:
    """The question asked again with one unit otherwise than it is."""

    def __init__(self, battle: Battle, observer: int, observed: int, who: int) -> None:
        self.battle = battle
        self.pair = (observer, observed)
        self.who = who
        self.name = battle.setup.units[who].name
        self.now = level_on(battle, observer, observed)

    def higher(self) -> Iterator[Alteration]:
        """The least extra height on which the verdict differs."""
        scene = copied(self.battle)
        stands = float(self.battle.state.units.value("on_height", self.who))

        def raised(extra: float) -> Level:
            value = stands + extra
            change = Set(table="unit", row=self.who, column="on_height", value=value)
            return self._asked(scene, change)

        yield from self._told("higher", raised, _RISE)

    def postures(self) -> Iterator[Alteration]:
        """The postures in which the verdict differs."""
        for what, column, value in _POSTURES:
            if self.battle.state.units.integer(column, self.who) == value:
                continue
            change = Set(table="unit", row=self.who, column=column, value=value)
            level = self._asked(copied(self.battle), change)
            if level is not self.now:
                yield Alteration(who=self.name, what=what, amount=None, verdict=DEGREES[level])

    def steps(self, other: int) -> Iterator[Alteration]:
        """The least steps to the left and to the right, facing *other*, where it differs."""
        lie = lie_of(self.battle)
        (x, y), (there_x, there_y) = lie.centre(self.who), lie.centre(other)
        east, north = there_x - x, there_y - y
        length = math.sqrt(east * east + north * north)
        if not length:
            return
        for what, turn in (("step left", -1.0), ("step right", 1.0)):
            sideways = (turn * north / length, -turn * east / length)
            scene, room = copied(self.battle), _Room(self.battle, self.who)

            def moved(
                amount: float,
                way: tuple[float, float] = sideways,
                scene: Battle = scene,
                room: _Room = room,
            ) -> Level | None:
                change = self._place(way[0] * amount, way[1] * amount)
                level = self._asked(scene, change)
                return level if room.holds(lie_of(scene).outline(self.who)) else None

            yield from self._told(what, moved, _STEP)

    def _place(self, east: float, north: float) -> Place:
        units, who = self.battle.state.units, self.who
        return Place(
            unit=who,
            x=snapped(float(units.value("x", who)) + east),
            y=snapped(float(units.value("y", who)) + north),
            facing=units.integer("facing", who),
            formation=units.integer("formation", who),
            files=units.integer("files", who),
        )

    def _asked(self, scene: Battle, change: Change) -> Level:
        scene.happen(Event(name="supposed", changes=(change,)))
        return level_on(scene, *self.pair)

    def _told(
        self, what: str, verdict_at: Callable[[float], Level | None], step: float
    ) -> Iterator[Alteration]:
        """The least amount for which the verdict is there and differs; nothing if there is none."""
        low, found = 0.0, None
        while found is None and low < FARTHEST:
            found = self._other(verdict_at(low + step))
            low += step if found is None else 0.0
        if found is None:
            return
        high = low + step
        while high - low > FINEST:
            middle = (low + high) / 2
            closer = self._other(verdict_at(middle))
            if closer is None:
                low = middle
            else:
                high, found = middle, closer
        yield Alteration(who=self.name, what=what, amount=high, verdict=DEGREES[found])

    def _other(self, level: Level | None) -> Level | None:
        return None if level is self.now else level


class _Room:
    """Where a unit may stand: on the field, and in nothing solid that it is not in now."""

    def __init__(self, battle: Battle, who: int) -> None:
        lie, setup = lie_of(battle), battle.setup
        self.size = setup.field.size
        here = lie.outline(who)
        solid = [lie.outline(unit) for unit in range(len(setup.units)) if unit != who]
        solid += [
            feature.outline
            for row, feature in enumerate(setup.field.features)
            if feature.body == "solid" and feature.height > 0 and not KINDS[feature.kind].stood_on
            and battle.state.features.value("present", row)
        ]  # fmt: skip
        taken = np.array([each for each in solid if not each.is_empty], dtype=object)
        self.taken = taken[shapely.area(shapely.intersection(taken, here)) <= _TOUCH]

    def holds(self, outline: Polygon) -> bool:
        """Whether a unit of this outline may stand there; touching is no hindrance."""
        west, south, east, north = outline.bounds
        if min(west, south) < 0 or east > self.size[0] or north > self.size[1]:
            return False
        shared = shapely.area(shapely.intersection(self.taken, outline))
        return bool((shared <= _TOUCH).all())


def copied(battle: Battle) -> Battle:
    """The same moment, to be tried out on."""
    twin = Battle(battle.setup, battle.system, battle.seed)
    twin.state = battle.state.copy()
    return twin
