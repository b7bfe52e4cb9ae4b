"""The activation of a formation: declaration, test and action."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.actions import (
    action_after_test,
    action_named,
    action_value,
    declarable,
    may_act,
    may_declare_engage,
    moving_actions,
    passes,
)
from emlia3d.rules.epic.assault import charge_reaches
from emlia3d.rules.epic.assault_procedure import assault
from emlia3d.rules.epic.core import roll
from emlia3d.rules.epic.events import ActionDone, ActionTested
from emlia3d.rules.epic.formations import (
    actions_in_cohesion,
    cell,
    in_cohesion,
    is_broken,
    shock_of,
    units_of,
)
from emlia3d.rules.epic.movement import must_leave
from emlia3d.rules.epic.overwatch import enter, is_on_overwatch, leave
from emlia3d.rules.epic.rallying import regroup
from emlia3d.rules.epic.shock import check_broken, is_effective, shock_from, take_shock
from emlia3d.rules.epic.shooting import shoot, targets_of
from emlia3d.rules.epic.transport.boarding import move_with_carriers
from emlia3d.rules.epic.unit_set import side_game


def ready(moment: Moment, side: int) -> list[int]:
    """Return the formations of a side that can be selected, by their leaders."""
    units = moment.state.units
    return [
        leader
        for leader in units_of(moment).formations(side)
        if may_act(
            acted=bool(units.value("acted", leader)),
            broken=not is_effective(broken=is_broken(moment, leader)),
        )
    ]


def declarations(moment: Moment, leader: int) -> tuple[Order, ...]:
    """Return the actions that a formation can declare, with Engage for each target in reach."""
    units = units_of(moment)
    whole = in_cohesion(moment, leader) and not must_leave(moment, leader)
    found: list[Order] = []
    for action in actions_in_cohesion(declarable(), moving_actions(), whole=whole):
        if action != "engage":
            found.append(Order(verb=action, unit=leader))
            continue
        found += [
            Order(verb=action, unit=leader, target=foe)
            for foe in units.formations(1 - int(units.side[leader]))
            if may_declare_engage(charge_reaches(moment, leader, foe))
        ]
    return tuple(found)


def activate(
    battle: Battle, leader: int, *, retaining: bool, done: tuple[Change, ...] = ()
) -> Procedure[None]:
    """Ask for a formation's action, test, and carry it out.

    done : changes of the battle after the action
    """
    side = int(units_of(battle).side[leader])
    order = yield Decision(
        side=side,
        asks="epic.action.declare",
        unit=leader,
        options=declarations(battle, leader),
    )
    cr = side_game(battle.setup, side).cr
    value = action_value(cr, shock_of(battle, leader), retaining=retaining)
    (face,) = roll(battle.dice, "epic.action.test", 1)
    passed = passes(face, value)
    yield Event(
        facts=ActionTested(action=order.verb, face=face, value=value, passed=passed),
        unit=leader,
        because=("epic.action.test", "epic.action.declare"),
        changes=(
            cell(leader, "acted", 1),
            cell(leader, "marched", int(passed and order.verb == "march")),
            cell(leader, "aim", (action_named(order.verb).to_hit or 0) if passed else 0),
        ),
    )
    if is_on_overwatch(battle, leader):
        yield leave(leader)
    if not passed:
        yield from take_shock(battle, leader, shock_from(0, failed=True))
        yield from check_broken(battle, leader)
    broken = is_broken(battle, leader)
    action = action_after_test(order.verb, passed=passed, broken=broken)
    if action is not None:
        yield from perform(battle, leader, action, order.target)
    yield Event(facts=ActionDone(), unit=leader, changes=done, part_of_last=True)


def perform(battle: Battle, leader: int, action: str, target: int | None) -> Procedure[None]:
    """Carry out an action."""
    row = action_named(action)
    if action == "engage":
        assert target is not None
        yield from assault(battle, leader, target)
        return
    if action == "overwatch":
        yield enter(leader, battle.state.turn)
        return
    does = "all"
    if row.one_of:
        does = yield from _one_of(battle, leader, action)
    if does in {"all", "move"}:
        for number in range(row.moves):
            if not (yield from move_with_carriers(battle, leader, first=not number)):
                return
    if does in {"all", "shoot"} and row.to_hit is not None:
        yield from shoot(battle, leader, row.to_hit)
    if does == "regroup" or (row.regroups and units_of(battle).of_formation(leader)):
        yield from regroup(battle, leader)


def _one_of(battle: Battle, leader: int, action: str) -> Procedure[str]:
    """Ask which part of an action a formation carries out, if it must choose."""
    verbs = ["move"]
    if in_cohesion(battle, leader) and not must_leave(battle, leader):
        if targets_of(battle, leader):
            verbs.append("shoot")
        if action == "hold":
            verbs.append("regroup")
    order = yield Decision(
        side=int(units_of(battle).side[leader]),
        asks="epic.action.fail" if action == "hold" else "epic.act.marshal",
        unit=leader,
        options=tuple(Order(verb=f"choose {verb}", unit=leader) for verb in verbs),
    )
    return order.verb.removeprefix("choose ")
