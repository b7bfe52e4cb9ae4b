"""Emlia, chapter 18.1: terrain."""

from __future__ import annotations

import pytest
import shapely

from emlia3d.field.terrain import KINDS, feature_of
from emlia3d.rules.emlia.tables.terrain import (
    EFFECTS,
    MovementClass,
    blocks,
    effect_of,
    ground_cost,
    is_slowed,
    is_solid_through,
    kind_of,
    movement_cost,
)

rule = pytest.mark.rule


def feature(kind, **facts):
    return feature_of(kind, kind, shapely.box(0, 0, 4, 4), **facts)


def cost(kind, mode="G", size=1.0, height=1.0, **facts):
    return movement_cost(feature(kind, **facts), mode=mode, size=size, height=height)


@rule("emlia.terrain.rough")
def test_fifteen_gsu_of_movement_take_a_unit_six_of_open_and_four_and_a_half_of_rough_ground():
    assert 6 + (15 - 6) / ground_cost(MovementClass.ROUGH) == 10.5


@rule("emlia.terrain.very-rough")
def test_of_very_rough_ground_they_take_it_two_and_a_quarter():
    assert 6 + (15 - 6) / ground_cost(MovementClass.VERY_ROUGH) == 8.25


@rule("emlia.terrain.impassable")
def test_impassable_ground_has_no_cost_but_is_not_to_be_entered():
    assert ground_cost(MovementClass.IMPASSABLE) is None
    assert ground_cost(MovementClass.OPEN) == 1


@rule("emlia.terrain.visibility-limiting")
def test_ten_gsu_of_forest_are_sparse_and_a_little_more_is_solid():
    limit = EFFECTS["forest"].limits_sight
    assert not is_solid_through(10, limit)
    assert is_solid_through(10.1, limit)


@rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(
    ("obstacle", "mover", "blocked"),
    [(0.5, 2, False), (0.5, 1, True), (1, 1, True), (0.25, 1, False)],
)
def test_what_is_higher_than_a_quarter_of_the_mover_blocks_him(obstacle, mover, blocked):
    assert blocks(obstacle, mover) is blocked


@rule("emlia.terrain.impassable-by-height")
def test_a_knee_high_rock_stops_a_man_and_not_an_ogre():
    assert movement_cost(feature("rock", height=0.5), mode="G", size=1, height=1.0) is None
    assert movement_cost(feature("rock", height=0.5), mode="G", size=1, height=2.0) == 1


@rule("emlia.terrain.impassable-by-height")
def test_a_wall_is_rough_to_whoever_is_as_tall_and_bars_the_small():
    assert cost("wall", height=1.0) == 2
    assert cost("wall", height=0.5) == 2
    assert cost("wall", height=0.25) is None
    assert cost("wall", height=2.0) == 1


@rule("emlia.terrain.slow-size-limit")
def test_vegetation_slows_sizes_up_to_four_times_its_own():
    scrub = EFFECTS["scrub"]
    assert is_slowed(2, 0.5, scrub)
    assert not is_slowed(2.5, 0.5, scrub)
    assert is_slowed(100, 1, EFFECTS["marsh"])


@rule("emlia.terrain.examples")
@pytest.mark.parametrize(
    ("kind", "facts", "on_foot", "limits_sight"),
    [
        pytest.param(*row, marks=rule(f"emlia.terrain.examples.{row[0]}"), id=row[0])
        for row in [
            ("shrub", ("sparse", 1, 1, 0.5), None, None),
            ("tree", ("sparse", 3, 2, 2.0), None, None),
            ("large-tree", ("sparse", 5, 3, 3.0), None, None),
            ("scrub", ("sparse", None, None, 1.0), 2, None),
            ("forest", ("sparse", None, None, 3.0), 4, 10),
            ("hill", ("solid", None, None, 10.0), 1, None),
            ("river", ("sparse", None, None, -2.0), None, None),
            ("building", ("solid", None, None, 3.0), None, None),
        ]
    ],
)  # fmt: skip
def test_the_printed_terrain_is_as_printed(kind, facts, on_foot, limits_sight):
    found = KINDS[kind]
    assert (found.body, found.hits, found.size, found.height) == facts
    assert cost(kind) == on_foot
    assert EFFECTS[kind].limits_sight == limits_sight


@rule("emlia.terrain.examples.river")
def test_boats_go_on_a_river_and_nobody_walks_through_it():
    assert cost("river", mode="B") == 4
    assert cost("field", mode="B") is None
    assert cost("lake") is None


@rule("emlia.terrain.entities")
def test_every_kind_of_terrain_has_an_effect_and_flight_passes_over_all_of_them():
    assert set(EFFECTS) == set(KINDS)
    assert {cost(kind, mode="F") for kind in KINDS} == {1}


def test_a_feature_is_to_movement_and_sight_what_the_scenario_takes_it_for() -> None:
    field = feature("field", as_={"emlia": "forest", "dbmm": "RH"})
    wood = feature("forest", as_={"emlia": "field"})

    assert cost("field") == 1
    assert cost("field", as_={"emlia": "forest"}) == 4
    assert cost("forest", as_={"emlia": "field"}) == 1
    assert cost("field", as_={"emlia": "lake"}) is None
    assert cost("field", as_={"emlia": "lake"}, mode="H") == 1
    assert cost("field", as_={"dbmm": "RH"}) == 1
    assert effect_of(field).limits_sight == 10
    assert effect_of(field).overhead
    assert effect_of(wood).limits_sight is None
    assert kind_of(field) == "forest"


@rule("emlia.terrain.slow-size-limit", "emlia.terrain.entities")
@pytest.mark.parametrize(
    ("kind", "facts", "size", "price"),
    [
        # Without a size of its own vegetation has that of its height, and 1 at least.
        ("scrub", {"height": 0.5}, 4, 2),
        ("scrub", {"height": 0.5}, 4.1, 1),
        ("scrub", {"height": 2}, 8, 2),
        ("scrub", {"height": 2}, 8.1, 1),
        ("scrub", {"height": 2, "size": 0.5}, 2, 2),
        ("scrub", {"height": 2, "size": 0.5}, 2.1, 1),
        ("forest", {"height": 3, "size": 1}, 4, 4),
        ("forest", {"height": 3, "size": 1}, 4.1, 1),
        ("marsh", {}, 40, 2),
    ],
)
def test_vegetation_slows_up_to_four_times_its_size_and_other_ground_all(kind, facts, size, price):
    found = movement_cost(feature(kind, **facts), mode="G", size=size, height=1.0)

    assert found == price


@pytest.mark.parametrize(
    ("kind", "by_ground", "by_boat", "hovering"),
    [
        ("river", None, 4, 1),
        ("lake", None, 4, 1),
        ("stream", 2, 4, 1),
        ("ford", 2, 4, 1),
        ("marsh", 2, None, 1),
        ("forest", 4, None, 4),
        ("building", None, None, None),
        ("gate", None, None, None),
        ("field", 1, None, 1),
        ("bridge", 1, None, 1),
    ],
)
def test_each_mode_has_its_own_cost(kind, by_ground, by_boat, hovering):
    found = [cost(kind, mode=mode) for mode in ("G", "B", "S", "H", "F")]

    assert found == [by_ground, by_boat, by_boat, hovering, 1]


@pytest.mark.parametrize(("size", "price"), [(0.5, 4), (1, 4), (1.01, None), (8, None)])
def test_only_men_climb_ladders(size, price):
    assert cost("rampart", size=size) == price
    assert cost("tower", size=size) == price


@rule("emlia.terrain.impassable-by-height")
@pytest.mark.parametrize(
    ("kind", "height", "mover", "price"),
    [
        ("wall", 1, 4, 1),
        ("wall", 1, 3.9, 2),
        ("wall", 1, 1, 2),
        ("wall", 1, 0.9, None),
        ("rock", 1, 4, 1),
        ("rock", 1, 3.9, None),
        ("rock", 1, 1, None),
    ],
)
def test_what_is_no_higher_than_the_mover_is_climbed_if_it_can_be(kind, height, mover, price):
    assert movement_cost(feature(kind, height=height), mode="G", size=1.0, height=mover) == price


@pytest.mark.parametrize(
    ("what", "kinds"),
    [
        ("barrier", {"shrub", "tree", "large-tree", "rock", "hedge", "fence", "wall", "earthwork"}),
        ("climbed", {"hedge", "fence", "wall", "earthwork"}),
        ("scaled", {"rampart", "tower"}),
        ("vegetation", {"scrub", "forest", "orchard"}),
        ("overhead", {"tree", "large-tree", "forest", "building", "orchard", "keep"}),
        ("limits_sight", {"forest", "orchard"}),
    ],
)
def test_these_kinds_and_no_others_are_so(what, kinds):
    assert {kind for kind, effect in EFFECTS.items() if getattr(effect, what)} == kinds
