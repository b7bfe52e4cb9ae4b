"""Regrouping in an action, and rallying in the End Phase."""

from __future__ import annotations

from collections.abc import Sequence

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.rules.epic.core import modified, roll, succeeds
from emlia3d.rules.epic.events import Rallied, Regrouped
from emlia3d.rules.epic.formations import (
    cell,
    enemies_of,
    is_broken,
    shock_of,
    strength,
    units_of,
)
from emlia3d.rules.epic.shock import withdraw
from emlia3d.rules.epic.unit_set import side_game
from emlia3d.rules.rulebook import rule

NEAR = 8
"""Distance within which enemies hinder a rally, tiles."""


@rule("epic.regroup.roll")
def shock_after_regroup(shock: int, faces: Sequence[int]) -> int:
    """Return the remaining Shock: the higher of two dice is removed."""
    return max(shock - max(faces), 0)


def regroup(battle: Battle, leader: int) -> Procedure[None]:
    """Let a formation regroup."""
    faces = roll(battle.dice, "epic.regroup.roll", 2)
    left = shock_after_regroup(shock_of(battle, leader), faces)
    yield Event(
        facts=Regrouped(faces=faces, shock=left),
        unit=leader,
        gesture="rally",
        because=("epic.regroup.roll",),
        changes=(cell(leader, "shock", left),),
    )


@rule("epic.rally.who")
def to_rally(moment: Moment, side: int) -> list[int]:
    """Return the formations of a side that have Shock and have not tried to rally."""
    units = moment.state.units
    return [
        leader
        for leader in units_of(moment).formations(side)
        if (shock_of(moment, leader) or is_broken(moment, leader))
        and not units.value("rallied", leader)
    ]


@rule("epic.rally.test")
def rally_value(cr: int, *, broken: bool, near: bool) -> int:
    """Return the value at or below which a formation rallies.

    near : whether an enemy unit is within 8 tiles of it
    """
    return modified(cr, -2 * broken, -near)


@rule("epic.rally.pass")
def shock_after_rally(shock: int) -> int:
    """Return the remaining Shock: half of it, rounded up, is removed."""
    return shock // 2


@rule("epic.rally.unbreak")
def shock_of_restored(shock: int, units: int) -> int:
    """Return the Shock of a broken formation that rallies: limited to its units, then halved."""
    return shock_after_rally(min(shock, units))


@rule("epic.rally.fail")
def shock_after_failure(shock: int) -> int:
    """Return the Shock of a formation that does not rally."""
    return shock


@rule("epic.rally.fail-broken")
def must_withdraw(*, broken: bool, passed: bool) -> bool:
    """Return whether a formation withdraws after its test."""
    return broken and not passed


def rally(battle: Battle, leader: int, *done: Change) -> Procedure[None]:
    """Let a formation try to rally.

    done : changes of the battle that belong to the test
    """
    units = units_of(battle)
    side = int(units.side[leader])
    rows, foes = units.of_formation(leader), enemies_of(battle, side)
    near = bool(foes) and int(units.gaps(rows, foes).min()) <= NEAR
    broken, shock = is_broken(battle, leader), shock_of(battle, leader)
    value = rally_value(side_game(battle.setup, side).cr, broken=broken, near=near)
    (face,) = roll(battle.dice, "epic.rally.test", 1)
    passed = succeeds(face, value)
    if not passed:
        left = shock_after_failure(shock)
    elif broken:
        left = shock_of_restored(shock, strength(battle, rows))
    else:
        left = shock_after_rally(shock)
    yield Event(
        facts=Rallied(face=face, value=value, passed=passed, shock=left),
        unit=leader,
        gesture="rally" if passed else "none",
        because=("epic.rally.test", "epic.rally.pass" if passed else "epic.rally.fail"),
        changes=(
            cell(leader, "shock", left),
            cell(leader, "rallied", 1),
            cell(leader, "morale", int(broken and not passed)),
            *done,
        ),
    )
    if must_withdraw(broken=broken, passed=passed):
        yield from withdraw(battle, leader)
