"""Emlia, chapters 18.2 and 22 as play: who controls what, and how the battle ends.

Holds `emlia.control` and `emlia.scenario`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapely import Polygon

from emlia3d.battle.result import Result
from emlia3d.battle.setup import Aim
from emlia3d.rules.emlia.morale import RETREATS
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.mixed import on_field
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

LEVELS = ("minor victory", "victory", "major victory", "massacre")


@rule("emlia.control.controlled", "emlia.control.contested", "emlia.control.presence")
def controllers(battle: Battle, area: Polygon) -> tuple[int, ...]:
    """The sides that control an area: each has a unit in it, and none of its enemies has.

    Several only where they are allies. A unit of whatever morale is in an area if its boundary
    meets it; control is not remembered.
    """
    lie, units = lie_of(battle), battle.state.units
    present = {
        units.integer("side", unit)
        for unit in on_field(battle)
        if lie.outline(unit).intersects(area)
    }
    return tuple(
        side
        for side in sorted(present)
        if not any(battle.setup.hostile(side, other) for other in present)
    )


def holds(battle: Battle, aim: Aim) -> bool:
    """Whether what an aim asks for is so now."""
    side = battle.setup.side_of(aim.side)
    area = None if aim.controls is None else battle.setup.area(aim.controls)
    if area is not None and side not in controllers(battle, area):
        return False
    return aim.gone is None or is_gone(battle, aim.gone)


@rule("emlia.scenario.end-conditions.entity-gone")
def is_gone(battle: Battle, name: str) -> bool:
    """Whether a side has no unit left that is fit to fight, or a unit is off the field.

    A unit of a side that retreats or is routed fights no more.
    """
    setup, units = battle.setup, battle.state.units
    sides = [row for row, side in enumerate(setup.sides) if side.name == name]
    if not sides:
        return not units.value("present", setup.unit_of(name))
    return not any(
        units.integer("side", unit) == sides[0] and units.integer("morale", unit) > RETREATS
        for unit in on_field(battle)
    )


@rule("emlia.scenario.end-conditions.after-turn", "emlia.scenario.victory")
@rule("emlia.castle.precedence")
def decided(battle: Battle) -> Result | None:
    """How the battle stands at a turn's end: over if an aim that ends it holds, or time is up.

    An aim may want to hold at several turn ends running. Each side gets its best level, and the
    higher level wins; equal levels are a draw.
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
        deeds.append(f"{aim.controls} is in the hands of {aim.side}")
    if aim.gone:
        deeds.append(f"nothing of {aim.gone} is left that can fight")
    told = " and ".join(deeds) or f"all is as {aim.side} would have it"
    return f"{told[0].upper()}{told[1:]} at the end of turn {turn}."
