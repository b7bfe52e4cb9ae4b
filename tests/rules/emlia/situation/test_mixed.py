"""Emlia, chapter 6.1: checks against mixed units."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.tables.mixed import MixedPart, modifier_against

pytestmark = pytest.mark.rule("emlia.mixed.check-against")


def test_the_large_worse_subunit_counts_once_and_the_small_one_not():
    parts = [MixedPart(10, -1), MixedPart(1, -3), MixedPart(5, 0), MixedPart(3, 0)]
    assert modifier_against(parts) == -1


def test_a_better_subunit_of_equal_number_raises_the_modifier():
    assert modifier_against([MixedPart(5, -1), MixedPart(5, 3)]) == 0
    assert modifier_against([MixedPart(5, -1), MixedPart(4, 3)]) == -1


def test_of_two_modifiers_as_close_to_zero_the_more_members_start_then_the_lower():
    assert modifier_against([MixedPart(3, 2), MixedPart(9, -2)]) == -2
    assert modifier_against([MixedPart(9, 2), MixedPart(3, -2)]) == 2
    assert modifier_against([MixedPart(4, 2), MixedPart(4, -2)]) == -1


def test_one_subunit_is_met_with_its_own_modifier():
    assert modifier_against([MixedPart(7, -4)]) == -4
