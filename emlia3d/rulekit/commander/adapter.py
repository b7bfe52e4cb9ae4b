"""The part of a commander that knows the rules: what a rule system gives for one of its sides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from emlia3d.rulekit.commander.asking import in_words
from emlia3d.rulekit.commander.ordered import NO_CHARGE
from emlia3d.rulekit.commander.personality import PERSONALITIES, Personality
from emlia3d.rulekit.commander.slots import slots_of

if TYPE_CHECKING:
    from emlia3d.battle.decisions import Decision, Order
    from emlia3d.battle.moment import Moment
    from emlia3d.rulekit.commander.outlook import Brigade, Outlook
    from emlia3d.rulekit.commander.plan import Mission, Plan
    from emlia3d.rulekit.commander.slots import Slot

STEADY = PERSONALITIES["steady"]

_AGREED = 0.5
"""The proportion of the worth of the best attack that one at an agreed target must have."""


class Weighed(Protocol):
    """An order with its worth."""

    @property
    def order(self) -> Order: ...  # noqa: D102
    @property
    def worth(self) -> float: ...  # noqa: D102


W = TypeVar("W", bound=Weighed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """An attack that a unit may make.

    order : with its target, and the reason in words
    worth : what it is expected to take from the enemy less what it costs, in the worth of `Body`
    closes : it takes the unit out of its line to the enemy, as a charge does
    """

    order: Order
    worth: float
    closes: bool = False


def at_the_target(attacks: list[W], targets: Collection[int]) -> list[W]:
    """Return the attacks on agreed targets, unless others are worth far more."""
    agreed = [one for one in attacks if one.order.target in targets]
    best = max((one.worth for one in attacks), default=0.0)
    return [one for one in agreed if one.worth >= _AGREED * best] or attacks


class Adapter(ABC):
    """One side of a battle as its commander leads it: all that a rule system has to give.

    `Led` makes one for each decision, from what the side knows. A system must give its brigades
    and its outlook. With `attacks` and `to_slot` its units fight and keep their lines by the
    choice of `act`; a system whose units do more in a turn may replace `act`.

    scale : the factor that brings lengths of the rules to lengths of plans: 30 GSU over the move
        of a unit of the line
    moment : the battle as the side knows it
    side : its row
    personality : of its commander
    """

    scale: ClassVar[float] = 1.0

    def __init__(self, moment: Moment, side: int, personality: Personality = STEADY) -> None:
        self.moment, self.side, self.personality = moment, side, personality

    @property
    @abstractmethod
    def brigades(self) -> tuple[Brigade, ...]:
        """The side's brigades as they are mustered, always in the same order."""

    @abstractmethod
    def see(self) -> Outlook:
        """Return what the side knows now, with the personality of its commander."""

    @cached_property
    def outlook(self) -> Outlook:
        """The knowledge of the side now."""
        return self.see()

    def answer(self, decision: Decision) -> Order | None:
        """Return the answer to a question that no plan decides; None to leave it to `act`."""
        return None

    def attacks(self, decision: Decision) -> Iterable[Attack]:
        """Return the legal attacks of a unit, each with its worth and its reason."""
        return ()

    def to_slot(self, decision: Decision, slot: Slot, why: str) -> Order | None:
        """Return the legal move of a unit that ends nearest to its slot; None to stay.

        why : the reason, which the order takes
        """
        return None

    def to_post(self, decision: Decision, mission: Mission | None) -> Order | None:
        """Return the move of a unit that has no target and no way to go to its slot."""
        return None

    def rest(self, decision: Decision) -> Order:
        """Return the order to do nothing; by default the first option."""
        return decision.options[0]

    def act(self, decision: Decision, plan: Plan) -> Order:
        """Return what a unit does: it attacks, goes to its slot, takes a post, or does nothing.

        A unit that is more than one move off its slot goes there first. On a mission without
        charges it makes no attack that closes with the enemy.
        """
        assert decision.unit is not None
        mission = plan.mission_of(decision.unit)
        stays = mission is not None and mission.kind in NO_CHARGE
        offered = [
            one for one in self.attacks(decision) if one.worth > 0 and not (stays and one.closes)
        ]
        best = max(at_the_target(offered, plan.targets), key=lambda one: one.worth, default=None)
        bodies = self.outlook.by_unit
        slots = {} if mission is None else slots_of(mission, bodies, scale=self.scale)
        slot = slots.get(decision.unit)
        if mission is not None and slot is not None:
            body = bodies[decision.unit]
            x, y = body.front
            far = hypot(slot.x - x, slot.y - y) > body.speed
            if (best is None or far) and not body.is_engaged:
                why = f"keeps its place: {in_words(self.moment, mission)}"
                move = self.to_slot(decision, slot, why)
                if move is not None:
                    return move
        if best is not None:
            return best.order
        return self.to_post(decision, mission) or self.rest(decision)
