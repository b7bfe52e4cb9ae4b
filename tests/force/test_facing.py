"""Facings against the mathematical library, and against themselves in the mirror."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.force.facing import (
    FULL_CIRCLE,
    degrees_of,
    facing_of_degrees,
    facing_towards,
    turn_between,
    unit_vector,
)

QUARTER, HALF = 90 * 64, 180 * 64
EVERY = range(FULL_CIRCLE)

# Small whole numbers bring ties and axes; the others, rounding.
PARTS = st.integers(-8, 8).map(float) | st.floats(-1e6, 1e6, allow_subnormal=False)


def steps_off(east: float, north: float, facing: int) -> float:
    """How far a facing is from the direction, in 64ths of a degree, by the arc tangent."""
    exact = math.degrees(math.atan2(east, north)) * 64
    return abs((exact - facing + HALF) % FULL_CIRCLE - HALF)


@pytest.mark.parametrize(
    ("degrees", "vector"), [(0, (0, 1)), (90, (1, 0)), (180, (0, -1)), (270, (-1, 0))]
)
def test_north_is_up_and_turning_right_goes_east(degrees: int, vector: tuple[int, int]) -> None:
    assert unit_vector(degrees * 64) == vector


def test_a_unit_vector_is_the_sine_and_the_cosine_to_a_2_30th() -> None:
    for facing in EVERY:
        east, north = unit_vector(facing)
        angle = math.radians(facing / 64)
        assert abs(east - math.sin(angle)) <= 2.0**-30
        assert abs(north - math.cos(angle)) <= 2.0**-30


def test_parts_of_unit_vectors_are_whole_2_30ths() -> None:
    assert all((part * 2**30).is_integer() for facing in EVERY for part in unit_vector(facing))


def test_opposite_and_mirrored_facings_have_exactly_mirrored_vectors() -> None:
    for facing in EVERY:
        east, north = unit_vector(facing)
        assert unit_vector(facing + HALF) == (-east, -north)
        assert unit_vector(-facing) == (-east, north)
        assert unit_vector(QUARTER - facing) == (north, east)


def test_every_facing_is_found_again_from_its_vector() -> None:
    assert [facing_towards(*unit_vector(facing)) for facing in EVERY] == list(EVERY)


@given(east=PARTS, north=PARTS)
def test_the_facing_towards_a_place_is_the_nearest(east: float, north: float) -> None:
    facing = facing_towards(east, north)

    # Two vectors of the table are apart by a step and err by 2^-30 each: 10^-5 of a step.
    assert 0 <= facing < FULL_CIRCLE
    assert (east, north) == (0, 0) or steps_off(east, north, facing) <= 0.5 + 1e-5


@given(east=PARTS, north=PARTS)
def test_the_facing_towards_a_mirrored_place_is_mirrored(east: float, north: float) -> None:
    facing = facing_towards(east, north)

    if (east, north) != (0, 0):
        assert facing_towards(-east, north) == -facing % FULL_CIRCLE
        assert facing_towards(east, -north) == (HALF - facing) % FULL_CIRCLE
        assert facing_towards(north, east) == (QUARTER - facing) % FULL_CIRCLE


def test_nowhere_is_to_the_north() -> None:
    assert facing_towards(0.0, 0.0) == 0


@given(st.integers(-3 * FULL_CIRCLE, 3 * FULL_CIRCLE))
def test_degrees_of_a_facing_lead_back_to_it(facing: int) -> None:
    degrees = degrees_of(facing)

    assert 0 <= degrees < 360
    assert facing_of_degrees(degrees) == facing % FULL_CIRCLE
    assert facing_of_degrees(degrees - 720) == facing % FULL_CIRCLE


@given(before=st.sampled_from(EVERY), turn=st.integers(-HALF + 1, HALF))
def test_the_shorter_turn_is_found_and_right_is_positive(before: int, turn: int) -> None:
    assert turn_between(before, (before + turn) % FULL_CIRCLE) == turn
