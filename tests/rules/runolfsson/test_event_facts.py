"""What each event records: its units, its gesture, its rules, and its facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.runolfsson.attack import apply_effects
from emlia3d.rules.runolfsson.attack_phase import pick_target
from emlia3d.rules.runolfsson.columns import COLUMNS, Phase, Turn
from emlia3d.rules.runolfsson.contacts import replace_leader
from emlia3d.rules.runolfsson.damage import apply_to_model, apply_to_piece
from emlia3d.rules.runolfsson.events import EVENTS
from emlia3d.rules.runolfsson.individual import check_individually
from emlia3d.rules.runolfsson.morale import check_unit
from emlia3d.rules.runolfsson.movement import carry_out, make_move
from emlia3d.rules.runolfsson.running import rout, run_to
from emlia3d.rules.runolfsson.specials import move_mindless, pick_free_models, specials_phase
from emlia3d.rules.runolfsson.turn import begin_turn, end_turn, move_one
from emlia3d.rules.runolfsson.victory import place_markers
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import feature, put, set_phase, table
from tests.rules.runolfsson.walking import to

BLUE = {"side": "Blue"}
TREE = feature("tree", circle=[26, 26, 1])
STREAM = feature("stream", at=(14, 10, 18, 30))

Play = tuple[Callable[[Battle], Any], Sequence[Any], Sequence[int]]
"""A procedure, the answers to its questions, and the dice that it rolls."""


def two(*terrain: Any, victory: str = "sudden death", **red: Any) -> Battle:
    """A model of each side, 9 inches apart."""
    models = ({"at": [20, 20], **red}, {"at": [30, 20], **BLUE})
    return table(*models, terrain=terrain, victory=victory)


def led(*terrain: Any, **red: Any) -> Battle:
    """A leader, a member of its unit, and an enemy."""
    models = ({"at": [20, 20], "name": "head", **red}, {"at": [20, 23], "group": "head", **red})
    return table(*models, {"at": [30, 20], **BLUE}, terrain=terrain)


def first(decision: Any) -> Order:
    option: Order = decision.options[0]
    return option


def jumps(battle: Battle) -> Any:
    return carry_out(battle, 0, to(battle, (20, 25), verb="jump"), inf)


def teleports(battle: Battle) -> Any:
    return carry_out(battle, 0, Order(verb="teleport", unit=0, point=(20.0, 25.0)), inf)


def wades(battle: Battle) -> Any:
    return carry_out(battle, 0, to(battle, (15, 20)), inf)


CASES: dict[str, tuple[Battle, dict[str, float], Phase, Turn, Play, list[dict[str, Any]]]] = {}


def case(
    name: str,
    battle: Battle,
    play: Play,
    *told: dict[str, Any],
    phase: Phase = Phase.STATIONARY,
    kind: Turn = Turn.NORMAL,
    **cells: float,
) -> None:
    CASES[name] = battle, cells, phase, kind, play, list(told)


def event(name: str, *because: str, **other: Any) -> dict[str, Any]:
    """A record; what it does not say is as it usually is. Rules are named without the system."""
    usual = {"unit": 0, "target": None, "others": (), "gesture": "none", "part_of_last": False}
    slugs = tuple(f"runolfsson.{slug}" for slug in because)
    return {"name": name, "because": slugs, **usual, **other}


NO_UNIT = {"unit": None}
BEGAN = ("init.roll", "init.bonus")
NEXT = ("phase.order", "command.check-times")
MORALE = "indiv.table"

case(
    "a turn begins", two(), (begin_turn, ["take the initiative"], [4, 4, 3, 9]),
    event("turn began", *BEGAN, **NO_UNIT, gesture="turn",
          facts={"turn": 1, "scores": (3, 9), "faces": (4, 4, 3, 9), "winner": "Blue"}),
    event("turn chosen", "phase.super-overrides", **NO_UNIT,
          facts={"turn": "Normal", "first": "Blue"}),
    event("phase began", *NEXT, **NO_UNIT, facts={"phase": 2, "title": "first move"}),
    phase=Phase.BEFORE,
)  # fmt: skip
case(
    "super initiative", two(), (begin_turn, ["try super initiative", "mad minute"], [9, 3, 7]),
    event("turn began", *BEGAN, **NO_UNIT, gesture="turn",
          facts={"turn": 1, "scores": (9, 3), "faces": (9, 3), "winner": "Red"}),
    event("super initiative", "super.roll", **NO_UNIT,
          facts={"side": "Red", "face": 7, "success": True}),
    event("turn chosen", "phase.super-overrides", **NO_UNIT,
          facts={"turn": "Mad minute", "first": "Red"}),
    event("phase began", *NEXT, **NO_UNIT, facts={"phase": 4, "title": "specials"}),
    phase=Phase.BEFORE,
)  # fmt: skip
case(
    "a turn ends", two(), (end_turn, [], []),
    event("turn ended", **NO_UNIT, gesture="turn", facts={"turn": 1}),
    phase=Phase.END,
)  # fmt: skip
case(
    "a new leader", led(), (lambda b: replace_leader(b, 0), ["name leader"], []),
    event("new leader", "leader.replace", unit=1, target=0, facts={}),
)  # fmt: skip
case(
    "specials", two(specials=["smoke", "cloak"]), (specials_phase, ["smoke", "cloak"], []),
    event("special used", "special.core-set", "phase.specials",
          facts={"special": "smoke", "at": (20.0, 20.0)}),
    event("special used", "special.core-set", "phase.specials", facts={"special": "cloak"}),
    phase=Phase.SPECIALS,
)  # fmt: skip
case(
    "free models", two(), (pick_free_models, ["pick", "pick"], []),
    event("freed", "super.senseless-slaughter", facts={}),
    event("freed", "super.senseless-slaughter", unit=1, facts={}),
    phase=Phase.FIRST_MOVE, kind=Turn.SENSELESS_SLAUGHTER,
)  # fmt: skip
case(
    "a mindless model moves", two(), (lambda b: move_mindless(b, 0), [], []),
    event("moved", "move.who", gesture="march", facts={"how": "moves", "inches": 6.0}),
    event("stood still", part_of_last=True, facts={}),
    phase=Phase.FIRST_MOVE, kind=Turn.SENSELESS_SLAUGHTER,
)  # fmt: skip
case(
    "a model stays", two(), (lambda b: make_move(b, 0), ["stay"], []),
    event("stood still", facts={}), phase=Phase.FIRST_MOVE,
)  # fmt: skip
case(
    "a side moves no more", two(), (move_one, ["no more"], []),
    event("stood still", **NO_UNIT, part_of_last=True, facts={}),
    event("phase began", *NEXT, **NO_UNIT, facts={"phase": 3, "title": "second move"}),
    phase=Phase.FIRST_MOVE,
)  # fmt: skip
case(
    "a model wades", two(STREAM), (wades, [], [7]),
    event("met stream", "stream.when", "stream.table", facts={"face": 7, "result": "crosses"}),
    event("moved", "move.who", gesture="march", facts={"how": "moves", "inches": 5.0}),
    phase=Phase.FIRST_MOVE,
)  # fmt: skip
case(
    "a jump", two(specials=["jump"]), (jumps, ["hold fire"], []),
    event("moved", "jump.over", gesture="march", facts={"how": "jumps", "inches": 5.0}),
)  # fmt: skip
case(
    "a teleport", two(specials=["teleport"]), (teleports, [], []),
    event("moved", "move.who", gesture="march", facts={"how": "teleports", "inches": 5.0}),
)  # fmt: skip
case(
    "a model runs away", two(), (lambda b: run_to(b, 0, "south", 6.0), [], [9]),
    event("moved", "run.move", gesture="march", facts={"how": "runs away", "inches": 6.0}),
    event("morale checked", "run.morale", MORALE, gesture="rally",
          facts={"face": 9, "modifier": 1, "result": "unaffected"}),
)  # fmt: skip
case(
    "a model runs off the table", two(), (lambda b: run_to(b, 0, "south", 60.0), [], []),
    event("left table", "run.move", gesture="vanish", facts={}),
)  # fmt: skip
case(
    "a rout", two(), (lambda b: rout(b, 0, 6.0), [], []),
    event("moved", "rout.move", gesture="march", facts={"how": "routs", "inches": 6.0}),
)  # fmt: skip
case(
    "a rout off the table", two(), (lambda b: rout(b, 0, 60.0), [], []),
    event("left table", "rout.off-table", gesture="vanish", facts={}),
)  # fmt: skip
case(
    "a fixed model routs", two(move=0), (lambda b: rout(b, 0, 0.0), [], []),
    event("destroyed", "rout.stationary", gesture="suffer", part_of_last=True, facts={}),
)  # fmt: skip
case(
    "a joint attack", led(), (lambda b: pick_target(b, 0), ["attack", first], [9, 9, 1, 1] * 2),
    event("picked", "attack.alternate", "attack.declare-all", target=2, others=(1,),
          facts={"side": "Red"}),
    *(event("attack made", "attack.alternate", unit=row, target=2, gesture="shoot",
            facts={"dice": 4, "modifier": 0, "successes": 2, "faces": (9, 9, 1, 1),
                   "close": False, "joined": False}) for row in (0, 1)),
)  # fmt: skip
case(
    "joined dice", led(feature("tree", at=(25, 10, 26, 30)), attack=3),
    (lambda b: pick_target(b, 0), ["attack", first], [9, 9, 1]),
    event("picked", "attack.alternate", "attack.declare-all", target=2, others=(1,),
          facts={"side": "Red"}),
    *(event("attack made", "attack.alternate", "tree.half", unit=row, target=2, gesture="shoot",
            facts={"dice": 1, "modifier": 0, "successes": 1, "faces": (9,),
                   "close": False, "joined": False}) for row in (0, 1)),
    event("attack made", "attack.alternate", "dice.fractions", target=2, gesture="shoot",
          part_of_last=True,
          facts={"dice": 1, "modifier": 0, "successes": 0, "faces": (1,),
                 "close": False, "joined": True}),
)  # fmt: skip
case(
    "a side passes", two(), (lambda b: pick_target(b, 0), ["pass"], []),
    event("passed", **NO_UNIT, facts={"side": "Red"}),
)  # fmt: skip
case(
    "a model falls", two(save=1), (apply_effects, [], [4]),
    event("saved", "hit.save", part_of_last=True, facts={"hits": 1, "faces": (4,), "unsaved": 1}),
    event("destroyed", "effect.single", gesture="suffer", part_of_last=True, facts={}),
    coming=1, dice_at=3,
)  # fmt: skip
case(
    "a model of many hits is hurt", two(hits=3, save=2),
    (lambda b: apply_to_model(b, 0), [], [9, 1, 4]),
    event("saved", "hit.save", part_of_last=True,
          facts={"hits": 2, "faces": (9, 1), "unsaved": 1}),
    event("hurt", "effect.many-hits", gesture="suffer", part_of_last=True,
          facts={"lost": 1, "left": 2}),
    event("critical hit", "crit.when", "crit.table", part_of_last=True,
          facts={"face": 4, "result": "no attack"}),
    coming=2, dice_at=3, tens=1,
)  # fmt: skip
case(
    "a model of two hits is hurt", two(hits=2), (lambda b: apply_to_model(b, 0), [], []),
    event("saved", "hit.save", part_of_last=True, facts={"hits": 1, "faces": (), "unsaved": 1}),
    event("hurt", "effect.two-hits", gesture="suffer", part_of_last=True,
          facts={"lost": 1, "left": 1}),
    coming=1, dice_at=3,
)  # fmt: skip
case(
    "a tree is hit", two(TREE), (lambda b: apply_to_piece(b, 0, 1), [], [1, 1]),
    event("piece hit", "tree.target", **NO_UNIT, part_of_last=True,
          facts={"piece": "tree 0", "faces": (1, 1), "unsaved": 1, "gone": False}),
)  # fmt: skip
case(
    "a model is pinned", two(), (lambda b: check_individually(b, 0, "runolfsson.x"), [], [2]),
    event("morale checked", "x", MORALE, gesture="waver",
          facts={"face": 2, "modifier": 1, "result": "pinned"}),
)  # fmt: skip
case(
    "a model rallies", two(), (lambda b: check_individually(b, 0, "runolfsson.x"), [], [9]),
    event("morale checked", "x", MORALE, gesture="rally",
          facts={"face": 9, "modifier": 1, "result": "rallied"}),
    marker=1,
)  # fmt: skip
case(
    "a unit checks without its leader", led(), (lambda b: check_unit(b, 0), [], [1]),
    event("unit checked", "unitcheck.die", "unitcheck.result", unit=1,
          facts={"sides": 2, "face": 1, "left": 1, "passed": True}),
    present=0,
)  # fmt: skip
case(
    "objective markers", two(victory="objectives"),
    (place_markers, ["place marker", "place marker", "place marker", "place marker"], [3, 9]),
    *(event("markers placed", "victory.objectives", **NO_UNIT, facts={"side": side, "at": at})
      for side, at in (("Blue", (16.0, 16.0)), ("Blue", (16.0, 32.0)), ("Red", (28.0, 24.0)),
                       ("Red", (34.5, 12.5)))),
)  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_an_event_records_what_happened(name: str) -> None:
    battle, cells, phase, kind, (procedure, answers, dice), told = CASES[name]
    battle = battle.fork()
    set_phase(battle, phase, kind, turn=0 if phase is Phase.BEFORE else 1)
    if cells:
        put(battle, 0, **cells)

    done = carry(battle, procedure(battle), *answers, dice=dice)

    found = [
        {
            "name": each.name, "unit": each.unit, "target": each.target, "others": each.others,
            "gesture": each.gesture, "because": each.because, "part_of_last": each.part_of_last,
            "facts": each.facts.values(),
        }
        for each in done.events
    ]  # fmt: skip
    assert found == told
    assert {type(each.facts) for each in done.events} <= {*EVENTS}
    _check_words(battle)


def _check_words(battle: Battle) -> None:
    """Check that each cell whose numbers stand for words has a word."""
    tables = {"unit": battle.state.units, "side": battle.state.sides, "battle": battle.state.battle}
    for column in COLUMNS:
        if column.words and column.table in tables:
            values = tables[column.table].ints(column.name).tolist()
            assert all(0 <= value < len(column.words) for value in values), column.name


def test_all_kinds_of_event_are_recorded_here() -> None:
    """The end of a battle is recorded with the condition that decides it, elsewhere."""
    told = {record["name"] for *_, records in CASES.values() for record in records}

    assert {kind.kind for kind in EVENTS} - told == {"battle ended"}


def test_a_short_log_leaves_out_passes_alone() -> None:
    assert [kind.kind for kind in EVENTS if kind.routine] == ["passed"]


@pytest.mark.parametrize("condition", ["sudden death", "position", "objectives"])
def test_a_battle_ends_by_the_condition_that_was_chosen(condition: str) -> None:
    battle = two(victory=condition)
    set_phase(battle, Phase.END, turn=8)

    ended = carry(battle, end_turn(battle)).events[-1]

    assert ended.because == (f"runolfsson.victory.{condition.replace(' ', '-')}",)
    assert str(ended.facts.values()["reason"]).startswith("Equal: ")
