"""Emlia asked about a battle of other rules: its facts, measured and mustered as Emlia has them."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import shapely
from shapely import Polygon

from emlia3d.battle.battle import Battle
from emlia3d.battle.facts import BattleFacts, UnitFacts
from emlia3d.battle.formatting import format_value
from emlia3d.battle.questions.answer import SightAnswer
from emlia3d.battle.setup import Setup, UnitSetup
from emlia3d.field import Scale, snapped
from emlia3d.force import FORMATIONS, FormationLayout, Troops, UnitDeployment
from emlia3d.force.formation import centre
from emlia3d.rules.emlia.basics.numbers import HouseNumbers
from emlia3d.rules.emlia.play.questions.answer import answer
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

if TYPE_CHECKING:
    from emlia3d.battle.system import System

SCALE = Scale()
"""1 GSU and 1 height unit in metres, if an Emlia scenario does not say."""


def answer_abroad(
    system: System, facts: BattleFacts, observer: int, target: int, damage: int
) -> SightAnswer:
    """Return Emlia's answer for two units of another system's battle; rows of the facts' units."""
    battle = battle_abroad(system, facts)
    setup = battle.setup
    found = answer(battle, observer, target, damage)
    taken = " and ".join(
        f"{unit.name} as {_members(unit)} of size {format_value(_entry(setup, row).size)} and "
        f"height {format_value(_entry(setup, row).height)}"
        for row, unit in enumerate(setup.units)
        if row in {observer, target}
    )
    told = (
        f"This is a battle of {facts.rules}: its lengths and heights are converted by metres, "
        f"{format_value(SCALE.metres_per_gsu)} m for a GSU and "
        f"{format_value(SCALE.metres_per_height)} m for a height unit, and each unit "
        f"is represented by its visible size, {taken}."
    )
    return dataclasses.replace(found, text=f"{found.text} {told}")


def battle_abroad(system: System, facts: BattleFacts) -> Battle:
    """Return another system's battle as one of Emlia, before its first turn."""
    return Battle(mustered(facts), system, seed=0)


def mustered(facts: BattleFacts) -> Setup:
    """Return the battle as Emlia would muster it: places and heights by metres, sizes by height."""
    return Setup(
        title=facts.title,
        rules="emlia",
        turns=1,
        field=facts.field.measured_by(SCALE),
        sides=facts.sides,
        units=tuple(_unit(unit, facts.field.scale) for unit in facts.units),
        numbers=HouseNumbers(),
    )


def size_of(height: float) -> float:
    """Return the size of a body of this height: a height of 1 is size 1, and size is volume."""
    volume = height**3
    if volume >= 1:
        return float(round(volume))
    return float(2.0 ** round(math.log2(volume)))


def _unit(unit: UnitFacts, scale: Scale) -> UnitSetup:
    wider = scale.metres_per_gsu / SCALE.metres_per_gsu
    higher = scale.metres_per_height / SCALE.metres_per_height
    drill = dataclasses.replace(
        unit.drill, width=unit.drill.width * wider, depth=unit.drill.depth * wider
    )
    height = unit.height * higher
    entry = Entry.model_validate(
        {
            "name": unit.name,
            "size": size_of(height),
            "height": height,
            "members": drill.count,
            "files": min(drill.files, drill.count),
            "formation": FORMATIONS[drill.formation],
        }
    )
    outline = None
    if unit.drawn:
        outline = Polygon(snapped((shapely.get_coordinates(unit.outline) * wider).tolist()))
    return UnitSetup(
        muster=_muster(unit, drill, wider, higher), entry=entry, kind="", outline=outline
    )


def _muster(unit: UnitFacts, drill: FormationLayout, wider: float, higher: float) -> UnitDeployment:
    x, y = (place * wider for place in unit.pose)
    return UnitDeployment(
        name=unit.name,
        side=unit.side,
        troops=Troops(model="warrior", width=drill.width, depth=drill.depth),
        members=drill.count,
        at=centre(drill, x, y, unit.facing),
        facing=unit.facing,
        formation=drill.formation,
        files=min(drill.files, drill.count),
        on_height=unit.on_height * higher,
    )


def _entry(setup: Setup, row: int) -> Entry:
    entry = setup.units[row].entry
    assert isinstance(entry, Entry)
    return entry


def _members(unit: UnitSetup) -> str:
    count = unit.muster.members
    return "one" if count == 1 else f"{count}"
