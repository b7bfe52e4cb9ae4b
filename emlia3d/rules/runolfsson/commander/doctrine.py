"""The AI `doctrine`: answers to each question of the rules by expected losses."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.answering import Answering
from emlia3d.rules.runolfsson.attack import dice_left, open_shots, standing_shots, worth
from emlia3d.rules.runolfsson.columns import Marker
from emlia3d.rules.runolfsson.commander.destinations import STEADY, places_of
from emlia3d.rules.runolfsson.commander.expected_losses import enough_hits, removed
from emlia3d.rules.runolfsson.contacts import entry_of, models_of, touching
from emlia3d.rules.runolfsson.core import chance, whole
from emlia3d.rules.runolfsson.opportunity import may_fire


def _mover(moment: Moment, decision: Decision) -> Order:
    """Move leaders before their followers, and the model nearest to an enemy first."""
    models, leaders = models_of(moment), moment.state.units.ints("leader")

    def rank(order: Order) -> tuple[bool, float, int]:
        assert order.unit is not None
        gaps, foes = models.gaps(order.unit), models.foes(order.unit)
        near = min((float(gaps[foe]) for foe in foes), default=inf)
        return bool(leaders[order.unit] != order.unit), near, order.unit

    return min(decision.of("choose"), key=rank)


def _place(moment: Moment, decision: Decision) -> Order:
    """Move to the best position."""
    return places_of(moment, decision)[0]


def _target(moment: Moment, decision: Decision) -> Order:
    """Pick the best target."""
    return targets_of(moment, decision)[0]


def targets_of(moment: Moment, decision: Decision) -> list[Order]:
    """Return the orders that pick targets, by expected losses, the highest first."""
    found = open_shots(moment, decision.side)

    def points(order: Order) -> float:
        target = order.target or 0
        hits = sum(worth(moment, shot) for shot in found.get(target, ()))
        return round(float(removed(moment, target, [hits, hits / 2]).sum()), 6)

    ranked = sorted(decision.of("attack"), key=lambda order: -points(order))
    why = "may remove {:.1f} points"
    picks = [replace(order, why=why.format(points(order) / 2)) for order in ranked[:4]]
    return [*picks, *decision.of("pass")]


def _attackers(moment: Moment, decision: Decision) -> Order:
    """Attack with as few models as are enough, so that others have other targets."""
    target = decision.options[0].target
    if target is None:
        return decision.options[0]
    shots = {
        shot.attacker: worth(moment, shot) for shot in open_shots(moment, decision.side)[target]
    }
    need = enough_hits(moment, target)
    for order in reversed(decision.options):
        if sum(shots[row] for row in order.actors) >= need:
            return order
    return decision.options[0]


def _opportunity(moment: Moment, decision: Decision) -> Order:
    """Fire, unless others do, or a shot in the attack phase is worth more."""
    hold, fire = decision.options[:2]
    unit, target = decision.unit, hold.target
    assert unit is not None
    assert target is not None
    shots = standing_shots(moment, moment.state.units.integer("side", unit))
    before = [s for s in shots if s.target == target and s.attacker < unit]
    hits = sum(worth(moment, shot) for shot in before if may_fire(moment, shot.attacker))
    if hits >= enough_hits(moment, target):
        return hold
    now = removed(moment, target, whole(dice_left(moment, unit)) * float(chance(0)))
    later = (removed(moment, s.target, worth(moment, s)) for s in shots if s.attacker == unit)
    return hold if max(later, default=0.0) > STEADY * now else fire


def _run(moment: Moment, decision: Decision) -> Order:
    """Stand, except with an outnumbered machine: running lowers the morale of others."""
    unit = decision.unit
    assert unit is not None
    machine = entry_of(moment.setup, unit).has("machine")
    return decision.options[1 if machine and len(touching(moment, unit)) > 1 else 0]


# Command


def _leader(moment: Moment, decision: Decision) -> Order:
    """Name the unmarked model nearest to the others, unless the leader can rally."""
    units, models = moment.state.units, models_of(moment)
    assert decision.unit is not None
    if models.there[decision.unit] and units.integer("marker", decision.unit) != Marker.ROUTED:
        return decision.of("keep leader")[0]

    def rank(order: Order) -> tuple[bool, float]:
        assert order.target is not None
        gaps = models.gaps(order.target)
        others = [other.target for other in decision.of("name leader") if other.target is not None]
        return bool(units.value("marker", order.target)), float(gaps[others].sum())

    return min(decision.of("name leader"), key=rank)


def _free(moment: Moment, decision: Decision) -> Order:
    """Pick the model with the most attack dice."""
    return max(
        decision.options, key=lambda order: moment.state.units.value("attack", order.unit or 0)
    )


def _marker(moment: Moment, decision: Decision) -> Order:
    """Place a marker nearer to own models than to enemies."""
    models = models_of(moment)

    def rank(order: Order) -> float:
        off = np.hypot(*(models.spots - np.array(order.point)).T)
        own = models.side == decision.side
        return float(off[own].mean() - off[~own].mean())

    return min(decision.options, key=rank)


def _second(_: Moment, decision: Decision) -> Order:
    """Move second, to see the enemy's moves."""
    return decision.options[-1 if decision.options[0].verb == "go first" else 0]


DOCTRINE = Answering(
    {
        "runolfsson.move.who": _mover,
        "runolfsson.move.free-path": _place,
        "runolfsson.run.contactor-continues": _place,
        "runolfsson.attack.alternate": _target,
        "runolfsson.attack.declare-all": _attackers,
        "runolfsson.op.trigger": _opportunity,
        "runolfsson.run.when": _run,
        "runolfsson.leader.replace": _leader,
        "runolfsson.special.mindless": _free,
        "runolfsson.super.fail": _second,
        "runolfsson.victory.objectives": _marker,
    }
)
"""The commander called "doctrine"."""
