"""Chapter 12: every rung of the ladder of gears up and down, codes, and the length of flights."""

from __future__ import annotations

from math import hypot, sqrt

import pytest

from emlia3d.rules.emlia.tables.modes import (
    Movement,
    fastest,
    flight_length,
    may_go_at,
    medium_of,
    movements_of,
    run_before_turn,
    slowest,
    starting_speed,
)

TANK = movements_of("60G 10/20/40/60A 2/5/20/40T")[0]
HALVES = [step / 2 for step in range(-130, 131)]


@pytest.mark.rule("emlia.mode.accel", "emlia.mode.accel.double-pace")
@pytest.mark.parametrize(
    ("lasts", "shifts", "least", "most"),
    [
        # Forward gears end at 10, 20, 40 and 60, reverse gears at 5, 10, 20 and 30.
        ((0, 5, 10), 1, -5, 20),
        ((10.5, 20), 1, 0, 40),
        ((20.5, 40), 1, 10.5, 60),
        ((40.5, 60), 1, 20.5, 60),
        ((-0.5, -5), 1, -10, 10),
        ((-5.5, -10), 1, -20, 0),
        ((-10.5, -20), 1, -30, -5.5),
        ((-20.5, -30), 1, -30, -10.5),
        ((0, 5, 10), 2, -10, 40),
        ((10.5, 20), 2, 0, 60),
        ((20.5, 40), 2, 0, 60),
        ((40.5, 60), 2, 10.5, 60),
        ((-0.5, -5), 2, -20, 20),
        ((-5.5, -10), 2, -30, 10),
        ((-10.5, -20), 2, -30, 0),
        ((-20.5, -30), 2, -30, -5.5),
    ],
)
def test_a_speed_of_the_last_gear_or_of_one_next_to_it_may_be_chosen(
    lasts: tuple[float, ...], shifts: int, least: float, most: float
) -> None:
    for last in lasts:
        allowed = [speed for speed in HALVES if may_go_at(TANK.gears, last, speed, shifts)]

        assert allowed == [speed for speed in HALVES if least <= speed <= most]


@pytest.mark.parametrize(
    ("last", "shifts", "speed"),
    [
        (0, 1, 20), (10, 1, 20), (10.5, 1, 40), (30, 1, 60), (60, 1, 60), (-3, 1, 10),
        (-8, 1, 0), (-15, 1, 0), (0, 2, 40), (30, 2, 60), (-3, 2, 20), (-8, 2, 10), (-15, 2, 0),
    ],
)  # fmt: skip
def test_the_highest_speed_is_the_top_of_the_gear_above(
    last: float, shifts: int, speed: float
) -> None:
    assert fastest(TANK.gears, last, shifts) == speed


@pytest.mark.rule("emlia.mode.accel.must-move")
@pytest.mark.parametrize(
    ("last", "shifts", "speed"),
    [
        (10, 1, 0), (20, 1, 0), (20.5, 1, 11), (40, 1, 11), (40.5, 1, 21), (-5, 1, 0),
        (-10, 1, 0), (-10.5, 1, -6), (-20, 1, -6), (-25, 1, -11), (20, 2, 0), (30, 2, 0),
        (42, 2, 11), (-15, 2, 0), (-25, 2, -6),
    ],
)  # fmt: skip
def test_the_lowest_speed_is_the_next_whole_gsu_above_the_gear_below(
    last: float, shifts: int, speed: float
) -> None:
    assert slowest(TANK.gears, last, shifts) == speed


@pytest.mark.rule("emlia.mode.accel.must-move")
def test_a_gear_may_end_at_a_part_of_a_gsu() -> None:
    gears = (7.5, 12.5, 25.0)

    assert slowest(gears, 25) == 8
    assert slowest(gears, -12.5) == -4, "above the first reverse gear, which ends at 3.75"


@pytest.mark.rule("emlia.mode.turn-limited")
@pytest.mark.parametrize(
    ("speed", "run"),
    [(0, 2), (10, 2), (10.5, 5), (20.5, 20), (60, 40), (-5, 2), (-5.5, 5), (-10.5, 20), (-30, 40)],
)
def test_the_run_before_a_turn_is_that_of_the_gear_forward_and_in_reverse(
    speed: float, run: float
) -> None:
    assert run_before_turn(TANK, speed) == run


@pytest.mark.rule("emlia.mode.flying.path-length")
@pytest.mark.parametrize(
    ("profile", "length"),
    [
        ([(0, 0)], 0),
        ([(0, 0), (0, 5)], 5),
        ([(0, 5), (0, 0), (3, 1)], hypot(3, 4)),
        ([(0, 0), (4, 0)], 4),
        ([(0, 0), (2, 1), (4, 2)], sqrt(20)),
        ([(0, 0), (2, 0.9), (4, 2)], sqrt(20)),
        ([(0, 0), (2, 1.5), (4, 2)], 2.5 + hypot(2, 0.5)),
        # Over two peaks straight from one to the other, and over a higher one past a lower.
        ([(0, 0), (2, 3), (4, 0), (6, 3), (8, 0)], 2 * sqrt(13) + 4),
        ([(0, 0), (2, 1), (4, 6), (8, 3)], hypot(4, 6) + 5),
        ([(0, 6), (1, 5.5), (2, 5), (3, 4.6), (4, 0)], hypot(3, 1.4) + hypot(1, 4.6)),
    ],
)
def test_a_flight_is_a_taut_string_over_the_ground(
    profile: list[tuple[float, float]], length: float
) -> None:
    assert flight_length(profile) == pytest.approx(length)


@pytest.mark.rule("emlia.attr.movement.code")
def test_a_unit_set_may_have_a_letter_of_its_own_for_a_mode_of_the_book() -> None:
    assert movements_of("15W, 30F", {"W": "G"}) == (Movement("G", 15), Movement("F", 30))
    assert movements_of("12.5S 3T") == (Movement("S", 12.5, (), (3,)),)
    for code in ("15W", "15G, 10W", "15G 3/5T", "20G 10/20A 2/3/4T", "20G 10/10/20A"):
        with pytest.raises(ValueError, match="movement"):
            movements_of(code, {"W": "G"} if "," in code else {})


def test_who_swims_keeps_to_the_water() -> None:
    medium = medium_of("S")

    assert (medium.land, medium.water, medium.heeds_ground) == (False, True, True)


@pytest.mark.rule("emlia.mode.accel.start")
def test_a_battle_starts_at_rest_unless_the_scenario_says_otherwise() -> None:
    assert starting_speed(None) == 0
    assert starting_speed(42.0) == 42
