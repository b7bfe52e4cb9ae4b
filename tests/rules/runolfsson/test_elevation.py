"""Contours, levels, and what is shot over."""

from __future__ import annotations

from typing import Any

import pytest

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
    ends_of,
)
from emlia3d.rules.runolfsson.terrain import terrain_of
from tests.rules.runolfsson.firing import (
    BACK,
    ROCK,
    across,
    blue,
    hill,
    judged,
    line,
    model,
)
from tests.rules.runolfsson.tables import table

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
