"""The options of a unit, looked up by the verb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia.play.acting.actions import SECOND_VERBS

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


class Offered(Mapping[str, list[Order]]):
    """The options of a decision by their verbs, except second parts of a Double Pace.

    The options of a verb are computed on first use.
    """

    def __init__(self, moment: Moment, decision: Decision) -> None:
        assert decision.unit is not None
        self._decision = decision
        moved = moment.state.units.value("move_used", decision.unit)
        self._left_out = SECOND_VERBS if moved else frozenset()

    def __getitem__(self, verb: str) -> list[Order]:
        """Return the options with *verb*; KeyError if there are none."""
        orders = [] if verb in self._left_out else self._decision.of(verb)
        if not orders:
            raise KeyError(verb)
        return orders

    def each(self, verb: str) -> Iterator[Order]:
        """Yield the options with *verb* lazily; none is no error."""
        return iter(()) if verb in self._left_out else self._decision.each(verb)

    def first(self, orders: Iterable[Order]) -> Order | None:
        """Return the first of some orders that is among them."""
        asked = [one for one in orders if one.verb not in self._left_out]
        return self._decision.first(asked) if asked else None

    def __iter__(self) -> Iterator[str]:
        return iter(
            dict.fromkeys(
                order.verb for order in self._decision.options if order.verb not in self._left_out
            )
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)
