"""The adapter of Oathmark for the commander: unit profiles, worth of attacks, and moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from math import hypot

from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Decision, LazyOptions, Order
from emlia3d.battle.moment import Moment
from emlia3d.force.facing import FULL_CIRCLE, facing_towards, turn_between
from emlia3d.rulekit.commander.adapter import Adapter, Attack
from emlia3d.rulekit.commander.from_setup import outlook_of
from emlia3d.rulekit.commander.outlook import Brigade, Outlook
from emlia3d.rulekit.commander.plan import Mission
from emlia3d.rulekit.commander.rehearse import Until
from emlia3d.rulekit.commander.slots import Slot
from emlia3d.rulekit.commander.unit_profile import UnitProfile, standing
from emlia3d.rules.oathmark.actions import TURNS, Actions
from emlia3d.rules.oathmark.activation import Activity
from emlia3d.rules.oathmark.blocks import Block, blocks_of, entry_of
from emlia3d.rules.oathmark.brigades import brigades_of, points_left, role_of
from emlia3d.rules.oathmark.combat import BlockAttack as Assault
from emlia3d.rules.oathmark.combat import attack_on
from emlia3d.rules.oathmark.core import INCH, BlockSide, mm
from emlia3d.rules.oathmark.odds import gain_of_attack, gain_of_shot
from emlia3d.rules.oathmark.shooting import Aim, maximum_range

_DISCOUNT = 0.75
"""Worth of an attack a turn later, relative to its worth now."""

_SOON = 0.5
"""Worth of points that attacks can take soon, relative to points taken."""

_QUARTER = FULL_CIRCLE // 4

_NEAR = 0.3 * INCH
"""Maximum distance from its slot at which a unit stays, mm."""


class OathmarkSide(Adapter):
    """One side of Oathmark."""

    scale = 30 / mm(6)

    @property
    @override
    def brigades(self) -> tuple[Brigade, ...]:
        return brigades_of(self.moment, self.side)

    @override
    def see(self) -> Outlook:
        bodies = [self._body(row) for row in blocks_of(self.moment).of]
        return outlook_of(
            self.moment, self.side, self.brigades, bodies, personality=self.personality
        )

    def _body(self, unit: int) -> UnitProfile:
        entry = entry_of(self.moment.setup, unit)
        bands = (mm(maximum_range(entry.weapon)),) if entry.weapon else ()
        return standing(
            self.moment,
            unit,
            role=role_of(self.moment, unit),
            speed=mm(entry.move),
            reach=mm(entry.move) * 1.5,
            bands=bands,
            worth=points_left(self.moment, unit),
            is_fit=not self.moment.state.units.value("disordered", unit),
        )

    @cached_property
    def _blocks(self) -> dict[int, Block]:
        return blocks_of(self.moment).of

    @cached_property
    def _gains(self) -> dict[tuple[int, int, BlockSide, bool], float]:
        return {}

    @override
    def answer(self, decision: Decision) -> Order | None:
        if decision.asks == "oathmark.activation.nominate":
            return self._nominated(decision)
        if decision.asks == "oathmark.battle.table":
            return decision.options[0]
        if decision.asks == "oathmark.combat.pushback":
            return self._parting(decision)
        return None

    def _nominated(self, decision: Decision) -> Order:
        """Activate the unit with the best attack, or else the one nearest to an enemy."""

        def rank(order: Order) -> tuple[float, float, int]:
            assert order.unit is not None
            best = max((found.worth for found in self._attacks(order.unit)), default=0.0)
            gaps = blocks_of(self.moment).gaps(self._blocks[order.unit])
            foes = blocks_of(self.moment).enemies(order.unit)
            return -max(best, 0.0), min(gaps[foe] for foe in foes), order.unit

        if len(decision.options) == 1:
            return decision.options[0]
        best = min(decision.options, key=rank)
        worth = -rank(best)[0]
        return replace(best, why=f"can take {worth:.0f} points" if worth else "is nearest")

    def _parting(self, decision: Decision) -> Order:
        """Push a strong enemy far away, and keep a weak one near."""
        assert decision.unit is not None
        foe = decision.options[0].target
        pushes = decision.of("push back")
        if foe is None or not pushes:
            return decision.options[0]
        gain = self._gain(decision.unit, foe, BlockSide.FRONT)
        wish = 1 if gain > 0 else 6
        return next(order for order in pushes if order.number == wish)

    # Attacks

    @override
    def attacks(self, decision: Decision) -> Iterator[Attack]:
        unit, actions = decision.unit, decision.validator
        assert unit is not None
        if isinstance(actions, Actions):
            yield from self._attacks(unit, actions.activity)

    def _attacks(self, unit: int, activity: Activity | None = None) -> Iterator[Attack]:
        """Yield the attacks and shots of a unit, each with its worth."""
        activity = Activity(full=True) if activity is None else activity
        names = self.moment.setup.units
        actions = Actions(self.moment, unit, activity)
        for foe, far, _ in actions.attacks():
            gain = gain_of_attack(self.moment, attack_on(self.moment, unit, foe, far), self._fear)
            why = f"attacks {names[foe].name}: {gain:+.0f} points expected"
            order = Order(verb="attack", unit=unit, target=foe, why=why)
            yield Attack(order=order, worth=gain, closes=True)
        for aim in actions.aims():
            gain = gain_of_shot(self.moment, unit, aim, activity.actions)
            why = f"shoots at {names[aim.target].name}: {gain:.0f} points expected"
            yield Attack(
                order=Order(verb="shoot", unit=unit, target=aim.target, why=why), worth=gain
            )

    @property
    def _fear(self) -> float:
        return 0.8 * self.personality.fear

    def _gain(self, unit: int, foe: int, struck: BlockSide) -> float:
        """Return the points that an attack on a facing of an enemy gains."""
        key = unit, foe, struck, True
        if key not in self._gains:
            assault = Assault(
                attacker=unit, defender=foe, struck=struck, moved=2 * INCH, over_works=False
            )
            self._gains[key] = gain_of_attack(self.moment, assault, self._fear)
        return self._gains[key]

    # Moves

    @override
    def to_slot(self, decision: Decision, slot: Slot, why: str) -> Order | None:
        unit = decision.unit
        assert unit is not None

        def off(block: Block) -> float:
            turn = abs(turn_between(block.facing, slot.facing)) / _QUARTER
            return hypot(block.x - slot.x, block.y - slot.y) + turn * 2 * INCH

        return self._best(decision, lambda block: -off(block), why, _NEAR)

    @override
    def to_post(self, decision: Decision, mission: Mission | None) -> Order | None:
        unit = decision.unit
        assert unit is not None
        foes = blocks_of(self.moment).enemies(unit)
        if not foes or self.outlook.holds:
            return None
        return self._best(
            decision, lambda block: self._prospect(unit, block), "for a better position", 0.5
        )

    def _best(
        self, decision: Decision, score: Callable[[Block], float], why: str, least: float
    ) -> Order | None:
        """Return the move or manoeuvre with the best score, if it is better than to stay."""
        assert isinstance(decision.validator, Actions)
        unit, actions = decision.unit, decision.validator
        assert unit is not None
        here, best, found = score(self._blocks[unit]), least, None
        for order in ways_of(decision):
            gain = score(self._ends_at(actions, order)) - here
            if gain > best:
                best, found = gain, order
        return None if found is None else replace(found, why=why)

    @override
    def rest(self, decision: Decision) -> Order:
        return next(decision.each("stop"), decision.options[0])

    def _ends_at(self, actions: Actions, order: Order) -> Block:
        turned = None if order.verb == "move" else actions.turned(order)
        if turned is not None:
            return turned
        (leg,) = order.legs
        assert order.unit is not None
        return replace(self._blocks[order.unit], x=leg.x, y=leg.y)

    def _prospect(self, unit: int, block: Block) -> float:
        """Return the points that a unit can gain later from a position, minus those it can lose."""
        foes = blocks_of(self.moment).enemies(unit)
        hopes = [self._hope(unit, block, foe) for foe in foes]
        hopes += [self._aimed(unit, block, foe) for foe in foes]
        threats = sum(sorted(self._threat(unit, block, foe) for foe in foes)[-2:])
        return max(hopes, default=0.0) - threats

    def hopes(self) -> float:
        """Return the points that the side's units can gain from their positions."""
        found = 0.0
        for unit in blocks_of(self.moment).of:
            foes = blocks_of(self.moment).enemies(unit)
            if blocks_of(self.moment).sides[unit] == self.side and foes:
                block = self._blocks[unit]
                hopes = [self._hope(unit, block, foe) for foe in foes]
                found += max(*hopes, *(self._aimed(unit, block, foe) for foe in foes), 0.0)
        return found

    def prospect_of(self, actions: Actions, order: Order) -> float:
        """Return the prospect of a unit at the end of a move or manoeuvre."""
        return self._prospect(actions.unit, self._ends_at(actions, order))

    def _hope(self, unit: int, block: Block, foe: int) -> float:
        """Return the worth of a later attack on an enemy from a position."""
        entry, other = entry_of(self.moment.setup, unit), self._blocks[foe]
        gain = self._gain(unit, foe, other.arc(block.officer))
        turns = max(turns_to_reach(block, other, mm(entry.move)), 1.0)
        if gain <= 0:
            return 0.05 * gain / turns
        return float(gain * _DISCOUNT**turns)

    def _aimed(self, unit: int, block: Block, foe: int) -> float:
        """Return the worth of a later shot at an enemy from a position."""
        entry, other = entry_of(self.moment.setup, unit), self._blocks[foe]
        if entry.weapon is None:
            return 0.0
        side = other.arc(block.officer)
        key = unit, foe, side, False
        if key not in self._gains:
            self._gains[key] = gain_of_shot(self.moment, unit, Aim(foe, side, 0.0), 0)
        gain = self._gains[key]
        x, y = block.officer
        off = hypot(other.centre[0] - x, other.centre[1] - y) - mm(maximum_range(entry.weapon))
        turn = 0.0 if block.arc(other.centre) is BlockSide.FRONT else 0.6
        return float(gain * _DISCOUNT ** (1 + turn + max(off, 0.0) / mm(entry.move)))

    def _threat(self, unit: int, block: Block, foe: int) -> float:
        """Return the points that an enemy can take by an attack on a position."""
        entry, other = entry_of(self.moment.setup, foe), self._blocks[foe]
        turns = turns_to_reach(other, block, mm(entry.move))
        if turns > 1.6:
            return 0.0
        loss = self._gain(foe, unit, block.arc(other.officer))
        return max(loss, 0.0) * (0.6 if turns <= 1 else 0.35)


def ways_of(decision: Decision) -> Iterator[Order]:
    """Yield the moves and manoeuvres among the options of a decision."""
    yield from decision.each("move")
    if isinstance(decision.options, LazyOptions):
        yield from decision.options.of_kind(TURNS)


def turns_to_reach(block: Block, other: Block, move: float) -> float:
    """Return the approximate number of activations that a block needs to attack another."""
    right, ahead = block.offset(other.centre)
    far = max(hypot(right, ahead) - (other.frontage + other.length) / 4, 0.0)
    x, y = other.centre
    turn = abs(turn_between(block.facing, facing_towards(x - block.x, y - block.y)))
    meets = ahead > 0 and abs(right) < (block.frontage + min(other.frontage, other.length)) / 2
    return far / move + (0.0 if meets else 0.3 + 0.5 * (turn / _QUARTER))


# The commander "search": orders that are worth a trial, and the worth of moments


def worth_of(moment: Moment, side: int) -> float:
    """Return the value of a moment for a side: points left, and points that attacks can take soon.

    The enemy's points are subtracted.
    """
    total, sides = 0.0, blocks_of(moment).sides
    for row, owner in enumerate(sides):
        total += points_left(moment, row) if owner == side else -points_left(moment, row)
    last = moment.state.turn >= moment.setup.turns
    for owner in () if last else (0, 1):
        hopes = OathmarkSide(moment, owner).hopes()
        total += _SOON * (hopes if owner == side else -hopes)
    return total


def near_end(battle: Battle) -> Until:
    """Return a function that ends a rehearsal after this activation and the next one."""
    last = battle.state.stretch + 2
    return lambda scene: scene.state.stretch >= last or scene.result is not None


def proposals(decision: Decision, picture: OpenPicture) -> list[Order]:
    """Return the orders that are worth a trial, the best of each kind first."""
    side = OathmarkSide(picture.battle, picture.side)
    unit, actions = decision.unit, decision.validator
    if unit is None or not isinstance(actions, Actions):
        return []
    attacks = sorted(side.attacks(decision), key=lambda attack: -attack.worth)
    moves = sorted(ways_of(decision), key=lambda order: -side.prospect_of(actions, order))
    return [*(attack.order for attack in attacks[:2]), *moves[:2], side.rest(decision)]
