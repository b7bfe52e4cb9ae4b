"""Chapter 12 as play: flying over what lies below, and going on water or across it."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order, Refusal
from emlia3d.battle.files.orders import order_from_json, order_to_json
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.doctrine.plain_commander import Doctrine
from emlia3d.rules.emlia.play.charges.charging import charge_pose
from emlia3d.rules.emlia.play.combat.free_strike import strikers
from emlia3d.rules.emlia.play.movement.legs import MovePlan, plan
from emlia3d.rules.emlia.play.movement.manoeuvre import MoveValidator, move, move_options
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.play.situation.contact import engaged_by
from emlia3d.rules.emlia.play.situation.going import mode_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import ask

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
BIRD: dict[str, Any] = {"at": (50, 50), "movement": "15F"}
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
FRONT = 50.5


def to(x: float, y: float, altitude: float = 0.0, mode: str = "") -> Leg:
    return Leg(step="march", x=x, y=y, facing=0, altitude=altitude, mode=mode)


def fly(*legs: Leg, verb: str = "move") -> Order:
    return Order(verb=verb, unit=0, legs=legs)


def cost(battle: Battle, *legs: Leg) -> float:
    planned = plan(battle, 0, fly(*legs), paces=9)
    assert isinstance(planned, MovePlan), planned
    return planned.cost


def slug(battle: Battle, *legs: Leg, paces: int = 1) -> str | None:
    planned = plan(battle, 0, fly(*legs), paces)
    return planned.slug if isinstance(planned, Refusal) else None


@pytest.mark.rule("emlia.mode.flying.path-length")
def test_6_forward_and_6_down_leave_6_51_of_15(field_of_battle: Build) -> None:
    battle = field_of_battle({**BIRD, "on_height": 6}, BOB)
    down = to(50, FRONT + 6)

    assert 15 - cost(battle, down) == pytest.approx(6.51, abs=0.005)
    assert slug(battle, down, to(50, FRONT + 6 + 6.51)) is None
    assert slug(battle, down, to(50, FRONT + 6 + 6.55)) == "emlia.move.normal"


@pytest.mark.rule("emlia.mode.flying.path-length")
def test_a_flight_over_a_hill_costs_the_way_up_and_down(field_of_battle: Build) -> None:
    hill = {"kind": "hill", "box": (40, 53.5, 60, 57.5), "height": 3}
    battle = field_of_battle(BIRD, BOB, terrain=[hill])

    up, down = sqrt(3.5**2 + 3**2), sqrt(4.5**2 + 3**2)
    assert cost(battle, to(50, FRONT + 12)) == pytest.approx(up + 4 + down, abs=0.001)
    assert cost(battle, to(50, FRONT, 3), to(50, FRONT + 12, 3)) == 15


@pytest.mark.rule("emlia.mode.flying.altitude")
def test_a_flyer_stands_on_the_ground_below_and_its_altitude(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(BIRD, BOB, elevation_m=np.full((10, 10), 3.66))

    play(battle, move(battle, 0, fly(to(50, FRONT + 4, 7.25))))

    assert battle.state.units.value("on_height", 0) == 7.25
    assert situation_of(battle).footing(0) == pytest.approx(2 + 7.25)


@pytest.mark.rule("emlia.mode.flying.altitude")
def test_there_is_no_ceiling_but_the_scenarios(field_of_battle: Build) -> None:
    free = field_of_battle({**BIRD, "movement": "200F"}, BOB)
    low = field_of_battle({**BIRD, "movement": "200F"}, BOB, house={"ceiling": 20.0})

    assert slug(free, to(50, FRONT, 150)) is None
    assert slug(free, to(50, FRONT, -1)) == "emlia.mode.flying.altitude"
    assert slug(low, to(50, FRONT, 20)) is None
    assert slug(low, to(50, FRONT, 21)) == "emlia.mode.flying.altitude"


@pytest.mark.rule("emlia.mode.flying.altitude")
@pytest.mark.parametrize(("ceiling", "offered"), [(0.0, [5.0]), (5.0, [5.0]), (4.0, [])])
def test_a_rise_is_offered_up_to_the_ceiling(
    field_of_battle: Build, ceiling: float, offered: list[float]
) -> None:
    bird = {**BIRD, "movement": "60F", "morale": 4}
    battle = field_of_battle(bird, BOB, house={"ceiling": ceiling})

    legs = [leg for order in move_options(battle, 0) for leg in order.legs if leg.altitude]

    assert [leg.altitude for leg in legs] == offered


@pytest.mark.rule("emlia.mode.flying")
@pytest.mark.parametrize("kind", ["river", "forest", "rock", "building"])
def test_terrain_below_neither_slows_nor_bars_a_flyer(kind: str, field_of_battle: Build) -> None:
    belt = {"kind": kind, "box": (0, 53, 200, 58)}
    battle = field_of_battle(BIRD, BOB, terrain=[belt])

    assert cost(battle, to(50, FRONT + 14)) == pytest.approx(14, abs=0.01)


@pytest.mark.rule("emlia.mode.flying.altitude")
@pytest.mark.parametrize(
    ("kind", "altitude", "refused"),
    [("rock", 0, True), ("rock", 1.5, True), ("rock", 2, False), ("river", 0, True),
     ("river", 3, False), ("forest", 0, False)],
)  # fmt: skip
def test_it_does_not_come_down_into_what_it_could_not_stand_on(
    kind: str, altitude: float, refused: bool, field_of_battle: Build
) -> None:
    belt = {"kind": kind, "box": (0, 53, 200, 70)}
    battle = field_of_battle({**BIRD, "on_height": altitude}, BOB, terrain=[belt])

    found = slug(battle, to(50, FRONT + 8, altitude))

    assert found == ("emlia.terrain.impassable-by-height" if refused else None)


@pytest.mark.rule("emlia.mode.flying")
def test_a_flyer_passes_above_others_and_not_through_them(field_of_battle: Build) -> None:
    line = {"at": (50, 55), "formation": "ranked", "members": 20, "files": 20, "side": "Bob"}
    battle = field_of_battle(BIRD, line)

    assert slug(battle, to(50, FRONT + 10)) == "emlia.move.blocked-by-object"
    assert slug(battle, to(50, FRONT, 2), to(50, FRONT + 10, 2)) is None
    assert slug(battle, to(50, FRONT, 0.5), to(50, FRONT + 10, 0.5)) is not None
    assert slug(battle, to(50, FRONT, 2), to(50, FRONT + 4, 2)) is None


@pytest.mark.rule("emlia.mode.flying.altitude")
def test_who_walks_passes_below_a_flyer(field_of_battle: Build) -> None:
    bird = {"at": (50, 55), "movement": "15F", "formation": "close"}
    low = field_of_battle({"at": (50, 50)}, bird)
    high = field_of_battle({"at": (50, 50)}, {**bird, "on_height": 4})

    assert slug(low, to(50, FRONT + 10)) == "emlia.move.blocked-by-object"
    assert slug(high, to(50, FRONT + 10)) is None


@pytest.mark.rule("emlia.engage.vertical")
@pytest.mark.parametrize(("altitude", "engaged"), [(0, [1]), (2, [1]), (2.5, [])])
def test_a_flyer_is_engaged_by_those_alone_who_reach_up_to_it(
    altitude: float, engaged: list[int], field_of_battle: Build
) -> None:
    battle = field_of_battle(
        {**BIRD, "on_height": altitude}, {"at": (50, 51.5), "side": "Bob", "facing": 180}
    )

    assert engaged_by(battle, 0) == engaged


@pytest.mark.rule("emlia.freestrike.trigger")
def test_who_passes_high_above_an_enemy_gives_him_no_free_strike(field_of_battle: Build) -> None:
    foe = {"at": (50, 55), "side": "Bob", "facing": 180}
    low, high = to(50, FRONT + 10, 1.5), to(50, FRONT + 10, 5)
    found = []
    for altitude, leg in ((1.5, low), (5, high)):
        battle = field_of_battle({**BIRD, "on_height": altitude}, foe)
        planned = plan(battle, 0, fly(leg))
        assert isinstance(planned, MovePlan)
        found.append([one for one, _ in strikers(battle, 0, planned.end, planned.poses)])

    assert found == [[1], []]


@pytest.mark.rule("emlia.mode.flying.altitude")
def test_from_above_one_sees_over_a_wall(field_of_battle: Build) -> None:
    wall = {"kind": "rock", "box": (20, 80, 80, 84), "height": 5}
    low = field_of_battle(BIRD, {**BOB, "at": (50, 100)}, terrain=[wall])
    high = field_of_battle({**BIRD, "on_height": 60}, {**BOB, "at": (50, 100)}, terrain=[wall])

    assert (level_on(low, 0, 1), level_on(high, 0, 1)) == (Level.TOTAL, Level.NONE)


def test_a_charge_from_the_air_comes_down_to_the_enemy(field_of_battle: Build) -> None:
    foe = {"at": (50, 60), "side": "Bob", "facing": 180}
    battle = field_of_battle({**BIRD, "on_height": 6}, foe)
    too_high = field_of_battle({**BIRD, "on_height": 14}, foe)
    walker = field_of_battle({"at": (50, 50)}, {**foe, "movement": "15F", "on_height": 6})

    end, reached = charge_pose(battle, 0, 1)

    assert (end.altitude, reached) == (0, True)
    assert not charge_pose(too_high, 0, 1)[1]
    assert not charge_pose(walker, 0, 1)[1]


@pytest.mark.rule("emlia.move.normal")
def test_a_normal_move_is_made_in_one_mode_and_a_double_pace_in_two(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle({**BIRD, "movement": "10G, 15F"}, BOB)
    legs = to(50, FRONT + 10, mode="G"), to(50, FRONT + 25, mode="F")
    too_far = to(50, FRONT + 11, mode="G"), to(50, FRONT + 25, mode="F")

    assert slug(battle, *legs) == "emlia.move.normal"
    assert slug(battle, *legs, paces=2) is None
    assert slug(battle, *too_far, paces=2) == "emlia.move.normal"


@pytest.mark.rule("emlia.attr.movement")
def test_a_unit_moves_by_its_own_modes_alone(field_of_battle: Build) -> None:
    battle = field_of_battle({**BIRD, "movement": "10G, 15F"}, BOB)

    assert slug(battle, to(50, FRONT + 5, mode="H")) == "emlia.attr.movement"
    assert slug(battle, to(50, FRONT + 5, mode="G")) is None


def test_who_is_in_the_air_does_not_walk(field_of_battle: Build) -> None:
    battle = field_of_battle({**BIRD, "movement": "10G, 15F", "on_height": 3}, BOB)

    assert slug(battle, to(50, FRONT + 5, mode="G")) == "emlia.mode.flying.altitude"


@pytest.mark.rule("emlia.mode.boat")
def test_a_boat_goes_on_water_only(field_of_battle: Build) -> None:
    boat = {"at": (50, 50), "movement": "20B"}
    battle = field_of_battle(boat, BOB, terrain=[{"kind": "lake", "box": (40, 40, 60, 54)}])

    assert slug(battle, to(50, FRONT + 3)) is None
    assert slug(battle, to(50, FRONT + 4)) == "emlia.move.blocked-by-object"
    assert cost(battle, to(50, FRONT + 3)) == 12


@pytest.mark.rule("emlia.mode.hover")
def test_what_hovers_crosses_water_and_ground_alike(field_of_battle: Build) -> None:
    river = {"kind": "river", "box": (0, 53, 200, 58)}
    wood = {"kind": "forest", "box": (0, 60, 200, 80)}
    battle = field_of_battle({"at": (50, 50), "movement": "20H"}, BOB, terrain=[river, wood])

    assert cost(battle, to(50, FRONT + 9)) == 9
    assert cost(battle, to(50, FRONT + 11)) == 10 + 4 * 1


@pytest.mark.rule("emlia.mode.ground")
def test_a_walker_crosses_no_deep_water_and_wades_through_a_ford(field_of_battle: Build) -> None:
    river = {"kind": "river", "box": (0, 53, 200, 56)}
    ford = {"kind": "ford", "box": (90, 52, 110, 57)}
    battle = field_of_battle({"at": (50, 50)}, {**BOB}, {"at": (100, 50)}, terrain=[river, ford])
    over = Order(verb="move", unit=2, legs=(to(100, FRONT + 9),))

    assert slug(battle, to(50, FRONT + 9)) == "emlia.move.blocked-by-object"
    assert isinstance(waded := plan(battle, 2, over), MovePlan)
    assert waded.cost == pytest.approx(9 + 5, abs=0.01)


@pytest.mark.rule("emlia.mode.boat")
def test_a_unit_of_several_modes_goes_by_the_fastest_that_serves(field_of_battle: Build) -> None:
    lake = {"kind": "lake", "box": (0, 40, 200, 60)}
    unit = {"movement": "5G, 20B"}
    battle = field_of_battle(
        {**unit, "at": (50, 50)}, BOB, {**unit, "at": (50, 20)}, terrain=[lake]
    )

    assert (mode_of(battle, 0), mode_of(battle, 2)) == ("B", "G")


def test_an_order_to_fly_is_written_and_read_again() -> None:
    order = fly(to(1, 2, 3.5, "F"), to(4, 5))

    assert order_from_json(order_to_json(order)) == order
    assert set(order_to_json(order)["legs"][1]) == {
        "step", "x", "y", "facing", "formation", "files",
    }  # fmt: skip


@pytest.mark.parametrize(("field", "cell"), [("mode", 3), ("altitude", "high"), ("depth", 1)])
def test_a_leg_that_is_none_is_not_read(field: str, cell: Any) -> None:
    body = order_to_json(fly(to(1, 2)))
    body["legs"][0][field] = cell

    with pytest.raises(ValueError, match="leg"):
        order_from_json(body)


def test_the_doctrine_flies_over_what_a_walker_would_be_stuck_at(
    field_of_battle: Build, question: Callable[..., Any]
) -> None:
    belt = {"kind": "rock", "box": (0, 53, 200, 56)}
    battle = field_of_battle({**BIRD, "morale": 4}, {**BOB, "at": (50, 150)}, terrain=[belt])
    decision = question(battle, ask(battle, 0))

    order = Doctrine().decide(decision, SidePicture(battle, 0), battle.dice)

    decision.check(order)
    assert order.verb in {"move", "double-pace"}
    assert order.legs[-1].y > 60


@given(
    st.floats(0, 359.99), st.floats(0, 40), st.floats(0, 30), st.floats(0, 20), st.integers(0, 3)
)
def test_nobody_flies_farther_than_allowed_or_into_anything(
    field_of_battle: Build, degrees: float, far: float, up: float, start: float, seed: int
) -> None:
    terrain = [
        {"kind": "rock", "box": (55, 40, 60, 60)},
        {"kind": "hill", "box": (40, 60, 60, 70), "height": 4},
    ]
    line = {"at": (50, 44), "formation": "ranked", "members": 20, "files": 20, "side": "Bob"}
    battle = field_of_battle({**BIRD, "on_height": round(start)}, line, terrain=terrain, seed=seed)
    pose = pose_of(battle, 0)
    x = pose.x + far * float(np.sin(np.radians(degrees)))
    y = pose.y + far * float(np.cos(np.radians(degrees)))

    refusal = MoveValidator(battle, 0).refusal(fly(to(x, y, up)))

    planned = plan(battle, 0, fly(to(x, y, up)))
    if refusal is None:
        assert isinstance(planned, MovePlan)
        assert far - 0.01 <= planned.cost <= 15.01
        rock = terrain[0]["box"]
        inside = rock[0] < x < rock[2] and rock[1] < y - 0.5 < rock[3]
        assert not (inside and up < 2)
