"""Emlia, chapter 6: checks against mixed units.

Holds `emlia.mixed.check-against`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.rulebook import rule


@dataclass(frozen=True, slots=True)
class MixedPart:
    """A subunit as a check sees it: its members, and the modifier against it alone."""

    members: int
    modifier: int


@rule("emlia.mixed.check-against")
def modifier_against(parts: Sequence[MixedPart]) -> int:
    """Return the one modifier of a check against a whole mixed unit of at least one subunit.

    It starts from the modifier closest to 0, and each subunit with as many members as the
    largest that has that modifier moves it by one, down for a worse modifier of its own and up
    for a better one, once each. If +k and -k tie, the one with more members is the start, then
    the lower.
    """
    nearest = min(abs(part.modifier) for part in parts)
    largest: dict[int, int] = {}
    for part in parts:
        if abs(part.modifier) == nearest:
            largest[part.modifier] = max(part.members, largest.get(part.modifier, 0))
    start = min(largest, key=lambda modifier: (-largest[modifier], modifier))
    heard = [part for part in parts if part.members >= largest[start]]
    worse = sum(part.modifier < start for part in heard)
    better = sum(part.modifier > start for part in heard)
    return start - worse + better


def against_all(members: Sequence[int], rows: Sequence[Modified]) -> Modified:
    """Return the modifier of one check against several units.

    The result lists each row once, with its first value, and last the adjustment to the combined
    modifier.

    members, rows : of each unit
    """
    if len(rows) == 1:
        return rows[0]
    each: dict[str, int] = {}
    for row in rows:
        for slug, figure in zip(row.because, row.figures, strict=True):
            each.setdefault(slug, figure)
    parts = [MixedPart(count, row.total) for count, row in zip(members, rows, strict=True)]
    one = modifier_against(parts)
    rest = one - sum(each.values())
    return Modified(one, (*each, "emlia.mixed.check-against"), (*each.values(), rest))
