"""Emlia, chapter 22.1: the book's advice to scenario authors.

None of it is a rule of play, and a scenario that heeds none of it can be played.

Holds `emlia.scenario.parts`, `emlia.scenario.swap-sides`, `emlia.scenario.terrain-checks` and
`emlia.scenario.deployment`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import shapely

from emlia3d.battle.entries import Advice
from emlia3d.battle.setup import Setup, UnitSetup
from emlia3d.field import KINDS, Feature
from emlia3d.force import Formation
from emlia3d.force.formation import FormationLayout
from emlia3d.rules.emlia.tables.engagement import RankedBlock, is_engaged, who_reaches
from emlia3d.rules.emlia.tables.equipment import combat_range
from emlia3d.rules.emlia.tables.skills import dice_of
from emlia3d.rules.emlia.unit_sets.abilities import added_reach
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.rulebook import rule

BANK = 4.0
"""GSU from the end of a watercourse within which it may rise or empty."""

KILLING_FIELD = 10.0
"""Width of the killing field, GSU, in which nothing should hide an attacker."""

OUTER_WORKS = 60.0
"""GSU round an installation within which its secondary works should stand."""

_WATERCOURSES = frozenset({"river", "stream"})
_SOURCES = frozenset({"hill", "rock", "forest", "marsh", "lake"})
_INSTALLATIONS = frozenset({"rampart", "tower", "keep"})
_SECONDARY = frozenset({"earthwork", "wall", "fence", "hedge"})
_HIDES = 1.0
"""Minimum height, height units, of an object that hides a standing attacker."""


swapped = rule("emlia.scenario.swap-sides")(Setup.with_sides_swapped)


def advice(setup: Setup, purpose: str) -> list[Advice]:
    """Return all deviations from the book's advice, in the order of its chapters."""
    return [
        *parts_lacking(setup, purpose), *natural(setup), *strategic(setup), *defensive(setup),
        *deployed(setup), *deep(setup),
    ]  # fmt: skip


@rule("emlia.scenario.parts", "emlia.castle.purpose")
def parts_lacking(setup: Setup, purpose: str) -> Iterator[Advice]:
    """Yield advice on missing parts of a scenario: purpose, forces or victory conditions.

    Every file has a battlefield and a time limit. Forces are two hostile sides with units.

    purpose : a sentence on what is going on
    """
    slug = "emlia.scenario.parts"
    if not purpose.strip():
        yield Advice(slug=slug, told="a scenario has a purpose: describe it in summary")
    armed = sorted({unit.muster.side for unit in setup.units})
    if not any(setup.hostile(one, other) for one, other in combinations(armed, 2)):
        yield Advice(
            slug=slug, told="a scenario has opposing forces: no two sides with units are enemies"
        )
    if not setup.aims:
        told = "a scenario has victory conditions: there is no [[victory]]"
        yield Advice(slug=slug, told=told)


@rule("emlia.scenario.terrain-checks.natural")
def natural(setup: Setup) -> Iterator[Advice]:
    """Yield advice on water: watercourses without a source or an end, villages without water."""
    slug, features = "emlia.scenario.terrain-checks.natural", setup.field.features
    inland = shapely.box(0, 0, *setup.field.size).buffer(-BANK)
    for river in features:
        if river.kind not in _WATERCOURSES:
            continue
        others = [
            other.outline
            for other in features
            if other is not river and (KINDS[other.kind].water or other.kind in _SOURCES)
        ]
        water = shapely.union_all(others)
        if any(
            inland.covers(end) and (water.is_empty or end.distance(water) > BANK)
            for end in _ends_of(river)
        ):
            told = (
                f"{river.name} starts or ends in the open: extend it to the edge or to other water"
            )
            yield Advice(slug=slug, told=told, about=("terrain", river.name))
    dry = not any(KINDS[feature.kind].water for feature in features)
    for village in features:
        if dry and village.kind == "village":
            told = f"{village.name} has no water: a village needs a river, a stream or a lake"
            yield Advice(slug=slug, told=told, about=("terrain", village.name))


def _ends_of(course: Feature) -> tuple[shapely.Point, shapely.Point]:
    """Return the ends of a watercourse: the two corners of its outline farthest apart."""
    corners = shapely.get_coordinates(course.outline)
    apart = np.square(corners[:, None] - corners[None]).sum(axis=2)
    one, other = np.unravel_index(int(apart.argmax()), apart.shape)
    return shapely.Point(corners[one]), shapely.Point(corners[other])


@rule("emlia.scenario.terrain-checks.strategic")
def strategic(setup: Setup) -> Iterator[Advice]:
    """Yield advice if no place or unit gives the sides a reason to fight."""
    places_wanted = [
        name
        for aim in setup.aims
        for name in (*aim.controls, *aim.denied, *aim.conceded, *aim.unguarded)
    ]
    objectives = [side.objective for side in setup.sides if side.objective is not None]
    lives = [aim for aim in setup.aims if aim.lost is not None]
    if setup.aims and not (places_wanted or objectives or lives):
        told = (
            "the scenario names no position to fight for: add an objective, or a victory "
            "condition that controls an area"
        )
        yield Advice(slug="emlia.scenario.terrain-checks.strategic", told=told)


@rule("emlia.scenario.terrain-checks.defensive", "emlia.castle.board")
def defensive(setup: Setup) -> Iterator[Advice]:
    """Yield advice on a fortified place that lacks a killing field or secondary works."""
    slug = "emlia.scenario.terrain-checks.defensive"
    features = setup.field.features
    works = [feature for feature in features if feature.kind in _INSTALLATIONS]
    if not works:
        return
    within = shapely.convex_hull(shapely.union_all([work.outline for work in works]))
    killing, about = within.buffer(KILLING_FIELD), ("terrain", works[0].name)
    for feature in features:
        hides = feature.height >= _HIDES and KINDS[feature.kind].shape != "point"
        before = not within.intersects(feature.outline) and killing.intersects(feature.outline)
        if hides and before and feature.kind not in _SECONDARY:
            told = f"{feature.name} hides attackers within {KILLING_FIELD:g} GSU of {about[1]}"
            yield Advice(slug=slug, told=told, about=("terrain", feature.name))
    outer = within.buffer(OUTER_WORKS)
    if not any(
        feature.kind in _SECONDARY
        and outer.intersects(feature.outline)
        and not within.covers(feature.outline)
        for feature in features
    ):
        told = (
            f"no obstacle protects {about[1]}: a position that is held long has earthworks "
            "around it"
        )
        yield Advice(slug=slug, told=told, about=about)


@rule("emlia.scenario.deployment", "emlia.castle.deployment")
def deployed(setup: Setup) -> Iterator[Advice]:
    """Yield advice on hostile units that start within combat range of each other.

    The scenario reader already checks that each unit starts in its own zone.
    """
    here = [unit for unit in setup.units if not unit.arrives and unit.muster.members]
    shapes = [unit.starts_in for unit in here]
    for (one, body), (other, its_body) in combinations(zip(here, shapes, strict=True), 2):
        if not setup.hostile(one.muster.side, other.muster.side):
            continue
        gap = float(shapely.distance(body, its_body))
        if is_engaged(gap, max(_reach_of(one), _reach_of(other))):
            told = f"{one.name} and {other.name} start within each other's reach"
            yield Advice(slug="emlia.scenario.deployment", told=told, about=("unit", one.name))


def deep(setup: Setup) -> Iterator[Advice]:
    """Yield advice on ranked units too deep to fight with half of their dice.

    The dice count if a line of enemies, as long as the unit's front or longer, touches that front:
    members without an enemy in reach count as lost (`emlia.ranked.engaged-members`).
    """
    for unit in setup.units:
        muster, entry = unit.muster, unit.entry
        assert isinstance(entry, Entry)
        skill = entry.skill("close combat")
        if muster.formation is not Formation.RANKED or muster.spare_for >= 0 or skill is None:
            continue
        able = abreast(muster.drill, _reach_of(unit), entry.size)
        dice = dice_of(skill, able, muster.members - able)
        most = dice_of(skill, muster.members, 0)
        if 2 * dice < most:
            told = (
                f"{unit.name}: {dice} of {most} dice to the front, because only {able} of "
                f"{muster.members} members reach the enemy; more files give more"
            )
            slug = "emlia.ranked.engaged-members"
            yield Advice(slug=slug, told=told, about=("unit", unit.name))


def abreast(drill: FormationLayout, reach: float, size: float) -> int:
    """Return how many members of a ranked unit reach a line of enemies that touches its front."""
    block = RankedBlock(
        front=(0.0, 0.0),
        ahead=(0.0, 1.0),
        files=drill.files,
        members=drill.count,
        width=drill.width,
        depth=drill.depth,
    )
    wide = block.frontage
    line = shapely.box(-wide, 0, wide, drill.depth)
    return int(who_reaches(block, line, reach, size).sum())


def _reach_of(unit: UnitSetup) -> float:
    entry = unit.entry
    assert isinstance(entry, Entry)
    longest = max((weapon.ability("reach") or 0 for weapon in entry.melee_weapons), default=0)
    return combat_range(entry.size, entry.combat_range, longest + added_reach(entry.all_abilities))
