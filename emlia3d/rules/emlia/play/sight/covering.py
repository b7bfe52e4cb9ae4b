"""Emlia, chapter 19.4 as play: how far units are covered from each other's attacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.derived import Each
from emlia3d.rules.emlia.basics.levels import Level
from emlia3d.rules.emlia.play.sight.members import cover_by_members, part_seen
from emlia3d.rules.emlia.play.sight.sight_cache import watch_of
from emlia3d.rules.emlia.play.situation.parts import head_of
from emlia3d.rules.emlia.tables.sight import with_members
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@rule("emlia.gloss.concealment-cover")
def cover_of(battle: Battle, observer: int, observed: int, base_damage: int) -> Level:
    """The cover of a unit against an attack of this base damage from another."""
    watch = watch_of(battle)
    if watch.level(observer, observed) is Level.NONE:
        # What conceals nothing covers nothing (`emlia.cover.implies-concealment`).
        return Level.NONE
    cover = _by_boundary(battle, observer, observed, base_damage)
    if not watch.is_by_members(observer, observed):
        return cover
    if watch.sighting(observer, observed).members is None:
        return cover
    alone = cover_by_members(watch.scene, observer, observed, base_damage)
    return with_members(cover, (alone,))


def part_seen_from(
    battle: Battle, observer: int, part: int, base_damage: int
) -> tuple[Level, Level]:
    """The concealment of one subunit of a mixed unit from another unit, and its cover.

    Where the units touch, or nothing of the whole is seen, it is that of the whole.
    """
    watch, whole = watch_of(battle), head_of(battle, part)
    level, cover = watch.level(observer, whole), cover_of(battle, observer, whole, base_damage)
    if level is Level.TOTAL or watch.lie.distance(observer, whole) == 0:
        return level, cover
    return part_seen(watch.scene, observer, part, base_damage)


_BY_BOUNDARY: Each[tuple[int, int, int], Level] = Each(watch_of)
"""By observer, observed and base damage, the cover before members are looked at one by one."""


def _by_boundary(battle: Battle, observer: int, observed: int, base_damage: int) -> Level:
    """Return that cover, and find that of the observer's other enemies who are partly seen."""
    watch, covers = watch_of(battle), _BY_BOUNDARY(battle)
    if (observer, observed, base_damage) not in covers:
        foes = watch.with_him(observer, observed)
        partly = (watch.so_far([observer], foes)[0] == Level.PARTIAL).tolist()
        some = [foe for foe, seen in zip(foes, partly, strict=True) if seen or foe == observed]
        found = watch.survey.covers(np.full(len(some), observer), np.array(some), base_damage)
        for foe, cover in zip(some, found.tolist(), strict=True):
            covers[observer, foe, base_damage] = Level(cover)
    return covers[observer, observed, base_damage]
