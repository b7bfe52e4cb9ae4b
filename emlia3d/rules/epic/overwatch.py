"""Overwatch: fire after an enemy move, before the enemy continues."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.events import OverwatchEnded, WentOnOverwatch
from emlia3d.rules.epic.formations import cell, is_broken, units_of
from emlia3d.rules.epic.shooting import fire_at, firing_guns
from emlia3d.rules.rulebook import rule

NOT_ON_OVERWATCH = 0


@rule("epic.overwatch.enter")
def enter(leader: int, turn: int) -> Event:
    """Return the event by which a formation goes on overwatch; it stays still."""
    return Event(
        facts=WentOnOverwatch(),
        unit=leader,
        because=("epic.overwatch.enter",),
        changes=(cell(leader, "overwatch", turn),),
    )


@rule("epic.overwatch.lost")
def leave(leader: int) -> Event:
    """Return the event by which a formation ends its overwatch without fire."""
    return Event(
        facts=OverwatchEnded(),
        unit=leader,
        because=("epic.overwatch.lost",),
        changes=(cell(leader, "overwatch", NOT_ON_OVERWATCH),),
        part_of_last=True,
    )


@rule("epic.overwatch.lasts")
def is_on_overwatch(moment: Moment, leader: int) -> bool:
    """Return whether a formation is on overwatch: until it fires or acts, across rounds."""
    return moment.state.units.integer("overwatch", leader) != NOT_ON_OVERWATCH


@rule("epic.overwatch.next-round")
def uses_up_action(entered: int, turn: int) -> bool:
    """Return whether the shot is the action of this round, because overwatch began earlier."""
    return entered < turn


@rule("epic.overwatch.trigger")
def may_fire(moment: Moment, mover: int) -> list[int]:
    """Return the formations on overwatch that can fire at an enemy after its move."""
    side = int(units_of(moment).side[mover])
    return [
        leader
        for leader in units_of(moment).formations(1 - side)
        if is_on_overwatch(moment, leader) and firing_guns(moment, leader, mover)
    ]


@rule("epic.overwatch.procedure")
def overwatch_modifier() -> int:
    """Return the modifier of dice on overwatch; otherwise the rules of shooting apply."""
    return 0


@rule("epic.overwatch.interrupt")
def goes_on(moment: Moment, mover: int) -> bool:
    """Return whether a formation continues its action after overwatch fire."""
    return bool(units_of(moment).of_formation(mover)) and not is_broken(moment, mover)


def interrupt(battle: Battle, mover: int) -> Procedure[bool]:
    """Let enemies on overwatch fire at a formation; return whether it continues its action."""
    if not goes_on(battle, mover):
        return False
    side = 1 - int(units_of(battle).side[mover])
    while goes_on(battle, mover) and (ready := may_fire(battle, mover)):
        order = yield Decision(
            side=side,
            asks="epic.overwatch.trigger",
            options=(
                *(Order(verb="overwatch fire", unit=leader, target=mover) for leader in ready),
                Order(verb="wait"),
            ),
        )
        if order.unit is None:
            break
        leader, turn = order.unit, battle.state.turn
        entered = battle.state.units.integer("overwatch", leader)
        changes: list[Change] = [cell(leader, "overwatch", NOT_ON_OVERWATCH)]
        if uses_up_action(entered, turn):
            changes.append(cell(leader, "acted", 1))
        yield Event(
            facts=OverwatchEnded(),
            unit=leader,
            because=("epic.overwatch.lasts",),
            changes=tuple(changes),
            part_of_last=True,
        )
        yield from fire_at(battle, leader, mover, overwatch_modifier())
    return goes_on(battle, mover)
