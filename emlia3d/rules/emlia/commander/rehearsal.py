"""Rehearsals: an attack is played on a copy of the battle with average dice, to find its worth.

The run, both alignments, the blow, the enemy's own, and then the resolution of the step are played
by the procedures of play themselves. A check counts with the successes that it has on average, in
fractions; what follows from it is played with the nearest whole number of them.
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
    """Return the result of an attack; None for one that does not come to blows.

    moment : the battle as its side knows it, which is left as it is
    start : a move that the unit makes before it in the same activation; from where it ends the
        unit must be aware of its enemy
    least : dice that its blow must roll, or as many as it has at most; None for a weaker one
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
    """Play an order; return whether the unit comes through it."""
    scene.play(activation.DEEDS[order.verb].perform(scene.battle, unit, order))
    return not scene.fell_short and bool(scene.battle.state.units.value("present", unit))


def _may(moment: Moment, charge: Order) -> bool:
    """Return whether a unit may charge from where it stands."""
    assert charge.unit is not None
    assert charge.target is not None
    return may_charge(moment, charge.unit, charge.target) is None


def _most_dice(moment: Moment, unit: int) -> int:
    """Return the dice of a blow with all members of a unit in reach."""
    return sum(attempt_of(moment, part, "close combat").dice for part in parts_of(moment, unit))


def _parties(scene: _RehearsedBattle, unit: int, target: int) -> list[int]:
    """Return the units that an attack concerns: the two, and all that harm or are harmed."""
    return sorted({unit, target, *(one for pair in scene.harm for one in pair)})


@dataclass(slots=True)
class _RehearsedBattle:
    """A copy of the battle for a rehearsal, and the harm done in it.

    harm : by attacker and subject, the heads of both
    dice : by unit, how many its checks to hit have rolled
    """

    battle: Battle
    harm: dict[tuple[int, int], ExpectedHarm] = field(default_factory=dict)
    dice: dict[int, int] = field(default_factory=dict)
    fell_short: bool = False

    def play(self, procedure: Procedure[None]) -> None:
        """Play a procedure with average dice, and count the harm."""
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
    """Dice whose faces are spread as evenly as can be, so that each check goes as on average."""

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return one face from the middle of each of *count* equal shares of the die."""
        del why
        return tuple((2 * place + 1) * sides // (2 * count) + 1 for place in range(count))


def _answer(moment: Moment, decision: Decision) -> Order:
    """Return the cheaper answer to a push; for any other decision the first option."""
    if decision.asks == pushed.ASKS:
        return pushed.choice(moment, decision)
    return decision.options[0]


def _harm_of(moment: Moment, event: Event) -> Iterator[tuple[int, int, ExpectedHarm]]:
    """Yield attacker, subject and harm of an event."""
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
    """Return the successes that a check has on average."""
    if facts.faces is None and facts.counts is None:
        return facts.successes
    return float(expected_successes(facts.dice, facts.modifier))


def _answers(battle: Battle, unit: int, *, due: bool) -> Procedure[None]:
    """Play the blows of the enemies that engage a unit, if they can strike.

    due : by enemies that have yet to act in this step; otherwise by all that will act after it
    """
    for foe in engaged_by(battle, unit):
        if _is_due(battle, foe) is not due or is_compelled(battle, foe):
            continue
        battle.suppose(_refreshed(battle, foe))
        if may_act_on_orders(battle, foe) is None and melee_orders.may_strike(battle, foe) is None:
            order = Order(verb="close-combat", unit=foe)
            yield from close_combat.close_combat(battle, foe, order)


def _is_due(moment: Moment, unit: int) -> bool:
    """Return whether a unit has yet to act in this step."""
    units = moment.state.units
    step = moment.state.battle.integer("step", 0)
    return not units.value("activated", unit) and units.integer("timing", unit) >= step


def _refreshed(moment: Moment, unit: int) -> tuple[Set, ...]:
    """Return the changes by which a unit has its actions again, as when it is next activated."""
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
    """Return the enemy that an attack is at: the one named, or the hardest hit; None for none."""
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
    """Return the worth of a unit after the attack, by losses in fractions and morale as played."""
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
    """Return the battle after its step is resolved without further acts, as far as units go."""
    if not _are_pending(moment, units):
        return moment
    scene = _RehearsedBattle(moment.fork())
    scene.play(_resolution(scene.battle, units))
    return scene.battle


def _are_pending(moment: Moment, units: Sequence[int]) -> bool:
    """Return whether hits or pushes on any of some units have yet to take effect."""
    hits, pushes = moment.state.lists["marker"], moment.state.lists["push"]
    struck = (head_of(moment, subject) for subject in hits.ints("subject").tolist())
    return any(one in units for one in (*struck, *pushes.ints("subject").tolist()))
