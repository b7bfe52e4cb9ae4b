"""The choice of a ranked unit that is pushed: give way or hold, by the expected cost.

A unit that holds takes a light hit for each GSU of the push. A unit that gives way is pressed by
all members behind the enemy's engaged ones, even after a short push, which usually costs more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.doctrine.appraisal import hits_for_a_loss
from emlia3d.rules.emlia.play.engagement.pressing import press_of
from emlia3d.rules.emlia.play.engagement.pushes import net_pushes
from emlia3d.rules.emlia.play.situation.situation import situation_of

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

ASKS = "emlia.push.choices"

LIGHT = 2
"""Maximum push that a unit always holds against, GSU."""


def choice(moment: Moment, decision: Decision, light: int = LIGHT) -> Order:
    """Return the order to hold or to give way, by expected losses.

    light : maximum push that it always holds against, GSU
    """
    assert decision.unit is not None
    unit, nets = decision.unit, net_pushes(moment, decision.unit)
    entry, push = situation_of(moment).entry(unit), sum(nets.values())
    if push <= light:
        return replace(decision.of("hold")[0], why=f"holds, because a push of {push} is light")
    presses = filter(None, (press_of(moment, foe, (unit,)) for foe in nets))
    pressed = sum(each.hits / hits_for_a_loss(entry, each.base_damage) for each in presses)
    held = push / hits_for_a_loss(entry, 0)
    costs = f"a push of {push} costs {held:.0f} members if it holds, {pressed:.0f} if it gives way"
    if (push - light) / hits_for_a_loss(entry, 0) <= pressed:
        return replace(decision.of("hold")[0], why=f"holds, because {costs}")
    return replace(decision.of("give-way")[0], why=f"gives way, because {costs}")
