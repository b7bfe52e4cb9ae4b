"""The turn: initiative, super initiative, phases."""

from __future__ import annotations

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import RandomCommander
from emlia3d.rules.runolfsson.columns import Attacked, Phase, Turn
from emlia3d.rules.runolfsson.phases import (
    may_attack_moving,
    may_attack_stationary,
    may_use_special,
    normal_phases,
    phases_of,
)
from emlia3d.rules.runolfsson.turn import (
    CHOICES,
    begin_turn,
    chosen,
    first_without_super,
    has_initiative,
    initiative_bonus,
    initiative_winner,
    super_succeeds,
)
from tests.rules.carrying import Outcome, carry
from tests.rules.runolfsson.tables import put, set_phase, table

RED, BLUE = 0, 1


@pytest.fixture
def battle() -> Battle:
    return table({"at": [10, 4]}, {"at": [10, 44], "side": "Blue"}, size=(48, 48))


def begun(battle: Battle, *answers: str, dice: tuple[int, ...]) -> Outcome:
    return carry(battle, begin_turn(battle), *answers, dice=dice)


def first_mover(battle: Battle) -> int:
    return battle.state.battle.integer("first", 0)


def kind(battle: Battle) -> Turn:
    return Turn(battle.state.battle.integer("kind", 0))


def played_phases(battle: Battle) -> list[int]:
    """Play on to the end of the turn at random; return the phases that begin."""
    found = [battle.state.battle.integer("phase", 0)]
    for event in battle.run([RandomCommander(), RandomCommander()]):
        if event.name == "phase began":
            found.append(event.facts.values()["phase"])
        if event.name == "turn ended":
            break
    return found


# Phases


@pytest.mark.rule("runolfsson.phase.order")
def test_a_normal_turn_runs_through_all_phases_in_order(battle: Battle) -> None:
    begun(battle, "take the initiative", dice=(7, 4))

    assert [int(phase) for phase in normal_phases()] == [2, 3, 4, 5, 7, 8, 9]
    assert played_phases(battle) == [2, 3, 4, 5, 7, 8, 9, 10]


@pytest.mark.rule("runolfsson.phase.super-overrides")
@pytest.mark.parametrize(
    ("verb", "phases"),
    [
        ("mad minute", [4, 5, 7, 9]),
        ("rush", [2, 3, 4, 7, 9]),
        ("heat of battle", [2, 3, 4, 5, 8]),
        ("hurry up and wait", []),
        ("senseless slaughter", [2, 3, 4, 5, 7, 8, 9]),
        ("wide spread panic", [7]),
        ("move first", [2, 3, 4, 5, 7, 8, 9]),
    ],
)
def test_a_choice_of_super_initiative_has_phases_of_its_own(verb: str, phases: list[int]) -> None:
    assert [int(phase) for phase in phases_of(chosen(verb).turn)] == phases


@pytest.mark.rule("runolfsson.phase.specials")
def test_a_model_that_ran_away_uses_no_special() -> None:
    assert may_use_special(Turn.NORMAL, ran=False, mindless=False)
    assert not may_use_special(Turn.NORMAL, ran=True, mindless=False)
    assert not may_use_special(Turn.WIDE_SPREAD_PANIC, ran=False, mindless=False)


@pytest.mark.rule("runolfsson.phase.stationary-eligible")
def test_only_models_that_stayed_attack_in_the_stationary_phase() -> None:
    assert may_attack_stationary(Turn.NORMAL, moved=False)
    assert not may_attack_stationary(Turn.NORMAL, moved=True)


@pytest.mark.rule("runolfsson.phase.moving-eligible")
def test_each_model_that_has_not_attacked_may_in_the_moving_phase() -> None:
    assert may_attack_moving(Attacked.NO)
    assert not may_attack_moving(Attacked.YES)


# Initiative


@pytest.mark.rule("runolfsson.init.roll")
def test_the_higher_score_gains_the_initiative_and_ties_are_rolled_anew(battle: Battle) -> None:
    done = begun(battle, "take the initiative", dice=(6, 6, 7, 4))

    assert initiative_winner((7, 4)) == RED
    assert initiative_winner((4, 4)) is None
    assert done.named("turn began")[0].facts.values()["faces"] == (6, 6, 7, 4)
    assert first_mover(battle) == RED


@pytest.mark.rule("runolfsson.init.bonus")
def test_two_turns_without_give_four(battle: Battle) -> None:
    for faces in ((9, 1), (9, 1)):
        begun(battle, "take the initiative", dice=faces)
        set_phase(battle, Phase.BEFORE, turn=battle.state.turn)

    begun(battle, "take the initiative", dice=(8, 5))

    assert initiative_bonus(2) == 4
    assert first_mover(battle) == BLUE
    assert battle.state.sides.ints("waiting").tolist() == [1, 0]


@pytest.mark.rule("runolfsson.init.must-move-first")
def test_the_winner_moves_first_without_super_initiative(battle: Battle) -> None:
    begun(battle, "take the initiative", dice=(2, 9))

    assert first_mover(battle) == first_without_super(BLUE) == BLUE
    assert kind(battle) is Turn.NORMAL


# Super initiative


@pytest.mark.rule("runolfsson.super.roll")
@pytest.mark.parametrize(("face", "success"), [(5, True), (4, False), (1, False), (10, True)])
def test_super_initiative_succeeds_from_five_up(face: int, success: bool) -> None:
    assert super_succeeds(face) is success


@pytest.mark.rule("runolfsson.super.fail")
def test_if_it_fails_the_opponent_decides_and_counts_as_the_winner(battle: Battle) -> None:
    done = begun(battle, "try super initiative", "go second", dice=(9, 2, 4))

    assert has_initiative(RED, super_failed=True) == BLUE
    assert done.asked[-1].side == BLUE
    assert first_mover(battle) == RED
    assert battle.state.sides.ints("waiting").tolist() == [1, 0]


def chooses(battle: Battle, verb: str, *more: str) -> None:
    begun(battle, "try super initiative", verb, *more, dice=(9, 2, 5))


@pytest.mark.rule("runolfsson.super.move-second")
def test_the_chooser_of_move_second_moves_second(battle: Battle) -> None:
    chooses(battle, "move second")

    assert first_mover(battle) == BLUE
    assert chosen("move second").slug == "runolfsson.super.move-second"
    assert battle.state.sides.ints("waiting").tolist() == [0, 1]


@pytest.mark.rule("runolfsson.super.move-first")
def test_the_chooser_of_move_first_moves_first(battle: Battle) -> None:
    chooses(battle, "move first")

    assert (first_mover(battle), kind(battle)) == (RED, Turn.NORMAL)


@pytest.mark.rule("runolfsson.super.mad-minute")
def test_in_a_mad_minute_all_attack_once_without_moving(battle: Battle) -> None:
    chooses(battle, "mad minute")

    assert may_attack_stationary(Turn.MAD_MINUTE, moved=True)
    assert played_phases(battle) == [4, 5, 7, 9, 10]


@pytest.mark.rule("runolfsson.super.rush")
def test_in_a_rush_no_dice_are_rolled_against_models(battle: Battle) -> None:
    chooses(battle, "rush", "go second")

    assert first_mover(battle) == BLUE
    assert played_phases(battle) == [2, 3, 4, 7, 9, 10]


@pytest.mark.rule("runolfsson.super.heat-of-battle")
def test_the_heat_of_battle_has_no_morale_phases(battle: Battle) -> None:
    chooses(battle, "heat of battle")

    assert played_phases(battle) == [2, 3, 4, 5, 8, 10]


@pytest.mark.rule("runolfsson.super.hurry-up-and-wait")
def test_hurry_up_and_wait_counts_as_a_turn(battle: Battle) -> None:
    chooses(battle, "hurry up and wait")

    assert battle.state.turn == 1
    assert played_phases(battle) == [10]


@pytest.mark.rule("runolfsson.super.senseless-slaughter")
def test_one_model_of_each_unit_is_free_in_senseless_slaughter() -> None:
    squad = [{"at": [10, 4], "name": "head"}]
    squad += [{"at": [12 + 2 * n, 4], "group": "head"} for n in range(5)]
    battle = table(*squad, {"at": [10, 44], "side": "Blue"})

    chooses(battle, "senseless slaughter", "go first", "pick", "pick")

    assert kind(battle) is Turn.SENSELESS_SLAUGHTER
    assert battle.state.units.ints("free").tolist() == [1, 0, 0, 0, 0, 0, 1]
    assert chosen("senseless slaughter").chooser_first is None


@pytest.mark.rule("runolfsson.super.wide-spread-panic")
def test_in_a_panic_fearless_models_check_too() -> None:
    battle = table(
        {"at": [10, 4], "grade": "fearless", "character": True}, {"at": [10, 44], "side": "Blue"}
    )
    chooses(battle, "wide spread panic")
    procedure = battle.system.next_step(battle)
    assert procedure is not None

    done = carry(battle, procedure, dice=(2, 9))

    assert phases_of(chosen("wide spread panic").turn) == (Phase.MORALE_ONE,)
    assert [event.facts.values()["result"] for event in done.named("morale checked")] == [
        "routed",
        "unaffected",
    ]


def test_each_choice_has_a_rule_of_its_own() -> None:
    assert len({choice.slug for choice in CHOICES.values()}) == 8


def test_the_chooser_decides_the_order_only_in_a_rush_and_in_slaughter() -> None:
    """After the choices without such a decision the chooser moves first; but for one."""
    assert {verb: choice.chooser_first for verb, choice in CHOICES.items()} == {
        "move second": False,
        "mad minute": True,
        "rush": None,
        "heat of battle": True,
        "hurry up and wait": True,
        "senseless slaughter": None,
        "wide spread panic": True,
        "move first": True,
    }


def test_a_turn_resets_all_that_lasts_a_turn(battle: Battle) -> None:
    put(battle, 0, moved=1, attacked=2, spent=3.0, ran=1, was_hit=1, cloaked=1)

    begun(battle, "take the initiative", dice=(9, 1))

    units = battle.state.units
    names = ("moved", "attacked", "spent", "ran", "was_hit")
    assert [units.value(name, 0) for name in names] == [0] * 5
    assert units.value("cloaked", 0) == 1
