"""Emlia, chapter 6.1: checks against mixed units."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.tables.mixed import Part, modifier_against

pytestmark = pytest.mark.rule("emlia.mixed.check-against")


def test_the_large_worse_subunit_counts_once_and_the_small_one_not():
    parts = [Part(10, -1), Part(1, -3), Part(5, 0), Part(3, 0)]
    assert modifier_against(parts) == -1


def test_a_better_subunit_of_equal_number_raises_the_modifier():
    assert modifier_against([Part(5, -1), Part(5, 3)]) == 0
    assert modifier_against([Part(5, -1), Part(4, 3)]) == -1


def test_of_two_modifiers_as_close_to_zero_the_more_members_start_then_the_lower():
    assert modifier_against([Part(3, 2), Part(9, -2)]) == -2
    assert modifier_against([Part(9, 2), Part(3, -2)]) == 2
    assert modifier_against([Part(4, 2), Part(4, -2)]) == -1


def test_one_subunit_is_met_with_its_own_modifier():
    assert modifier_against([Part(7, -4)]) == -4
