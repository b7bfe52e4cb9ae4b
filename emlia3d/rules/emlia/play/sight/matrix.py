"""The concealment of many units from many, as a public function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.battle import Battle
from emlia3d.battle.flow import opening_event
from emlia3d.battle.moment import Moment
from emlia3d.errors import Error
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import head_of


class Startable(Protocol):
    """A scenario, from which a battle can begin."""

    def battle(self) -> Battle:
        """Return the battle before its first turn."""
        ...


def conceal_matrix(
    scene: Battle | Startable, observers: Sequence[str | int], targets: Sequence[str | int]
) -> NDArray[np.uint8]:
    """Return the concealment of each target from each observer.

    The levels equal the levels that `Scenario.sight` explains for single pairs, with all tests
    of single members. A unit is not concealed from itself.

    Parameters
    ----------
    scene
        A battle at its current position, or a scenario at its start.
    observers, targets : (n,), (m,)
        Units by name or by number, in any order.

    Returns
    -------
    (n, m) uint8
        0 none, 1 partial, 2 total concealment.

    Raises
    ------
    Error
        If a unit does not exist or is not on the field.

    Notes
    -----
    Source: emlia.sight.levels, emlia.sight.memberwise-combine, and chapter 19 as a whole.
    """
    battle = scene if isinstance(scene, Battle) else _begun(scene)
    return sight_cache_of(battle).levels(_units(battle, observers), _units(battle, targets))


def _begun(scenario: Startable) -> Battle:
    battle = scenario.battle()
    battle.happen(opening_event(battle))
    return battle


def _units(moment: Moment, wanted: Sequence[str | int]) -> NDArray[np.intp]:
    here = moment.state.units["present"]
    names = {unit.name: row for row, unit in enumerate(moment.setup.units)}
    rows = [names.get(unit, -1) if isinstance(unit, str) else int(unit) for unit in wanted]
    for unit, row in zip(wanted, rows, strict=True):
        if not 0 <= row < len(names):
            raise Error(f"there is no unit {unit!r} in this battle")
        if not here[row]:
            raise Error(f"{moment.setup.units[row].name} is not on the field")
    return np.array([head_of(moment, row) for row in rows], dtype=np.intp)
