"""How many battles end, counted."""

from __future__ import annotations

import pytest

from emlia3d.studies.battles.tally import BattleResult, Proportion, Summary, share, spread, tally


def ended(seed: int, winner: str | None, level: str, turns: int, *lost: int) -> BattleResult:
    return BattleResult(
        seed=seed, turns=turns, winner=winner, level=level, digest="",
        lost=dict(zip(("Blue", "Red"), lost, strict=True)),
    )  # fmt: skip


BATTLES = [
    ended(5, "Red", "victory", 6, 10, 4),
    ended(6, "Red", "massacre", 3, 30, 2),
    ended(7, None, "draw", 6, 8, 8),
    ended(8, "Red", "victory", 3, 12, 20),
]


def test_wins_levels_length_and_losses_are_counted_by_side() -> None:
    found = tally(BATTLES, ["Blue", "Red"])

    assert found.battles == 4
    assert (found.won["Blue"].count, found.won["Red"].count, found.undecided.count) == (0, 3, 1)
    assert found.won["Red"].share == 0.75
    assert found.levels == {"Blue": {}, "Red": {"massacre": 1, "victory": 2}, "": {"draw": 1}}
    assert list(found.levels["Red"]) == ["massacre", "victory"]
    assert found.turns == Summary(least=3, lower=3, median=4.5, mean=4.5, upper=6, most=6)
    assert found.lost["Blue"].mean == 15
    assert (found.lost["Red"].least, found.lost["Red"].most) == (2, 20)


def test_the_seeds_of_note_are_the_first_of_their_kind() -> None:
    found = tally(BATTLES, ["Blue", "Red"])

    assert found.shortest == 6
    assert found.bloodiest == 6


def test_a_share_has_the_interval_of_wilson() -> None:
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for count, of, low, high in (
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718),
    ):  # fmt: skip
        found = share(count, of)
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)

    assert share(20, 20) == Proportion(
        count=20, share=1.0, low=pytest.approx(0.8389, abs=5e-5), high=1
    )


def test_quarters_of_one_number_are_that_number() -> None:
    assert spread([7]) == Summary(least=7, lower=7, median=7, mean=7, upper=7, most=7)
    assert spread([0, 1, 2, 4]).lower == 0.75
