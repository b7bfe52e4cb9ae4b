"""The brigades of each side: the sections of the scenario, or else the units of one role."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from emlia3d.battle.derived import Derived
from emlia3d.force.formation import Formation
from emlia3d.rulekit.commander.from_setup import brigades_by_section
from emlia3d.rulekit.commander.outlook import Brigade
from emlia3d.rules.emlia.play.situation.parts import entry_of
from emlia3d.rules.emlia.unit_sets.roles import RoleName, declared_role

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.setup import Setup


def brigades_of(moment: Moment, side: int) -> tuple[Brigade, ...]:
    """Return the brigades of a side, in the order in which the scenario first names them."""
    return _BRIGADES(moment)[side]


def brigade_names(moment: Moment, side: int) -> tuple[str, ...]:
    """Return the names of a side's brigades, in the same order."""
    return tuple(each.name for each in brigades_of(moment, side))


def _made(moment: Moment) -> tuple[tuple[Brigade, ...], ...]:
    setup = moment.setup
    return tuple(
        brigades_by_section(setup, side, partial(_usual_name, setup))
        for side in range(len(setup.sides))
    )


def _usual_name(setup: Setup, row: int) -> str:
    """Return the name of the brigade of a unit that has no section: shooters in ranks are foot."""
    role = declared_role(entry_of(setup, row))
    loose = setup.units[row].muster.formation is Formation.OPEN
    return _NAMES["fighters" if role == "shooters" and not loose else role]


_BRIGADES = Derived(make=_made)

_NAMES: dict[RoleName, str] = {
    "fighters": "Infantry",
    "shooters": "Light brigade",
    "cavalry": "Cavalry",
    "artillery": "Artillery",
    "leader": "Headquarters",
    "ram": "Infantry",
}
"""Brigades of a side whose units have no sections."""
