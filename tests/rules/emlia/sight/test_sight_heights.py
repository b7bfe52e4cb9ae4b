"""Emlia, chapter 19.2 put to scenario files, and the ground of a raster: what heights decide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from emlia3d.battle.questions.answer import Intervening, SightAnswer
from emlia3d.scenario import Scenario

Write = Callable[..., Scenario]
rule = pytest.mark.rule

NEAR = {"name": "near", "box": (95, 40, 105, 50)}
FAR = {"name": "far", "side": "Bob", "box": (95, 100, 105, 110)}


def only(answer: SightAnswer) -> Intervening:
    (found,) = answer.intervening
    return found


@rule("emlia.sight.half", "emlia.sight.tall", "emlia.sight.case", "emlia.sight.mutual")
@pytest.mark.parametrize(
    ("near", "far", "wall", "body", "concealment"),
    [
        (1, 1, 1, "solid", "total"),
        (1, 1, 1, "sparse", "partial"),
        (1, 1, 0.5, "solid", "partial"),
        (1, 1, 0.5, "sparse", "partial"),
        (1, 1, 0.4, "solid", "none"),
        (2, 3, 1.2, "solid", "none"),
        (2, 3, 1.5, "solid", "partial"),
        (1, 2, 2, "solid", "total"),
    ],
)
def test_what_is_taller_or_lower_than_both_conceals_by_its_own_height(
    apart: Write, near: float, far: float, wall: float, body: str, concealment: str
) -> None:
    asked = apart({"height": near}, {"height": far}, {"height": wall, "body": body})

    there, back = asked.sight("near", "far"), asked.sight("far", "near")

    assert (there.concealment, back.concealment) == (concealment, concealment)
    assert only(there).shadow is None


@rule("emlia.sight.case", "emlia.sight.shadow.scope", "emlia.sight.half")
def test_of_heights_one_and_three_a_wall_of_one_and_a_fifth_has_a_shadow(apart: Write) -> None:
    asked = apart({"height": 1}, {"height": 3}, {"height": 1.2})

    assert only(asked.sight("near", "far")).shadow is not None
    assert only(asked.sight("far", "near")).shadow is not None


@rule("emlia.sight.case", "emlia.sight.datum")
@pytest.mark.parametrize("plateau_m", [0, 10, 77.7, 1234.5])
@pytest.mark.parametrize(
    ("height", "wall", "concealment"), [(1, 1, "total"), (0.3, 0.15, "partial"), (1, 0.49, "none")]
)
def test_a_plateau_alters_nothing(
    scene: Write, plateau_m: float, height: float, wall: float, concealment: str
) -> None:
    """As much ground as this is rounded when a wall is added to it."""
    raised = np.full((4, 4), plateau_m)
    raised[0, 0] += 100
    units = (
        {"name": "near", "box": (95, 40, 105, 50), "height": height},
        {"name": "far", "side": "Bob", "box": (95, 80, 105, 90), "height": height},
    )
    low = {"name": "wall", "height": wall, "box": (80, 65, 120, 66)}

    asked = scene(*units, terrain=[low], elevation_m=raised)

    assert asked.sight("near", "far").concealment == concealment


@rule("emlia.sight.peek", "emlia.sight.half")
@pytest.mark.parametrize(
    ("distance", "depth", "concealment"),
    [(0.8, 20, "none"), (0.8, 1.0, "partial"), (20, 0.8, "partial"), (1.1, 20, "partial")],
)
def test_who_stands_at_a_low_wall_looks_over_it_and_is_concealed_by_it(
    apart: Write, distance: float, depth: float, concealment: str
) -> None:
    answer = apart({}, {}, {"height": 0.5}, distance, depth).sight("near", "far")

    assert answer.concealment == concealment
    told = "Near can look over it from within combat range." in answer.text
    assert told == (concealment == "none")


@rule("emlia.sight.peek")
def test_each_looks_over_what_is_in_his_own_combat_range(apart: Write) -> None:
    pike = {"combat_range": 3}

    assert apart(pike, {}, {"height": 0.5}, 2.5).sight("near", "far").concealment == "none"
    back = apart({}, pike, {"height": 0.5}, 0.8, 2.5)
    assert back.sight("near", "far").concealment == "partial"
    assert back.sight("far", "near").concealment == "partial"


@rule("emlia.sight.peek")
@pytest.mark.parametrize(("height", "concealment"), [(0.9, "none"), (1, "total")])
def test_nobody_looks_over_a_wall_as_tall_as_himself(
    apart: Write, height: float, concealment: str
) -> None:
    answer = apart({}, {}, {"height": height}, 0.5).sight("near", "far")

    assert answer.concealment == concealment


KNOWN = "The ground's elevation is known in 40 x 40 cells of 5 GSU (10 m)."


@rule("emlia.sight.raster-ground")
def test_a_ridge_conceals_both_ways(scene: Write) -> None:
    ridge = np.zeros((40, 40))
    ridge[24:26, :] = 3 * 1.83
    asked = scene(NEAR, FAR, elevation_m=ridge)

    for answer in (asked.sight("near", "far"), asked.sight("far", "near")):
        assert (answer.concealment, answer.intervening) == ("total", ())
        assert answer.ground is not None
        assert answer.ground.blocked_share == 1
        assert "emlia.sight.raster-ground" in answer.because
        assert "The ground rises above the line from top to top in all of the width" in answer.text
        assert "Nothing is between them." not in answer.text
        assert KNOWN in answer.text


@pytest.mark.parametrize("height_m", [0, 0.1, 3 * 1.83])
@pytest.mark.parametrize("rules", ["emlia", "true"])
def test_the_answer_says_how_finely_the_ground_is_known(
    scene: Write, rules: str, height_m: float
) -> None:
    """Whether it hides anything or not; of level ground there is nothing to be known."""
    ridge = np.zeros((40, 40))
    ridge[24:26, :] = height_m

    text = scene(NEAR, FAR, elevation_m=ridge).sight("near", "far", rules).text

    assert (KNOWN in text) is (height_m > 0)


@rule("emlia.sight.raster-ground")
def test_an_even_slope_of_one_in_ten_conceals_nothing(scene: Write) -> None:
    slope = np.repeat(np.linspace(19.5 * 1.83, 0, 40)[:, None], 40, axis=1)

    for answer in _both_ways(scene(NEAR, FAR, elevation_m=slope)):
        assert answer.concealment == "none"
        assert answer.ground is not None
        assert answer.ground.to_half == 0


def _both_ways(asked: Scenario) -> tuple[SightAnswer, SightAnswer]:
    return asked.sight("near", "far"), asked.sight("far", "near")


@rule("emlia.sight.raster-ground")
@pytest.mark.parametrize(
    ("east_of", "there", "back"),
    [
        pytest.param(0, "none", "partial", id="across the whole width"),
        pytest.param(99, "none", "partial", id="across more than half"),
        pytest.param(101, "none", "none", id="across less than half"),
    ],
)
def test_who_looks_over_a_crest_sees_all_and_is_hidden_below_by_it(
    scene: Write, east_of: int, there: str, back: str
) -> None:
    """At the crest, 12.5 of 60 GSU from the middle of the near one, the line to half the height
    of the far one has sunk to 0.896, and the line to half of the near one to 0.604.
    """
    crest = np.zeros((200, 200))
    crest[142, east_of:] = 0.75 * 1.83

    answers = _both_ways(scene(NEAR, FAR, elevation_m=crest))

    assert tuple(answer.concealment for answer in answers) == (there, back)


@rule("emlia.sight.from-shadow.exception")
@pytest.mark.parametrize(
    ("giant", "terrain", "concealment"),
    [
        pytest.param({}, [], "partial", id="on nothing"),
        pytest.param({"on_height": 0.25}, [], "none", id="on a step"),
        pytest.param({}, [{"kind": "hill", "height": 0.25}], "none", id="on a mound"),
    ],
)
def test_anything_one_stands_on_can_be_seen_however_low(
    scene: Write,
    giant: dict[str, float],
    terrain: list[dict[str, object]],
    concealment: str,
) -> None:
    """Looked at over a wall of 0.2, whose shadow hides nothing wholly."""
    low = {"box": (95, 76, 105, 80), "height": 0.2, "size": 0.25}
    asked = scene(
        {"name": "giant", "box": (95, 40, 105, 44), "height": 9, "size": 9, **giant},
        {"name": "watcher", "side": "Bob", **low},
        terrain=[
            {"name": "wall", "box": (80, 75, 120, 76), "height": 0.2},
            *({"name": "mound", "box": (80, 30, 120, 50), **each} for each in terrain),
        ],
    )

    assert asked.sight("watcher", "giant").concealment == concealment
