"""The turn: initiative, alternate activation, rally, and the end of the battle."""

from __future__ import annotations

from collections.abc import Sequence

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Fill, set_cells
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.result import Result
from emlia3d.rulekit.commander.asking import ask_for_plans
from emlia3d.rulekit.deployment import waiting
from emlia3d.rulekit.turn_events import battle_ended, turn_ended
from emlia3d.rulekit.two_sided import result_for
from emlia3d.rules.oathmark.actions import act, activated
from emlia3d.rules.oathmark.activation import (
    Activity,
    activation_modifier,
    has_two_actions,
    may_be_activated,
    stays_disordered,
    succeeds,
)
from emlia3d.rules.oathmark.battle_frame import deploy_next, is_last, winner_by_points
from emlia3d.rules.oathmark.blocks import blocks_of, entry_of
from emlia3d.rules.oathmark.brigades import brigades_of
from emlia3d.rules.oathmark.columns import Phase
from emlia3d.rules.oathmark.core import larger, roll
from emlia3d.rules.oathmark.events import Activated, TurnBegan
from emlia3d.rules.oathmark.morale import dice_for
from emlia3d.rules.rulebook import rule


@rule("oathmark.turn.sequence")
def next_step(battle: Battle) -> Procedure[None] | None:
    """Return the next segment; None at the end.

    It is a deployment, the initiative, an activation, or the end of a turn.
    """
    table = battle.state.battle
    if table.value("ended", 0):
        return None
    if waiting(battle):
        return deploy_next(battle)
    if table.integer("phase", 0) != Phase.LOOP:
        return begin_turn(battle)
    blocks = blocks_of(battle)
    both = len({blocks.sides[row] for row in blocks.of}) == 2
    side = side_to_act(battle) if both else None
    return end_turn(battle) if side is None else activate(battle, side)


# Initiative


@rule("oathmark.init.roll")
def higher(one: Sequence[int], other: Sequence[int]) -> int | None:
    """Return the side with the larger of its two dice; None if they are equal."""
    return larger(max(one), max(other))


@rule("oathmark.init.tie-second")
def higher_second(one: Sequence[int], other: Sequence[int]) -> int | None:
    """Return the side with the larger of the smaller dice; None if these are equal too."""
    return larger(min(one), min(other))


@rule("oathmark.init.tie-reroll")
def roll_initiative(battle: Battle) -> tuple[int, tuple[int, ...]]:
    """Return the side that wins the initiative, and all dice; ties are rolled again."""
    faces: list[int] = []
    while True:
        one, other = (roll(battle.dice, "oathmark.init.roll", 2) for _ in range(2))
        faces += (*one, *other)
        won = higher(one, other)
        won = higher_second(one, other) if won is None else won
        if won is not None:
            return won, tuple(faces)


def begin_turn(battle: Battle) -> Procedure[None]:
    """Begin a turn."""
    won, faces = roll_initiative(battle)
    turn = battle.state.turn + 1
    yield Event(
        facts=TurnBegan(turn=turn, faces=faces, winner=battle.setup.sides[won].name),
        gesture="turn",
        because=("oathmark.turn.sequence", "oathmark.init.roll"),
        changes=(
            Add(table="battle", row=0, column="turn", value=1),
            Fill(table="unit", column="activated", value=0),
            *set_cells("battle", 0, phase=Phase.LOOP, to_act=won),
        ),
    )
    yield from ask_for_plans(battle, brigades_of)


# Activation


def ready(moment: Moment, side: int) -> list[int]:
    """Return the units of a side that can be activated: each once in a turn."""
    blocks = blocks_of(moment)
    own = [row for row in blocks.of if blocks.sides[row] == side]
    return may_be_activated(moment.state.units.ints("activated").tolist(), own)


@rule("oathmark.turn.exhausted", "oathmark.turn.end")
def side_to_act(moment: Moment) -> int | None:
    """Return the side that activates a unit; None if no unit is left, and the turn ends.

    A side without units to activate is skipped.
    """
    first = moment.state.battle.integer("to_act", 0)
    return next((side for side in (first, 1 - first) if ready(moment, side)), None)


@rule("oathmark.turn.alternate")
def acts_next(side: int) -> int:
    """Return the side that activates the next unit."""
    return 1 - side


def activate(battle: Battle, side: int) -> Procedure[None]:
    """Let a side activate one of its units."""
    order = yield Decision(
        side=side,
        asks="oathmark.activation.nominate",
        options=tuple(Order(verb="activate", unit=row) for row in ready(battle, side)),
    )
    unit = order.unit
    assert unit is not None
    disordered = bool(battle.state.units.value("disordered", unit))
    faces = roll(battle.dice, "oathmark.activation.roll", dice_for(battle, unit))
    success = succeeds(faces, entry_of(battle.setup, unit).activation, disordered=disordered)
    stays = stays_disordered(disordered=disordered, success=success)
    full = has_two_actions(disordered=disordered, success=success)
    rallies = disordered and success
    yield Event(
        facts=Activated(
            faces=faces,
            modifier=activation_modifier(disordered=disordered),
            result="two actions" if full else f"{'rallies, ' if rallies else ''}one simple action",
        ),
        unit=unit,
        gesture="rally" if rallies else "none",
        because=("oathmark.activation.roll", *(("oathmark.activation.rally",) if rallies else ())),
        changes=(
            *set_cells("unit", unit, disordered=int(stays)),
            *set_cells("battle", 0, to_act=acts_next(side)),
        ),
    )
    yield from act(battle, unit, Activity(full=full))
    yield activated(unit)


# The end


def result_of(moment: Moment) -> Result:
    """Return the result of the battle in its current state."""
    blocks, setup = blocks_of(moment), moment.setup
    lost = moment.state.sides.floats("lost").tolist()
    units = [sum(blocks.sides[row] == side for row in blocks.of) for side in (0, 1)]
    won = winner_by_points(lost, units)
    tally = " and ".join(
        f"{side.name} {points:g}" for side, points in zip(setup.sides, lost, strict=True)
    )
    return result_for(setup, won, f"Points lost: {tally}.")


def end_turn(battle: Battle) -> Procedure[None]:
    """End a turn, and the battle after its last turn or when a side has no units."""
    yield turn_ended(battle, "oathmark.turn.end")
    blocks = blocks_of(battle)
    sides = {blocks.sides[row] for row in blocks.of}
    if is_last(battle.state.turn, battle.setup.turns) or len(sides) < 2:
        slugs = "oathmark.battle.victory", "oathmark.battle.length"
        yield battle_ended(result_of(battle).reason, *slugs)
