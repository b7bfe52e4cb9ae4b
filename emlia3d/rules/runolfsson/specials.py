"""Specials: smoke, cloaks, and models that behave as mindless."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Change, set_cells
from emlia3d.battle.decisions import Order, Procedure, decision_of
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.rulebook import rule
from emlia3d.rules.runolfsson.columns import Turn
from emlia3d.rules.runolfsson.contacts import (
    entry_of,
    is_character,
    is_mindless,
    members_of,
    models_of,
    nearest_foe,
)
from emlia3d.rules.runolfsson.events import Freed, SpecialUsed, StoodStill
from emlia3d.rules.runolfsson.movement import allowance, carry_out, may_move, moves
from emlia3d.rules.runolfsson.phases import may_use_special
from emlia3d.rules.runolfsson.unit_set import Special

EFFECTS: Mapping[Special, str] = {
    "jump": "jumps in a straight line over everything",
    "fly": "no terrain costs and no limit of a move",
    "hover": "no terrain costs and no limit of a move",
    "teleport": "is placed anywhere within its move",
    "breaks speed limit": "no limit of a move",
    "machine": "may run away though fearless, and does not check for it",
    "multi targeting": "may divide its dice among targets",
    "smoke": "puts smoke of 2 inches radius on the table until the end of the turn",
    "cloak": "fire at it has -2 until it attacks",
}

_ACTIVE: tuple[Special, ...] = ("smoke", "cloak")


@rule("runolfsson.special.core-set")
def effect_of(special: Special) -> str:
    """Return the effect of a special in words."""
    return EFFECTS[special]


def specials_phase(battle: Battle) -> Procedure[None]:
    """Ask models to activate their specials, starting with the side that moves first."""
    first = battle.state.battle.integer("first", 0)
    turn = Turn(battle.state.battle.integer("kind", 0))
    for side in (first, 1 - first):
        for unit in models_of(battle).of_side(side):
            ran = bool(battle.state.units.value("ran", unit))
            for special in _ACTIVE:
                has = entry_of(battle.setup, unit).has(special)
                cloaked = special == "cloak" and battle.state.units.value("cloaked", unit)
                if has and not cloaked and may_use_special(turn, ran, is_mindless(battle, unit)):
                    yield from _offer(battle, unit, special)


def _offer(battle: Battle, unit: int, special: Special) -> Procedure[None]:
    models = models_of(battle)
    use = [Order(verb=special, unit=unit)]
    if special == "smoke":
        spots = [models.spot(row) for row in (unit, *models.foes(unit))]
        use = [Order(verb="smoke", unit=unit, point=spot) for spot in dict.fromkeys(spots)]
    options = (Order(verb="use none", unit=unit), *use)
    order = yield decision_of(battle, unit, "runolfsson.phase.specials", options)
    if order.verb == "use none":
        return
    changes: tuple[Change, ...] = set_cells("unit", unit, cloaked=1)
    if order.point is not None:
        changes = (Append(table="smoke", row={"x": order.point[0], "y": order.point[1]}),)
    yield Event(
        facts=SpecialUsed(special=special, at=order.point),
        unit=unit,
        because=("runolfsson.special.core-set", "runolfsson.phase.specials"),
        changes=changes,
    )


# Senseless slaughter


def pick_free_models(battle: Battle) -> Procedure[None]:
    """Ask each side for one model of each unit that acts freely; the others are mindless."""
    setup = battle.setup
    there = models_of(battle).there
    for head in dict.fromkeys(
        setup.leader_of(row) for row in range(len(setup.units)) if there[row]
    ):
        if is_character(setup, head):
            continue
        options = tuple(Order(verb="pick", unit=row) for row in members_of(battle, head))
        order = yield decision_of(battle, head, "runolfsson.special.mindless", options)
        assert order.unit is not None
        free = set_cells("unit", order.unit, free=1)
        slugs = ("runolfsson.super.senseless-slaughter",)
        yield Event(facts=Freed(), unit=order.unit, because=slugs, changes=free)


@rule("runolfsson.special.mindless")
def mindless_move(moment: Moment, unit: int) -> Order | None:
    """Return the move of a mindless model: full speed to the nearest enemy; None to stay."""
    foe = nearest_foe(moment, unit)
    if foe is None or not may_move(moment, unit):
        return None
    x, y = models_of(moment).spot(foe)
    options = [order for order in moves(moment, unit) if order.verb != "stay"]

    def off(order: Order) -> float:
        end = order.point or (order.legs[-1].x, order.legs[-1].y)
        return hypot(end[0] - x, end[1] - y)

    return min(options, key=off, default=None)


def move_mindless(battle: Battle, unit: int) -> Procedure[None]:
    """Move a mindless model without asking its player."""
    order = mindless_move(battle, unit)
    if order is not None:
        yield from carry_out(battle, unit, order, allowance(battle, unit))
    done = set_cells("unit", unit, done=1)
    yield Event(facts=StoodStill(), unit=unit, changes=done, part_of_last=True)
