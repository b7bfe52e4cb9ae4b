"""What an attack is worth, found by playing it on a copy of the battle with even dice.

The attack and the resolution of its step are played by the procedures of play: the run, both
alignments, the blow, push, press, free strikes, damage, morale and rout. So no estimate can differ
from the rules. A fork of what the side knows is played on, so nothing hidden is learnt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.decisions import Decision, Order, Procedure, advance
from emlia3d.battle.dice import Faces
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.doctrine.appraisal import hits_for_a_loss
from emlia3d.rules.emlia.doctrine.commander import ANSWERS
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.events.combat import AttackFromAfar, Blow, StruckFree
from emlia3d.rules.emlia.events.engagement import Pressed
from emlia3d.rules.emlia.events.movement import ChargeFellShort
from emlia3d.rules.emlia.play.situation.parts import head_of, members_of_all
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, phase
from emlia3d.rules.emlia.tables.skills import expected_successes

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

_HEART_AT, _HEART_SPAN = -7, 10
"""Morale at which a unit is worth next to nothing, and points from there to its full worth."""

_LEAST_HEART = 0.05
"""The proportion of its worth that a routed unit keeps."""

_DISORDER = 0.8
"""The proportion of its worth that a disordered unit has."""


class EvenDice:
    """Dice that fall evenly: of twelve d12 each shows another face, of one the middle."""

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return the faces in the middles of *count* equal parts of the scale."""
        return tuple((2 * part + 1) * sides // (2 * count) + 1 for part in range(count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What an attack may be expected to bring.

    dice : that the attacker's blow or shot rolls
    blows, press : enemy members lost by its blows or shots, and by pressing
    suffered : members that it loses
    worth : army value that the enemy loses by it beyond what its own side loses
    reaches : a charge reaches its target
    """

    dice: int
    blows: float
    press: float
    suffered: float
    worth: float
    reaches: bool

    def __str__(self) -> str:
        """Return the expectation in words, as a reason."""
        press = f" and {self.press:.1f} by press" if self.press >= 0.1 else ""
        own = f" for {self.suffered:.1f} of its own" if self.suffered >= 0.1 else ""
        return f"{self.blows:.1f} losses expected{press}{own}"


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the rehearsed side knows: everything in the copy."""

    battle: Battle
    side: int
    own: list[int]
    known: list[int]
    missing: bool = False


def worth_of(moment: Moment) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return (units,) what each unit on the field is worth now: army value left, by morale."""
    units = moment.state.units
    entry = situation_of(moment).entry
    values = np.array([entry(row).army_value for row in range(len(units))])
    strength = np.maximum(units.ints("strength"), 1)
    left = units.ints("members") / strength
    heart = np.clip((units.ints("morale") - _HEART_AT) / _HEART_SPAN, _LEAST_HEART, 1.0)
    order = np.where(units["disordered"] != 0, _DISORDER, 1.0)
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = (
        values * left * heart * order * (units["present"] != 0)
    )
    return found


class Rehearsal:
    """Tries attacks of one unit; what happens without them is found once."""

    def __init__(self, mind: Mind, unit: int) -> None:
        self._mind = mind
        self._known = mind.picture.battle
        self._unit = unit
        units = mind.battle.state.units
        sides = units.ints("side")
        side = int(sides[unit])
        hostile = np.array(
            [
                mind.battle.setup.hostile(side, other)
                for other in range(len(mind.battle.setup.sides))
            ]
        )
        self._sign = np.where(hostile[sides], -1.0, np.where(sides == side, 1.0, 0.0))
        self._without: np.ndarray[tuple[int], np.dtype[np.float64]] | None = None

    def of(self, *orders: Order) -> Exchange | None:
        """Return what orders bring, given one after another; None if one is not possible."""
        scene = self._scene()
        events: list[Event] = []
        for order in orders:
            events += self._played(scene, activation.carry_out(scene, self._unit, order))
        events += self._played(scene, phase.resolve(scene))
        return self._exchange(scene, events)

    def _scene(self) -> Battle:
        scene = self._known.fork()
        scene.dice = EvenDice()
        return scene

    def _exchange(self, scene: Battle, events: Sequence[Event]) -> Exchange:
        unit, known = self._unit, self._mind.battle
        dice, blows, press, suffered = 0, 0.0, 0.0, 0.0
        reaches = True
        for event in events:
            facts = event.facts
            if isinstance(facts, ChargeFellShort):
                reaches = False
            if event.unit is None or event.target is None:
                continue
            mine = head_of(known, event.unit) == unit
            if isinstance(facts, Blow | AttackFromAfar):
                target = facts.enemies[0] if isinstance(facts, Blow) else event.target
                harm = self._losses(target, facts.base_damage, facts.dice, facts.modifier, facts)
                if mine:
                    blows += harm
                    dice = dice if isinstance(facts, StruckFree) else dice + facts.dice
                elif unit in (facts.enemies if isinstance(facts, Blow) else (event.target,)):
                    suffered += harm
            elif isinstance(facts, Pressed):
                needed = hits_for_a_loss(situation_of(known).entry(event.target), facts.base_damage)
                harm = min(facts.hits / needed, members_of_all(known, event.target))
                if mine:
                    press += harm
                elif event.target == unit:
                    suffered += harm
        worth = float(((worth_of(scene) - self._base()) * self._sign).sum())
        return Exchange(
            dice=dice, blows=blows, press=press, suffered=suffered, worth=worth, reaches=reaches
        )

    def _losses(
        self, target: int, base_damage: int, dice: int, modifier: int, facts: Blow | AttackFromAfar
    ) -> float:
        known = self._mind.battle
        automatic = facts.faces is None and facts.counts is None
        hits = float(dice if automatic else expected_successes(dice, modifier))
        needed = hits_for_a_loss(situation_of(known).entry(target), base_damage)
        return min(hits / needed, float(members_of_all(known, head_of(known, target))))

    def _base(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return what each unit is worth after this step without the attack."""
        if self._without is None:
            scene = self._scene()
            for _ in self._played(scene, phase.resolve(scene)):
                pass
            self._without = worth_of(scene)
        return self._without

    def _played(self, scene: Battle, procedure: Procedure[None]) -> Iterator[Event]:
        """Play a procedure on the copy; both sides answer as a commander would."""
        answer: Order | None = None
        while True:
            try:
                said = advance(procedure, answer)
            except StopIteration:
                return
            answer = None
            if isinstance(said, Event):
                scene.happen(said)
                yield said
            else:
                answer = self._answer(scene, said)

    def _answer(self, scene: Battle, decision: Decision) -> Order:
        answers = ANSWERS.get(decision.asks)
        if answers is None:
            return decision.options[0]
        sides = scene.state.units.ints("side").tolist()
        present = [
            u
            for u in range(len(sides))
            if scene.state.units.value("present", u) and scene.state.units.integer("parent", u) < 0
        ]
        own = [u for u in present if sides[u] == decision.side]
        foes = [u for u in present if scene.setup.hostile(decision.side, sides[u])]
        mind = Mind(_Seen(scene, decision.side, own, foes), self._mind.manner)  # type: ignore[arg-type]
        return answers(mind, decision)
