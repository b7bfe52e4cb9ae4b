"""Emlia, chapter 21.6 as play: what low morale makes a unit do.

Morale conditions come before a player's orders (`emlia.orders.morale-priority`). A unit that is
engaged tries to disengage first, unless it is routed.

Holds `emlia.orders.morale-priority` and `emlia.orders.leftover`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

import shapely

from emlia3d.battle.changes import Change, Set
from emlia3d.battle.decisions import Decision, LazyOptions, Order, Procedure
from emlia3d.battle.decisions import OptionGroup as Options
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.actions import ActionType
from emlia3d.rules.emlia.events.movement import DidNotGetAway, FellBack, Fled, LeftTheField
from emlia3d.rules.emlia.play.acting.actions import used
from emlia3d.rules.emlia.play.combat import free_strike
from emlia3d.rules.emlia.play.combat.disengage import disengage, may_disengage
from emlia3d.rules.emlia.play.morale.leading import withdrawn
from emlia3d.rules.emlia.play.movement.closeness import conduct
from emlia3d.rules.emlia.play.movement.stampede import run_through
from emlia3d.rules.emlia.play.retreat import fallback_goals
from emlia3d.rules.emlia.play.retreat.retreat_path import way_home
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.contact import engaged_by, friends_of
from emlia3d.rules.emlia.play.situation.pose import placed
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.morale import MoraleState
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

_PACES = {"Falling Back": 1, "Retreating": 2, "Routed": 2}
_AT_LINES = 1.0
"""GSU from its lines at which a unit is there."""


def is_compelled(moment: Moment, unit: int) -> bool:
    """Return whether morale makes the unit go back: at -1 or worse, until its point of lines.

    The unit's own morale conditions may decide otherwise.
    """
    units = moment.state.units
    if units.value("ignoring", unit) or conduct(moment, unit).name not in _PACES:
        return False
    return not at_lines_point(moment, unit) and speed_of(moment, unit) > 0


@rule("emlia.morale.lines-point", "emlia.castle.lines")
def at_lines_point(moment: Moment, unit: int) -> bool:
    """Return whether a unit has reached own lines that are a point; it then acts as Shaken."""
    lines = moment.setup.lines_of(unit)
    if isinstance(lines, str):
        return False
    return float(situation_of(moment).outline(unit).distance(shapely.Point(lines))) <= _AT_LINES


@rule("emlia.orders.morale-priority", "emlia.orders.leftover", "emlia.orders.override")
def obey(battle: Battle, unit: int) -> Procedure[None]:
    """Move a retreating unit back, by its morale state.

    Enemies that engage it may strike it as it goes. Where no way leads back it stays, and as
    nothing was done has nothing left over.
    """
    if not is_compelled(battle, unit):
        return
    state = conduct(battle, unit)
    engaged = bool(engaged_by(battle, unit)) and state.name != "Routed"
    if engaged and may_disengage(battle, unit) is None:
        freed = yield from disengage(battle, unit)
        if not freed:
            yield _held(unit, state)
            return
    paces = 1 if engaged else _PACES[state.name]
    fallback = yield from _fallback_goal(battle, unit, state, paces)
    if fallback is None:
        return
    yield from free_strike.provoked(battle, unit, fallback.end, fallback.way)
    if battle.state.units.value("present", unit):
        yield _back(battle, unit, state, fallback, paces)


def _held(unit: int, state: MoraleState) -> Event:
    """Return a unit that could not disengage stays."""
    return Event(
        facts=DidNotGetAway(),
        unit=unit,
        because=(state.slug, "emlia.disengage.failure"),
        changes=(
            *used(unit, ActionType.MOVE),
            Set(table="unit", row=unit, column="leftover", value=1),
        ),
        part_of_last=True,
    )


@rule("emlia.morale.routed", "emlia.morale.retreating")
def _fallback_goal(
    battle: Battle, unit: int, state: MoraleState, paces: int
) -> Procedure[fallback_goals.FallbackGoal | None]:
    """Return where the unit goes; None if it stays.

    Routed and retreating units go as far as they can towards their own lines, routed units
    through friend and foe. If retreating units could only go closer to the enemy, they act like
    units that fall back.
    """
    if state.name != "Falling Back":
        home = way_home(battle, unit, paces, routed=state.name == "Routed")
        if home is not None or state.name == "Routed":
            return home
    return (yield from _fall_back(battle, unit))


@rule("emlia.morale.falling-back")
def _fall_back(battle: Battle, unit: int) -> Procedure[fallback_goals.FallbackGoal | None]:
    """To the nearest cover, to a friendly unit, or to its own lines, as its player wants."""
    home = way_home(battle, unit, 1, routed=False)
    found: dict[Order, fallback_goals.FallbackGoal] = {}

    def noted(choices: Iterable[fallback_goals.FallbackGoal | None]) -> Iterator[Order]:
        for choice in filter(None, choices):
            found[choice.order] = choice
            yield choice.order

    def friends_among(orders: Sequence[Order]) -> list[Order]:
        friends = friends_of(battle, unit)
        asked = (order.target for order in orders if order.target in friends)
        return [*noted(fallback_goals.friend_for(battle, unit, friend) for friend in asked)]

    # A unit may have a hundred friends: a way is searched only when one is asked for.
    kinds = (
        Options(
            verbs=("to-cover",), generate=lambda: noted(fallback_goals.cover_for(battle, unit))
        ),
        Options(
            verbs=("to-friend",),
            generate=lambda: noted(fallback_goals.friends_for(battle, unit)),
            among=friends_among,
        ),
        Options(verbs=("to-lines",), generate=lambda: noted([home])),
    )
    offer = LazyOptions(kinds, by_kind=False)
    listed = map(offer.each, ("to-lines", "to-cover", "to-friend"))
    some = [*islice(chain.from_iterable(listed), 2)]
    if len(some) < 2:
        return found[some[0]] if some else None
    order = yield Decision(
        side=battle.state.units.integer("side", unit),
        asks="emlia.morale.falling-back",
        unit=unit,
        options=offer,
    )
    return found[order]


def _back(
    moment: Moment, unit: int, state: MoraleState, fallback: fallback_goals.FallbackGoal, paces: int
) -> Event:
    """Return the move as it is made."""
    changes: list[Change] = [
        *placed(moment, unit, fallback.end),
        *used(unit, ActionType.MOVE),
        Set(table="unit", row=unit, column="leftover", value=1),
        Set(table="unit", row=unit, column="moved", value=1),
        *run_through(moment, unit, fallback.way),
    ]
    if paces == 2:
        changes.append(Set(table="unit", row=unit, column="double_paced", value=1))
    because = [state.slug, *_back_because(moment, unit, state, fallback)]
    if fallback.leaves:
        changes += withdrawn(moment, unit)
        because += ["emlia.move.leave", "emlia.scenario.own-lines"]
    routed = state.name == "Routed"
    return Event(
        facts=(LeftTheField if fallback.leaves else Fled if routed else FellBack)(
            state=state.name, path=tuple((pose.x, pose.y) for pose in fallback.way)
        ),
        unit=unit,
        gesture="vanish" if fallback.leaves else "march",
        because=tuple(because),
        changes=tuple(changes),
    )


def _back_because(
    moment: Moment, unit: int, state: MoraleState, fallback: fallback_goals.FallbackGoal
) -> Iterator[str]:
    """Yield the rules of where a unit in retreat goes."""
    parts = situation_of(moment).parts(unit)
    if any(situation_of(moment).entry(part).initiative for part in parts):
        yield "emlia.orders.morale-priority"
    homeward = fallback.order.verb not in {"to-cover", "to-friend"}
    key = state.name.lower().replace(" ", "-")
    yield f"emlia.morale.{key if homeward else 'falling-back'}"
    if homeward:
        yield "emlia.morale.lines"
    if state.name != "Routed":
        yield "emlia.morale.not-closer"
