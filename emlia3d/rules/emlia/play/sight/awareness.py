"""Implementation of Emlia, chapter 20: which units are aware of which, and why.

`emlia3d.rules.emlia.play.free_actions.hiding` contains the actions that hide and find units.
`emlia3d.rules.emlia.play.sight.passing_by` determines which hidden units are seen during a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.changes import Change, Pair
from emlia3d.battle.decisions import Order, Procedure, Refusal, advance
from emlia3d.battle.derived import Columns, Derived, Each, Pairs
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.events.awareness import Spotted
from emlia3d.rules.emlia.play.sight.passing_by import passage_of, seen_on_the_way
from emlia3d.rules.emlia.play.sight.sight_cache import UNKNOWN, level_on, sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.parts import hostile_to, on_field, parts_of
from emlia3d.rules.emlia.play.situation.reach import engages
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.awareness import knows
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_FIRST, _THEN_SO_MANY_TIMES = 4, 8
"""Number of likeliest observers checked first, and the factor by which each later round grows."""


@rule("emlia.aware.melee", "emlia.aware.shared-in-unit", "emlia.aware.firing-reveals")
def is_aware(moment: Moment, observer: int, observed: int) -> bool:
    """Return whether a unit, as a whole, is aware of another.

    Units that have fought know each other while engaged. An action alone does not reveal
    the unit that takes it. Every unit is aware of scenery.
    """
    pairs, pair = moment.state.pairs, (observer, observed)
    if pair in pairs["met"]:
        situation = situation_of(moment)
        if engages(situation, observer, observed) or engages(situation, observed, observer):
            return True
    concealment = level_on(moment, observer, observed)
    return knows(concealment, hidden=pair in pairs["hidden"], acquired=pair in pairs["acquired"])


@rule("emlia.action.subject-awareness", "emlia.aware.subject-rule")
def may_be_subject(moment: Moment, unit: int, subject: int) -> Refusal | None:
    """Return why an action cannot have this subject; None if the unit is aware of it."""
    if is_aware(moment, unit, subject):
        return None
    return Refusal("emlia.action.subject-awareness", "the unit is not aware of it")


def known_of(
    moment: Moment, unit: int, parties: Sequence[tuple[int, ...]], charged: int | None = None
) -> list[tuple[int, ...]]:
    """Return the enemies of each party that the unit is aware of, without empty parties.

    charged : the enemy that the unit was aware of when it began this Charge
    """
    known = [
        tuple(foe for foe in party if foe == charged or is_aware(moment, unit, foe))
        for party in parties
    ]
    return [party for party in known if party]


def known_to(moment: Moment, side: int) -> tuple[int, ...]:
    """Return the hostile units on the field that at least one unit of a side is aware of.

    The result is cached until something that it depends on changes, because the evaluation of
    every order needs it.
    """
    known = _KNOWN(moment)
    if side not in known:
        known[side] = tuple(_in_view(moment, side))
    return known[side]


def _in_view(moment: Moment, side: int) -> list[int]:
    """Return the enemies that at least one unit of a side is aware of.

    For each enemy, the observer that was aware of it last time is checked first, and then the
    nearest observers.
    """
    here = np.array(on_field(moment), dtype=np.intp)
    own = here[moment.state.units.ints("side")[here] == side]
    foes, sight_cache = np.array(hostile_to(moment, side), dtype=np.intp), sight_cache_of(moment)
    if not len(own) or not len(foes):
        return []
    last, few = _WITNESSES(moment).setdefault(side, _Witnesses()), 0
    while True:
        levels = sight_cache.so_far(own, foes)
        aware = _awareness(moment, own, foes, levels)
        known = np.any(aware, axis=0)
        open_ = ~known & (levels == UNKNOWN)
        if not open_.any():
            last.pairs = np.column_stack((own[aware.argmax(axis=0)], foes))[known]
            last.unseen = foes[~known]
            sight_cache.expect_then(("known", side), last.pairs, own, last.unseen)
            seen: list[int] = foes[known].tolist()
            return seen
        if few:
            some = np.flatnonzero(open_.any(axis=0))
            row, at = _least(sight_cache.apart(own, foes[some]), open_[:, some], few)
            column = some[at]
        else:
            rows, columns = _places(moment, own, foes)
            row, column = _among(rows, columns, last.pairs).T
            asked = np.isin(foes, last.unseen) & open_
            asked[row, column] = open_[row, column]
            row, column = np.nonzero(asked)
        sight_cache.find(np.column_stack((own[row], foes[column])))
        few = few * _THEN_SO_MANY_TIMES or _FIRST


class _Witnesses:
    """The observers that last settled what a side is aware of.

    pairs : (k, 2) an observer and the known enemy that it is aware of
    unseen : the unknown enemies, for which every unit must be checked
    """

    pairs = np.empty((0, 2), dtype=np.intp)
    unseen = np.empty(0, dtype=np.intp)


def unaware_of_some(moment: Moment, units: Sequence[int], foes: Sequence[int]) -> NDArray[np.bool_]:
    """Return (foes,) whether at least one of the units is unaware of each enemy.

    The farthest units are checked first.
    """
    sight_cache, few = sight_cache_of(moment), _FIRST
    ones, others = np.array(units, dtype=np.intp), np.array(foes, dtype=np.intp)
    while True:
        levels = sight_cache.so_far(ones, others)
        not_aware = ~_awareness(moment, ones, others, levels)
        unaware: NDArray[np.bool_] = np.any(not_aware & (levels != UNKNOWN), axis=0)
        open_ = not_aware & (levels == UNKNOWN) & ~unaware
        if not open_.any():
            return unaware
        row, column = _least(-sight_cache.apart(ones, others), open_, few)
        sight_cache.find(np.column_stack((ones[row], others[column])))
        few *= _THEN_SO_MANY_TIMES


def _least(
    values: NDArray[np.float64], open_: NDArray[np.bool_], few: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns of the *few* lowest open values in each column."""
    columns = np.flatnonzero(open_.any(axis=0))
    some = np.where(open_[:, columns], values[:, columns], np.inf).T
    row = np.argsort(some, axis=1, kind="stable")[:, :few]
    column = np.repeat(columns, row.shape[1])
    chosen = open_[row.ravel(), column]
    return row.ravel()[chosen], column[chosen]


def _awareness(
    moment: Moment, own: NDArray[np.intp], foes: NDArray[np.intp], levels: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Return the result of `is_aware` for each pair with a known level, (own, foes).

    Another pair is True only if the two have fought and are engaged.
    """
    aware = levels < Level.TOTAL
    situation = situation_of(moment)
    row, column = _places(moment, own, foes)
    for name, level, now in (("hidden", Level.PARTIAL, False), ("acquired", Level.TOTAL, True)):
        at = _among(row, column, _noted(moment, name))
        at = at[levels[at[:, 0], at[:, 1]] == level]
        aware[at[:, 0], at[:, 1]] = now
    for at_row, at_column in _among(row, column, _noted(moment, "met")).tolist():
        one, other = own.item(at_row), foes.item(at_column)
        if engages(situation, one, other) or engages(situation, other, one):
            aware[at_row, at_column] = True
    return aware


def _places(moment: Moment, *parties: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the index of each unit in each party, (parties, units); -1 if it is not in it."""
    out = np.full((len(parties), len(moment.state.units)), -1)
    for places, units in zip(out, parties, strict=True):
        places[units] = np.arange(len(units))
    return out


def _noted(moment: Moment, name: str) -> NDArray[np.intp]:
    """Return the pairs of units in the column *name*, (k, 2)."""
    return _NOTED[name](moment)


def _noted_as(name: str) -> Derived[NDArray[np.intp]]:
    def listed(moment: Moment) -> NDArray[np.intp]:
        return np.array(list(moment.state.pairs[name]), dtype=np.intp).reshape(-1, 2)

    return Derived(Pairs(name), make=listed, same=np.array_equal)


_NOTED = {name: _noted_as(name) for name in ("hidden", "acquired", "met")}


_KNOWN: Each[int, tuple[int, ...]] = Each(
    sight_cache_of, Columns("present", "parent", "side"), *_NOTED.values()
)
"""By side, the enemies that it is aware of."""

_WITNESSES: Each[int, _Witnesses] = Each(forks=False)
"""By side, the observers that last settled its awareness."""


def _among(
    row: NDArray[np.intp], column: NDArray[np.intp], pairs: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the row and column of each pair whose two units both have one, (k, 2)."""
    at = np.column_stack((row[pairs[:, 0]], column[pairs[:, 1]]))
    return np.asarray(at[(at >= 0).all(axis=1)])


def note_known(moment: Moment, side: int, known: tuple[int, ...]) -> None:
    """Set the value that `known_to` returns in a battle as the side knows it."""
    _KNOWN.put(moment, {side: known})


def unknown_to(moment: Moment, unit: int) -> tuple[int, ...]:
    """Return the enemies unknown to the unit's side: they cannot cause an order to be refused."""
    known = frozenset(known_to(moment, moment.state.units.integer("side", unit)))
    return tuple(foe for foe in enemies_of(moment, unit) if foe not in known)


def unknown_to_side(moment: Moment, side: int) -> tuple[int, ...]:
    """Return the hostile units on the field, and their parts, that a side is not aware of."""
    known, sides = known_to(moment, side), moment.state.units.ints("side").tolist()
    hidden = (
        foe
        for foe in on_field(moment)
        if moment.setup.hostile(side, sides[foe]) and foe not in known
    )
    return tuple(dict.fromkeys(row for foe in hidden for row in (foe, *parts_of(moment, foe))))


def found(moment: Moment, observer: int, enemy: int) -> tuple[Change, ...]:
    """Return the changes that make a unit aware of an enemy until its next activation ends."""
    until = moment.state.units.integer("activations", observer) + 1
    return (
        Pair(column="hidden", a=observer, b=enemy, value=None),
        Pair(column="acquired", a=observer, b=enemy, value=until),
    )


def acted_on(moment: Moment, unit: int, subject: int, how: Acted = Acted.DONE) -> Change:
    """Return the change that records an action and its subject, for units that search."""
    before = moment.state.pairs["acted_on"].get((unit, subject), 0)
    return Pair(column="acted_on", a=unit, b=subject, value=max(int(before), how))


def forgotten_deeds(moment: Moment, unit: int) -> list[Change]:
    """Return the changes when a unit activates: they delete the actions of its last activation."""
    return [
        Pair(column="acted_on", a=unit, b=subject, value=None)
        for source, subject in sorted(moment.state.pairs["acted_on"])
        if source == unit
    ]


def remembered(moment: Moment, unit: int) -> list[Change]:
    """Return the changes when a unit's activation ends.

    They record the enemies that it was aware of, and delete the enemies that it forgets.

    Only units with Alertness remember, because only they search.
    """
    pairs, changes = moment.state.pairs, list[Change]()
    situation = situation_of(moment)
    if any(situation.entry(part).skill("alertness") is not None for part in situation.parts(unit)):
        sight_cache_of(moment).look([unit], enemies_of(moment, unit))
        for foe in enemies_of(moment, unit):
            known = is_aware(moment, unit, foe)
            if known is not ((unit, foe) in pairs["was_aware"]):
                value = 1 if known else None
                changes.append(Pair(column="was_aware", a=unit, b=foe, value=value))
    now = moment.state.units.integer("activations", unit)
    changes += [
        Pair(column="acquired", a=unit, b=enemy, value=None)
        for (observer, enemy), until in sorted(pairs["acquired"].items())
        if observer == unit and until <= now
    ]
    return changes


def watched(moment: Moment, procedure: Procedure[None]) -> Procedure[None]:
    """Run a segment of play in which units that come into the open are spotted at once."""
    answer: Order | None = None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration:
            return
        passage = passage_of(moment, said) if isinstance(said, Event) else None
        answer = yield said
        if isinstance(said, Event):
            yield from spotted(moment)
        if passage is not None:
            pairs = _hidden_here(moment)
            yield from _told_of(moment, seen_on_the_way(moment, passage, pairs))


@rule("emlia.aware.auto-spot")
def spotted(moment: Moment) -> Procedure[None]:
    """Let all units that see a hidden enemy without concealment find it.

    The discovery is part of the event that revealed the enemy. That event can be one of several
    simultaneous moves.
    """
    if not moment.state.pairs["hidden"]:
        return
    yield from _told_of(moment, _seen_plainly(moment))


def _find_seen_plainly(moment: Moment) -> list[tuple[int, int]]:
    """Return sorted pairs of a unit and a hidden enemy that the unit sees without concealment."""
    sight_cache, pairs = sight_cache_of(moment), _hidden_here(moment)
    sight_cache.find(pairs)
    plainly = sight_cache.levels_of(pairs) == Level.NONE
    return sorted(map(tuple, pairs[plainly].tolist()))


_seen_plainly = Derived(sight_cache_of, Pairs("hidden"), make=_find_seen_plainly)


def _hidden_here(moment: Moment) -> NDArray[np.intp]:
    """Return pairs of an observer and an enemy hidden from it, both on the field, (k, 2)."""
    pairs = _noted(moment, "hidden")
    here = moment.state.units.ints("present")[pairs] != 0
    return np.asarray(pairs[here.all(axis=1)])


def _told_of(moment: Moment, pairs: Iterable[tuple[int, int]]) -> Procedure[None]:
    """Yield the events by which observers become aware of enemies, in the order of *pairs*."""
    seen: dict[int, list[int]] = {}
    for observer, enemy in pairs:
        seen.setdefault(enemy, []).append(observer)
    for enemy, observers in seen.items():
        yield Event(
            facts=Spotted(by=tuple(moment.setup.units[observer].name for observer in observers)),
            unit=enemy,
            because=("emlia.aware.auto-spot",),
            changes=tuple(
                Pair(column="hidden", a=observer, b=enemy, value=None) for observer in observers
            ),
            part_of_last=True,
        )
