"""Press hits: who presses whom, with how many men, and how hard."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from tests.rules.emlia import troops
from tests.rules.emlia.shoving import hits, pushed

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, hits=99)
theirs = partial(troops.theirs, hits=99)


@pytest.mark.rule("emlia.press.when")
def test_a_ranked_unit_that_pushes_to_its_front_presses(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(ranked(4, 3, (100, 100)), theirs(4, 2, (100, 101)))

    pushed(battle, play, [(0, 1, 1)], ["give-way", "stand"])

    assert hits(battle) == [(0, 1, 0, 8)]


@pytest.mark.rule("emlia.press.number", "emlia.ranked.rear-ranks")
def test_the_length_of_the_push_does_not_matter_to_the_press(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 3, (100, 100)), theirs(4, 2, (100, 101)))

    pushed(battle, play, [(0, 1, 6)], ["give-way", "stand"])

    assert hits(battle) == [(0, 1, 0, 8)]


@pytest.mark.rule("emlia.press.example-file")
@pytest.mark.parametrize(
    ("files", "ranks", "enemy_files", "press"),
    [
        pytest.param(1, 20, 1, 4, id="a file of twenty against a block four deep"),
        pytest.param(3, 6, 3, 12, id="three wide and six deep"),
        # The book calls 12 the most that eighteen men can do; that is so against three engaged.
        pytest.param(4, 5, 4, 16, id="four wide and five deep"),
    ],
)
def test_a_deep_block_presses_with_the_men_behind_those_engaged(
    field_of_battle: Build, play: Play, files: int, ranks: int, enemy_files: int, press: int
) -> None:
    battle = field_of_battle(ranked(files, ranks, (100, 100)), theirs(enemy_files, 4, (100, 101)))

    pushed(battle, play, [(0, 1, 1)], ["give-way", "stand"])

    assert hits(battle) == [(0, 1, 0, press)]


@pytest.mark.rule("emlia.press.when", "emlia.press.number")
def test_an_enemy_in_no_ranks_is_one_rank_deep_to_the_press(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        ranked(4, 4, (100, 100)),
        {"at": (100, 101.4), "side": "Bob", "hits": 99, "members": 3,
         "formation": "close"},
    )  # fmt: skip

    pushed(battle, play, [(0, 1, 1)], ["stand"])

    assert hits(battle) == [(0, 1, 0, 3)]


@pytest.mark.rule("emlia.press.when")
def test_who_is_pushed_in_the_flank_is_pressed_by_those_whose_front_is_there(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(2, 3, (97, 99), 90))

    pushed(battle, play, [(1, 0, 2)], ["give-way", "stand"])

    assert hits(battle) == [(1, 0, 0, 4)]


@pytest.mark.rule("emlia.press.when")
def test_a_unit_that_is_not_ranked_does_not_press(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle({"at": (100, 100), "members": 6, "files": 3}, theirs(4, 2, (100, 103)))

    pushed(battle, play, [(0, 1, 2)], ["give-way", "stand"])

    assert hits(battle) == []


@pytest.mark.rule("emlia.press.base-damage")
@pytest.mark.parametrize(("size", "press"), [(2, [(0, 1, 1, 1)]), (5, [(0, 1, 3, 1)])])
def test_giants_press_harder(
    field_of_battle: Build, play: Play, size: int, press: list[tuple[int, ...]]
) -> None:
    giants = ranked(1, 2, (100, 100), size=size, height=size)
    battle = field_of_battle(giants, theirs(1, 1, (100, 101)))

    pushed(battle, play, [(0, 1, 1)], ["give-way", "stand"])

    assert hits(battle) == press


@pytest.mark.rule("emlia.press.base-damage")
def test_nobody_presses_an_enemy_of_more_than_four_times_his_size(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ranked(4, 4, (100, 100)), theirs(1, 1, (100, 101), size=5, height=5))

    pushed(battle, play, [(0, 1, 1)], ["give-way", "stand"])

    assert hits(battle) == []
