"""Whole battles: what must hold whoever commands and however the dice fall."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander
from emlia3d.battle.events import Event
from emlia3d.scenario import load
from tests.rules.emlia.invariants import Watched
from tests.rules.emlia.random_play import Fuzzer, digest_of, folded, in_pieces

Build = Callable[..., Battle]


def by_chance(battle: Battle) -> Iterator[Event]:
    return battle.run([Fuzzer() for _ in battle.setup.sides])


def by_plan(battle: Battle) -> Iterator[Event]:
    return battle.run([battle.commander("doctrine") for _ in battle.setup.sides])


RUNS = pytest.mark.parametrize("run", [by_chance, by_plan], ids=["by chance", "by plan"])
BATTLES = pytest.mark.parametrize("name", ["bandits", "duel"])


@pytest.mark.long
@RUNS
@BATTLES
def test_a_battle_ends_and_all_that_happens_in_it_is_possible(
    name: str, run: Callable[[Battle], Iterable[Event]]
) -> None:
    battle = Watched.play(load(name).battle(seed=3), run)

    assert battle.result is not None


@pytest.mark.long
@RUNS
@BATTLES
def test_the_same_seed_gives_the_same_battle(
    name: str, run: Callable[[Battle], Iterable[Event]]
) -> None:
    scenario = load(name)

    digests = [digest_of(scenario.battle(seed, turns=3), run) for seed in (4, 4, 5)]

    assert digests[0] == digests[1] != digests[2]


@pytest.mark.long
@BATTLES
def test_folding_the_events_gives_the_state(name: str) -> None:
    battle = load(name).battle(seed=6)

    state = folded(battle.setup, list(by_chance(battle)))

    state.stretch = battle.state.stretch
    assert state.key_frame() == battle.state.key_frame()


@pytest.mark.long
@pytest.mark.parametrize("commander", ["random", "doctrine"])
@BATTLES
def test_a_battle_taken_up_afresh_at_every_boundary_goes_on_as_it_would_have(
    name: str, commander: str
) -> None:
    battle = load(name).battle(seed=7)

    def who() -> list[Commander]:
        return [battle.commander(commander) for _ in battle.setup.sides]

    unbroken = digest_of(battle, lambda b: b.run(who()))

    assert in_pieces(battle.setup, 7, who) == unbroken


@pytest.mark.long
@RUNS
@BATTLES
def test_values_computed_again_after_each_event_change_nothing(
    name: str, run: Callable[[Battle], Iterable[Event]]
) -> None:
    scenario = load(name)
    forgetful = scenario.battle(seed=9, turns=4)

    for _ in run(forgetful):
        forgetful.derived.clear()

    assert forgetful.digest.hexdigest() == digest_of(scenario.battle(seed=9, turns=4), run)


@pytest.mark.slow
def test_two_turns_of_the_brigade_battle_are_the_same_in_pieces() -> None:
    battle = load("ridge").battle(seed=1, turns=2)

    def who() -> list[Commander]:
        return [battle.commander("doctrine") for _ in battle.setup.sides]

    unbroken = digest_of(battle, by_plan)

    assert in_pieces(battle.setup, 1, who) == unbroken
