"""Emlia, chapter 19.4: cover."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.tables.cover import gives_taking_cover, stops
from emlia3d.rules.emlia.tables.sight import Between, Party, conceal, cover_of
from emlia3d.scenario import Scenario

Table = Mapping[str, Any]
Write = Callable[..., Scenario]
rule = pytest.mark.rule
NONE, PARTIAL, TOTAL = Level.NONE, Level.PARTIAL, Level.TOTAL


def party(height=1.0, **facts):
    given = {"size": height, "combat_range": height, "footing": 0.0, **facts}
    return Party(height=height, **given)


def between(top, *, hits, solid=True, fraction=1.0, near=20.0, far=2.0):
    return Between(
        top=top, solid=solid, fraction=fraction, to_observer=near, to_observed=far, hits=hits
    )


def cover(base_damage, *entities, ground=None):
    verdict = conceal(party(), party(), entities, ground)
    return cover_of(entities, verdict, base_damage, ground)


@rule("emlia.cover.source")
def test_a_tree_covers_against_less_damage_than_it_has_hits():
    tree = between(2, hits=3, solid=False)
    assert cover(3, tree) is NONE
    assert cover(2, tree) is PARTIAL
    assert cover(1, tree) is PARTIAL
    assert conceal(party(), party(), [tree]).level is PARTIAL


@rule("emlia.cover.source")
def test_what_has_no_hits_covers_if_it_is_solid():
    assert stops(None, True, 99)
    assert not stops(None, False, 0)
    assert cover(99, between(2, hits=None)) is TOTAL
    assert cover(5, between(2, hits=None, solid=False)) is NONE
    assert cover(5, ground=(0.6, 0.6)) is TOTAL
    assert cover(5, ground=(0.0, 0.6)) is PARTIAL


@rule("emlia.cover.not-solid")
def test_a_plywood_board_conceals_wholly_and_stops_nothing():
    board = between(2, hits=0)
    assert conceal(party(), party(), [board]).level is TOTAL
    assert cover(0, board) is NONE


@rule("emlia.cover.per-attack")
def test_each_attack_has_its_own_cover_behind_the_same_things():
    both = [between(2, hits=2, fraction=0.3), between(2, hits=5, fraction=0.3)]
    assert [cover(damage, *both) for damage in (1, 2, 5)] == [TOTAL, NONE, NONE]


@rule("emlia.cover.implies-concealment")
@pytest.mark.parametrize("damage", range(6))
def test_cover_never_exceeds_concealment(damage):
    things = [
        between(0.5, hits=4, fraction=0.4),
        between(1, hits=2, fraction=0.3),
        between(1, hits=3, solid=False, fraction=0.3),
    ]
    assert cover(damage, *things) <= conceal(party(), party(), things).level


@rule("emlia.cover.taking-cover")
def test_who_crouches_behind_a_wall_is_partly_hidden_from_an_ogre():
    wall = between(0.5, hits=None)
    assert conceal(party(2), party(), [wall]).level is NONE
    verdict = conceal(party(2), party(taking_cover=True), [wall])
    assert verdict.level is PARTIAL
    assert verdict.because == ("emlia.cover.taking-cover",)


@rule("emlia.cover.taking-cover", "emlia.move.taking-cover-effects")
@pytest.mark.parametrize(
    ("distance", "top", "gives"), [(5, 0.5, True), (5.1, 0.5, False), (5, 0.4, False)]
)
def test_the_wall_must_be_near_and_half_as_high_as_the_one_behind_it(distance, top, gives):
    assert gives_taking_cover(distance, top, 1.0) is gives


@rule("emlia.cover.taking-cover")
def test_crouching_helps_not_against_one_who_looks_down_over_the_wall():
    wall = between(1, hits=None, near=3.0, far=1.0)
    tall = party(9)
    assert conceal(tall, party(taking_cover=True), [wall]).level is NONE


@rule("emlia.cover.prone-and-cover")
def test_lying_down_behind_a_kerb_hides_from_one_who_lies_too():
    kerb = between(0.25, hits=None)
    assert conceal(party(0.5), party(0.5, taking_cover=True), [kerb]).level is PARTIAL
    assert conceal(party(), party(), [kerb]).level is NONE


NEAR = {"name": "near", "box": (95, 40, 105, 50)}
FAR = {"name": "far", "side": "Bob", "box": (95, 100, 105, 110)}
TOWER = {"on_height": 8}
PRONE = {"states": ["prone"]}


@rule("emlia.cover.source", "emlia.cover.per-attack")
@pytest.mark.parametrize(("damage", "cover"), [(3, "none"), (1, "partial")])
def test_a_tree_is_cover_against_what_is_weaker_than_its_hits(
    scene: Write, damage: int, cover: str
) -> None:
    tree = {"name": "tree", "kind": "tree", "box": (94, 70, 106, 74)}

    answer = scene(NEAR, FAR, terrain=[tree]).sight("near", "far", damage=damage)

    assert (answer.concealment, answer.cover, answer.damage) == ("partial", cover, damage)
    assert ("emlia.cover.source" in answer.because) == (cover == "partial")


@rule("emlia.cover.source")
@pytest.mark.parametrize(("body", "cover"), [("solid", "total"), ("sparse", "none")])
def test_what_nothing_destroys_is_cover_if_it_is_solid(apart: Write, body: str, cover: str) -> None:
    asked = apart({}, {}, {"height": 3, "body": body})

    assert asked.sight("near", "far", damage=50).cover == cover


@rule("emlia.cover.source")
def test_a_ridge_of_the_ground_is_cover(scene: Write) -> None:
    ridge = np.zeros((40, 40))
    ridge[24:26, :] = 3 * 1.83

    assert scene(NEAR, FAR, elevation_m=ridge).sight("near", "far", damage=50).cover == "total"


@rule("emlia.cover.not-solid", "emlia.cover.implies-concealment")
def test_a_board_that_stops_nothing_conceals_wholly(apart: Write) -> None:
    board = {"height": 3, "hits": 1}

    answer = apart({}, {}, board).sight("near", "far", damage=1)

    assert (answer.concealment, answer.cover) == ("total", "none")


@rule("emlia.cover.source", "emlia.cover.per-attack", "emlia.cover.implies-concealment")
@pytest.mark.parametrize(("damage", "cover"), [(1, "total"), (2, "partial"), (4, "none")])
def test_cover_is_what_those_conceal_that_stop_the_attack(
    scene: Write, damage: int, cover: str
) -> None:
    fence = {"name": "fence", "height": 0.5, "hits": 4, "box": (80, 70, 120, 71)}
    board = {"name": "board", "height": 2, "hits": 2, "box": (80, 80, 120, 81)}

    answer = scene(NEAR, FAR, terrain=[fence, board]).sight("near", "far", damage=damage)

    assert (answer.concealment, answer.cover) == ("total", cover)


COVERED = {"states": ["taking cover"]}
OGRE = {"height": 2, "size": 2}


@rule("emlia.cover.taking-cover")
@pytest.mark.parametrize(
    ("far", "wall", "depth", "concealment"),
    [
        pytest.param({}, 0.5, 4, "none", id="standing"),
        pytest.param(COVERED, 0.5, 4, "partial", id="taking cover"),
        pytest.param(COVERED, 0.5, 5, "partial", id="at five"),
        pytest.param(COVERED, 0.5, 5.0625, "none", id="farther off"),
        pytest.param(COVERED, 0.4, 4, "none", id="behind what is too low"),
    ],
)
def test_taking_cover_behind_a_wall_conceals_from_an_ogre(
    apart: Write, far: Table, wall: float, depth: float, concealment: str
) -> None:
    answer = apart(OGRE, far, {"height": wall}, 40, depth).sight("near", "far")

    assert answer.concealment == concealment
    assert ("emlia.cover.taking-cover" in answer.because) == (concealment == "partial")


@rule("emlia.cover.taking-cover", "emlia.sight.shadow-none")
@pytest.mark.parametrize(("distance", "concealment"), [(7, "none"), (8, "partial")])
def test_taking_cover_helps_not_against_one_who_looks_down_over_the_wall(
    apart: Write, distance: float, concealment: str
) -> None:
    asked = apart(TOWER, COVERED, {"height": 1}, distance, 4)

    assert asked.sight("near", "far").concealment == concealment


@rule("emlia.cover.taking-cover")
@pytest.mark.parametrize(("wall", "concealment"), [(10.5, "partial"), (10.25, "none")])
def test_the_wall_is_measured_from_what_the_unit_stands_on(
    apart: Write, wall: float, concealment: str
) -> None:
    raised = {"on_height": 10}

    asked = apart(OGRE | raised, COVERED | raised, {"height": wall}, 40, 4)

    assert asked.sight("near", "far").concealment == concealment


@rule("emlia.cover.taking-cover")
def test_taking_cover_takes_nothing_away(apart: Write) -> None:
    assert apart({}, COVERED, {"height": 1}, 40, 4).sight("near", "far").concealment == "total"


@rule("emlia.cover.taking-cover")
def test_taking_cover_conceals_the_one_who_does_and_not_the_other(apart: Write) -> None:
    asked = apart(OGRE, COVERED, {"height": 0.5}, 40, 4)

    assert asked.sight("far", "near").concealment == "none"


@rule("emlia.cover.prone-and-cover")
@pytest.mark.parametrize(
    ("near", "far", "concealment"),
    [
        ({}, {}, "none"),
        (PRONE, PRONE, "partial"),
        ({}, PRONE, "none"),
        ({}, {"states": ["prone", "taking cover"]}, "partial"),
        ({}, COVERED, "none"),
    ],
)
def test_lying_down_makes_a_wall_of_a_quarter_count(
    apart: Write, near: Table, far: Table, concealment: str
) -> None:
    asked = apart(near, far, {"height": 0.25}, 40, 4)

    assert asked.sight("near", "far").concealment == concealment
