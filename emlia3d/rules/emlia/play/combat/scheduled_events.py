"""Emlia, chapter 22.1 as play: what happens by itself at the beginning of turns.

Before the first timing step: first those come onto the field who are due; then come bombardments,
earthquakes and the like, all in one step of their own, which is resolved before any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import Polygon

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Occurrence
from emlia3d.force.formation import Formation, boundary
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.columns import Phase
from emlia3d.rules.emlia.events.movement import Arrived
from emlia3d.rules.emlia.events.scheduled import Bombarded, EventsOver, Harmed, SweptAway, Trembled
from emlia3d.rules.emlia.play.acting.checks import armour_against, facts_of, hit
from emlia3d.rules.emlia.play.combat.scenery import battered, struck_scenery
from emlia3d.rules.emlia.play.situation.blast import struck_within
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import percent_base
from emlia3d.rules.emlia.tables.skills import roll_check, skill_of
from emlia3d.rules.emlia.tables.volley import spread_after, strayed
from emlia3d.rules.emlia.unit_sets.strike import HazardModel, Strike
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

# Two blocks that share less than this stand side by side; square GSU.
_TOUCH = 1 / 16


def is_due(moment: Moment, unit: int) -> bool:
    """Return whether a unit has still to come onto the field."""
    units = moment.state.units
    return not units.value("present", unit) and units.integer("members", unit) > 0


@rule("emlia.scenario.events.examples.reinforcement")
def arrive(moment: Moment) -> Procedure[None]:
    """Bring reinforcements that are due onto the field at their positions, ready to activate.

    A close or ranked unit whose place is taken waits until the next turn.
    """
    turn, units = moment.state.turn, moment.state.units
    for unit, setup in enumerate(moment.setup.units):
        if not setup.arrives or setup.arrives > turn or not is_due(moment, unit):
            continue
        if setup.muster.parent >= 0:
            continue
        situation = situation_of(moment)
        below = np.flatnonzero(units.ints("parent") == unit).tolist()
        rows = [unit, *below]
        if any(_is_taken(moment, row) for row in rows):
            continue
        base = percent_base(
            members=sum(units.integer("members", row) for row in rows),
            single=units.integer("strength", unit) == 1 and not below,
            limit=situation.entry(unit).damage_limit,
            damage=0,
        )
        timing = max(situation.entry(row).timing or 0 for row in rows)
        now = (("timing", timing), ("strength_now", -1 if base is None else base))
        changes: tuple[Change, ...] = (
            *(Set(table="unit", row=row, column="present", value=1) for row in rows),
            *(Set(table="unit", row=unit, column=column, value=value) for column, value in now),
        )
        yield Event(
            facts=Arrived(),
            unit=unit,
            gesture="march",
            because=("emlia.scenario.events", "emlia.scenario.events.examples.reinforcement"),
            changes=changes,
        )


def _is_taken(moment: Moment, unit: int) -> bool:
    """Return whether another unit stands where a close or ranked unit would."""
    if moment.state.units.integer("formation", unit) == Formation.OPEN:
        return False
    situation, room = situation_of(moment), _room_of(moment, unit)
    return any(
        float(shapely.area(shapely.intersection(room, situation.outline(other)))) > _TOUCH
        for other in on_field(moment)
    )


def _room_of(moment: Moment, unit: int) -> Polygon:
    """Return the boundary that a unit will have when it is there."""
    drawn = moment.setup.units[unit].outline
    if drawn is not None:
        return drawn
    units, drill = moment.state.units, moment.state.roster.drill(unit)
    x, y = float(units.value("x", unit)), float(units.value("y", unit))
    facing = units.integer("facing", unit)
    return boundary(drill, x, y, facing)


EVERYBODYS = -1
"""The attacker of hits that are credited to no unit."""

THROWN_DOWN = 1
"""Faces up to this throw a unit down."""


def happen(battle: Battle) -> Procedure[bool]:
    """Run the scheduled events of this turn; return whether any happened."""
    due = [
        one
        for one in battle.setup.occurrences
        if battle.state.turn in one.turns and (one.strike or one.shakes or one.destroys)
    ]
    for one in due:
        if isinstance(one.strike, Strike):
            yield bombardment(battle, one.name, one.strike)
        if one.shakes is not None:
            yield earthquake(battle, one.name, one.shakes)
        if one.destroys:
            yield _swept_away(battle, one)
    if due:
        phase = Set(table="battle", row=0, column="phase", value=Phase.EVENTS)
        yield Event(facts=EventsOver(), changes=(phase,), part_of_last=True)
    return bool(due)


@rule("emlia.scenario.events.examples", "emlia.scenario.events.examples.artillery")
def bombardment(battle: Battle, name: str, strike: Strike) -> Event:
    """Return the event of an Area Volley without modifiers; successes go on drift, then coverage.

    Units of all sides in the area are hit, and so is terrain.
    """
    coverage = strike.weapon.coverage
    assert coverage is not None
    width, depth = battle.setup.field.size
    point = strike.at or (width / 2, depth / 2)
    level = skill_of(strike.volley_fire)
    check = roll_check("emlia.scenario.events.examples.artillery", level.dice, 0, battle.dice)
    on_drift = min(check.successes, math.ceil(coverage.drift))
    spread = spread_after(
        coverage.drift, coverage.start, coverage.increment, coverage.limit,
        on_drift, check.successes - on_drift,
    )  # fmt: skip
    faces = battle.dice.roll("emlia.volley.drift", 1, 12) if spread.drift else (12,)
    fell, radius = strayed(point, spread.drift, faces[0]), spread.coverage / 2
    struck, base_damage = struck_within(battle, fell, radius), strike.weapon.area_damage
    armour = armour_against(strike.weapon)
    changes: list[Change] = [
        hit(EVERYBODYS, subject, base_damage, hits, armour=armour)
        for subject, hits in struck.items()
    ]
    changes += [battered(row, base_damage, 1) for row in struck_scenery(battle, fell, radius)]
    return Event(
        facts=Bombarded(
            name=name,
            weapon=strike.weapon.name,
            aimed_at=point,
            fell_at=fell,
            coverage=spread.coverage,
            struck=tuple(battle.setup.units[subject].name for subject in struck),
            **facts_of(check),
        ),
        because=(
            "emlia.scenario.events",
            "emlia.scenario.events.examples.artillery",
            *(("emlia.volley.success",) if check.successes else ()),
            "emlia.volley.drift",
            "emlia.volley.area",
        ),
        changes=tuple(changes),
    )


@rule("emlia.scenario.events.examples.earthquake")
def earthquake(battle: Battle, name: str, area: str) -> Event:
    """One die for every unit that is in the area, even in part; on a 1 it is prone."""
    situation, outline = situation_of(battle), battle.setup.area(area)
    shaken = [unit for unit in on_field(battle) if situation.outline(unit).intersects(outline)]
    faces = battle.dice.roll("emlia.scenario.events.examples.earthquake", len(shaken), 12)
    thrown = [unit for unit, face in zip(shaken, faces, strict=True) if face <= THROWN_DOWN]
    return Event(
        facts=Trembled(
            name=name,
            faces=tuple(faces),
            thrown=tuple(battle.setup.units[unit].name for unit in thrown),
        ),
        because=("emlia.scenario.events", "emlia.scenario.events.examples.earthquake"),
        changes=tuple(Set(table="unit", row=unit, column="posture", value=1) for unit in thrown),
    )


def _swept_away(moment: Moment, one: Occurrence) -> Event:
    names = [feature.name for feature in moment.setup.field.features]
    return Event(
        facts=SweptAway(name=one.name, features=one.destroys),
        because=("emlia.scenario.events",),
        changes=tuple(
            Set(table="feature", row=names.index(name), column="present", value=0)
            for name in one.destroys
        ),
    )


@rule("emlia.activate.delay-example")
def harmed(moment: Moment, unit: int) -> Iterator[Event]:
    """Yield hits on a unit whose activation has ended near a hazard; no unit is credited.

    A unit that delays has not ended its activation.
    """
    if not moment.state.units.value("present", unit):
        return
    outline = situation_of(moment).outline(unit)
    for one in moment.setup.occurrences:
        harm = one.harms
        if not isinstance(harm, HazardModel) or moment.state.turn not in one.turns:
            continue
        if in_reach(float(outline.distance(moment.setup.area(harm.near))), harm.within):
            yield Event(
                facts=Harmed(name=one.name, near=harm.near, hits=harm.hits),
                unit=unit,
                because=("emlia.activate.delay-example", "emlia.resolve.other-effects"),
                changes=(hit(EVERYBODYS, unit, harm.base_damage, harm.hits),),
            )
