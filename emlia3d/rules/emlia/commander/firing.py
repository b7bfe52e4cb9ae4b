"""The worth of shots and volleys, in the same measure as that of an attack hand to hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.commander.currency import value_of
from emlia3d.rules.emlia.doctrine import bombarding
from emlia3d.rules.emlia.doctrine.appraisal import (
    ExpectedShot,
    foreseen_morale,
    hits_for_a_loss,
    shot,
    struck,
)
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.doctrine.shooting import aimed_shots, volleys_of
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def best_shot(
    mind: Mind, unit: int, offered: Offered, foes: Collection[int], urgent: float
) -> tuple[ExpectedShot, float] | None:
    """Return the shot or volley that is worth most, and its worth; None if there is none.

    Cover can only reduce the worth: it is looked up from the most promising shot on, until none is
    left that could be worth more.

    foes : enemies that it may shoot at; a volley at a place may fall on any
    urgent : factor for the worth of shots at enemies on the objective
    """
    best: tuple[ExpectedShot, float] | None = None
    for hope, most in sorted(_hopes(mind, unit, offered, foes, urgent), key=_rank):
        if best is not None and most <= best[1]:
            break
        found, worth = hope, most
        if hope.at_best:
            found = shot(mind.battle, hope.order)
            worth = _worth(mind, found, urgent)
        if best is None or worth > best[1]:
            best = found, worth
    if best is not None and best[0].order.point is not None:
        harm = bombarding.worth(mind, best[0].order, _losses_of_a_hit)
        return replace(best[0], harm=harm), best[1]
    return best


def _rank(one: tuple[ExpectedShot, float]) -> tuple[float, bool, int]:
    hope, worth = one
    return -worth, hope.order.verb != "aim", hope.order.target or 0


def _hopes(
    mind: Mind, unit: int, offered: Offered, foes: Collection[int], urgent: float
) -> Iterator[tuple[ExpectedShot, float]]:
    """Yield each possible shot with its worth at best."""
    for one in aimed_shots(mind, unit, offered):
        assert one.order.target is not None
        if head_of(mind.battle, one.order.target) in foes:
            yield one, _worth(mind, one, urgent)
    for order in volleys_of(offered):
        if order.target is None:
            worth = bombarding.worth(mind, order, _value_of_a_hit)
            yield ExpectedShot(order, 0.0, worth), worth
        elif head_of(mind.battle, order.target) in foes:
            harm = bombarding.worth(mind, order, _losses_of_a_hit)
            found = ExpectedShot(order, harm, harm)
            yield found, _worth(mind, found, urgent)


def _worth(mind: Mind, one: ExpectedShot, urgent: float) -> float:
    """Return the army value that a shot at a unit takes, by losses and morale."""
    assert one.order.target is not None
    battle, target = mind.battle, head_of(mind.battle, one.order.target)
    laid = struck(battle, target)
    now, then = foreseen_morale(battle, target, one.harm)
    before = value_of(battle, target, laid, now)
    worth = before - value_of(battle, target, laid + one.harm, then)
    return worth * (urgent if target in mind.contesting else 1.0)


def _losses_of_a_hit(moment: Moment, unit: int, base_damage: int) -> float:
    return 1 / hits_for_a_loss(situation_of(moment).entry(unit), base_damage)


def _value_of_a_hit(moment: Moment, unit: int, base_damage: int) -> float:
    members = max(members_of_all(moment, unit), 1)
    return value_of(moment, unit) / members * _losses_of_a_hit(moment, unit, base_damage)
