"""Emlia, chapter 14.2 as play: which rules decided an Area Volley.

The rows of its table are not among them: they come with their figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.changes import Append, Change
from emlia3d.rules.emlia.play.acting.check_reasons import check_because
from emlia3d.rules.emlia.play.acting.checks import armour_against
from emlia3d.rules.emlia.play.combat.reasons import hits_because, weapon_because
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.elevation import elevation_because
from emlia3d.rules.emlia.tables.equipment import Band, damage_because
from emlia3d.rules.emlia.tables.skills import Check
from emlia3d.rules.emlia.tables.volley import Spread

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.rules.emlia.play.combat.volley import VolleyShot


_OF_CONCEALED = {"emlia.volley.mod.point-partial", "emlia.volley.mod.point-total"}


def loosed_because(
    moment: Moment,
    lob: VolleyShot,
    point: tuple[float, float],
    check: Check,
    costs: Sequence[Change],
) -> Iterator[str]:
    """Yield the rules of the check of a volley at a point, and of its range.

    costs : what it uses up; nothing but for the first of an action
    """
    weapon = lob.weapon
    assert weapon.range is not None
    yield "emlia.volley"
    yield from weapon_because(moment, lob.row, weapon, "area volley")
    yield "emlia.equip.ranged"
    situation, beyond = situation_of(moment), lob.distance > weapon.range[Band.LONG]
    ground = float(situation.ground_at(np.array([point]))[0])
    yield from elevation_because(situation.footing(lob.row), ground, beyond=beyond)
    if not _OF_CONCEALED.isdisjoint(lob.modifier.because):
        yield "emlia.volley.point"
    large, falloff = weapon.ability("large falloff") or 0, weapon.ability("falloff") is not None
    yield from damage_because(weapon.area_damage, lob.band, large, falloff)
    if costs:
        yield "emlia.activate.forfeit"
    yield from check_because(
        moment, lob.row, "area volley", lob.tried, check, lob.modifier, listed=bool(costs)
    )


def fallen_because(lob: VolleyShot, spread: Spread, changes: Sequence[Change]) -> Iterator[str]:
    """Yield the rules of where a volley falls, and of the markers that it lays.

    changes : those markers among others
    """
    coverage = lob.weapon.coverage
    assert coverage is not None
    if spread.drift < coverage.drift or spread.coverage != coverage.start:
        yield "emlia.volley.success"
    if spread.coverage != coverage.start:
        yield "emlia.equip.coverage"
    yield "emlia.volley.drift"
    hits = sum(isinstance(change, Append) and change.table == "marker" for change in changes)
    yield from hits_because(armour_against(lob.weapon), hits, unseen=False, focused=False)
