"""A study with a width of intervals as its aim ends at the same run in any order of battles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.studies.battles.design import trials
from emlia3d.studies.battles.stop import Stop
from emlia3d.studies.battles.tally import share

SIDES = ("Red", "Blue")


def won_by_red(run: int) -> str:
    """Red wins two runs of three."""
    return SIDES[run % 3 == 0]


def ended_at(order: list[int], until: float = 0.1) -> int | None:
    """Return the run at which a study of 400 runs ends, if their battles come in an order."""
    stop = Stop(until, 400, [False], SIDES)
    wanted = list(trials([False], range(400)))
    for at in order:
        stop.add(wanted[at], won_by_red(at))
    return stop.runs


@given(seed=st.integers(0, 1000))
def test_the_order_of_battles_does_not_matter(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(400).tolist()

    assert ended_at(order) == ended_at(list(range(400)))


def test_the_first_look_with_tight_intervals_ends_a_study() -> None:
    looks = [16, 20, 25, 31, 38, 47, 58, 72, 90, 112]

    tight = [
        share(sum(won_by_red(run) == "Red" for run in range(runs)), runs).reach <= 0.1
        for runs in looks
    ]

    assert ended_at(list(range(400))) == looks[tight.index(True)] == 90


def test_without_tight_intervals_a_study_has_no_end() -> None:
    assert ended_at(list(range(400)), until=0.01) is None
    assert ended_at(list(range(15))) is None


@pytest.mark.parametrize("until", [0.02, 0.1])
def test_the_plan_is_near_what_the_interval_needs(until: float) -> None:
    stop = Stop(until, 1_000_000, [True], SIDES)

    first = stop.planned
    for trial in trials([True], range(47)):
        stop.add(trial, SIDES[trial.run % 2])

    assert first == pytest.approx(0.98**2 / until**2, abs=2)
    assert stop.planned == pytest.approx(first, rel=0.1)


def test_each_variant_must_be_tight() -> None:
    stop = Stop(0.12, 1000, [False, False], SIDES)

    for trial in trials([False, False], range(1000)):
        stop.add(trial, "Red" if trial.variant == 0 else won_by_red(trial.run))

    assert stop.runs == 58
