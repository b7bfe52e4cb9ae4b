"""Emlia, chapter 19.3, put to scenario files: what something hides from one who is taller."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from emlia3d.battle.questions.answer import Intervening, SightAnswer
from emlia3d.scenario import Scenario

Write = Callable[..., Scenario]
rule = pytest.mark.rule


def only(answer: SightAnswer) -> Intervening:
    (found,) = answer.intervening
    return found


TOWER = {"on_height": 8}
PRONE = {"states": ["prone"]}
ROCK = {"height": 5}


@rule("emlia.sight.shadow.example-bandits", "emlia.sight.shadow-partial")
@rule("emlia.sight.shadow-length", "emlia.sight.shadow-total-depth")
@pytest.mark.parametrize(
    ("depth", "concealment", "slug"),
    [
        (2, "total", "emlia.sight.shadow-total-depth"),
        (25.1875, "total", "emlia.sight.shadow-total-depth"),
        (26, "partial", "emlia.sight.shadow-partial"),
        (28, "partial", "emlia.sight.shadow-partial"),
        (29, "none", "emlia.sight.shadow-length"),
    ],
)
def test_the_bandits_behind_the_rock(
    apart: Write, depth: float, concealment: str, slug: str
) -> None:
    answer = apart(TOWER, PRONE, ROCK, 28, depth).sight("near", "far")

    rock = only(answer)
    assert (answer.concealment, answer.line_of_sight) == (concealment, concealment != "total")
    assert slug in answer.because
    assert (rock.body, rock.fraction, rock.height) == ("solid", 1, 5)
    assert (rock.distance, rock.to_target, rock.gives) == (28, depth, concealment)
    assert rock.shadow is not None
    assert (rock.shadow.length, rock.shadow.total_depth) == (28, pytest.approx(25.2))
    assert (answer.observer_height, answer.target_height, answer.datum) == (9, 0.5, 0)
    assert "1.8 times as high" in answer.text


@rule("emlia.sight.shadow.example-bandits")
def test_with_the_archers_twenty_six_from_the_rock_the_bandits_are_hidden_as_well(
    apart: Write,
) -> None:
    """The book has the bandits 28 off, 2 behind the rock, and a shadow of 28 all the same."""
    answer = apart(TOWER, PRONE, ROCK, 26, 2).sight("near", "far")

    shadow = only(answer).shadow
    assert shadow is not None
    assert (shadow.length, shadow.total_depth) == (26, pytest.approx(23.4))
    assert answer.concealment == "total"


@rule("emlia.sight.shadow-length")
@pytest.mark.parametrize(
    ("taller", "length"), [(9, 40), (10, 40), (11, 20), (20, 20), (21, 10), (41, 5)]
)
def test_the_taller_looks_the_farther_down_behind_the_wall(
    apart: Write, taller: float, length: float
) -> None:
    asked = apart({"on_height": taller - 1}, {}, ROCK, 40, length)

    shadow = only(asked.sight("near", "far")).shadow

    assert shadow is not None
    assert shadow.length == length
    assert asked.sight("near", "far").concealment == "partial"


@rule("emlia.sight.shadow-none")
@pytest.mark.parametrize(
    ("distance", "length", "concealment"), [(3, None, "none"), (4, 4, "partial")]
)
def test_from_too_near_there_is_no_shadow(
    apart: Write, distance: float, length: float | None, concealment: str
) -> None:
    answer = apart(TOWER, {}, ROCK, distance, 4).sight("near", "far")

    shadow = only(answer).shadow
    assert (None if shadow is None else shadow.length) == length
    assert answer.concealment == concealment
    assert ("which is too near, it has none" in answer.text) == (length is None)


@rule("emlia.sight.shadow-total-depth")
@pytest.mark.parametrize(
    ("distance", "eye", "size", "wall", "depth", "concealment"),
    [
        pytest.param(28, 9, 0.5, 5, 25.2, "total", id="a child"),
        pytest.param(28, 1.5, 1, 1, 0, "partial", id="a man behind what is no higher than he"),
        pytest.param(20, 9, 1, 5, 16, "total", id="a man"),
        pytest.param(20, 9, 6, 5, -4, "partial", id="something large"),
    ],
)
def test_how_deep_a_body_is_hidden_wholly_depends_on_its_size(
    apart: Write,
    distance: float,
    eye: float,
    size: float,
    wall: float,
    depth: float,
    concealment: str,
) -> None:
    for stands in (0, 0.5):
        asked = apart({"on_height": eye - 1}, {"size": size}, {"height": wall}, distance, stands)
        answer = asked.sight("near", "far")
        shadow = only(answer).shadow
        assert shadow is not None
        assert (shadow.length, shadow.total_depth) == (distance, pytest.approx(depth))
        assert answer.concealment == concealment


@rule("emlia.sight.shadow-total-depth")
def test_size_counts_and_not_height_and_the_prone_are_half_as_large(apart: Write) -> None:
    tall = apart(TOWER, {"height": 4, "size": 1}, ROCK).sight("near", "far")
    prone = apart(TOWER, {"size": 2, **PRONE}, ROCK).sight("near", "far")

    for answer in (tall, prone):
        shadow = only(answer).shadow
        assert shadow is not None
        assert shadow.total_depth == pytest.approx(28 * (1 - 1 / 5))


@rule("emlia.sight.shadow-sparse")
@pytest.mark.parametrize(("depth", "concealment"), [(2, "partial"), (25, "partial"), (26, "none")])
def test_what_has_gaps_hides_partly_where_a_rock_hides_wholly(
    apart: Write, depth: float, concealment: str
) -> None:
    asked = apart(TOWER, PRONE, {**ROCK, "body": "sparse"}, 28, depth)

    assert asked.sight("near", "far").concealment == concealment


@rule("emlia.sight.shadow-distance")
@pytest.mark.parametrize(
    ("members", "farthest", "concealment"), [(1, 20, "total"), (3, 26, "partial"), (5, 32, "none")]
)
def test_the_farthest_member_decides_how_deep_a_unit_stands(
    scene: Write, members: int, farthest: float, concealment: str
) -> None:
    """Men of 1 GSU in open order, 3 GSU from one to the next, the first 20 behind the rock."""
    column = {
        "name": "far", "side": "Bob", "at": [100, 76 + 20.5 + 3 * (members - 1) / 2], "facing": 180,
        "members": members, "files": 1, "formation": "open", "base": [2, 2], **PRONE,
    }  # fmt: skip
    asked = scene(
        {"name": "near", "box": (95, 40, 105, 44), **TOWER},
        column,
        terrain=[{"name": "rock", "box": (80, 72, 120, 76), **ROCK}],
    )

    answer = asked.sight("near", "far")

    assert answer.concealment == concealment
    assert f"The farthest of far is {farthest} GSU behind it." in answer.text


BAY = [[95, 100], [105, 100], [105, 110], [104, 110], [104, 102], [96, 102], [96, 110], [95, 110]]


@rule("emlia.sight.shadow.definition", "emlia.sight.shadow-distance")
@pytest.mark.parametrize(
    ("south", "gives"),
    [
        pytest.param(102.0, "none", id="touching it from behind"),
        pytest.param(103.0, "none", id="behind it"),
        pytest.param(94.0, "total", id="touching it from before"),
        pytest.param(93.0, "total", id="before it"),
    ],
)
def test_a_shadow_falls_away_from_the_taller(scene: Write, south: float, gives: str) -> None:
    """The shorter is open to the rear, so that a rock may stand in its bay."""
    asked = scene(
        {"name": "near", "box": (95, 40, 105, 44), **TOWER},
        {"name": "far", "side": "Bob", "outline": BAY},
        terrain=[{"name": "rock", "box": (96.5, south, 103.5, south + 6), **ROCK}],
    )

    there, back = asked.sight("near", "far"), asked.sight("far", "near")

    assert (only(there).gives, only(back).gives) == (gives, gives)
    assert ("But no part of far is behind it." in there.text) == (gives == "none")


@rule("emlia.sight.shadow.definition", "emlia.sight.corridor.relative")
def test_a_shadow_falls_on_the_side_of_the_shorter_whoever_looks(apart: Write) -> None:
    asked = apart(TOWER, PRONE, ROCK, 28, 2)

    there, back = asked.sight("near", "far"), asked.sight("far", "near")

    assert only(there).shadow == only(back).shadow
    assert (there.concealment, back.concealment) == ("total", "total")


@rule("emlia.sight.shadow.definition")
def test_what_begins_behind_and_reaches_before_the_shorter_beside_the_corridor_is_behind_him(
    scene: Write,
) -> None:
    """The rock's northern part reaches south outside the corridor only, west of it."""
    hook = [[60, 60], [70, 60], [70, 103], [103, 103], [103, 109], [60, 109]]
    asked = scene(
        {"name": "near", "box": (95, 40, 105, 44), **TOWER},
        {"name": "far", "side": "Bob", "outline": [*BAY[:5], [95, 102]]},
        terrain=[{"name": "rock", "outline": hook, **ROCK}],
    )

    assert only(asked.sight("near", "far")).gives == "none"


@rule("emlia.sight.shadow.definition")
def test_what_stands_before_the_shorter_and_reaches_past_him_as_well_has_him_behind_it(
    scene: Write,
) -> None:
    elbow = [[80, 94], [120, 94], [120, 98], [90, 98], [90, 106], [80, 106]]
    asked = scene(
        {"name": "near", "box": (95, 40, 105, 44), **TOWER},
        {"name": "far", "side": "Bob", "box": (95, 100, 105, 104)},
        terrain=[{"name": "rock", "outline": elbow, **ROCK}],
    )

    assert only(asked.sight("near", "far")).gives == "total"


@rule("emlia.sight.from-shadow.partial", "emlia.sight.from-shadow.total")
@rule("emlia.sight.from-shadow.exception")
@pytest.mark.parametrize(
    ("tower", "depth", "length", "deep", "concealment", "slug"),
    [
        (10, 12, 14, 11.2, "partial", "partial"),
        (10, 10, 14, 11.2, "total", "total"),
        (8, 25, 28, 22.4, "none", "exception"),
        pytest.param(5, 25, 28, 22.4, "partial", "partial", id="a tower as tall as the wall"),
    ],
)
def test_who_looks_up_from_a_shadow_sees_the_archer_if_he_sees_the_tower(
    apart: Write,
    tower: float,
    depth: float,
    length: float,
    deep: float,
    concealment: str,
    slug: str,
) -> None:
    answer = apart({"on_height": tower}, {}, ROCK, 28, depth).sight("far", "near")

    wall = only(answer)
    assert wall.shadow is not None
    assert (wall.shadow.length, wall.shadow.total_depth) == (length, pytest.approx(deep))
    assert answer.concealment == concealment
    told = "But ground directly below near can be seen from there." in answer.text
    assert told == (slug == "exception")
    assert f"emlia.sight.from-shadow.{slug}" in answer.because or concealment == "none"


@rule("emlia.sight.from-shadow.partial")
def test_a_giant_stands_on_nothing_that_could_be_seen(apart: Write) -> None:
    answer = apart({"height": 9, "size": 9}, {}, ROCK, 28, 25).sight("far", "near")

    assert answer.concealment == "partial"


@rule("emlia.sight.from-shadow.outside")
@pytest.mark.parametrize(("depth", "concealment"), [(28, "partial"), (28.5, "none")])
def test_who_looks_up_from_beyond_the_shadow_sees_all(
    apart: Write, depth: float, concealment: str
) -> None:
    giant = {"height": 9, "size": 9}

    assert apart(giant, {}, ROCK, 28, depth).sight("far", "near").concealment == concealment


@rule("emlia.sight.from-shadow.sparse")
@pytest.mark.parametrize(("depth", "concealment"), [(22, "partial"), (23, "none")])
def test_a_hedge_hampers_only_those_whom_it_conceals(
    apart: Write, depth: float, concealment: str
) -> None:
    hedge = {**ROCK, "body": "sparse"}
    asked = apart({"height": 9, "size": 9}, {}, hedge, 28, depth)

    assert asked.sight("far", "near").concealment == concealment
    assert asked.sight("near", "far").concealment == concealment


@rule("emlia.sight.from-shadow.exception", "emlia.sight.on-own-terrain")
@pytest.mark.parametrize(
    ("foot", "concealment"),
    [
        pytest.param(44, "partial", id="its foot 28 from the wall: L 28, Dt 22.4"),
        pytest.param(62, "none", id="its foot 10 from the wall: L 10, Dt 8"),
    ],
)
def test_a_hill_is_as_near_to_the_wall_as_its_foot(
    scene: Write, foot: float, concealment: str
) -> None:
    """An archer on a hill of 10; a watcher 12 behind a wall of 5, in the archer's shadow of 14."""
    asked = scene(
        {"name": "archer", "box": (95, 40, 105, 44)},
        {"name": "watcher", "side": "Bob", "box": (95, 88, 105, 92)},
        terrain=[
            {"name": "hill", "kind": "hill", "box": (60, 20, 140, foot)},
            {"name": "wall", "box": (80, 72, 120, 76), **ROCK},
        ],
    )

    assert asked.sight("archer", "watcher").concealment == "partial"
    assert asked.sight("watcher", "archer").concealment == concealment


@rule("emlia.sight.from-shadow.total", "emlia.sight.mutual")
def test_who_is_hidden_wholly_sees_nothing_though_he_might_see_the_hill(scene: Write) -> None:
    """Of the hill, 4 from the wall, L 4 and Dt 3.2; of the archer L 28 and Dt 22.4."""
    asked = scene(
        {"name": "archer", "box": (95, 40, 105, 44)},
        {"name": "watcher", "side": "Bob", "box": (95, 86, 105, 90)},
        terrain=[
            {"name": "hill", "kind": "hill", "height": 8, "box": (60, 20, 140, 68)},
            {"name": "wall", "box": (80, 72, 120, 76), **ROCK},
        ],
    )

    assert asked.sight("archer", "watcher").concealment == "total"
    assert asked.sight("watcher", "archer").concealment == "total"


@rule("emlia.sight.from-shadow.exception")
@pytest.mark.parametrize(
    ("rise", "depth", "concealment"), [(10, 12, "partial"), (8, 25, "none"), (10, 10, "total")]
)
def test_high_ground_of_a_raster_can_be_seen_as_a_tower_can(
    scene: Write, rise: float, depth: float, concealment: str
) -> None:
    cliff = np.zeros((200, 200))
    cliff[157:, :] = rise * 1.83
    asked = scene(
        {"name": "archer", "box": (95, 40, 105, 44)},
        {"name": "watcher", "side": "Bob", "box": (95, 76 + depth, 105, 80 + depth)},
        terrain=[{"name": "wall", "box": (80, 72, 120, 76), **ROCK}],
        elevation_m=cliff,
    )

    answer = asked.sight("watcher", "archer")

    assert answer.ground is not None
    assert answer.ground.to_half == 0
    assert answer.concealment == concealment


@rule("emlia.sight.from-shadow.exception")
@pytest.mark.parametrize(("rise", "concealment"), [(0.5, "none"), (0.25, "partial")])
def test_ground_half_a_height_unit_higher_is_something_to_stand_on(
    scene: Write, rise: float, concealment: str
) -> None:
    """A giant of 9 on a rise, looked at over a wall of 0.2 whose shadow hides nothing wholly."""
    step = np.zeros((200, 200))
    step[150:, :] = rise * 1.83
    asked = scene(
        {"name": "giant", "box": (95, 40, 105, 44), "height": 9, "size": 9},
        {"name": "watcher", "side": "Bob", "box": (95, 76, 105, 80), "height": 0.2, "size": 0.25},
        terrain=[{"name": "wall", "box": (80, 75, 120, 76), "height": 0.2}],
        elevation_m=step,
    )

    assert asked.sight("watcher", "giant").concealment == concealment


@rule("emlia.sight.on-own-terrain")
def test_a_hill_does_not_hide_its_foot_from_its_top(scene: Write) -> None:
    asked = scene(
        {"name": "top", "box": (95, 40, 105, 44)},
        {"name": "foot", "side": "Bob", "box": (95, 60, 105, 64)},
        terrain=[{"name": "hill", "kind": "hill", "box": (60, 20, 140, 60)}],
    )

    down, up = asked.sight("top", "foot"), asked.sight("foot", "top")

    assert (down.observer_height, down.target_height) == (11, 1)
    assert (only(down).distance, only(down).shadow) == (0, None)
    assert (down.concealment, up.concealment) == ("none", "none")
    assert asked.sight("top", "foot").cover == "none"
