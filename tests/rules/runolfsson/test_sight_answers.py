"""Answers about sight: of two models, of areas, of battles of other rules; and their facts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from shapely import Point

from emlia3d.battle.battle import Battle
from emlia3d.battle.facts import facts_of
from emlia3d.battle.questions.area import Observer, PointVisibility
from emlia3d.rules.runolfsson import SYSTEM, answers
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.scenario.scenario import load
from tests.rules.runolfsson.tables import feature, move_to, table

BLUE = {"side": "Blue"}
HERE = (20.0, 20.0)

# Two models


@pytest.mark.parametrize(
    ("terrain", "verdict", "degree", "because"),
    [
        ([], "all its dice", 1.0, ("runolfsson.los.line",)),
        ([("tree", 24)], "half its dice", 0.5, ("runolfsson.tree.half",)),
        ([("tree", 23), ("tree", 25)], "a quarter of its dice", 0.25, ("runolfsson.tree.half",)),
        ([("stream", 29)], "twice its dice", 1.0, ("runolfsson.stream.double",)),
        ([("rock", 24)], "", 0.0, ("runolfsson.rock.block",)),
    ],
)
def test_an_answer_has_a_verdict_a_degree_and_its_rules(
    terrain: list[tuple[str, float]], verdict: str, degree: float, because: tuple[str, ...]
) -> None:
    pieces = [feature(kind, at=(x, 10, x + 1.5, 30)) for kind, x in terrain]
    battle = table({"at": HERE}, {"at": [30, 20], **BLUE}, terrain=pieces)

    answer = SYSTEM.sight(battle, 0, 1, 0)

    assert (answer.verdict, answer.degree, answer.because) == (verdict, degree, because)
    assert (answer.observer, answer.target, answer.rules) == ("model 0", "model 1", "runolfsson")
    assert (answer.lines[0].start, answer.lines[0].end) == (HERE, (30.0, 20.0))


@pytest.mark.parametrize("overlap", [0.0, 1 / 64])
def test_models_in_contact_are_at_no_distance(overlap: float) -> None:
    battle = table({"at": HERE}, {"at": [30, 20], **BLUE})
    move_to(battle, 1, (21 - overlap, 20))

    assert SYSTEM.sight(battle, 0, 1, 0).distance == 0.0


@pytest.mark.rule("runolfsson.through.friendly")
@pytest.mark.parametrize("terrain", [[], [feature("tree", at=(28, 10, 29, 30))]])
def test_the_first_model_of_a_battle_is_named_where_it_is_in_the_way(terrain: list[Any]) -> None:
    battle = table({"at": [25, 20]}, {"at": HERE}, {"at": [30, 20], **BLUE}, terrain=terrain)

    answer = SYSTEM.sight(battle, 1, 2, 0)

    assert answer.lines[0].stopped_by == "model 0"
    assert answer.text.endswith("a friendly model is in the way (model 0).")


# Areas


def seen(
    battle: Battle, spots: list[tuple[float, float]], *, unit: int | None = None,
    place: tuple[float, float] | None = None, reverse: bool = False,
) -> PointVisibility:  # fmt: skip
    post = Observer(name="post", unit=unit) if place is None else Observer(name="post", place=place)
    return SYSTEM.sight_area(battle, post, np.array(spots), 1.0, reverse)


SPOTS = [(30.0, 20.0), (20.0, 30.0), (14.0, 26.0)]
NEAR = {"east": (25.0, 20.0), "north": (20.0, 25.0), "north-west": (17.0, 23.0)}


@pytest.mark.rule("runolfsson.through.friendly")
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("unit", [0, None])
@pytest.mark.parametrize("last", ["Red", "Blue"])
def test_only_friends_of_a_model_that_looks_out_are_in_its_way(
    last: str, unit: int | None, reverse: bool
) -> None:
    """A place is of no side, so no model is in the way of a look from there or at it."""
    battle = table(
        {"at": HERE}, {"at": NEAR["east"]}, {"at": NEAR["north"], **BLUE},
        {"at": [40, 40], "side": last},
    )  # fmt: skip
    place = HERE if unit is None else None

    found = seen(battle, SPOTS, unit=unit, place=place, reverse=reverse)

    blocked = unit == 0 and not reverse
    assert found.levels.tolist() == [2 if blocked else 0, 0, 0]
    assert found.hides == Counter({"model 1": 1} if blocked else {})
    assert found.because == Counter({"runolfsson.through.friendly": 1} if blocked else {})


@pytest.mark.rule(
    "runolfsson.contour.down", "runolfsson.contour.fired-upon", "runolfsson.contour.touch"
)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("edge", "fires"), [(20.5, True), (20.54, True), (20.6, False)])
def test_a_place_stands_for_a_model_on_a_base_of_an_inch(
    edge: float, fires: bool, reverse: bool
) -> None:
    """On a hill it sees down, and is seen from below, if its base touches the edge."""
    hill = feature("hill", at=(10, 10, edge, 30))
    battle = table({"at": [40, 40]}, {"at": [44, 44], **BLUE}, terrain=[hill])

    out = seen(battle, [(30.0, 20.0)], place=HERE, reverse=reverse)
    back = seen(battle, [HERE], place=(30.0, 20.0), reverse=not reverse)

    assert out.levels.tolist() == back.levels.tolist() == [0 if fires else 2]
    stopped = "runolfsson.contour.fired-upon" if reverse else "runolfsson.contour.down"
    edge_bears = ["runolfsson.contour.minus-one"] if reverse else []
    assert [*out.because] == [*back.because] == (edge_bears if fires else [stopped])


@pytest.mark.rule("runolfsson.tree.half")
@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_an_area_is_judged_alike_in_parts_of_any_size(
    batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    terrain = [
        feature("tree", at=(24, 10, 25, 22)), feature("rock", at=(24, 26, 25, 40)),
        feature("stream", at=(5, 5, 15, 9)),
    ]  # fmt: skip
    battle = table({"at": HERE}, {"at": [40, 40], **BLUE}, terrain=terrain)
    spots = [(30.0, 20.0), (30.0, 36.0), (16.0, 20.0), (10.0, 7.0), (32.0, 20.0), (20.0, 30.0)]
    monkeypatch.setattr(answers, "BATCH", batch)
    told: list[float] = []

    found = SYSTEM.sight_area(
        battle, Observer(name="model 0", unit=0), np.array(spots), 1.0, False, told.append
    )

    assert found.levels.tolist() == [1, 2, 0, 0, 1, 0]
    assert found.because == Counter({
        "runolfsson.tree.half": 2, "runolfsson.rock.block": 1, "runolfsson.stream.double": 1,
    })  # fmt: skip
    assert found.hides == Counter({"rock 1": 1})
    parts = range(batch, 6 + batch, batch)
    assert told == pytest.approx([min(count, 6) / 6 for count in parts])


# Battles of other rules


@pytest.mark.parametrize(
    ("radius_m", "inches"),
    [
        (0.9, 1.0),
        (1.8, 2.0),
        (5.3, 5.3 / 0.9),
        (5.5, 6.0),  # the largest base
        (20.0, 6.0),
        (0.225, 0.25),  # the smallest base
        (0.22, 0.25),
        (0.0001, 0.25),
    ],
)
def test_a_unit_of_other_rules_has_a_base_as_large_as_its_boundary(
    radius_m: float, inches: float
) -> None:
    """An inch is 1.8 m."""
    facts = facts_of(load("bandits").deployed())
    gsu = facts.field.scale.metres_per_gsu
    outline = Point(30, 30).buffer(radius_m / gsu, quad_segs=64)
    unit = replace(facts.units[0], outline=outline)

    abroad = answers.abroad(SYSTEM, replace(facts, units=(unit,)))

    assert models_of(abroad).radius.tolist() == [pytest.approx(inches / 2, rel=2e-3)]


def test_only_models_that_move_or_fire_have_ranges() -> None:
    battle = table({"at": HERE, "move": 0, "range": 0}, {"at": [30, 20], "move": 0, **BLUE})

    assert SYSTEM.ranges(battle, 0) == ()
    assert [each.what for each in SYSTEM.ranges(battle, 1)] == ["fire"]
