"""Chapter 12 as play: gears, turns after a run, and going on when nobody drives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine
from emlia3d.rules.emlia.play.movement.driving import coast, drives, last_speed
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.manoeuvre import PACES, move_options
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.play.turn.activation import activate, ask

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
TANK: dict[str, Any] = {"front": (50, 50), "movement": "60G 10/20/40/60A 2/5/20/40T"}
CART: dict[str, Any] = {"front": (50, 50), "movement": "60G 10/20/40/60A"}
BOB: dict[str, Any] = {"at": (190, 190), "side": "Bob", "facing": 180}
EAST, NORTH_EAST = facing_of_degrees(90), facing_of_degrees(45)


def at(speed: float) -> dict[str, Any]:
    return {"put": {"last_speed": speed}}


def drive(*legs: Leg, verb: str = "move") -> Order:
    return Order(verb=verb, unit=0, legs=legs)


def to(x: float, y: float, facing: int = 0) -> Leg:
    return Leg(step="march", x=x, y=y, facing=facing)


def turn(facing: int) -> Leg:
    return Leg(step="turn", x=0, y=0, facing=facing)


def slug(battle: Battle, *legs: Leg, verb: str = "move") -> str | None:
    planned = plan(battle, 0, drive(*legs, verb=verb), PACES[verb])
    return planned.slug if isinstance(planned, Refusal) else None


@pytest.mark.rule("emlia.mode.accel")
@pytest.mark.rule("emlia.mode.accel.example-tank")
@pytest.mark.parametrize(
    ("verb", "allowed"), [("move", [21, 40, 60]), ("double-pace", [11, 20, 21, 40, 60])]
)
def test_a_tank_that_went_at_42_slows_down_by_one_gear_or_at_double_pace_by_two(
    verb: str, allowed: list[int], field_of_battle: Build
) -> None:
    battle = field_of_battle({**TANK, **at(42)}, BOB)

    found = [
        speed
        for speed in (0.5, 10, 11, 20, 21, 40, 60, 61)
        if slug(battle, to(50, 50 + speed), verb=verb) is None
    ]

    assert found == allowed


@pytest.mark.rule("emlia.mode.accel.double-pace")
def test_at_double_pace_it_shifts_two_gears_and_its_checks_suffer(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(TANK, BOB)

    play(battle, activate(battle, 0), answers=[drive(to(50, 90), verb="double-pace"), ...])

    assert last_speed(battle, 0) == 40
    assert battle.state.units.value("double_paced", 0) == 1
    assert slug(battle, to(50, 91)) is not None


@pytest.mark.rule("emlia.mode.accel.start")
def test_at_the_start_it_is_in_its_first_gear_unless_the_scenario_says_otherwise(
    field_of_battle: Build,
) -> None:
    still = field_of_battle(TANK, BOB)
    rolling = field_of_battle({**TANK, "starting_speed": 42}, BOB)

    assert (last_speed(still, 0), last_speed(rolling, 0)) == (0, 42)
    assert slug(still, to(50, 70)) is None
    assert slug(still, to(50, 71)) == "emlia.mode.accel"


@pytest.mark.rule("emlia.mode.accel.reverse")
@pytest.mark.parametrize(
    ("last", "verb", "back", "refused"),
    [
        (8, "move", 5, None),
        (8, "move", 6, "emlia.mode.accel"),
        (8, "double-pace", 10, None),
        (8, "double-pace", 11, "emlia.mode.accel"),
        (15, "double-pace", 1, "emlia.mode.accel"),
        (-8, "move", 20, None),
        (-8, "move", 21, "emlia.mode.accel"),
    ],
)
def test_it_backs_from_its_lowest_gear_at_half_the_speeds(
    last: float, verb: str, back: float, refused: str | None, field_of_battle: Build
) -> None:
    battle = field_of_battle({**TANK, **at(last)}, BOB)

    assert slug(battle, to(50, 50 - back), verb=verb) == refused


@pytest.mark.rule("emlia.mode.accel.reverse")
def test_one_move_is_forward_or_in_reverse(field_of_battle: Build) -> None:
    battle = field_of_battle(TANK, BOB)

    assert slug(battle, to(50, 52), to(50, 51)) == "emlia.mode.accel.reverse"


@pytest.mark.rule("emlia.mode.accel")
def test_with_gears_alone_it_turns_freely_and_goes_the_way_that_it_faces(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(CART, BOB)

    turned = plan(battle, 0, drive(turn(EAST)))
    assert isinstance(turned, MovePlan)
    assert slug(battle, turn(EAST), gone(turned.end, EAST, 12).leg("march")) is None
    assert slug(battle, to(58, 50, 0)) == "emlia.mode.accel"
    after = gone(turned.end, 0, 8).leg("march")
    assert slug(battle, turn(EAST), after) == "emlia.mode.accel", "askew after a turn"


@pytest.mark.rule("emlia.mode.accel")
@pytest.mark.parametrize(
    ("aside", "refused"),
    [(0.0, None), (0.49, None), (-0.49, None), (0.5 + 1 / 256, None),
     (0.5 + 5 / 1024, "emlia.mode.accel"), (-0.52, "emlia.mode.accel")],
)  # fmt: skip
def test_a_march_may_be_askew_by_a_64th_of_its_length(
    field_of_battle: Build, aside: float, refused: str | None
) -> None:
    battle = field_of_battle({**CART, **at(30)}, BOB)

    assert slug(battle, to(50 + aside, 82)) == refused


@pytest.mark.rule("emlia.mode.turn-limited")
@pytest.mark.rule("emlia.mode.turn-limited.example-tank")
@pytest.mark.parametrize(
    ("last", "run", "speed", "refused"),
    [
        (30, 20, 25, None),
        (30, 19, 25, "emlia.mode.turn-limited"),
        (0, 2, 10, None),
        (0, 1.5, 10, "emlia.mode.turn-limited"),
        (50, 40, 60, None),
        (50, 39, 60, "emlia.mode.turn-limited"),
    ],
)
def test_a_turn_of_45_degrees_wants_a_straight_run_by_the_gear(
    last: float, run: float, speed: float, refused: str | None, field_of_battle: Build
) -> None:
    battle = field_of_battle({**TANK, **at(last)}, BOB)
    straight = drive(to(50, 50 + run), turn(NORTH_EAST))
    rest = (speed - run) * 2**-0.5
    middle_x, middle_y = 50, 50 + run - 0.5
    front = 0.5 * 2**-0.5
    end = to(middle_x + front + rest, middle_y + front + rest, NORTH_EAST)

    assert slug(battle, *straight.legs, end) == refused


@pytest.mark.rule("emlia.mode.turn-limited")
def test_a_turn_is_one_of_up_to_45_degrees_and_each_wants_its_own_run(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(TANK, BOB)

    assert slug(battle, to(50, 52), turn(NORTH_EAST)) is None
    assert slug(battle, to(50, 52 - 4 / 1024), turn(NORTH_EAST)) is None, "rounding allows for it"
    assert slug(battle, to(50, 52 - 5 / 1024), turn(NORTH_EAST)) == "emlia.mode.turn-limited"
    assert slug(battle, to(50, 52), turn(EAST)) == "emlia.mode.turn-limited"
    assert slug(battle, to(50, 52), turn(NORTH_EAST), turn(EAST)) == "emlia.mode.turn-limited"
    assert slug(battle, turn(NORTH_EAST)) == "emlia.mode.turn-limited"
    assert slug(battle, to(50, 52, NORTH_EAST)) == "emlia.mode.turn-limited"


@pytest.mark.rule("emlia.mode.turn-limited.example-tank")
def test_at_10_it_makes_five_turns_at_most(field_of_battle: Build) -> None:
    battle = field_of_battle(TANK, BOB)
    small = facing_of_degrees(1)
    legs: list[Leg] = []
    for number in range(1, 7):
        pose = pose_of(battle, 0)
        if legs:
            planned = plan(battle, 0, drive(*legs))
            assert isinstance(planned, MovePlan)
            pose = planned.end
        if number == 6:
            break
        legs += [gone(pose, pose.facing, 2).leg("march"), turn(number * small)]

    assert slug(battle, *legs) is None
    assert slug(battle, *legs, turn(6 * small)) == "emlia.mode.turn-limited"


@pytest.mark.rule("emlia.mode.accel.must-move")
@pytest.mark.parametrize(
    ("last", "gone_on", "kept"), [(42, 21, 21), (30, 11, 11), (15, 0, 0), (-15, -6, -6), (0, 0, 0)]
)
def test_who_makes_no_move_goes_straight_on_at_the_lowest_speed(
    last: float, gone_on: float, kept: float, field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle({**TANK, **at(last)}, BOB)

    play(battle, activate(battle, 0), answers=["done"])

    assert battle.state.units.value("y", 0) == 50 + gone_on
    assert last_speed(battle, 0) == kept


@pytest.mark.rule("emlia.mode.accel.must-move")
def test_it_stops_at_what_is_in_its_way(field_of_battle: Build, play: Play) -> None:
    rock = {"kind": "rock", "box": (40, 60, 60, 70)}
    battle = field_of_battle({**TANK, **at(42)}, BOB, terrain=[rock])

    (event,) = play(battle, coast(battle, 0))

    assert event.because == ("emlia.mode.accel.must-move",)
    assert battle.state.units.value("y", 0) == pytest.approx(60, abs=0.01)


def test_every_drive_on_offer_is_allowed_and_there_are_some(field_of_battle: Build) -> None:
    battle = field_of_battle({**TANK, **at(30)}, BOB)

    offered = [order for order in move_options(battle, 0) if order.legs]

    assert {order.verb for order in offered} == {"move", "double-pace"}
    assert all(isinstance(plan(battle, 0, order, PACES[order.verb]), MovePlan) for order in offered)


def test_the_doctrine_drives_towards_the_enemy(
    field_of_battle: Build, question: Callable[..., Any]
) -> None:
    battle = field_of_battle({**TANK, "morale": 4}, {**BOB, "at": (50, 190)})
    decision = question(battle, ask(battle, 0))

    order = Doctrine().decide(decision, SidePicture(battle, 0), battle.dice)

    decision.check(order)
    assert order.legs[-1].y > 60


@pytest.mark.rule("emlia.mode.accel")
def test_the_slowest_drive_may_be_a_part_of_a_gsu_ahead(field_of_battle: Build) -> None:
    cart = {**CART, "movement": "2G 0.5/2A"}
    battle = field_of_battle(cart, BOB)

    ends = [order.legs[-1].y - 50 for order in drives(battle, 0, "move")]

    assert 0.5 in ends
    assert min(ends) > -0.51
