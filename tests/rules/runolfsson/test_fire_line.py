"""The fire line: the vectors of the catalogue, contours, pieces, friends, openings and streams."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.runolfsson.elevation import (
    HEIGHTS,
    at_its_edge,
    at_the_foot,
    both_higher,
    edge_modifier,
    height_of,
    is_terrace,
    may_fire_across,
    over,
    over_downhill,
    over_uphill,
    stands_high_enough,
    touches,
    uphill_modifier,
)
from emlia3d.rules.runolfsson.fire_line import (
    Lines,
    ends_of,
    is_narrow,
    judge,
    may_stand_in_the_way,
    plunges,
)
from emlia3d.rules.runolfsson.models import touching
from emlia3d.rules.runolfsson.terrain import terrain_of
from tests.rules.runolfsson.tables import feature, table

X, Y = 10.0, 20.0
"""The place of the attacker; all else is measured from it."""


def model(x: float, y: float = 0.0, **other: Any) -> dict[str, Any]:
    return {"at": [X + x, Y + y], **other}


def blue(x: float, y: float = 0.0, **other: Any) -> dict[str, Any]:
    return model(x, y, side="Blue", **other)


def across(kind: str, near: float, far: float, high: float = 8.0) -> dict[str, Any]:
    """A feature that spans the fire line from *near* to *far*."""
    return feature(kind, at=(X + near, Y - high, X + far, Y + high))


def hill(west: float, east: float) -> dict[str, Any]:
    return across("hill", west, east, high=9.0)


def line(battle: Battle, one: int = 0, other: int = 1) -> Lines:
    ends = ends_of(battle)
    return judge(battle, ends, np.array([one]), ends, np.array([other]))


def judged(battle: Battle, one: int = 0, other: int = 1) -> tuple[float, int]:
    """Return the multiplier and the modifier of a fire line."""
    found = line(battle, one, other)
    multiplier = float(found.multiplier[0])
    return multiplier, int(found.modifier[0]) if multiplier else 0


BACK = hill(-8, 0.5)
"""Ground of level 1 behind the attacker, with its edge under the attacker's base."""

ROCK = across("rock", 8, 9)

VECTORS: dict[int, tuple[Any, ...]] = {
    1: (model(0), blue(10), [across("rock", 4, 5)], [], (0, 0)),
    2: (model(0), blue(14), [BACK, ROCK], [], (1, 0)),
    3: (model(0), blue(13.75), [BACK, ROCK], [], (1, 0)),
    4: (model(0), blue(13), [BACK, ROCK], [], (0, 0)),
    5: (model(0), blue(14), [hill(-8, 3.5)], [], (0, 0)),
    6: (model(0), blue(12.25), [ROCK, hill(11.75, 25)], [], (1, -1)),
    7: (model(0), blue(12), [ROCK, hill(11.5, 25)], [], (0, 0)),
    8: (model(0), blue(14), [BACK, across("tree", 8, 9)], [], (0.5, 0)),
    9: (model(0), blue(14), [BACK, BACK, BACK, across("tree", 8, 9)], [], (1, 0)),
    10: (model(0), blue(10), [across("tree", 4, 5), across("tree", 6, 7)], [], (0.25, 0)),
    11: (model(0), blue(10), [across("tree", 0.5, 1.5)], [], (1, 0)),
    12: (model(0), blue(10), [across("wall", 9.3, 9.5)], [], (0.5, 0)),
    13: (model(0), blue(10), [across("wall", 4, 4.2)], [], (1, 0)),
    14: (model(0), blue(10), [], [model(5, 0.95), model(5, -0.95)], (0, 0)),
    15: (model(0), blue(10), [], [model(5, 1.0), model(5, -1.0)], (1, 0)),
    16: (model(0), blue(10), [], [model(1)], (1, 0)),
    17: (model(0, base=1.5), blue(10), [], [model(5)], (1, 0)),
    18: (model(0), blue(10), [across("stream", 9, 11)], [], (2, 0)),
    19: (model(0), blue(10), [across("stream", -1, 1), across("tree", 4, 5)], [], (0.25, 0)),
    20: (model(0), blue(10), [hill(-8, 2), hill(8, 18), across("rock", 4, 5)], [], (1, 0)),
    21: (model(0), blue(7), [hill(-9, 4.5), hill(-8, 0.5)], [], (1, 0)),
    22: (model(0), blue(6.5), [hill(-9, 4.5), hill(-8, 0.5)], [], (0, 0)),
}  # fmt: skip
"""Attacker, target, terrain, friends; multiplier and modifier."""


@pytest.mark.rule("runolfsson.geometry.vectors", "runolfsson.geometry.fire-algorithm")
@pytest.mark.parametrize("number", VECTORS)
def test_the_fire_line_is_as_the_catalogue_has_it(number: int) -> None:
    attacker, target, terrain, friends, expected = VECTORS[number]

    assert judged(table(attacker, target, *friends, terrain=terrain)) == expected


@pytest.mark.rule("runolfsson.geometry.fire-algorithm")
def test_a_shot_uphill_through_a_tree_has_half_its_dice_at_minus_one() -> None:
    terrain = [across("tree", 4, 5), hill(9.5, 20)]

    assert judged(table(model(0), blue(10), terrain=terrain)) == (0.5, -1)


@pytest.mark.rule("runolfsson.geometry.primitives")
def test_bases_whose_centres_are_seven_inches_apart_have_a_gap_of_six() -> None:
    assert float(line(table(model(0), blue(7))).gap[0]) == 6.0


# Contours

CASES = [
    ("1 T", "0 -", BACK, 0, 10, (1, 0)),
    ("1 T", "0 T", hill(-8, 0.54), 0, 1.08, (1, -1)),
    ("1 -", "0 -", hill(-8, 2.5), 0, 10, (0, 0)),
    ("1 -", "0 T", hill(-8, 2.5), 0, 3, (1, -1)),
    ("0 -", "1 T", hill(9.5, 20), 0, 10, (1, -1)),
    ("0 -", "1 -", hill(8, 20), 0, 10, (0, 0)),
    ("0 T", "1 -", hill(0.5, 20), 0, 10, (1, 0)),
    ("0 T", "1 T", hill(0.54, 20), 0, 1.08, (1, -1)),
]


@pytest.mark.rule("runolfsson.contour.cases", "runolfsson.contour.minus-one")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}, {case[1]}")
def test_fire_across_one_contour_edge(case: tuple[Any, ...]) -> None:
    *_, ground, attacker, target, expected = case

    assert judged(table(model(attacker), blue(target), terrain=[ground])) == expected


@pytest.mark.rule("runolfsson.contour.cases")
def test_equal_levels_an_edge_or_a_foot_allow_fire() -> None:
    assert may_fire_across(1, 1, False, False)
    assert may_fire_across(1, 0, True, False)
    assert may_fire_across(1, 0, False, True)
    assert not may_fire_across(1, 0, False, False)


@pytest.mark.rule("runolfsson.contour.contact")
@pytest.mark.parametrize(("ground", "modifier"), [(hill(0.5, 9), -1), (hill(-8, 0.5), 0)])
def test_a_close_attack_is_worse_uphill_only(ground: dict[str, Any], modifier: int) -> None:
    found = line(table(model(0), blue(1), terrain=[ground]))

    assert found.close[0]
    assert int(found.modifier[0]) == modifier == uphill_modifier(*((0, 1) if modifier else (1, 0)))


@pytest.mark.rule("runolfsson.contour.minus-one")
def test_fire_through_an_edge_at_a_model_that_touches_it_has_minus_one() -> None:
    assert edge_modifier(0, 1, True) == edge_modifier(1, 0, True) == -1
    assert edge_modifier(1, 1, True) == edge_modifier(1, 0, False) == 0


@pytest.mark.rule("runolfsson.contour.touch")
@pytest.mark.parametrize(("off", "touching"), [(0.5, True), (0.6, False)])
def test_a_base_touches_an_edge_that_it_reaches(off: float, touching: bool) -> None:
    battle = table(model(0), blue(30), terrain=[hill(-8, off)])

    assert bool(ends_of(battle).edge[0, 0]) is touching
    assert bool(touches(off - 0.5)) is touching


@pytest.mark.rule("runolfsson.contour.down")
def test_a_model_two_inches_from_the_edge_does_not_fire_down() -> None:
    found = line(table(model(0), blue(10), terrain=[hill(-8, 2.5)]))

    assert found.because(0) == ("runolfsson.contour.down",)
    assert at_its_edge(True, 0.5)
    assert not at_its_edge(True, 0.6)
    assert not at_its_edge(False, 0.0)


@pytest.mark.rule("runolfsson.contour.fired-upon")
def test_a_model_two_inches_from_the_edge_is_safe_from_below() -> None:
    found = line(table(model(0), blue(10), terrain=[hill(7.5, 20)]))

    assert found.because(0) == ("runolfsson.contour.fired-upon",)


@pytest.mark.rule("runolfsson.contour.foot")
def test_a_model_at_the_foot_sees_one_level_up_and_is_seen() -> None:
    up = [hill(0.5, 20)]
    two = [hill(0.5, 30), hill(3, 20)]

    assert judged(table(model(0), blue(6), terrain=up))[0] == 1
    assert judged(table(model(0), blue(6), terrain=up), 1, 0) == (1, -1)
    assert judged(table(model(0), blue(6), terrain=two))[0] == 0
    assert at_the_foot(0, 1, True)
    assert not at_the_foot(0, 2, True)


@pytest.mark.rule("runolfsson.contour.many")
def test_a_terrace_is_shot_over_by_the_half_distance() -> None:
    terraces = [hill(-9, 4.5), hill(-8, 0.5)]

    assert judged(table(model(0), blue(7), terrain=terraces))[0] == 1
    assert judged(table(model(0), blue(6.5), terrain=terraces))[0] == 0
    assert is_terrace(2, 0, 1)
    assert not is_terrace(2, 0, 2)
    assert not is_terrace(2, 1, 1)


# Elevation


@pytest.mark.rule("runolfsson.elevation.level")
def test_a_centre_inside_two_nested_outlines_is_on_level_two() -> None:
    battle = table(model(0), blue(30), terrain=[hill(-8, 8), hill(-4, 4)])

    assert ends_of(battle).level.tolist() == [2, 0]
    assert terrain_of(battle).levels.tolist() == [1, 2]


@pytest.mark.rule("runolfsson.elevation.heights")
def test_a_tree_is_three_high_and_a_model_one() -> None:
    heights = {kind: height_of(kind) for kind in HEIGHTS}

    assert heights["tree"] == 3
    assert [heights[k] for k in ("rock", "wall", "bush", "model", "stream")] == [1, 1, 1, 1, 0]
    assert height_of("road") == 0


@pytest.mark.rule("runolfsson.elevation.top")
def test_a_tree_on_level_0_is_not_shot_over_from_level_1() -> None:
    assert stands_high_enough(1, 0, 1)
    assert not stands_high_enough(1, 0, 3)
    assert judged(table(model(0), blue(14), terrain=[BACK, ROCK]))[0] == 1
    assert judged(table(model(0), blue(14), terrain=[BACK, across("tree", 8, 9)]))[0] == 0.5


@pytest.mark.rule("runolfsson.elevation.fire-down")
@pytest.mark.parametrize(("target", "fires"), [(14, True), (13.75, True), (13, False)])
def test_fire_down_passes_over_by_the_far_edge(target: float, fires: bool) -> None:
    assert bool(over_downhill(8.5, target - 0.5 - 9)) is fires
    assert (judged(table(model(0), blue(target), terrain=[BACK, ROCK]))[0] > 0) is fires


@pytest.mark.rule("runolfsson.elevation.fire-up")
@pytest.mark.parametrize(("target", "fires"), [(12.25, True), (12, False)])
def test_fire_up_passes_over_by_the_near_edge(target: float, fires: bool) -> None:
    ground = [ROCK, hill(target - 0.5, 25)]

    assert bool(over_uphill(7.5, target - 0.5 - 8)) is fires
    assert (judged(table(model(0), blue(target), terrain=ground))[0] > 0) is fires


@pytest.mark.rule("runolfsson.elevation.both-higher")
def test_two_models_on_level_1_fire_over_a_rock_below_and_through_a_tree() -> None:
    hills = [hill(-8, 2), hill(8, 18)]

    assert judged(table(model(0), blue(10), terrain=[*hills, across("rock", 4, 5)]))[0] == 1
    assert judged(table(model(0), blue(10), terrain=[*hills, across("tree", 4, 5)]))[0] == 0.5
    assert both_higher(1, 1, 1)
    assert not both_higher(1, 1, 3)
    assert not both_higher(2, 0, 1)


@pytest.mark.rule("runolfsson.elevation.over-units")
@pytest.mark.parametrize(("target", "fires"), [(7, True), (6.9, False)])
def test_a_friend_below_is_shot_over_by_the_half_distance(target: float, fires: bool) -> None:
    battle = table(model(0), blue(target), model(4), terrain=[BACK])

    assert (judged(battle)[0] > 0) is fires


@pytest.mark.rule("runolfsson.elevation.not-over")
def test_a_rock_that_is_too_near_blocks_as_on_one_level() -> None:
    found = line(table(model(0), blue(13), terrain=[BACK, ROCK]))

    assert not over(1, 0, 1, (7.5, 4.5), (8.5, 3.5))
    assert found.because(0) == ("runolfsson.rock.block",)
    assert int(found.by[0]) == 0


@pytest.mark.rule("runolfsson.elevation.ground-between")
def test_ground_between_blocks_unless_it_is_shot_over() -> None:
    apart = hill(4, 6)
    own = hill(-8, 0.5)

    assert judged(table(model(0), blue(10), terrain=[apart]))[0] == 0
    assert judged(table(model(0), blue(10), terrain=[hill(-8, 2), hill(8, 18)]))[0] == 1
    assert judged(table(model(0), blue(9.25), terrain=[own, apart]))[0] == 1
    assert judged(table(model(0), blue(9), terrain=[own, apart]))[0] == 0


# Things in the way


@pytest.mark.rule("runolfsson.los.line")
def test_a_rock_that_the_line_touches_at_a_point_is_not_in_the_way() -> None:
    corner = feature("rock", outline=[[X + 4, Y], [X + 6, Y + 1], [X + 5, Y + 3]])

    assert judged(table(model(0), blue(10), terrain=[corner]))[0] == 1


@pytest.mark.rule("runolfsson.los.order")
def test_a_rock_that_is_shot_over_forms_no_opening() -> None:
    pair = [feature("rock", at=(X + 4, Y + s * 0.4, X + 5, Y + s * 3)) for s in (1, -1)]
    turned = [feature("rock", at=(X + 4, Y - 3, X + 5, Y - 0.4)), pair[0]]

    assert judged(table(model(0), blue(14), terrain=[turned[0], turned[1]]))[0] == 0
    assert judged(table(model(0), blue(14), terrain=[BACK, turned[0], turned[1]]))[0] == 1


@pytest.mark.rule("runolfsson.rock.block")
@pytest.mark.parametrize("near", [4, 0.5])
def test_a_rock_blocks_even_if_the_attacker_touches_it(near: float) -> None:
    found = line(table(model(0), blue(10), terrain=[across("rock", near, near + 1)]))

    assert found.because(0) == ("runolfsson.rock.block",)


@pytest.mark.rule("runolfsson.tree.half", "runolfsson.bush.as-tree")
@pytest.mark.parametrize("kind", ["tree", "shrub"])
def test_each_tree_or_bush_on_the_line_halves(kind: str) -> None:
    def dice(*nears: float) -> float:
        trees = [across(kind, near, near + 0.5) for near in nears]
        return 4 * judged(table(model(0), blue(10), terrain=trees))[0]

    assert dice(4) == 2
    assert dice(4, 6) == 1
    assert dice(3, 5, 7) == 1
    assert dice(0.5, 6) == 2


@pytest.mark.rule("runolfsson.bush.as-tree")
def test_a_bush_is_shot_over_from_level_1() -> None:
    bush = across("shrub", 8, 9)

    assert judged(table(model(0), blue(14), terrain=[BACK, bush]))[0] == 1
    assert judged(table(model(0), blue(13), terrain=[BACK, bush]))[0] == 0.5


@pytest.mark.rule("runolfsson.tree.close")
def test_models_on_opposite_sides_of_a_tree_are_in_no_contact() -> None:
    tree = feature("tree", at=(X + 0.48, Y - 2, X + 0.52, Y + 2))

    parted, met = table(model(0), blue(1), terrain=[tree]), table(model(0), blue(1))

    assert not line(parted).close[0]
    assert touching(parted, 0) == []
    assert line(met).close[0]
    assert touching(met, 0) == [1]


@pytest.mark.rule("runolfsson.wall.half")
def test_a_wall_halves_if_the_target_alone_touches_it() -> None:
    long = across("wall", 9.3, 9.5)
    thick = feature("wall", at=(X + 0.5, Y - 0.2, X + 9.5, Y + 0.2))

    assert judged(table(model(0), blue(10), terrain=[long]))[0] == 0.5
    assert judged(table(model(0), blue(11.5), terrain=[long]))[0] == 1
    assert judged(table(model(8.8), blue(10), terrain=[long]))[0] == 1
    assert judged(table(model(0), blue(10), terrain=[thick]))[0] == 0.5


@pytest.mark.rule("runolfsson.wall.other-levels")
@pytest.mark.parametrize(("target", "multiplier"), [(10, 0.5), (15, 1)])
def test_a_wall_on_another_level_halves_unless_it_is_shot_over(
    target: float, multiplier: float
) -> None:
    ground = [BACK, across("wall", 9.3, 9.5)]

    assert judged(table(model(0), blue(target), terrain=ground))[0] == multiplier


@pytest.mark.rule("runolfsson.through.friendly")
def test_a_friend_on_the_line_blocks_unless_it_is_touched() -> None:
    assert judged(table(model(0), blue(10), model(4)))[0] == 0
    assert judged(table(model(0), blue(10), model(1)))[0] == 1
    assert line(table(model(0), blue(10), model(4))).because(0) == ("runolfsson.through.friendly",)


@pytest.mark.rule("runolfsson.through.hostile")
def test_an_enemy_on_the_line_is_no_hindrance() -> None:
    assert judged(table(model(0), blue(10), blue(5))) == (1, 0)
    assert may_stand_in_the_way(np.array([0, 1, 0]), 0).tolist() == [True, False, True]


@pytest.mark.rule("runolfsson.plunging.base")
@pytest.mark.parametrize(
    ("base", "friend", "fires"),
    [(1.5, 1.0, True), (2, 1.5, True), (1.5, 1.25, False), (1.25, 0.5, False)],
)
def test_a_large_base_fires_over_much_smaller_friends(
    base: float, friend: float, fires: bool
) -> None:
    battle = table(model(0, base=base), blue(10), model(5, base=friend))

    assert bool(plunges(np.array(base), np.array(friend))) is fires
    assert (judged(battle)[0] > 0) is fires


@pytest.mark.rule("runolfsson.gap.minimum")
@pytest.mark.parametrize(("off", "fires"), [(1.45, False), (1.5, True)])
def test_an_opening_of_less_than_an_inch_stops_fire(off: float, fires: bool) -> None:
    rocks = [feature("rock", circle=[X + 5, Y + side * off, 1]) for side in (1, -1)]

    assert (judged(table(model(0), blue(10), terrain=rocks))[0] > 0) is fires
    assert is_narrow(2 * off - 2) is not fires


@pytest.mark.rule("runolfsson.stream.double", "runolfsson.stream.half")
def test_dice_are_doubled_into_a_stream_and_halved_out_of_it() -> None:
    water = across("stream", 9, 11)
    battle = table(model(0), blue(10), terrain=[water])
    both = table(model(0), blue(10), terrain=[across("stream", -1, 11)])

    assert judged(battle)[0] * 3 == 6
    assert judged(battle, 1, 0)[0] * 3 == 1.5
    assert judged(both)[0] == judged(both, 1, 0)[0] == 1
