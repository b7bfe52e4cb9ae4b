"""Emlia, chapter 20 as play: who is aware of whom, and what makes him so.

What hides and finds is in `emlia3d.rules.emlia.play.free_actions.hiding`, what a unit shows of
itself on the way of a move in `emlia3d.rules.emlia.play.sight.passing_by`.
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
from emlia3d.rules.emlia.basics.levels import Level
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.events.awareness import Spotted
from emlia3d.rules.emlia.play.sight.passing_by import passage_of, seen_on_the_way
from emlia3d.rules.emlia.play.sight.sight_cache import UNKNOWN, level_on, watch_of
from emlia3d.rules.emlia.play.situation.contact import enemies_of
from emlia3d.rules.emlia.play.situation.parts import hostile_to, on_field, parts_of
from emlia3d.rules.emlia.play.situation.reach import engages
from emlia3d.rules.emlia.play.situation.situation import lie_of
from emlia3d.rules.emlia.tables.awareness import knows
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_FIRST, _THEN_SO_MANY_TIMES = 4, 8
"""Of those who might see an enemy, so many are asked first, and so many times as many then."""


@rule("emlia.aware.melee", "emlia.aware.shared-in-unit", "emlia.aware.firing-reveals")
def is_aware(battle: Battle, observer: int, observed: int) -> bool:
    """Whether a unit, as a whole, is aware of another.

    Those who have fought know each other while they engage. Acting reveals nobody by itself, and
    scenery is known to everyone.
    """
    pairs, pair = battle.state.pairs, (observer, observed)
    if pair in pairs["met"]:
        lie = lie_of(battle)
        if engages(lie, observer, observed) or engages(lie, observed, observer):
            return True
    concealment = level_on(battle, observer, observed)
    return knows(concealment, hidden=pair in pairs["hidden"], acquired=pair in pairs["acquired"])


@rule("emlia.action.subject-awareness", "emlia.aware.subject-rule")
def may_be_subject(battle: Battle, unit: int, subject: int) -> Refusal | None:
    """The source of an action is aware of its subject, unless the action looks for it."""
    if is_aware(battle, unit, subject):
        return None
    return Refusal("emlia.action.subject-awareness", "the unit is not aware of it")


def known_of(
    battle: Battle, unit: int, parties: Sequence[tuple[int, ...]], charged: int | None = None
) -> list[tuple[int, ...]]:
    """The enemies of each party that the unit is aware of, but for parties without any.

    charged : whom it was aware of as it began the Charge that this is part of
    """
    known = [
        tuple(foe for foe in party if foe == charged or is_aware(battle, unit, foe))
        for party in parties
    ]
    return [party for party in known if party]


def known_to(battle: Battle, side: int) -> tuple[int, ...]:
    """Hostile units on the field that at least one unit of a side is aware of.

    Kept until anything changes that it rests on, as every order that is weighed asks for it.
    """
    known = _KNOWN(battle)
    if side not in known:
        known[side] = tuple(_in_view(battle, side))
    return known[side]


def _in_view(battle: Battle, side: int) -> list[int]:
    """The enemies of whom somebody is aware.

    Asked first are those who settled it the last time, and then those who are nearest to each.
    """
    here = np.array(on_field(battle), dtype=np.intp)
    own = here[battle.state.units.ints("side")[here] == side]
    foes, watch = np.array(hostile_to(battle, side), dtype=np.intp), watch_of(battle)
    if not len(own) or not len(foes):
        return []
    last, few = _WITNESSES(battle).setdefault(side, _Witnesses()), 0
    while True:
        levels = watch.so_far(own, foes)
        aware = _awareness(battle, own, foes, levels)
        known = np.any(aware, axis=0)
        open_ = ~known & (levels == UNKNOWN)
        if not open_.any():
            witnesses = np.arange(len(own))[:, None] == aware.argmax(axis=0)
            row, column = np.nonzero(witnesses | ~known)
            last.pairs = np.column_stack((own[row], foes[column]))
            watch.expect_then(("known", side), last.pairs)
            seen: list[int] = foes[known].tolist()
            return seen
        if few:
            row, column = _least(watch.apart(own, foes), open_, few)
        else:
            rows, columns = _places(battle, own, foes)
            row, column = _among(rows, columns, last.pairs).T
            asked = open_[row, column]
            row, column = row[asked], column[asked]
        watch.find(np.column_stack((own[row], foes[column])))
        few = few * _THEN_SO_MANY_TIMES or _FIRST


class _Witnesses:
    """Who settled the last time whom a side is aware of.

    pairs : (k, 2) one who is aware of each enemy, and everybody with each of whom nobody is
    """

    pairs = np.empty((0, 2), dtype=np.intp)


def unaware_of_some(battle: Battle, units: Sequence[int], foes: Sequence[int]) -> NDArray[np.bool_]:
    """(foes,) whether any of some units is not aware of each; the farthest are asked first."""
    watch, few = watch_of(battle), _FIRST
    ones, others = np.array(units, dtype=np.intp), np.array(foes, dtype=np.intp)
    while True:
        levels = watch.so_far(ones, others)
        not_aware = ~_awareness(battle, ones, others, levels)
        unaware: NDArray[np.bool_] = np.any(not_aware & (levels != UNKNOWN), axis=0)
        open_ = not_aware & (levels == UNKNOWN) & ~unaware
        if not open_.any():
            return unaware
        row, column = _least(-watch.apart(ones, others), open_, few)
        watch.find(np.column_stack((ones[row], others[column])))
        few *= _THEN_SO_MANY_TIMES


def _least(
    values: NDArray[np.float64], open_: NDArray[np.bool_], few: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where the least so many values of each column are, of those that are open."""
    columns = np.flatnonzero(open_.any(axis=0))
    some = np.where(open_[:, columns], values[:, columns], np.inf).T
    row = np.argsort(some, axis=1, kind="stable")[:, :few]
    column = np.repeat(columns, row.shape[1])
    chosen = open_[row.ravel(), column]
    return row.ravel()[chosen], column[chosen]


def _awareness(
    battle: Battle, own: NDArray[np.intp], foes: NDArray[np.intp], levels: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """(own, foes) what `is_aware` says of each pair whose level is known; False for others."""
    aware = levels < Level.TOTAL
    lie = lie_of(battle)
    row, column = _places(battle, own, foes)
    for name, level, now in (("hidden", Level.PARTIAL, False), ("acquired", Level.TOTAL, True)):
        at = _among(row, column, _noted(battle, name))
        at = at[levels[at[:, 0], at[:, 1]] == level]
        aware[at[:, 0], at[:, 1]] = now
    for at_row, at_column in _among(row, column, _noted(battle, "met")).tolist():
        one, other = own.item(at_row), foes.item(at_column)
        if engages(lie, one, other) or engages(lie, other, one):
            aware[at_row, at_column] = True
    return aware


def _places(battle: Battle, *parties: NDArray[np.intp]) -> NDArray[np.intp]:
    """(parties, units) the place of each unit in each of some parties; -1 where it has none."""
    out = np.full((len(parties), len(battle.state.units)), -1)
    for places, units in zip(out, parties, strict=True):
        places[units] = np.arange(len(units))
    return out


def _noted(battle: Battle, name: str) -> NDArray[np.intp]:
    """(k, 2) the pairs of units of which something is noted."""
    return _NOTED[name](battle)


def _noted_as(name: str) -> Derived[NDArray[np.intp]]:
    def listed(battle: Battle) -> NDArray[np.intp]:
        return np.array(list(battle.state.pairs[name]), dtype=np.intp).reshape(-1, 2)

    return Derived(Pairs(name), make=listed, same=np.array_equal)


_NOTED = {name: _noted_as(name) for name in ("hidden", "acquired", "met")}


_KNOWN: Each[int, tuple[int, ...]] = Each(
    watch_of, Columns("present", "parent", "side"), *_NOTED.values()
)
"""By side, the enemies that it is aware of."""

_WITNESSES: Each[int, _Witnesses] = Each(forks=False)
"""By side, the pairs that settled its awareness the last time."""


def _among(
    row: NDArray[np.intp], column: NDArray[np.intp], pairs: NDArray[np.intp]
) -> NDArray[np.intp]:
    """(k, 2) rows and columns of those pairs that have both."""
    at = np.column_stack((row[pairs[:, 0]], column[pairs[:, 1]]))
    return np.asarray(at[(at >= 0).all(axis=1)])


def note_known(battle: Battle, side: int, known: tuple[int, ...]) -> None:
    """Keep what `known_to` is to answer in a battle as the side knows it."""
    _KNOWN.put(battle, {side: known})


def unknown_to(battle: Battle, unit: int) -> tuple[int, ...]:
    """Enemies that nobody on the unit's side is aware of: they cannot make an order refused."""
    known = frozenset(known_to(battle, battle.state.units.integer("side", unit)))
    return tuple(foe for foe in enemies_of(battle, unit) if foe not in known)


def unknown_to_side(battle: Battle, side: int) -> tuple[int, ...]:
    """Hostile units on the field, and their parts, that nobody on a side is aware of."""
    known, sides = known_to(battle, side), battle.state.units.ints("side").tolist()
    hidden = (
        foe
        for foe in on_field(battle)
        if battle.setup.hostile(side, sides[foe]) and foe not in known
    )
    return tuple(dict.fromkeys(row for foe in hidden for row in (foe, *parts_of(battle, foe))))


def found(battle: Battle, observer: int, enemy: int) -> tuple[Change, ...]:
    """The changes that make a unit aware of an enemy, up to the end of its next activation."""
    until = battle.state.units.integer("activations", observer) + 1
    return (
        Pair(column="hidden", a=observer, b=enemy, value=None),
        Pair(column="acquired", a=observer, b=enemy, value=until),
    )


def acted_on(battle: Battle, unit: int, subject: int, how: Acted = Acted.DONE) -> Change:
    """The change that notes an action of a unit and its subject, for those who look for it."""
    before = battle.state.pairs["acted_on"].get((unit, subject), 0)
    return Pair(column="acted_on", a=unit, b=subject, value=max(int(before), how))


def forgotten_deeds(battle: Battle, unit: int) -> list[Change]:
    """The changes as a unit activates anew: what it did in its last activation is past."""
    return [
        Pair(column="acted_on", a=unit, b=subject, value=None)
        for source, subject in sorted(battle.state.pairs["acted_on"])
        if source == unit
    ]


def remembered(battle: Battle, unit: int) -> list[Change]:
    """The changes as a unit's activation ends: whom it knew, and who slips from its knowledge.

    Only those with Alertness remember, as only they search.
    """
    pairs, changes = battle.state.pairs, list[Change]()
    lie = lie_of(battle)
    if any(lie.entry(part).skill("alertness") is not None for part in lie.parts(unit)):
        watch_of(battle).look([unit], enemies_of(battle, unit))
        for foe in enemies_of(battle, unit):
            known = is_aware(battle, unit, foe)
            if known is not ((unit, foe) in pairs["was_aware"]):
                value = 1 if known else None
                changes.append(Pair(column="was_aware", a=unit, b=foe, value=value))
    now = battle.state.units.integer("activations", unit)
    changes += [
        Pair(column="acquired", a=unit, b=enemy, value=None)
        for (observer, enemy), until in sorted(pairs["acquired"].items())
        if observer == unit and until <= now
    ]
    return changes


def watched(battle: Battle, procedure: Procedure[None]) -> Procedure[None]:
    """A stretch of play in which those who come into the open are spotted at once."""
    answer: Order | None = None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration:
            return
        passage = passage_of(battle, said) if isinstance(said, Event) else None
        answer = yield said
        if isinstance(said, Event):
            yield from spotted(battle)
        if passage is not None:
            pairs = _hidden_here(battle)
            yield from _told_of(battle, seen_on_the_way(battle, passage, pairs))


@rule("emlia.aware.auto-spot")
def spotted(battle: Battle) -> Procedure[None]:
    """A hidden enemy without any concealment is found by exactly those who see it so.

    That is part of what has brought it to light, which may be one of several moves at once.
    """
    if not battle.state.pairs["hidden"]:
        return
    yield from _told_of(battle, _seen_plainly(battle))


def _find_seen_plainly(battle: Battle) -> list[tuple[int, int]]:
    """Pairs of a unit and a hidden enemy that it sees without any concealment, in order."""
    watch, pairs = watch_of(battle), _hidden_here(battle)
    watch.find(pairs)
    plainly = watch.levels_of(pairs) == Level.NONE
    return sorted(map(tuple, pairs[plainly].tolist()))


_seen_plainly = Derived(watch_of, Pairs("hidden"), make=_find_seen_plainly)


def _hidden_here(battle: Battle) -> NDArray[np.intp]:
    """(k, 2) observers on the field, and enemies there who are hidden from them."""
    pairs = _noted(battle, "hidden")
    here = battle.state.units.ints("present")[pairs] != 0
    return np.asarray(pairs[here.all(axis=1)])


def _told_of(battle: Battle, pairs: Iterable[tuple[int, int]]) -> Procedure[None]:
    """The events by which observers become aware of enemies, in the order of the pairs."""
    seen: dict[int, list[int]] = {}
    for observer, enemy in pairs:
        seen.setdefault(enemy, []).append(observer)
    for enemy, observers in seen.items():
        yield Event(
            facts=Spotted(by=tuple(battle.setup.units[observer].name for observer in observers)),
            unit=enemy,
            because=("emlia.aware.auto-spot",),
            changes=tuple(
                Pair(column="hidden", a=observer, b=enemy, value=None) for observer in observers
            ),
            part_of_last=True,
        )
