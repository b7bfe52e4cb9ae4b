"""Chapter 12: the figures of the modes of movement."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.tables.modes import (
    Movement,
    flight_length,
    gear_of,
    may_fly_at,
    may_go_at,
    medium_of,
    movements_of,
    reverse_of,
    run_before_turn,
    slowest,
)

TANK = movements_of("60G 10/20/40/60A 2/5/20/40T")[0]


@pytest.mark.rule("emlia.attr.movement.code")
@pytest.mark.parametrize(
    ("code", "movements"),
    [
        ("15G", [Movement("G", 15)]),
        ("15F", [Movement("F", 15)]),
        ("7.5G", [Movement("G", 7.5)]),
        ("15G, 30F", [Movement("G", 15), Movement("F", 30)]),
        ("12B 4T", [Movement("B", 12, (), (4,))]),
        (
            "60G 10/20/40/60A 2/5/20/40T",
            [Movement("G", 60, (10, 20, 40, 60), (2, 5, 20, 40))],
        ),
    ],
)
def test_a_movement_code_is_a_speed_a_mode_gears_and_turns(
    code: str, movements: list[Movement]
) -> None:
    assert list(movements_of(code)) == movements


@pytest.mark.rule("emlia.attr.movement.code")
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("fast", "a code such as"),
        ("15X", "unknown mode of movement X"),
        ("15G, 20G", "has G twice"),
        ("60G 20/10/60A", "the gears of a movement must increase"),
        ("60G 10/20A", "the first number of a movement is its top gear"),
        ("60G 10/60A 2T", "one turn distance for each gear"),
        ("60G 0/60A", "the gears of a movement must increase"),
    ],
)
def test_a_code_that_does_not_fit_together_is_refused(code: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        movements_of(code)


@pytest.mark.rule("emlia.mode.ground")
@pytest.mark.rule("emlia.mode.boat")
@pytest.mark.rule("emlia.mode.hover")
@pytest.mark.rule("emlia.mode.flying")
@pytest.mark.parametrize(
    ("mode", "land", "water", "heeds"),
    [
        ("G", True, False, True),
        ("B", False, True, True),
        ("H", True, True, True),
        ("F", True, True, False),
    ],
)
def test_walkers_keep_to_the_land_boats_to_the_water_and_hover_and_flight_to_neither(
    mode: str, land: bool, water: bool, heeds: bool
) -> None:
    medium = medium_of(mode)

    assert (medium.land, medium.water, medium.heeds_ground) == (land, water, heeds)


@pytest.mark.rule("emlia.mode.flying.path-length")
def test_6_forward_and_6_down_at_45_degrees_leave_6_51_of_15() -> None:
    flown = flight_length([(0, 6), (6, 0)])

    assert 15 - flown == pytest.approx(6.51, abs=0.005)  # the book prints 7, rounded


@pytest.mark.rule("emlia.mode.flying.path-length")
def test_a_flight_goes_straight_over_a_valley_and_closely_over_a_peak() -> None:
    over_a_valley = [(0.0, 5.0), (4.0, -3.0), (8.0, 5.0)]
    over_a_peak = [(0.0, 0.0), (3.0, 4.0), (6.0, 0.0)]

    assert flight_length(over_a_valley) == 8
    assert flight_length(over_a_peak) == 10


@pytest.mark.rule("emlia.mode.flying.altitude")
def test_altitude_is_any_number_from_0_up_to_a_ceiling_if_there_is_one() -> None:
    assert may_fly_at(0, 0)
    assert may_fly_at(1234.5, 0)
    assert not may_fly_at(-0.5, 0)
    assert may_fly_at(20, 20)
    assert not may_fly_at(20.5, 20)


@pytest.mark.rule("emlia.mode.accel")
@pytest.mark.parametrize(
    ("speed", "gear"), [(0, 1), (10, 1), (10.5, 2), (20, 2), (40, 3), (42, 4), (60, 4)]
)
def test_a_gear_ends_at_its_top_speed_and_standing_still_is_of_the_first(
    speed: float, gear: int
) -> None:
    assert gear_of(TANK.gears, speed) == gear


@pytest.mark.rule("emlia.mode.accel.example-tank")
@pytest.mark.rule("emlia.mode.accel")
def test_a_tank_that_went_at_42_goes_on_at_21_to_60() -> None:
    allowed = [speed for speed in range(-30, 61) if may_go_at(TANK.gears, 42, speed)]

    assert allowed == [*range(21, 61)]
    assert not may_go_at(TANK.gears, 42, 20)
    assert may_go_at(TANK.gears, 42, 20.5)


@pytest.mark.rule("emlia.mode.accel.example-tank")
@pytest.mark.rule("emlia.mode.accel.double-pace")
def test_at_double_pace_it_goes_on_at_11_to_60() -> None:
    allowed = [speed for speed in range(-30, 61) if may_go_at(TANK.gears, 42, speed, shifts=2)]

    assert allowed == [*range(11, 61)]


@pytest.mark.rule("emlia.mode.accel.reverse")
def test_reverse_gears_are_half_the_forward_gears() -> None:
    assert reverse_of(TANK.gears) == (5, 10, 20, 30)


@pytest.mark.rule("emlia.mode.accel.reverse")
def test_into_reverse_only_from_the_lowest_gear_to_its_first_or_at_double_pace_its_second() -> None:
    gears = TANK.gears

    assert may_go_at(gears, 7, -5)
    assert not may_go_at(gears, 7, -5.5)
    assert may_go_at(gears, 7, -10, shifts=2)
    assert not may_go_at(gears, 7, -10.5, shifts=2)
    assert not may_go_at(gears, 15, -1, shifts=2)


@pytest.mark.rule("emlia.mode.accel.reverse")
def test_from_gear_4_it_goes_backward_in_the_third_turn_at_the_soonest() -> None:
    gears = TANK.gears

    first = [speed for speed in range(-30, 61) if may_go_at(gears, 42, speed, shifts=2)]
    second = [speed for speed in range(-30, 61) if may_go_at(gears, min(first), speed, shifts=2)]
    third = [speed for speed in range(-30, 61) if may_go_at(gears, min(second), speed, shifts=2)]

    assert (min(first), min(second), min(third)) == (11, 0, -10)


@pytest.mark.rule("emlia.mode.accel.reverse")
@pytest.mark.parametrize(
    ("speed", "shifts", "allowed"),
    [(5, 1, True), (10, 1, True), (10.5, 1, False), (20, 2, True), (20.5, 2, False)],
)
def test_from_the_first_reverse_gear_it_shifts_forward_by_the_same_rule(
    speed: float, shifts: int, allowed: bool
) -> None:
    assert may_go_at(TANK.gears, -3, speed, shifts) is allowed


@pytest.mark.rule("emlia.mode.accel.must-move")
@pytest.mark.parametrize(
    ("last", "lowest"), [(0, 0), (9, 0), (15, 0), (30, 11), (42, 21), (-4, 0), (-8, 0), (-15, -6)]
)
def test_the_lowest_speed_lies_in_the_gear_below_the_last(last: float, lowest: float) -> None:
    assert slowest(TANK.gears, last) == lowest


@pytest.mark.rule("emlia.mode.turn-limited")
@pytest.mark.rule("emlia.mode.turn-limited.example-tank")
@pytest.mark.parametrize(("speed", "run", "turns"), [(25, 20, 1), (10, 2, 5), (60, 40, 1)])
def test_a_tank_runs_straight_before_each_turn_by_the_gear_of_its_speed(
    speed: float, run: float, turns: int
) -> None:
    assert run_before_turn(TANK, speed) == run
    assert speed // run_before_turn(TANK, speed) == turns


@pytest.mark.rule("emlia.mode.turn-limited")
def test_without_gears_one_distance_holds_and_without_turns_none() -> None:
    assert run_before_turn(Movement("B", 12, (), (4,)), 12) == 4
    assert run_before_turn(Movement("G", 15), 12) == 0
