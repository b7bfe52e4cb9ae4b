"""The turn: initiative, super initiative and phases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Change, Clear, Fill, add_to_cells, set_cells
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.rulekit.turn_events import battle_ended, turn_ended
from emlia3d.rules.rulebook import rule, rule_rows
from emlia3d.rules.runolfsson.attack import apply_effects, who_picks
from emlia3d.rules.runolfsson.attack_phase import pick_target
from emlia3d.rules.runolfsson.columns import THIS_TURN, Phase, Turn
from emlia3d.rules.runolfsson.contacts import is_mindless, judge_command, models_of
from emlia3d.rules.runolfsson.core import succeeds
from emlia3d.rules.runolfsson.events import (
    PhaseBegan,
    StoodStill,
    SuperInitiative,
    TurnBegan,
    TurnChosen,
)
from emlia3d.rules.runolfsson.morale import morale_phase
from emlia3d.rules.runolfsson.movement import make_move, may_move
from emlia3d.rules.runolfsson.phases import phases_of
from emlia3d.rules.runolfsson.specials import move_mindless, pick_free_models, specials_phase
from emlia3d.rules.runolfsson.unit_set import game_of
from emlia3d.rules.runolfsson.victory import condition_of, place_markers, winner_of


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of super initiative.

    slug : of its rule
    turn : the kind of turn
    chooser_first : whether the chooser moves first; None if it decides that as well
    """

    slug: str
    turn: Turn
    chooser_first: bool | None


CHOICES: Mapping[str, Choice] = {
    choice.slug.rpartition(".")[2].replace("-", " "): choice
    for choice in (
        Choice("runolfsson.super.move-second", Turn.NORMAL, False),
        Choice("runolfsson.super.mad-minute", Turn.MAD_MINUTE, True),
        Choice("runolfsson.super.rush", Turn.RUSH, None),
        Choice("runolfsson.super.heat-of-battle", Turn.HEAT_OF_BATTLE, True),
        Choice("runolfsson.super.hurry-up-and-wait", Turn.HURRY_UP_AND_WAIT, True),
        Choice("runolfsson.super.senseless-slaughter", Turn.SENSELESS_SLAUGHTER, None),
        Choice("runolfsson.super.wide-spread-panic", Turn.WIDE_SPREAD_PANIC, True),
        Choice("runolfsson.super.move-first", Turn.NORMAL, True),
    )
}
"""The choices by the verbs of their orders, in the order of the rulebook."""


@rule_rows(*(choice.slug for choice in CHOICES.values()))
def chosen(verb: str) -> Choice:
    """Return the choice of super initiative in an order."""
    return CHOICES[verb]


@rule("runolfsson.init.bonus")
def initiative_bonus(waiting: int) -> int:
    """Return the bonus of a side, from its turns without the initiative."""
    return 2 * waiting


@rule("runolfsson.init.roll")
def initiative_winner(scores: tuple[int, int]) -> int | None:
    """Return the side that gains the initiative; None if the sides roll again."""
    return None if scores[0] == scores[1] else int(scores[1] > scores[0])


@rule("runolfsson.init.must-move-first")
def first_without_super(winner: int) -> int:
    """Return the side that moves first if the winner does not roll for super initiative."""
    return winner


@rule("runolfsson.super.roll")
def super_succeeds(face: int) -> bool:
    """Return whether a roll for super initiative succeeds; it has no bonus."""
    return succeeds(face)


@rule("runolfsson.super.fail")
def has_initiative(winner: int, super_failed: bool) -> int:
    """Return the side with the initiative after a roll for super initiative."""
    return 1 - winner if super_failed else winner


def next_step(battle: Battle) -> Procedure[None] | None:
    """Return the next segment of play; None when the battle is over."""
    table = battle.state.battle
    phase = Phase(table.integer("phase", 0))
    if table.value("ended", 0):
        return None
    if phase in {Phase.FIRST_MOVE, Phase.SECOND_MOVE}:
        return move_one(battle)
    if phase in {Phase.STATIONARY, Phase.MOVING}:
        side = who_picks(battle)
        return _then_next(battle, apply_effects) if side is None else pick_target(battle, side)
    if phase in _WHOLE:
        return _then_next(battle, _WHOLE[phase])
    return begin_turn(battle) if phase is Phase.BEFORE else end_turn(battle)


_WHOLE: Mapping[Phase, Callable[[Battle], Procedure[None]]] = {
    Phase.SPECIALS: specials_phase,
    Phase.MORALE_ONE: morale_phase,
    Phase.MORALE_TWO: morale_phase,
}
"""Phases that are single segments."""


def begin_turn(battle: Battle) -> Procedure[None]:
    """Begin a turn: initiative, and super initiative if a side rolls for it."""
    if not battle.state.turn and condition_of(battle.setup) == "objectives":
        yield from place_markers(battle)
    names = [side.name for side in battle.setup.sides]
    bonus = [initiative_bonus(battle.state.sides.integer("waiting", side)) for side in (0, 1)]
    faces: tuple[int, ...] = ()
    winner = None
    while winner is None:
        faces += battle.dice.roll("runolfsson.init.roll", 2, 10)
        scores = faces[-2] + bonus[0], faces[-1] + bonus[1]
        winner = initiative_winner(scores)
    yield Event(
        facts=TurnBegan(
            turn=battle.state.turn + 1, scores=scores, faces=faces, winner=names[winner]
        ),
        gesture="turn",
        because=("runolfsson.init.roll", "runolfsson.init.bonus"),
        changes=(
            Add(table="battle", row=0, column="turn", value=1),
            Clear(table="smoke"),
            *(Fill(table="unit", column=name, value=0) for name in THIS_TURN),
        ),
    )
    order = yield Decision(
        side=winner,
        asks="runolfsson.init.must-move-first",
        options=(Order(verb="take the initiative"), Order(verb="try super initiative")),
    )
    choice = Choice("", Turn.NORMAL, chooser_first=first_without_super(winner) == winner)
    if order.verb == "try super initiative":
        winner, choice = yield from _super(battle, winner)
    goes_first = choice.chooser_first
    if goes_first is None:
        goes_first = yield from _goes_first(battle, winner, choice.slug)
    turn, first = choice.turn, winner if goes_first else 1 - winner
    yield Event(
        facts=TurnChosen(turn=turn.title, first=names[first]),
        because=("runolfsson.phase.super-overrides",),
        changes=(
            *set_cells("battle", 0, kind=turn, first=first),
            *set_cells("side", winner, waiting=0),
            *add_to_cells("side", 1 - winner, waiting=1),
        ),
    )
    if turn is Turn.SENSELESS_SLAUGHTER:
        yield from pick_free_models(battle)
    yield from next_phase(battle)


def _super(battle: Battle, winner: int) -> Procedure[tuple[int, Choice]]:
    """Roll for super initiative; return the side that has the initiative, and its choice."""
    (face,) = battle.dice.roll("runolfsson.super.roll", 1, 10)
    success = super_succeeds(face)
    slug = "runolfsson.super.roll" if success else "runolfsson.super.fail"
    name = battle.setup.sides[winner].name
    yield Event(facts=SuperInitiative(side=name, face=face, success=success), because=(slug,))
    winner = has_initiative(winner, not success)
    if not success:
        return winner, Choice(slug, Turn.NORMAL, None)
    options = tuple(Order(verb=verb) for verb in CHOICES)
    order = yield Decision(side=winner, asks="runolfsson.super.roll", options=options)
    return winner, chosen(order.verb)


def _goes_first(battle: Battle, side: int, slug: str) -> Procedure[bool]:
    options = Order(verb="go first"), Order(verb="go second")
    order = yield Decision(side=side, asks=slug, options=options)
    return order.verb == "go first"


def _then_next(battle: Battle, carry_out: Callable[[Battle], Procedure[None]]) -> Procedure[None]:
    """Carry out a phase, and continue with the next one."""
    yield from carry_out(battle)
    yield from next_phase(battle)


def next_phase(battle: Battle) -> Procedure[None]:
    """Begin the next phase of the turn, and update command control."""
    table = battle.state.battle
    turn, now = Turn(table.integer("kind", 0)), table.integer("phase", 0)
    if now in {Phase.MORALE_ONE, Phase.MORALE_TWO}:
        judged: list[Change] = [
            Fill(table="unit", column=c, value=0) for c in ("attacks", "was_hit")
        ]
    else:
        judged = []
    end_only = game_of(battle.setup).morale == "end only"
    left = (phase for phase in phases_of(turn, end_only=end_only) if phase > now)
    phase = next(left, Phase.END)
    first = table.integer("first", 0)
    judging = {Phase.FIRST_MOVE: [first], Phase.SECOND_MOVE: [1 - first], Phase.END: []}
    if phase is not Phase.SPECIALS:
        judged += judge_command(battle, judging.get(phase, [0, 1]))
    yield Event(
        facts=PhaseBegan(phase=phase, title=phase.title),
        because=("runolfsson.phase.order", "runolfsson.command.check-times"),
        changes=(
            *set_cells("battle", 0, phase=phase),
            *set_cells("battle", 0, to_act=1 - first if phase is Phase.SECOND_MOVE else first),
            Fill(table="side", column="passed", value=0),
            Fill(table="unit", column="fired_on", value=0),
            Clear(table="broken"),
            *judged,
        ),
    )


def move_one(battle: Battle) -> Procedure[None]:
    """Ask the side of the phase to move one model; the phase ends when none is left."""
    side = battle.state.battle.integer("to_act", 0)
    units = battle.state.units
    ready = [
        row
        for row in models_of(battle).of_side(side)
        if not units.value("done", row) and may_move(battle, row)
    ]
    mindless = [row for row in ready if is_mindless(battle, row)]
    if mindless:
        yield from move_mindless(battle, mindless[0])
        return
    who = None
    if ready:
        order = yield Decision(
            side=side,
            asks="runolfsson.move.who",
            options=(*(Order(verb="choose", unit=row) for row in ready), Order(verb="no more")),
        )
        who = order.unit
    if who is None:
        rested = [
            change
            for row in models_of(battle).of_side(side)
            if units.value("no_move", row)
            for change in set_cells("unit", row, no_move=0)
        ]
        yield Event(facts=StoodStill(), changes=tuple(rested), part_of_last=True)
        yield from next_phase(battle)
        return
    yield from make_move(battle, who)


def end_turn(battle: Battle) -> Procedure[None]:
    """End a turn, and the battle if it is decided."""
    yield turn_ended(battle)
    result = winner_of(battle)
    if result is not None:
        slug = "runolfsson.victory." + condition_of(battle.setup).replace(" ", "-")
        yield battle_ended(result.reason, slug)
