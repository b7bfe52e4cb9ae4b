"""Emlia, chapter 4 as play: what an action of the table may be done to.

Reads the column "subject" of the table of actions (`emlia3d.rules.emlia.actions`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from emlia3d.battle.decisions import Refusal
from emlia3d.rules.emlia.actions import ActionType, Subject, action
from emlia3d.rules.emlia.play.acting.actions import may_take
from emlia3d.rules.emlia.play.sight.awareness import is_aware, may_be_subject
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_SLUG = "emlia.action.source-subject"


class _Named(NamedTuple):
    """The subject that an order names: units by their rows, a position, or a feature."""

    units: Sequence[int]
    point: tuple[float, float] | None
    feature: bool


def may_do(
    moment: Moment,
    unit: int,
    name: str,
    kind: ActionType | None = None,
    *,
    subjects: Sequence[int] = (),
    feature: bool = False,
) -> Refusal | None:
    """Return why a unit may not take an action on these subjects, or None if it may."""
    refusal = may_take(moment, unit, name, kind)
    return refusal or may_target(moment, unit, name, *subjects, feature=feature)


@rule("emlia.action.source-subject")
def may_target(
    moment: Moment,
    unit: int,
    name: str,
    *subjects: int,
    point: tuple[float, float] | None = None,
    feature: bool = False,
) -> Refusal | None:
    """Return why an action of the table may not have these subjects, or None if it may.

    subjects : rows of units that stand for themselves
    point : a place on the field
    feature : whether the subject is a feature with hits; every unit knows of those
    """
    check = _CHECKS[action(name).subject]
    return check(moment, unit, _Named(subjects, point, feature))


def _itself(moment: Moment, unit: int, named: _Named) -> Refusal | None:
    del moment
    if named.point is None and not named.feature and tuple(named.units) in {(), (unit,)}:
        return None
    return Refusal(_SLUG, "its subject is the unit itself")


def _friend(moment: Moment, unit: int, named: _Named) -> Refusal | None:
    return _friends(moment, unit, named, 1)


def _two_friends(moment: Moment, unit: int, named: _Named) -> Refusal | None:
    return _friends(moment, unit, named, 2)


def _friends(moment: Moment, unit: int, named: _Named, count: int) -> Refusal | None:
    if len(set(named.units)) != count or len(named.units) != count:
        return Refusal(
            _SLUG, f"its subject must be {count} friendly unit{'s' if count > 1 else ''}"
        )
    if any(_are_hostile(moment, unit, other) for other in named.units):
        return Refusal(_SLUG, "its subjects must be friends")
    return None


def _enemy(moment: Moment, unit: int, named: _Named) -> Refusal | None:
    if named.feature:
        return None
    if len(named.units) != 1 or not _are_hostile(moment, unit, named.units[0]):
        return Refusal(_SLUG, "its subject must be an enemy")
    return may_be_subject(moment, unit, named.units[0])


def _known_enemies(moment: Moment, unit: int, named: _Named) -> Refusal | None:
    if named.feature:
        return None
    if not named.units or not all(_are_hostile(moment, unit, foe) for foe in named.units):
        return Refusal(_SLUG, "its subjects must be enemies")
    refusals = (may_be_subject(moment, unit, foe) for foe in named.units)
    first = next(refusals)
    return first and (None if None in refusals else first)


def _unknown_enemy(moment: Moment, unit: int, named: _Named) -> Refusal | None:
    if len(named.units) != 1 or not _are_hostile(moment, unit, named.units[0]):
        return Refusal(_SLUG, "its subject must be an enemy")
    if is_aware(moment, unit, named.units[0]):
        return Refusal("emlia.aware.detect", "the unit is already aware of it")
    return None


def _point(moment: Moment, unit: int, named: _Named) -> Refusal | None:
    del moment, unit
    if named.point is not None and not named.units and not named.feature:
        return None
    return Refusal(_SLUG, "its subject must be a point on the field")


def _are_hostile(moment: Moment, unit: int, other: int) -> bool:
    side = moment.state.units.integer("side", unit)
    return moment.setup.hostile(side, moment.state.units.integer("side", other))


_CHECKS: Mapping[Subject, Callable[[Moment, int, _Named], Refusal | None]] = {
    "self": _itself,
    "friend": _friend,
    "two friends": _two_friends,
    "enemy": _enemy,
    "known enemies": _known_enemies,
    "unknown enemy": _unknown_enemy,
    "point": _point,
}
