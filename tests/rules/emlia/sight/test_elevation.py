"""Emlia, chapter 19.5: shooting up and down."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.tables.elevation import effective_distance, extra_range, height_difference
from emlia3d.rules.emlia.tables.equipment import Band, range_band
from emlia3d.rules.emlia.tables.fire import FireFacts, fire_modifier

rule = pytest.mark.rule


@rule("emlia.elev.dh")
def test_the_difference_is_between_what_both_stand_on_whichever_is_higher():
    assert height_difference(10, 1) == 9
    assert height_difference(1, 10) == 9
    assert height_difference(-2, 1) == 3


@rule("emlia.elev.uphill")
@rule("emlia.meta.height-gsu")
def test_shooting_up_lengthens_the_distance():
    assert effective_distance(50, source_footing=1, target_footing=10) == 59
    assert effective_distance(50, source_footing=10, target_footing=1) == 50
    assert extra_range(source_footing=1, target_footing=10) == 0


@rule("emlia.elev.downhill")
def test_shooting_down_lengthens_the_maximum_range_alone():
    more = extra_range(source_footing=10, target_footing=1)
    ranges = (40.0, 80.0, 120.0)
    assert more == 9
    assert range_band(125, ranges, beyond=more) is Band.LONG
    assert range_band(129, ranges, beyond=more) is Band.LONG
    assert range_band(129.5, ranges, beyond=more) is None
    assert fire_modifier(FireFacts(distance=125, short=40, medium=80)).total == -4
    assert fire_modifier(FireFacts(distance=45, short=40, medium=80)).total == -2
