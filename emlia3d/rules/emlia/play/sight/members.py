"""Emlia, chapter 19.2: a unit's members looked at one by one.

It can matter only where a unit of several members is not concealed wholly by its boundary, and
mostly one look at one member settles that it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from emlia3d.force.formation import footprint_corners
from emlia3d.geometry import Bodies, blocked_fractions, corridor_fractions
from emlia3d.rules.emlia.basics.levels import Level
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.play.sight.scene import End, Scene, surface_of
from emlia3d.rules.emlia.play.situation.parts import head_of
from emlia3d.rules.emlia.tables.primary import has_elevation
from emlia3d.rules.emlia.tables.sight import Between, Party, Verdict, conceal, cover_of
from emlia3d.rules.emlia.tables.terrain import own_size

_APART = 16
"""One in so many members is looked at before the others."""


def by_members(
    scene: Scene,
    observer: int,
    observed: int,
    floor: Level,
) -> Level | None:
    """The least concealment that every member has by itself; None if it is not above *floor*.

    Member corridors run from the observer's whole boundary to each member, who stands on the
    ground under him.
    """
    spots = scene.lie.places(observed)
    if len(spots) < 2 or floor is Level.TOTAL or scene.lie.distance(observer, observed) == 0:
        return None
    least = Level.TOTAL
    for some in scattered(len(spots)):
        looks = _looks(scene, observer, observed, spots[some])
        levels = [look.verdict.level for look in looks]
        least = min(least, *levels)
        if least <= floor:
            return None
    return least


def cover_by_members(scene: Scene, observer: int, observed: int, base_damage: int) -> Level:
    """The least cover that every member has by itself against one attack."""
    return _least(scene, observer, observed, scene.lie.places(observed), base_damage)[1]


def part_seen(scene: Scene, observer: int, part: int, base_damage: int) -> tuple[Level, Level]:
    """The concealment and the cover of one subunit: the least that any of its members has."""
    whole, spots = head_of(scene.battle, part), scene.lie.alone(part)[1]
    return _least(scene, observer, whole, spots, base_damage, part)


def feature_seen(
    scene: Scene, observer: int, feature: int, base_damage: int
) -> tuple[Level, Level]:
    """Return the concealment of a feature from a unit, and its cover against one attack.

    feature : by its number among the features
    """
    lie, shape = scene.lie, scene.battle.setup.field.features[feature]
    own, footing = lie.footing(observer), lie.feature_footing(feature)
    step = numbers_of(scene.battle).elevation_step
    near = End(observer, scene.party(observer, own, footing), lie.outline(observer),
               alone=len(lie.places(observer)) == 1)  # fmt: skip
    party = Party(
        footing=footing,
        height=shape.height,
        size=own_size(shape),
        combat_range=0.0,
        on_entity=has_elevation(footing, own, step),
    )
    far = End(None, party, shape.outline, alone=True)
    number = scene.units + feature
    if near.outline.intersects(far.outline):
        # Bodies that touch have no corridor; only areas of terrain round both count.
        areas = scene.areas_round(near.outline, far.outline)
        corridor = [(area, 1.0) for area in areas if area != number]
        between = scene.between(corridor, near, far)
        verdict = conceal(near.party, party, between)
        return verdict.level, cover_of(between, verdict, base_damage)
    rows = [int(scene.row_of[each]) for each in (observer, number)]
    (look,) = _looks_at(scene, near, [far], [row for row in rows if row >= 0])
    return look.verdict.level, cover_of(look.between, look.verdict, base_damage, look.ground)


def _least(
    scene: Scene,
    observer: int,
    observed: int,
    spots: NDArray[np.float64],
    base_damage: int,
    part: int | None = None,
) -> tuple[Level, Level]:
    """The least concealment and the least cover of any member; nobody looks on from none."""
    level = cover = Level.TOTAL
    for some in scattered(len(spots)):
        for look in _looks(scene, observer, observed, spots[some], part):
            level = min(level, look.verdict.level)
            cover = min(cover, cover_of(look.between, look.verdict, base_damage, look.ground))
        if level is cover is Level.NONE:
            break
    return level, cover


def scattered(count: int, first: int = 0) -> Iterator[list[int]]:
    """All of so many members, *first* before the others, then a few who are far apart.

    Where those do not settle it, hardly ever does anybody: the rest come at once.
    """
    yield [min(first, count - 1)]
    yield list(range(0, count, _APART))
    halves = [_APART >> step for step in range(1, _APART.bit_length())]
    rest = [member for half in halves for member in range(half, count, 2 * half)]
    if rest:
        yield rest


class _Look(NamedTuple):
    """One member seen alone."""

    between: tuple[Between, ...]
    verdict: Verdict
    ground: tuple[float, float] | None


def _looks(
    scene: Scene,
    observer: int,
    observed: int,
    spots: NDArray[np.float64],
    part: int | None = None,
) -> list[_Look]:
    """Each member that stands in *spots*, seen from the observer's whole boundary.

    part : the subunit that they are of, if their own size and height count
    """
    lie, near = scene.lie, scene.end(observer, observed)
    raised = float(scene.battle.state.units.value("on_height", observed))
    footings = (lie.ground_at(spots) + raised).tolist()
    party = partial(scene.party if part is None else scene.own_party, part or observed)
    outlines = member_outlines(scene, observed, spots)
    far = [
        End(observed, party(footing, near.party.footing), outline, alone=True)
        for outline, footing in zip(outlines, footings, strict=True)
    ]
    return _looks_at(scene, near, far, [scene.rows[observer], scene.rows[observed]])


def _looks_at(scene: Scene, near: End, far: list[End], left_out: list[int]) -> list[_Look]:
    """Each of several bodies, seen from one end past all but the rows that are left out."""
    between = np.delete(np.arange(len(scene.bodies)), left_out)
    shapes = [near.outline, *(end.outline for end in far), *scene.outlines[between]]
    plain = np.zeros(len(shapes))
    bodies = Bodies(shapes, plain, plain, plain)
    first, rows = 1 + len(far), np.arange(len(shapes))
    pairs, found, fractions = corridor_fractions(bodies, [0], rows[1:first], rows[first:])
    grounds = _grounds(scene, bodies, near, far)
    looks = []
    for member, end in enumerate(far):
        mine = np.flatnonzero(pairs == member).tolist()
        corridor = [(scene.numbers[between[found[k] - first]], float(fractions[k])) for k in mine]
        entities = scene.between(corridor, near, end)
        verdict = conceal(near.party, end.party, entities, grounds[member])
        looks.append(_Look(entities, verdict, grounds[member]))
    return looks


def member_outlines(scene: Scene, unit: int, spots: NDArray[np.float64]) -> list[Polygon]:
    """The boundary that each member would have as a single character."""
    drill = scene.lie.drill(unit)
    facing = scene.battle.state.units.integer("facing", unit)
    return [Polygon(corners) for corners in footprint_corners(drill, spots, facing)]


def _grounds(
    scene: Scene, bodies: Bodies, near: End, far: list[End]
) -> list[tuple[float, float] | None]:
    """For each member the fractions of its corridor that the ground blocks."""
    surface = surface_of(scene.battle)
    if surface is None:
        return [None] * len(far)
    pairs = [(0, 1 + member) for member in range(len(far))] * 2
    eye = near.party.footing + near.party.height
    marks = [end.party.footing + share * end.party.height for share in (1.0, 0.5) for end in far]
    found = blocked_fractions(surface, bodies, pairs, eye, marks).tolist()
    return list(zip(found[: len(far)], found[len(far) :], strict=True))
