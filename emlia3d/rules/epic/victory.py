"""Objectives and the end of the battle."""

from __future__ import annotations

from collections.abc import Sequence

from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.objectives import ObjectivePlace
from emlia3d.battle.result import Result
from emlia3d.rulekit.deployment import waiting
from emlia3d.rulekit.english import counted
from emlia3d.rulekit.two_sided import result_for
from emlia3d.rules.epic.core import tiles_apart
from emlia3d.rules.epic.formations import is_broken, units_of
from emlia3d.rules.epic.shock import is_effective
from emlia3d.rules.epic.unit_set import game_of
from emlia3d.rules.rulebook import rule

HOLDS_WITHIN = 4
"""Tiles within which an unbroken unit holds an objective."""

ROUNDS = 4
"""Rounds of a battle unless its scenario says otherwise."""

EARLIEST = 3
"""The round from whose End Phase on the battle may end early."""

LEAD = 2
"""Objectives more than the enemy's that win early."""


def sides_near(moment: Moment, tile: tuple[int, int]) -> set[int]:
    """Return the sides that would hold an objective if the other had no unit near it."""
    units = units_of(moment)
    near = set[int]()
    for side in (0, 1):
        for row in units.of_side(side):
            broken = is_broken(moment, int(units.leader[row]))
            if is_effective(broken=broken) and tiles_apart(units.tile[row], tile) <= HOLDS_WITHIN:
                near.add(side)
    return near


def holder_of(moment: Moment, tile: tuple[int, int]) -> int | None:
    """Return the side that holds an objective; None for neither."""
    near = sides_near(moment, tile)
    return near.pop() if len(near) == 1 else None


def objectives_at(moment: Moment) -> tuple[ObjectivePlace, ...]:
    """Return the objectives, with what a player should know of each."""
    setup, grid = moment.setup, units_of(moment).board.grid
    found = []
    for number, tile in enumerate(game_of(setup).objectives, start=1):
        near, (x, y) = sides_near(moment, tile), grid.centres(tile).tolist()
        holder = holder_of(moment, tile)
        text = f"held by {setup.sides[holder].name}" if holder is not None else "not held"
        name = f"Objective {number}"
        text = "contested" if len(near) > 1 else text
        found.append(ObjectivePlace(name=name, text=text, at=(x, y), holder=holder))
    return tuple(found)


def held(moment: Moment) -> tuple[int, int]:
    """Return the objectives that each side holds."""
    holders = [holder_of(moment, tile) for tile in game_of(moment.setup).objectives]
    return holders.count(0), holders.count(1)


@rule("epic.victory.sample")
def winner(
    turn: int, turns: int, objectives: tuple[int, int], lost: Sequence[float]
) -> tuple[bool, int | None]:
    """Return whether the battle is over, and the side that has won; None for a draw.

    objectives : that each side holds
    lost : points of each side that are destroyed
    """
    lead = objectives[0] - objectives[1]
    if turn >= EARLIEST and abs(lead) >= LEAD:
        return True, int(lead < 0)
    if turn < turns:
        return False, None
    if lead:
        return True, int(lead < 0)
    return True, None if lost[0] == lost[1] else int(lost[0] > lost[1])


def result_of(moment: Moment) -> Result | None:
    """Return the result after the End Phase; None while the battle goes on."""
    if waiting(moment):
        return None
    setup, objectives = moment.setup, held(moment)
    lost = moment.state.sides.floats("destroyed").tolist()
    alive = [bool(units_of(moment).of_side(side)) for side in (0, 1)]
    if all(alive):
        over, won = winner(moment.state.turn, setup.turns, objectives, lost)
    else:
        over, won = True, None if not any(alive) else int(alive[1])
    if not over:
        return None
    tally = "; ".join(
        f"{side.name} holds {counted(count, 'objective')} and has lost {points:g} points"
        for side, count, points in zip(setup.sides, objectives, lost, strict=True)
    )
    return result_for(setup, won, f"{tally}.")
