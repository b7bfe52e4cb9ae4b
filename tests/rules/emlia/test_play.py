"""Whole battles: what must hold whoever commands and however the dice fall."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle import events as recorded
from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import RandomCommander
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.digest import EventDigest
from emlia3d.battle.events import Event
from emlia3d.battle.flow import NoRecord
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.rules.emlia import SYSTEM
from emlia3d.scenario import load
from tests.rules.emlia.watching import Watched

Build = Callable[..., Battle]


class Fuzzer(RandomCommander):
    """Any order on offer; moves are checked against what the rules would accept unasked."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        for option in decision.options:
            decision.check(option)
            if decision.reach is not None and option.verb in {"move", "double-pace"}:
                assert decision.reach.refusal(option) is None, option
        return super().decide(decision, picture, dice)


def by_chance(battle: Battle) -> Iterator[Event]:
    return battle.run([Fuzzer() for _ in battle.setup.sides])


def by_plan(battle: Battle) -> Iterator[Event]:
    return battle.run([battle.commander("doctrine") for _ in battle.setup.sides])


RUNS = pytest.mark.parametrize("run", [by_chance, by_plan], ids=["by chance", "by plan"])
BATTLES = pytest.mark.parametrize("name", ["bandits", "duel"])


def digest_of(battle: Battle, run: Callable[[Battle], Iterable[Event]]) -> str:
    for _ in run(battle):
        pass
    return battle.digest.hexdigest()


@RUNS
@BATTLES
def test_a_battle_ends_and_all_that_happens_in_it_is_possible(
    name: str, run: Callable[[Battle], Iterable[Event]]
) -> None:
    battle = Watched.play(load(name).battle(seed=3), run)

    assert battle.result is not None


@RUNS
@BATTLES
def test_the_same_seed_gives_the_same_battle(
    name: str, run: Callable[[Battle], Iterable[Event]]
) -> None:
    scenario = load(name)

    digests = [digest_of(scenario.battle(seed, turns=3), run) for seed in (4, 4, 5)]

    assert digests[0] == digests[1] != digests[2]


@BATTLES
def test_folding_the_events_gives_the_state(name: str) -> None:
    battle = load(name).battle(seed=6)
    lines = [json.dumps(recorded.to_json(event)) for event in by_chance(battle)]
    setup = battle.setup
    heights = [feature.height for feature in setup.field.features]
    state = State.mustered(
        [unit.muster for unit in setup.units], len(setup.sides), heights, SYSTEM.columns
    )

    for line in lines:
        apply(state, recorded.from_json(json.loads(line)))

    state.stretch = battle.state.stretch
    assert state.key_frame() == battle.state.key_frame()


class StretchOverError(Exception):
    """A stretch is finished."""


class OneStretch(NoRecord):
    """Ends play at the first boundary."""

    def boundary(self, state: State) -> None:
        raise StretchOverError


def in_pieces(setup: Setup, seed: int, commander: Callable[[], Any]) -> str:
    """The digest of a battle in which each stretch is played by a battle of its own.

    Each knows nothing of those before it but the key frame that they left, as text.
    """
    digest = EventDigest()
    frame: str | None = None
    while True:
        battle = Battle(setup, SYSTEM, seed)
        if frame is not None:
            battle.state.restore(json.loads(frame))
        commanders = [commander() for _ in setup.sides]
        try:
            for event in battle.run(commanders, OneStretch()):
                digest.add(event)
        except StretchOverError:
            frame = json.dumps(battle.state.key_frame())
        else:
            return digest.hexdigest()


@pytest.mark.parametrize("commander", ["random", "doctrine"])
@BATTLES
def test_a_battle_taken_up_afresh_at_every_boundary_goes_on_as_it_would_have(
    name: str, commander: str
) -> None:
    battle = load(name).battle(seed=7)

    def who() -> Any:
        return battle.commander(commander)

    unbroken = digest_of(battle, lambda b: b.run([who() for _ in b.setup.sides]))

    assert in_pieces(battle.setup, 7, who) == unbroken


@RUNS
@BATTLES
def test_what_is_kept_beside_the_state_changes_nothing(
    name: str, run: Callable[[Battle], Iterable[Event]]
) -> None:
    scenario = load(name)
    forgetful = scenario.battle(seed=9, turns=4)

    for _ in run(forgetful):
        forgetful.beside.clear()

    assert forgetful.digest.hexdigest() == digest_of(scenario.battle(seed=9, turns=4), run)


KINDS = ("rock", "forest", "scrub", "hill", "river", "wall", "building", "field")
ROCKS = {"name": "Rocks", "base_damage": 1, "range": (10, 20, 60), "use": ["aimed fire"]}
SPEAR = {"name": "Spear", "base_damage": 1, "abilities": ["reach 1"]}
BOW = {
    "name": "Bow",
    "base_damage": 1,
    "range": (10, 20, 60),
    "coverage": {"start": 2, "increment": 2, "limit": 2, "per_weapon": True, "drift": 4},
}
CELL = 24


@st.composite
def units(draw: Any, sides: int, cell: tuple[int, int]) -> dict[str, Any]:
    """A unit of up to eight in its own cell of the board."""
    members = draw(st.integers(1, 8))
    formation = draw(st.sampled_from(["open", "close", "ranked"] if members > 1 else ["open"]))
    skills = {"close combat": "5/2"}
    if draw(st.booleans()):
        skills["aimed fire"] = "4"
    if draw(st.booleans()):
        skills["leadership"] = "3"
    weapons = draw(st.sampled_from([[], [ROCKS, SPEAR], [SPEAR, BOW]]))
    if BOW in weapons:
        skills["volley fire"] = "5"
    return {
        "at": (cell[0] * CELL + CELL / 2, cell[1] * CELL + CELL / 2),
        "side": "Alice" if draw(st.integers(1, sides)) == 1 else "Bob",
        "facing": draw(st.sampled_from([0, 90, 180, 270, 37])),
        "members": members,
        "files": draw(st.integers(1, min(members, 4))),
        "formation": formation,
        "movement": draw(st.sampled_from(["15G", "8G", "24G", "20F"])),
        "timing": draw(st.integers(0, 2)),
        "morale": draw(st.integers(-2, 3)),
        "hits": draw(st.integers(1, 2)),
        "skills": skills,
        "weapons": weapons,
    }


@st.composite
def boards(draw: Any) -> dict[str, Any]:
    """Two sides on a board of nine cells, each with a unit, a piece of terrain, or nothing."""
    cells = draw(st.permutations([(x, y) for x in range(3) for y in range(3)]))
    count = draw(st.integers(2, 5))
    musters = [draw(units(2, cell)) for cell in cells[:count]]
    musters[0]["side"], musters[1]["side"] = "Alice", "Bob"
    terrain = [
        {"kind": draw(st.sampled_from(KINDS)),
         "box": (x * CELL + 2, y * CELL + 6, x * CELL + 22, y * CELL + draw(st.integers(7, 18)))}
        for x, y in cells[count : count + draw(st.integers(0, 3))]
    ]  # fmt: skip
    return {"units": musters, "terrain": terrain}


@given(boards(), st.integers(0, 2**32))
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_on_any_board_random_play_is_possible_ends_and_can_be_taken_up_anywhere(
    field_of_battle: Build, board: dict[str, Any], seed: int
) -> None:
    setup = field_of_battle(
        *board["units"], terrain=board["terrain"], size=(3 * CELL, 3 * CELL), turns=2, turn=0
    ).setup

    battle = Watched.play(Battle(setup, SYSTEM, seed), by_chance)

    assert in_pieces(setup, seed, Fuzzer) == battle.digest.hexdigest()


@given(boards(), st.integers(0, 2**32))
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_on_any_board_the_doctrine_plays_to_the_end(
    field_of_battle: Build, board: dict[str, Any], seed: int
) -> None:
    setup = field_of_battle(
        *board["units"], terrain=board["terrain"], size=(3 * CELL, 3 * CELL), turns=2, turn=0
    ).setup

    battle = Watched.play(Battle(setup, SYSTEM, seed), by_plan)

    assert battle.result is not None


@pytest.mark.slow
def test_two_turns_of_the_brigade_battle_are_the_same_in_pieces() -> None:
    battle = load("ridge").battle(seed=1, turns=2)

    def who() -> Any:
        return battle.commander("doctrine")

    unbroken = digest_of(battle, by_plan)

    assert in_pieces(battle.setup, 1, who) == unbroken
