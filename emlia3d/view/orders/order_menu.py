"""The orders of a question as a short menu: at most nine lines, grouped by kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.battle.questions.order_kinds import KIND_WORDS, ORDER_KINDS, OrderKind

MOST_LINES = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuLine:
    """A line of the menu.

    order : its row among the orders; None for a kind, which can be opened
    advised : whether the AI would give this order
    """

    kind: OrderKind
    text: str
    order: int | None
    advised: bool = False


class OrderMenu:
    """The menu of one question.

    kind : the open kind; None for the first level
    """

    def __init__(
        self, phrases: Sequence[str], kinds: Sequence[OrderKind], advised: int | None
    ) -> None:
        """Build a menu of orders from their words and kinds.

        advised : row of the order that comes first
        """
        self._phrases, self._kinds, self._advised = tuple(phrases), tuple(kinds), advised
        self._only: tuple[int, ...] | None = None
        self._page = 0
        self.kind: OrderKind | None = None

    @property
    def page(self) -> int:
        """The current page, from 0."""
        return self._page

    @property
    def pages(self) -> int:
        """The number of pages."""
        return max(-(-len(self._lines()) // MOST_LINES), 1)

    @property
    def nested(self) -> bool:
        """True if only a part of the orders is shown."""
        return self.kind is not None or self._only is not None

    def lines(self) -> tuple[MenuLine, ...]:
        """Return the lines of the page."""
        return self._lines()[self._page * MOST_LINES :][:MOST_LINES]

    def open(self, kind: OrderKind) -> bool:
        """Show the orders of a kind; return whether there are any."""
        if kind not in {self._kinds[row] for row in self._rows()}:
            return False
        self.kind, self._page = kind, 0
        return True

    def show_only(self, rows: Sequence[int]) -> None:
        """Show only these orders."""
        self._only, self.kind, self._page = tuple(rows), None, 0

    def turn_page(self) -> None:
        """Show the next page, or the first after the last."""
        self._page = (self._page + 1) % self.pages

    def back(self) -> bool:
        """Return to the first level; return whether another was shown."""
        nested = self.nested
        self.kind, self._only, self._page = None, None, 0
        return nested

    def _rows(self) -> Sequence[int]:
        return range(len(self._phrases)) if self._only is None else self._only

    def _lines(self) -> tuple[MenuLine, ...]:
        rows = [row for row in self._rows() if self.kind in {None, self._kinds[row]}]
        if self._advised in rows:
            rows.remove(self._advised)
            rows.insert(0, self._advised)
        one_kind = len({self._kinds[row] for row in rows}) == 1
        if one_kind or len(rows) <= MOST_LINES:
            return tuple(map(self._order, rows))
        first = [self._order(self._advised)] if self._advised in rows else []
        by_kind: dict[OrderKind, list[int]] = {}
        for row in rows:
            by_kind.setdefault(self._kinds[row], []).append(row)
        kinds = sorted(by_kind, key=ORDER_KINDS.index)
        return (
            *first,
            *(line for kind in kinds for line in self._of_kind(kind, by_kind[kind])),
        )

    def _of_kind(self, kind: OrderKind, rows: Sequence[int]) -> Sequence[MenuLine]:
        """Return the line of a kind: its only order or its name; empty if its order is first."""
        if len(rows) > 1:
            text = f"{KIND_WORDS[kind]}: {len(rows)} orders"
            return [MenuLine(kind=kind, text=text, order=None)]
        return [] if rows[0] == self._advised else [self._order(rows[0])]

    def _order(self, row: int) -> MenuLine:
        return MenuLine(
            kind=self._kinds[row],
            text=self._phrases[row],
            order=row,
            advised=row == self._advised,
        )
