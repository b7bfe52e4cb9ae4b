"""Emlia, chapter 19: the answer to a sight question about two units of a battle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.formatting import known_ground
from emlia3d.battle.questions.answer import CorridorAnswer, GroundShare, Intervening, Shadow
from emlia3d.errors import Error
from emlia3d.rules.emlia.basics.concealment import DEGREES
from emlia3d.rules.emlia.play.questions.what_if import alterations
from emlia3d.rules.emlia.play.sight.account import Account
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.explaining import CorridorItem, SightFacts, explained
from emlia3d.rules.emlia.play.sight.reasons import sight_because
from emlia3d.rules.emlia.play.sight.sight_bodies import SightScene
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.tables.sight import Between, above, datum, is_visible

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def answer(
    moment: Moment, observer: int, observed: int, damage: int, what_if: bool = False
) -> CorridorAnswer:
    """Return what a unit sees of another, and its cover against base damage *damage*.

    what_if : add what would change the concealment, which takes up to 1,200 questions

    Raises
    ------
    Error
        If one of the two is not on the field.
    """
    for unit in (observer, observed):
        if not moment.state.units.value("present", unit):
            raise Error(f"{moment.setup.units[unit].name} is not on the field at this moment")
    sight_cache = sight_cache_of(moment)
    scene, seen = sight_cache.scene, sight_cache.account(observer, observed)
    near, far, level = seen.near, seen.far, seen.level
    cover = cover_of(moment, observer, observed, damage)
    base = datum(near.footing, far.footing)
    things = _things(scene, seen)
    distance = sight_cache.situation.distance(observer, observed)
    told = CorridorAnswer(
        observer=scene.name(observer),
        target=scene.name(observed),
        rules="emlia",
        distance=distance,
        line_of_sight=is_visible(level),
        concealment=DEGREES[level],
        cover=DEGREES[cover],
        damage=damage,
        datum=base,
        observer_height=above(near.top, base),
        target_height=above(far.top, base),
        observer_footing=above(near.footing, base),
        target_footing=above(far.footing, base),
        members=None if seen.members is None else DEGREES[seen.members],
        intervening=tuple(_intervening(thing, base) for thing in things),
        ground=None
        if seen.ground is None
        else GroundShare(blocked_share=seen.ground[0], to_half=seen.ground[1]),
        because=sight_because(seen, cover, distance),
        text=explained(
            SightFacts(
                observer=scene.name(observer),
                observed=scene.name(observed),
                near=near,
                far=far,
                prone=(
                    sight_cache.situation.posture(observer) < 1,
                    sight_cache.situation.posture(observed) < 1,
                ),
                distance=distance,
                datum=base,
                things=things,
                ground=seen.ground,
                known=known_ground(moment.setup.field),
                by_boundary=seen.by_boundary,
                level=level,
                members=seen.members,
                cover=cover,
                damage=damage,
            )
        ),
        changes=alterations(moment, observer, observed) if what_if else None,
    )
    return _with_awareness(told, is_aware(moment, observer, observed))


def _with_awareness(told: CorridorAnswer, aware: bool) -> CorridorAnswer:
    """Return the answer with a word on awareness, where that differs from sight."""
    if aware is told.line_of_sight:
        return told
    word = (
        f"But {told.observer} can act against {told.target}, because it is aware of it."
        if aware
        else f"But {told.target} is hidden: {told.observer} must find it before acting against it."
    )
    because = (*told.because, "emlia.sight.not-awareness")
    return replace(told, because=because, text=f"{told.text} {word}")


def _things(scene: SightScene, seen: Account) -> list[CorridorItem]:
    """Return the bodies in the corridor, from the observer on."""
    columns = zip(seen.numbers, seen.between, seen.verdict.gives, seen.verdict.tells, strict=True)
    found = [
        CorridorItem(
            name=scene.name(number),
            between=between,
            gives=gives,
            tells=tells,
            depth=_depth(between, seen.near.top > seen.far.top),
        )
        for number, between, gives, tells in columns
    ]
    return sorted(found, key=lambda thing: thing.between.to_observer)


def _depth(between: Between, looks_down: bool) -> float:
    """GSU behind it of the farthest member of the shorter; to its edge where no shadow decides."""
    if looks_down:
        known = between.observed_depth
        return between.to_observed if known is None else known
    known = between.observer_depth
    return between.to_observer if known is None else known


def _intervening(thing: CorridorItem, base: float) -> Intervening:
    between, shadow = thing.between, thing.gives.shadow
    return Intervening(
        entity=thing.name,
        fraction=between.fraction,
        body="solid" if between.solid else "sparse",
        height=above(between.top, base),
        distance=between.to_observer,
        to_target=between.to_observed,
        shadow=None
        if shadow is None
        else Shadow(length=shadow.length, total_depth=shadow.total_depth),
        gives=DEGREES[thing.gives.level],
    )
