"""The fire line: the vectors of the catalogue, pieces, friends, openings and streams."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from emlia3d.rules.runolfsson.contacts import touching
from emlia3d.rules.runolfsson.fire_line import (
    may_stand_in_the_way,
    narrow_openings,
    plunges,
)
from tests.rules.runolfsson.firing import (
    BACK,
    ROCK,
    X,
    Y,
    across,
    blue,
    hill,
    judged,
    line,
    model,
)
from tests.rules.runolfsson.tables import feature, table

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
    battle = table(model(0), blue(10), terrain=rocks)
    assert len(narrow_openings(battle, 0)) == int(not fires)


@pytest.mark.rule("runolfsson.stream.double", "runolfsson.stream.half")
def test_dice_are_doubled_into_a_stream_and_halved_out_of_it() -> None:
    water = across("stream", 9, 11)
    battle = table(model(0), blue(10), terrain=[water])
    both = table(model(0), blue(10), terrain=[across("stream", -1, 11)])

    assert judged(battle)[0] * 3 == 6
    assert judged(battle, 1, 0)[0] * 3 == 1.5
    assert judged(both)[0] == judged(both, 1, 0)[0] == 1
