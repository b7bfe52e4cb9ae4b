"""Leaders of the commander: they reorder, improve morale, and lend units their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.formatting import percent
from emlia3d.rules.emlia.basics.numbers import numbers_of
from emlia3d.rules.emlia.columns import LOST
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import Role, rally_chance, role_of
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.retreat.compulsion import is_compelled
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import friends_of
from emlia3d.rules.emlia.play.situation.parts import is_mixed, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.leadership import joined_morale
from emlia3d.rules.emlia.tables.morale import state_of

_WORTH_JOINING = 3
"""Points of morale that a unit must gain by its general's joining it."""

_LIKELY = 0.3
"""Minimum probability of success per die for so costly an action."""


def order(ai: AiContext, unit: int, offered: Offered) -> Order | None:
    """Return an order that reorders, or else improves the lowest morale; only if it can succeed."""
    friends = np.array([unit, *in_need(ai, unit)], dtype=np.intp)
    return (
        _reorder(ai, friends, offered)
        or _take_command(ai, friends, offered)
        or leave(ai, unit, offered)
        or _join(ai, unit, offered)
        or _encourage(ai, unit, friends, offered)
        or _bid_stand(ai, unit, friends, offered)
    )


def in_need(ai: AiContext, unit: int) -> list[int]:
    """Return the friends within a leader's reach that one of its orders could help."""
    battle, units = ai.battle, ai.battle.state.units
    needy = (units["disordered"] != 0) | (units.ints("leader") == LOST)
    needy |= units.ints("morale") <= _low(ai, unit)
    needy &= units["present"] != 0
    reach = numbers_of(battle).command_range
    about = whereabouts_of(battle).about(unit, np.flatnonzero(needy).tolist(), reach)
    friends = set(friends_of(battle, unit)) if about else set[int]()
    return [other for other in about if other in friends]


def _low(ai: AiContext, unit: int) -> int:
    """Return the morale up to which a leader helps a unit; higher for a general."""
    return 3 if role_of(ai.battle, unit) is Role.GENERAL else 0


def braced(ai: AiContext, decision: Decision) -> Order:
    """Return the order that stops a compelled unit if it can succeed, else the last option."""
    assert decision.unit is not None
    if not is_compelled(ai.battle, decision.unit):
        return decision.options[-1]
    for one in decision.options:
        own = one.verb == "ignore-initiative" and one.target == decision.unit
        if own and rally_chance(ai.battle, one) > 0:
            return replace(one, why=f"ignores its initiative conditions: {_chance(ai, one)}")
    return decision.options[-1]


def _hopeful(
    ai: AiContext, offered: Offered, verb: str, units: NDArray[np.intp]
) -> Iterator[tuple[Order, int]]:
    """Yield the orders of a verb about *units* that may succeed, each with its unit.

    Without such units the options are not computed.
    """
    orders = offered.get(verb, ()) if len(units) else ()
    asked = [(one, one.target) for one in orders if one.target is not None and one.target in units]
    if asked:
        sources = sorted({one.unit for one, _ in asked if one.unit is not None})
        sight_cache_of(ai.battle).look([target for _, target in asked], sources)
    for one, target in asked:
        if rally_chance(ai.battle, one) > 0:
            yield one, target


def _reorder(ai: AiContext, friends: NDArray[np.intp], offered: Offered) -> Order | None:
    disordered = ai.battle.state.units["disordered"][friends] != 0
    for one, friend in _hopeful(ai, offered, "reorder", friends[disordered]):
        why = f"reorders {ai.name(friend)}: {_chance(ai, one)}"
        return replace(one, why=why)
    return None


def _take_command(ai: AiContext, friends: NDArray[np.intp], offered: Offered) -> Order | None:
    leaderless = ai.battle.state.units.ints("leader")[friends] == LOST
    for one, friend in _hopeful(ai, offered, "take-command", friends[leaderless]):
        why = f"takes command of {ai.name(friend)}, which has no leader: {_chance(ai, one)}"
        return replace(one, why=why)
    return None


def _join(ai: AiContext, unit: int, offered: Offered) -> Order | None:
    """Return the order of a general to join a shaken unit, which raises its morale at once."""
    battle = ai.battle
    if role_of(battle, unit) is not Role.GENERAL or is_mixed(battle, unit):
        return None
    morale = battle.state.units.ints("morale")

    def gain(one: Order) -> tuple[int, int]:
        assert one.target is not None
        then = joined_morale(int(morale[unit]), int(morale[one.target]))
        return then - int(morale[one.target]), -one.target

    joins = [
        one
        for one in offered.get("join-units", [])
        if one.number is None
        and one.target is not None
        and morale[one.target] <= 0
        and role_of(battle, one.target) in {Role.LINE, Role.CAVALRY}
        and rally_chance(battle, one) >= _LIKELY
    ]
    best = max(joins, key=gain, default=None)
    if best is None or gain(best)[0] < _WORTH_JOINING:
        return None
    assert best.target is not None
    now = int(morale[best.target])
    why = (
        f"joins {ai.name(best.target)}, whose morale rises from {now} to "
        f"{now + gain(best)[0]}: {_chance(ai, best)}"
    )
    return replace(best, why=why)


def leave(ai: AiContext, unit: int, offered: Offered) -> Order | None:
    """Return the order of a general to leave a steady unit when others need it."""
    battle = ai.battle
    morale = battle.state.units.ints("morale")
    parts = parts_of(battle, unit)
    if morale[unit] < _WORTH_JOINING or len(parts) < 2:
        return None
    troubled = [one for one in ai.own if one != unit and morale[one] <= 0]
    if not troubled:
        return None
    for one in offered.get("split-unit", []):
        if one.target != unit:
            continue
        leaving = [part for bit, part in enumerate(parts) if (one.number or 0) >> bit & 1]
        staying = [part for part in parts if part not in leaving]
        generals = [role_of(battle, part) is Role.GENERAL for part in leaving]
        alone = leaving and all(generals)
        if alone and staying and rally_chance(battle, one) >= _LIKELY:
            why = f"rides on to {ai.name(troubled[0])}, because {ai.name(unit)} is steady again"
            return replace(one, why=f"{why}: {_chance(ai, one)}")
    return None


def _encourage(
    ai: AiContext, unit: int, friends: NDArray[np.intp], offered: Offered
) -> Order | None:
    """Return the order that improves the lowest morale; a general improves any morale."""
    battle, situation = ai.battle, situation_of(ai.battle)
    general = role_of(battle, unit) is Role.GENERAL
    morale = battle.state.units.ints("morale")
    led = friends if situation.entry(unit).skill("leadership") is not None else friends[:1]
    low = [
        friend
        for friend in led[morale[led] <= _low(ai, unit)].tolist()
        if morale[friend] < situation.entry(friend).morale
    ]
    wavering = [
        found
        for verb in ("improve-morale-primary", "improve-morale")
        for found in _hopeful(ai, offered, verb, np.array(low, dtype=np.intp))
    ]
    if not wavering or ("fire" in offered and not general):
        return None
    lowest, _ = min(wavering, key=lambda found: (int(morale[found[1]]), found[1]))
    why = f"improves morale of {_bearing(ai, lowest)}: {_chance(ai, lowest)}"
    return replace(lowest, why=why)


def _bid_stand(
    ai: AiContext, unit: int, friends: NDArray[np.intp], offered: Offered
) -> Order | None:
    low = ai.battle.state.units.ints("morale")[friends] < np.where(friends == unit, 1, 0)
    for one, _ in _hopeful(ai, offered, "ignore-initiative", friends[low]):
        return replace(one, why=f"makes {_bearing(ai, one)} ignore initiative: {_chance(ai, one)}")
    return None


def _bearing(ai: AiContext, one: Order) -> str:
    """Return the words for the subject of an order and its morale state."""
    assert one.target is not None
    morale = ai.battle.state.units.integer("morale", one.target)
    return f"{ai.name(one.target)}, {state_of(morale).name.lower()} at morale {morale}"


def _chance(ai: AiContext, one: Order) -> str:
    return f"{percent(rally_chance(ai.battle, one))} a die"
