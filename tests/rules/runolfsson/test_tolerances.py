"""Limits: each rule at its limit, within the tolerance of places on a grid, and beyond it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.rules.runolfsson.attack import in_range
from emlia3d.rules.runolfsson.core import has_a_shot, is_close_attack, is_within, joined, whole
from emlia3d.rules.runolfsson.elevation import (
    at_its_edge,
    at_the_foot,
    over,
    over_downhill,
    over_uphill,
    touches,
)
from emlia3d.rules.runolfsson.fire_line import plunges
from emlia3d.rules.runolfsson.opportunity import is_worse_at_end

E = 1e-6
"""Lengths that differ by no more are equal, inches."""

AT_MOST: dict[str, tuple[Callable[[Any], Any], float]] = {
    "runolfsson.contour.touch": (touches, 0.05),
    "runolfsson.core.terms-close": (is_close_attack, 0.05),
    "runolfsson.core.measure": (lambda off: is_within(off, 6.0), 6.0),
    "runolfsson.attack.ranged-needs": (
        lambda gap: in_range(np.array(gap), np.array(24.0)),
        24.0,
    ),
    "runolfsson.contour.down": (lambda off: at_its_edge(True, off), 0.5),
    "runolfsson.plunging.base": (lambda friend: plunges(np.array(2.0), np.array(friend)), 1.5),
}
"""What holds up to a limit, by its rule."""

AT_LEAST: dict[str, tuple[Callable[[Any], Any], float]] = {
    "runolfsson.elevation.fire-down": (lambda off: over_downhill(9.0, off), 4.5),
    "runolfsson.elevation.fire-up": (lambda off: over_uphill(9.0, off), 4.5),
    "runolfsson.plunging.base": (lambda base: plunges(np.array(base), np.array(0.25)), 1.5),
    "runolfsson.core.round-down": (lambda dice: whole(dice) == 3, 3.0),
}
"""What holds from a limit on, by its rule."""


@pytest.mark.rule(*AT_MOST)
@pytest.mark.parametrize("slug", AT_MOST)
def test_a_rule_holds_up_to_its_limit_and_a_tolerance(slug: str) -> None:
    holds, limit = AT_MOST[slug]

    assert [bool(holds(at)) for at in (limit - 1e-3, limit, limit + E / 2)] == [True] * 3
    assert holds(limit + E), "at the tolerance itself"
    assert not holds(limit + 2 * E)


@pytest.mark.rule(*AT_LEAST)
@pytest.mark.parametrize("slug", AT_LEAST)
def test_a_rule_holds_from_its_limit_less_a_tolerance(slug: str) -> None:
    holds, limit = AT_LEAST[slug]

    assert [bool(holds(at)) for at in (limit + 1e-3, limit, limit - E / 2)] == [True] * 3
    assert holds(limit - E), "at the tolerance itself"
    assert not holds(limit - 2 * E)


@pytest.mark.rule("runolfsson.op.trigger")
@pytest.mark.parametrize(
    ("end", "worse"), [(2.4, False), (2.4 - E, False), (2.4 - 2 * E, True), (2.5, False)]
)
def test_a_target_is_worse_at_its_end_by_more_than_the_tolerance(end: float, worse: bool) -> None:
    assert is_worse_at_end(2.4, end) is worse


@pytest.mark.rule("runolfsson.dice.fractions")
def test_what_is_lost_by_rounding_is_no_fraction_of_a_die() -> None:
    assert joined([(2.0 + E / 2, -3), (0.5, -1), (0.5, 0)]) == (1, -1)
    assert joined([(2.0 + 2 * E, -3), (0.5, -1), (0.5, 0)]) == (1, -3)
    assert has_a_shot([(1.0 - E, 0)])
    assert not has_a_shot([(1.0 - 3 * E, 0)])


LEVELS = [
    # attacker, target, top, far of both, near of both, passes
    (1, 0, 1, (8.0, 4.0), (0.0, 0.0), True),
    (1, 0, 1, (8.0, 3.9), (8.0, 9.0), False),
    (0, 1, 1, (0.0, 0.0), (8.0, 4.0), True),
    (0, 1, 1, (8.0, 9.0), (8.0, 3.9), False),
    (0, 1, 2, (8.0, 9.0), (8.0, 9.0), False),
    (2, 0, 2, (8.0, 4.0), (0.0, 0.0), True),
    (2, 0, 3, (8.0, 9.0), (8.0, 9.0), False),
    (1, 1, 1, (8.0, 0.0), (8.0, 0.0), True),
    (1, 1, 2, (8.0, 9.0), (8.0, 9.0), False),
    (0, 0, 0, (8.0, 0.0), (8.0, 0.0), True),
    (0, 0, 1, (8.0, 9.0), (8.0, 9.0), False),
    (3, 2, 2, (8.0, 0.0), (8.0, 0.0), True),
]


@pytest.mark.rule("runolfsson.elevation.over-units", "runolfsson.elevation.not-over")
@pytest.mark.parametrize("case", LEVELS)
def test_fire_passes_over_by_the_top_and_by_the_half_distance(case: tuple[Any, ...]) -> None:
    attacker, target, top, far, near, passes = case

    assert bool(over(attacker, target, top, near, far)) is passes


@pytest.mark.rule("runolfsson.elevation.over-units")
def test_many_pieces_are_judged_as_one_by_one() -> None:
    attackers, targets, tops, fars, nears, expected = zip(*LEVELS, strict=True)
    near, far = np.array(nears).T, np.array(fars).T
    levels = np.array(attackers), np.array(targets)

    assert over(*levels, np.array(tops), tuple(near), tuple(far)).tolist() == list(expected)


@pytest.mark.rule("runolfsson.contour.foot")
@pytest.mark.parametrize(
    ("lower", "higher", "sees"), [(0, 0, False), (0, 1, True), (1, 2, True), (0, 2, False)]
)
def test_a_foot_shows_the_next_level_alone(lower: int, higher: int, sees: bool) -> None:
    assert bool(at_the_foot(lower, higher, True)) is sees
    assert not at_the_foot(lower, higher, False)
