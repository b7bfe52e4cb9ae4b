"""Possible outcomes of an attack, found by playing each with its probability.

The attack and its resolution are played on a copy of the battle by the procedures of play, once
for each number of successes that a check can have, and once for each face of any other die. Hence
the odds equal play's, whatever rule affects them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import count

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Refusal
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.events import Event, Rolled
from emlia3d.battle.flow import driven
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.odds import Odds
from emlia3d.errors import Error
from emlia3d.rulekit.ways import MOST_WAYS, Pool, all_ways, by_commander
from emlia3d.rules.emlia.columns import Phase
from emlia3d.rules.emlia.play.acting.actions import Deed
from emlia3d.rules.emlia.play.questions.possible_attacks import (
    ATTACKS,
    look_for,
    named_in,
    order_for,
)
from emlia3d.rules.emlia.play.questions.weighing import OutcomeWay, weighed
from emlia3d.rules.emlia.play.situation.contact import in_reach_of
from emlia3d.rules.emlia.play.turn import activation, timing
from emlia3d.rules.emlia.play.turn.phase import resolve
from emlia3d.rules.emlia.tables.skills import SIDES, success_chance

CHECKS = ("emlia.fire", "emlia.melee", "emlia.conc", "emlia.volley")
"""Checks of an attack: of their dice only the successes matter."""


def _chance_of_check(event: Event) -> Fraction | None:
    facts = event.facts
    return success_chance(facts.modifier) if isinstance(facts, Rolled) else None


_POOLS = dict.fromkeys(CHECKS, Pool(success=SIDES, failure=1, chance=_chance_of_check))


def odds(
    battle: Battle, attacker: int, target: int, action: str | None = None, weapon: str | None = None
) -> Odds:
    """Return the possible outcomes of an attack of one unit on another in the present battle.

    Before a turn it is made as that turn begins, by a unit that has just been activated. What
    commander makes every decision on the way.

    action : of `ATTACKS`; None for the first that is legal
    weapon : by name; None for the first that serves

    Raises Error for an action or a weapon that there is not, or if it can go in too many ways.
    """
    scene = battle.fork()
    if scene.state.battle.value("phase", 0) == Phase.TURN:
        _begin_turn(scene, attacker)
    names = list(ATTACKS) if action is None else [action]
    if action is not None and action not in ATTACKS:
        raise Error(f'unknown attack "{action}"; there is {", ".join(ATTACKS)}')
    orders = [order_for(scene, name, attacker, target, weapon) for name in names]
    if weapon is not None and all(isinstance(order, Refusal) for order in orders):
        look_for(scene, attacker, weapon, names)
    for name, order in zip(names, orders, strict=True):
        if isinstance(order, Order) and ATTACKS[name].refusal(scene, order) is None:
            return _played(scene, name, order)
    return _refused(scene, names, orders, (attacker, target))


_ATTACK_OF = {attack.verb: name for name, attack in ATTACKS.items()}


def _begin_turn(scene: Battle, attacker: int) -> None:
    """Begin the next turn, if the battle has one, with the activation of a unit."""
    started, opening = scene.state.turn > 0, timing.next_step(scene)
    if opening is not None:
        scene.dice = SeededDice(scene.seed, 0)
        asked = count(1)
        answer = by_commander(scene.commander("doctrine"))
        for event in driven(opening, lambda decision: answer(scene, decision, next(asked))):
            scene.happen(event)
    if started:
        # Before the first turn no unit has used an action.
        scene.suppose(activation.begun(scene, attacker).changes)


def odds_of(battle: Battle, order: Order) -> Odds | None:
    """Return the possible outcomes of an order; None if it is no attack on a unit.

    An order that names no single enemy counts as an attack on the first enemy at hand.

    Raises Error if it can go in too many ways.
    """
    name, unit = _ATTACK_OF.get(order.verb), order.unit
    if name is None or unit is None or order.point is not None:
        return None
    targets = in_reach_of(battle, unit) if order.target is None else (order.target,)
    weapons = ATTACKS[name].weapons(battle, unit)
    if not targets or not weapons:
        return None
    weapon = weapons[order.number or 0].name if (order.number or 0) < len(weapons) else None
    return odds(battle, unit, targets[0], name, weapon)


def _refused(
    moment: Moment,
    names: Sequence[str],
    orders: Sequence[Order | Refusal],
    pair: tuple[int, int],
) -> Odds:
    """Why there is no attack; of several each with its reason."""
    told = []
    for name, order in zip(names, orders, strict=True):
        no = order if isinstance(order, Refusal) else ATTACKS[name].refusal(moment, order)
        assert no is not None
        told.append(f"{name}: {no.reason} ({no.slug})")
    attacker, target = (moment.setup.units[unit].name for unit in pair)
    why = "; ".join(told)
    return Odds(
        rules="emlia", attacker=attacker, target=target, action=" or ".join(names), weapon=None,
        refusal=why, checks=(), hits={}, fates={}, decisions=(),
        text=f"{attacker} cannot attack {target}: {why}.",
    )  # fmt: skip


def _ways(scene: Battle, order: Order, deed: Deed) -> Iterator[OutcomeWay]:
    """Yield every way in which the attack and its resolution can go that has any chance."""
    unit, target, _ = named_in(order)
    steps = (partial(deed.perform, scene, unit, order), partial(resolve, scene))
    answer = by_commander(scene.commander("doctrine"))
    for way in all_ways(scene, steps, answer, _POOLS, MOST_WAYS):
        units = scene.state.units
        yield OutcomeWay(
            way.chance,
            way.events,
            (bool(units.value("present", unit)), bool(units.value("present", target))),
            (units.integer("morale", unit), units.integer("morale", target)),
            tuple(_answer_text(scene, decision, answered) for decision, answered in way.decisions),
        )


def _answer_text(moment: Moment, decision: Decision, answer: Order) -> str:
    unit = decision.unit if answer.unit is None else answer.unit
    who = moment.setup.sides[decision.side].name if unit is None else moment.setup.units[unit].name
    return f"{who}: {answer.verb.replace('-', ' ')} ({decision.asks})"


def _played(scene: Battle, name: str, order: Order) -> Odds:
    unit, target, number = named_in(order)
    attack = ATTACKS[name]
    weapon = attack.weapons(scene, unit)[number].name
    return weighed(scene, (name, weapon), (unit, target), list(_ways(scene, order, attack.deed)))
