"""A commander that advances in line on the objective and fights with method.

It stores nothing between decisions and knows only its side's picture. Line infantry goes forward
in line, halts in effective range and shoots, and charges where the odds favour it; skirmishers
go ahead; guns stay where they can shoot; cavalry and the second line wait for an enemy that
wavers or a gap to fill; the general goes where units need rallying.

Each order says why it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from emlia3d.battle.commanders import ASKS_FOR_PLAN
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.rules.emlia.doctrine import (
    ambush,
    appraisal,
    asides,
    assaulting,
    bombarding,
    breaching,
    fire_targets,
    instinct,
    leader_actions,
    pass_friends,
    places,
    waiting,
    withdrawing,
)
from emlia3d.rules.emlia.doctrine.ai_context import (
    DOCTRINES,
    AiContext,
    DoctrinePersonality,
)
from emlia3d.rules.emlia.doctrine.appraisal import Role, with_role
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.engagement.pushes import net_pushes
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.contact import boundary_of, engaged_by, skirmish_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of


class Doctrine:
    """The doctrine commander."""

    def __init__(self, personality: DoctrinePersonality = DOCTRINES["steady"]) -> None:
        self.personality = personality

    def decide(self, decision: Decision, picture: SidePicture, dice: Dice) -> Order:
        """Return the answer to a decision, from what the side knows."""
        return ANSWERS.get(decision.asks, _act)(AiContext(picture, self.personality), decision)


def _next_unit(ai: AiContext, decision: Decision) -> Order:
    """Return the activation of the next unit: guns first, then the unit nearest to the enemy.

    Units that act on initiative come before them.
    """
    battle = ai.battle
    early = instinct.early(ai, decision)
    if early is not None:
        return early
    due = {order.unit: order for order in decision.options if order.verb == "activate"}
    if not due:
        return decision.options[-1]
    units = [unit for unit in due if unit is not None]
    by_rank = (with_role(battle, units, role) for role in _RANK)
    return due[_foremost(ai, next(filter(None, by_rank)))]


_RANK = (Role.GUNS, Role.SKIRMISH, Role.LINE, Role.CAVALRY, Role.GENERAL)


def _foremost(ai: AiContext, units: list[int]) -> int:
    """Return the unit nearest to any enemy; if none is known, the unit farthest forward."""
    if not ai.known:
        return min(units, key=lambda unit: (-places.progress(ai, unit), unit))
    situation, known = situation_of(ai.battle), np.array(ai.known, dtype=np.intp)
    at_least = whereabouts_of(ai.battle).at_least(units, ai.known)
    first, foe = np.unravel_index(at_least.argmin(), at_least.shape)
    # A unit that is as near as one of them has a box that is as near.
    may_be = at_least <= situation.distance(units[int(first)], ai.known[int(foe)])
    near = (
        (min(situation.distances(units[row], known[may_be[row]].tolist())), units[row])
        for row in np.flatnonzero(may_be.any(axis=1)).tolist()
    )
    return min(near)[1]


def _pushed(ai: AiContext, decision: Decision) -> Order:
    """Return "give way", unless the push is so light that holding costs almost nothing."""
    assert decision.unit is not None
    push = sum(net_pushes(ai.battle, decision.unit).values())
    if push <= ai.personality.light_push:
        return replace(decision.of("hold")[0], why=f"holds, because a push of {push} is light")
    why = f"gives way to a push of {push}, to keep its ranks"
    return replace(decision.of("give-way")[0], why=why)


def _borne(ai: AiContext, decision: Decision) -> Order:
    """Return the order that moves the fight from the side's own units towards the enemy's."""
    assert decision.unit is not None
    battle = ai.battle
    units = battle.state.units
    body = skirmish_of(battle, decision.unit)
    own = [one for one in body if units.integer("side", one) == ai.side]
    start = boundary_of(battle, own).centroid
    end = boundary_of(battle, [one for one in body if one not in own] or own).centroid
    east, north = end.x - start.x, end.y - start.y

    def gain(order: Order) -> float:
        way_east, way_north = unit_vector(facing_of_degrees(order.number or 0))
        return way_east * east + way_north * north

    return replace(max(decision.options, key=gain), why="drives the enemy away from friends")


def _spared(ai: AiContext, decision: Decision) -> Order:
    """Return the option of lowest worth, so that it takes the first hits; lightest hits first."""
    entry = situation_of(ai.battle).entry

    def worth(order: Order) -> float:
        return float(order.number or 0) if order.target is None else entry(order.target).army_value

    return min(decision.options, key=worth)


def _farthest_fall(ai: AiContext, decision: Decision) -> Order:
    """Return the choice of casualties on the side that is farthest from the nearest enemy."""
    unit = decision.unit
    assert unit is not None
    if not ai.known:
        return decision.options[0]
    situation = situation_of(ai.battle)
    foe = ai.known[int(whereabouts_of(ai.battle).at_least([unit], ai.known).argmin())]
    (x, y), (fx, fy) = situation.centre(unit), situation.centre(foe)
    east, north = unit_vector(ai.battle.state.units.integer("facing", unit))
    ahead, right = (
        (fx - x) * east + (fy - y) * north,
        (fx - x) * north - (fy - y) * east,
    )
    gain = {
        "lose-rear": ahead, "lose-front": -ahead, "lose-left": right, "lose-right": -right,
        "lose-flanks": 0.0,
    }  # fmt: skip
    best = max(decision.options, key=lambda order: gain[order.verb])
    return replace(best, why="loses its members farthest from the enemy")


def _act(ai: AiContext, decision: Decision) -> Order:
    """Return the next action of a unit, or the order to take none."""
    unit = decision.unit
    assert unit is not None
    battle = ai.battle
    by_verb = Offered(battle, decision)
    needed = leader_actions.order(ai, unit, by_verb) or withdrawing.order(
        ai, decision, unit, by_verb
    )
    if needed is not None:
        return needed
    if "close-combat" in by_verb:
        return _strike(ai, unit, by_verb["close-combat"][0])
    foes = set(places.worth_meeting(ai))
    gate = breaching.gate(ai, unit)
    spent = breaching.is_spent(ai, unit, gate)
    breach = partial(breaching.order, ai, decision, unit, by_verb, gate)
    charges = [one for one in by_verb.get("charge", []) if one.target in foes]

    def assault() -> Order | None:
        return None if spent else assaulting.order(ai, decision, unit, charges)

    first, second = (assault, breach) if gate is None else (breach, assault)
    attack = first() or second() or pass_friends.clear_front(ai, decision, unit)
    if attack is not None:
        return attack
    lurks = ambush.lies_in_wait(ai, unit) and not pass_friends.bars_the_line(ai, unit)
    stays = lurks or spent or breaching.at_work(ai, unit, gate) is not None
    order = fire_targets.shoot_or_move(
        ai, decision, unit, fire_targets.shots(ai, unit, by_verb), stays
    )
    if order.verb in PACES:
        return order
    idle = order.verb == "done"
    return (
        asides.order(ai, unit, by_verb, idle=idle, lurks=lurks)
        or (waiting.prepare(ai, unit, by_verb) if idle else None)
        or order
    )


def _strike(ai: AiContext, unit: int, order: Order) -> Order:
    """Return the order to strike an enemy at hand."""
    foes = [foe for foe in engaged_by(ai.battle, unit) if foe in ai.known]
    told = [f"{ai.name(foe)}: {appraisal.exchange(ai.battle, unit, foe)}" for foe in foes]
    return replace(order, why=f"close combat: {'; '.join(told)}" if told else "close combat")


def _first(why: str) -> Callable[[AiContext, Decision], Order]:
    """Return the first of the options, always."""
    return lambda ai, decision: replace(decision.options[0], why=why)


ANSWERS: Mapping[str, Callable[[AiContext, Decision], Order]] = {
    ASKS_FOR_PLAN: _first(""),
    "emlia.time.order-in-step": _next_unit,
    "emlia.activate.free-when": leader_actions.braced,
    "emlia.orders.initiative": instinct.follow,
    "emlia.orders.mixed.part-orders": _first("stays with the rest"),
    "emlia.prepare.must-execute-all": instinct.follow,
    "emlia.prepare.several-units": _first("carries out its prepared action"),
    "emlia.align": _first("faces the enemy"),
    "emlia.push.follow": _first("follows the enemy"),
    "emlia.align.envelop": _first("envelops the enemy"),
    "emlia.mixedeng.follow": _first("follows the enemy"),
    "emlia.entity.formation-ambiguity": _first("keeps its formation"),
    "emlia.lead.leader.choice": _first("takes over as leader"),
    "emlia.lead.split": _first("becomes a separate unit"),
    "emlia.skirmish.shift": _borne,
    "emlia.push.not-facing": _first("attacks the enemies beside it"),
    "emlia.push.break-ranks": _first("keeps its ranks"),
    "emlia.freestrike.who": _first("strikes an enemy that turns away or passes by"),
    "emlia.push.choices": _pushed,
    "emlia.volley.success": bombarding.spend,
    "emlia.disengage.success": withdrawing.bar,
    "emlia.morale.falling-back": withdrawing.fall_back,
    "emlia.hits.subunit-ties": _spared,
    "emlia.hits.group-order": _spared,
    "emlia.damage.casualty-choice": _farthest_fall,
}
"""The answer to each question; any other question is about one unit's next action."""
