"""Emlia, chapter 19.4 as play: how far units are covered from each other's attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.derived import Each
from emlia3d.force.formation import footprints
from emlia3d.geometry import Bodies
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.member_sight import scattered
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.sight.sight_pairs import SightEndpoints, Strangers
from emlia3d.rules.emlia.play.situation.parts import head_of
from emlia3d.rules.emlia.play.situation.reach import own_reach
from emlia3d.rules.emlia.tables.sight import with_members
from emlia3d.rules.emlia.tables.terrain import own_size
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.rules.emlia.play.sight.sight_cache import SightCache


@rule("emlia.gloss.concealment-cover")
def cover_of(moment: Moment, observer: int, observed: int, base_damage: int) -> Level:
    """Return the cover of a unit against an attack of this base damage from another."""
    sight_cache, covers = sight_cache_of(moment), _COVERS(moment)
    if sight_cache.level(observer, observed) is Level.NONE:
        # No concealment, no cover (`emlia.cover.implies-concealment`).
        return Level.NONE
    if (observer, observed, base_damage) not in covers:
        foes = sight_cache.with_him(observer, observed)
        partly = (sight_cache.so_far([observer], foes)[0] == Level.PARTIAL).tolist()
        some = [foe for foe, seen in zip(foes, partly, strict=True) if seen or foe == observed]
        found = _covers(sight_cache, np.full(len(some), observer), np.array(some), base_damage)
        for foe, cover in zip(some, found.tolist(), strict=True):
            covers[observer, foe, base_damage] = Level(cover)
    return covers[observer, observed, base_damage]


_COVERS: Each[tuple[int, int, int], Level] = Each(sight_cache_of)
"""The cover by observer, observed and base damage."""


def _covers(
    sight_cache: SightCache, near: NDArray[np.intp], far: NDArray[np.intp], base_damage: int
) -> NDArray[np.uint8]:
    """(k,) uint8: the cover of each *far* against an attack from its *near*.

    By the boundary or, where every member alone is concealed more, the minimum of its members.
    """
    units = sight_cache.batch_sight.units()
    covers = sight_cache.batch_sight.look(units, near, far, base_damage=base_damage).levels
    some = np.flatnonzero(sight_cache.least_of_members(near, far) > Level.NONE)
    if len(some):
        none = np.zeros(len(some), dtype=np.uint8)
        alone = sight_cache.one_by_one.levels(
            near[some], far[some], none, none.astype(np.bool_), base_damage
        )
        covers[some] = with_members(covers[some], alone)
    return covers


def part_seen_from(
    moment: Moment, observer: int, part: int, base_damage: int
) -> tuple[Level, Level]:
    """Return the concealment of one subunit of a mixed unit from another unit, and its cover.

    Each is the minimum over its members, with the subunit's own size and height. If the units
    touch, or the whole unit is totally concealed, the values of the whole unit are returned.
    """
    seen, asked = _PARTS_SEEN(moment), (observer, part, base_damage)
    if asked not in seen:
        seen[asked] = _part_seen_from(moment, observer, part, base_damage)
    return seen[asked]


_PARTS_SEEN: Each[tuple[int, int, int], tuple[Level, Level]] = Each(sight_cache_of)
"""Concealment and cover of subunits, by observer, subunit and base damage."""


def _part_seen_from(
    moment: Moment, observer: int, part: int, base_damage: int
) -> tuple[Level, Level]:
    sight_cache, whole = sight_cache_of(moment), head_of(moment, part)
    level, cover = (
        sight_cache.level(observer, whole),
        cover_of(moment, observer, whole, base_damage),
    )
    situation = sight_cache.situation
    if level is Level.TOTAL or situation.distance(observer, whole) == 0:
        return level, cover
    spots, posture, entry = situation.alone(part)[1], situation.posture(part), situation.entry(part)
    facing = moment.state.units.integer("facing", whole)
    footprint = footprints([situation.drill(whole)], [facing], [len(spots)], spots)
    footings = situation.ground_at(spots) + float(moment.state.units.value("on_height", whole))
    build = entry.height * posture, entry.size * posture, own_reach(situation, part)
    members = Bodies.of_footprints(*footprint)
    return _seen(sight_cache, observer, _end(build, like=whole), members, footings, base_damage)


def feature_seen(
    moment: Moment, observer: int, feature: int, base_damage: int
) -> tuple[Level, Level]:
    """Return the concealment of a feature from a unit, and its cover against one attack.

    feature : its number among the features
    """
    sight_cache, shape = sight_cache_of(moment), moment.setup.field.features[feature]
    scene = sight_cache.batch_sight.scene
    own = int(scene.row_of[scene.units + feature])
    itself = _end((shape.height, own_size(shape), 0.0), own=own)
    plain = np.zeros(1)
    footing = np.array([sight_cache.situation.feature_footing(feature)])
    body = Bodies([shape.outline], plain, plain, plain)
    return _seen(sight_cache, observer, itself, body, footing, base_damage)


def _end(build: tuple[float, float, float], like: int = -1, own: int = -1) -> Strangers:
    """Return an end of corridors that is not a whole unit: in a unit, or on the ground."""
    return Strangers(
        build=np.array([build]),
        like=np.array([like]),
        raised=np.zeros(1, dtype=np.bool_),
        hills=np.full(1, None, dtype=object),
        own=np.array([own]),
    )


def _seen(
    sight_cache: SightCache,
    observer: int,
    end: Strangers,
    bodies: Bodies,
    footing: NDArray[np.float64],
    base_damage: int,
) -> tuple[Level, Level]:
    """Return the least concealment and the least cover of bodies that are all alike."""
    batch_sight, units = (
        sight_cache.batch_sight.with_strangers(end),
        sight_cache.batch_sight.units(),
    )
    count, first = len(bodies), len(units.unit)
    endpoints = SightEndpoints(
        bodies=units.bodies.concat(bodies),
        unit=np.append(units.unit, np.full(count, first)),
        row=np.append(units.row, len(units.bodies) + np.arange(count)),
        footing=np.append(units.footing, footing),
        alone=np.append(units.alone, np.ones(count, dtype=np.bool_)),
    )

    def least(damage: int | None) -> Level:
        found = Level.TOTAL
        for some in scattered(count):
            near, far = np.full(len(some), observer), first + np.array(some)
            levels = batch_sight.look(endpoints, near, far, base_damage=damage).levels
            found = Level(min(found, int(levels.min())))
            if found is Level.NONE:
                break
        return found

    level = least(None)
    # No concealment, no cover (`emlia.cover.implies-concealment`).
    return level, least(base_damage) if level else Level.NONE
