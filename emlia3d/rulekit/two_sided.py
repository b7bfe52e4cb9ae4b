"""Rule systems of battles between two sides."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from emlia3d.battle.entries import Fault
from emlia3d.battle.result import Result
from emlia3d.battle.setup import Setup
from emlia3d.rulekit.armies import ListedArmies
from emlia3d.rulekit.english import listed

if TYPE_CHECKING:
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import SightAnswer


def result_for(setup: Setup, won: int | None, reason: str) -> Result:
    """Return the result of a battle for its winner; None for a draw.

    reason : a sentence
    """
    if won is None:
        return Result(winner=None, level="draw", reason=reason)
    return Result(winner=setup.sides[won].name, level="victory", reason=reason)


class TwoSidedSystem(ListedArmies):
    """A rule system of battles between two sides.

    A battle is over when its column "ended" is not 0. Sight does not depend on base damage.

    needs_edges : whether own lines must be edges of the field
    scales : metres per GSU, by the names of its scales
    """

    needs_edges: ClassVar[bool] = False
    scales: ClassVar[Mapping[str, float]] = {}

    @override
    def metres_per_gsu(self, scale: Mapping[str, Any]) -> float:
        found = self.scales.get(str(scale.get("name")))
        if not self.scales:
            return super().metres_per_gsu(scale)
        if found is None:
            names = listed([f'"{name}"' for name in self.scales], "or")
            raise ValueError(f"scale: expected {names}")
        return found

    @override
    def faults(self, setup: Setup) -> Iterable[Fault]:
        if len(setup.sides) != 2:
            yield Fault(message=f"side: expected 2 sides, got {len(setup.sides)}", at=("side",))
        for row, unit in enumerate(setup.units):
            if unit.arrives:
                told = f"arrives: under {self.title} no unit arrives later"
                yield Fault(message=told, at=("unit", row, "arrives"))
            if self.needs_edges and not isinstance(setup.lines_of(row), str):
                yield Fault(message="lines: expected an edge of the field", at=("unit", row))

    @override
    def result(self, moment: Moment) -> Result | None:
        return self.outcome(moment) if moment.state.battle.value("ended", 0) else None

    @abstractmethod
    def outcome(self, moment: Moment) -> Result | None:
        """Return the result of the battle in its current state."""

    @override
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> SightAnswer:
        return self.line_of_sight(moment, observer, target)

    @abstractmethod
    def line_of_sight(self, moment: Moment, observer: int, target: int) -> SightAnswer:
        """Return what one unit sees of another."""

    @override
    def sight_of(self, facts: BattleFacts, observer: int, target: int, damage: int) -> SightAnswer:
        moment = self.taken_over(facts)
        if moment is None:
            raise self.decline("sight in a battle of other rules")
        return self.line_of_sight(moment, observer, target)
