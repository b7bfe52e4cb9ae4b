"""The moves of a unit in retreat: where they may end, how long they are, and what they record."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import pytest
import shapely

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia.play.retreat import fallback_goals
from emlia3d.rules.emlia.play.retreat import retreat_path as homeward
from emlia3d.rules.emlia.play.retreat.compulsion import at_lines_point, is_compelled, obey
from emlia3d.rules.emlia.play.situation.pose import pose_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from tests.rules.emlia import troops
from tests.rules.emlia.reasons import named

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

FOE: dict[str, Any] = {"at": (100, 190), "side": "Bob", "facing": 180}
ROCK: dict[str, Any] = {"kind": "rock", "box": (80, 90, 104, 94)}
EDGES = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def low(morale: int, at: tuple[float, float] = (100, 100), **more: Any) -> dict[str, Any]:
    return {"at": at, "put": {"morale": morale}, **more}


def sides(lines: Any) -> list[Side]:
    return [
        Side(name="Alice", colour="#2a5caa", lines=lines),
        Side(name="Bob", colour="#b03030", lines="north"),
    ]


def middle(battle: Battle, unit: int = 0) -> tuple[float, float]:
    return situation_of(battle).centre(unit)


@pytest.mark.rule("emlia.morale.lines", "emlia.scenario.own-lines")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize(
    ("morale", "paces", "name", "state"),
    [(-1, 1, "fell back", "Falling Back"), (-3, 1, "fell back", "Falling Back"),
     (-4, 2, "fell back", "Retreating"), (-6, 2, "fell back", "Retreating"),
     (-7, 2, "fled", "Routed")],
)  # fmt: skip
def test_a_unit_goes_straight_to_its_own_edge_by_one_or_two_normal_moves(
    field_of_battle: Build, play: Play, edge: str, morale: int, paces: int, name: str, state: str
) -> None:
    east, north = EDGES[edge]
    foe = {**FOE, "at": (100 - 80 * east, 100 - 80 * north)}
    battle = field_of_battle(low(morale), foe, sides=sides(edge))

    (back,) = play(battle, obey(battle, 0))

    x, y = middle(battle)
    assert (x - 100, y - 100) == pytest.approx((15 * paces * east, 15 * paces * north), abs=0.05)
    assert (back.name, back.unit, back.gesture) == (name, 0, "march")
    assert back.facts.state == state
    key = state.lower().replace(" ", "-")
    closer = [] if state == "Routed" else ["morale.not-closer"]
    assert named(back, "morale") == [
        f"morale.state.{key}", f"morale.{key}", "morale.lines", *closer,
    ]  # fmt: skip
    units = battle.state.units
    assert [units.value(column, 0) for column in ("move_used", "leftover", "moved")] == [1, 1, 1]
    assert units.value("double_paced", 0) == paces - 1


@pytest.mark.rule("emlia.morale.lines", "emlia.morale.lines-point")
@pytest.mark.parametrize("point", [(60.0, 100.0), (130.0, 140.0), (100.0, 71.0)])
@pytest.mark.parametrize("morale", [-1, -7])
def test_a_unit_goes_straight_at_lines_that_are_a_point(
    field_of_battle: Build, play: Play, point: tuple[float, float], morale: int
) -> None:
    away = hypot(point[0] - 100, point[1] - 100)
    behind = (100 - 80 * (point[0] - 100) / away, 100 - 80 * (point[1] - 100) / away)
    battle = field_of_battle(low(morale), {**FOE, "at": behind}, sides=sides(point))
    gone = 15 if morale == -1 else 30

    play(battle, obey(battle, 0))

    x, y = middle(battle)
    share = min(gone, away) / away
    assert x == pytest.approx(100 + (point[0] - 100) * share, abs=1.1)
    assert y == pytest.approx(100 + (point[1] - 100) * share, abs=1.1)


@pytest.mark.rule("emlia.morale.lines-point", "emlia.castle.lines")
@pytest.mark.parametrize(
    ("gap", "there"), [(0.0, True), (1.0, True), (1.0625, False), (20.0, False)]
)
def test_within_one_gsu_of_a_point_a_unit_has_reached_it(
    field_of_battle: Build, gap: float, there: bool
) -> None:
    battle = field_of_battle(low(-4), FOE, sides=sides((100.0, 99.5 - gap)))

    assert at_lines_point(battle, 0) is there
    assert is_compelled(battle, 0) is not there


@pytest.mark.rule("emlia.morale.falling-back", "emlia.orders.morale-priority")
@pytest.mark.parametrize(
    ("more", "compelled"),
    [
        (low(-1), True),
        (low(0), False),
        (low(-1, movement=None), False),
        ({"at": (100, 100), "put": {"morale": -1, "ignoring": 1}}, False),
    ],
    ids=["falling back", "shaken", "cannot move", "told to ignore it"],
)
def test_low_morale_compels_who_can_move_and_is_not_told_to_ignore_it(
    field_of_battle: Build, more: dict[str, Any], compelled: bool
) -> None:
    assert is_compelled(field_of_battle(more, FOE), 0) is compelled


@pytest.mark.rule("emlia.orders.morale-priority")
@pytest.mark.parametrize("conditions", [True, False])
def test_a_retreat_of_units_with_initiative_conditions_names_that_morale_comes_first(
    field_of_battle: Build, play: Play, conditions: bool
) -> None:
    initiative = [{"when": {"within": 15}, "do": "charge"}] if conditions else []
    battle = field_of_battle(low(-1, initiative=initiative), FOE)

    (back,) = play(battle, obey(battle, 0))

    assert ("orders.morale-priority" in named(back, "orders")) is conditions


@pytest.mark.rule("emlia.morale.routed")
def test_a_routed_unit_that_goes_round_a_rock_ends_on_no_friend(
    field_of_battle: Build, play: Play
) -> None:
    free = field_of_battle(low(-7, (100, 96)), FOE, terrain=[ROCK])
    play(free, obey(free, 0))
    end = middle(free)
    friend = troops.ranked(3, 3, (end[0], end[1] + 1.5), name="friend")
    battle = field_of_battle(low(-7, (100, 96)), FOE, friend, terrain=[ROCK])

    play(battle, obey(battle, 0))

    assert (
        not situation_of(battle)
        .outline(0)
        .buffer(-1 / 16)
        .intersects(situation_of(battle).outline(2))
    )
    assert hypot(middle(battle)[0] - 100, middle(battle)[1] - 96) > 5


@pytest.mark.rule("emlia.morale.routed")
@pytest.mark.parametrize("deep", [2, 6, 12])
def test_a_routed_unit_runs_through_a_friend_and_ends_before_or_behind_it(
    field_of_battle: Build, play: Play, deep: int
) -> None:
    # Its run of 30 GSU would end at y 70, in the middle of the friend.
    friend = troops.ranked(3, deep, (100, 70 + deep / 2))
    battle = field_of_battle(low(-7), FOE, friend)

    play(battle, obey(battle, 0))

    x, y = middle(battle)
    assert x == pytest.approx(100, abs=0.05)
    # Steps of 1 GSU back from where it would have ended.
    assert 70 + deep / 2 + 0.4 <= y <= 70 + deep / 2 + 1.6


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(
    ("gap", "end"), [(10, (100, 90)), (8, (100, 92)), (7, (90.36, 88.51)), (3, (87, 92.5))]
)
def test_a_unit_goes_aside_only_if_the_straight_way_leads_less_than_half_as_far(
    field_of_battle: Build, play: Play, gap: float, end: tuple[float, float]
) -> None:
    """Ranks of five bar the straight way; 15 GSU at 40 or at 60 degrees off it lead past them."""
    friend = troops.ranked(5, 1, (100, 99.5 - gap))
    battle = field_of_battle(low(-1), FOE, friend)

    (event,) = play(battle, obey(battle, 0), answers=["to-lines"])

    assert event.name == "fell back"
    assert middle(battle) == pytest.approx(end, abs=0.1)


@pytest.mark.rule("emlia.morale.neg.friend-runs-through")
@pytest.mark.parametrize(
    ("morale", "x", "noted"),
    [(-4, 100, True), (-7, 100, True), (-3, 100, False), (-7, 104, False)],
)
def test_friends_remember_a_unit_in_retreat_that_ran_through_them(
    field_of_battle: Build, play: Play, morale: int, x: float, noted: bool
) -> None:
    friend = {"at": (x, 90), "members": 4, "files": 2, "formation": "open"}
    battle = field_of_battle(low(morale, army_value=3), FOE, friend, {"at": (100, 150)})

    play(battle, obey(battle, 0), answers=[] if morale < -3 else ["to-lines"])

    assert ((2, 0) in battle.state.pairs["ran_through"]) is noted
    assert (3, 0) not in battle.state.pairs["ran_through"]
    assert (0, 0) not in battle.state.pairs["ran_through"]


@pytest.mark.rule("emlia.morale.falling-back")
@pytest.mark.parametrize(
    ("harm", "shooter"),
    [
        ({1: 3, 2: 2}, 1),
        ({1: 2, 2: 3}, 2),
        ({1: 2, 2: 2}, 1),
        ({2: 1}, 2),
        ({}, None),
    ],
)
def test_the_worst_shooter_is_the_enemy_that_has_done_most_damage(
    field_of_battle: Build, harm: dict[int, int], shooter: int | None
) -> None:
    battle = field_of_battle(low(-1), FOE, {**FOE, "at": (120, 190)}, {"at": (20, 20)})
    changes = tuple(Pair(column="harmed", a=a, b=0, value=count) for a, count in harm.items())
    other = (Pair(column="harmed", a=2, b=3, value=99),)
    battle.happen(Event(facts=Unread(event="put"), changes=(*changes, *other)))

    assert fallback_goals.worst_shooter(battle, 0) == shooter


@pytest.mark.rule("emlia.morale.falling-back")
@pytest.mark.parametrize(
    ("at", "end"),
    [((100.0, 60.0), (100, 85)), ((100.0, 90.0), (100, 91)), ((70.0, 100.0), (85, 100))],
    ids=["a whole move", "up to the friend", "to the west"],
)
def test_a_unit_falls_back_straight_to_a_friend(
    field_of_battle: Build, at: tuple[float, float], end: tuple[float, float]
) -> None:
    battle = field_of_battle(low(-1), FOE, {"at": at, "formation": "close"})

    (fallback,) = fallback_goals.friends_for(battle, 0)

    assert (fallback.order.verb, fallback.order.target, fallback.leaves) == ("to-friend", 2, False)
    assert fallback.end.middle == pytest.approx(end, abs=0.1)


@pytest.mark.rule("emlia.morale.falling-back", "emlia.morale.not-closer")
@pytest.mark.parametrize(
    "friend",
    [
        {"at": (100, 98.5)}, {"at": (100, 140)}, {"at": (100, 60), "side": "Bob"},
        {"at": (99.2, 100), "arrives": 3},
    ],
    ids=["beside it already", "closer to the enemy", "an enemy", "not there yet"],
)  # fmt: skip
def test_no_fallback_goal_is_where_it_stands_already_or_closer_to_the_enemy(
    field_of_battle: Build, friend: dict[str, Any]
) -> None:
    battle = field_of_battle(low(-1), FOE, friend)

    assert list(fallback_goals.friends_for(battle, 0)) == []


@pytest.mark.rule("emlia.morale.falling-back")
def test_friends_are_offered_from_the_nearest_on(field_of_battle: Build) -> None:
    friends = [{"at": (100, 60)}, {"at": (70, 100)}, {"at": (130, 80)}]
    battle = field_of_battle(low(-1), FOE, *friends)

    assert [fallback.order.target for fallback in fallback_goals.friends_for(battle, 0)] == [
        3,
        4,
        2,
    ]


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("north", [(0, 200), (200, 200)]),
        ("east", [(200, 0), (200, 200)]),
        ("south", [(0, 0), (200, 0)]),
        ("west", [(0, 0), (0, 200)]),
    ],
)
def test_the_way_round_leads_to_the_nearest_place_of_the_own_edge(
    field_of_battle: Build, play: Play, lines: str, expected: list[tuple[float, float]]
) -> None:
    """A wall 60 GSU long with one end 4 GSU from the unit's line is passed at that end."""
    east, north = EDGES[lines]
    walls = {
        "north": (60, 106, 104, 108), "south": (60, 92, 104, 94),
        "east": (106, 60, 108, 104), "west": (92, 60, 94, 104),
    }  # fmt: skip
    foe = {**FOE, "at": (100 - 80 * east, 100 - 80 * north)}
    wall = {"kind": "rock", "box": walls[lines]}
    battle = field_of_battle(low(-7), foe, terrain=[wall], sides=sides(lines))
    edge = shapely.LineString(expected)
    before = shapely.Point(middle(battle)).distance(edge)

    play(battle, obey(battle, 0))

    after = shapely.Point(middle(battle)).distance(edge)
    # 4 to the side and back in 30: at least 24 GSU nearer to the edge.
    assert before - after > 24


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize(
    ("facing", "ranks", "gone"),
    [(180, 1, 15.0), (0, 1, 15.0), (180, 2, 15.0), (90, 2, 15 - 15 / 4), (0, 2, 15 - 15 / 2)],
)
def test_a_ranked_unit_pays_for_the_turn_to_its_lines(
    field_of_battle: Build, facing: int, ranks: int, gone: float
) -> None:
    unit = troops.ranked(2, ranks, (100, 100), facing, put={"morale": -1})
    single = {**low(-1), "facing": facing}
    battle = field_of_battle(unit if ranks > 1 else single, FOE)
    start = pose_of(battle, 0)

    end, leaves = homeward.flight(battle, 0, 1, False)

    assert not leaves
    assert start.middle[1] - end.middle[1] == pytest.approx(gone, abs=0.05)
    assert end.middle[0] == pytest.approx(start.middle[0], abs=0.05)


@pytest.mark.rule("emlia.morale.lines")
@pytest.mark.parametrize("point", [(100.0, 40.0), (40.0, 100.0), (160.0, 130.0)])
def test_flight_to_a_point_ends_nearer_to_it(
    field_of_battle: Build, point: tuple[float, float]
) -> None:
    """A rock bars the straight way, so that ways off it are weighed by what they gain."""
    east, north = (point[0] - 100) / 10, (point[1] - 100) / 10
    size = hypot(east, north)
    at = (100 + 6 * east / size, 100 + 6 * north / size)
    rock = {"kind": "rock", "box": (at[0] - 2, at[1] - 2, at[0] + 2, at[1] + 2)}
    away = {**FOE, "at": (100 - 80 * east / size, 100 - 80 * north / size)}
    battle = field_of_battle(low(-1), away, terrain=[rock], sides=sides(point))
    start = pose_of(battle, 0).outline.distance(shapely.Point(point))

    end, leaves = homeward.flight(battle, 0, 1, False)

    assert not leaves
    # 40 degrees off, the unit passes the rock: 15 cos 40 and more.
    assert start - end.outline.distance(shapely.Point(point)) > 6


@pytest.mark.rule("emlia.morale.falling-back", "emlia.move.leave")
def test_no_fallback_goal_is_over_the_edge_of_the_field(field_of_battle: Build) -> None:
    """A row of four that turns to a friend along the edge would stand over it."""
    row = {"members": 4, "files": 4, "formation": "close", "put": {"morale": -1}}
    near, inside = (
        field_of_battle({**row, "at": (100, y)}, {**FOE, "at": (190, y)}, {"at": (60, y)})
        for y in (0.6, 5.0)
    )

    assert list(fallback_goals.friends_for(near, 0)) == []
    assert [fallback.order.target for fallback in fallback_goals.friends_for(inside, 0)] == [2]
