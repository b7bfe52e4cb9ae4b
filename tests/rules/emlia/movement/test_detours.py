"""Chapter 13 as play: ways that a unit goes along its own axes, without wheeling round corners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, sqrt
from typing import Any

import pytest
from shapely import LineString, Point, box
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.play.movement.legs import MovePlan, leg_cost, plan
from emlia3d.rules.emlia.play.movement.sidesteps import detour, path_length
from emlia3d.rules.emlia.play.situation.pose import pose_of, reformed

Build = Callable[..., Battle]
Told = list[tuple[Any, ...]]

SPEED, SLACK = 20.0, 1 / 8
LINE: dict[str, Any] = {
    "at": (50, 50), "members": 8, "files": 8, "formation": "ranked", "movement": "20G",
    "morale": 4,
}  # fmt: skip
BOB: dict[str, Any] = {"at": (10, 190), "side": "Bob", "facing": 180}
SIZE = (100.0, 200.0)
ROCK: dict[str, Any] = {"kind": "rock", "box": (46, 50.6, 60, 62)}
"""It stands close before the line; its west end is nearer."""

FORMED = sqrt(2**2 + 1)
"""GSU that the farthest man walks as eight abreast become four: two files aside, one rank back."""


def told(legs: Sequence[Leg]) -> Told:
    """Of each leg its step, facing in degrees, and what else it is about; marches on as one."""
    found: Told = []
    for leg in legs:
        if found and found[-1][:2] == (leg.step, leg.facing // 64):
            found.pop()
        match leg.step:
            case "form":
                found.append(("form", leg.facing // 64, leg.files))
            case "turn":
                found.append(("turn", leg.facing // 64))
            case _:
                found.append(("march", leg.facing // 64, round(leg.x, 2), round(leg.y, 2)))
    return found


def way(
    battle: Battle,
    goal: BaseGeometry,
    budget: float = 500.0,
    through: Sequence[int] = (),
    shunned: Sequence[BaseGeometry] = (),
) -> tuple[Told, float]:
    found = detour(battle, 0, goal, budget, through, shunned)
    assert found is not None
    legs, length = found
    return told(legs), length


def test_the_length_of_a_way_is_that_of_all_its_stretches() -> None:
    assert path_length((1.0, 2.0), []) == 0
    assert path_length((1.0, 2.0), [(4.0, 6.0)]) == 5
    assert path_length((1.0, 2.0), [(4.0, 6.0), (-8.0, 1.0), (-8.0, 4.0)]) == 5 + 13 + 3


@pytest.mark.parametrize(
    ("goal", "legs"),
    [
        ((50, 80), [("march", 0, 50, 80.5)]),
        ((50, 20), [("turn", 180), ("march", 180, 50, 19.5)]),
        ((80, 50), [("turn", 90), ("march", 90, 84, 50)]),
        ((20, 50), [("turn", 270), ("march", 270, 16, 50)]),
        # A turn costs 5, so a short way is gone at half speed.
        ((50, 46), [("march", 0, 50, 46.5)]),
        ((54, 50), [("march", 0, 54, 50.5)]),
        ((46, 50), [("march", 0, 46, 50.5)]),
        # To both sides of 5 GSU aside, where half speed costs as much as a turn by 90 degrees.
        ((54.9, 50), [("march", 0, 54.9, 50.5)]),
        ((55.1, 50), [("turn", 90), ("march", 90, 59.1, 50)]),
        # Less than a quarter of a GSU is not gone.
        ((50.2, 60), [("march", 0, 50, 60.5)]),
        ((50, 50.2), []),
        ((50, 50.25), [("march", 0, 50, 50.75)]),
        ((50, 50.5), [("march", 0, 50, 51)]),
        ((50.5, 50), [("march", 0, 50.5, 50.5)]),
    ],
)  # fmt: skip
def test_men_in_ranks_go_straight_and_turn_where_that_leads_farther(
    field_of_battle: Build, goal: tuple[float, float], legs: Told
) -> None:
    battle = field_of_battle(LINE, BOB, size=SIZE)

    found, length = way(battle, Point(goal))

    assert length == pytest.approx(abs(goal[0] - 50) + abs(goal[1] - 50), abs=0.01)
    assert found == legs


@pytest.mark.parametrize(
    ("rock", "aside"), [((46, 50.6, 60, 62), -8.125), ((38, 50.6, 53, 62), 7.125)]
)
def test_a_line_goes_along_a_wall_to_its_nearer_end(
    field_of_battle: Build, rock: tuple[int, ...], aside: float
) -> None:
    battle = field_of_battle(LINE, BOB, terrain=[{"kind": "rock", "box": rock}], size=SIZE)
    out = 90 if aside > 0 else 270

    found, length = way(battle, Point(50, 70))

    assert length == pytest.approx(20 + 2 * abs(aside), abs=0.06)
    assert [step[:2] for step in found] == [
        ("turn", out), ("march", out), ("turn", 0), ("march", 0), ("turn", 360 - out),
        ("march", 360 - out),
    ]  # fmt: skip
    edge = 50 + aside
    assert [abs(step[2] - edge) for step in found if step[:2] == ("march", out)] == [
        pytest.approx(4, abs=0.02)
    ]


@pytest.mark.parametrize(
    ("budget", "steps"),
    [
        (4.0, [("march", 0, 48, 50.5)]),
        (10.0, [("march", 0, 45, 50.5)]),
        (10.5, [("turn", 270), ("march", 270, 40.5, 50)]),
        (13.0, [("turn", 270), ("march", 270, 38, 50)]),
        (13.5, [("turn", 270), ("march", 270, 37.87, 50.19)]),
        # With 6.9 left half speed leads farther than a turn for 5.
        (20.0, [("turn", 270), ("march", 270, 37.87, 53.44)]),
    ],
)
def test_it_goes_as_far_as_its_movement_lasts(
    field_of_battle: Build, budget: float, steps: Told
) -> None:
    battle = field_of_battle(LINE, BOB, terrain=[ROCK], size=SIZE)

    found, length = way(battle, Point(50, 70), budget)

    assert length == pytest.approx(36.25, abs=0.06), "the whole way, however far it gets"
    assert [step[:2] for step in found] == [step[:2] for step in steps]
    for leg, expected in zip(found, steps, strict=True):
        assert leg[2:] == pytest.approx(expected[2:], abs=0.02)


@pytest.mark.parametrize("formation", ["open", "close"])
def test_men_in_no_ranks_never_turn(field_of_battle: Build, formation: str) -> None:
    battle = field_of_battle({**LINE, "formation": formation}, BOB, size=SIZE)

    found, length = way(battle, Point(30, 80))

    assert length == pytest.approx(50, abs=0.01)
    assert found == [("march", 0, 30, 80.5)]


def test_without_movement_it_goes_nowhere(field_of_battle: Build) -> None:
    battle = field_of_battle(LINE, BOB, size=SIZE)

    assert way(battle, Point(80, 80), 1 / 4096) == ([], 60)


def test_a_way_may_lead_to_any_place_of_a_line(field_of_battle: Build) -> None:
    battle = field_of_battle(LINE, BOB, terrain=[ROCK], size=SIZE)

    _, length = way(battle, LineString([(0, 70), (100, 70)]))

    assert length == pytest.approx(8.125 + 20, abs=0.06)


def test_a_way_leads_round_what_is_shunned_and_through_whom_it_may(field_of_battle: Build) -> None:
    friend = {**LINE, "at": (50, 56), "name": "friends"}
    battle = field_of_battle(LINE, friend, BOB, size=SIZE)
    goal = Point(50, 70)

    assert way(battle, goal, through=(1,)) == ([("march", 0, 50, 70.5)], 20)
    _, round_friends = way(battle, goal)
    assert round_friends == pytest.approx(20 + 2 * 8.125, abs=0.02)
    _, round_place = way(battle, goal, through=(1,), shunned=[box(44, 60, 53, 64)])
    assert round_place == pytest.approx(20 + 2 * 7.125, abs=0.02)


def closed_but(west: float, east: float) -> list[dict[str, Any]]:
    """A wall across the field with one gap."""
    return [
        {"kind": "rock", "box": (0, 56, west, 58)},
        {"kind": "rock", "box": (east, 56, SIZE[0], 58)},
    ]


@pytest.mark.parametrize(("gap", "files"), [(8.3, 8), (8.2, 4), (4.3, 4)])
def test_where_it_does_not_fit_it_forms_up_narrower(
    field_of_battle: Build, gap: float, files: int
) -> None:
    terrain = closed_but(50 - gap / 2, 50 + gap / 2)
    battle = field_of_battle({**LINE, "facing": 0}, BOB, terrain=terrain, size=SIZE)

    found = detour(battle, 0, Point(50, 90), 500.0, ())

    assert found is not None
    legs, length = found
    formed = [leg for leg in legs if leg.step == "form"]
    assert [(leg.files, leg.facing, leg.formation) for leg in formed] == (
        [] if files == 8 else [(files, 0, 2)]
    )
    # The middle of two ranks lies half a rank behind that of one.
    further = 0.0 if files == 8 else 0.5 + FORMED
    assert length == pytest.approx(40 + further, abs=0.02)
    planned = plan(battle, 0, Order(verb="move", unit=0, legs=legs), 30)
    assert isinstance(planned, MovePlan), planned
    assert planned.end.middle == pytest.approx((50, 90), abs=0.01)


def test_it_forms_up_in_a_half_and_then_in_a_quarter_of_its_files(field_of_battle: Build) -> None:
    """Sixteen men in two ranks: four files are four deep, two are eight deep."""
    terrain = closed_but(48.85, 51.15)
    battle = field_of_battle({**LINE, "members": 16}, BOB, terrain=terrain, size=SIZE)

    found, _ = way(battle, Point(50, 90))

    assert found[0] == ("form", 0, 2)


@pytest.mark.parametrize("gap", [4.2, 2.3])
def test_it_forms_up_to_any_of_its_sides(field_of_battle: Build, gap: float) -> None:
    """Two ranks of four that face east are only two wide on their way north."""
    terrain = closed_but(50 - gap / 2, 50 + gap / 2)
    battle = field_of_battle(LINE, BOB, terrain=terrain, size=SIZE)

    found, length = way(battle, Point(50, 90))

    assert found[:2] == [("turn", 90), ("form", 90, 4)]
    # The last of the column of eight goes six places ahead and one and a half aside; the middle
    # of the block is 3 GSU east of that of the line.
    assert length == pytest.approx(5 + hypot(6, 1.5) + 43, abs=0.02)


def test_no_way_leads_through_a_gap_that_is_too_narrow_for_one_man(field_of_battle: Build) -> None:
    battle = field_of_battle(LINE, BOB, terrain=closed_but(49.4, 50.6), size=SIZE)

    assert detour(battle, 0, Point(50, 90), 500.0, ()) is None


@pytest.mark.parametrize(("budget", "may"), [(FORMED - 0.01, False), (FORMED + 0.01, True)])
def test_it_forms_up_only_if_movement_is_left_for_the_way(
    field_of_battle: Build, budget: float, may: bool
) -> None:
    battle = field_of_battle(LINE, BOB, terrain=closed_but(47.5, 52.5), size=SIZE)

    assert (detour(battle, 0, Point(50, 90), budget, ()) is not None) == may


def test_a_form_that_takes_all_movement_leaves_no_way(field_of_battle: Build) -> None:
    battle = field_of_battle(LINE, BOB, terrain=closed_but(47.5, 52.5), size=SIZE)
    pose = pose_of(battle, 0)
    formed = leg_cost(battle, 0, pose, reformed(pose, Formation.RANKED, 4).leg("form"), ())
    assert not isinstance(formed, Refusal)

    assert detour(battle, 0, Point(50, 90), formed[1], ()) is None
    assert detour(battle, 0, Point(50, 90), formed[1] + 1e-9, ()) is not None


def test_what_it_forms_up_for_is_not_left_for_the_way(field_of_battle: Build) -> None:
    battle = field_of_battle(LINE, BOB, terrain=closed_but(47.5, 52.5), size=SIZE)

    found, _ = way(battle, Point(50, 90), FORMED + 5)

    assert found[:1] == [("form", 0, 4)]
    assert found[1][:2] == ("march", 0)
    assert found[1][2:] == pytest.approx((50, 55.5), abs=0.01)


@pytest.mark.parametrize(
    ("budget", "may"), [(10 + FORMED - 0.01, False), (10 + FORMED + 0.01, True)]
)
def test_with_a_wall_at_its_back_it_turns_before_it_forms(
    field_of_battle: Build, budget: float, may: bool
) -> None:
    """A turn to the rear costs half of the speed of 20."""
    behind = {"kind": "rock", "box": (0, 50.6, 100, 52)}
    gap = [{**each, "box": (each["box"][0], 40, each["box"][2], 42)} for each in closed_but(48, 53)]
    line = {**LINE, "facing": 180}
    battle = field_of_battle(line, BOB, terrain=[behind, *gap], size=SIZE)

    found = detour(battle, 0, Point(50.5, 20), budget, ())

    assert (found is not None) == may
    if found is not None:
        legs, length = found
        assert told(legs)[:2] == [("turn", 0), ("form", 0, 4)]
        # The middle of four files and two ranks is 0.5 farther from the wall.
        assert length == pytest.approx(10 + FORMED + 29.5 + 0.5, abs=0.05)
