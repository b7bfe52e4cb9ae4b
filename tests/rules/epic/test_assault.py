"""Assaults, with the worked example of the catalogue."""

from __future__ import annotations

import pytest

from emlia3d.rules.epic.assault import (
    Fighter,
    allocate_hits,
    assault_value,
    count_hits,
    countercharge_tiles,
    counts_as_covered,
    driven_off,
    fight_hits,
    fighters_of,
    further_losses,
    is_closed,
    margin_of,
    may_countercharge,
    may_support,
    result_bonus,
    rounds_of_hits,
    shock_of_winner,
    valid_targets,
    way_of_fighting,
    wiped_out,
)
from emlia3d.rules.epic.assault_procedure import (
    KillCount,
    assault,
    conclude,
    countercharge,
    fight,
    fight_round,
)
from emlia3d.rules.epic.formations import kind_of, units_of
from tests.rules.epic.boards import board, carry_out, cell, go, put, tile_of

RED = {"side": "Red"}


def group(side: str, first: int, tiles: list[tuple[int, int]], **values: object) -> list[dict]:  # type: ignore[type-arg]
    """Return a formation, whose first unit has the number *first*."""
    return [
        {"side": side, "tile": [*tile], **values, **({"in": f"unit {first}"} if number else {})}
        for number, tile in enumerate(tiles)
    ]


@pytest.mark.rule("epic.assault.charge")
def test_a_charge_ends_within_four_tiles() -> None:
    assert (is_closed(4), is_closed(5)) == (True, False)


@pytest.mark.rule("epic.assault.charge", "epic.assault.win-wiped")
def test_a_charge_marks_the_units_that_moved() -> None:
    battle = board({"tile": [4, 5], "cc": 6}, {**RED, "tile": [4, 10], "save": 0, "cc": 0},
                   faces=(1, 6))  # fmt: skip
    carry_out(battle, assault(battle, 0, 1), go(battle, 0, (4, 9)), "stay")
    assert tile_of(battle, 0) == (4, 9)
    assert (cell(battle, 0, "charged"), cell(battle, 1, "present")) == (1, 0)
    assert is_closed(1)
    assert wiped_out(1, 0)


@pytest.mark.rule("epic.assault.countercharge")
def test_a_countercharge_is_a_quarter_of_the_speed() -> None:
    assert [countercharge_tiles(n, broken=False) for n in (4, 8, 7, 2, 0)] == [1, 2, 1, 1, 0]
    assert countercharge_tiles(8, broken=True) == 0


@pytest.mark.rule("epic.assault.countercharge")
def test_each_step_of_a_countercharge_is_nearer() -> None:
    battle = board({"tile": [4, 8]}, {**RED, "tile": [8, 8], "speed": 8})
    carry_out(battle, countercharge(battle, 0, 1), go(battle, 1, (6, 8)))
    assert tile_of(battle, 1) == (6, 8)
    assert countercharge_tiles(8, broken=False) == 2


@pytest.mark.rule("epic.assault.who-fights", "epic.assault.no-suppression")
def test_units_fight_by_their_distance() -> None:
    assert way_of_fighting(1, seen=False) == "cc"
    assert way_of_fighting(3, seen=True) == "ff"
    assert way_of_fighting(3, seen=False) is None
    assert way_of_fighting(5, seen=True) is None
    battle = board(*group("Blue", 0, [(4, 8), (6, 8), (7, 8)]), {**RED, "tile": [8, 8]})
    put(battle, "unit", 0, shock=3)
    assert [each.way for each in fighters_of(battle, [0, 1, 2], [3])] == ["ff", "ff", "cc"]


@pytest.mark.rule("epic.assault.roll", "epic.assault.count", "epic.assault.no-modifiers")
def test_hits_are_counted_without_modifiers() -> None:
    battle = board({"tile": [4, 8], "cc": 4, "ff": 2}, {**RED, "tile": [8, 8]})
    put(battle, "unit", 0, shock=4, morale=1)
    assert assault_value(kind_of(battle, 0), "cc") == 4
    assert [fight_hits(face, 4) for face in (2, 5, 4)] == [1, 0, 1]
    fighters = [Fighter(row, "cc", 4, macro=row == 2) for row in range(3)]
    assert count_hits((2, 5, 4), fighters) == (1, 1)


@pytest.mark.rule("epic.assault.allocate", "epic.assault.allocate-valid")
def test_hits_fall_on_the_closest_within_four_tiles() -> None:
    battle = board({"tile": [4, 8]}, *group("Red", 1, [(5, 8), (4, 9), (6, 8), (8, 8), (10, 8)]))
    targets = valid_targets(battle, [1, 2, 3, 5], [0])
    assert targets == [1, 2, 3]
    assert allocate_hits(battle, 5, targets, [0]) == {1: 2, 2: 2, 3: 1}


@pytest.mark.rule("epic.assault.macro")
def test_hits_of_macro_weapons_are_taken_last() -> None:
    assert rounds_of_hits(3, 2) == ((3, False), (2, True))


@pytest.mark.rule("epic.assault.cover", "epic.assault.allocate-valid")
def test_hits_may_be_confined_to_units_that_moved() -> None:
    reds = group("Red", 1, [(5, 8), (4, 9)], save=0, cc=0, ff=0)
    battle = board({"tile": [4, 8], "cc": 6}, *reds, faces=(1, 6, 6),
                   terrain=[("forest", [(5, 8), (4, 9)])])  # fmt: skip
    put(battle, "unit", 2, charged=1)
    assert [counts_as_covered(battle, row) for row in (1, 2)] == [True, False]
    both = 0, 1
    carry_out(battle, fight_round(battle, both, both, KillCount([0, 0])), "hit the exposed")
    assert [cell(battle, row, "present") for row in (1, 2)] == [1, 0]
    assert valid_targets(battle, [1], [0]) == [1]


@pytest.mark.rule("epic.assault.win-wiped", "epic.assault.win-driven")
def test_an_assault_may_be_won_without_a_roll() -> None:
    assert wiped_out(2, 0)
    assert not wiped_out(1, 1)
    assert driven_off([6, 5])
    assert not driven_off([6, 4])


@pytest.mark.rule("epic.assault.win-driven", "epic.assault.loser")
def test_attackers_that_are_driven_off_lose() -> None:
    battle = board({"tile": [4, 3]}, {**RED, "tile": [4, 12]})
    carry_out(battle, fight(battle, 0, 1, KillCount([0, 0])), "stay")
    assert (cell(battle, 0, "morale"), cell(battle, 1, "morale")) == (1, 0)
    assert driven_off([9])
    assert further_losses(0, 1, was_broken=False) == 0


@pytest.mark.rule("epic.assault.support")
def test_other_formations_support_with_ff() -> None:
    assert may_support(broken=False, marched=False)
    assert not may_support(broken=True, marched=False)
    assert not may_support(broken=False, marched=True)


@pytest.mark.rule("epic.assault.support")
def test_supporting_fire_hits_within_four_tiles() -> None:
    battle = board(
        {"tile": [4, 8], "cc": 0, "ff": 0}, {**RED, "tile": [5, 8], "cc": 0, "save": 0},
        {"tile": [9, 8], "ff": 3}, faces=(6, 6, 2),
    )  # fmt: skip
    carry_out(battle, fight(battle, 0, 1, KillCount([0, 0])), "stay")
    assert cell(battle, 1, "present") == 0
    assert may_support(broken=False, marched=False)


@pytest.mark.rule("epic.assault.result")
def test_the_bonuses_of_the_result() -> None:
    assert result_bonus(2, (3, 3), (0, 1)) == 4
    assert result_bonus(1, (3, 3), (1, 0)) == 1
    assert result_bonus(0, (4, 2), (1, 1)) == 2


@pytest.mark.rule("epic.assault.result-tie")
def test_a_second_tie_is_a_defeat_of_the_attacker() -> None:
    assert margin_of((9, 7), second=False) == 2
    assert margin_of((7, 7), second=False) is None
    assert margin_of((7, 7), second=True) == 0


@pytest.mark.rule("epic.assault.result-tie")
def test_after_a_tie_both_sides_fight_again() -> None:
    battle = board({"tile": [4, 8], "cc": 0}, {**RED, "tile": [5, 8], "cc": 0},
                   faces=(6, 6, 3, 3, 3, 3, 6, 6, 4, 4, 4, 4))  # fmt: skip
    carry_out(battle, fight(battle, 0, 1, KillCount([0, 0])), "stay")
    assert (cell(battle, 0, "morale"), cell(battle, 1, "morale")) == (1, 0)
    assert margin_of((7, 7), second=True) == 0


@pytest.mark.rule("epic.assault.loser", "epic.assault.winner")
def test_the_loser_loses_as_many_units_as_the_margin() -> None:
    assert further_losses(2, 3, was_broken=False) == 2
    assert further_losses(-4, 3, was_broken=False) == 3
    assert shock_of_winner(1) == 1
    blues = group("Blue", 0, [(4, 8), (4, 7)])
    battle = board(*blues, *group("Red", 2, [(5, 8), (6, 8), (7, 8)]))
    carry_out(battle, conclude(battle, (0, 2), 0, 2, KillCount([0, 1])), "stay")
    assert [cell(battle, row, "present") for row in (2, 3, 4)] == [0, 0, 1]
    assert (cell(battle, 2, "morale"), cell(battle, 0, "shock")) == (1, 1)


@pytest.mark.rule("epic.assault.broken-defender", "epic.assault.loser")
def test_a_broken_defender_fights_and_is_destroyed_if_it_loses() -> None:
    assert may_countercharge(broken=False)
    battle = board({"tile": [4, 5], "cc": 0}, *group("Red", 1, [(4, 10), (5, 10)], cc=0, ff=0),
                   faces=(6, 6, 6, 6, 6, 1, 1))  # fmt: skip
    put(battle, "unit", 1, morale=1, shock=3)
    carry_out(battle, assault(battle, 0, 1), go(battle, 0, (4, 9)), "stay")
    assert not units_of(battle).of_formation(1)
    assert not may_countercharge(broken=True)
    assert further_losses(1, 2, was_broken=True) == 2


@pytest.mark.rule("epic.assault.worked-example", "epic.assault.count")
def test_the_worked_example() -> None:
    blues = group("Blue", 0, [(4, 9), (5, 9), (6, 9), (3, 8)], save=3, cc=4, ff=2)
    reds = group("Red", 4, [(4, 10), (5, 10), (6, 10), (4, 11), (5, 11)], save=1, cc=2, ff=2)
    faces = (
        *(2, 5, 4), 1,  # the attackers' close combat and firefight
        *(1, 3, 6), *(2, 5),  # the defenders'
        *(4, 1, 6),  # the defenders' saves
        *(3, 5),  # the attackers' saves
        *(3, 5), *(6, 2),  # the result
    )  # fmt: skip
    battle = board(*blues, *reds, faces=faces)
    put(battle, "unit", 4, shock=1)
    tally = KillCount([0, 0])
    carry_out(battle, fight(battle, 0, 4, tally), "all stay")

    assert tally.killed == [2, 1]
    assert len(units_of(battle).of_formation(0)) == 3
    assert len(units_of(battle).of_formation(4)) == 1
    assert (cell(battle, 4, "morale"), cell(battle, 0, "shock")) == (1, 1)
    assert count_hits((1,), [Fighter(0, "cc", 4, macro=False)]) == (1, 0)
