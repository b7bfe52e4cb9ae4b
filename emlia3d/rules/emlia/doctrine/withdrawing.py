"""How the doctrine commander gets units out of fights, and has others cover their going."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Decision, Order
from emlia3d.force.facing import facing_towards
from emlia3d.rules.emlia.doctrine.appraisal import Role, melee_odds, role_of
from emlia3d.rules.emlia.doctrine.manoeuvring import best_way
from emlia3d.rules.emlia.play.engagement.contact import engaged_by
from emlia3d.rules.emlia.play.leadership.mixed import members_of_all
from emlia3d.rules.emlia.play.movement.allowance import speed_of
from emlia3d.rules.emlia.play.resolution.compulsion import is_compelled
from emlia3d.rules.emlia.play.sight.lie import lie_of
from emlia3d.rules.emlia.play.turn.picture import Picture

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_HOPELESS = 0.35
"""The odds hand to hand below which a unit rather leaves."""

_ELSEWHERE = {Role.GUNS, Role.GENERAL, Role.SKIRMISH}
"""Those whose place is not in a fight hand to hand, unless they win it."""


def order(
    picture: Picture, decision: Decision, unit: int, by_verb: Mapping[str, list[Order]]
) -> Order | None:
    """To break free, to keep the enemy busy while others go, or to go; None for another order."""
    battle = picture.battle
    foes = [foe for foe in engaged_by(battle, unit) if foe in picture.known]
    if not foes:
        return None
    worst = min(melee_odds(battle, unit, foe) for foe in foes)
    leaves = _wants_out(battle, unit, worst)
    free = any(source == unit for source, _ in battle.state.pairs["barred"])
    if leaves and free:
        return _away(picture, decision, unit, foes)
    if "disengage" not in by_verb:
        return None
    if leaves:
        return replace(by_verb["disengage"][0], why=f"at {worst:.1f} to 1, get away from here")
    if worst < 1 and _others_go(picture, unit, foes):
        return replace(by_verb["disengage"][0], why="keep them busy while the others get away")
    return None


def _wants_out(battle: Battle, unit: int, odds: float) -> bool:
    """Whether a unit that still can had better be elsewhere."""
    if battle.state.units.value("move_used", unit) or not speed_of(battle, unit):
        return False
    return odds < (1.0 if role_of(battle, unit) in _ELSEWHERE else _HOPELESS)


def _away(picture: Picture, decision: Decision, unit: int, foes: list[int]) -> Order | None:
    """Straight away from the nearest enemy."""
    battle, lie = picture.battle, lie_of(picture.battle)
    foe = min(foes, key=lambda one: (lie.distance(unit, one), one))
    (x, y), (fx, fy) = lie.centre(unit), lie.centre(foe)
    way = facing_towards(x - fx, y - fy)
    return best_way(battle, decision, unit, way, "move", speed_of(battle, unit), "get away")


def _others_go(picture: Picture, unit: int, foes: list[int]) -> bool:
    """Whether a friend who fights the same enemies has yet to run."""
    battle = picture.battle
    return any(
        other != unit
        and not battle.state.units.value("activated", other)
        and is_compelled(battle, other)
        and any(foe in foes for foe in engaged_by(battle, other))
        for other in picture.own
    )


def bar(picture: Picture, decision: Decision) -> Order:
    """The enemies who are most, as they would strike hardest."""

    def most(one: Order) -> tuple[int, int]:
        assert one.target is not None
        return members_of_all(picture.battle, one.target), -one.target

    return replace(max(decision.options, key=most), why="they would strike hardest")


def fall_back(picture: Picture, decision: Decision) -> Order:
    """To cover where there is some, else to the general, else to the own lines."""
    battle = picture.battle
    by_verb: dict[str, list[Order]] = {}
    for one in decision.options:
        by_verb.setdefault(one.verb, []).append(one)
    if "to-cover" in by_verb:
        return replace(by_verb["to-cover"][0], why="out of their fire")
    for one in by_verb.get("to-friend", []):
        assert one.target is not None
        if role_of(battle, one.target) is Role.GENERAL:
            return replace(one, why="to the general, who will rally them")
    return replace(decision.options[-1], why="back, and rally there")
