"""Emlia, chapter 15.8: free strikes against a unit that moves while engaged.

Holds `emlia.freestrike`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rules.emlia import melee_action
from emlia3d.rules.emlia.contact import engaged_by, reach_of
from emlia3d.rules.emlia.lie import lie_of
from emlia3d.rules.emlia.movement import Pose
from emlia3d.rules.emlia.thresholds import in_reach
from emlia3d.rules.emlia.watch import sees
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@rule("emlia.freestrike.trigger", "emlia.freestrike.who", "emlia.freestrike.bonus")
@rule("emlia.freestrike.cost")
def provoked(battle: Battle, unit: int, end: Pose) -> Procedure[None]:
    """Every enemy that engages the mover may strike it at once, with +4 if it breaks away.

    The strike costs the striker its next primary action, and it makes no other until then.
    """
    lie, units = lie_of(battle), battle.state.units
    for foe in engaged_by(battle, unit):
        if units.value("strike_owed", foe) or not sees(battle, foe, unit):
            continue
        strikes = melee_action.with_each_weapon(battle, foe, unit)
        strike = yield Decision(
            side=units.integer("side", foe),
            asks="emlia.freestrike.who",
            unit=foe,
            options=(*strikes, Order(verb="hold-back", unit=foe)),
        )
        if strike.verb == "hold-back":
            continue
        leaves = not in_reach(float(end.outline.distance(lie.outline(foe))), reach_of(lie, foe))
        yield Event(
            name="free strike",
            unit=foe,
            target=unit,
            because=("emlia.freestrike.trigger", "emlia.freestrike.cost"),
            changes=(Set(table="unit", row=foe, column="strike_owed", value=1),),
        )
        occasion = melee_action.Occasion(free_strike=True, breaks_away=leaves)
        yield from melee_action.close_combat(battle, foe, strike, occasion)
