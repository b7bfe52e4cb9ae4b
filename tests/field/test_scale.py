from __future__ import annotations

import math

import numpy as np
import pytest

from emlia3d.field import Scale


def test_a_gsu_is_two_metres_and_a_height_a_tall_man_unless_said_otherwise() -> None:
    scale = Scale()

    assert scale.metres_of_gsu(750.0) == 1500.0
    assert scale.metres_of_heights(10.0) == pytest.approx(18.3)


def test_lengths_go_to_metres_and_back() -> None:
    scale = Scale(metres_per_gsu=0.75, metres_per_height=2.0)

    assert scale.gsu_of_metres(scale.metres_of_gsu(40.0)) == 40.0
    assert scale.heights_of_metres(scale.metres_of_heights(7.0)) == 7.0
    assert scale.heights_of_metres(30.0) == 15.0


def test_arrays_are_converted_whole() -> None:
    found = Scale(metres_per_gsu=2.0).gsu_of_metres(np.array([2.0, 5.0]))

    assert found.tolist() == [1.0, 2.5]


@pytest.mark.parametrize("figure", [0.0, -1.0, math.nan, math.inf])
def test_a_scale_is_above_zero_and_finite(figure: float) -> None:
    with pytest.raises(ValueError, match="metres_per_gsu"):
        Scale(metres_per_gsu=figure)
    with pytest.raises(ValueError, match="metres_per_height"):
        Scale(metres_per_height=figure)
