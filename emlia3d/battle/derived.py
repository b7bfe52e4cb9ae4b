"""Cached values computed from the state, each declared with its dependencies.

`apply` records when each cell of a unit or a feature was last written, and when any cell of a
sparse column was. A derived value is computed again only if a dependency has been written since.
If the new value is equal to the old one, it counts as unchanged, so values that depend on it stay
valid.

- `Derived`: one value, computed as a whole.
- `Rows`: a value with a part for each unit; only the parts of changed units are computed again.
- `Each`: a table that rules fill entry by entry; it is emptied when a dependency changes.

A call reads a value: ``reaches_of(battle)``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

    Stamps = NDArray[np.int64]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
NEVER = -1


class Source(ABC):
    """Dependency of derived values."""

    @abstractmethod
    def latest(self, moment: Moment) -> int:
        """Return the clock of the last change."""

    def rows(self, moment: Moment) -> Stamps | None:
        """Return (units,) the clock of each unit's last change; None if it has no rows by unit."""
        del moment
        return None


class Columns(Source):
    """Columns of the units, or of the table *table*."""

    def __init__(self, *names: str, table: str = "unit") -> None:
        self.names, self.table = names, table

    def latest(self, moment: Moment) -> int:
        """Return the clock of the last change in any of the columns."""
        latest = moment.state.written[self.table].latest
        return max([latest[name] for name in self.names])

    def rows(self, moment: Moment) -> Stamps | None:
        """Return (units,) the clock of the last change for each unit; None for features."""
        if self.table != "unit":
            return None
        written = moment.state.written[self.table]
        found: Stamps = written.when[[written.place[name] for name in self.names]].max(axis=0)
        return found


class FigureSource(Source):
    """Positions and conditions of each unit's figures."""

    def latest(self, moment: Moment) -> int:
        """Return the clock of the last change of any figure."""
        return int(moment.state.figure_stamps.max(initial=NEVER))

    def rows(self, moment: Moment) -> Stamps | None:
        """Return (units,) the clock of the last change for each unit."""
        return moment.state.figure_stamps


class Pairs(Source):
    """Sparse columns of pairs of units."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def latest(self, moment: Moment) -> int:
        """Return the clock of the last change in any of the columns."""
        return max([moment.state.pair_stamps[name] for name in self.names])


class List(Source):
    """A list of the state, such as the prepared notes."""

    def __init__(self, name: str) -> None:
        self.name = name

    def latest(self, moment: Moment) -> int:
        """Return the stamp of the list, which is new after each change."""
        return moment.state.lists[self.name].stamp


class Anything(Source):
    """The whole state: any change that advances its clock."""

    def latest(self, moment: Moment) -> int:
        """Return the clock of the state."""
        return moment.state.clock

    def rows(self, moment: Moment) -> Stamps | None:
        """Return (units,) the clock of the last change for each unit."""
        return moment.state.stamps


class CachedValue(Generic[T]):
    """Cached value of one moment.

    clock : the state's clock when the value was last compared with its sources
    changed : the clock at which the value last changed
    seen : the clocks of its sources at the last comparison
    stamps : (units,) the clock at which each part last changed; None without parts
    """

    __slots__ = ("changed", "clock", "seen", "stamps", "value")
    value: T

    def __init__(self) -> None:
        self.clock = self.changed = NEVER
        self.seen: Any = None
        self.stamps: Any = None

    def forked(self, moment: Moment) -> CachedValue[T]:
        """Return a copy for another moment with an equal state."""
        twin: CachedValue[T] = CachedValue()
        twin.clock, twin.changed, twin.seen = self.clock, self.changed, [*self.seen]
        twin.stamps = None if self.stamps is None else self.stamps.copy()
        forked = getattr(self.value, "forked", None)
        twin.value = self.value if forked is None else forked(moment)
        return twin


def owned_copy(value: T) -> T:
    """Return a copy of a value with its own arrays, dictionaries and lists.

    Methods ``forked`` use it. The copies share the elements of dictionaries and lists.
    """
    twin = copy(value)
    for name, kept in vars(value).items():
        if isinstance(kept, dict | list | np.ndarray):
            setattr(twin, name, kept.copy())
    return twin


class Value(Source, Generic[T]):
    """Base of `Derived`, `Rows` and `Each`.

    sources : the dependencies
    forks : whether a fork of the moment keeps the value
    """

    sources: tuple[Source, ...]
    forks: bool

    def __call__(self, moment: Moment) -> T:
        """Return the value at this moment."""
        # The most frequent call of all, so a current value takes no further call.
        entry: CachedValue[T] | None = moment.derived.get(self)
        if entry is None or entry.clock != moment.state.clock:
            entry = self._current(moment)
        return entry.value

    def latest(self, moment: Moment) -> int:
        """Return the clock at which the value, or any part of it, last changed."""
        return self._current(moment).changed

    @abstractmethod
    def _current(self, moment: Moment) -> CachedValue[T]:
        """Return the entry of this moment, computed again if a source has changed."""


class Derived(Value[T]):
    """One immutable value computed from the state.

    Parameters
    ----------
    *sources
        All changing data that *make* reads; none for a value that never changes.
    make
        Computes the value.
    same
        Returns whether two values are equal; by default ``==``.
    forks
        Whether a fork of the moment keeps the value. A value that refers to its battle then needs
        a method ``forked(battle)``.
    """

    def __init__(
        self,
        *sources: Source,
        make: Callable[[Moment], T],
        same: Callable[[T, T], bool] | None = None,
        forks: bool = True,
    ) -> None:
        self.sources, self.make, self.same, self.forks = sources, make, same, forks

    def put(self, moment: Moment, value: T) -> None:
        """Set the value at this moment without computing it."""
        entry: CachedValue[T] = CachedValue()
        entry.value, entry.clock = value, moment.state.clock
        entry.changed = entry.clock
        entry.seen = [source.latest(moment) for source in self.sources]
        moment.derived[self] = entry

    def _current(self, moment: Moment) -> CachedValue[T]:
        entry: CachedValue[T] | None = moment.derived.get(self)
        clock = moment.state.clock
        if entry is not None and entry.clock == clock:
            return entry
        now = [source.latest(moment) for source in self.sources]
        if entry is None:
            entry = CachedValue()
            entry.value, entry.changed, entry.seen = self.make(moment), clock, now
            moment.derived[self] = entry
        elif now != entry.seen:
            value = self.make(moment)
            same = value == entry.value if self.same is None else self.same(value, entry.value)
            if not same:
                entry.value, entry.changed = value, clock
            entry.seen = now
        entry.clock = clock
        return entry


class Rows(Value[T]):
    """A value with a part for each unit.

    Parameters
    ----------
    *sources
        The dependencies of a unit's part: the unit's row of each source, or the whole source if it
        has no rows by unit.
    start
        Makes the value before any part is computed.
    renew
        Computes the parts of all changed units in one call. Returns the rows whose parts changed,
        or None for all the rows passed.
    by_row
        Whether *renew* receives only rows that changed in a source with rows. *renew* must then
        detect the effect of a change in any other source. The value counts as changed after such
        a change.
    forks
        Whether a fork of the moment keeps the value, by its method ``forked(battle)``.
    """

    def __init__(
        self,
        *sources: Source,
        start: Callable[[Moment], T],
        renew: Callable[[T, Moment, Sequence[int]], Sequence[int] | None],
        by_row: bool = False,
        forks: bool = False,
    ) -> None:
        self.sources, self.start, self.renew = sources, start, renew
        self.by_row, self.forks = by_row, forks

    def rows(self, moment: Moment) -> Stamps | None:
        """Return (units,) the clock at which each part last changed."""
        stamps: Stamps = self._current(moment).stamps
        return stamps

    def before(self, moment: Moment) -> T:
        """Return the value as last computed; without parts if it never was."""
        return self._begun(moment).value

    def _begun(self, moment: Moment) -> CachedValue[T]:
        entry: CachedValue[T] | None = moment.derived.get(self)
        if entry is None:
            entry = moment.derived[self] = CachedValue()
            entry.value, entry.seen = self.start(moment), [(NEVER - 1, None)] * len(self.sources)
            entry.stamps = np.full(len(moment.state.units), NEVER, dtype=np.int64)
        return entry

    def _current(self, moment: Moment) -> CachedValue[T]:
        entry = self._begun(moment)
        if entry.clock == moment.state.clock:
            return entry
        seen, stale, as_a_whole = self._stale(moment, entry)
        if as_a_whole or stale.any():
            given = np.flatnonzero(stale).tolist()
            changed = self.renew(entry.value, moment, given)
            changed = given if changed is None else changed
            if as_a_whole or len(changed):
                entry.changed = moment.state.clock
                entry.stamps[list(changed)] = entry.changed
        entry.seen, entry.clock = seen, moment.state.clock
        return entry

    def _stale(self, moment: Moment, entry: CachedValue[T]) -> tuple[Any, NDArray[np.bool_], bool]:
        """Return the clocks of the sources, (units,) which changed, and if another source has."""
        stale, as_a_whole, seen = np.zeros(len(entry.stamps), dtype=np.bool_), False, [*entry.seen]
        for place, source in enumerate(self.sources):
            latest, before = source.latest(moment), seen[place]
            if latest == before[0]:
                continue
            rows = source.rows(moment)
            if rows is None and self.by_row:
                as_a_whole = True
            elif rows is None:
                stale[:] = True
            else:
                rows = rows.copy()
                stale |= True if before[1] is None else rows != before[1]
            seen[place] = latest, rows
        return seen, stale, as_a_whole


class Each(Derived[dict[K, V]]):
    """A table that rules fill entry by entry; a change of its sources empties it.

    A fork keeps the entries unless *forks* is False.
    """

    def __init__(self, *sources: Source, forks: bool = True) -> None:
        super().__init__(*sources, make=lambda _: _Table(), same=lambda *_: False, forks=forks)

    def entry(self, moment: Moment, key: K, make: Callable[[], V]) -> V:
        """Return an entry of the table; *make* computes it if it is missing."""
        known = self(moment)
        if key not in known:
            known[key] = make()
        return known[key]


class _Table(dict[K, V]):
    """The entries of an `Each`."""

    def forked(self, moment: Moment) -> _Table[K, V]:
        """Return a copy that can be filled independently."""
        del moment
        return _Table(self)
