"""Emlia, chapter 0: what the words of comparison mean."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.basics.thresholds import (
    half_or_more,
    has_suffered,
    in_reach,
    is_outnumbered,
    is_outnumbered_times,
)

pytestmark = pytest.mark.rule("emlia.meta.thresholds")


def test_reach_includes_its_border_and_a_256th_of_a_gsu():
    assert in_reach(1.0, 1.0)
    assert in_reach(1.0 + 1 / 256, 1.0)
    assert not in_reach(1.0 + 5 / 1024, 1.0)


def test_half_includes_exactly_half_and_a_hair_less():
    assert half_or_more(0.5)
    assert half_or_more(0.5 - 1e-10)
    assert half_or_more(0.5 - 0.9e-9)
    assert not half_or_more(0.5 - 1.5e-9)
    assert not half_or_more(0.4999)


def test_outnumbered_is_more_than_one_to_one_but_two_to_one_includes_two():
    assert not is_outnumbered(4, 4)
    assert is_outnumbered(4, 5)
    assert is_outnumbered_times(4, 8, 2)
    assert not is_outnumbered_times(4, 7, 2)
    assert not is_outnumbered_times(0, 0, 2)
    assert is_outnumbered_times(0, 1, 3)


def test_suffering_a_share_includes_exactly_that_share_and_never_nothing():
    assert has_suffered(1, 10, 10)
    assert not has_suffered(1, 11, 10)
    assert not has_suffered(0, 0, 10)
    assert has_suffered(100, 1000, 10)
    assert not has_suffered(100, 1001, 10)
    assert not has_suffered(99, 1000, 10)
    assert has_suffered(1, 3, 33)
    assert not has_suffered(1, 3, 34)
