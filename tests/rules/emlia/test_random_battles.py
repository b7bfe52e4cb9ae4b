"""A thousand small battles by chance: what must hold in every one of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander
from emlia3d.battle.digest import EventDigest
from emlia3d.battle.setup import Setup
from emlia3d.rules.emlia import SYSTEM
from tests.rules.emlia.invariants import Watched
from tests.rules.emlia.random_boards import board_of
from tests.rules.emlia.random_play import (
    Once,
    OneStretch,
    StretchOverError,
    Wanderer,
    folded,
    frames_of,
    resolved,
)

Build = Callable[..., Battle]

FEW = range(10)
CHEAP = (1000, 1001, 1003)
REST = [range(first, first + 18) for first in range(10, 1000, 18)]


def commanders(setup: Setup, seed: int) -> list[Commander]:
    """Chance commands on all sides in half of the battles, the doctrine on some or on all."""
    planned = {0: len(setup.sides), 1: 1}.get(seed % 4, 0)
    doctrine = Battle(setup, SYSTEM, seed).commander("doctrine")
    return [doctrine if side < planned else Wanderer() for side in range(len(setup.sides))]


def check(setup: Setup, seed: int) -> None:
    """Play a battle, and again in pieces, and each of its resolutions with its inputs mixed."""

    def who() -> list[Commander]:
        return commanders(setup, seed)

    battle = Watched.play(Battle(setup, SYSTEM, seed), lambda b: b.run(who()))
    assert battle.result is not None

    state = folded(setup, battle.told)
    state.stretch = battle.state.stretch
    assert state.key_frame() == battle.state.key_frame()

    digest, resolutions = EventDigest(), []
    for frame, events in frames_of(setup, seed, who):
        for event in events:
            digest.add(event)
        if frame is not None and any(event.name == "resolved" for event in events):
            resolutions.append(frame)
    assert digest.hexdigest() == battle.digest.hexdigest()

    for frame in resolutions:
        assert resolved(setup, seed, frame) == resolved(setup, seed, frame, Random(seed))


def carry_out_all(setup: Setup, seed: int) -> int:
    """Carry out each order of the first choice of each stretch of a battle; how many they were."""
    carried_out = 0
    for frame, _ in frames_of(setup, seed, lambda: commanders(setup, seed)):
        number, choices = 0, 1
        while frame is not None and number < choices:
            battle, tried = Watched(setup, SYSTEM, seed), Once(number)
            battle.take_up(frame)
            with suppress(StretchOverError):
                for _ in battle.run([tried] * len(setup.sides), OneStretch()):
                    pass
            number, choices = number + 1, tried.choices
            carried_out += bool(choices)
    return carried_out


@pytest.mark.long
@pytest.mark.parametrize("seed", CHEAP)
def test_every_order_on_offer_can_be_carried_out(field_of_battle: Build, seed: int) -> None:
    assert carry_out_all(board_of(seed, field_of_battle), seed) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seeds", REST[:5], ids=str)
def test_every_order_on_offer_of_many_battles_can_be_carried_out(
    field_of_battle: Build, seeds: range
) -> None:
    assert sum(carry_out_all(board_of(seed, field_of_battle), seed) for seed in seeds) > 200


@pytest.mark.long
@pytest.mark.parametrize("seed", FEW)
def test_a_battle_by_chance_is_possible_ends_and_can_be_taken_up_anywhere(
    field_of_battle: Build, seed: int
) -> None:
    check(board_of(seed, field_of_battle), seed)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", REST, ids=str)
def test_a_thousand_battles_by_chance_are_possible(field_of_battle: Build, seeds: range) -> None:
    for seed in seeds:
        check(board_of(seed, field_of_battle), seed)
