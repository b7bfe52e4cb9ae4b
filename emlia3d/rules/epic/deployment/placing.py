"""Deployment in play: sides alternately place the formations that a scenario leaves out."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change, set_cells
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rulekit.deployment import Deployed, LeftOut, roll_off, side_to_deploy, waiting
from emlia3d.rules.epic.columns import Phase
from emlia3d.rules.epic.core import roll
from emlia3d.rules.epic.deployment.deployment_strips import (
    SLUG,
    deployment_ends,
    edge_of,
    inward_facing,
)
from emlia3d.rules.epic.formations import cell, put, units_of
from emlia3d.rules.epic.movement import facing_of
from emlia3d.rules.epic.transport.carrying import ride


def formations_waiting(moment: Moment, side: int) -> list[int]:
    """Return the formations that a side must still deploy, by their leaders."""
    leaders = units_of(moment).leader
    return sorted({int(leaders[row]) for row in waiting(moment, side)})


def deploy_next(battle: Battle) -> Procedure[None]:
    """Roll for the side that deploys first, or let a side deploy one formation."""
    if battle.state.battle.integer("phase", 0) == Phase.BEFORE:
        return roll_off(battle, SLUG, roll, phase=Phase.DEPLOYMENT, acts="holder")
    return deploy_formation(
        battle, side_to_deploy(battle, battle.state.battle.integer("holder", 0))
    )


def deploy_formation(battle: Battle, side: int) -> Procedure[None]:
    """Ask a side for a formation, and for the position of each of its units."""
    leaders = formations_waiting(battle, side)
    leader = leaders[0]
    if len(leaders) > 1:
        order = yield Decision(
            side=side,
            asks=SLUG,
            options=tuple(Order(verb="deploy", unit=each) for each in leaders),
        )
        assert order.unit is not None
        leader = order.unit
    rows = [row for row in waiting(battle, side) if units_of(battle).leader[row] == leader]
    beside: tuple[float, float] | None = None
    for number, unit in enumerate(rows):
        rest = tuple(rows[number + 1 :])
        done = () if rest else set_cells("battle", 0, holder=1 - side)
        ends = deployment_ends(battle, unit, rest)
        if ends is None:
            out = cell(unit, "waits", 0), *done
            yield Event(facts=LeftOut(), unit=unit, because=(SLUG,), changes=out)
            continue
        facing = None
        if beside is None:
            order = yield Decision(
                side=side, asks=SLUG, unit=unit, options=ends.options(), validator=ends
            )
            tile, facing = ends.tile_of(order), facing_of(order)
            if order.verb == ends.all_verb:
                assert order.point is not None
                beside, tile = order.point, ends.nearest(order.point)
        else:
            tile = ends.nearest(beside)
        yield _deployed(battle, unit, tile, facing, done)


def _deployed(
    battle: Battle, unit: int, number: int, facing: int | None, done: tuple[Change, ...]
) -> Event:
    """Return the event of a unit's deployment on a tile, with the units that it carries."""
    tile = units_of(battle).board.tiles[number].tolist()
    towards = inward_facing(edge_of(battle.setup, unit)) if facing is None else facing
    return Event(
        facts=Deployed(),
        unit=unit,
        because=(SLUG,),
        changes=(
            put(battle, unit, tile, towards),
            *ride(battle, unit, tile, towards),
            cell(unit, "present", 1),
            cell(unit, "waits", 0),
            *done,
        ),
    )
