"""A commander who knows his trade: advances in line on the objective, and fights with method.

He keeps nothing between decisions and knows only his side's picture. Line infantry goes forward
in line, halts in effective range and shoots, and charges where the odds favour it; skirmishers
go ahead; guns stay where they can shoot; cavalry and the second line wait for an enemy who
wavers or a gap to fill; the general goes where men need rallying.

Each order says why it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.force.facing import facing_of_degrees, unit_vector
from emlia3d.rules.emlia.doctrine import (
    appraisal,
    bombarding,
    breaching,
    instinct,
    lurking,
    manoeuvring,
    waiting,
    withdrawing,
)
from emlia3d.rules.emlia.doctrine.appraisal import Role, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.engagement.contact import boundary_of, skirmish_of
from emlia3d.rules.emlia.play.leadership.leading import leader_of
from emlia3d.rules.emlia.play.leadership.mixed import head_of
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES
from emlia3d.rules.emlia.play.resolution.compulsion import is_compelled
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.sight.watch import watch_of
from emlia3d.rules.emlia.play.turn.checks import FOCUSED
from emlia3d.rules.emlia.play.turn.picture import Picture

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_WORTH_AN_AIM = 1.5
"""Expected losses of the enemy from which a unit halts to aim rather than to go on."""

_WORTH_A_SHOT = 0.3
"""Below this a shot only gives heart to those whom it misses (`emlia.morale.pos.unharmed`)."""

_LIGHT_PUSH = 2
"""GSU up to which a unit takes the press hits rather than give ground."""


class Doctrine:
    """The doctrine commander."""

    def decide(self, decision: Decision, picture: Picture, dice: Dice) -> Order:
        """The answer to a decision, from what the side knows."""
        return _ANSWERS.get(decision.asks, _act)(picture, decision)


def _next_unit(picture: Picture, decision: Decision) -> Order:
    """Guns first, then whoever is nearest to the enemy, so that nobody is in another's way.

    Before them those who act of their own accord.
    """
    battle = picture.battle
    early = instinct.early(picture, decision)
    if early is not None:
        return early
    due = [order for order in decision.options if order.verb == "activate"]
    if not due:
        return decision.options[-1]
    rank = {Role.GUNS: 0, Role.SKIRMISH: 1, Role.LINE: 2, Role.CAVALRY: 3, Role.GENERAL: 4}

    def urgency(order: Order) -> tuple[int, float, int]:
        assert order.unit is not None
        near = appraisal.nearest(battle, order.unit, picture.known)
        ahead = -manoeuvring.progress(picture, order.unit)
        return rank[role_of(battle, order.unit)], near[1] if near else ahead, order.unit

    return min(due, key=urgency)


def _pushed(picture: Picture, decision: Decision) -> Order:
    """Give way, unless there is so little push that standing costs next to nothing."""
    by_verb = {order.verb: order for order in decision.options}
    assert decision.unit is not None
    if _net_push(picture.battle, decision.unit) <= _LIGHT_PUSH:
        return replace(by_verb["hold"], why="a light push: stand")
    return replace(by_verb["give-way"], why="keep the ranks and give ground")


def _net_push(battle: Battle, unit: int) -> int:
    """How many more successes its enemies have against the unit than it has against them."""
    rows = battle.state.lists["push"]
    nets: dict[int, int] = {}
    for row in range(len(rows)):
        attacker, subject = rows.integer("attacker", row), rows.integer("subject", row)
        if unit in {attacker, subject}:
            foe, sign = (attacker, 1) if subject == unit else (subject, -1)
            nets[foe] = nets.get(foe, 0) + sign * rows.integer("successes", row)
    return sum(net for net in nets.values() if net > 0)


def _borne(picture: Picture, decision: Decision) -> Order:
    """Drive the fight the way from one's own men to the enemy's."""
    assert decision.unit is not None
    battle = picture.battle
    units = battle.state.units
    body = skirmish_of(battle, decision.unit)
    own = [one for one in body if units.integer("side", one) == picture.side]
    start = boundary_of(battle, own).centroid
    end = boundary_of(battle, [one for one in body if one not in own] or own).centroid
    east, north = end.x - start.x, end.y - start.y

    def gain(order: Order) -> float:
        way_east, way_north = unit_vector(facing_of_degrees(order.number or 0))
        return way_east * east + way_north * north

    return replace(max(decision.options, key=gain), why="drive them back")


def _spared(picture: Picture, decision: Decision) -> Order:
    """The least worthy take the first hits, and the lightest hits come first."""
    entry = lie_of(picture.battle).entry

    def worth(order: Order) -> float:
        return float(order.number or 0) if order.target is None else entry(order.target).army_value

    return min(decision.options, key=worth)


def _braced(picture: Picture, decision: Decision) -> Order:
    """Try to stop one's own men from running, while there is a chance."""
    assert decision.unit is not None
    if not is_compelled(picture.battle, decision.unit):
        return decision.options[-1]
    for order in decision.options:
        own = order.verb == "ignore-initiative" and order.target == decision.unit
        if own and appraisal.rally_chance(picture.battle, order) > 0:
            return replace(order, why="stand, and turn about")
    return decision.options[-1]


def _act(picture: Picture, decision: Decision) -> Order:
    """One action of a unit, or none."""
    unit = decision.unit
    assert unit is not None
    battle = picture.battle
    by_verb = Offered(battle, decision)
    known = set(picture.known)
    rally = _rally(battle, unit, by_verb)
    if rally is not None:
        return rally
    leave = withdrawing.order(picture, decision, unit, by_verb)
    if leave is not None:
        return leave
    if "close-combat" in by_verb:
        return replace(by_verb["close-combat"][0], why="strike the enemy at hand")
    foes = set(manoeuvring.worth_meeting(picture))
    charge = _charge(battle, unit, [o for o in by_verb.get("charge", []) if o.target in foes])
    attack = (
        charge
        or manoeuvring.close_in(picture, decision, unit)
        or breaching.order(picture, unit, by_verb)
    )
    if attack is not None:
        return attack
    shots = [
        (appraisal.shot_worth(battle, order), order)
        for order in _shots_at(battle, unit, known, by_verb)
    ]
    shots += [
        (bombarding.worth(picture, order), order)
        for verb in bombarding.VERBS
        for order in by_verb.get(verb, [])
    ]
    lurks = lurking.lies_in_wait(picture, unit)
    stays = lurks or breaching.at_work(picture, unit) is not None
    order = _shoot_or_move(picture, decision, unit, shots, stays)
    if order.verb in PACES:
        return order
    idle = order.verb == "done"
    return (
        (lurking.hide(by_verb) if lurks and idle else None)
        or lurking.look(picture, by_verb)
        or (lurking.point_out(picture, unit, by_verb) if idle else None)
        or (waiting.prepare(picture, unit, by_verb) if idle else None)
        or order
    )


def _shots_at(
    battle: Battle, unit: int, known: set[int], by_verb: Mapping[str, list[Order]]
) -> list[Order]:
    """The shots that the unit may fire at somebody of whom is known where he is."""
    shots = [
        (head_of(battle, order.target), order)
        for verb in ("aim", "fire", f"aim{FOCUSED}", f"fire{FOCUSED}")
        for order in by_verb.get(verb, [])
        if order.target is not None
    ]
    watch_of(battle).look([unit], sorted({target for target, _ in shots if target in known}))
    return [order for target, order in shots if target in known]


def _rally(battle: Battle, unit: int, by_verb: Mapping[str, list[Order]]) -> Order | None:
    """A leader sees to order first, then to the unit whose heart is lowest; never in vain."""
    for order in by_verb.get("reorder", []):
        if appraisal.rally_chance(battle, order) > 0:
            return replace(order, why="bring them back to order")
    for order in by_verb.get("take-command", []):
        assert order.target is not None
        if leader_of(battle, order.target) is None and appraisal.rally_chance(battle, order) > 0:
            return replace(order, why="they need somebody to lead them")
    general = role_of(battle, unit) is Role.GENERAL
    morale = battle.state.units.ints("morale")
    lie = lie_of(battle)
    leads = lie.entry(unit).skill("leadership") is not None
    wavering = [
        order
        for order in by_verb.get("improve-morale-primary", []) + by_verb.get("improve-morale", [])
        if order.target is not None
        and (leads or order.target == unit)
        and morale[order.target] < lie.entry(order.target).morale
        and morale[order.target] <= (3 if general else 0)
        and appraisal.rally_chance(battle, order) > 0
    ]
    if wavering and (general or "fire" not in by_verb):
        lowest = min(wavering, key=lambda order: (int(morale[order.target or 0]), order.target))
        return replace(lowest, why="put heart into them")
    shy = [
        order
        for order in by_verb.get("ignore-initiative", [])
        if order.target is not None
        and morale[order.target] < (1 if order.target == unit else 0)
        and appraisal.rally_chance(battle, order) > 0
    ]
    return replace(shy[0], why="they are to stand") if shy else None


def _charge(battle: Battle, unit: int, charges: Iterable[Order]) -> Order | None:
    """The charge with the best odds, where they favour it."""
    if role_of(battle, unit) in {Role.GUNS, Role.GENERAL, Role.SKIRMISH}:
        return None
    rated = [
        (odds, order)
        for order in charges
        if order.target is not None
        and (odds := appraisal.charge_odds(battle, unit, order.target)) is not None
    ]
    if not rated:
        return None
    odds, best = max(rated, key=lambda pair: (pair[0], -(pair[1].target or 0)))
    if odds < appraisal.boldness(battle, unit):
        return None
    return replace(best, why=f"the odds of the charge are {odds:.1f} to 1")


def _shoot_or_move(
    picture: Picture,
    decision: Decision,
    unit: int,
    shots: list[tuple[float, Order]],
    lurks: bool,
) -> Order:
    """Halt and aim where that hurts; else go on; then shoot at whatever is left in range.

    shots : what each may be expected to do, and its order
    """
    battle = picture.battle
    best = max(
        shots,
        key=lambda pair: (pair[0], pair[1].verb == "aim", -(pair[1].target or 0)),
        default=None,
    )
    moved = bool(battle.state.units.value("move_used", unit))
    stand = lurks or manoeuvring.should_stand(picture, unit)
    if best and best[0] < _WORTH_A_SHOT:
        best = None
    if best and (moved or stand or best[0] >= _threshold(battle, unit, best[1].target)):
        turn = None if moved else manoeuvring.face(picture, decision, unit, best[1].target)
        return turn or replace(best[1], why=f"costs them about {best[0]:.1f}")
    if not moved and not stand:
        move = manoeuvring.move(picture, decision, unit)
        if move is not None:
            return move
    if best:
        return replace(best[1], why=f"nothing better to do; costs them about {best[0]:.1f}")
    if not moved:
        near = appraisal.nearest(battle, unit, picture.known)
        turn = manoeuvring.face(picture, decision, unit, near[0] if near else None)
        if turn is not None:
            return turn
    return decision.of("done")[0]


def _threshold(battle: Battle, unit: int, target: int | None) -> float:
    """How much a volley must promise before a unit halts for it.

    Guns always prefer to shoot; foot goes on until it is in effective range.
    """
    if role_of(battle, unit) is Role.GUNS:
        return _WORTH_A_SHOT
    near = appraisal.nearest(battle, unit, () if target is None else (target,))
    far = near is not None and near[1] > 1.1 * appraisal.effective_range(battle, unit)
    return inf if far else _WORTH_AN_AIM


def _first(why: str) -> Callable[[Picture, Decision], Order]:
    """The first of the options, always."""
    return lambda picture, decision: replace(decision.options[0], why=why)


_ANSWERS: Mapping[str, Callable[[Picture, Decision], Order]] = {
    "emlia.time.order-in-step": _next_unit,
    "emlia.activate.free-when": _braced,
    "emlia.orders.initiative": instinct.follow,
    "emlia.orders.mixed.part-orders": _first("keep together"),
    "emlia.prepare.must-execute-all": instinct.follow,
    "emlia.prepare.several-units": _first("now"),
    "emlia.align": _first("face the enemy"),
    "emlia.push.follow": _first("keep at them"),
    "emlia.align.envelop": _first("go round them"),
    "emlia.mixedeng.follow": _first("keep at them"),
    "emlia.skirmish.shift": _borne,
    "emlia.push.not-facing": _first("deal with those beside us"),
    "emlia.push.break-ranks": _first("keep the ranks"),
    "emlia.freestrike.who": _first("strike whoever shows his back"),
    "emlia.push.choices": _pushed,
    "emlia.volley.success": bombarding.spend,
    "emlia.disengage.success": withdrawing.bar,
    "emlia.morale.falling-back": withdrawing.fall_back,
    "emlia.hits.subunit-ties": _spared,
    "emlia.hits.group-order": _spared,
}
"""How each question is answered; any other is about one unit's next action."""
