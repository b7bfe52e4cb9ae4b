"""What comes of each kind of order in the middle of a battle, and of each morale, as text.

Every unit is tried in a copy of the battle, as if it had just been activated. Its order is carried
out, and the step is resolved.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator

from emlia3d.battle import events as recorded
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.flow import driven
from emlia3d.force import Formation
from emlia3d.rules.emlia.play.acting import declaring
from emlia3d.rules.emlia.play.situation.parts import head_of, leading_part
from emlia3d.rules.emlia.play.turn import activation, phase

MORALES = {"falling back": -1, "retreating": -4, "routed": -7}
"""The highest morale at which a unit has to go back, by the name of its state."""


class Taking:
    """Answers each decision with another of the options, one after the other."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, decision: Decision) -> Order:
        """Return the next option."""
        options = [*decision.options]
        self.asked += 1
        return options[self.asked % len(options)]


def digests_of(battle: Battle) -> dict[str, str]:
    """By verb and by morale, a digest of what happens."""
    told = defaultdict[str, list[str]](list)
    for name, line in lines_of(battle):
        told[name].append(line)
    return {
        name: hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]
        for name, lines in sorted(told.items())
    }


def lines_of(battle: Battle) -> Iterator[tuple[str, str]]:
    """Yield each event of each order that is tried, as a line, with its verb."""
    for unit in _units(battle):
        fresh = battle.fork()
        fresh.suppose(activation.begun(fresh, unit).changes)
        orders = [*activation.options_of(fresh, unit), *declaring.orders(fresh, unit)]
        for order in _some_of_each_verb(orders):
            yield from _played(fresh, unit, order.verb, order)
        for name, morale in MORALES.items():
            scene = battle.fork()
            scene.suppose((Set(table="unit", row=unit, column="morale", value=morale),))
            scene.suppose(activation.begun(scene, unit).changes)
            yield from _played(scene, unit, name)


def _units(battle: Battle) -> list[int]:
    units = battle.state.units
    present = [row for row in range(len(units)) if units.value("present", row)]
    return [row for row in present if head_of(battle, row) == row]


def _some_of_each_verb(orders: list[Order]) -> Iterator[Order]:
    """Yield the first and the last order of each verb."""
    by_verb = defaultdict[str, list[Order]](list)
    for order in orders:
        by_verb[order.verb].append(order)
    for same in by_verb.values():
        yield from dict.fromkeys((same[0], same[-1]))


def _played(
    before: Battle, unit: int, name: str, order: Order | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the events of an order, or without one of what its morale makes a unit do."""
    scene = before.fork()
    scene.dice = SeededDice(scene.seed, unit)
    for event in driven(_to_the_end(scene, unit, order), Taking()):
        yield name, json.dumps(recorded.to_json(event))
        scene.happen(event)


def _to_the_end(battle: Battle, unit: int, order: Order | None) -> Procedure[None]:
    """The order or what is done without one, the end of the activation, and the resolution."""
    voice = leading_part(battle, unit)
    if order is None:
        yield from activation.obey(battle, unit)
    elif order.verb == declaring.DECLARE:
        assert order.number is not None
        yield declaring.declared(battle, unit, Formation(order.number))
    else:
        yield from activation.carry_out(battle, unit, order)
    # It may have joined another unit, or have split its own.
    unit = head_of(battle, voice)
    if battle.state.units.value("present", unit):
        yield activation.ended(battle, unit)
    yield from phase.resolve(battle)
    yield from phase.settle_turn(battle)
