"""Tin: a rule system of the nursery, small and whole, that nothing under test knows of.

Clockwork soldiers march until their springs run down, and bump over whom they reach. Each unit
in turn waits, marches (a figure of the shortlist, or anywhere near by legs) or bumps an enemy:
a d6 for each man of its front rank, who knocks one over with 5 or 6. Whoever was bumped stands
or backs off; then a d6 says how far the bumper's spring runs down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel
from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Append, Change, Clear, Fall, Fill, Leave, Pair, Place, Set
from emlia3d.battle.commanders import Commander
from emlia3d.battle.decisions import Decision, Leg, Order, Procedure, Refusal
from emlia3d.battle.dice import Dice
from emlia3d.battle.events import Event
from emlia3d.battle.facts import BattleFacts, facts_of
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.answer import SightAnswer, SightLine
from emlia3d.battle.result import Result
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.battle.system import System
from emlia3d.force import Column, FigureCondition
from emlia3d.force.formation import snapped
from tests.battle.toy_events import (
    EVENTS,
    Bumped,
    CalledIn,
    Done,
    Fell,
    Fled,
    Marched,
    RanDown,
    StoodStill,
    TurnBegan,
)
from tests.battle.toy_words import WORDS

GUARDS, LANCERS, SAILORS, BEAR = range(4)
"""The rows of the units of a battle of Tin."""

REACH = 25.0
"""How far a unit bumps, from the middle of its front line to that of the other's, GSU."""

COLUMNS = (
    Column(table="figure", name="dents", dtype="u1", label="dents"),
    Column(table="unit", name="spring", label="spring", default=9),
    Column(table="unit", name="polish", dtype="f8", label="polish", default=1.0),
    Column(table="unit", name="posture", label="posture", words=("upright", "crouching")),
    Column(table="unit", name="moved", label="has moved", words=("no", "yes")),
    Column(table="side", name="score", label="knocked over"),
    Column(table="battle", name="next", label="next unit"),
    Column(table="battle", name="over", label="the battle is over", words=("no", "yes")),
    Column(table="pair", name="bumped", label="bumped in turn"),
    Column(table="bump", name="by", label="by", default=-1),
    Column(table="bump", name="on", label="on", default=-1),
    Column(table="bump", name="force", dtype="f8", label="force", default=0.5),
)


@dataclass(frozen=True, slots=True)
class Nearby:
    """A march by one leg that ends within 8 GSU."""

    x: float
    y: float

    def refusal(self, order: Order) -> Refusal | None:
        """None for a march that ends near enough."""
        if order.verb != "march" or len(order.legs) != 1:
            return Refusal("tin.march", "a march has one leg")
        (leg,) = order.legs
        if (leg.x - self.x) ** 2 + (leg.y - self.y) ** 2 > 64:
            return Refusal("tin.march.far", "a spring drives 8 GSU")
        return None

    def for_moment(self, battle: Battle) -> Nearby:
        """The same, as nobody hides."""
        return self


class Wanderer:
    """Picks among what is on offer by a die, and now and then goes where the list does not say."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """One of the options, or a march that only the reach allows."""
        whim, face = dice.roll("tin.whim", 2, 12)
        if whim <= 3 and isinstance(decision.validator, Nearby):
            x, y = decision.validator.x + face / 3, decision.validator.y + whim
            leg = Leg(step="march", x=snapped(x), y=snapped(y), facing=face * 500)
            return Order(verb="march", unit=decision.unit, legs=(leg,), why="why not")
        return decision.options[(face - 1) % len(decision.options)]


class Tin(System):
    """The rule system."""

    name = "tin"
    title = "Tin"
    columns = COLUMNS
    events = EVENTS
    entry_model = BaseModel
    terrain = ("table",)
    states = ("crouching",)
    words = WORDS

    @override
    def opening(self, setup: Setup) -> tuple[Change, ...]:
        """Whoever is to crouch does; springs are as long as the number of the unit says."""
        crouching = [row for row, unit in enumerate(setup.units) if "crouching" in unit.states]
        return (
            *(Set(table="unit", row=row, column="posture", value=1) for row in crouching),
            *(
                Add(table="unit", row=row, column="spring", value=row)
                for row in range(len(setup.units))
            ),
        )

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        """A turn begins, or a unit acts."""
        table, units = battle.state.battle, battle.setup.units
        if table.value("over", 0):
            return None
        if battle.state.turn == 0 or table.value("next", 0) == len(units):
            return _begin_turn(battle)
        return _act(battle, table.integer("next", 0))

    @override
    def result(self, moment: Moment) -> Result | None:
        """Who has knocked more over."""
        if not moment.state.battle.value("over", 0):
            return None
        first, second = moment.state.sides["score"].tolist()
        names = [side.name for side in moment.setup.sides]
        winner = None if first == second else names[int(second > first)]
        return Result(winner=winner, level="victory" if winner else "draw", reason="Mother calls.")

    @override
    def commander(self, name: str) -> Commander | None:
        """The wanderer, whatever he is called."""
        return Wanderer() if name == "doctrine" else None

    @override
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> SightAnswer:
        """Toys see 10 m far, round every corner."""
        return self.sight_of(facts_of(moment), observer, target, damage)

    @override
    def sight_of(self, facts: BattleFacts, observer: int, target: int, damage: int) -> SightAnswer:
        """The same of anyone's troops, taken for toys of their height."""
        near, far = facts.units[observer], facts.units[target]
        off_m = facts.field.scale.metres_of_gsu(near.outline.distance(far.outline))
        tall_m = facts.field.scale.metres_of_heights(far.height)
        (start, end) = (each.outline.centroid.coords[0] for each in (near, far))
        clear = off_m <= 10
        line = SightLine(
            start=start, end=end, clear=clear, stopped_by=None if clear else "the distance"
        )
        return SightAnswer(
            observer=near.name,
            target=far.name,
            rules="tin",
            distance=off_m / 0.5,
            line_of_sight=clear,
            because=("tin.sight",),
            text=f"{far.name} of {facts.rules} is taken for a toy {tall_m:g} m high.",
            verdict=f"{'within' if clear else 'beyond'} 10 m",
            lines=(line,),
        )

    @override
    def height(self, moment: Moment, unit: int) -> float:
        """One, or a half crouching."""
        return 0.5 if moment.state.units.value("posture", unit) else 1.0


def _begin_turn(battle: Battle) -> Procedure[None]:
    if battle.state.turn == battle.setup.turns:
        over = Set(table="battle", row=0, column="over", value=1)
        yield Event(facts=CalledIn(), because=("tin.end",), changes=(over,))
        return
    yield Event(
        facts=TurnBegan(),
        gesture="turn",
        because=("tin.turn",),
        changes=(
            Add(table="battle", row=0, column="turn", value=1),
            Set(table="battle", row=0, column="next", value=0),
            Fill(table="unit", column="moved", value=0),
            Clear(table="bump"),
        ),
    )


def _act(battle: Battle, unit: int) -> Procedure[None]:
    """One unit does what it is told."""
    units = battle.state.units
    done = Set(table="battle", row=0, column="next", value=unit + 1)
    if not units.value("present", unit) or units.value("spring", unit) <= 0:
        yield Event(facts=StoodStill(), unit=unit, because=("tin.spring",), changes=(done,))
        return
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    side = units.integer("side", unit)
    order = yield Decision(
        side=side,
        asks="tin.act",
        unit=unit,
        options=(
            Order(verb="wait", unit=unit),
            *(Order(verb="bump", unit=unit, target=foe) for foe in _foes(battle, unit)),
            *(Order(verb="march", unit=unit, number=steps) for steps in (2, 5)),
        ),
        validator=Nearby(x, y),
    )
    if order.verb == "march":
        yield _marched(battle, unit, order)
    elif order.verb == "bump":
        assert order.target is not None
        yield from _bump(battle, unit, order.target)
    yield Event(facts=Done(), unit=unit, changes=(done,))


def _foes(moment: Moment, unit: int) -> tuple[int, ...]:
    units = moment.state.units
    off = np.hypot(units.floats("x") - units.floats("x")[unit],
                   units.floats("y") - units.floats("y")[unit])  # fmt: skip
    hostile = units["side"] != units.value("side", unit)
    return tuple(np.flatnonzero((units["present"] == 1) & hostile & (off <= REACH)).tolist())


def _marched(moment: Moment, unit: int, order: Order) -> Event:
    units = moment.state.units
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    facing = units.integer("facing", unit)
    if order.legs:
        x, y, facing = order.legs[0].x, order.legs[0].y, order.legs[0].facing
    else:
        assert order.number is not None
        y += order.number if units.value("side", unit) == 0 else -order.number
    return Event(
        facts=Marched(why=order.why),
        unit=unit,
        gesture="march",
        because=("tin.march",),
        changes=(
            Place(unit=unit, x=x, y=y, facing=facing, files=units.integer("files", unit),
                  formation=units.integer("formation", unit)),
            Set(table="unit", row=unit, column="moved", value=1),
        ),
    )  # fmt: skip


def _bump(battle: Battle, unit: int, foe: int) -> Procedure[None]:
    """Dice, who falls, what the other does, how the spring runs down."""
    state = battle.state
    drill = state.roster.drill(unit)
    faces = battle.dice.roll("tin.bump", min(drill.files, drill.count), 6)
    over = sum(face >= 5 for face in faces)
    yield Event(
        facts=Bumped(faces=faces, hits=over, force=over / 4, hard=over > 2, aim=None),
        unit=unit,
        target=foe,
        gesture="strike",
        because=("tin.bump", "tin.bump.fives"),
        changes=(
            Pair(column="bumped", a=unit, b=foe, value=state.turn),
            Append(table="bump", row={"by": unit, "on": foe, "force": over / 4}),
        ),
    )
    standing = _standing(state, foe)
    fallen = tuple(standing[:over])
    yield Event(
        facts=Fell(figures=len(fallen)),
        unit=foe,
        gesture="suffer",
        part_of_last=True,
        changes=(
            *(Set(table="figure", row=figure, column="dents", value=1) for figure in fallen),
            Fall(unit=foe, figures=fallen),
            Add(table="side", row=state.units.integer("side", unit), column="score",
                value=len(fallen)),
        ),
    )  # fmt: skip
    if state.units.value("present", foe):
        yield from _answer(battle, foe, unit)
    (worn,) = battle.dice.roll("tin.spring", 1, 6)
    polish = float(state.units.value("polish", unit)) / 3
    yield Event(
        facts=RanDown(worn=worn),
        unit=unit,
        because=("tin.spring",),
        changes=(
            Add(table="unit", row=unit, column="spring", value=-worn),
            Set(table="unit", row=unit, column="polish", value=polish),
        ),
    )


def _answer(battle: Battle, unit: int, foe: int) -> Procedure[None]:
    options = tuple(Order(verb=verb, unit=unit) for verb in ("stand", "flee"))
    side = battle.state.units.integer("side", unit)
    order = yield Decision(side=side, asks="tin.flee", unit=unit, options=options)
    if order.verb == "flee" and len(_standing(battle.state, unit)) < 3:
        taken = Pair(column="bumped", a=foe, b=unit, value=None)
        yield Event(
            facts=Fled(),
            unit=unit,
            gesture="vanish",
            changes=(taken, Leave(unit=unit)),
        )


def _standing(state: State, unit: int) -> list[int]:
    figures = state.figures
    there = (figures["unit"] == unit) & (figures["condition"] == FigureCondition.STANDING)
    return [int(figure) for figure in np.flatnonzero(there)]
