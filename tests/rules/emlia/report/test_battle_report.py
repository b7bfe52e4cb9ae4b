"""Whole battles as reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place, Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.questions.report import Happening, Passage
from emlia3d.battle.setup import Side
from emlia3d.rulekit.english import ReportNames
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.events.losses import Shaken
from emlia3d.rules.emlia.events.movement import Charged, Moved
from emlia3d.rules.emlia.events.turn import (
    ActedOfItself,
    Activated,
    ActivationEnded,
    Prepared,
    Resolved,
    StepBegun,
    TurnBegun,
    TurnEnded,
)
from emlia3d.rules.emlia.report import deployment
from emlia3d.rules.emlia.report.battle_report import chronicle
from emlia3d.rules.emlia.words.phrases import WORDS
from emlia3d.scenario import load
from tests.made_up import made_up

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50), "name": "archers", "members": 10}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "name": "bandits"}

BEGINS = Event(facts=TurnBegun(turn=1), gesture="turn")
STEP = Event(facts=StepBegun(timing=2))
RESOLVED = Event(facts=Resolved())


def told(battle: Battle, *story: Happening, dice: bool = False) -> list[str]:
    """The report of what happens now, event by event, but for its last words."""

    def happening() -> Any:
        for one in story:
            if isinstance(one, Event):
                battle.happen(one)
            yield one

    passages = list(chronicle(battle, happening(), dice=dice))
    assert passages[-2].text == "The battle continues"
    return [passage.text for passage in passages[:-2]]


def acts(unit: int, *deeds: Happening) -> tuple[Happening, ...]:
    return Event(facts=Activated(), unit=unit), *deeds, Event(facts=ActivationEnded(), unit=unit)


def moved(unit: int, x: float, y: float) -> Event:
    place = Place(unit=unit, x=x, y=y, facing=0, formation=0, files=1)
    return Event(facts=made_up(Moved), unit=unit, changes=(place,))


def test_a_move_is_told_with_its_length_its_way_and_the_reason_for_it(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ALICE, BOB)
    front = float(battle.state.units.value("y", 0))
    order = Order(verb="move", unit=0, why="get into range")

    said = told(battle, STEP, *acts(0, order, moved(0, 50, front + 12)))

    assert said == ["Timing 2", 'Alice. The archers move 12 GSU north ("get into range").']


def test_a_step_in_which_nothing_happens_is_not_told(field_of_battle: Build) -> None:
    assert told(field_of_battle(ALICE, BOB), STEP, *acts(0), RESOLVED) == []


def test_those_who_only_wait_for_the_same_are_told_of_together(field_of_battle: Build) -> None:
    note = {"note": '{"when":[{"within":16.0}],"do":["charge"]}'}

    def waits(unit: int) -> tuple[Happening, ...]:
        order = Order(verb="prepare", unit=unit, why="charge who comes near")
        return acts(unit, order, Event(facts=made_up(Prepared, **note), unit=unit))

    battle = field_of_battle(ALICE, {**ALICE, "at": (90, 50), "name": "spears"}, BOB)
    said = told(battle, STEP, *waits(0), *waits(1), RESOLVED)

    assert said == [
        "Timing 2",
        "Alice. The archers and the spears prepare actions: charge who comes near.",
    ]


def test_who_waits_without_a_reason_waits_for_what_his_note_says(field_of_battle: Build) -> None:
    note = {"note": '{"when":[{"within":16.0}],"do":["aimed fire"]}'}
    battle = field_of_battle(ALICE, BOB)

    said = told(battle, *acts(0, Event(facts=made_up(Prepared, **note), unit=0)), RESOLVED)

    assert said == ["Alice. The archers prepare actions: ready for aimed fire."]


def test_a_turn_s_end_tells_losses_wavering_and_who_holds_what() -> None:
    battle = load("thieves").battle()
    for _ in battle.run():
        if battle.state.turn == 1:
            break
    shaken = Event(facts=Shaken(before=1, after=0, state="Shaken"), unit=0,
                   changes=(Set(table="unit", row=0, column="morale", value=0),))  # fmt: skip

    said = told(battle, shaken, Event(facts=TurnEnded(turn=1)))

    assert said[-5:-2] == [
        "At the end of turn 1",
        "The Thieves: 20 left; shaken: the cutpurses.",
        "The Watch: 24 left.",
    ]
    assert "hold" in said[-2]


@pytest.mark.parametrize("dice", [False, True])
def test_a_whole_battle_is_told_from_the_muster_to_the_end(dice: bool) -> None:
    battle = load("duel").battle(seed=1, turns=2)

    passages = list(battle.system.report(battle, battle.run(), dice=dice))

    turns = [passage.text for passage in passages if passage.rank == "turn"]
    played = battle.state.turn
    assert turns == [*(f"Turn {turn}" for turn in range(1, played + 1)), "The end"]
    assert passages[0] == Passage(rank="title", text="Four warriors and a dragon", turn=0)
    assert passages[1].text.startswith("The Warriors: Asa (warrior), Bera (warrior)")
    assert any(" dice at " in passage.text for passage in passages) is dice
    assert all(passage.text and "<" not in passage.text for passage in passages)
    assert battle.result is not None
    assert battle.result.reason in passages[-3].text


@pytest.mark.parametrize("name", ["bandits", "castle"])
def test_every_event_of_a_battle_about_a_unit_has_words_of_its_own(name: str) -> None:
    battle = load(name).battle(seed=2, turns=2)
    names = ReportNames(battle.setup)
    elsewhere = {"moved", "double paced", "fell back", "fled", "rolled on", "volley fell"}

    for event in battle.run():
        if event.unit is not None and event.name not in elsewhere | {"activated"}:
            if event.name.startswith(("activation", "prepared action")):
                continue
            assert WORDS.report(event, names) is not None, event.name


def test_whom_no_word_has_named_yet_is_not_told_by_a_pronoun(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, {**BOB, "members": 9})
    goes = Event(facts=made_up(ActedOfItself, does="charge"), unit=0, target=1)
    charge = Event(facts=made_up(Charged), unit=0, target=1)
    struck = Event(facts=made_up(Struck, successes=2), unit=0, target=1)

    (said,) = told(battle, *acts(0, goes, charge, struck))[-1:]

    assert "charge the bandits" in said
    assert "fight them in close combat" in said


@pytest.mark.parametrize(
    ("aim", "told"),
    [
        ({"controls": ("gate", "the yard")}, "they hold the gate and the yard"),
        ({"denied": ("gate",), "after": 3}, "no enemy holds the gate after turn 3"),
        ({"conceded": ("gate",)}, "the enemy holds the gate"),
        ({"unguarded": ("gate",)}, "no unit guards the gate"),
        ({"outnumbers": "gate"}, "they outnumber the enemy on the gate"),
        ({"gone": "Horde"}, "no unit of the Horde is fit to fight"),
        ({"destroyed": "Horde"}, "the Horde is completely destroyed"),
        ({"destroyed": "archers"}, "the archers are completely destroyed"),
        (
            {"cleared": "Raiders", "turns": 2},
            "the Raiders are driven off the field at the end of two turns in a row",
        ),
        ({"lost": "captain"}, "the captain is killed or captured"),
    ],
)
def test_the_report_says_what_a_side_may_win_with_verbs_that_agree(
    field_of_battle: Build, aim: dict[str, Any], told: str
) -> None:
    sides = [Side(name=name, colour="#2a5caa", lines="south") for name in ("Raiders", "Horde")]
    places = {"gate": (0, 0, 9, 9), "the yard": (10, 0, 19, 9)}
    archers = {"name": "archers", "side": "Raiders", "at": (50, 50)}
    aims = [{"side": "Raiders", "level": "victory", **aim}]
    battle = field_of_battle(
        archers, {**archers, "name": "captain", "at": (90, 90), "side": "Horde"},
        sides=sides, areas=places, aims=aims,
    )  # fmt: skip

    (sentence,) = deployment.wants(battle.setup)

    assert sentence.startswith(f"Victory conditions of the Raiders: a victory if {told}")
