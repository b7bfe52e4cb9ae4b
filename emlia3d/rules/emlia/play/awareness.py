"""Emlia, chapter 20 as play: who is aware of whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.rules.emlia.play.contact import engages
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.rules.emlia.play.watch import level_on
from emlia3d.rules.emlia.sight import is_visible
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle


@rule("emlia.aware.default", "emlia.aware.melee")
def is_aware(battle: Battle, observer: int, observed: int) -> bool:
    """Whether a unit is aware of another: it sees it, or they have fought and still engage."""
    if is_visible(level_on(battle, observer, observed)):
        return True
    lie = lie_of(battle)
    return (observer, observed) in battle.state.pairs["met"] and (
        engages(lie, observer, observed) or engages(lie, observed, observer)
    )
