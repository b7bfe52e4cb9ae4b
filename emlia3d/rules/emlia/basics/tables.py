"""Modifier tables: a table is a tuple of rows, in the layout of the rulebook.

Holds `emlia.meta.cumulative`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

from emlia3d.rules.rulebook import rule

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Row(Generic[R]):
    """A row of a modifier table.

    times : how often the row counts for a record: True or False, or a number where the row
        says "per"
    """

    slug: str
    modifier: int
    times: Callable[[R], int]


class Modified(NamedTuple):
    """A total modifier and the rows that made it, in the table's order.

    because : their slugs
    figures : the value of each of them; their sum is the total
    """

    total: int
    because: tuple[str, ...]
    figures: tuple[int, ...]


UNMODIFIED = Modified(0, (), ())


def single(slug: str, change: int) -> Modified:
    """Return the modifier of one rule; empty if it is 0."""
    return Modified(change, (slug,), (change,)) if change else UNMODIFIED


@rule("emlia.meta.cumulative")
def total(rows: Sequence[Row[R]], record: R) -> Modified:
    """Add up all rows that apply; nested rows add to each other and do not replace each other.

    A row that applies is named once, even if it counts several times or its modifier is 0.
    """
    held = [(row, times) for row in rows if (times := row.times(record))]
    figures = tuple(row.modifier * times for row, times in held)
    return Modified(sum(figures), tuple(row.slug for row, _ in held), figures)


def joined(*parts: Modified) -> Modified:
    """Join several modifiers into one: an action's own rows and the general rows."""
    because = tuple(slug for part in parts for slug in part.because)
    figures = tuple(figure for part in parts for figure in part.figures)
    return Modified(sum(part.total for part in parts), because, figures)


class TableRow(Protocol):
    """A row of any table: a modifier under a slug."""

    @property
    def slug(self) -> str: ...  # noqa: D102
    @property
    def modifier(self) -> int: ...  # noqa: D102


T = TypeVar("T", bound=TableRow)


def amended(rows: Sequence[T], house: Mapping[str, int]) -> Sequence[T]:
    """Replace the modifiers of the rows that house rules name by slug; the others stay."""
    if not house:
        return rows
    named = {row.slug: house[row.slug] for row in rows if row.slug in house}
    return [
        replace(row, modifier=named[row.slug]) if row.slug in named else row  # type: ignore[type-var]  # rows are frozen dataclasses
        for row in rows
    ]
