"""Emlia, chapter 20 as play: Conceal Self, Detect Hidden Entity and Pass Awareness.

The tables are in `emlia3d.rules.emlia.tables.awareness`. No question reveals
hidden facts: a search without a named subject is always legal, and looks for the enemy that its
side does not know and the unit is likeliest to find. Looking for an enemy is nothing that others
could see of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from emlia3d.battle.changes import Change, Pair, Set
from emlia3d.battle.decisions import Order, Procedure, Refusal
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import ALL_FREE_ACTIONS, ActionType
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.numbers import in_force
from emlia3d.rules.emlia.basics.tables import UNMODIFIED
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.events.awareness import (
    Detected,
    FailedToHide,
    Hid,
    LookedAbout,
    PassedAwareness,
    Searched,
    WasNotUnderstood,
)
from emlia3d.rules.emlia.play.acting.actions import Deed, may_take, used_by
from emlia3d.rules.emlia.play.acting.checks import attempt_of, facts_of, total_modifier
from emlia3d.rules.emlia.play.acting.subjects import may_do, may_target
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.free_actions.search_reasons import (
    hiding_because,
    passing_because,
    search_because,
)
from emlia3d.rules.emlia.play.morale.leading import leader_of, subjects_of
from emlia3d.rules.emlia.play.sight.awareness import (
    acted_on,
    found,
    is_aware,
    unaware_of_some,
    unknown_to,
)
from emlia3d.rules.emlia.play.sight.sight_cache import level_on, sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import bearing, enemies_of
from emlia3d.rules.emlia.play.situation.parts import head_of, on_field
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.awareness import (
    CONCEAL,
    DETECT,
    HidingIntent,
    SearchFacts,
    conceal_modifier,
    detect_modifier,
    may_find,
    threshold,
)
from emlia3d.rules.emlia.tables.skills import expected_successes, roll_check
from emlia3d.rules.emlia.unit_sets.abilities import has_senses
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from fractions import Fraction

    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

_CONCEAL = {
    "conceal-self-only": (HidingIntent.NOTHING_ELSE, (ActionType.MOVE, ActionType.PRIMARY)),
    "conceal-self": (HidingIntent.FREE_ACTIONS, (ActionType.MOVE, ActionType.PRIMARY)),
    "conceal-self-move": (HidingIntent.BOTH, (ActionType.MOVE,)),
    "conceal-self-primary": (HidingIntent.BOTH, (ActionType.PRIMARY,)),
}
"""The declaration and the cost of each order."""

_PASS = {
    "pass-awareness-free": ActionType.FREE,
    "pass-awareness-primary": ActionType.PRIMARY,
    "pass-awareness": ActionType.MOVE,
}


def conceal_options(moment: Moment, unit: int) -> list[Order]:
    """Return the ways of hiding that are open to a unit with dice for it."""
    if not attempt_of(moment, unit, "conceal self").dice:
        return []
    open_to = [verb for verb in _CONCEAL if may_declare(moment, unit, verb) is None]
    if not open_to or may_conceal(moment, unit) is not None:
        return []
    return [Order(verb=verb, unit=unit) for verb in open_to]


def may_declare(moment: Moment, unit: int, verb: str) -> Refusal | None:
    """Return the actions that it uses are left; "nothing else" also needs that nothing was done."""
    intent, kinds = _CONCEAL[verb]
    if (
        ActionType.PRIMARY in kinds
        and ActionType.MOVE in kinds
        and moment.state.units.value("move_used", unit)
    ):
        return Refusal("emlia.activate.two-actions", "it has used its move action")
    for kind in kinds:
        if (refusal := may_do(moment, unit, "conceal self", kind)) is not None:
            return refusal
    units = moment.state.units
    if intent is HidingIntent.NOTHING_ELSE and (
        units.value("free_used", unit) or units.value("delayed", unit)
    ):
        return Refusal("emlia.aware.conceal-self.mod.nothing-else", "it has already acted")
    return None


def may_conceal(moment: Moment, unit: int) -> Refusal | None:
    """At least partial concealment from some unit on the field, friend or foe."""
    if any(other != unit and level_on(moment, other, unit) for other in on_field(moment)):
        return None
    return Refusal("emlia.aware.conceal-self", "no unit on the field is hindered from seeing it")


@rule("emlia.aware.conceal-self", "emlia.aware.conceal-self.count", "emlia.aware.friends")
def conceal_self(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Roll Stealth: one success hides the unit from all enemies that do not see it plainly.

    Friends know the plan. A search must exceed the recorded successes.
    """
    intent, kinds = _CONCEAL[order.verb]
    if order.verb == "conceal-self-move":
        yield from free_strike.provoked(battle, unit, pose_of(battle, unit))
        if not battle.state.units.value("present", unit):
            return
    tried = attempt_of(battle, unit, "conceal self")
    rows = conceal_modifier(intent, in_force(battle, CONCEAL))
    modifier = total_modifier(battle, unit, rows, tried)
    check = roll_check("emlia.aware.conceal-self", tried.dice, modifier.total, battle.dice)
    changes: list[Change] = [
        change for kind in kinds for change in used_by(battle, unit, "conceal self", kind)
    ]
    if intent is HidingIntent.NOTHING_ELSE:
        changes.append(Set(table="unit", row=unit, column="free_used", value=ALL_FREE_ACTIONS))
    if check.succeeded:
        kept = battle.state.units.integer("hid", unit) + check.successes
        changes.append(Set(table="unit", row=unit, column="hid", value=kept))
        changes += _lost_from_view(battle, unit)
    yield Event(
        facts=(Hid if check.succeeded else FailedToHide)(intent=intent.value, **facts_of(check)),
        unit=unit,
        because=(
            *hiding_because(battle, unit, tried, check, modifier, changes),
            *modifier.because,
        ),
        changes=tuple(changes),
    )


def _lost_from_view(moment: Moment, unit: int) -> list[Change]:
    changes: list[Change] = []
    sight_cache_of(moment).look(enemies_of(moment, unit), [unit])
    for foe in enemies_of(moment, unit):
        if level_on(moment, foe, unit) is not Level.NONE:
            changes.append(Pair(column="hidden", a=foe, b=unit, value=1))
        if (foe, unit) in moment.state.pairs["acquired"]:
            changes.append(Pair(column="acquired", a=foe, b=unit, value=None))
    return changes


def detect_options(moment: Moment, unit: int) -> Iterator[Order]:
    """Yield a general search, and a search for each enemy that others of the side know."""
    if may_take(moment, unit, "detect hidden") is not None:
        return
    if not attempt_of(moment, unit, "detect hidden").dice:
        return
    yield Order(verb="detect-hidden", unit=unit)
    unknown = unknown_to(moment, unit)
    named = [foe for foe in enemies_of(moment, unit) if foe not in unknown]
    sight_cache_of(moment).look([unit], named)
    for foe in named:
        if may_detect(moment, unit, foe) is None:
            yield Order(verb="detect-hidden", unit=unit, target=foe)


def may_detect(moment: Moment, unit: int, subject: int) -> Refusal | None:
    """Return why a unit may not search for an enemy: it is aware of it, or cannot find it."""
    if (refusal := may_target(moment, unit, "detect hidden", subject)) is not None:
        return refusal
    if has_senses(situation_of(moment).entry(unit).all_abilities):
        return None
    return may_find(search_of(moment, unit, subject))


def likeliest(moment: Moment, unit: int) -> int | None:
    """Return the unknown enemy that a unit finds most easily; None if it can find none."""
    tried, unknown = attempt_of(moment, unit, "detect hidden"), unknown_to(moment, unit)
    sight_cache_of(moment).look([unit], unknown)

    def prospect(subject: int) -> tuple[Fraction, int]:
        search = search_of(moment, unit, subject)
        rows = detect_modifier(search, in_force(moment, DETECT))
        modifier = total_modifier(moment, unit, rows, tried).total
        wanted = threshold(moment.state.units.integer("hid", subject), search.concealment)
        return expected_successes(tried.dice, modifier) - wanted, -subject

    return max(
        (foe for foe in unknown if may_detect(moment, unit, foe) is None),
        key=prospect,
        default=None,
    )


def search_of(moment: Moment, unit: int, subject: int) -> SearchFacts:
    """Return the facts that Detect Hidden Entity requires for one search."""
    situation, units, pairs = situation_of(moment), moment.state.units, moment.state.pairs
    deeds = [deed for deed in pairs["acted_on"] if subject in deed]
    # A unit that has joined another since is known as that unit is.
    here = [other for deed in deeds for other in deed if units.value("present", other)]
    whole = {other: head_of(moment, other) for other in here}
    sight_cache_of(moment).look([unit], sorted({*whole.values()}))

    def known(other: int) -> bool:
        head = whole.get(other)
        return head is not None and is_aware(moment, unit, head)

    return SearchFacts(
        distance=situation.distance(unit, subject),
        concealment=level_on(moment, unit, subject),
        source_size=situation.size(unit),
        subject_size=situation.size(subject),
        was_aware=(unit, subject) in pairs["was_aware"],
        moved=bool(units.value("moved", subject)),
        acted_on_known=any(source == subject and known(other) for source, other in deeds),
        attacked_source=pairs["acted_on"].get((subject, unit), 0) >= Acted.ATTACKED,
        acted_upon=any(other == subject and known(source) for source, other in deeds),
        taking_cover=bool(units.value("taking_cover", subject)),
        arc=bearing(moment, unit, subject),
        subject_unaware=not is_aware(moment, subject, unit),
    )


@rule("emlia.aware.detect")
def detect(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Alertness: the unit is aware of an enemy if its successes exceed those at hiding.

    By one more if it is wholly concealed.
    """
    subject = likeliest(battle, unit) if order.target is None else order.target
    spent = used_by(battle, unit, "detect hidden")
    if subject is None:
        yield Event(facts=LookedAbout(), unit=unit, because=("emlia.aware.detect",), changes=spent)
        return
    search = search_of(battle, unit, subject)
    tried = attempt_of(battle, unit, "detect hidden")
    rows = detect_modifier(search, in_force(battle, DETECT))
    modifier = total_modifier(battle, unit, rows, tried)
    check = roll_check("emlia.aware.detect", tried.dice, modifier.total, battle.dice)
    exceeds = threshold(battle.state.units.integer("hid", subject), search.concealment)
    succeeded = check.successes > exceeds
    yield Event(
        facts=(Detected if succeeded else Searched)(needed=exceeds + 1, **facts_of(check)),
        unit=unit,
        target=subject,
        because=(
            *search_because(battle, unit, subject, search, tried, check, modifier, exceeds),
            *modifier.because,
        ),
        changes=(*spent, *(found(battle, unit, subject) if succeeded else ())),
    )


def pass_options(moment: Moment, unit: int) -> Iterator[Order]:
    """Yield an order for each known enemy that a friend near the unit's leader is not aware of."""
    verbs, friends = _passing(moment, unit)
    foes = enemies_of(moment, unit) if friends else []
    for free, some in groupby(verbs, key=lambda verb: _PASS[verb] is ActionType.FREE):
        asked = [foe for foe in foes if may_be_told_of(moment, unit, foe, free=free)]
        news = _news(moment, unit, friends, asked)
        yield from (Order(verb=verb, unit=unit, target=foe) for verb in some for foe in news)


def among_pass_options(moment: Moment, unit: int, orders: Sequence[Order]) -> list[Order]:
    """Return which of some orders are among those."""
    verbs, friends = _passing(moment, unit)
    foes = set(enemies_of(moment, unit)) if friends else set[int]()
    asked = [
        order
        for order in orders
        if order.verb in verbs
        and order.target in foes
        and order == Order(verb=order.verb, unit=unit, target=order.target)
        and may_be_told_of(moment, unit, order.target, free=_PASS[order.verb] is ActionType.FREE)
    ]
    subjects = [order.target for order in asked if order.target is not None]
    news = _news(moment, unit, friends, subjects)
    return [order for order in asked if order.target in news]


def _passing(moment: Moment, unit: int) -> tuple[list[str], list[int]]:
    """Return the unit's ways of passing awareness, and the friends in hearing."""
    if leader_of(moment, unit) != unit or not attempt_of(moment, unit, "pass awareness").dice:
        return [], []
    verbs = [
        verb
        for verb, kind in _PASS.items()
        if may_take(moment, unit, "pass awareness", kind) is None
    ]
    return verbs, subjects_of(moment, unit)[1:] if verbs else []


def _news(moment: Moment, unit: int, friends: Sequence[int], foes: Sequence[int]) -> list[int]:
    """Return the enemies that a unit is aware of and at least one friend is not."""
    sight_cache_of(moment).look([unit], foes)
    mine = [foe for foe in foes if may_target(moment, unit, "pass awareness", foe) is None]
    is_news = unaware_of_some(moment, friends, mine) if mine else ()
    return [foe for foe, new in zip(mine, is_news, strict=True) if new]


def shot_at(moment: Moment, unit: int, subjects: Iterable[int]) -> list[int]:
    """Return the subjects that the unit has shot at in this activation."""
    acted = moment.state.pairs["acted_on"]
    return [subject for subject in subjects if acted.get((unit, subject)) == Acted.SHOT]


@rule("emlia.aware.pass.free")
def may_be_told_of(moment: Moment, unit: int, subject: int, *, free: bool) -> bool:
    """Return whether a unit may pass on an enemy: free only if it shot at it in this activation."""
    return not free or bool(shot_at(moment, unit, [subject]))


@rule("emlia.aware.pass")
def pass_awareness(battle: Battle, unit: int, order: Order) -> Procedure[None]:
    """Leadership: one success, and all friends within command range know of the enemy."""
    subject, kind = order.target, _PASS[order.verb]
    assert subject is not None
    if kind is ActionType.MOVE:
        yield from free_strike.provoked(battle, unit, pose_of(battle, unit))
        if not battle.state.units.value("present", unit):
            return
    tried = attempt_of(battle, unit, "pass awareness")
    modifier = total_modifier(battle, unit, UNMODIFIED, tried)
    check = roll_check("emlia.aware.pass", tried.dice, modifier.total, battle.dice)
    friends = subjects_of(battle, unit)[1:] if check.succeeded else []
    free = kind is ActionType.FREE
    changes: list[Change] = [
        acted_on(battle, unit, subject),
        *used_by(battle, unit, "pass awareness", kind),
    ]
    for friend in friends:
        changes += found(battle, friend, subject)
    yield Event(
        facts=(PassedAwareness if check.succeeded else WasNotUnderstood)(
            friends=tuple(battle.setup.units[f].name for f in friends), **facts_of(check)
        ),
        unit=unit,
        target=subject,
        because=(
            *passing_because(battle, unit, friends, tried, check, modifier, free=free),
            *modifier.because,
        ),
        changes=tuple(changes),
    )


CONCEAL_SELF = Deed(verbs=tuple(_CONCEAL), options=conceal_options, perform=conceal_self)
DETECT_HIDDEN = Deed(verbs=("detect-hidden",), options=detect_options, perform=detect)
PASS_AWARENESS = Deed(
    verbs=tuple(_PASS), options=pass_options, perform=pass_awareness, among=among_pass_options
)
