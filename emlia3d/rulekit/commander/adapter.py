"""The adapter by which a rule system gives the commander access to its rules."""

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
"""The minimum worth of an attack on an agreed target, relative to the best attack."""


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
    worth : expected loss of the enemy minus its cost, in the unit of `UnitProfile.worth`
    closes : whether it moves the unit out of its line to the enemy, as a charge does
    """

    order: Order
    worth: float
    closes: bool = False


def at_the_target(attacks: list[W], targets: Collection[int]) -> list[W]:
    """Return the attacks on agreed targets, unless other attacks are worth far more."""
    agreed = [one for one in attacks if one.order.target in targets]
    best = max((one.worth for one in attacks), default=0.0)
    return [one for one in agreed if one.worth >= _AGREED * best] or attacks


class Adapter(ABC):
    """One side of a battle, as its commander sees it; a rule system provides a subclass.

    `Led` makes an adapter for each decision, from what the side knows. A system must provide its
    brigades and its outlook. With `attacks` and `to_slot`, `act` lets its units fight and keep
    their lines. A system whose units take several actions in a turn can replace `act`.

    scale : the factor from lengths of the rules to lengths of plans: 30 GSU divided by the move of
        a unit of the line
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
        """The side's brigades as mustered, always in the same order."""

    @abstractmethod
    def see(self) -> Outlook:
        """Return what the side knows now, with the personality of its commander."""

    @cached_property
    def outlook(self) -> Outlook:
        """The knowledge of the side now."""
        return self.see()

    def answer(self, decision: Decision) -> Order | None:
        """Return the answer to a question outside the plan; None if `act` decides."""
        return None

    def attacks(self, decision: Decision) -> Iterable[Attack]:
        """Return the legal attacks of a unit, each with its worth and its reason."""
        return ()

    def to_slot(self, decision: Decision, slot: Slot, why: str) -> Order | None:
        """Return the legal move of a unit that ends nearest to its slot; None to stay.

        why : the reason for the order
        """
        return None

    def to_post(self, decision: Decision, mission: Mission | None) -> Order | None:
        """Return the move of a unit that has no target and no slot to go to."""
        return None

    def rest(self, decision: Decision) -> Order:
        """Return the order to do nothing; by default the first option."""
        return decision.options[0]

    def act(self, decision: Decision, plan: Plan) -> Order:
        """Return the order of a unit: an attack, a move to its slot or a post, or nothing.

        A unit that is more than one move away from its slot moves there first. On a mission without
        charges, it makes no attack that closes with the enemy.
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
                why = f"keeps its position: {in_words(self.moment, mission)}"
                move = self.to_slot(decision, slot, why)
                if move is not None:
                    return move
        if best is not None:
            return best.order
        return self.to_post(decision, mission) or self.rest(decision)
