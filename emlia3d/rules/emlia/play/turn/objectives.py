"""Emlia, chapters 18.2 and 22 as play: who controls what, and how the battle ends.

Holds `emlia.control` and `emlia.scenario`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event
from emlia3d.battle.result import Result
from emlia3d.battle.setup import Outline, Setup, VictoryCondition
from emlia3d.force.roster import FigureCondition
from emlia3d.rulekit.english import articled, is_plural, listed, sentence, side
from emlia3d.rules.emlia.basics.victories import LEVELS
from emlia3d.rules.emlia.events.turn import Captured
from emlia3d.rules.emlia.play.combat.scheduled_events import is_due
from emlia3d.rules.emlia.play.morale.leading import withdrawn
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.parts import members_of_all, on_field
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import RETREATS, ROUTS
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@rule("emlia.control.controlled", "emlia.control.contested", "emlia.control.presence")
def controllers(moment: Moment, area: Outline) -> tuple[int, ...]:
    """Return the sides that control an area: each has a unit in it, and none of its enemies has.

    Several only where they are allies. A unit of whatever morale is in an area if its boundary
    meets it; control is not remembered.
    """
    situation, units = situation_of(moment), moment.state.units
    present = {
        units.integer("side", unit)
        for unit in on_field(moment)
        if situation.outline(unit).intersects(area)
    }
    return tuple(
        side
        for side in sorted(present)
        if not any(moment.setup.hostile(side, other) for other in present)
    )


@rule(
    "emlia.castle.attacker-victory",
    "emlia.castle.defender-victory",
    "emlia.castle.defender-victory.d-major",
)
def holds(moment: Moment, aim: VictoryCondition) -> bool:
    """Return whether what an aim asks for is so now, as a turn ends."""
    return moment.state.turn > aim.after and is_held(moment, aim) and is_undone(moment, aim)


@rule("emlia.scenario.end-conditions.held-or-lost", "emlia.castle.attacker-victory.a-major")
@rule("emlia.castle.attacker-victory.a-walls")
def is_held(moment: Moment, aim: VictoryCondition) -> bool:
    """Return whether the areas that an aim names are in the hands that it wants."""
    setup = moment.setup
    side = setup.side_of(aim.side)
    if any(side not in controllers(moment, setup.area(name)) for name in aim.controls):
        return False
    if any(_is_with_enemies(moment, side, name) for name in aim.denied):
        return False
    if not all(_is_with_enemies(moment, side, name) for name in aim.conceded):
        return False
    if any(_members_in(moment, [name]) for name in aim.unguarded):
        return False
    if aim.outnumbers is None:
        return True
    mine = _members_in(moment, aim.controls)
    theirs = _members_in(moment, [aim.outnumbers])
    enemies = sum(count for other, count in theirs.items() if setup.hostile(side, other))
    return mine[side] > enemies


@rule("emlia.castle.defender-victory.d-courtyard", "emlia.castle.defender-victory.d-minor")
def _is_with_enemies(moment: Moment, side: int, name: str) -> bool:
    """Return whether enemies of a side control an area."""
    setup = moment.setup
    return any(setup.hostile(side, holder) for holder in controllers(moment, setup.area(name)))


@rule("emlia.castle.attacker-victory.a-gate-courtyard")
def _members_in(moment: Moment, names: Sequence[str]) -> Counter[int]:
    """Return how many members of each side are in any of these areas, by whole units."""
    situation, found = situation_of(moment), Counter[int]()
    areas = [moment.setup.area(name) for name in names]
    for unit in on_field(moment):
        if any(situation.outline(unit).intersects(area) for area in areas):
            found[moment.state.units.integer("side", unit)] += members_of_all(moment, unit)
    return found


def is_undone(moment: Moment, aim: VictoryCondition) -> bool:
    """Return whether the units that an aim names are destroyed, driven off or lost."""
    tests = (
        (aim.gone, is_gone),
        (aim.destroyed, is_destroyed),
        (aim.cleared, is_cleared),
        (aim.lost, is_lost),
    )
    return all(name is None or test(moment, name) for name, test in tests)


@rule("emlia.scenario.end-conditions.entity-gone")
def is_gone(moment: Moment, name: str) -> bool:
    """Return whether a side has no unit fit to fight, or a unit and its parts are off the field.

    Retreating and routed units of a side are not fit.
    """
    setup, units = moment.setup, moment.state.units
    sides = [row for row, side in enumerate(setup.sides) if side.name == name]
    if not sides:
        return not any(
            units.value("present", unit) or is_due(moment, unit) for unit in _bodies(moment, name)
        )
    return not _is_expected(moment, sides[0]) and not any(
        units.integer("side", unit) == sides[0] and units.integer("morale", unit) > RETREATS
        for unit in on_field(moment)
    )


@rule("emlia.castle.attacker-victory.a-massacre")
def is_destroyed(moment: Moment, name: str) -> bool:
    """Return whether a side or unit is destroyed; units that left the field are not."""
    setup, units = moment.setup, moment.state.units
    sides = [row for row, side in enumerate(setup.sides) if side.name == name]
    if sides:
        rows = [unit for unit in range(len(units)) if units.integer("side", unit) == sides[0]]
    else:
        head = setup.unit_of(name)
        whole = [head, *(units.ints("parent") == head).nonzero()[0].tolist()]
        rows = [body for row in whole for body in setup.bodies_of(row)]
    mine = np.isin(moment.state.figures["unit"], rows)
    return bool((moment.state.figures["condition"][mine] == FigureCondition.FALLEN).all())


def _bodies(moment: Moment, name: str) -> tuple[int, ...]:
    """Return the rows of a unit and of the parts into which it may have been split."""
    return moment.setup.bodies_of(moment.setup.unit_of(name))


@rule("emlia.castle.defender-victory.d-massacre")
def is_cleared(moment: Moment, name: str) -> bool:
    """Return whether no unit of a side is on the field any more."""
    side, units = moment.setup.side_of(name), moment.state.units
    return not _is_expected(moment, side) and not any(
        units.integer("side", unit) == side for unit in on_field(moment)
    )


def _is_expected(moment: Moment, side: int) -> bool:
    """Return whether any unit of a side has still to come."""
    units = moment.state.units
    return any(
        units.integer("side", unit) == side and is_due(moment, unit) for unit in range(len(units))
    )


@rule("emlia.scenario.end-conditions.leader-lost")
def is_lost(moment: Moment, name: str) -> bool:
    """Return whether a character has been destroyed or captured."""
    captured = moment.state.units["captured"]
    return any(captured[unit] for unit in _bodies(moment, name)) or is_destroyed(moment, name)


def captures(moment: Moment) -> Iterator[Event]:
    """Yield the capture of units that an aim names: the last of a unit, engaged and routed."""
    units = moment.state.units
    wanted = dict.fromkeys(aim.lost for aim in moment.setup.aims if aim.lost is not None)
    for name in wanted:
        there = [unit for unit in _bodies(moment, name) if units.value("present", unit)]
        if sum(members_of_all(moment, unit) for unit in there) != 1:
            continue
        (unit,) = there
        captors = engaged_by(moment, unit)
        if captors and units.integer("morale", unit) <= ROUTS:
            yield Event(
                facts=Captured(),
                unit=unit,
                target=captors[0],
                gesture="vanish",
                because=("emlia.scenario.end-conditions.leader-lost",),
                changes=(
                    Set(table="unit", row=unit, column="captured", value=1),
                    *withdrawn(moment, unit),
                ),
            )


@rule("emlia.scenario.end-conditions", "emlia.scenario.end-conditions.after-turn")
@rule("emlia.castle.time")
def decided(moment: Moment) -> Result | None:
    """Return the result at a turn's end, if an aim that ends the battle holds or time is up.

    An aim may have to hold at several turn ends in a row. Each side gets its best level, and the
    higher level wins; equal levels are a draw.
    """
    over = moment.state.turn >= moment.setup.turns
    met = [row for row in range(len(moment.setup.aims)) if _met(moment, row)]
    if not over and not any(moment.setup.aims[row].ends for row in met):
        return None
    return result_of(moment, [moment.setup.aims[row] for row in met])


_CASTLE: Mapping[tuple[tuple[str, ...], ...], str] = {
    (("gate", "courtyard"), (), (), ()): "attacker-victory.a-gate-courtyard",
    (("courtyard",), (), (), ("gate",)): "attacker-victory.a-gate-courtyard",
    (("walls",), (), (), ()): "attacker-victory.a-walls",
    (("courtyard",), ("walls",), (), ()): "defender-victory.d-courtyard",
    (("walls",), (), ("courtyard",), ()): "defender-victory.d-minor",
}
"""Rows of the book's castle, by the areas that an aim controls, denies, concedes and leaves."""


def _castle_row(aim: VictoryCondition) -> tuple[str, ...]:
    """Return the slug of the row of the book's castle that an aim is; none for any other."""
    row = _CASTLE.get((aim.controls, aim.denied, aim.conceded, aim.unguarded))
    return () if row is None else (f"emlia.castle.{row}",)


def ending(moment: Moment) -> tuple[str, ...]:
    """Return the rules by which a battle is over, and by which its victory counts."""
    because, setup = ["emlia.scenario.end-conditions"], moment.setup
    met = [aim for row, aim in enumerate(setup.aims) if _met(moment, row)]
    if moment.state.turn >= setup.turns:
        because.append("emlia.scenario.end-conditions.after-turn")
    for aim in met:
        places = (*aim.controls, *aim.denied, *aim.conceded, *aim.unguarded)
        held = places and (aim.turns > 1 or aim.after or aim.ends)
        because += ["emlia.scenario.end-conditions.held-or-lost"] if held else []
        gone = {aim.gone, aim.destroyed, aim.cleared} - {None}
        because += ["emlia.scenario.end-conditions.entity-gone"] if gone else []
        because += ["emlia.scenario.end-conditions.leader-lost"] if aim.lost else []
        because += _castle_row(aim)
    because += ["emlia.scenario.victory"] if met else []
    return tuple(dict.fromkeys(because))


def control_because(moment: Moment) -> tuple[str, ...]:
    """Return whether areas that aims ask about are controlled, and whether any is contested."""
    situation, setup = situation_of(moment), moment.setup
    names = dict.fromkeys(
        name for aim in setup.aims for name in (*aim.controls, *aim.denied, *aim.conceded)
    )
    because = dict[str, None]()
    for area in map(setup.area, names):
        if controllers(moment, area):
            because["emlia.control.controlled"] = None
        elif any(situation.outline(unit).intersects(area) for unit in on_field(moment)):
            because["emlia.control.contested"] = None
    return tuple(because)


def _met(moment: Moment, row: int) -> bool:
    """Return whether an aim holds, at as many turn ends running as it wants."""
    aim = moment.setup.aims[row]
    return moment.state.lists["aim"].integer("held", row) >= aim.turns


@rule("emlia.castle.precedence", "emlia.scenario.victory")
def result_of(moment: Moment, met: list[VictoryCondition]) -> Result:
    """Return the result where these aims are met when the battle is over."""
    best: dict[str, VictoryCondition] = {}
    for aim in met:
        if aim.side not in best or LEVELS.index(aim.level) > LEVELS.index(best[aim.side].level):
            best[aim.side] = aim
    ranked = sorted(best.values(), key=lambda aim: -LEVELS.index(aim.level))
    turn = moment.state.turn
    if not ranked:
        none_met = f"No victory condition met by turn {turn}."
        reason = none_met if moment.setup.aims else "The scenario has no victory condition."
        return Result(winner=None, level="draw", reason=reason)
    if len(ranked) > 1 and ranked[0].level == ranked[1].level:
        names = " and ".join(aim.side for aim in ranked[:2])
        return Result(
            winner=None, level="draw", reason=f"{names} reached the same level of victory."
        )
    winner = ranked[0]
    return Result(
        winner=winner.side, level=winner.level, reason=_reason(moment.setup, winner, turn)
    )


def _reason(setup: Setup, aim: VictoryCondition, turn: int) -> str:
    """Return a met victory condition as a sentence.

    It is in the past tense, which is the same for the singular and the plural.
    """
    sides = {one.name for one in setup.sides}

    def enemy(name: str) -> str:
        return side(name) if name in sides and is_plural(name) else articled(name)

    deeds = [f"{aim.side} held {listed(map(articled, aim.controls))}"] if aim.controls else []
    deeds += [f"no enemy held {articled(name)}" for name in aim.denied]
    deeds += [f"an enemy held {articled(name)}" for name in aim.conceded]
    deeds += [f"no unit guarded {articled(name)}" for name in aim.unguarded]
    if aim.outnumbers:
        deeds.append(f"the enemies on {articled(aim.outnumbers)} were outnumbered")
    if aim.gone:
        deeds.append(f"{enemy(aim.gone)} could no longer fight")
    if aim.destroyed:
        deeds.append(f"{enemy(aim.destroyed)} had been destroyed")
    if aim.cleared:
        deeds.append(f"no unit of {enemy(aim.cleared)} was left on the field")
    if aim.lost:
        deeds.append(f"{enemy(aim.lost)} had been killed or captured")
    return sentence(f"{listed(deeds)} at the end of turn {turn}")
