"""Conversion of battles of other rules for a rule system that answers questions about them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from emlia3d.battle.battle import Battle
from emlia3d.battle.facts import BattleFacts, UnitFacts
from emlia3d.battle.setup import Setup, UnitSetup
from emlia3d.battle.system import System
from emlia3d.field import Field, Scale
from emlia3d.force import Formation, UnitDeployment
from emlia3d.force.formation import snapped
from emlia3d.force.roster import Troops


class _Mustered(Protocol):
    """An entry of a unit set."""

    @property
    def formation(self) -> str: ...
    def troops(self, scale: Scale) -> Troops: ...


def mustered(
    unit: UnitFacts,
    entry: _Mustered,
    field: Field,
    at: tuple[float, float],
    *,
    members: int = 1,
    files: int = 1,
) -> UnitSetup:
    """Return a unit of other rules with an entry of this system.

    field : in the units of this system
    at : the centre of its boundary on that field, GSU
    """
    muster = UnitDeployment(
        name=unit.name, side=unit.side, troops=entry.troops(field.scale), members=members,
        at=(snapped(at[0]), snapped(at[1])), facing=unit.facing,
        formation=Formation[entry.formation.upper()], files=files,
    )  # fmt: skip
    return UnitSetup(muster=muster, entry=entry, kind="")


def taken_over(
    system: System, facts: BattleFacts, field: Field, units: Iterable[UnitSetup]
) -> Battle:
    """Return a battle of other rules as a battle of this system, before its first turn.

    field, units : converted for this system
    """
    setup = Setup(
        title=facts.title, rules=system.name, turns=1, field=field, sides=facts.sides,
        units=tuple(units), numbers=system.numbers,
    )  # fmt: skip
    return Battle(setup, system, seed=0)
