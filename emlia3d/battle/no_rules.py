"""A battle without rules, which can be viewed and measured but not played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel
from typing_extensions import override

from emlia3d.battle.system import System

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.decisions import Procedure
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import SightAnswer
    from emlia3d.battle.result import Result


class NoRules(System):
    """Rule system that ends the battle at once and declines sight; all else is the default."""

    name = "none"
    title = "no rules"
    entry_model = BaseModel

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        return None

    @override
    def result(self, moment: Moment) -> Result | None:
        return None

    @override
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> SightAnswer:
        raise self.decline("sight between two units")
