"""Emlia, chapter 14.2 as play: Area Volley.

The table is in `emlia3d.rules.emlia.tables.volley`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import shapely
from shapely import Point

from emlia3d.battle.changes import Append, Change, Clear
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.force.formation import GRID
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import in_force
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.events.combat import VolleyFell, VolleyLoosed
from emlia3d.rules.emlia.play.acting.actions import Deed, chosen, may_take, used_by
from emlia3d.rules.emlia.play.acting.checks import (
    armour_against,
    attempt_of,
    facts_of,
    hit,
    marked,
    total_modifier,
)
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.combat.falling import fallen_because, loosed_because
from emlia3d.rules.emlia.play.combat.scenery import battered, destructible, struck_scenery
from emlia3d.rules.emlia.play.combat.targets import falling_to, ranging_to, ready_for
from emlia3d.rules.emlia.play.sight.area import level_at
from emlia3d.rules.emlia.play.sight.awareness import is_aware, known_to
from emlia3d.rules.emlia.play.situation.arms import armed_for
from emlia3d.rules.emlia.play.situation.blast import overhead_at, struck_within
from emlia3d.rules.emlia.play.situation.parts import combination, head_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.equipment import Band, coverage_limit
from emlia3d.rules.emlia.tables.skills import Attempt, roll_check
from emlia3d.rules.emlia.tables.volley import (
    AREA_MODIFIERS,
    AtPoint,
    Spread,
    area_modifier,
    bearing_by,
    spread_after,
    strayed,
    useful_on_drift,
)
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

Place = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class VolleyShot:
    """A volley that may be loosed, with all that its odds depend on.

    row : the subunit that looses it
    """

    row: int
    weapon: Weapon
    distance: float
    band: Band
    base_damage: int
    tried: Attempt
    modifier: Modified


Volley = Literal["area volley", "concentrated volley"]


def loosing(moment: Moment, unit: int, volley: Volley) -> list[tuple[int, tuple[Weapon, ...]]]:
    """Return the subunits that have weapons for a volley and the skill; it cannot be improvised."""
    return [
        (row, weapons)
        for row, weapons in armed_for(moment, unit, volley)
        if attempt_of(moment, row, volley).dice
    ]


def may_try(moment: Moment, unit: int, volley: Volley) -> Refusal | None:
    """Return why a unit may not make a volley; None if it has the action, state and weapon."""
    refusal = may_take(moment, unit, volley)
    if refusal is None and not loosing(moment, unit, volley):
        return Refusal("emlia.skill.improvise", "it has no weapon and skill for that")
    return refusal


def numbers_of_volley(moment: Moment, unit: int, volley: Volley) -> range:
    """Return the numbers of an order for a volley: each combination of its subunits' weapons."""
    armed = loosing(moment, unit, volley)
    return range(prod(len(weapons) for _, weapons in armed) if armed else 0)


def ranging_at(
    moment: Moment, unit: int, point: Place, weapon: Weapon
) -> tuple[float, Band | None]:
    """Return how far a point is for a weapon, and in which band; None where it is out of range."""
    ground = float(situation_of(moment).ground_at(np.array([point]))[0])
    return ranging_to(moment, unit, Point(point), ground, weapon)


class VolleyValidator:
    """Every Area Volley that a unit may be ordered to loose: at any point in range."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment = moment
        self._unit = unit

    def for_moment(self, moment: Moment) -> VolleyValidator:
        """Return the orders within reach, for a unit of the battle as its side knows it."""
        return VolleyValidator(moment, self._unit)

    def refusal(self, order: Order) -> Refusal | None:
        """None if the unit may loose a volley as *order* says."""
        battle, unit = self._moment, self._unit
        if order.verb != "area-volley" or order.unit != unit or order.point is None:
            return Refusal("emlia.volley", "this unit has no such volley")
        refusal = may_try(battle, unit, "area volley")
        if refusal is not None:
            return refusal
        if order.number not in numbers_of_volley(battle, unit, "area volley"):
            return Refusal("emlia.volley", "it has no such weapon")
        return may_bombard(battle, unit, order.point, order.number or 0)


@rule("emlia.volley.point")
def may_bombard(moment: Moment, unit: int, point: Place, number: int) -> Refusal | None:
    """Any point on the field within range and arc without total cover above it, seen or not."""
    width, depth = moment.setup.field.size
    if not (0 <= point[0] <= width and 0 <= point[1] <= depth):
        return Refusal("emlia.volley.point", "that point is off the field")
    if (refusal := may_target(moment, unit, "area volley", point=point)) is not None:
        return refusal
    ready = _ready(moment, unit, point, number)
    if isinstance(ready, Refusal):
        return ready
    damages = [falling_to(weapon, weapon.area_damage, band) for weapon, band in ready.values()]
    if overhead_at(moment, point, max(damages)) is Level.TOTAL:
        return Refusal("emlia.volley", "it has total cover from above")
    return None


BEFORE = 0.25
"""GSU before an enemy at which the ground is offered as a mark that its body does not hide."""


def area_options(moment: Moment, unit: int) -> list[Order]:
    """Return orders for each weapon at each known enemy and each breakable feature.

    The targets are the centre of an enemy, the ground before it, and the centres of solid features
    with hits; the player can name any other point.
    """
    if may_try(moment, unit, "area volley") is not None:
        return []
    side = moment.state.units.integer("side", unit)
    points = [point for foe in known_to(moment, side) for point in _marks(moment, unit, foe)]
    solid = [moment.setup.field.features[row] for row in destructible(moment)]
    middles = [each.outline.centroid for each in solid if each.body == "solid"]
    points += [on_grid((middle.x, middle.y)) for middle in middles]
    return [
        Order(verb="area-volley", unit=unit, number=number, point=point)
        for point in dict.fromkeys(points)
        for number in numbers_of_volley(moment, unit, "area volley")
        if may_bombard(moment, unit, point, number) is None
    ]


def _marks(moment: Moment, unit: int, foe: int) -> Iterator[Place]:
    """Yield the centre of an enemy, and the ground before it on the line to it."""
    situation = situation_of(moment)
    middle, source = situation.centre(foe), situation.centre(unit)
    yield on_grid(middle)
    way = shapely.linestrings([middle, source])
    deep = float(shapely.length(shapely.intersection(way, situation.outline(foe)))) + BEFORE
    if deep < (whole := float(shapely.length(way))):
        share = deep / whole
        yield on_grid(
            (
                middle[0] + (source[0] - middle[0]) * share,
                middle[1] + (source[1] - middle[1]) * share,
            )
        )


def on_grid(point: Place) -> Place:
    """Return the nearest place that can be stored."""
    return round(point[0] * GRID) / GRID, round(point[1] * GRID) / GRID


def lobs_at(moment: Moment, unit: int, point: Place, number: int) -> list[VolleyShot]:
    """Return the volley of each subunit that has a point in range and arc, by a weapon number."""
    ready = _ready(moment, unit, point, number)
    if isinstance(ready, Refusal):
        return []
    return [lob_at(moment, row, point, weapon) for row, (weapon, _) in ready.items()]


def _ready(
    moment: Moment, unit: int, point: Place, number: int
) -> dict[int, tuple[Weapon, Band]] | Refusal:
    """Return the weapons that have a point in range and arc, by subunit; or why there are none."""

    def band_of(row: int, weapon: Weapon) -> Band | None:
        return ranging_at(moment, row, point, weapon)[1]

    used = combination(loosing(moment, unit, "area volley"), number)
    return ready_for(moment, used, band_of, Point(point))


def lob_at(moment: Moment, row: int, point: Place, weapon: Weapon) -> VolleyShot:
    """Return the Area Volley of one subunit, or of a plain unit, at a point that is in range."""
    distance, band = ranging_at(moment, row, point, weapon)
    assert band is not None
    tried = attempt_of(moment, row, "area volley")
    at = AtPoint(band=band, concealment=level_at(moment, head_of(moment, row), point))
    rows = area_modifier(at, in_force(moment, AREA_MODIFIERS))
    return VolleyShot(
        row=row, weapon=weapon, distance=distance, band=band,
        base_damage=falling_to(weapon, weapon.area_damage, band),
        tried=tried, modifier=total_modifier(moment, row, rows, tried),
    )  # fmt: skip


@rule("emlia.volley", "emlia.volley.suppression")
def area_volley(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Roll the skill; spend the successes; let the point drift; strike all bodies round it.

    Each subunit of a mixed unit looses a volley of its own. Units under it suffer nothing
    else.
    """
    assert order.point is not None
    assert order.number is not None
    point = on_grid(order.point)
    costs = used_by(battle, unit, "area volley")
    for lob in lobs_at(battle, unit, point, order.number):
        yield from _loosed(battle, lob, point, costs)
        costs = ()


def _loosed(
    battle: Battle, lob: VolleyShot, point: Place, costs: tuple[Change, ...]
) -> Procedure[None]:
    """One volley, from the bow to the ground."""
    check = roll_check("emlia.volley", lob.tried.dice, lob.modifier.total, battle.dice)
    yield Event(
        facts=VolleyLoosed(**facts_of_lob(lob), aimed_at=point, **facts_of(check, lob.modifier)),
        unit=lob.row,
        because=(*loosed_because(battle, lob, point, check, costs), *lob.modifier.because),
        changes=(*costs, _in_the_air(battle, lob, point, check.successes)),
    )
    spread = yield from _spent(battle, lob.row, lob.weapon, check.successes)
    faces = battle.dice.roll("emlia.volley.drift", 1, 12) if spread.drift else (12,)
    fell = strayed(point, spread.drift, faces[0])
    bearing = bearing_by(faces[0]) if spread.drift else None
    yield _fallen(battle, lob, spread, Landing(point, fell, bearing))


class Landing(NamedTuple):
    """The landing of a volley: its aim, where it falls, and the direction of its drift."""

    aimed: Place
    fell: Place
    bearing: int | None


@dataclass(frozen=True, slots=True)
class PendingVolley:
    """An Area Volley that has not fallen yet.

    weapon : its number among the weapons of the unit that loosed it
    successes : not spent yet
    """

    weapon: int
    successes: int
    point: Place


def _in_the_air(moment: Moment, lob: VolleyShot, point: Place, successes: int) -> Change:
    weapon = situation_of(moment).entry(lob.row).weapons_for("area volley").index(lob.weapon)
    row = {"weapon": weapon, "successes": successes, "x": point[0], "y": point[1]}
    return Append(table="lob", row=row)


def volley_of(moment: Moment) -> PendingVolley:
    """Return the volley whose successes the player is asked to spend."""
    rows = moment.state.lists["lob"]
    return PendingVolley(
        rows.integer("weapon", 0),
        rows.integer("successes", 0),
        (float(rows.value("x", 0)), float(rows.value("y", 0))),
    )


def facts_of_lob(lob: VolleyShot) -> dict[str, Any]:
    """Return a volley as facts of an `AttackFromAfar`."""
    return {
        "weapon": lob.weapon.name,
        "distance": round(lob.distance, 1),
        "band": lob.band.name.lower(),
        "base_damage": lob.base_damage,
    }


def spread_of(moment: Moment, unit: int, weapon: Weapon, on_drift: int, rest: int) -> Spread:
    """Return drift and coverage of a unit's volley for the successes spent on each."""
    coverage = weapon.coverage
    assert coverage is not None
    limit = limit_of(moment, unit, weapon)
    return spread_after(coverage.drift, coverage.start, coverage.increment, limit, on_drift, rest)


def limit_of(moment: Moment, unit: int, weapon: Weapon) -> float:
    """Return the greatest diameter of a unit's volley: every member has the weapon and is able."""
    coverage = weapon.coverage
    assert coverage is not None
    members = moment.state.units.integer("members", unit)
    return coverage_limit(coverage.limit, coverage.per_weapon, members)


def on_drift_of(moment: Moment, unit: int, weapon: Weapon, successes: int) -> range:
    """Return how many of *successes* may go on drift; the others widen the area."""
    coverage = weapon.coverage
    assert coverage is not None
    limit = limit_of(moment, unit, weapon)
    return useful_on_drift(coverage.drift, coverage.start, coverage.increment, limit, successes)


def _spent(moment: Moment, unit: int, weapon: Weapon, successes: int) -> Procedure[Spread]:
    """Ask the player how many successes go on drift, if there is a choice."""
    wanted = on_drift_of(moment, unit, weapon, successes)
    options = [Order(verb="on-drift", unit=unit, number=n) for n in wanted]
    order = yield from chosen(moment, unit, "emlia.volley.success", options)
    assert order.number is not None
    return spread_of(moment, unit, weapon, order.number, successes - order.number)


@rule("emlia.volley.area")
def _fallen(moment: Moment, lob: VolleyShot, spread: Spread, landing: Landing) -> Event:
    """Return one hit for each member and feature whose footprint meets the circle.

    The event says that the direction uses a die of our own, because the book's is lost.
    """
    aimed, fell, bearing = landing
    lost = () if bearing is None else ("emlia.meta.lost-material",)
    struck = struck_within(moment, fell, spread.coverage / 2)
    unit, changes = head_of(moment, lob.row), list[Change]((Clear(table="lob"),))
    side, armour = moment.state.units.integer("side", unit), armour_against(lob.weapon)
    for subject, hits in struck.items():
        if moment.setup.hostile(side, moment.state.units.integer("side", subject)):
            unseen = int(not is_aware(moment, subject, unit))
            changes += marked(
                moment, unit, subject, lob.base_damage, hits, armour=armour, unseen=unseen
            )
        else:
            changes.append(hit(unit, subject, lob.base_damage, hits, armour=armour))
    scenery = struck_scenery(moment, fell, spread.coverage / 2)
    changes += [battered(row, lob.base_damage, 1) for row in scenery]
    return Event(
        facts=VolleyFell(
            weapon=lob.weapon.name,
            aimed_at=aimed,
            fell_at=fell,
            drift=spread.drift,
            bearing=bearing,
            coverage=spread.coverage,
            struck=tuple(moment.setup.units[subject].name for subject in struck),
            hits=tuple(struck.values()),
            scenery=tuple(moment.setup.field.features[row].name for row in scenery),
        ),
        unit=lob.row,
        gesture="shoot",
        because=(*fallen_because(lob, spread, changes), *lost, "emlia.volley.area"),
        changes=tuple(changes),
    )


AREA_VOLLEY = Deed(
    verbs=("area-volley",), options=area_options, perform=area_volley, validator=VolleyValidator
)
