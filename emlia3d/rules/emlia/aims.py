"""Emlia, chapters 18.2 and 22 as play: who controls what, and how the battle ends.

Holds `emlia.control` and `emlia.scenario`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapely import Polygon

from emlia3d.battle.result import Result
from emlia3d.battle.setup import Aim
from emlia3d.rules.emlia.lie import lie_of
from emlia3d.rules.emlia.morale import RETREATS
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

LEVELS = ("minor victory", "victory", "major victory", "massacre")


@rule("emlia.control.controlled", "emlia.control.contested", "emlia.control.presence")
def controller(battle: Battle, area: Polygon) -> int | None:
    """The side that controls an area: it has a unit in it and no enemy has; None if nobody does.

    A unit is in an area if its boundary meets it. Control is not remembered.
    """
    lie, units = lie_of(battle), battle.state.units
    present = {
        units.integer("side", unit)
        for unit in range(len(units))
        if units.value("present", unit) and lie.outline(unit).intersects(area)
    }
    for side in sorted(present):
        if not any(battle.setup.hostile(side, other) for other in present):
            return side
    return None


def holds(battle: Battle, aim: Aim) -> bool:
    """Whether what an aim asks for is so now."""
    side = battle.setup.side_of(aim.side)
    if aim.controls is not None and controller(battle, battle.setup.area(aim.controls)) != side:
        return False
    return aim.gone is None or is_gone(battle, aim.gone)


def is_gone(battle: Battle, name: str) -> bool:
    """Whether a side has no unit left that is fit to fight, or a unit is off the field.

    A unit that retreats or is routed, or whose lines are behind it for good, fights no more.
    """
    setup, units = battle.setup, battle.state.units
    sides = [row for row, side in enumerate(setup.sides) if side.name == name]
    if not sides:
        return not units.value("present", setup.unit_of(name))
    return not any(
        units.integer("side", unit) == sides[0]
        and units.value("present", unit)
        and units.integer("morale", unit) > RETREATS
        for unit in range(len(units))
    )


@rule("emlia.scenario.end-conditions", "emlia.scenario.victory")
@rule("emlia.scenario.end-conditions.after-turn", "emlia.scenario.end-conditions.held-or-lost")
@rule("emlia.castle.precedence")
def decided(battle: Battle) -> Result | None:
    """How the battle stands at a turn's end: over if an aim that ends it holds, or time is up.

    Each side gets its best level, and the higher level wins; equal levels are a draw.
    """
    over = battle.state.turn >= battle.setup.turns
    met = [row for row in range(len(battle.setup.aims)) if _met(battle, row)]
    if not over and not any(battle.setup.aims[row].ends for row in met):
        return None
    return result_of(battle, [battle.setup.aims[row] for row in met])


def _met(battle: Battle, row: int) -> bool:
    """Whether an aim holds, at as many turn ends running as it wants."""
    aim = battle.setup.aims[row]
    return battle.state.lists["aim"].integer("held", row) >= aim.turns


def result_of(battle: Battle, met: list[Aim]) -> Result:
    """The result where these aims are met when the battle is over."""
    best: dict[str, Aim] = {}
    for aim in met:
        if aim.side not in best or LEVELS.index(aim.level) > LEVELS.index(best[aim.side].level):
            best[aim.side] = aim
    ranked = sorted(best.values(), key=lambda aim: -LEVELS.index(aim.level))
    turn = battle.state.turn
    if not ranked:
        return Result(winner=None, level="draw", reason=f"Nobody had his way after turn {turn}.")
    if len(ranked) > 1 and ranked[0].level == ranked[1].level:
        names = " and ".join(aim.side for aim in ranked[:2])
        return Result(winner=None, level="draw", reason=f"{names} did equally well.")
    winner = ranked[0]
    return Result(winner=winner.side, level=winner.level, reason=_reason(winner, turn))


def _reason(aim: Aim, turn: int) -> str:
    deeds = []
    if aim.controls:
        deeds.append(f"holds {aim.controls}")
    if aim.gone:
        deeds.append(f"has left nothing of {aim.gone} fit to fight")
    return f"{aim.side} {' and '.join(deeds) or 'has its way'} at the end of turn {turn}."
