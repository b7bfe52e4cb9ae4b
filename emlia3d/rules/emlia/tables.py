"""Modifier tables: a table of the book is a tuple of rows, laid out like its page.

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
    """A total modifier and the slugs of the rows that made it, in the table's order."""

    total: int
    because: tuple[str, ...]


UNMODIFIED = Modified(0, ())


@rule("emlia.meta.cumulative")
def total(rows: Sequence[Row[R]], record: R) -> Modified:
    """Add up every row that holds: a row nested in another adds to it, none replaces another.

    A row that holds is named once, however often it counts and even if its modifier is 0.
    """
    held = [(row, row.times(record)) for row in rows]
    return Modified(
        sum(row.modifier * times for row, times in held),
        tuple(row.slug for row, times in held if times),
    )


def joined(*parts: Modified) -> Modified:
    """One modifier out of several: an action's own rows and the general ones."""
    because = tuple(slug for part in parts for slug in part.because)
    return Modified(sum(part.total for part in parts), because)


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
