"""Emlia, chapter 19.1, put to scenario files: the line of sight and what stands in its corridor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.questions.answer import SightAnswer
from emlia3d.scenario import Scenario

Table = Mapping[str, Any]
Write = Callable[..., Scenario]
rule = pytest.mark.rule

OBSERVER = {"name": "observer", "box": (95, 40, 105, 50)}
TARGET = {"name": "target", "side": "Bob", "box": (95, 100, 105, 110)}


def across(height: float, north: float = 70, **more: Any) -> Table:
    """Something 2 GSU thick that takes the whole width of the corridor from OBSERVER to TARGET."""
    return {"name": "wall", "height": height, "box": (80, north, 120, north + 2), **more}


def look(asked: Scenario) -> SightAnswer:
    return asked.sight("observer", "target")


@rule("emlia.sight.line", "emlia.sight.visible", "emlia.sight.half", "emlia.sight.tall")
@pytest.mark.parametrize(
    ("height", "concealment", "seen"),
    [(0.4, "none", True), (0.5, "partial", True), (1, "total", False)],
)
def test_nothing_but_total_concealment_ends_a_line_of_sight(
    scene: Write, height: float, concealment: str, seen: bool
) -> None:
    answer = look(scene(OBSERVER, TARGET, terrain=[across(height)]))

    assert (answer.concealment, answer.line_of_sight) == (concealment, seen)


@rule("emlia.sight.line")
def test_no_distance_ends_a_line_of_sight(scene: Write) -> None:
    here = {"name": "observer", "box": (0, 0, 1, 1)}
    there = {"name": "target", "side": "Bob", "box": (199, 199, 200, 200)}

    answer = look(scene(here, there))

    assert answer.line_of_sight
    assert answer.distance == pytest.approx(280.01, abs=0.01)


@rule("emlia.sight.all-round")
@pytest.mark.parametrize("facing", [0, 90, 180, 225])
@pytest.mark.parametrize(("height", "concealment"), [(0.4, "none"), (0.5, "partial")])
def test_one_sees_as_well_behind_as_before(
    scene: Write, facing: float, height: float, concealment: str
) -> None:
    turned = {**OBSERVER, "facing": facing, "arcs": [90, 45, 180]}

    answer = look(scene(turned, TARGET, terrain=[across(height)]))

    assert answer.concealment == concealment


@rule("emlia.sight.no-model-sight")
def test_the_look_of_a_figure_does_not_matter(scene: Write) -> None:
    wall = across(0.75)
    answers = [
        look(scene(OBSERVER, {**TARGET, "model": model}, terrain=[wall]))
        for model in ("dragon", "skirmisher")
    ]

    assert answers[0] == answers[1]
    assert look(scene(OBSERVER, {**TARGET, "height": 2}, terrain=[wall])) != answers[0]


@rule("emlia.sight.corridor", "emlia.sight.fraction", "emlia.sight.intervening")
@pytest.mark.parametrize(
    ("width", "fraction", "concealment"), [(5, 0.50, "total"), (4.9, 0.49, "none")]
)
def test_an_entity_counts_alone_from_half_of_the_width_on(
    scene: Write, width: float, fraction: float, concealment: str
) -> None:
    rock = {"name": "rock", "height": 1, "box": (97, 70, 97 + width, 72)}

    answer = look(scene(OBSERVER, TARGET, terrain=[rock]))

    assert [each.fraction for each in answer.intervening] == [pytest.approx(fraction, abs=5e-5)]
    assert answer.concealment == concealment
    assert ("emlia.sight.intervening" in answer.because) == (concealment == "total")
    assert ("Too narrow to count: rock (49%)." in answer.text) == (concealment == "none")


THIN = 1 / 128


@rule("emlia.sight.corridor", "emlia.sight.fraction", "emlia.sight.corridor.span")
@pytest.mark.parametrize(
    ("depth", "north", "fraction"),
    [
        pytest.param(THIN, 10, 3 / 6, id="between two bars, in the middle"),
        pytest.param(THIN, 0, 3 / 10, id="between two bars, at the wide one"),
        pytest.param(2, 10, 3 / 6.36, id="to a square, whose far corners count"),
    ],
)
def test_the_corridor_narrows_from_a_wide_body_to_the_far_corners_of_a_small_one(
    scene: Write, depth: float, north: float, fraction: float
) -> None:
    wide = {"name": "observer", "box": (95, 40 - THIN, 105, 40)}
    small = {"name": "target", "side": "Bob", "box": (99, 60, 101, 60 + depth)}
    rail = {"name": "rail", "height": 1, "box": (98.5, 40 + north, 101.5, 40 + north + THIN)}

    (found,) = look(scene(wide, small, terrain=[rail])).intervening

    assert found.fraction == pytest.approx(fraction, abs=4e-4)


@rule("emlia.sight.corridor.span", "emlia.sight.fraction")
def test_what_stands_beside_the_smaller_body_is_measured_by_the_whole_width_of_the_hull(
    scene: Write,
) -> None:
    """At 61 north the hull is 2 x 1.1818 GSU wide, 2 of them taken by the target itself."""
    wide = {"name": "observer", "box": (95, 30, 105, 40)}
    small = {"name": "target", "side": "Bob", "box": (99, 60, 101, 62)}
    post = {"name": "post", "height": 5, "box": (101, 61, 101.5, 62)}

    answer = look(scene(wide, small, terrain=[post]))

    assert [each.fraction for each in answer.intervening] == [pytest.approx(0.1818 / 2.3636, 1e-3)]
    assert answer.concealment == "none"


@rule("emlia.sight.corridor.relative")
def test_what_stands_between_two_may_stand_beside_others(scene: Write) -> None:
    east = {"name": "east", "box": (135, 40, 145, 50)}
    asked = scene(OBSERVER, east, TARGET, terrain=[across(2, box=(92, 70, 106, 72))])

    assert asked.sight("observer", "target").concealment == "total"
    assert asked.sight("east", "target").concealment == "none"
    assert asked.sight("east", "observer").intervening == ()


TOUCHING = {**TARGET, "box": (95, 50, 105, 60)}


@rule("emlia.sight.corridor.span")
def test_nothing_stands_between_two_who_touch(scene: Write) -> None:
    hedge = {"name": "hedge", "kind": "hedge", "height": 3, "box": (90, 44, 110, 56)}

    answer = look(scene(OBSERVER, TOUCHING, terrain=[hedge]))

    assert (answer.concealment, answer.distance, answer.intervening) == ("none", 0, ())
    assert "They touch." in answer.text


@rule("emlia.sight.corridor.span")
@pytest.mark.parametrize(
    ("edges", "concealment"),
    [
        pytest.param((90, 44, 110, 56), "partial", id="round the place where they touch"),
        pytest.param((60, 42, 98, 58), "none", id="beside it"),
    ],
)
def test_the_area_in_which_two_who_touch_fight_stands_between_them(
    scene: Write, edges: tuple[float, float, float, float], concealment: str
) -> None:
    reeds = {"name": "reeds", "kind": "marsh", "height": 1, "box": edges}
    asked = scene(OBSERVER, TOUCHING, terrain=[reeds])

    there, back = look(asked), asked.sight("target", "observer")

    assert (there.concealment, back.concealment) == (concealment, concealment)
    assert "emlia.sight.corridor.span" in there.because
    assert ("inside reeds: sparse, 1 height unit high" in there.text) == (concealment == "partial")


@rule("emlia.sight.corridor.span")
def test_a_hill_conceals_nobody_who_fights_on_it(scene: Write) -> None:
    hill = {"name": "hill", "kind": "hill", "box": (60, 20, 140, 90)}

    assert look(scene(OBSERVER, TOUCHING, terrain=[hill])).concealment == "none"


def bush(name: str, west: float, width: float, north: float, height: float = 0.5) -> Table:
    """A sparse body across a part of the corridor, which reaches from 95 to 105 east."""
    edges = (west, north, west + width, north + 2)
    return {"name": name, "height": height, "body": "sparse", "box": edges}


@rule("emlia.sight.group-level", "emlia.sight.intervening-group")
@pytest.mark.parametrize(
    ("widths", "total", "concealment"),
    [
        ((10 / 3, 10 / 3, 10 / 3), 1.0, "partial"),
        ((3.4, 3.4), 0.68, "partial"),
        ((2.4, 2.4), 0.48, "none"),
    ],
)
def test_bushes_conceal_together_what_none_conceals_alone(
    scene: Write, widths: Sequence[float], total: float, concealment: str
) -> None:
    bushes = [bush(f"bush {i}", 95 + 3 * i, w, 60 + 10 * i) for i, w in enumerate(widths)]

    answer = look(scene(OBSERVER, TARGET, terrain=bushes))

    assert answer.concealment == concealment
    assert sum(each.fraction for each in answer.intervening) == pytest.approx(total, abs=1e-3)
    assert ("emlia.sight.group-level" in answer.because) == (concealment == "partial")
    assert (f"add up to {total:.0%}; half is enough" in answer.text) == (concealment == "partial")


@rule("emlia.sight.intervening-group")
def test_a_bush_counts_where_it_is_widest_even_if_others_stand_before_it(scene: Write) -> None:
    behind_each_other = [bush("near", 95, 3, 60), bush("far", 95, 3, 80)]

    assert look(scene(OBSERVER, TARGET, terrain=behind_each_other)).concealment == "partial"


@rule("emlia.sight.group-level")
def test_a_boulder_and_bushes_conceal_as_the_bushes_do(scene: Write) -> None:
    boulder = {"name": "boulder", "height": 2, "box": (95, 60, 95 + 10 / 3, 62)}
    asked = scene(OBSERVER, TARGET, terrain=[boulder, bush("bushes", 100, 10 / 3, 80)])

    answer = look(asked)

    assert answer.concealment == "partial"
    assert [each.gives for each in answer.intervening] == ["total", "partial"]
    assert "conceal partly add up to 66.7%; half is enough for a group" in answer.text


@rule("emlia.sight.excluded")
@pytest.mark.parametrize("side", ["Alice", "Bob"])
@pytest.mark.parametrize(
    ("formation", "concealment"), [("close", "total"), ("ranked", "total"), ("open", "partial")]
)
def test_other_units_stand_between_friend_and_enemy_alike(
    scene: Write, side: str, formation: str, concealment: str
) -> None:
    screen = {
        "name": "screen", "side": side, "at": [100, 75], "members": 40, "files": 20,
        "formation": formation,
    }  # fmt: skip

    answer = look(scene(OBSERVER, TARGET, screen))

    assert answer.concealment == concealment
    assert [each.entity for each in answer.intervening] == ["screen"]


@rule("emlia.sight.excluded")
def test_nobody_stands_in_the_way_of_his_own_unit(scene: Write) -> None:
    file = {"members": 12, "files": 1, "formation": "ranked"}
    asked = scene(
        {"name": "observer", "at": [100, 60], **file},
        {"name": "target", "side": "Bob", "at": [100, 120], **file},
    )

    assert (look(asked).concealment, look(asked).intervening) == ("none", ())


@rule("emlia.sight.excluded")
@pytest.mark.parametrize("around", ["observer", "target"])
def test_what_lies_within_either_boundary_does_not_stand_between(scene: Write, around: str) -> None:
    edges = {"observer": (96, 42, 104, 50), "target": (96, 100, 104, 108)}
    crate = {"name": "crate", "height": 3, "box": edges[around]}

    answer = look(scene(OBSERVER, TARGET, terrain=[crate]))

    assert (answer.concealment, answer.intervening) == ("none", ())


@rule("emlia.sight.sparse-solid")
@pytest.mark.parametrize(("body", "concealment"), [("sparse", "partial"), ("solid", "total")])
def test_scenery_says_whether_it_has_gaps(scene: Write, body: str, concealment: str) -> None:
    answer = look(scene(OBSERVER, TARGET, terrain=[across(3, body=body)]))

    assert (answer.concealment, answer.intervening[0].body) == (concealment, body)


@rule("emlia.sight.datum")
@pytest.mark.parametrize(
    ("top", "height", "concealment"), [(10.1, 0.1, "none"), (10.5, 0.5, "partial")]
)
def test_heights_are_measured_from_the_lower_footing(
    scene: Write, top: float, height: float, concealment: str
) -> None:
    raised = [{**OBSERVER, "on_height": 10}, {**TARGET, "on_height": 10}]

    answer = look(scene(*raised, terrain=[across(top)]))

    assert (answer.concealment, answer.datum) == (concealment, 10)
    assert [each.height for each in answer.intervening] == [pytest.approx(height)]


@rule("emlia.sight.datum")
@pytest.mark.parametrize("higher", ["observer", "target"])
def test_the_lower_footing_counts_whoever_has_it(scene: Write, higher: str) -> None:
    units = [
        {**unit, "on_height": 10 + 2 * (unit["name"] == higher)} for unit in (OBSERVER, TARGET)
    ]

    assert look(scene(*units)).datum == 10


@rule("emlia.sight.raster-features", "emlia.sight.half", "emlia.sight.tall")
@pytest.mark.parametrize(
    ("height", "above", "concealment"),
    [(3, 0, "none"), (3.5, 0.5, "partial"), (4, 1, "total")],
)
def test_a_wall_stands_on_the_ground_under_it(
    scene: Write, height: float, above: float, concealment: str
) -> None:
    """It stands in a hollow, 3 height units below the two."""
    hollow = np.zeros((100, 100))
    hollow[58:70, :] = -3 * 1.83

    answer = look(scene(OBSERVER, TARGET, terrain=[across(height)], elevation_m=hollow))

    assert answer.concealment == concealment
    assert [each.height for each in answer.intervening] == [pytest.approx(above)]


@rule("emlia.sight.raster-features")
def test_a_unit_in_between_stands_on_the_ground_under_it(scene: Write) -> None:
    hollow = np.zeros((100, 100))
    hollow[58:70, :] = -3 * 1.83
    block = {"members": 60, "files": 20, "formation": "ranked", "at": [100, 71], "side": "Bob"}

    men = look(scene(OBSERVER, TARGET, {"name": "men", **block}, elevation_m=hollow))
    giants = {"name": "giants", **block, "height": 4, "base": [1, 1]}

    assert (men.concealment, men.intervening[0].height) == ("none", pytest.approx(-2))
    assert look(scene(OBSERVER, TARGET, giants, elevation_m=hollow)).concealment == "total"


@rule("emlia.terrain.standing-on", "emlia.sight.datum")
@pytest.mark.parametrize(("height", "concealment"), [(1, "total"), (0.4, "none")])
def test_a_wall_on_a_hill_stands_as_high_as_those_on_the_hill(
    scene: Write, height: float, concealment: str
) -> None:
    hill = {"name": "hill", "kind": "hill", "box": (60, 20, 140, 130)}

    answer = look(scene(OBSERVER, TARGET, terrain=[hill, across(height)]))

    heights = {each.entity: each.height for each in answer.intervening}
    assert heights == {"hill": 0, "wall": height}
    assert (answer.datum, answer.concealment) == (10, concealment)


@rule("emlia.terrain.visibility-limiting", "emlia.terrain.examples.forest")
@pytest.mark.parametrize(("deep", "concealment"), [(10, "partial"), (10.125, "total")])
def test_a_unit_in_a_wood_is_hidden_by_what_of_it_stands_before_the_unit(
    scene: Write, deep: float, concealment: str
) -> None:
    forest = {"name": "wood", "kind": "forest", "height": 2, "box": (60, 100 - deep, 140, 150)}
    asked = scene(OBSERVER, TARGET, terrain=[forest])

    assert look(asked).concealment == concealment
    assert asked.sight("target", "observer").concealment == concealment


@rule("emlia.terrain.visibility-limiting")
def test_two_in_a_wood_see_each_other_over_no_more_than_ten(scene: Write) -> None:
    forest = {"name": "wood", "kind": "forest", "height": 2, "box": (60, 20, 140, 150)}
    near, far = ({**TARGET, "box": (95, 50 + gap, 105, 60 + gap)} for gap in (10, 10.5))

    assert look(scene(OBSERVER, near, terrain=[forest])).concealment == "partial"
    assert look(scene(OBSERVER, far, terrain=[forest])).concealment == "total"
