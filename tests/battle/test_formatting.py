"""Figures as people read them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from emlia3d.battle.formatting import percent, rounded


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.5, "50%"),
        (Fraction(7, 12), "58.3%"),
        (0.0005, "0.1%"),
        (0.0004, "under 0.1%"),
        (1e-300, "under 0.1%"),
        (Fraction(9999, 10000), "over 99.9%"),
        (0.9995, "over 99.9%"),
        (0.999, "99.9%"),
    ],
)
def test_a_share_is_told_in_tenths_of_a_percent(share: float | Fraction, told: str) -> None:
    assert percent(share) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("move: 48.25 GSU ahead (to 410, 418.75)", "move: 48 GSU ahead (to 410, 419)"),
        ("2.74 GSU, 0.04 and 9.96", "2.7 GSU, 0 and 10"),
        ("turn 3", "turn 3"),
    ],
)
def test_fractions_are_rounded_as_a_person_says_them(text: str, told: str) -> None:
    assert rounded(text) == told
