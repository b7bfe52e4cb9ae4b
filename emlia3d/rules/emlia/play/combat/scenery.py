"""Emlia, chapter 18.1 as play: terrain that has hits is struck, damaged and destroyed.

Anything may have statistics: a gate, a wall or a tree with hits takes damage like a unit of one,
and is gone when that reaches its damage limit. What has a vital table besides is a unit with a
boundary of its own, and no movement.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from shapely import Point

from emlia3d.battle.changes import Add, Append, Change, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.numbers import in_force
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.events.combat import Hewed, SceneryDamaged, SceneryDestroyed
from emlia3d.rules.emlia.play.acting.actions import Deed, may_take, used_by
from emlia3d.rules.emlia.play.acting.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.play.acting.subjects import may_do
from emlia3d.rules.emlia.play.combat.close_combat import in_rough
from emlia3d.rules.emlia.play.situation.arms import weapon_of
from emlia3d.rules.emlia.play.situation.contact import own_able_at
from emlia3d.rules.emlia.play.situation.reach import own_reach
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.damage import Group, damage_points, grouped, need
from emlia3d.rules.emlia.tables.melee import MODIFIERS, BlowFacts, MeleeNumbers, melee_modifier
from emlia3d.rules.emlia.tables.skills import roll_check
from emlia3d.rules.emlia.unit_sets.weapon import Weapon

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment


def destructible(moment: Moment) -> list[int]:
    """Features that stand and have hits, by number."""
    standing = moment.state.features.ints("present")
    return [
        row
        for row, feature in enumerate(moment.setup.field.features)
        if standing[row] and feature.hits is not None
    ]


def struck_scenery(moment: Moment, point: tuple[float, float], radius: float) -> list[int]:
    """Features with hits whose footprint meets a circle."""
    features, middle = moment.setup.field.features, Point(point)
    return [
        row
        for row in destructible(moment)
        if in_reach(float(features[row].outline.distance(middle)), radius)
    ]


def battered(row: int, base_damage: int, hits: int) -> Append:
    """Return the change that puts hits on a feature; they become damage in the resolution."""
    return Append(table="battering", row={"feature": row, "base_damage": base_damage, "hits": hits})


def batter(moment: Moment) -> Procedure[None]:
    """All hits on features become damage now; what has reached its damage limit is gone."""
    rows = moment.state.lists["battering"]
    struck: dict[int, list[Group]] = {}
    for row in range(len(rows)):
        feature, base_damage = rows.integer("feature", row), rows.integer("base_damage", row)
        hits = moment.setup.field.features[feature].hits
        assert hits is not None
        group = Group(base_damage, need(hits, base_damage), rows.integer("hits", row))
        struck.setdefault(feature, []).append(group)
    for feature, groups in sorted(struck.items()):
        points = sum(damage_points(group.hits, group.needed) for group in grouped(groups))
        if points and moment.state.features.value("present", feature):
            yield _damaged(moment, feature, points)


def _damaged(moment: Moment, row: int, points: int) -> Event:
    feature = moment.setup.field.features[row]
    total = moment.state.features.integer("damage", row) + points
    falls = total >= feature.damage_limit
    changes: list[Change] = [Add(table="feature", row=row, column="damage", value=points)]
    if falls:
        changes.append(Set(table="feature", row=row, column="present", value=0))
    return Event(
        facts=(SceneryDestroyed if falls else SceneryDamaged)(
            feature=feature.name, points=points, damage=total
        ),
        because=("emlia.terrain.entities", "emlia.damage.points", "emlia.attr.damage-limit"),
        changes=tuple(changes),
    )


def hewers(moment: Moment, unit: int, row: int) -> dict[int, int]:
    """Return how many members of each subunit have a feature in reach; subunits with none are out.

    The result is empty if the feature is out of the unit's combat range.
    """
    situation, outline = situation_of(moment), moment.setup.field.features[row].outline
    return {
        part: int(own_able_at(moment, part, outline).sum())
        for part in situation.parts(unit)
        if in_reach(float(situation.alone(part)[0].distance(outline)), own_reach(situation, part))
    }


def may_hew(moment: Moment, unit: int, row: int) -> Refusal | None:
    """Return a primary action is left, and the feature stands, has hits, and is in combat range."""
    if row not in destructible(moment):
        return Refusal("emlia.melee", "nothing there can be destroyed")
    if not hewers(moment, unit, row):
        return Refusal("emlia.melee", "it is not in its combat range")
    return may_do(moment, unit, "close combat", feature=True)


def scenery_options(moment: Moment, unit: int) -> list[Order]:
    """At each feature with hits that is in combat range; it is named by its number."""
    if may_take(moment, unit, "close combat") is not None:
        return []
    return [
        Order(verb="hew", unit=unit, number=row)
        for row in destructible(moment)
        if may_hew(moment, unit, row) is None
    ]


class FeatureBlow(NamedTuple):
    """One subunit's check of Close Combat against a feature.

    row : the subunit, or a plain unit
    weapon : its hardest melee weapon
    """

    row: int
    weapon: Weapon
    dice: int
    modifier: Modified


def blows_at(
    moment: Moment, unit: int, able: Mapping[int, int], *, charged: bool = False
) -> list[FeatureBlow]:
    """Return the checks of a unit against a feature: each subunit with its own skill and weapon.

    able : members that take part, by subunit
    charged : the unit has just charged the feature
    """
    blow = BlowFacts(
        numbers=MeleeNumbers(1, 1),
        rough=in_rough(moment, unit),
        charged=charged,
        double_paced=bool(moment.state.units.value("double_paced", unit)),
    )
    rows, found = melee_modifier(blow, in_force(moment, MODIFIERS)), []
    for part, members in able.items():
        tried = attempt_of(moment, part, "close combat", members)
        modifier = total_modifier(moment, part, rows, tried)
        found.append(FeatureBlow(part, weapon_of(moment, part), tried.dice, modifier))
    return found


def hew(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Close Combat against the feature that an order names."""
    assert order.number is not None
    yield from strike(battle, unit, order.number)


def strike(battle: Battle, unit: int, row: int, *, charged: bool = False) -> Procedure[None]:
    """Make a Close Combat against a feature, by the members that reach it, hardest weapon first.

    It is known to all units, strikes no unit back, and is not shifted (`emlia.melee.no-shift`).
    """
    feature, able = battle.setup.field.features[row], hewers(battle, unit, row)
    costs = used_by(battle, unit, "close combat")
    for blow in blows_at(battle, unit, able, charged=charged):
        check = roll_check("emlia.melee", blow.dice, blow.modifier.total, battle.dice)
        changes: list[Change] = [*costs]
        if check.successes:
            changes.append(battered(row, blow.weapon.base_damage, check.successes))
        yield Event(
            facts=Hewed(
                feature=feature.name,
                weapon=blow.weapon.name,
                base_damage=blow.weapon.base_damage,
                **facts_of(check),
            ),
            unit=blow.row,
            because=("emlia.melee", "emlia.melee.no-shift", *blow.modifier.because),
            changes=tuple(changes),
        )
        costs = ()


HEW = Deed(verbs=("hew",), options=scenery_options, perform=hew)
