"""Sides whose colours somebody could take for one another get others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emlia3d.battle.setup import Setup
from emlia3d.view.moment.palette import least_apart, told_apart

SAFE = ("#2a5caa", "#b3261e", "#d8a200")


def painted(setup: Setup, *colours: str) -> Setup:
    sides = zip(setup.sides, colours, strict=True)
    return replace(setup, sides=tuple(replace(side, colour=colour) for side, colour in sides))


def test_black_and_white_are_as_far_apart_as_can_be_to_everybody() -> None:
    assert least_apart(("#000000", "#ffffff")) == pytest.approx(100.0, abs=0.1)
    assert least_apart(("#808080", "#808080")) == 0.0


@pytest.mark.parametrize(
    "pair", [("#7a8a2e", "#b0752c"), ("#c02020", "#8a5a10"), ("#208080", "#707080")]
)
def test_colours_that_look_alike_to_somebody_are_exchanged(
    setup: Setup, pair: tuple[str, str]
) -> None:
    found = told_apart(painted(setup, *pair), SAFE)

    assert [side.colour for side in found.sides] == ["#2a5caa", "#b3261e"]


def test_colours_that_everybody_tells_apart_stay(setup: Setup) -> None:
    own = painted(setup, "#2a5caa", "#6b4c1e")

    assert told_apart(own, SAFE) is own


def test_a_battle_of_more_sides_than_there_are_colours_stays_as_it_is(setup: Setup) -> None:
    own = painted(setup, "#808080", "#808080")

    assert told_apart(own, SAFE[:1]) is own
