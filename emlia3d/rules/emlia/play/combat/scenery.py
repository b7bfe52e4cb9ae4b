"""Emlia, chapter 18.1 as play: terrain that has hits is struck, damaged and destroyed.

Anything may have statistics: a gate, a wall or a tree with hits takes damage like a unit of one,
and is gone when that reaches its damage limit. What has a vital table besides is a unit with a
boundary of its own, and no movement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapely import Point

from emlia3d.battle.changes import Add, Append, Change, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event, Fact
from emlia3d.rules.emlia.actions import Kind
from emlia3d.rules.emlia.damage import Group, damage_points, grouped, need
from emlia3d.rules.emlia.melee import MODIFIERS, Blow, Numbers, melee_modifier
from emlia3d.rules.emlia.numbers import in_force
from emlia3d.rules.emlia.play.combat.arms import weapons_of
from emlia3d.rules.emlia.play.combat.close_combat import in_rough
from emlia3d.rules.emlia.play.engagement.contact import able_at
from emlia3d.rules.emlia.play.engagement.reach import reach_of
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.turn.actions import Deed, may_take, used
from emlia3d.rules.emlia.play.turn.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.skills import roll_check
from emlia3d.rules.emlia.tables import Modified
from emlia3d.rules.emlia.thresholds import in_reach

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


def destructible(battle: Battle) -> list[int]:
    """Features that stand and have hits, by number."""
    standing = battle.state.features.ints("present")
    return [
        row
        for row, feature in enumerate(battle.setup.field.features)
        if standing[row] and feature.hits is not None
    ]


def struck_scenery(battle: Battle, point: tuple[float, float], radius: float) -> list[int]:
    """Features with hits whose footprint meets a circle."""
    features, middle = battle.setup.field.features, Point(point)
    return [
        row
        for row in destructible(battle)
        if in_reach(float(features[row].outline.distance(middle)), radius)
    ]


def battered(row: int, base_damage: int, hits: int) -> Append:
    """The change that puts hits on a feature; they become damage in the resolution."""
    return Append(table="battering", row={"feature": row, "base_damage": base_damage, "hits": hits})


def batter(battle: Battle) -> Procedure[None]:
    """All hits on features become damage now; what has reached its damage limit is gone."""
    rows = battle.state.lists["battering"]
    struck: dict[int, list[Group]] = {}
    for row in range(len(rows)):
        feature, base_damage = rows.integer("feature", row), rows.integer("base_damage", row)
        hits = battle.setup.field.features[feature].hits
        assert hits is not None
        group = Group(base_damage, need(hits, base_damage), rows.integer("hits", row))
        struck.setdefault(feature, []).append(group)
    for feature, groups in sorted(struck.items()):
        points = sum(damage_points(group.hits, group.needed) for group in grouped(groups))
        if points and battle.state.features.value("present", feature):
            yield _damaged(battle, feature, points)


def _damaged(battle: Battle, row: int, points: int) -> Event:
    feature = battle.setup.field.features[row]
    total = battle.state.features.integer("damage", row) + points
    falls = total >= feature.damage_limit
    changes: list[Change] = [Add(table="feature", row=row, column="damage", value=points)]
    if falls:
        changes.append(Set(table="feature", row=row, column="present", value=0))
    facts: dict[str, Fact] = {"feature": feature.name, "points": points, "damage": total}
    return Event(
        name="scenery destroyed" if falls else "scenery damaged",
        facts=facts,
        because=("emlia.terrain.entities", "emlia.damage.points", "emlia.attr.damage-limit"),
        changes=tuple(changes),
    )


def may_hew(battle: Battle, unit: int, row: int) -> Refusal | None:
    """A primary action is left, and the feature stands, has hits, and is in combat range."""
    if row not in destructible(battle):
        return Refusal("emlia.melee", "there is nothing that could be broken")
    lie, outline = lie_of(battle), battle.setup.field.features[row].outline
    if not in_reach(float(lie.outline(unit).distance(outline)), reach_of(lie, unit)):
        return Refusal("emlia.melee", "it is not in its combat range")
    return may_take(battle, unit, "close combat", Kind.PRIMARY)


def options(battle: Battle, unit: int) -> list[Order]:
    """At each feature with hits that is in combat range; it is named by its number."""
    if may_take(battle, unit, "close combat", Kind.PRIMARY) is not None:
        return []
    return [
        Order(verb="hew", unit=unit, number=row)
        for row in destructible(battle)
        if may_hew(battle, unit, row) is None
    ]


def blows_at(battle: Battle, unit: int, able: int) -> tuple[int, Modified]:
    """Dice and modifier with which so many members of a unit hew at a feature."""
    tried = attempt_of(battle, unit, "close combat", able)
    blow = Blow(
        numbers=Numbers(1, 1),
        rough=in_rough(battle, unit),
        double_paced=bool(battle.state.units.value("double_paced", unit)),
    )
    rows = melee_modifier(blow, in_force(battle, MODIFIERS))
    return tried.dice, total_modifier(battle, unit, rows, tried)


def hew(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Close Combat against a feature, by the members who reach it, with the hardest weapon.

    It is known to everyone, strikes nobody back, and is not shifted (`emlia.melee.no-shift`).
    """
    assert order.number is not None
    feature, weapon = battle.setup.field.features[order.number], weapons_of(battle, unit)[0]
    able = int(able_at(battle, unit, feature.outline).sum())
    dice, modifier = blows_at(battle, unit, able)
    check = roll_check("emlia.melee", dice, modifier.total, battle.dice)
    changes: list[Change] = [*used(unit, Kind.PRIMARY)]
    if check.successes:
        changes.append(battered(order.number, weapon.base_damage, check.successes))
    yield Event(
        name="hewed",
        unit=unit,
        facts={
            "feature": feature.name,
            "weapon": weapon.name,
            "base_damage": weapon.base_damage,
            **facts_of(check),
        },
        because=("emlia.melee", *modifier.because),
        changes=tuple(changes),
    )


HEW = Deed(verbs=("hew",), options=options, perform=hew)
