"""Emlia, chapter 19 as play: which rules decided how much of a unit another sees.

For the answer to a sight question, and for events whose result depends on one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.thresholds import half_or_more
from emlia3d.rules.emlia.play.sight.account import Account
from emlia3d.rules.emlia.play.sight.sight_bodies import surface_of
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import is_mixed
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.sight import Between, Gives, cover_because
from emlia3d.rules.emlia.tables.terrain import EFFECTS, PRINTED

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_BY_BODY = frozenset({
    "emlia.sight.tall", "emlia.sight.shadow-total-depth", "emlia.sight.shadow-partial",
    "emlia.sight.shadow-sparse", "emlia.sight.from-shadow.total", "emlia.sight.from-shadow.sparse",
    "emlia.sight.from-shadow.partial",
})  # fmt: skip
"""Rules that give another level for a solid entity than for a sparse one."""


def sight_because(seen: Account, cover: Level, distance: float) -> tuple[str, ...]:
    """Return the rules that decided: what intervenes, what it gives, and what can be seen.

    cover : against the attack in question
    distance : GSU between the two
    """
    slugs, verdict = ["emlia.sight.corridor"], seen.verdict
    if seen.level is seen.by_boundary:
        columns = zip(seen.between, seen.grouped, verdict.gives, verdict.tells, strict=True)
        for between, grouped, gives, tells in columns:
            if tells:
                slugs += _entity_because(between, gives, grouped=grouped)
    if not distance:
        slugs.append("emlia.sight.corridor.span")
    slugs += [*seen.because, "emlia.sight.visible"]
    slugs += ["emlia.cover.source"] if cover else []
    return tuple(dict.fromkeys(slugs))


def _entity_because(between: Between, gives: Gives, *, grouped: bool) -> Iterator[str]:
    """Yield the rules for one entity that has a part in the verdict.

    grouped : its shadow must hold several members
    """
    alone = half_or_more(between.fraction)
    yield "emlia.sight.intervening" if alone else "emlia.sight.intervening-group"
    if gives.shadow:
        yield "emlia.sight.shadow-length"
        if grouped:
            yield "emlia.sight.shadow-distance"
    elif "emlia.sight.shadow-none" in gives.because and between.to_observer == 0:
        yield "emlia.sight.on-own-terrain"
    if gives.level and not _BY_BODY.isdisjoint(gives.because):
        yield "emlia.sight.sparse-solid"
    yield from gives.because


def seen_because(
    moment: Moment, observer: int, observed: int, cover: Level, base_damage: int
) -> tuple[str, ...]:
    """Return the rules of the concealment of a unit from another, and of its cover.

    cover : of the observed against an attack of this base damage
    """
    sight_cache = sight_cache_of(moment)
    seen = sight_cache.account(observer, observed)
    distance = sight_cache.situation.distance(observer, observed)
    if seen.level is Level.NONE and not any(half_or_more(each.fraction) for each in seen.between):
        # No body is so wide that a rule must explain why it conceals nothing.
        return tuple(_clear(distance))
    slugs = sight_because(seen, cover, distance)
    cover_slugs = cover_because(seen.between, seen.verdict, cover, base_damage)
    if seen.level is not seen.by_boundary or not any(seen.verdict.tells):
        return (*slugs, *cover_slugs)
    return (
        *_ends_because(moment, observer, observed),
        *slugs,
        *_terrain_because(moment, observed, seen),
        *cover_slugs,
    )


def _clear(distance: float) -> Iterator[str]:
    """Yield the rules of a corridor with nothing in it that counts."""
    yield "emlia.sight.corridor"
    if not distance:
        yield "emlia.sight.corridor.span"
    yield "emlia.sight.visible"


def _ends_because(moment: Moment, observer: int, observed: int) -> Iterator[str]:
    """Yield the rules that determined the heights of the two units."""
    situation, both = situation_of(moment), (observer, observed)
    if situation.footing(observer) != situation.footing(observed):
        yield "emlia.sight.datum"
        yield from footing_because(moment, *both)
    if any(situation.posture(unit) < 1 for unit in both):
        yield "emlia.move.prone-effects"
        if moment.state.units.value("taking_cover", observed) and situation.posture(observed) < 1:
            yield "emlia.cover.prone-and-cover"
    if any(is_mixed(moment, unit) for unit in both):
        yield "emlia.mixed.size-height"


def footing_because(moment: Moment, *units: int) -> Iterator[str]:
    """Yield the rules by which terrain raises or lowers units, other than a raster."""
    situation, features = situation_of(moment), moment.setup.field.features
    outlines = [situation.outline(unit) for unit in units]
    on_height = any(moment.state.units.value("on_height", unit) for unit in units)
    if on_height or any(situation.hill_under(outline) is not None for outline in outlines):
        yield "emlia.terrain.standing-on"
    beds = [
        feature.outline
        for row, feature in enumerate(features)
        if feature.height < 0 and moment.state.features.value("present", row)
    ]
    if any(bed.intersects(outline) for bed in beds for outline in outlines):
        yield "emlia.terrain.depression"
    if not moment.setup.field.ground.is_level:
        yield "emlia.meta.metric-scale"


def _terrain_because(moment: Moment, observed: int, seen: Account) -> Iterator[str]:
    """Yield the rules of the terrain among what decided."""
    scene = sight_cache_of(moment).scene
    features = moment.setup.field.features
    deciding = [
        number
        for number, tells in zip(seen.numbers, seen.verdict.tells, strict=True)
        if tells and number >= scene.units
    ]
    for number in deciding:
        kind = features[number - scene.units].kind
        if scene.camouflages(number, observed):
            yield "emlia.equip.other.examples.ghillie-suit"
        elif EFFECTS[kind].limits_sight is not None:
            yield "emlia.terrain.visibility-limiting"
        if kind in PRINTED:
            yield f"emlia.terrain.examples.{kind}"
    if deciding and surface_of(moment) is not None:
        yield "emlia.sight.raster-features"
