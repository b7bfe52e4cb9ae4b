"""The round: strategy rolls, the Action Phase, the End Phase."""

from __future__ import annotations

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Fill, set_cells
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.result import Result
from emlia3d.rulekit.deployment import waiting
from emlia3d.rulekit.turn_events import battle_ended, turn_ended
from emlia3d.rules.epic.actions import (
    choices_after_action,
    is_phase_over,
    may_retain,
    next_holder,
)
from emlia3d.rules.epic.activation import activate, ready
from emlia3d.rules.epic.columns import THIS_ROUND, Phase
from emlia3d.rules.epic.core import roll
from emlia3d.rules.epic.deployment.placing import deploy_next
from emlia3d.rules.epic.events import (
    ActionPhaseBegan,
    EndPhaseBegan,
    InitiativePassed,
    Retained,
    RoundBegan,
)
from emlia3d.rules.epic.rallying import rally, to_rally
from emlia3d.rules.epic.unit_set import side_game
from emlia3d.rules.epic.victory import result_of
from emlia3d.rules.rulebook import rule


@rule("epic.round.sequence")
def next_step(battle: Battle) -> Procedure[None] | None:
    """Return the next stretch: deployment, then the parts of a round; None after the battle.

    A round is strategy, then actions, then the end.
    """
    table = battle.state.battle
    if table.value("ended", 0):
        return None
    if waiting(battle):
        return deploy_next(battle)
    phase = table.integer("phase", 0)
    if phase == Phase.ACTION:
        return action_phase(battle)
    return end_phase(battle) if phase == Phase.END else begin_round(battle)


# Strategy


@rule("epic.strategy.roll")
def strategy_score(face: int, rating: int) -> int:
    """Return the total of a strategy roll."""
    return face + rating


@rule("epic.strategy.tie")
def strategy_winner(scores: tuple[int, int], lost_last: int) -> int | None:
    """Return the side that chooses; a tie goes to the side that lost the last roll.

    lost_last : -1 for none
    """
    if scores[0] != scores[1]:
        return int(scores[1] > scores[0])
    return None if rerolls_tie(lost_last) else lost_last


@rule("epic.strategy.tie-first")
def rerolls_tie(lost_last: int) -> bool:
    """Return whether a tie is rolled again, because no side has lost a roll yet."""
    return lost_last < 0


@rule("epic.strategy.choose")
def acts_first(winner: int, *, first: bool) -> int:
    """Return the side that acts first, as the winner of the roll decides."""
    return winner if first else 1 - winner


def begin_round(battle: Battle) -> Procedure[None]:
    """Begin a round."""
    names = [side.name for side in battle.setup.sides]
    ratings = [side_game(battle.setup, side).strategy_rating for side in (0, 1)]
    lost = battle.state.battle.integer("lost_strategy", 0)
    faces: tuple[int, ...] = ()
    winner = None
    while winner is None:
        faces += roll(battle.dice, "epic.strategy.roll", 2)
        scores = strategy_score(faces[-2], ratings[0]), strategy_score(faces[-1], ratings[1])
        winner = strategy_winner(scores, lost)
    yield Event(
        facts=RoundBegan(
            turn=battle.state.turn + 1, faces=faces, scores=scores, winner=names[winner]
        ),
        gesture="turn",
        because=("epic.strategy.roll",),
        changes=(
            Add(table="battle", row=0, column="turn", value=1),
            *(Fill(table="unit", column=name, value=0) for name in THIS_ROUND),
            *set_cells("battle", 0, lost_strategy=1 - winner),
        ),
    )
    order = yield Decision(
        side=winner,
        asks="epic.strategy.choose",
        options=(Order(verb="act first"), Order(verb="act second")),
    )
    first = acts_first(winner, first=order.verb == "act first")
    yield Event(
        facts=ActionPhaseBegan(first=names[first]),
        because=("epic.strategy.choose",),
        changes=(
            *set_cells(
                "battle", 0, phase=Phase.ACTION, first=first, holder=first, may_retain=0, retained=0
            ),
        ),
    )


# Actions


def action_phase(battle: Battle) -> Procedure[None]:
    """Let a formation act, or end the phase."""
    table = battle.state.battle
    counts = [len(ready(battle, side)) for side in (0, 1)]
    if is_phase_over(counts):
        yield Event(
            facts=EndPhaseBegan(),
            because=("epic.action.phase-end",),
            changes=set_cells("battle", 0, phase=Phase.END, holder=table.integer("first", 0)),
        )
        return
    holder = table.integer("holder", 0)
    retaining = False
    if table.value("may_retain", 0):
        may = may_retain(holder, counts, retained=bool(table.value("retained", 0)))
        verbs = choices_after_action(may=may)
        if len(verbs) > 1:
            order = yield Decision(
                side=holder,
                asks="epic.action.retain-choice",
                options=tuple(Order(verb=verb) for verb in verbs),
            )
            retaining = order.verb == "retain initiative"
        name = battle.setup.sides[holder].name
        holder = holder if retaining else next_holder(holder, counts)
        yield Event(
            facts=Retained(side=name) if retaining else InitiativePassed(side=name),
            because=("epic.action.retain-choice",),
            changes=set_cells("battle", 0, holder=holder, retained=int(retaining), may_retain=0),
        )
    elif not counts[holder]:
        holder = 1 - holder
    order = yield Decision(
        side=holder,
        asks="epic.action.select",
        options=tuple(Order(verb="select", unit=leader) for leader in ready(battle, holder)),
    )
    assert order.unit is not None
    done = set_cells("battle", 0, holder=holder, may_retain=1)
    yield from activate(battle, order.unit, retaining=retaining, done=done)


# The end


@rule("epic.end.victory-check")
def is_over(result: Result | None) -> bool:
    """Return whether the battle is over after all have tried to rally."""
    return result is not None


def end_phase(battle: Battle) -> Procedure[None]:
    """Let a formation try to rally, the sides by turns; or end the round."""
    holder = battle.state.battle.integer("holder", 0)
    for side in (holder, 1 - holder):
        waiting = to_rally(battle, side)
        if waiting:
            order = yield Decision(
                side=side,
                asks="epic.rally.who",
                options=tuple(Order(verb="rally", unit=leader) for leader in waiting),
            )
            assert order.unit is not None
            yield from rally(battle, order.unit, *set_cells("battle", 0, holder=1 - side))
            return
    yield turn_ended(battle)
    result = result_of(battle)
    if is_over(result):
        assert result is not None
        yield battle_ended(result.reason, "epic.end.victory-check", "epic.victory.sample")
