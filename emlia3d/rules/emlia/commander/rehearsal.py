"""Rehearsals: play an attack on a copy of the battle with average dice, to find its worth.

The procedures of play carry out the charge, both alignments, both attacks and the resolution of the
step. A check counts with its mean, fractional successes; its consequences use the nearest integer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import hypot
from typing import TYPE_CHECKING

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Set
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.dice import Faces
from emlia3d.battle.events import Event, Rolled
from emlia3d.battle.flow import driven
from emlia3d.rules.emlia.commander import pushed
from emlia3d.rules.emlia.commander.currency import value_of
from emlia3d.rules.emlia.commander.exchange import Exchange, ExpectedHarm, Fate
from emlia3d.rules.emlia.doctrine.appraisal import hits_for_a_loss
from emlia3d.rules.emlia.events.combat import AttackFromAfar, Blow, StruckFree
from emlia3d.rules.emlia.events.engagement import HeldItsGround, Pressed
from emlia3d.rules.emlia.events.movement import ChargeFellShort
from emlia3d.rules.emlia.play.acting.actions import may_act_on_orders
from emlia3d.rules.emlia.play.acting.checks import attempt_of
from emlia3d.rules.emlia.play.charges.charging import may_charge
from emlia3d.rules.emlia.play.combat import close_combat, melee_orders
from emlia3d.rules.emlia.play.morale import casualties, morale_update
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.retreat.compulsion import is_compelled
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation
from emlia3d.rules.emlia.tables.skills import expected_successes

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


def rehearse(
    moment: Battle, order: Order, start: Order | None = None, *, least: int = 0
) -> Exchange | None:
    """Return the result of an attack; None if it does not reach the enemy.

    moment : the battle as its side knows it; it does not change
    start : a move before it in the same activation, after which the unit must be aware of its enemy
    least : minimum dice of its attack, limited to its maximum; a weaker attack returns None
    """
    unit = order.unit
    assert unit is not None
    scene = _RehearsedBattle(moment.fork())
    if start is not None and not (_played(scene, unit, start) and _may(scene.battle, order)):
        return None
    if not _played(scene, unit, order):
        return None
    target, most = _struck(scene, unit, order), _most_dice(moment, unit)
    if target is None or scene.dice.get(unit, 0) < min(least, most):
        return None
    scene.play(_answers(scene.battle, unit, due=True))
    parties = _parties(scene, unit, target)
    scene.play(_resolution(scene.battle, parties))
    scene.play(_answers(scene.battle, unit, due=False))
    alone = _unaided(moment, parties)
    return _weighed(moment, alone, scene, unit, target)


def _played(scene: _RehearsedBattle, unit: int, order: Order) -> bool:
    """Play an order; return whether the unit survives it."""
    scene.play(activation.DEEDS[order.verb].perform(scene.battle, unit, order))
    return not scene.fell_short and bool(scene.battle.state.units.value("present", unit))


def _may(moment: Moment, charge: Order) -> bool:
    """Return whether a unit can charge from its position."""
    assert charge.unit is not None
    assert charge.target is not None
    return may_charge(moment, charge.unit, charge.target) is None


def _most_dice(moment: Moment, unit: int) -> int:
    """Return the dice of an attack with all members of a unit in reach."""
    return sum(attempt_of(moment, part, "close combat").dice for part in parts_of(moment, unit))


def _parties(scene: _RehearsedBattle, unit: int, target: int) -> list[int]:
    """Return the units in an attack: both opponents, and all that cause or take damage."""
    return sorted({unit, target, *(one for pair in scene.harm for one in pair)})


@dataclass(slots=True)
class _RehearsedBattle:
    """A copy of the battle for a rehearsal, with the damage in it.

    harm : by attacker and subject, the heads of both
    dice : number of dice of attack checks, by unit
    """

    battle: Battle
    harm: dict[tuple[int, int], ExpectedHarm] = field(default_factory=dict)
    dice: dict[int, int] = field(default_factory=dict)
    fell_short: bool = False

    def play(self, procedure: Procedure[None]) -> None:
        """Play a procedure with average dice, and count the damage."""
        self.battle.dice = AverageDice()
        for event in driven(procedure, partial(_answer, self.battle)):
            if isinstance(event.facts, ChargeFellShort):
                self.fell_short = True
            for attacker, subject, harm in _harm_of(self.battle, event):
                pair = attacker, subject
                self.harm[pair] = self.harm.get(pair, ExpectedHarm()) + harm
            if isinstance(event.facts, Blow) and event.unit is not None:
                head = head_of(self.battle, event.unit)
                self.dice[head] = self.dice.get(head, 0) + event.facts.dice
            self.battle.suppose(event.changes)


class AverageDice:
    """Dice with evenly spread faces, so that each check has its mean result."""

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return the middle faces of *count* equal parts of the die."""
        del why
        return tuple((2 * place + 1) * sides // (2 * count) + 1 for place in range(count))


def _answer(moment: Moment, decision: Decision) -> Order:
    """Return the cheaper answer to a push; for any other decision the first option."""
    if decision.asks == pushed.ASKS:
        return pushed.choice(moment, decision)
    return decision.options[0]


def _harm_of(moment: Moment, event: Event) -> Iterator[tuple[int, int, ExpectedHarm]]:
    """Yield attacker, subject and damage of an event."""
    facts = event.facts
    if event.unit is None or event.target is None:
        return
    match facts:
        case Blow() | AttackFromAfar():
            by, on = head_of(moment, event.unit), head_of(moment, event.target)
            hits = _successes(facts)
            entry = situation_of(moment).entry(event.target)
            lost = min(hits / hits_for_a_loss(entry, facts.base_damage), members_of_all(moment, on))
            free = isinstance(facts, StruckFree)
            yield by, on, ExpectedHarm(free=lost) if free else ExpectedHarm(blow=lost)
        case Pressed() | HeldItsGround():
            for change in event.changes:
                if isinstance(change, Append) and change.table == "marker":
                    row = change.row
                    by, on = int(row["attacker"]), int(row["subject"])
                    entry = situation_of(moment).entry(on)
                    needed = hits_for_a_loss(entry, int(row["base_damage"]))
                    lost = min(row["hits"] / needed, members_of_all(moment, on))
                    yield by, on, ExpectedHarm(press=lost)
        case _:
            return


def _successes(facts: Rolled) -> float:
    """Return the mean successes of a check."""
    if facts.faces is None and facts.counts is None:
        return facts.successes
    return float(expected_successes(facts.dice, facts.modifier))


def _answers(battle: Battle, unit: int, *, due: bool) -> Procedure[None]:
    """Play the attacks of the enemies that engage a unit, if they can attack.

    due : whether only enemies act that have not acted in this step; otherwise the enemies that act
        later
    """
    for foe in engaged_by(battle, unit):
        if _is_due(battle, foe) is not due or is_compelled(battle, foe):
            continue
        battle.suppose(_refreshed(battle, foe))
        if may_act_on_orders(battle, foe) is None and melee_orders.may_strike(battle, foe) is None:
            order = Order(verb="close-combat", unit=foe)
            yield from close_combat.close_combat(battle, foe, order)


def _is_due(moment: Moment, unit: int) -> bool:
    """Return whether a unit has not acted in this step."""
    units = moment.state.units
    step = moment.state.battle.integer("step", 0)
    return not units.value("activated", unit) and units.integer("timing", unit) >= step


def _refreshed(moment: Moment, unit: int) -> tuple[Set, ...]:
    """Return the changes that restore a unit's actions, as at its next activation."""
    owed = moment.state.units.integer("strike_owed", unit)
    cells = {"move_used": 0, "primary_used": owed, "charged": 0, "double_paced": 0}
    return tuple(
        Set(table="unit", row=unit, column=name, value=value) for name, value in cells.items()
    )


def _resolution(battle: Battle, units: Sequence[int]) -> Procedure[None]:
    """Play the part of the resolution on which the worth of an attack depends.

    units : the units whose morale matters
    """
    outlook = morale_update.MoraleInputs(battle)
    outlook.is_rehearsed = True
    yield from forced.push(battle, outlook)
    yield from casualties.update_damage(battle, outlook)
    yield from morale_update.update_morale(battle, outlook, units)
    yield from forced.run_together(battle, outlook)


def _struck(scene: _RehearsedBattle, unit: int, order: Order) -> int | None:
    """Return the enemy of an attack: the named one, or the hardest hit; None if there is none."""
    own = {subject: harm.whole for (by, subject), harm in scene.harm.items() if by == unit}
    if not own:
        return None
    named = None if order.target is None else head_of(scene.battle, order.target)
    return named if named in own else max(own, key=lambda subject: (own[subject], -subject))


def _weighed(
    before: Battle, alone: Moment, scene: _RehearsedBattle, unit: int, target: int
) -> Exchange:
    """Return the result of an attack.

    before : the battle before the attack
    alone : the battle after the step without the attack
    """
    after = scene.battle
    side = before.state.units.ints("side")
    harm: dict[int, float] = {}
    for (_, subject), each in scene.harm.items():
        harm[subject] = harm.get(subject, 0.0) + each.whole
    gain = cost = 0.0
    for one in _parties(scene, unit, target):
        lost = value_of(alone, one) - _left(alone, after, one, harm.get(one, 0.0))
        if before.setup.hostile(int(side[unit]), int(side[one])):
            gain += lost
        else:
            cost += lost
    both = [
        (by, on, each.capped(members_of_all(before, on))) for (by, on), each in scene.harm.items()
    ]
    return Exchange(
        dice=scene.dice.get(unit, 0),
        most=_most_dice(before, unit),
        inflicted=sum((each for by, _, each in both if by == unit), ExpectedHarm()),
        suffered=sum((each for _, on, each in both if on == unit), ExpectedHarm()),
        mine=_fate(before, after, unit),
        theirs=_fate(before, after, target),
        gain=gain,
        cost=cost,
    )


def _left(alone: Moment, after: Moment, unit: int, lost: float) -> float:
    """Return the worth of a unit after the attack, by fractional losses and rehearsed morale."""
    units = after.state.units
    if not units.value("present", unit) or head_of(after, unit) != unit:
        return 0.0
    gone = members_of_all(alone, unit) - members_of_all(after, unit)
    return value_of(after, unit, lost - gone)


def _fate(before: Moment, after: Moment, unit: int) -> Fate:
    units, now = before.state.units, after.state.units
    x, y = situation_of(before).centre(unit)
    there = bool(now.value("present", unit))
    to_x, to_y = situation_of(after).centre(unit) if there else (x, y)
    return Fate(
        before=units.integer("morale", unit),
        after=now.integer("morale", unit),
        disordered=bool(now.value("disordered", unit)),
        destroyed=not there,
        moved=hypot(to_x - x, to_y - y),
    )


def _unaided(moment: Battle, units: Sequence[int]) -> Moment:
    """Return the battle after the resolution of its step without further actions."""
    if not _are_pending(moment, units):
        return moment
    scene = _RehearsedBattle(moment.fork())
    scene.play(_resolution(scene.battle, units))
    return scene.battle


def _are_pending(moment: Moment, units: Sequence[int]) -> bool:
    """Return whether hits or pushes on some units have not taken effect yet."""
    hits, pushes = moment.state.lists["marker"], moment.state.lists["push"]
    struck = (head_of(moment, subject) for subject in hits.ints("subject").tolist())
    return any(one in units for one in (*struck, *pushes.ints("subject").tolist()))
