"""The options that fit into an action space of fixed size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from emlia3d.battle.decisions import Order


def shortlist(orders: Sequence[Order], most: int) -> tuple[Order, ...]:
    """Return at most *most* of some orders, in the order in which they were given.

    Verbs take turns: every verb keeps its first order, then every verb that has one its second,
    until *most* are chosen. So a long list of moves removes no other kind of order.
    """
    if len(orders) <= most:
        return tuple(orders)
    seen: Counter[str] = Counter()
    ranks: list[tuple[int, int]] = []
    for row, order in enumerate(orders):
        ranks.append((seen[order.verb], row))
        seen[order.verb] += 1
    chosen = sorted(row for _, row in sorted(ranks)[:most])
    return tuple(orders[row] for row in chosen)
