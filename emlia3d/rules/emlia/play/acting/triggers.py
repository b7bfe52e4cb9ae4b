"""Emlia, chapter 9 as play: whether a trigger is met now, and by which units.

Facts about an attack are of its moment; all other facts are current. An enemy
is one that the unit is aware of, or one that has attacked it.

The words are in `emlia3d.rules.emlia.unit_sets.initiative_conditions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.columns import Attacked
from emlia3d.rules.emlia.play.sight.awareness import is_aware
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.unit_sets.initiative_conditions import Trigger
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_SHELTERED = Attacked.CONCEALED | Attacked.COVERED
_FROM_AFAR = {
    None: Attacked.IN_THE_OPEN | _SHELTERED,
    "none": Attacked.IN_THE_OPEN,
    "concealment or cover": _SHELTERED,
    "cover": Attacked.COVERED,
}
_COMPARED: Mapping[str, tuple[int, ...]] = {
    "fewer": (-1,), "as many": (0,), "more": (1,),
    "lower": (-1,), "same or lower": (-1, 0), "same or higher": (0, 1), "higher": (1,),
}  # fmt: skip
"""For each word the signs of the difference, theirs less ours, that it stands for."""


@rule("emlia.orders.trigger-vocabulary")
def concerned(
    moment: Moment, unit: int, triggers: Iterable[Trigger], among: Sequence[int] | None = None
) -> tuple[int, ...]:
    """Return the enemies by which one of the triggers is met, by number; empty where none is.

    among : the enemies that are asked about; all without it
    """
    units = moment.state.units
    found: set[int] = set()
    for trigger in triggers:
        covers = trigger.taking_cover
        if covers is not None and covers is not bool(units.value("taking_cover", unit)):
            continue
        foes = _candidates(moment, unit, trigger)
        if among is not None:
            asked = {*among}
            foes = [foe for foe in foes if foe in asked]
        found.update(
            foe
            for foe, near in zip(foes, _are_near(moment, unit, foes, trigger), strict=True)
            if near and _is_so(moment, unit, foe, trigger)
        )
    return tuple(sorted(found))


def attackers_of(moment: Moment, unit: int, trigger: Trigger) -> list[int]:
    """Enemies on the field that have attacked the unit, as the trigger asks, since it acted."""
    wanted = _ways(trigger)
    made = [
        attacker
        for (attacker, subject), how in moment.state.pairs["attack"].items()
        if int(how) & wanted and head_of(moment, subject) == unit
    ]
    foes = set(enemies_of(moment, unit)) if made else set()
    return [head for head in (head_of(moment, one) for one in sorted(made)) if head in foes]


def fastest(moment: Moment, unit: int) -> float:
    """Return the speed of a unit in the mode in which it is fastest, GSU."""
    share = float(moment.state.units.value("speed_share", unit))
    return (
        max((one.speed for one in situation_of(moment).entry(unit).movements), default=0.0) * share
    )


def _ways(trigger: Trigger) -> int:
    afar = _FROM_AFAR[trigger.shelter]
    match trigger.attacked:
        case "from afar":
            return afar
        case "hand to hand":
            return Attacked.HAND_TO_HAND
        case _:
            return afar | Attacked.HAND_TO_HAND


def _candidates(moment: Moment, unit: int, trigger: Trigger) -> list[int]:
    if trigger.attacked is not None:
        return attackers_of(moment, unit, trigger)
    return enemies_of(moment, unit)


def _are_near(moment: Moment, unit: int, foes: Sequence[int], trigger: Trigger) -> Iterable[bool]:
    """Return whether each of some enemies is as near as the trigger asks."""
    if trigger.within is None and trigger.within_moves is None:
        return [True] * len(foes)
    gaps = situation_of(moment).distances(unit, foes)
    within, moves = trigger.within, trigger.within_moves
    return [
        (within is None or in_reach(gap, within))
        and (moves is None or in_reach(gap, moves * fastest(moment, foe)))
        for foe, gap in zip(foes, gaps, strict=True)
    ]


def _is_so(moment: Moment, unit: int, foe: int, trigger: Trigger) -> bool:
    """Return whether the trigger's other conditions on an enemy hold, the cheapest first."""
    return (
        _has_the_numbers(moment, unit, foe, trigger)
        and (trigger.attacked is not None or is_aware(moment, unit, foe))
        and _sees(moment, unit, foe, trigger)
    )


def _has_the_numbers(moment: Moment, unit: int, foe: int, trigger: Trigger) -> bool:
    if trigger.members is None and trigger.size is None:
        return True
    situation = situation_of(moment)
    members = members_of_all(moment, foe) - members_of_all(moment, unit)
    size = situation.size(foe) - situation.size(unit)
    return all(
        word is None or (difference > 0) - (difference < 0) in _COMPARED[word]
        for word, difference in ((trigger.members, members), (trigger.size, size))
    )


def _sees(moment: Moment, unit: int, foe: int, trigger: Trigger) -> bool:
    if trigger.in_sight is None and trigger.in_the_open is None:
        return True
    level = level_on(moment, foe, unit)
    if trigger.in_sight is not None and trigger.in_sight is not (level is not Level.TOTAL):
        return False
    return trigger.in_the_open is None or trigger.in_the_open is (level is Level.NONE)
