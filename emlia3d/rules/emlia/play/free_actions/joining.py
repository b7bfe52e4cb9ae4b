"""Emlia, chapters 10.4 and 10.5 as play: commanders join units, and split them.

Both are free actions and take effect at once. `merging` holds what becomes of the state, and
`dividing` the ways to split a plain unit. Joined units take the tightest formation that their
members fit where they stand and have room in; without room for any, each keeps its formation
(`as_joined` of `declaring`). A mixed unit is split between its subunits, so to divide one of them
takes a second split.

Holds `emlia.lead.join` and `emlia.lead.split`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import shapely

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Decision, LazyOptions, Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import ALL_FREE_ACTIONS, free_bit
from emlia3d.rules.emlia.basics.thresholds import in_reach
from emlia3d.rules.emlia.events.losses import FailedToJoin, FailedToSplit, Joined, Split
from emlia3d.rules.emlia.play.acting.actions import Deed, chosen, may_take, used_by
from emlia3d.rules.emlia.play.acting.checks import facts_of
from emlia3d.rules.emlia.play.acting.declaring import as_joined
from emlia3d.rules.emlia.play.acting.subjects import may_target
from emlia3d.rules.emlia.play.free_actions.dividing import (
    DivideValidator,
    divided,
    may_be_divided,
    ways,
)
from emlia3d.rules.emlia.play.morale.leading import leader_of, subjects_of, try_of
from emlia3d.rules.emlia.play.sight.awareness import acted_on
from emlia3d.rules.emlia.play.situation.merging import head_for, joined, parted
from emlia3d.rules.emlia.play.situation.parts import choices_of_leader, leading_part, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.leadership import joined_morale
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

NEAR = 10.0
"""GSU between the nearest members of two units beyond which no formation holds them together."""

_MOST_PARTS = 5
"""Largest number of subunits that are divided in every way; beyond it each splits off alone."""


def join_options(moment: Moment, unit: int) -> Iterator[Order]:
    """Yield the ways to join a leader's own unit to a friend, or one friend to another."""
    if _may_lead(moment, unit, "join units") is not None:
        return
    own, *friends = subjects_of(moment, unit)
    for friend in friends:
        refusal = may_target(moment, unit, "join units", own, friend)
        if refusal is None and may_join(moment, own, friend) is None:
            yield Order(verb="join-units", unit=unit, target=friend)
    for one, other in combinations(friends, 2):
        refusal = may_target(moment, unit, "join units", one, other)
        if refusal is None and may_join(moment, one, other) is None:
            yield Order(verb="join-units", unit=unit, target=one, number=other)


def _may_lead(moment: Moment, unit: int, name: str) -> Refusal | None:
    """Return the unit has a leader of its own, and the free action is left (`emlia.lead.who`)."""
    if leader_of(moment, unit) != unit:
        return Refusal("emlia.lead.who", "its leader is not with it")
    return may_take(moment, unit, name)


@rule("emlia.lead.join")
def may_join(moment: Moment, one: int, other: int) -> Refusal | None:
    """Two units of one side whose nearest members are within 10 GSU of each other."""
    units, situation = moment.state.units, situation_of(moment)
    if units.integer("side", one) != units.integer("side", other):
        return Refusal("emlia.lead.join", "they are on different sides")
    apart = Refusal("emlia.lead.join", "they are too far apart to form one unit")
    radii = situation.radius(one) + situation.radius(other)
    if not in_reach(float(situation.outline(one).distance(situation.outline(other))) - radii, NEAR):
        # Nor are any two of their members nearer to each other than their boundaries.
        return apart
    ours, theirs = (shapely.multipoints(situation.places(unit)) for unit in (one, other))
    gap = float(shapely.distance(ours, theirs)) - radii
    return None if in_reach(gap, NEAR) else apart


@rule("emlia.lead.join.timing")
def join(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Leadership: one success, and the two become one mixed unit.

    If the source's unit is one of them and the other's turn is later, what is left of the
    activation waits until then; if the other has activated already, it ends at once.
    """
    assert order.target is not None
    pair = (unit if order.number is None else order.number, order.target)
    attempt = try_of(battle, order)
    check = attempt.roll(battle, "join units")
    changes: list[Change] = [*used_by(battle, unit, "join units")]
    subjects: tuple[int, ...] = pair
    if check.succeeded:
        head, other = pair if head_for(battle, *pair) == pair[0] else pair[::-1]
        rows = (*parts_of(battle, head), *parts_of(battle, other))
        leader = yield from _chosen_leader(battle, head, rows)
        units = battle.state.units
        morale = joined_morale(*(units.integer("morale", each) for each in pair))
        formed = as_joined(battle, head, rows)
        changes += [*joined(battle, head, other, morale), *leader, *formed]
        changes += _going_on(battle, unit, pair, head)
        subjects = (head,)
    if unit not in pair:
        changes += [acted_on(battle, unit, subject) for subject in subjects]
    yield Event(
        facts=(Joined if check.succeeded else FailedToJoin)(
            units=tuple(battle.setup.units[each].name for each in pair), **facts_of(check)
        ),
        unit=unit,
        target=order.target,
        gesture="rally" if check.succeeded else "none",
        because=attempt.because(
            battle,
            order,
            check,
            "emlia.mixed.origins",
            "emlia.lead.join.morale",
            "emlia.lead.leader.choice",
            *_going_because(battle, unit, pair),
        ),
        changes=tuple(changes),
    )


def _chosen_leader(moment: Moment, head: int, rows: Sequence[int]) -> Procedure[tuple[Change, ...]]:
    """Ask which of equal leaders leads the subunits; return the change."""
    equals = choices_of_leader(moment, rows)
    if len(equals) == 1:
        return ()
    options = tuple(Order(verb="choose-leader", unit=head, target=row) for row in equals)
    choice = yield Decision(
        side=moment.state.units.integer("side", head),
        asks="emlia.lead.leader.choice",
        unit=head,
        options=options,
    )
    assert choice.target is not None
    return (Set(table="unit", row=head, column="leader", value=choice.target),)


def _going_on(moment: Moment, source: int, pair: tuple[int, int], head: int) -> Iterator[Change]:
    """Yield the changes of the joined unit's remaining actions, if the source is in the pair."""
    if source not in pair:
        return
    units, other = moment.state.units, pair[1]
    spent = units.integer("free_used", source) | free_bit("join units")
    cells: dict[str, int] = {"free_used": spent}
    if units.value("activated", other):
        cells = {"move_used": 1, "primary_used": 1, "free_used": ALL_FREE_ACTIONS}
    elif units.integer("timing", other) < moment.state.battle.integer("step", 0):
        cells |= {"activated": 0, "resumes": 1, "timing": units.integer("timing", other)}
    yield from (
        Set(table="unit", row=head, column=column, value=value) for column, value in cells.items()
    )


def _going_because(moment: Moment, source: int, pair: tuple[int, int]) -> tuple[str, ...]:
    """Return the rule by which a joined unit goes on with its activation later, or ends it."""
    units, other = moment.state.units, pair[1]
    later = units.integer("timing", other) < moment.state.battle.integer("step", 0)
    waits = source in pair and (units.value("activated", other) or later)
    return ("emlia.lead.join.timing",) if waits else ()


def split_options(moment: Moment, unit: int) -> list[Order]:
    """Return the orders to split each friendly unit with subunits, and each with members.

    The number has one bit for each subunit that becomes the new unit. A plain unit has
    no number: its division is asked for when the order is carried out.
    """
    if _may_lead(moment, unit, "split unit") is not None:
        return []
    return [
        Order(verb="split-unit", unit=unit, target=subject, number=number)
        for subject in subjects_of(moment, unit)
        if may_target(moment, unit, "split unit", subject) is None
        and may_split(moment, unit, subject) is None
        for number in _divisions(len(parts_of(moment, subject)))
    ]


def has_parts_to_split(offer: LazyOptions) -> bool:
    """Return whether any unit that can be split has subunits."""
    return any(order.number is not None for order in offer.of("split-unit"))


def may_split(moment: Moment, unit: int, subject: int) -> Refusal | None:
    """Return a unit of the same side that is made of several, or of several members."""
    units = moment.state.units
    if units.integer("side", unit) != units.integer("side", subject):
        return Refusal("emlia.lead.split", "they are on different sides")
    if len(parts_of(moment, subject)) < 2:
        return may_be_divided(moment, subject)
    return None


def _divisions(parts: int) -> Sequence[int | None]:
    """Return the subunits that may leave the first, one bit each; None for a unit without any."""
    if parts < 2:
        return [None]
    if parts <= _MOST_PARTS:
        return [number for number in range(2, 1 << parts) if not number & 1]
    return [*(1 << part for part in range(1, parts)), (1 << parts) - 2]


class SplitValidator:
    """Every friend that a unit can split, a mixed one between its subunits in every way."""

    def __init__(self, moment: Moment, unit: int) -> None:
        self._moment = moment
        self._unit = unit

    def for_moment(self, moment: Moment) -> SplitValidator:
        """Return the same reach in the battle as the unit's side knows it."""
        return SplitValidator(moment, self._unit)

    def refusal(self, order: Order) -> Refusal | None:
        """Return why the unit cannot give this order, or None if it can.

        order : `number` has one bit for each subunit of `target` that leaves the first
        """
        battle, unit, subject, number = self._moment, self._unit, order.target, order.number
        plain = Order(verb="split-unit", unit=unit, target=subject, number=number)
        if order != plain or subject is None or subject not in subjects_of(battle, unit):
            return Refusal("emlia.lead.split", "it cannot split that unit")
        parts = len(parts_of(battle, subject))
        if parts < 2 and number is not None:
            return Refusal("emlia.lead.split", "it has no subunits")
        if parts >= 2 and (number is None or number & 1 or not 0 < number < 1 << parts):
            return Refusal("emlia.lead.split", "some subunits leave and the first one stays")
        return (
            _may_lead(battle, unit, "split unit")
            or may_target(battle, unit, "split unit", subject)
            or may_split(battle, unit, subject)
        )


@rule("emlia.lead.split")
def split(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Leadership: one success, and the unit becomes two, each with a leader chosen as normal.

    The part that the source is in goes on with its activation; the other activates as normal,
    without the actions that have been taken.
    """
    subject, number = order.target, order.number
    assert subject is not None
    attempt = try_of(battle, order)
    check = attempt.roll(battle, "split unit")
    changes: list[Change] = [*used_by(battle, unit, "split unit")]
    if subject != unit:
        changes.append(acted_on(battle, unit, subject))
    facts = facts_of(check)
    if check.succeeded:
        if number is None:
            one_way = battle.state.units.integer("members", subject) == 2
            reach = None if one_way else DivideValidator(battle, subject)
            options = ways(battle, subject)
            way = yield from chosen(battle, subject, "emlia.lead.split", options, reach)
            rows, (new, division) = [], divided(battle, subject, way)
            facts |= {"part": battle.setup.units[new].name}
        else:
            rows = [row for bit, row in enumerate(parts_of(battle, subject)) if number >> bit & 1]
            new, division = parted(battle, subject, rows)
        changes += division
        if subject == unit:
            idle = unit if leading_part(battle, unit) in rows else new
            spent = battle.state.units.integer("free_used", unit) | free_bit("split unit")
            changes += [
                *(
                    Set(table="unit", row=row, column="free_used", value=spent)
                    for row in (unit, new)
                ),
                Set(table="unit", row=idle, column="activated", value=0),
                Set(table="unit", row=idle, column="resumes", value=1),
            ]
    yield Event(
        facts=(Split if check.succeeded else FailedToSplit)(**facts),
        unit=unit,
        target=subject,
        gesture="rally" if check.succeeded else "none",
        because=attempt.because(battle, order, check, "emlia.lead.leader.choice"),
        changes=tuple(changes),
    )


JOIN = Deed(verbs=("join-units",), options=join_options, perform=join, without_orders=True)
SPLIT = Deed(
    verbs=("split-unit",), options=split_options, perform=split, validator=SplitValidator,
    validated=True, without_orders=True,
)  # fmt: skip
